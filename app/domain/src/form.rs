//! The judging desk as a form: one codec for the browser, which saves as you go, and for the server, which
//! takes the same form when there is no script.
//!
//! Candidates and missed tags are numbered in the form: `c1` holds the identity, `c1.validity` an answer.

use crate::annotation::{Annotation, Judgement, MissedTag, shortest, slice};
use crate::id::{CandidateId, MissedTagId};
use crate::scheme::Validity;
use crate::span::{AnchorKind, anchor};
use std::collections::BTreeMap;

mod answers;

/// Names and values as a browser sends them; a name may come several times.
pub type Pairs = [(String, String)];

/// What was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The judgement.
    pub annotation: Annotation,
    /// The version it was written on.
    pub base_version: i64,
    /// Made once per change, so that a retry is not a second save.
    pub save_id: String,
    /// The button that was pressed.
    pub intent: Intent,
    /// Why the item cannot be rated.
    pub reason: String,
    /// More about it.
    pub note: String,
    /// What was put right on the way in.
    pub notices: Vec<Notice>,
}

/// The buttons of the desk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intent {
    /// Keep the draft.
    #[default]
    Save,
    /// Keep the draft and show the new missed tag.
    AddMissed,
    /// Keep the draft without one missed tag.
    Remove,
    /// Close the annotation.
    Submit,
    /// The item cannot be rated.
    CannotRate,
    /// Give the item back without penalty.
    HandBack,
    /// Open the own submission again.
    Reopen,
    /// Take up what was handed back.
    Resume,
}

impl Intent {
    /// The value of the button. A removal also names its row: `remove:m2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Save => "save",
            Self::AddMissed => "add_missed",
            Self::Remove => "remove",
            Self::Submit => "submit",
            Self::CannotRate => "cannot_rate",
            Self::HandBack => "hand_back",
            Self::Reopen => "reopen",
            Self::Resume => "resume",
        }
    }

    /// Reads a button back; an unknown one saves, which never loses anything.
    pub fn parse(word: &str) -> Self {
        let word = word.split_once(':').map_or(word, |(verb, _)| verb);
        [
            Self::AddMissed,
            Self::Remove,
            Self::Submit,
            Self::CannotRate,
            Self::HandBack,
            Self::Reopen,
            Self::Resume,
        ]
        .into_iter()
        .find(|intent| intent.as_str() == word)
        .unwrap_or_default()
    }
}

/// What was put right on the way in, so that the person can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The same tag on the same words was there already.
    SameTagTwice,
    /// The quoted words do not stand in the trace.
    QuoteNotFound,
    /// There are missed tags, so *nothing missed* was dropped.
    NothingMissedDropped,
}

impl Notice {
    /// The word in an address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SameTagTwice => "same_tag",
            Self::QuoteNotFound => "quote_not_found",
            Self::NothingMissedDropped => "nothing_missed_dropped",
        }
    }

    /// What the person reads.
    pub fn message(self) -> &'static str {
        match self {
            Self::SameTagTwice => "This tag is already on these words; nothing was added.",
            Self::QuoteNotFound => {
                "The quoted words do not stand in the trace. Copy them from the trace, or select them there."
            }
            Self::NothingMissedDropped => {
                "You added a missed tag, so 'nothing missed' was taken back."
            }
        }
    }
}

/// Reads the form. Never fails: what makes no sense is left out, and the gaps will say so.
pub fn parse(pairs: &Pairs, trace: &str) -> Sent {
    let form = Form::of(pairs);
    let save_id = form.text("save_id");
    let mut notices = Vec::new();
    let missed = form.missed(trace, &save_id, &mut notices);
    let mut nothing_missed = form.is_on("nothing_missed");
    if nothing_missed && !missed.is_empty() {
        nothing_missed = false;
        notices.push(Notice::NothingMissedDropped);
    }
    Sent {
        annotation: Annotation {
            judgements: form.judgements(),
            missed,
            nothing_missed,
            missed_count: form.text("missed_count").trim().parse().ok(),
            answers: form.answers(),
            comment: form.text("comment"),
        },
        base_version: form.text("base_version").parse().unwrap_or(0),
        intent: Intent::parse(form.one("intent")),
        reason: form.text("reason"),
        note: form.text("note"),
        save_id,
        notices,
    }
}

/// Writes an annotation as the pairs that a browser would send for it.
pub fn fields(annotation: &Annotation, candidates: &[CandidateId]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        let blank = Judgement::default();
        let judgement = annotation.judgements.get(candidate).unwrap_or(&blank);
        write_judgement(at + 1, candidate, judgement, &mut pairs);
    }
    for (at, tag) in annotation.missed.iter().enumerate() {
        write_missed(at + 1, tag, &mut pairs);
    }
    let mut put = |name: &str, value: String| {
        if !value.is_empty() {
            pairs.push((name.to_owned(), value));
        }
    };
    put(
        "nothing_missed",
        if annotation.nothing_missed {
            "on".into()
        } else {
            String::new()
        },
    );
    put(
        "missed_count",
        annotation
            .missed_count
            .map(|count| count.to_string())
            .unwrap_or_default(),
    );
    put("comment", annotation.comment.clone());
    for (id, answer) in &annotation.answers {
        for value in &answer.values {
            match value
                .strip_prefix("split ")
                .and_then(|rest| rest.split_once(' '))
            {
                Some((part, words)) => put(&format!("q:{id}:split:{part}"), words.to_owned()),
                None => put(&format!("q:{id}"), value.clone()),
            }
        }
        put(&format!("why:{id}"), answer.rationale.clone());
    }
    pairs
}

fn write_judgement(
    number: usize,
    id: &CandidateId,
    judgement: &Judgement,
    pairs: &mut Vec<(String, String)>,
) {
    let mut put = |name: &str, value: String| {
        if !value.is_empty() {
            pairs.push((format!("c{number}{name}"), value));
        }
    };
    put("", id.as_str().to_owned());
    put(
        ".validity",
        judgement
            .validity
            .map(|v| v.as_str().to_owned())
            .unwrap_or_default(),
    );
    put(
        ".severity",
        judgement.severity.map(shortest).unwrap_or_default(),
    );
    for code in &judgement.better {
        put(".better", code.clone());
    }
    put(".comment", judgement.comment.clone());
    put(
        ".discuss",
        if judgement.discuss {
            "on".into()
        } else {
            String::new()
        },
    );
}

fn write_missed(number: usize, tag: &MissedTag, pairs: &mut Vec<(String, String)>) {
    let mut put = |name: &str, value: String| {
        if !value.is_empty() {
            pairs.push((format!("m{number}{name}"), value));
        }
    };
    put("", tag.id.as_str().to_owned());
    put(".code", tag.code.clone());
    put(".severity", tag.severity.map(shortest).unwrap_or_default());
    put(".quote", tag.quote.clone());
    put(
        ".start",
        tag.span
            .map(|(start, _)| start.to_string())
            .unwrap_or_default(),
    );
    put(
        ".end",
        tag.span.map(|(_, end)| end.to_string()).unwrap_or_default(),
    );
    put(".comment", tag.comment.clone());
}

/// The pairs by name.
struct Form<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Form<'a> {
    fn of(pairs: &'a Pairs) -> Self {
        let mut form: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in pairs {
            form.entry(name).or_default().push(value);
        }
        Self(form)
    }

    fn all(&self, name: &str) -> &[&'a str] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn one(&self, name: &str) -> &'a str {
        self.all(name).first().copied().unwrap_or_default()
    }

    /// A text with the line ends that the person typed: a form sends them as CR LF.
    fn text(&self, name: &str) -> String {
        self.one(name).replace("\r\n", "\n")
    }

    fn is_on(&self, name: &str) -> bool {
        !self.one(name).is_empty()
    }

    /// The numbers of the rows whose names begin with `letter`, in order.
    fn rows(&self, letter: char) -> Vec<usize> {
        let number = |name: &&str| {
            let rest = name.strip_prefix(letter)?;
            rest.split('.').next()?.parse::<usize>().ok()
        };
        let mut rows: Vec<usize> = self.0.keys().filter_map(number).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn judgements(&self) -> BTreeMap<CandidateId, Judgement> {
        let row = |number: usize| {
            let name = |part: &str| format!("c{number}{part}");
            let id = self.one(&name(""));
            let validity = Validity::parse(self.one(&name(".validity")));
            // A valid tag needs no better one; what was ticked before is not sent along.
            let better = match validity {
                Some(Validity::Valid) => &[],
                _ => self.all(&name(".better")),
            };
            let judgement = Judgement {
                validity,
                severity: self.one(&name(".severity")).parse().ok(),
                better: better.iter().map(|code| (*code).to_owned()).collect(),
                comment: self.text(&name(".comment")),
                discuss: self.is_on(&name(".discuss")),
            };
            (!id.is_empty() && judgement != Judgement::default())
                .then(|| (CandidateId::new(id), judgement))
        };
        self.rows('c').into_iter().filter_map(row).collect()
    }

    fn missed(&self, trace: &str, save_id: &str, notices: &mut Vec<Notice>) -> Vec<MissedTag> {
        let removed = self
            .one("intent")
            .strip_prefix("remove:")
            .unwrap_or_default();
        let mut tags: Vec<MissedTag> = Vec::new();
        // The blank row has number 0 and comes last.
        let mut rows = self.rows('m');
        rows.sort_by_key(|&number| (number == 0, number));
        for number in rows
            .into_iter()
            .filter(|number| format!("m{number}") != removed)
        {
            let Some(tag) = self.missed_row(number, trace, save_id) else {
                continue;
            };
            let twin = |other: &MissedTag| {
                other.span.is_some()
                    && other.span == tag.span
                    && other.code == tag.code
                    && !tag.code.is_empty()
            };
            if tags.iter().any(twin) {
                notices.push(Notice::SameTagTwice);
                continue;
            }
            if tag.span.is_none() && !tag.quote.is_empty() {
                notices.push(Notice::QuoteNotFound);
            }
            tags.push(tag);
        }
        tags
    }

    fn missed_row(&self, number: usize, trace: &str, save_id: &str) -> Option<MissedTag> {
        let name = |part: &str| format!("m{number}{part}");
        let mut id = self.one(&name("")).to_owned();
        let quote = self.one(&name(".quote"));
        let code = self.one(&name(".code")).to_owned();
        if id.is_empty() {
            if quote.trim().is_empty() && code.is_empty() {
                return None;
            }
            id = format!("{save_id}-{number}");
        }
        let bounds = self
            .one(&name(".start"))
            .parse()
            .ok()
            .zip(self.one(&name(".end")).parse().ok());
        let nth = self.one(&name(".nth")).parse().unwrap_or(1);
        let (span, quote) = place(trace, quote, bounds, nth);
        Some(MissedTag {
            id: MissedTagId::new(id),
            code,
            severity: self.one(&name(".severity")).parse().ok(),
            span,
            quote,
            comment: self.text(&name(".comment")),
        })
    }
}

/// Where quoted words stand: where the form says, if they do stand there; else their `nth` occurrence word
/// for word; else once typography is made even. Without a place the words are kept as they were typed.
fn place(
    trace: &str,
    quote: &str,
    bounds: Option<(u32, u32)>,
    nth: usize,
) -> (Option<(u32, u32)>, String) {
    let even = |text: &str| text.replace('\r', "");
    if let Some(bounds) = bounds
        && let Some(words) = slice(trace, bounds)
        && even(words) == even(quote)
    {
        return (Some(bounds), words.to_owned());
    }
    let quote = quote.trim();
    if let Some((byte, words)) = (!quote.is_empty())
        .then(|| trace.match_indices(quote).nth(nth.max(1) - 1))
        .flatten()
    {
        let start = trace[..byte].chars().count() as u32;
        return (
            Some((start, start + words.chars().count() as u32)),
            words.to_owned(),
        );
    }
    let found = anchor(trace, quote);
    let span = match (found.kind, found.spans.as_slice()) {
        (AnchorKind::Verbatim | AnchorKind::Normalised, [span]) if nth <= 1 => {
            Some((span.start(), span.end()))
        }
        _ => None,
    };
    let words = span.and_then(|span| slice(trace, span)).unwrap_or(quote);
    (span, words.to_owned())
}

#[cfg(test)]
mod tests;
