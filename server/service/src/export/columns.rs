//! The columns of each table: header and data dictionary in one.

use super::ExportFile;
use formats::write::{Columns, Kind};

const SNAPSHOT: &str = "The signed-off snapshot that the row is part of, as number:hash with the first 12 digits of its \
                        content hash; empty while the study is open.";

pub(super) fn of(file: ExportFile, raters: usize) -> Columns {
    match file {
        ExportFile::Items => items(),
        ExportFile::Labels => labels(raters),
        ExportFile::RatingsLong => ratings(),
        ExportFile::CrossCheck => super::cross_check::columns(),
        ExportFile::Judge => judge(),
        ExportFile::Corpus => crate::corpus::table::columns(),
        ExportFile::Results => results(),
        ExportFile::Agreement
        | ExportFile::Verdicts
        | ExportFile::JudgeBench
        | ExportFile::Traces
        | ExportFile::DataPackage => agreement(),
    }
}

fn results() -> Columns {
    Columns::new()
        .text("scheme", "The scheme whose measure it is.")
        .text("source", "A judge, a rater, or final.")
        .text(
            "facet",
            "By what items are divided: empty for all, model, a question for its levels; conditioned without the items \
             that count as zero.",
        )
        .text("facet_value", "The value of the facet.")
        .text("statistic", "The name of the measure.")
        .number("estimate", "The estimate.")
        .number("ci_low", "The lower bound of the 95 % interval.")
        .number("ci_high", "The upper bound.")
        .integer("n", "How many items, or groups of items, it rests on.")
}

fn items() -> Columns {
    Columns::new()
        .text("item_id", "The item.")
        .text("source_key", "Its key in the file it came from.")
        .text("condition", "The condition of the person in the vignette.")
        .text("model", "The model that wrote the trace.")
        .text("question", "The question put to the model.")
        .text("answer", "The model's answer.")
        .text("vignette", "The vignette.")
        .text(
            "trace",
            "The one text that spans point into; its parts are joined by an empty line.",
        )
        .text("trace_sha256", "SHA-256 of the trace in UTF-8.")
        .text("mode", "How the model was asked.")
        .with(
            Kind::List,
            "demographics",
            "Labels of the person in the vignette, as JSON pairs.",
        )
        .with(
            Kind::List,
            "options",
            "The answers to choose from, as JSON.",
        )
        .with(
            Kind::List,
            "segments",
            "Labelled parts of the trace, as JSON, in code points.",
        )
        .text(
            "judge_outcome",
            "judged, failed, or empty when no judge saw it; a failure is no judged negative.",
        )
        .text("judge_failure", "The judge's failure.")
        .integer("candidates", "How many tags the judge proposed.")
}

fn labels(raters: usize) -> Columns {
    let mut columns = Columns::new()
        .text("unit_id", "The unit: a candidate, a missed tag or the answer to a question about the item.")
        .text("unit_kind", "Whether the judge proposed it, a rater added it, or it answers a question about the item.")
        .one_of(["candidate", "missed", "item"])
        .text("item_id", "Its item.")
        .text("source_key", "The candidate's key in the file it came from; empty for a missed tag.")
        .text("judge", "The judge that proposed it.")
        .text("category", "The category it was proposed or added under; the question, where the unit answers one.")
        .text("subcategory", "The subcategory; may be empty.")
        .number("judge_severity", "The severity the judge proposed.")
        .integer("span_start", "First code point of the first span in the trace, counted from 0.")
        .integer("span_end", "The code point after its last.")
        .text("quote", "The words of the first span.")
        .text("anchor", "How the evidence was found in the trace.")
        .one_of(["verbatim", "normalised", "elided", "unanchored"])
        .text("final_validity", "The final validity; empty where there is none.")
        .text("final_category", "The final category.")
        .text("final_subcategory", "The final subcategory.")
        .number("final_severity", "The final severity: of the ruling, or the mean of agreeing raters.")
        .text(
            "outcome",
            "How the final value was reached: consensus, averaged, adjudicator, unresolved; agreed without a ruling; \
             or why there is none: disputed, stale, open, single, not_ratable, not_assigned.",
        )
        .integer("scheme_version", "The version of the scheme that counts.");
    for at in 1..=raters {
        columns = columns
            .text(
                format!("rater_{at}"),
                "The rater; empty when they said nothing of this unit.",
            )
            .text(
                format!("validity_{at}"),
                "Their own validity, never replaced.",
            )
            .number(
                format!("severity_{at}"),
                "Their own severity, never replaced.",
            )
            .text(format!("comment_{at}"), "Their comment on the unit.");
    }
    let columns = after_raters(columns).text(
        "final_answer",
        "The final answer to a question about the item; several values are joined by a semicolon.",
    );
    let columns = (1..=raters).fold(columns, |columns, at| {
        columns.text(
            format!("answer_{at}"),
            "Their own answer to a question about the item.",
        )
    });
    standing(columns)
}

/// What follows the columns of the raters.
fn after_raters(columns: Columns) -> Columns {
    columns
        .with(
            Kind::List,
            "spans",
            "Every span as JSON: start, end, quote, in code points.",
        )
        .text("study", "The study.")
        .text("item_key", "The item's key in the file it came from.")
        .text("condition", "The item's condition.")
        .text("model", "The item's model.")
        .text("explanation", "The judge's explanation.")
        .with(
            Kind::List,
            "evidence",
            "The evidence as the judge wrote it, as JSON.",
        )
        .text(
            "original_code",
            "The code as the file wrote it, before remapping.",
        )
        .text("judge_model", "The judge's model.")
        .text("judge_prompt", "The version of the judge's prompt.")
        .text(
            "unit_state",
            "open, agreed, disputed, in_discussion, ruled or stale.",
        )
        .text("cause", "Why the raters differed, as the ruling says.")
        .text("confidence", "How sure the ruling is.")
        .text("note", "The ruling's note.")
        .text("ruled_by", "Who ruled.")
        .time("ruled_at", "When.")
        .text("adopted_from", "The rater whose value the ruling adopted.")
        .integer("ruling_version", "Counted from 1.")
}

/// Where the unit stands, and in which snapshot.
fn standing(columns: Columns) -> Columns {
    columns
        .text(
            "excluded",
            "The code of the reason for which staff took the unit out; empty when they did not.",
        )
        .text(
            "standing",
            "Whether the unit is in the retained set, or why not; empty for a unit nobody judged.",
        )
        .one_of([
            "retained",
            "below_threshold",
            "invalid",
            "excluded",
            "no_final_value",
        ])
        .text("snapshot", SNAPSHOT)
}

fn ratings() -> Columns {
    Columns::new()
        .text("unit_id", "The unit: a candidate, a missed tag, or the item itself.")
        .text("source_key", "The key in the file it came from: the candidate's, or the item's.")
        .text("unit_kind", "What the unit is.")
        .one_of(["candidate", "missed", "item"])
        .text("item_id", "Its item.")
        .text("rater", "The rater.")
        .text(
            "question",
            "validity, severity, better (codes that fit better), discuss, category (of a missed tag), nothing_missed, \
             missed_count, not_ratable, comment, or a question of the scheme.",
        )
        .text("value", "The answer; numbers as short as they can be.")
        .text("comment", "The comment that goes with it.")
        .time("submitted_at", "When the annotation was submitted.")
        .text("item_key", "The item's key in the file it came from.")
        .integer("annotation_version", "Counted from 1; the latest one counts.")
}

fn agreement() -> Columns {
    Columns::new()
        .text("stage", "Before or after reconciliation.")
        .one_of(["raw", "reconciled"])
        .text("question", "What is compared.")
        .one_of(["severity", "validity"])
        .text(
            "facet",
            "By what the units are divided; empty for all units, retained for the retained set alone.",
        )
        .text("facet_value", "The value of the facet.")
        .text(
            "statistic",
            "Its name; formulas and sources are in the documentation.",
        )
        .number("estimate", "The estimate; empty when undefined.")
        .number("ci_low", "Lower bound of the 95 % interval.")
        .number("ci_high", "Upper bound.")
        .text("method", "How the interval was made.")
        .integer("n_units", "Units used.")
        .integer("n_dropped", "Units left out.")
        .text(
            "undefined_reason",
            "Why there is no estimate, or no interval.",
        )
        .text(
            "dropped_reasons",
            "Units left out by reason, reason=count, joined by a semicolon.",
        )
        .number("other_low", "Lower bound of a second interval.")
        .number("other_high", "Upper bound of a second interval.")
        .text("other_method", "How the second interval was made.")
        .integer(
            "undefined_resamples",
            "Resamples without a value, of those drawn.",
        )
        .number("se", "Standard error by formula.")
        .number(
            "se0",
            "Standard error if there were no agreement beyond chance.",
        )
        .number(
            "z",
            "The statistic of the test against no agreement beyond chance.",
        )
        .number("p", "Its two-sided probability.")
        .text("snapshot", SNAPSHOT)
}

fn judge() -> Columns {
    Columns::new()
        .text("judge", "The judge.")
        .text("against", "final for the final labels, or the rater it is compared with.")
        .text(
            "rule",
            "What counts as a correct tag, category/severity; empty where no rule enters.",
        )
        .text("facet", "By what tags or items are divided; empty for all.")
        .text("facet_value", "The value of the facet.")
        .text(
            "statistic",
            "Its name; formulas and sources are in the documentation.",
        )
        .number("estimate", "The estimate; empty when undefined.")
        .number("ci_low", "Lower bound of the 95 % interval.")
        .number("ci_high", "Upper bound.")
        .text("method", "How the interval was made.")
        .integer("n", "Tags or pairs of severities that it was computed from.")
        .integer("tp", "Tags that are right, or tags of the reference that are found.")
        .integer("fp", "Predicted tags that are wrong.")
        .integer("fn", "Tags of the reference that are not found.")
        .number(
            "coverage",
            "The share of items where it is on record whether anything was missed; recall and F1 rest on these.",
        )
        .text("undefined_reason", "Why there is no estimate.")
        .number("other_low", "Lower bound of a second interval.")
        .number("other_high", "Upper bound of a second interval.")
        .text("other_method", "How the second interval was made.")
        .text("scheme_rule", "The rule that the scheme declares.")
        .integer("items", "Items compared.")
        .integer(
            "few_shot_excluded",
            "Items left out because the judge saw them in its prompt.",
        )
        .integer("judge_failed", "Items on which the judge gave nothing usable.")
}
