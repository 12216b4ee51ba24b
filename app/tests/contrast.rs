//! Computes WCAG 2.2 contrast of every pair of design tokens that meet, in both colour schemes.

use std::{collections::BTreeMap, fs, path::Path};

type Rgb = [f64; 3];

/// Token name to its light and dark colour.
fn tokens() -> BTreeMap<String, [Rgb; 2]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../style/tokens.css");
    let css = fs::read_to_string(path).expect("the tokens are there");
    let entry = |line: &str| {
        let (name, value) = line.trim().split_once(": light-dark(")?;
        let (light, dark) = value.strip_suffix(");")?.split_once(", ")?;
        Some((name.strip_prefix("--")?.to_owned(), [rgb(light), rgb(dark)]))
    };
    css.lines().filter_map(entry).collect()
}

fn rgb(hex: &str) -> Rgb {
    let channel =
        |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("a hex colour"));
    [channel(1), channel(3), channel(5)]
}

/// Relative luminance as WCAG 2.2 defines it.
fn luminance(colour: Rgb) -> f64 {
    let linear = colour.map(|channel| {
        let share = channel / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn assert_contrast(least: f64, pairs: &[(&str, &[&str])]) {
    let tokens = tokens();
    for (front, backs) in pairs {
        for back in *backs {
            for (scheme, at) in [("light", 0), ("dark", 1)] {
                let found = contrast(tokens[*front][at], tokens[*back][at]);
                assert!(
                    found >= least,
                    "--{front} on --{back} in {scheme}: {found:.2} is below {least}"
                );
            }
        }
    }
}

#[test]
fn the_formula_gives_the_extremes_of_the_standard() {
    assert!((contrast(rgb("#000000"), rgb("#ffffff")) - 21.0).abs() < 1e-9);
    assert!((contrast(rgb("#777777"), rgb("#ffffff")) - 4.48).abs() < 0.01);
}

#[test]
fn text_can_be_read() {
    let sheets: &[&str] = &["paper", "sheet", "sunk", "accent-soft"];
    let messages: &[&str] = &[
        "good-soft",
        "warn-soft",
        "bad-soft",
        "span",
        "span-now",
        "mine",
    ];
    assert_contrast(
        4.5,
        &[
            ("ink", sheets),
            ("ink", messages),
            ("soft", sheets),
            ("accent", sheets),
            ("good", sheets),
            ("warn", sheets),
            ("bad", sheets),
            ("warn", &["span", "warn-soft"]),
            ("bad", &["bad-soft"]),
            ("good", &["good-soft"]),
            ("accent-ink", &["accent"]),
            ("level-ink", &["level-1", "level-2", "level-3", "level-4"]),
            ("level-5-ink", &["level-5"]),
            ("plain-ink", &["plain-1", "plain-2", "plain-3", "plain-4"]),
            ("plain-5-ink", &["plain-5"]),
        ],
    );
}

#[test]
fn controls_and_underlines_can_be_seen() {
    assert_contrast(
        3.0,
        &[
            ("edge", &["paper", "sheet", "sunk"]),
            ("span-line", &["sheet", "span", "span-now"]),
            (
                "accent",
                &[
                    "paper", "sheet", "sunk", "mine", "level-1", "level-2", "level-3",
                ],
            ),
        ],
    );
}

#[test]
fn the_ramp_of_answers_keeps_to_one_hue() {
    let tokens = tokens();
    for rank in 1..=5 {
        for [red, green, blue] in tokens[&format!("plain-{rank}")] {
            assert!(red <= green && green <= blue, "plain-{rank} is blue");
        }
    }
}
