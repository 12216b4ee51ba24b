//! Fingerprints of records, so that duplicates are found in constant memory per record.

use std::collections::{HashMap, hash_map::Entry};

use sha2::{Digest as _, Sha256};

/// Half of a SHA-256: enough that no two records of a file share one by chance.
pub(crate) type Digest = [u8; 16];

/// The fingerprint of a list of parts; `["ab", ""]` and `["a", "b"]` differ.
pub(crate) fn digest<T: AsRef<[u8]>>(parts: &[T]) -> Digest {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.as_ref().len() as u64).to_le_bytes());
        hash.update(part);
    }
    let full: [u8; 32] = hash.finalize().into();
    let mut half = [0; 16];
    half.copy_from_slice(&full[..16]);
    half
}

/// The first eight bytes of a fingerprint in hexadecimal.
pub(crate) fn short_hex(digest: Digest) -> String {
    use std::fmt::Write as _;
    digest[..8]
        .iter()
        .fold(String::with_capacity(16), |mut hex, byte| {
            // Writing to a String cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// What a key has meant so far in this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// Not seen before.
    New,
    /// Seen at this line with the same content.
    Same(u64),
    /// Seen at this line with other content.
    Different(u64),
}

/// Keys seen in a file, each with the line and the content of its first occurrence.
#[derive(Default)]
pub(crate) struct Seen(HashMap<Digest, (u64, Digest)>);

impl Seen {
    pub(crate) fn meet(&mut self, key: Digest, content: Digest, line: u64) -> Meeting {
        match self.0.entry(key) {
            Entry::Vacant(place) => {
                place.insert((line, content));
                Meeting::New
            }
            Entry::Occupied(place) => match *place.get() {
                (first, known) if known == content => Meeting::Same(first),
                (first, _) => Meeting::Different(first),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_part_ends_matters() {
        assert_ne!(digest(&["ab", ""]), digest(&["a", "b"]));
        assert_eq!(short_hex(digest::<&str>(&[])), "e3b0c44298fc1c14");
    }

    #[test]
    fn the_first_occurrence_is_the_one_reported() {
        let mut seen = Seen::default();
        let [key, one, two] = ["k", "1", "2"].map(|text| digest(&[text]));
        assert_eq!(seen.meet(key, one, 3), Meeting::New);
        assert_eq!(seen.meet(key, two, 5), Meeting::Different(3));
        assert_eq!(seen.meet(key, one, 7), Meeting::Same(3));
    }
}
