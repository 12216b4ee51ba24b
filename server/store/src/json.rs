//! JSON inside a column.

use crate::error::{Error, Result};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// Reads a column that holds JSON.
pub(crate) fn read<T: DeserializeOwned>(
    table: &'static str,
    column: &'static str,
    id: &str,
    text: &str,
) -> Result<T> {
    serde_json::from_str(text).map_err(|_| Error::inconsistent(table, column, id))
}

/// Writes a value that always has a JSON text: strings, numbers, lists and maps by string.
pub(crate) fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// A JSON object whose order is kept: facts are shown in the order of the file they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub Vec<(String, String)>);

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn pairs_are_an_object_in_their_own_order() {
        let pairs = Pairs(vec![("z".into(), "1".into()), ("a".into(), "2".into())]);
        let text = super::write(&pairs);
        assert_eq!(text, r#"{"z":"1","a":"2"}"#);
        assert_eq!(
            super::read::<Pairs>("items", "demographics", "x", &text).expect("reads back"),
            pairs
        );
    }
}
