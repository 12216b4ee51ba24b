//! Raters as A, B, ..: the same letter everywhere, by their place in the study.

use domain::id::{StudyId, UserId};
use store::AnyConnection;
use store::unit::Rater;

/// The raters of a study with their letters.
#[derive(Clone, Debug)]
pub(crate) struct Letters(Vec<Rater>);

impl Letters {
    /// The raters of a study.
    pub async fn of(connection: &mut AnyConnection, study: &StudyId) -> store::Result<Self> {
        Ok(Self(store::unit::raters(connection, study).await?))
    }

    /// The place of a rater, counted from 0.
    pub fn place(&self, user: &UserId) -> Option<usize> {
        self.0.iter().position(|rater| rater.user == *user)
    }

    /// The rater of a place.
    pub fn rater(&self, user: &UserId) -> Option<&Rater> {
        self.place(user).map(|place| &self.0[place])
    }

    /// The letter of a rater; empty for somebody who is none.
    pub fn letter(&self, user: &UserId) -> String {
        self.place(user).map(letter).unwrap_or_default()
    }

    /// Every letter, in order.
    pub fn all(&self) -> Vec<String> {
        (0..self.0.len()).map(letter).collect()
    }

    /// The rater of a letter.
    pub fn user_of(&self, wanted: &str) -> Option<&UserId> {
        self.0
            .iter()
            .enumerate()
            .find(|(place, _)| letter(*place) == wanted)
            .map(|(_, rater)| &rater.user)
    }
}

/// A, B, .., Z, AA, AB, ..
pub(crate) fn letter(place: usize) -> String {
    let mut rest = place;
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + (rest % 26) as u8));
        if rest < 26 {
            return letters.into_iter().rev().collect();
        }
        rest = rest / 26 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!(
            [0, 1, 25, 26, 27, 51, 52, 701, 702].map(letter),
            ["A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
        );
    }
}
