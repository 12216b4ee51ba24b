//! What counts as a correct tag.

use super::ground::Tag;
use domain::scheme::JudgeRule;
use serde::{Deserialize, Serialize};

/// How near a category must come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CategoryRule {
    /// The same subcategory.
    Exact,
    /// The same category; any of its subcategories will do.
    TopLevel,
    /// Any category: there is stigma in these words.
    Any,
}

/// How near a severity must come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeverityRule {
    /// The same severity.
    Exact,
    /// Half a point apart at most.
    WithinHalf,
    /// One point apart at most.
    WithinOne,
    /// Severity does not matter.
    Ignored,
}

/// What counts as a correct tag: both its category and its severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rule {
    /// How near the category must come.
    pub category: CategoryRule,
    /// How near the severity must come.
    pub severity: SeverityRule,
}

impl CategoryRule {
    /// Every rule, the strictest first.
    pub const ALL: [Self; 3] = [Self::Exact, Self::TopLevel, Self::Any];

    /// The word in schemes and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TopLevel => "top_level",
            Self::Any => "any",
        }
    }
}

impl SeverityRule {
    /// Every rule, the strictest first.
    pub const ALL: [Self; 4] = [
        Self::Exact,
        Self::WithinHalf,
        Self::WithinOne,
        Self::Ignored,
    ];

    /// The word in schemes and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::WithinHalf => "within_half",
            Self::WithinOne => "within_one",
            Self::Ignored => "ignored",
        }
    }

    fn reach(self) -> Option<f64> {
        match self {
            Self::Exact => Some(0.0),
            Self::WithinHalf => Some(0.5),
            Self::WithinOne => Some(1.0),
            Self::Ignored => None,
        }
    }
}

impl Rule {
    /// Every rule of the grid, row by row.
    pub fn all() -> Vec<Self> {
        let row = |category| SeverityRule::ALL.map(|severity| Self { category, severity });
        CategoryRule::ALL.into_iter().flat_map(row).collect()
    }

    /// The rule that a scheme declares; a word that is none falls back to the strictest.
    pub fn of_scheme(declared: &JudgeRule) -> Self {
        Self::parse(&format!("{}/{}", declared.category, declared.severity)).unwrap_or(Self {
            category: CategoryRule::Exact,
            severity: SeverityRule::Exact,
        })
    }

    /// The word in files and addresses, for example `top_level/exact`.
    pub fn word(self) -> String {
        format!("{}/{}", self.category.as_str(), self.severity.as_str())
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Self> {
        Self::all().into_iter().find(|rule| rule.word() == word)
    }

    /// Whether a tag cannot be scored for want of a severity. It is left out whatever the reference says: counted only
    /// where it is wrong in any case, it would push every figure down.
    pub(crate) fn wants_severity(self, predicted: &Tag) -> bool {
        self.severity.reach().is_some() && predicted.severity.is_none()
    }

    /// Whether a predicted tag is the tag of the reference; nothing where a severity that matters is missing.
    pub(crate) fn matches(self, predicted: &Tag, reference: &Tag) -> Option<bool> {
        let category = match self.category {
            CategoryRule::Any => true,
            CategoryRule::TopLevel => predicted.category == reference.category,
            CategoryRule::Exact => {
                predicted.category == reference.category
                    && predicted.subcategory.is_some()
                    && predicted.subcategory == reference.subcategory
            }
        };
        if !category {
            return Some(false);
        }
        let Some(reach) = self.severity.reach() else {
            return Some(true);
        };
        let apart = (predicted.severity? - reference.severity?).abs();
        // Severities are halves at most; a mean of three raters may be a third, so leave room for rounding.
        Some(apart <= reach + 1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::{CategoryRule, Rule, SeverityRule};
    use crate::validation::ground::Tag;

    fn tag(category: &str, subcategory: Option<&str>, severity: Option<f64>) -> Tag {
        Tag {
            category: category.into(),
            subcategory: subcategory.map(Into::into),
            severity,
            spans: Vec::new(),
        }
    }

    fn ok(rule: &str, predicted: &Tag, reference: &Tag) -> Option<bool> {
        Rule::parse(rule)
            .expect("a rule")
            .matches(predicted, reference)
    }

    #[test]
    fn a_sister_subcategory_is_right_at_the_top_level_only() {
        let judge = tag("1", Some("1.1"), Some(3.0));
        for sister in [Some("1.2"), None] {
            let reference = tag("1", sister, Some(3.0));
            assert_eq!(ok("exact/ignored", &judge, &reference), Some(false));
            assert_eq!(ok("top_level/exact", &judge, &reference), Some(true));
        }
        let elsewhere = tag("4", Some("4.1"), Some(3.0));
        assert_eq!(ok("top_level/ignored", &judge, &elsewhere), Some(false));
        assert_eq!(ok("any/exact", &judge, &elsewhere), Some(true));
    }

    #[test]
    fn each_severity_rule_reaches_as_far_as_it_says() {
        let judge = tag("1", Some("1.1"), Some(3.5));
        let at = |severity| tag("1", Some("1.1"), severity);
        for (severity, expected) in [
            (3.5, [true, true, true, true]),
            (3.0, [false, true, true, true]),
            (2.5, [false, false, true, true]),
            (2.0, [false, false, false, true]),
        ] {
            let found = SeverityRule::ALL.map(|severity_rule| {
                let rule = Rule {
                    category: CategoryRule::Exact,
                    severity: severity_rule,
                };
                rule.matches(&judge, &at(Some(severity)))
            });
            assert_eq!(found, expected.map(Some), "{severity}");
        }
        assert_eq!(ok("exact/exact", &judge, &at(None)), None);
        assert_eq!(ok("exact/ignored", &judge, &at(None)), Some(true));
        // Two parts of which one is wrong already need no severity.
        assert_eq!(
            ok("top_level/exact", &judge, &tag("4", None, None)),
            Some(false)
        );
    }

    #[test]
    fn words_of_rules_come_back() {
        assert_eq!(Rule::all().len(), 12);
        assert!(
            Rule::all()
                .into_iter()
                .all(|rule| Rule::parse(&rule.word()) == Some(rule))
        );
    }
}
