//! Numbers for people: three decimals.

/// Rounded to three decimals, without a negative zero.
pub(super) fn rounded(x: f64) -> String {
    let text = format!("{x:.3}");
    if text == "-0.000" {
        "0.000".to_owned()
    } else {
        text
    }
}
