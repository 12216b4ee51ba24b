//! The scores that stand in a judge's own words.

/// What the parser of version 1 writes where it finds no score.
pub(super) const INVENTED: f64 = 3.0;

/// The score that stands after a criterion's name in a judge's own words, or on the line below a name that stands alone.
pub(super) fn scored(raw: &str, criterion: &str) -> Option<f64> {
    let (raw, name) = (plain(raw), plain(criterion));
    let at = raw.rfind(&name)?;
    let mut lines = raw[at + name.len()..].split('\n');
    let line = lines.next().unwrap_or_default();
    if line.chars().any(char::is_alphanumeric) {
        return number(line);
    }
    let below = lines.find(|line| !line.trim().is_empty())?;
    let below = below.trim_start_matches(|c: char| !c.is_alphanumeric());
    let below = ["score", "rating"]
        .iter()
        .find_map(|word| below.strip_prefix(word))
        .unwrap_or(below);
    let begins = below.trim_start_matches(|c: char| !c.is_alphanumeric());
    begins
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| number(begins))
        .flatten()
}

/// The first number of a line.
fn number(line: &str) -> Option<f64> {
    let number: String = line
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    number.trim_end_matches('.').parse().ok()
}

/// A text without simple tags, in small letters, with one way of writing *and*.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let inside = &rest[open + 1..];
        let tag = inside.find('>').filter(|end| {
            let name = &inside[..*end];
            *end <= LONGEST_TAG
                && name.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic())
                && !name.contains('\n')
        });
        let (kept, next) = match tag {
            Some(end) => (&rest[..open], &inside[end + 1..]),
            None => (&rest[..=open], inside),
        };
        plain.push_str(kept);
        rest = next;
    }
    plain.push_str(rest);
    plain
        .to_lowercase()
        .replace("&amp;", "&")
        .replace(" & ", " and ")
}

/// The longest tag that is passed over; what is longer is text.
const LONGEST_TAG: usize = 60;
