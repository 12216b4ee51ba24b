//! The messages of a discussion.

use crate::bind::real;
use crate::db::expect_rows;
use crate::error::{Error, Result};
use crate::json;
use domain::discussion::{MessageKind, Offer};
use domain::id::{MessageId, UnitId, UserId};
use domain::scheme::Validity;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its identity.
    pub id: MessageId,
    /// Counted from 1 within the discussion.
    pub seq: i64,
    /// Who wrote it.
    pub author: UserId,
    /// The author's name as people read it.
    pub author_name: String,
    /// Epoch milliseconds.
    pub at: i64,
    /// What it is.
    pub kind: MessageKind,
    /// The words.
    pub body: String,
    /// The words of the trace it quotes: start, end, text.
    pub quote: Option<(u32, u32, String)>,
    /// The value a proposal offers.
    pub offer: Offer,
    /// What a proposal rests on.
    pub basis: String,
    /// The proposal that an acceptance accepts; empty otherwise.
    pub accepts: String,
}

/// Appends a message at the end of the thread and tells its number.
///
/// # Errors
/// When the database fails or there is no discussion.
pub async fn append(
    connection: &mut AnyConnection,
    unit: &UnitId,
    message: &Message,
) -> Result<i64> {
    let done = sqlx::query("UPDATE discussions SET messages = messages + 1 WHERE unit_id = $1")
        .bind(unit.as_str())
        .execute(&mut *connection)
        .await?;
    expect_rows("discussions", done.rows_affected(), 1)?;
    let seq: i64 = sqlx::query_scalar("SELECT messages FROM discussions WHERE unit_id = $1")
        .bind(unit.as_str())
        .fetch_one(&mut *connection)
        .await?;
    let (start, end, quote) = match &message.quote {
        Some((start, end, quote)) => (
            Some(i64::from(*start)),
            Some(i64::from(*end)),
            quote.as_str(),
        ),
        None => (None, None, ""),
    };
    let answer = if message.offer.answer.is_empty() {
        String::new()
    } else {
        json::write(&message.offer.answer)
    };
    let query = sqlx::query(
        "INSERT INTO messages (id, unit_id, seq, author, at, kind, body, span_start, span_end, quote, validity, severity, code, \
         basis, accepts, answer) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(message.id.as_str())
    .bind(unit.as_str())
    .bind(seq)
    .bind(message.author.as_str())
    .bind(message.at)
    .bind(message.kind.as_str())
    .bind(&message.body)
    .bind(start)
    .bind(end)
    .bind(quote)
    .bind(message.offer.validity.map_or("", Validity::as_str));
    real(query, message.offer.severity)
        .bind(&message.offer.code)
        .bind(&message.basis)
        .bind(&message.accepts)
        .bind(answer)
        .execute(connection)
        .await?;
    Ok(seq)
}

/// The thread, oldest first.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn messages(connection: &mut AnyConnection, unit: &UnitId) -> Result<Vec<Message>> {
    let rows = sqlx::query(
        "SELECT m.id, m.seq, m.author, u.display_name, m.at, m.kind, m.body, m.span_start, m.span_end, m.quote, m.validity, \
         m.severity, m.code, m.basis, m.accepts, m.answer FROM messages m JOIN users u ON u.id = m.author \
         WHERE m.unit_id = $1 ORDER BY m.seq",
    )
    .bind(unit.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter().map(message).collect()
}

fn message(row: &AnyRow) -> Result<Message> {
    let id: String = row.try_get(0)?;
    let kind = MessageKind::parse(row.try_get(5)?)
        .ok_or_else(|| Error::inconsistent("messages", "kind", &id))?;
    let word: &str = row.try_get(10)?;
    let validity = Validity::parse(word);
    if validity.is_none() && !word.is_empty() {
        return Err(Error::inconsistent("messages", "validity", &id));
    }
    let start: Option<i64> = row.try_get(7)?;
    let end: Option<i64> = row.try_get(8)?;
    let quote = start.zip(end).map(|(start, end)| {
        Ok::<_, Error>((
            u32::try_from(start).map_err(|_| Error::inconsistent("messages", "span_start", &id))?,
            u32::try_from(end).map_err(|_| Error::inconsistent("messages", "span_end", &id))?,
            row.try_get(9)?,
        ))
    });
    Ok(Message {
        seq: row.try_get(1)?,
        author: UserId::new(row.try_get::<String, _>(2)?),
        author_name: row.try_get(3)?,
        at: row.try_get(4)?,
        kind,
        body: row.try_get(6)?,
        quote: quote.transpose()?,
        offer: Offer {
            validity,
            severity: row.try_get(11)?,
            code: row.try_get(12)?,
            answer: match row.try_get(15)? {
                "" => Vec::new(),
                text => json::read("messages", "answer", &id, text)?,
            },
        },
        basis: row.try_get(13)?,
        accepts: row.try_get(14)?,
        id: MessageId::new(id),
    })
}
