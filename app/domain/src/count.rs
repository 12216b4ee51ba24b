//! Counts as people read them, for reports, messages and the command line. Pages group the digits as well.

use std::fmt::Display;

/// `1 item`, `2 items`.
pub fn count<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let word = if n == N::from(1) { one } else { many };
    format!("{n} {word}")
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_one_and_none_are_many() {
        let said = [0_u64, 1, 2].map(|n| count(n, "item", "items"));
        assert_eq!(said, ["0 items", "1 item", "2 items"]);
        assert_eq!(count(1_usize, "answer was", "answers were"), "1 answer was");
    }
}
