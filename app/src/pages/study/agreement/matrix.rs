//! Who said what when the other said what: one table for each pair of raters, and how often each used each value.

use leptos::prelude::*;
use service::agreement::{AgreementReport, Matrix, Question};

use crate::{components::TableWrap, pages::words};
use domain::scheme::Validity;

/// The tables of counts.
pub fn matrices(raw: &AgreementReport) -> impl IntoView + use<> {
    let group = raw.groups.first().cloned();
    let pairs = group
        .iter()
        .flat_map(|group| &group.confusion)
        .map(|pair| matrix(raw, pair).into_any())
        .collect_view();
    let marginals = group.map(|group| marginals(raw, &group.marginals).into_any());
    view! {
        <div class="columns tables">{pairs} {marginals}</div>
    }
}

/// A category as people read it.
pub(super) fn label(raw: &AgreementReport, word: &str) -> String {
    if raw.query.question == Question::Validity
        && let Some(validity) = Validity::parse(word)
    {
        return words::validity(validity).to_owned();
    }
    let at = raw.labels.iter().position(|label| label == word);
    let name = at.and_then(|at| raw.names.get(at));
    name.map_or_else(|| word.to_owned(), Clone::clone)
}

/// Four steps of shade, by the share of the largest count.
fn heat(count: u64, most: u64) -> &'static str {
    match (count * 3).div_ceil(most.max(1)) {
        0 => "heat-0",
        1 => "heat-1",
        2 => "heat-2",
        _ => "heat-3",
    }
}

fn matrix(raw: &AgreementReport, pair: &Matrix) -> impl IntoView + use<> {
    let most = pair.counts.iter().flatten().max().copied().unwrap_or(0);
    let heads = pair
        .labels
        .iter()
        .map(|word| view! { <th scope="col">{label(raw, word)}</th> })
        .collect_view();
    let row = |(at, counts): (usize, &Vec<u64>)| {
        let cell = |(other, count): (usize, &u64)| {
            let agree = if at == other { " agree" } else { "" };
            view! { <td class=format!("{}{agree}", heat(*count, most))>{*count}</td> }
        };
        view! {
            <tr>
                <th scope="row">{label(raw, &pair.labels[at])}</th>
                {counts.iter().enumerate().map(cell).collect_view()}
            </tr>
        }
    };
    let rows = pair.counts.iter().enumerate().map(row).collect_view();
    let title = format!(
        "Rater {} against rater {}",
        pair.row_rater, pair.column_rater
    );
    let caption = format!(
        "How many {} got what by {} (rows) and by {} (columns). On the framed diagonal both said the same.",
        raw.question.units, pair.row_rater, pair.column_rater
    );
    view! {
        <div>
            <h2>{title.clone()}</h2>
            {super::plots::of(raw, pair)}
            {square(title, caption, heads.into_any(), rows.into_any())}
        </div>
    }
}

/// A table with names on two sides and nothing in its corner.
pub(super) fn square(
    label: String,
    caption: String,
    heads: AnyView,
    rows: AnyView,
) -> impl IntoView + use<> {
    view! {
        <TableWrap label>
            <table class="matrix">
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <td></td>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn marginals(raw: &AgreementReport, counts: &[(String, Vec<u64>)]) -> impl IntoView + use<> {
    let heads = raw
        .labels
        .iter()
        .map(|word| view! { <th scope="col">{label(raw, word)}</th> })
        .collect_view();
    let row = |(letter, counts): &(String, Vec<u64>)| {
        let name = raw
            .raters
            .iter()
            .find(|rater| rater.letter == *letter)
            .and_then(|rater| rater.name.clone());
        view! {
            <tr>
                <th scope="row">
                    {format!("Rater {letter}")} <span class="soft small below">{name}</span>
                </th>
                {counts.iter().map(|count| view! { <td>{*count}</td> }).collect_view()}
            </tr>
        }
    };
    let rows = counts.iter().map(row).collect_view();
    let title = "How often each value was used";
    let caption = "Among all that are rated. When raters use values very unevenly, coefficients are low although they mostly agree.";
    view! {
        <div>
            <h2>{title}</h2>
            {square(title.to_owned(), caption.to_owned(), heads.into_any(), rows.into_any())}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::heat;

    #[test]
    fn the_shade_follows_the_count() {
        let shades: Vec<_> = [0, 1, 3, 4, 6, 7, 9].map(|count| heat(count, 9)).to_vec();
        assert_eq!(
            shades,
            [
                "heat-0", "heat-1", "heat-1", "heat-2", "heat-2", "heat-3", "heat-3"
            ]
        );
        assert_eq!(heat(0, 0), "heat-0");
    }
}
