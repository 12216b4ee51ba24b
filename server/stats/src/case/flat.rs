//! The flat answer: names to numbers, nulls with a reason.

use crate::result::{Estimate, Interval, Reason, Statistic};
use serde_json::{Map, Value, json};

/// An answer being written.
#[derive(Default)]
pub(super) struct Flat {
    values: Map<String, Value>,
    reasons: Map<String, Value>,
}

impl Flat {
    pub fn number(&mut self, name: &str, value: f64) {
        debug_assert!(value.is_finite(), "{name} is {value}");
        self.values.insert(name.to_owned(), json!(value));
    }

    pub fn count(&mut self, name: &str, value: u64) {
        self.values.insert(name.to_owned(), json!(value));
    }

    pub fn json(&mut self, name: &str, value: Value) {
        self.values.insert(name.to_owned(), value);
    }

    pub fn missing(&mut self, name: &str, reason: Reason) {
        self.values.insert(name.to_owned(), Value::Null);
        self.reasons.insert(name.to_owned(), json!(reason.code()));
    }

    pub fn result(&mut self, name: &str, value: Result<f64, Reason>) {
        match value {
            Ok(value) => self.number(name, value),
            Err(reason) => self.missing(name, reason),
        }
    }

    /// `NAME_low` and `NAME_high`, null with the reason when there is no interval.
    pub fn interval(&mut self, name: &str, interval: Result<Interval, Reason>) {
        self.result(&format!("{name}_low"), interval.map(|bounds| bounds.low));
        self.result(&format!("{name}_high"), interval.map(|bounds| bounds.high));
    }

    /// The value alone.
    pub fn value(&mut self, name: &str, statistic: &Statistic) {
        self.result(
            name,
            statistic
                .as_ref()
                .map(|estimate| estimate.value)
                .map_err(|undefined| undefined.reason),
        );
    }

    /// The value and its interval.
    pub fn with_interval(&mut self, name: &str, statistic: &Statistic) {
        self.value(name, statistic);
        if let Ok(Estimate { ci, .. }) = statistic {
            self.interval(&format!("{name}.ci"), *ci);
        } else {
            self.values.insert(format!("{name}.ci_low"), Value::Null);
            self.values.insert(format!("{name}.ci_high"), Value::Null);
        }
    }

    /// The value with everything its family offers.
    pub fn statistic(&mut self, name: &str, statistic: &Statistic) {
        match statistic {
            Err(_) => self.value(name, statistic),
            Ok(estimate) if estimate.ci == Err(Reason::BootstrapOnly) => {
                self.value(name, statistic);
                self.errors(name, estimate);
            }
            Ok(estimate) => {
                self.with_interval(name, statistic);
                self.errors(name, estimate);
            }
        }
    }

    fn errors(&mut self, name: &str, estimate: &Estimate) {
        for (field, value) in [
            ("se", estimate.se),
            ("se0", estimate.se0),
            ("z", estimate.z),
            ("p", estimate.p),
        ] {
            match (value, estimate.ci) {
                (Some(value), _) => self.number(&format!("{name}.{field}"), value),
                (None, Err(reason @ Reason::ConstantRater)) => {
                    self.missing(&format!("{name}.{field}"), reason);
                }
                _ => {}
            }
        }
    }

    pub fn into_json(mut self) -> String {
        self.values
            .insert("reasons".to_owned(), Value::Object(self.reasons));
        Value::Object(self.values).to_string()
    }
}
