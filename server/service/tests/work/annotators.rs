//! A document that several people annotated elsewhere, each in a file that names nobody.

use crate::common::Stage;
use service::import::ImportOptions;

#[tokio::test]
async fn a_second_annotators_file_of_the_same_document_comes_in() {
    let stage = Stage::empty().await;
    let file = |label: &str| {
        format!(
            "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|label\n\n#Text=calm and quiet\n1-1\t0-4\tcalm\t{label}\t\n"
        )
    };
    for (who, label, items) in [("bob", "1.2", 1), ("eve", "6.1", 0)] {
        let options = ImportOptions {
            raters: Some(vec![who.to_owned()]),
            ..ImportOptions::default()
        };
        let report = stage.import_with(&file(label), options).await;
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        assert_eq!(report.new.items, items);
    }
    assert_eq!(
        (stage.rows("items").await, stage.rows("annotations").await),
        (1, 2)
    );
}
