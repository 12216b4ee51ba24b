//! Any text as a JSON case: an answer or an error, never a panic; debug assertions refuse a figure that is not finite.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(answer) = stats::case::answer(text) {
        assert!(answer.starts_with('{') && answer.ends_with('}'));
    }
});
