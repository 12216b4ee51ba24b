//! What was computed already, kept until the study changes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The most entries; beyond it all are forgotten, so that no series of questions fills the memory.
const MOST: usize = 256;

/// Values by key, each at the revision of its study.
#[derive(Debug)]
pub struct Kept<K, V>(Mutex<HashMap<K, (i64, Arc<V>)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Kept<K, V> {
    /// The value, if nothing changed since.
    pub(crate) fn get(&self, key: &K, revision: i64) -> Option<Arc<V>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key)
            .filter(|(at, _)| *at == revision)
            .map(|(_, value)| value.clone())
    }

    /// Keeps a value and hands it on.
    pub(crate) fn put(&self, key: K, revision: i64, value: V) -> Arc<V> {
        let value = Arc::new(value);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(key, (revision, value.clone()));
        value
    }
}

#[cfg(test)]
mod tests {
    use super::{Kept, MOST};

    #[test]
    fn a_value_goes_with_its_revision_and_the_heap_stays_small() {
        let kept: Kept<usize, usize> = Kept::default();
        kept.put(1, 7, 10);
        assert_eq!(kept.get(&1, 7).as_deref(), Some(&10));
        assert_eq!(kept.get(&1, 8), None);
        for key in 0..2 * MOST {
            kept.put(key, 1, key);
        }
        assert!(kept.0.lock().unwrap().len() <= MOST);
    }
}
