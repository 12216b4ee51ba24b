//! Epoch milliseconds as text, without a calendar library: the same few lines serve server and browser.

/// `2026-03-01T14:32:05Z`.
pub fn rfc3339(at: i64) -> String {
    let (date, seconds) = split(at);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{date}T{hour:02}:{minute:02}:{second:02}Z")
}

/// `2026-03-01 14:32 UTC`.
pub fn utc_words(at: i64) -> String {
    let (date, seconds) = split(at);
    format!("{date} {:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60)
}

/// The date and the second of the day.
fn split(at: i64) -> (String, i64) {
    let seconds = at.div_euclid(1000);
    let (year, month, day) = date(seconds.div_euclid(86_400));
    (
        format!("{year:04}-{month:02}-{day:02}"),
        seconds.rem_euclid(86_400),
    )
}

/// The Gregorian date of a day counted from 1970-01-01.
///
/// Years are taken to begin in March, so that the leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let since_0000_march = days + 719_468;
    let era = since_0000_march.div_euclid(146_097);
    let day_of_era = since_0000_march.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{rfc3339, utc_words};

    /// Seconds of `date -u -d DATE +%s`.
    #[test]
    fn known_moments() {
        let table = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ];
        for (seconds, text) in table {
            assert_eq!(rfc3339(seconds * 1000), text);
        }
        assert_eq!(utc_words(1_709_251_199_999), "2024-02-29 23:59 UTC");
    }
}
