//! Tables as they are and as they break.

use std::io::BufReader;

use proptest::prelude::*;

use super::*;

type Simple = Result<(u64, Vec<(u64, String)>), Problem>;

fn rows_up_to(bytes: &[u8], longest: usize) -> Vec<Simple> {
    let mut rows = Rows {
        longest,
        ..Rows::new(BufReader::with_capacity(3, bytes))
    };
    let mut all = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        all.push(row.map(|row| {
            (
                row.line,
                row.cells
                    .into_iter()
                    .map(|cell| (cell.line, cell.text))
                    .collect(),
            )
        }));
    }
    all
}

fn rows(text: &str) -> Vec<Simple> {
    rows_up_to(text.as_bytes(), 1000)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "compared with rows that may be problems"
)]
fn row(line: u64, cells: &[(u64, &str)]) -> Simple {
    Ok((
        line,
        cells
            .iter()
            .map(|&(line, text)| (line, text.to_owned()))
            .collect(),
    ))
}

#[test]
fn cells_know_their_lines_with_either_line_end() {
    for end in ["\n", "\r\n"] {
        let text = ["a,b", "", "\"1\"\"", "2,\",3", "\"x\"", ","].join(end);
        let read = rows(&text);
        let quoted = format!("1\"{end}2,");
        assert_eq!(
            read,
            [
                row(1, &[(1, "a"), (1, "b")]),
                row(3, &[(3, &quoted), (4, "3")]),
                row(5, &[(5, "x")]),
                row(6, &[(6, ""), (6, "")])
            ]
        );
    }
}

#[test]
fn quotation_marks_inside_a_plain_cell_are_text() {
    assert_eq!(rows("a \"b\",c"), [row(1, &[(1, "a \"b\""), (1, "c")])]);
}

#[test]
fn a_quoted_empty_cell_alone_is_a_row() {
    assert_eq!(rows("\"\"\n\n"), [row(1, &[(1, "")])]);
    assert_eq!(rows("\n\r\n"), []);
}

#[test]
fn a_quotation_mark_that_is_never_closed_is_named_where_it_opens() {
    let read = rows("a,b\n1,\"two\nthree\n");
    let problem = read[1].as_ref().unwrap_err();
    assert_eq!(
        problem.to_string(),
        "line 2, column B: found a cell whose quotation mark is never closed; expected a closing quotation mark; the file may have been cut off"
    );
}

#[test]
fn text_after_a_closed_cell_is_a_problem_of_that_row_alone() {
    let read = rows("\"a\"b,c\nd,e\n\"f\"\rg\n");
    assert_eq!(
        read[0].as_ref().unwrap_err().column,
        Some(Column::letter(0))
    );
    assert_eq!(read[1], row(2, &[(2, "d"), (2, "e")]));
    assert!(read[2].is_err());
}

#[test]
fn a_row_that_is_too_long_is_passed_over() {
    assert_eq!(
        rows_up_to(b"a,bcdefgh\nij,k\n,,,,,,,,,\nl", 5),
        [
            Err(too_long(1)),
            row(2, &[(2, "ij"), (2, "k")]),
            Err(too_long(3)),
            row(4, &[(4, "l")])
        ]
    );
}

#[test]
fn bytes_that_are_not_utf8_are_placed_by_line_and_column() {
    let read = rows_up_to(b"a,b\nx,\"y\n\xe9\"\n", 1000);
    let problem = read[1].as_ref().unwrap_err();
    assert_eq!(
        (problem.line, problem.column.clone()),
        (3, Some(Column::letter(1)))
    );
    assert_eq!(
        rows("a\0b")[0].as_ref().unwrap_err().found,
        "a NUL character"
    );
}

proptest! {
    // The csv crate is the second opinion: what it writes, we read.
    #[test]
    fn what_another_writer_wrote_is_read_back(table in prop::collection::vec(prop::collection::vec("[a,\"\r\nü🙂 ]{0,6}", 3), 1..6)) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for cells in &table {
            writer.write_record(cells).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let read: Vec<Vec<String>> = rows_up_to(&bytes, 1000).into_iter().map(|row| row.unwrap().1.into_iter().map(|cell| cell.1).collect()).collect();
        prop_assert_eq!(read, table);
    }
}
