//! The questions of a scheme that raters can agree on, and how each is named.

use super::types::{Named, Question};
use domain::refusal::Refusal;
use domain::scheme::{Asked, ItemQuestion, Level, QuestionKind, Scheme};

/// A question about the item, or one level of it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub question: &'a ItemQuestion,
    /// Of a question of which several levels may be chosen: whether this one is.
    pub level: Option<&'a Level>,
}

/// The questions of a scheme, those about tags first, in the order of the scheme.
pub fn questions(scheme: &Scheme) -> Vec<Question> {
    let mut all = Vec::new();
    if scheme.candidates.asked {
        if scheme.severity.is_some() {
            all.push(Question::Severity);
        }
        all.push(Question::Validity);
    }
    let items = scheme.item_questions.iter();
    let items =
        items.filter(|question| question.kind.compares() && question.asked != Asked::Hidden);
    all.extend(items.map(|question| Question::Item(question.id.as_str().into())));
    all
}

/// The same, each question of which several levels may be chosen followed by its levels.
pub fn with_levels(scheme: &Scheme) -> Vec<Question> {
    let mut all = Vec::new();
    for question in questions(scheme) {
        let own = levels(scheme, &question);
        all.push(question);
        all.extend(own);
    }
    all
}

/// The levels of a question of which several may be chosen, each a question of its own.
pub fn levels(scheme: &Scheme, question: &Question) -> Vec<Question> {
    let Question::Item(name) = question else {
        return Vec::new();
    };
    let asked = scheme.question(name);
    let asked = asked.filter(|question| question.kind == QuestionKind::Multi);
    let levels = asked.map_or(&[][..], |question| &question.levels);
    let one = |level: &Level| Question::Item(format!("{name}.{}", level.word()).into());
    levels.iter().map(one).collect()
}

/// The question that is meant in a scheme.
///
/// # Errors
/// [`Refusal::NotFound`] when the scheme does not ask it, or nothing that can be compared.
pub(super) fn resolved(scheme: &Scheme, question: &Question) -> Result<Question, Refusal> {
    let all = with_levels(scheme);
    let found = match question {
        Question::First => all.first(),
        // A scheme without tags may call a question about the item so.
        _ => all.iter().find(|known| known.as_str() == question.as_str()),
    };
    found.cloned().ok_or(Refusal::NotFound)
}

/// A question about the item by its name in tables.
pub(super) fn view<'a>(scheme: &'a Scheme, name: &str) -> Option<View<'a>> {
    let (id, level) = match name.split_once('.') {
        Some((id, level)) => (id, Some(level)),
        None => (name, None),
    };
    let question = scheme.question(id)?;
    let level = match level {
        Some(word) => Some(question.levels.iter().find(|level| level.word() == word)?),
        None => None,
    };
    Some(View { question, level })
}

/// A question as results name it.
pub fn named(scheme: &Scheme, question: &Question) -> Named {
    let of_tags = |title: &str, ordered| Named {
        word: question.as_str().to_owned(),
        title: title.to_owned(),
        ordered,
        unit: "tag",
        units: "tags",
    };
    let name = match question {
        Question::Validity => return of_tags("Validity", false),
        Question::Item(name) => name,
        Question::First | Question::Severity => return of_tags("Severity", true),
    };
    let Some(View { question, level }) = view(scheme, name) else {
        return of_tags(name, false);
    };
    let (unit, units) = match question.kind {
        QuestionKind::Points => ("point", "points"),
        QuestionKind::Relations => ("pair of steps", "pairs of steps"),
        _ => ("item", "items"),
    };
    Named {
        word: name.to_string(),
        title: match level {
            Some(level) => format!("{}: {}", question.title(), level.name),
            None => question.title().to_owned(),
        },
        ordered: question.kind == QuestionKind::Ordinal,
        unit,
        units,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Question;
    use super::{named, resolved, with_levels};
    use domain::refusal::Refusal;
    use domain::scheme::{Scheme, builtin, parse};

    fn scheme(id: &str) -> Scheme {
        parse(builtin(id).expect("built in")).expect("sound").0
    }

    fn words(id: &str) -> Vec<String> {
        let scheme = scheme(id);
        let all = with_levels(&scheme);
        all.iter().map(|q| q.as_str().to_owned()).collect()
    }

    #[test]
    fn each_scheme_has_its_questions_in_its_order() {
        assert_eq!(words("stigma"), ["severity", "validity"]);
        assert_eq!(
            words("miramind-trajectory"),
            [
                "terminology_parsimony",
                "step_adequacy",
                "logical_coherence",
                "informativeness",
                "relations"
            ]
        );
        let mqm = words("mindeval2-mqm");
        assert_eq!(mqm[..2], ["severity", "issues"]);
        assert_eq!(mqm.len(), 2 + 14, "the set of issues, and each of fourteen");
        assert!(mqm[2].starts_with("issues."));
    }

    #[test]
    fn severity_is_of_the_tags_or_of_the_item_as_the_scheme_has_it() {
        let mqm = scheme("mindeval2-mqm");
        let of_item = resolved(&mqm, &Question::Severity).expect("it asks for a severity");
        assert!(!of_item.is_of_tags());
        assert_eq!(named(&mqm, &of_item).units, "items");
        assert_eq!(resolved(&mqm, &Question::First), Ok(of_item));
        assert_eq!(resolved(&mqm, &Question::Validity), Err(Refusal::NotFound));
        let stigma = scheme("stigma");
        assert_eq!(resolved(&stigma, &Question::First), Ok(Question::Severity));
    }
}
