//! Any text as a JSON case: an answer or an error, never a panic; an answer has no NaN.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(answer) = stats::case::answer(text) {
        assert!(answer.starts_with('{') && !answer.contains("NaN"));
    }
});
