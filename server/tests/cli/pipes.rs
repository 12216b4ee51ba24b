//! Commands whose output nobody reads to its end, and those that are pointed at nothing.

use crate::command::{Stage, said};

#[test]
fn a_command_whose_reader_has_gone_ends_quietly_as_other_programs_do() {
    let stage = Stage::new();
    let add = ["user", "add", "ada", "--role", "admin", "--password-stdin"];
    let password = "correct horse battery\n";
    let case = r#"{"task": "agreement", "ratings": [[1, 1], [2, 1]], "scale": "nominal", "categories": [1, 2]}"#;
    for (arguments, input) in [(&add[..], password), (&["stats"], case)] {
        let unread = stage.run_unread(arguments, input);
        assert_eq!(unread.status.code(), Some(141), "{}", said(&unread));
        assert_eq!(said(&unread), "");
    }
}

// After a restore to the wrong place this was a false all-clear.
#[test]
fn a_mistyped_address_is_no_sound_database_and_makes_none() {
    let stage = Stage::new();
    for command in [
        &["check"][..],
        &["audit", "verify", "s"],
        &["study", "list"],
        &["export", "s", "--out", "o"],
    ] {
        assert_eq!(
            stage.refused(command).trim(),
            "consilium: there is no database at sqlite:test.db"
        );
    }
    assert!(!stage.path("test.db").exists());
}
