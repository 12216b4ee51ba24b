//! Files of ratings: layouts detected and told, and every kind of broken file with its position.
#![expect(clippy::unwrap_used, reason = "a test that fails says so")]

use formats::ratings::{
    Criterion, Layout, MISSING, RatingsError, RatingsFile, RatingsOptions, read_ratings,
};

fn read(text: &[u8], options: &RatingsOptions) -> Result<RatingsFile, Vec<String>> {
    read_ratings(text, options).map_err(|error| match error {
        RatingsError::Problems(problems) => problems.list.iter().map(ToString::to_string).collect(),
        RatingsError::Io(error) => vec![error.to_string()],
    })
}

fn sound(text: &str, options: &RatingsOptions) -> RatingsFile {
    read(text.as_bytes(), options).unwrap()
}

fn only(file: RatingsFile) -> Criterion {
    let [criterion] = <[Criterion; 1]>::try_from(file.criteria).unwrap();
    criterion
}

fn problems(text: &str, options: &RatingsOptions) -> Vec<String> {
    read(text.as_bytes(), options).unwrap_err()
}

/// The ratings as text, an empty one for a missing rating.
fn rows(criterion: &Criterion) -> Vec<Vec<&str>> {
    let text = |&cell: &u32| {
        if cell == MISSING {
            ""
        } else {
            criterion.values[cell as usize].as_str()
        }
    };
    criterion
        .cells
        .chunks(criterion.raters.len())
        .map(|row| row.iter().map(text).collect())
        .collect()
}

fn default() -> RatingsOptions {
    RatingsOptions::default()
}

#[test]
fn a_long_file_is_detected() {
    let file = sound("item,rater,score\nb,Y,2\na,X,1\nb,X,2\na,Y,\n", &default());
    assert_eq!(file.layout, Layout::Long);
    let criterion = only(file);
    assert_eq!(criterion.raters, ["Y", "X"]);
    assert_eq!(rows(&criterion), [["2", "2"], ["", "1"]]);
}

#[test]
fn criteria_are_kept_apart() {
    let file = sound(
        "item,rater,criterion,score\n1,A,tone,3\n1,B,tone,4\n1,A,risk,x\n1,B,risk,y\n",
        &default(),
    );
    let names: Vec<_> = file
        .criteria
        .iter()
        .map(|criterion| criterion.name.as_str())
        .collect();
    assert_eq!(names, ["tone", "risk"]);
    assert_eq!(rows(&file.criteria[1]), [["x", "y"]]);
}

#[test]
fn columns_can_be_told() {
    let options = RatingsOptions {
        item: vec!["doc".to_owned(), "part".to_owned()],
        rater: Some("who".to_owned()),
        value: Some("says".to_owned()),
        ..default()
    };
    let criterion = only(sound(
        "doc,part,who,says\n1,a,X,5\n1,b,X,6\n1,a,Y,5\n",
        &options,
    ));
    assert_eq!(rows(&criterion), [["5", "5"], ["6", ""]]);
}

#[test]
fn a_wide_file_is_detected() {
    let criterion = only(sound(
        "\u{feff}item;anna;ben\r\n1;3;NA\r\n\r\n2;\"4\";4\r\n",
        &RatingsOptions {
            missing: vec!["NA".to_owned()],
            ..default()
        },
    ));
    assert_eq!(criterion.raters, ["anna", "ben"]);
    assert_eq!(rows(&criterion), [["3", ""], ["4", "4"]]);
}

#[test]
fn columns_beside_the_ratings_are_not_raters() {
    let criterion = only(sound(
        "id,question,rater_1,rater_1_comment,rater_2\n7,why?,1,\"a, b\",2\n",
        &default(),
    ));
    assert_eq!(criterion.raters, ["rater_1", "rater_2"]);
}

#[test]
fn a_table_of_counts_is_detected() {
    let file = sound("rater_A,x,y\nx,2,1\ny,0,1\n", &default());
    assert_eq!(file.layout, Layout::Table);
    assert_eq!(
        rows(&only(file)),
        [["x", "x"], ["x", "x"], ["x", "y"], ["y", "y"]]
    );
}

#[test]
fn clusters_and_groups_belong_to_items() {
    let options = RatingsOptions {
        cluster: Some("trace".to_owned()),
        by: Some("model".to_owned()),
        ..default()
    };
    let criterion = only(sound(
        "item,rater,score,trace,model\n1,A,1,t,m\n1,B,1,t,m\n2,A,1,u,k\n3,A,2,t,m\n",
        &options,
    ));
    assert_eq!(criterion.clusters, Some(vec![0, 1, 0]));
    assert_eq!(
        criterion.by,
        Some((vec!["m".to_owned(), "k".to_owned()], vec![0, 1, 0]))
    );
    let contradiction = problems(
        "item,rater,score,trace,model\n1,A,1,t,m\n1,B,1,u,m\n",
        &options,
    );
    assert_eq!(
        contradiction,
        ["line 3, column D, trace: found u; expected t as in line 2, which has the same item"]
    );
}

#[test]
fn a_second_rating_is_refused_with_both_lines() {
    let found = problems("item,rater,score\n1,A,3\n1,B,3\n1,A,4\n", &default());
    assert_eq!(
        found,
        [
            "line 4, column B, rater: found a second rating of item 1; expected one rating an item and rater; the first by A is in line 2"
        ]
    );
    let found = problems("item,r1,r2\n1,3,3\n1,3,4\n", &default());
    assert_eq!(
        found,
        [
            "line 3, column A, item: found a second row of item 1; expected one row an item; the first is line 2"
        ]
    );
}

#[test]
fn ragged_rows_are_all_named() {
    let found = problems("item,r1,r2\n1,3\n2,3,4\n3,1,2,3\n", &default());
    assert_eq!(
        found,
        [
            "line 2: found 2 cells; expected 3 cells, as in the first line",
            "line 4: found 4 cells; expected 3 cells, as in the first line"
        ]
    );
}

#[test]
fn unknown_words_are_refused_and_off_scale_numbers_kept() {
    let declared = |list: &[&str]| RatingsOptions {
        categories: list.iter().map(|&word| word.to_owned()).collect(),
        ..default()
    };
    let found = problems(
        "item,r1,r2\n1,yes,no\n2,maybe,no\n",
        &declared(&["no", "yes"]),
    );
    assert_eq!(
        found,
        ["line 3, column B, r1: found maybe; expected one of no, yes"]
    );
    let kept = only(sound(
        "item,r1,r2\n1,3.5,4\n2,1,4.0\n",
        &declared(&["1", "2", "3", "4", "5"]),
    ));
    assert_eq!(kept.values, ["3.5", "4", "1", "4.0"]);
    let found = problems("item,r1,r2\n1,3,four\n", &declared(&["1", "2", "3"]));
    assert_eq!(
        found,
        ["line 2, column C, r2: found four; expected one of 1, 2, 3"]
    );
}

#[test]
fn negative_numbers_are_refused_on_a_ratio_scale() {
    let options = RatingsOptions {
        non_negative: true,
        ..default()
    };
    let found = problems("item,r1,r2\n1,0,-2\n", &options);
    assert_eq!(
        found,
        ["line 2, column C, r2: found -2; expected a number from 0 on, as on a ratio scale"]
    );
    assert!(read(b"item,r1,r2\n1,0,-2\n", &default()).is_ok());
}

#[test]
fn bytes_that_are_not_text_are_placed() {
    let found = read(b"item,r1,r2\n1,3,\xe9\n", &default()).unwrap_err();
    assert!(
        found[0].starts_with("line 2, column 5: found the byte 0xE9, which is not UTF-8"),
        "{found:?}"
    );
}

#[test]
fn files_without_a_use() {
    assert_eq!(
        problems("", &default()),
        ["line 1: found an empty file; expected a line with the names of the columns"]
    );
    assert_eq!(
        problems("item\n1\n", &default()),
        [
            "line 1: found the columns item; expected a column for every rater; name them with --raters, or --rater and --value"
        ]
    );
    let absent = RatingsOptions {
        criterion: Some("tone".to_owned()),
        ..default()
    };
    assert_eq!(
        problems("item,r1,r2\n", &absent),
        ["line 1: found the columns item, r1, r2; expected a column named tone"]
    );
    let open = problems("item,r1,r2\n1,\"3,4\n2,3,4\n", &default());
    assert_eq!(
        open,
        [
            "line 2, column B: found a cell whose quotation mark is never closed; expected a closing quotation mark; the file may have been cut off"
        ]
    );
    assert_eq!(
        problems("item,rater,score\n,A,3\n1,,3\n", &default()).len(),
        2
    );
}

#[test]
fn a_header_alone_has_no_items() {
    for text in ["item,r1,r2\n", "item,rater,score"] {
        let file = sound(text, &default());
        assert!(file.criteria.iter().all(|criterion| criterion.n_items == 0));
    }
}

/// A million columns are read, a line beyond the limit is refused, neither takes much memory or time.
#[test]
fn very_long_lines() {
    let names: Vec<String> = (0..1_000_000).map(|i| format!("r{i}")).collect();
    let text = format!("item,{}\n1,2\n", names.join(","));
    assert_eq!(
        problems(&text, &default()),
        ["line 2: found 2 cells; expected 1000001 cells, as in the first line"]
    );
    let endless = "x".repeat(17 << 20);
    assert!(problems(&endless, &default())[0].contains("16 MiB"));
}

#[test]
fn a_table_that_is_not_one() {
    let found = problems("rater_A,x,y\nx,2,1\nz,0,1\n", &default());
    assert_eq!(
        found,
        ["line 3, column A, rater_A: found z; expected a category that is also a column"]
    );
    let found = problems("rater_A,x,y\nx,2,1\ny,99999999999999,1\n", &default());
    assert!(found[0].starts_with("line 3, column B, x: found 99999999999999"));
}
