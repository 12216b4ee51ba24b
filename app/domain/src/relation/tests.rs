use super::{Place, Relation, link, links, parse, parts, pieces, share, together};

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

#[test]
fn lines_are_read_and_written_alike() {
    let all = [
        ("3 SUPPORTS 1", Place::of(3), Place::of(1)),
        ("1 ENTAILS input", Place::of(1), Place::INPUT),
        (
            "2c REFINES 2b",
            Place { part: 2, piece: 2 },
            Place { part: 2, piece: 1 },
        ),
    ];
    for (line, part, target) in all {
        let Some(Relation::Link {
            part: p,
            label,
            target: t,
        }) = parse(line)
        else {
            panic!("{line} is a link");
        };
        assert_eq!((p, t), (part, target));
        assert_eq!(link(p, label, t), line);
    }
    assert_eq!(
        parse("split 2 but then"),
        Some(Relation::Split(2, "but then"))
    );
}

#[test]
fn pieces_begin_at_their_words_in_order() {
    let text = "Ärger first, but then calm, but then sleep.";
    assert_eq!(
        pieces(text, &["but then", "but then", "never"]),
        (vec![13, 28], vec!["never"])
    );
    assert_eq!(pieces(text, &["Ärger"]), (vec![], vec!["Ärger"]));
}

#[test]
fn no_part_relates_to_itself_or_to_a_later_one() {
    assert_eq!(parse("2 SUPPORTS 2"), None);
    assert_eq!(parse("2 SUPPORTS 3"), None);
    assert_eq!(parse("2b SUPPORTS 2c"), None);
    assert_eq!(
        parse("2a SUPPORTS 1"),
        None,
        "the first piece has no letter"
    );
    assert_eq!(parse("join 1"), None, "the first part has none before it");
}

#[test]
fn joins_and_splits_change_the_number_of_parts_once_each() {
    assert_eq!(
        parts(&lines(&["join 3", "join 3", "split 1 a", "split 1 b"]), 4),
        5
    );
    assert_eq!(parts(&lines(&["join 9"]), 4), 4, "there is no part 9");
}

#[test]
fn boundaries_do_not_enter_the_share_of_a_relation() {
    let all = lines(&[
        "1 ENTAILS input",
        "2 IRRELEVANT input",
        "split 1 so",
        "3 REFINES 1",
        "4 SUPPORTS 3",
    ]);
    assert_eq!(share(&all, "IRRELEVANT"), Some(0.25));
    assert_eq!(share(&lines(&["join 2"]), "IRRELEVANT"), None);
}

#[test]
fn what_related_to_a_joined_part_relates_to_the_part_it_belongs_to() {
    let all = lines(&[
        "1 ENTAILS input",
        "2 ENTAILS input",
        "3 REFINES 2",
        "4 CONTRADICTS 3",
        "join 3",
        "join 2",
        "split 1 so",
    ]);
    // Parts 2 and 3 belong to the last piece of part 1, which is 1b: it entails the input, and 4 contradicts it.
    let piece = Place { part: 1, piece: 1 };
    assert_eq!(
        links(&all),
        [
            (Place::of(1), "ENTAILS", Place::INPUT),
            (piece, "ENTAILS", Place::INPUT),
            (Place::of(4), "CONTRADICTS", piece),
        ]
    );
    assert_eq!(share(&all, "CONTRADICTS"), Some(1.0 / 3.0));
    let twice = lines(&["1 ENTAILS input", "2 ENTAILS input", "join 2"]);
    assert_eq!(
        links(&twice).len(),
        1,
        "said by both parts, it is said once"
    );
}

#[test]
fn together_stands_what_most_draw_or_half_of_them_and_the_judge() {
    let a = lines(&["1 ENTAILS input", "2 SUPPORTS 1", "3 REFINES 2", "join 4"]);
    let b = lines(&["1 ENTAILS input", "2 CAUSES 1", "3 IRRELEVANT input"]);
    let judge = lines(&[
        "1 ENTAILS input",
        "2 CAUSES 1",
        "3 REFINES 2",
        "3 SUPPORTS 1",
    ]);
    // Both: the first. Half and the judge: that 2 is caused by 1 and 3 refines 2. Half alone: supports, irrelevant, join.
    assert_eq!(
        together(&[&a, &b], &judge),
        lines(&["1 ENTAILS input", "2 CAUSES 1", "3 REFINES 2"])
    );
    assert_eq!(together(&[&a, &b], &[]), lines(&["1 ENTAILS input"]));
    assert_eq!(
        together(&[&a], &judge),
        a,
        "one alone is not outvoted by the judge"
    );
    let third = lines(&["2 SUPPORTS 1", "10 REFINES 2", "join 4"]);
    assert_eq!(
        together(&[&a, &b, &third], &judge),
        lines(&["1 ENTAILS input", "2 SUPPORTS 1", "join 4"]),
        "two of three are more than half, whatever the judge says"
    );
}
