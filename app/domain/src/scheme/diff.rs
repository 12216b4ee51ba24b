//! What changed between two versions of a coding manual.

use super::{Category, Example, Level, Scheme, Subcategory};
use crate::annotation::shortest;
use serde::Serialize;
use std::collections::BTreeSet;

/// One part of a manual that reads otherwise in another version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The code of the category or subcategory, or the value of the level; empty for the manual as a whole.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Which part: `name`, `definition`, `include`, `exclude`, `examples`, `note`, `level`, `rule`, `introduction`, or
    /// `whole` for what was added or taken away.
    pub part: &'static str,
    /// How it read; empty for what was added.
    pub before: String,
    /// How it reads; empty for what was taken away.
    pub after: String,
}

/// What changed from `before` to `after`, in the order of the manual.
pub fn differences(before: &Scheme, after: &Scheme) -> Vec<Difference> {
    let mut found = Found(Vec::new());
    let whole = ("", after.title.as_str());
    found.text(whole, "name", &before.title, &after.title);
    found.text(
        whole,
        "introduction",
        &before.introduction,
        &after.introduction,
    );
    found.text(whole, "rule", &rules(before), &rules(after));
    levels(&mut found, before, after);
    let codes = both(&before.categories, &after.categories, |c| &c.id);
    for code in codes {
        match (before.category(&code), after.category(&code)) {
            (Some(old), Some(new)) => category(&mut found, old, new),
            (None, Some(new)) => found.whole((&code, &new.name), "", &new.definition),
            (Some(old), None) => found.whole((&code, &old.name), &old.definition, ""),
            (None, None) => {}
        }
    }
    found.0
}

struct Found(Vec<Difference>);

impl Found {
    fn text(&mut self, (code, name): (&str, &str), part: &'static str, before: &str, after: &str) {
        if before != after {
            self.0.push(Difference {
                code: code.to_owned(),
                name: name.to_owned(),
                part,
                before: before.to_owned(),
                after: after.to_owned(),
            });
        }
    }

    /// What was added or taken away, whatever it says.
    fn whole(&mut self, (code, name): (&str, &str), before: &str, after: &str) {
        self.0.push(Difference {
            code: code.to_owned(),
            name: name.to_owned(),
            part: "whole",
            before: before.to_owned(),
            after: after.to_owned(),
        });
    }
}

/// The codes of both sides: those of the newer version in its order, then those it no longer has.
fn both<T>(before: &[T], after: &[T], code: impl Fn(&T) -> &String) -> Vec<String> {
    let now: BTreeSet<&String> = after.iter().map(&code).collect();
    let gone = before.iter().map(&code).filter(|code| !now.contains(code));
    after.iter().map(&code).chain(gone).cloned().collect()
}

fn category(found: &mut Found, old: &Category, new: &Category) {
    let at = (new.id.as_str(), new.name.as_str());
    found.text(at, "name", &old.name, &new.name);
    found.text(at, "definition", &old.definition, &new.definition);
    found.text(at, "note", &old.note, &new.note);
    for code in both(&old.subcategories, &new.subcategories, |sub| &sub.id) {
        let of = |category: &Category| {
            category
                .subcategories
                .iter()
                .find(|s| s.id == code)
                .cloned()
        };
        match (of(old), of(new)) {
            (Some(old), Some(new)) => subcategory(found, &old, &new),
            (None, Some(new)) => found.whole((&code, &new.name), "", &new.definition),
            (Some(old), None) => found.whole((&code, &old.name), &old.definition, ""),
            (None, None) => {}
        }
    }
}

fn subcategory(found: &mut Found, old: &Subcategory, new: &Subcategory) {
    let at = (new.id.as_str(), new.name.as_str());
    found.text(at, "name", &old.name, &new.name);
    found.text(at, "definition", &old.definition, &new.definition);
    found.text(
        at,
        "include",
        &old.include.join("\n"),
        &new.include.join("\n"),
    );
    found.text(
        at,
        "exclude",
        &old.exclude.join("\n"),
        &new.exclude.join("\n"),
    );
    let examples = |sub: &Subcategory| {
        let texts: Vec<String> = sub.examples.iter().map(example).collect();
        texts.join("\n")
    };
    found.text(at, "examples", &examples(old), &examples(new));
}

fn example(example: &Example) -> String {
    let severity = example
        .severity
        .map(|value| format!(" ({})", shortest(value)));
    let why = if example.why.is_empty() {
        String::new()
    } else {
        format!(": {}", example.why)
    };
    format!("“{}”{}{why}", example.text, severity.unwrap_or_default())
}

fn levels(found: &mut Found, before: &Scheme, after: &Scheme) {
    let of = |scheme: &Scheme| -> Vec<Level> {
        scheme
            .severity
            .as_ref()
            .map(|scale| scale.levels.clone())
            .unwrap_or_default()
    };
    let (old, new) = (of(before), of(after));
    let text = |level: &Level| {
        if level.definition.is_empty() {
            level.name.clone()
        } else {
            format!("{}: {}", level.name, level.definition)
        }
    };
    for level in &new {
        let was = old.iter().find(|was| was.value == level.value);
        let code = shortest(level.value);
        found.text(
            (&code, &level.name),
            "level",
            &was.map(text).unwrap_or_default(),
            &text(level),
        );
    }
    for level in old
        .iter()
        .filter(|was| new.iter().all(|level| level.value != was.value))
    {
        found.text(
            (&shortest(level.value), &level.name),
            "level",
            &text(level),
            "",
        );
    }
}

/// The rules by which units differ and stay in the retained set, in words of the file.
fn rules(scheme: &Scheme) -> String {
    let rule = &scheme.disagreement;
    let least = scheme.retention.min_mean_severity.map(shortest);
    format!(
        "distance above {}, validity {}, category {}, asked {}; retained from {}{}",
        shortest(rule.distance_above),
        rule.validity,
        rule.category,
        rule.asked,
        least.unwrap_or_else(|| "any severity".to_owned()),
        if scheme.single_rater_labels {
            "; one rater is enough for a label"
        } else {
            ""
        }
    )
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::differences;
    use crate::scheme::{Example, Scheme, builtin, parse};

    fn stigma() -> Scheme {
        parse(builtin("stigma").expect("built in"))
            .expect("a scheme")
            .0
    }

    #[test]
    fn the_same_manual_has_no_differences() {
        assert_eq!(differences(&stigma(), &stigma()), []);
    }

    #[test]
    fn each_kind_of_change_is_found_where_it_was_made() {
        let (old, mut new) = (stigma(), stigma());
        let sub = &mut new.categories[0].subcategories[0];
        let code = sub.id.clone();
        sub.definition = "Otherwise.".into();
        sub.include.push("Also this.".into());
        sub.examples.push(Example {
            text: "Words.".into(),
            severity: Some(3.0),
            why: "Because.".into(),
        });
        let gone = new.categories[1].subcategories.remove(0);
        if let Some(scale) = &mut new.severity {
            scale.levels[0].definition = "Nothing at all.".into();
        }
        let found = differences(&old, &new);
        let parts: Vec<(&str, &str)> = found.iter().map(|d| (d.code.as_str(), d.part)).collect();
        assert_eq!(
            parts,
            [
                ("1", "level"),
                (code.as_str(), "definition"),
                (code.as_str(), "include"),
                (code.as_str(), "examples"),
                (gone.id.as_str(), "whole"),
            ]
        );
        assert!(found[3].after.ends_with("“Words.” (3): Because."));
        assert!(found[4].after.is_empty());
    }
}
