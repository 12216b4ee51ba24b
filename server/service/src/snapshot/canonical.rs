//! JSON in one way only: keys in order, no white space, numbers as short as they can be.

use serde_json::{Number, Value};

/// The canonical text of a value. For what snapshots hold it is that of RFC 8785.
pub(crate) fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(list) => {
            out.push('[');
            for (at, one) in list.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(one, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut keys: Vec<&String> = fields.keys().collect();
            keys.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (at, key) in keys.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                write(&fields[key], out);
            }
            out.push('}');
        }
        Value::Number(number) => out.push_str(&shortest(number)),
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

/// `3` for 3.0: whether a number was an integer when it was written down does not change what it says.
fn shortest(number: &Number) -> String {
    match number.as_f64() {
        Some(value) if number.is_f64() && value.fract() == 0.0 && value.abs() < 9e15 => {
            (value as i64).to_string()
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;
    use serde_json::json;

    #[test]
    fn one_value_has_one_text() {
        let value =
            json!({"b": [3.0, 3.5, -0.0, 7], "a": {"z": null, "é": true, "y": "a\"b\n"}, "": 1e2});
        assert_eq!(
            canonical(&value),
            r#"{"":100,"a":{"y":"a\"b\n","z":null,"é":true},"b":[3,3.5,0,7]}"#
        );
        let again = serde_json::from_str(&canonical(&value)).expect("it is JSON");
        assert_eq!(canonical(&again), canonical(&value));
    }

    #[test]
    fn keys_are_in_the_order_of_their_utf_16_units() {
        // U+1F600 begins with the unit D83D, which comes before U+FB33 although the code point is greater.
        let value = json!({"\u{fb33}": 1, "\u{1f600}": 2});
        assert_eq!(canonical(&value), "{\"\u{1f600}\":2,\"\u{fb33}\":1}");
    }
}
