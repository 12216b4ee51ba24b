//! Texts to numbers, each text kept once in one string.

use std::hash::{BuildHasher, RandomState};

/// Numbers in the order of first sight.
///
/// A slot holds 32 bits of hash above the number plus one, so that other texts are passed over without looking at them.
#[derive(Debug, Default)]
pub(super) struct Interner {
    arena: String,
    ends: Vec<usize>,
    slots: Vec<u64>,
    state: RandomState,
}

impl Interner {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn text(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.arena[start..self.ends[number]]
    }

    /// The number of a text, and whether it is new.
    pub(super) fn number(&mut self, text: &str) -> (u32, bool) {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let hash = self.state.hash_one(text) as u32;
        let mut slot = hash as usize & mask;
        while self.slots[slot] > 0 {
            let number = self.slots[slot] as u32 - 1;
            if self.slots[slot] >> 32 == u64::from(hash) && self.text(number) == text {
                return (number, false);
            }
            slot = (slot + 1) & mask;
        }
        let number = self.ends.len() as u32;
        self.slots[slot] = (u64::from(hash) << 32) | u64::from(number + 1);
        self.arena.push_str(text);
        self.ends.push(self.arena.len());
        (number, true)
    }

    /// Moves the slots into twice as many, by the hashes they hold.
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        for filled in std::mem::replace(&mut self.slots, vec![0; size]) {
            if filled > 0 {
                let mut slot = (filled >> 32) as usize & (size - 1);
                while self.slots[slot] > 0 {
                    slot = (slot + 1) & (size - 1);
                }
                self.slots[slot] = filled;
            }
        }
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        (0..self.ends.len() as u32)
            .map(|number| self.text(number).to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number() {
        let mut interner = Interner::default();
        let texts: Vec<String> = (0..1000).map(|i| (i * i % 617).to_string()).collect();
        let first: Vec<u32> = texts.iter().map(|text| interner.number(text).0).collect();
        let again: Vec<(u32, bool)> = texts.iter().map(|text| interner.number(text)).collect();
        assert!(first.iter().zip(&again).all(|(a, (b, new))| a == b && !new));
        assert!(
            texts
                .iter()
                .zip(&first)
                .all(|(text, &number)| interner.text(number) == text)
        );
    }
}
