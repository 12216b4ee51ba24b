//! Every broken file of the corpus gives exactly the problems written beside it.

mod common;

use std::{fs, path::Path};

use formats::{Problem, ReadError, ReadOptions, sniff, validate};

use common::Book;

fn problems_of(bytes: &[u8]) -> Vec<Problem> {
    let format = match sniff(bytes) {
        Ok(format) => format,
        Err(problem) => return vec![problem],
    };
    match validate(format, bytes, &Book, &ReadOptions::default()) {
        Err(ReadError::Problems(problems)) => problems.list,
        other => panic!("no problems but {other:?}"),
    }
}

#[test]
fn each_file_has_the_problems_that_are_expected_of_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut tried = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".expected") || name.starts_with('.') {
            continue;
        }
        let problems = problems_of(&fs::read(&file).unwrap());
        let found = problems.iter().fold(String::new(), |text, problem| {
            text + &problem.to_string()
                + "
"
        });
        let expected =
            fs::read_to_string(file.with_file_name(format!("{name}.expected"))).unwrap_or_default();
        assert_eq!(found, expected, "{name}");
        tried += 1;
    }
    assert!(tried > 30, "only {tried} files");
}
