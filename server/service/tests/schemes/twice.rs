//! A file that names an item more than once.

use crate::stage::Stage;
use serde_json::{Value, json};
use service::import::New;

/// A reply with the severity that the judge gave it.
fn line(key: &str, judge: &str, severity: u8) -> Value {
    json!({"key": key, "trace": format!("Reply {key}."), "judge": {"name": judge}, "answers": {"severity": severity}})
}

#[tokio::test]
async fn an_item_that_a_file_names_twice_is_not_called_found_again() {
    let two = [
        line("a", "one", 1),
        line("a", "two", 5),
        line("b", "one", 0),
        line("b", "two", 0),
    ];
    let stage = Stage::new("mindeval2-mqm", &[]).await;
    let first = stage.try_import(&two).await;
    assert_eq!(
        (first.new.items, first.new.verdicts, first.identical),
        (2, 4, 0)
    );
    let again = stage.try_import(&two).await;
    assert_eq!(
        (again.new, again.identical),
        (New::default(), 2 + 4),
        "two items, each once, and four answers"
    );
    // Three judges of one item, and a person.
    let table = "item,rater,criterion,score\nt,gpt-4o,severity,1\nt,GPT-4,severity,1\nt,llama-3,severity,0\nt,anna,severity,5\n";
    let first = stage.take(table).await;
    assert_eq!(
        (first.new.items, first.new.judges, first.identical),
        (1, 3, 0)
    );
}

/// Items are read in blocks; a second line of an item may come in a later one.
#[tokio::test]
async fn an_item_that_a_long_file_names_again_in_another_block_is_not_called_found_again() {
    let of = |judge: &str| {
        (0..700)
            .map(|n| line(&format!("i{n}"), judge, 0))
            .collect::<Vec<_>>()
    };
    let stage = Stage::new("mindeval2-mqm", &[]).await;
    let first = stage.try_import(&[of("one"), of("two")].concat()).await;
    assert_eq!(
        (first.problems, first.new.items, first.identical),
        (vec![], 700, 0)
    );
}
