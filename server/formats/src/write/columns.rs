//! The description of a table: its header and its data dictionary are two views of this one list.

use std::borrow::Cow;

use super::Cell;

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text, neutralised.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// Points in time, RFC 3339 in UTC.
    Time,
    /// JSON lists.
    List,
}

impl Kind {
    /// The type's name in a Frictionless table schema.
    pub(super) const fn schema_type(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Time => "datetime",
            Self::List => "array",
        }
    }

    /// Whether a cell may stand in such a column.
    pub(super) const fn takes(self, cell: &Cell<'_>) -> bool {
        matches!(
            (self, cell),
            (_, Cell::Empty)
                | (Self::Text, Cell::Text(_))
                | (Self::Integer, Cell::Integer(_))
                | (Self::Number, Cell::Number(_) | Cell::Integer(_))
                | (Self::Time, Cell::Time(_))
                | (Self::List, Cell::Json(_))
        )
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header.
    pub name: Cow<'static, str>,
    /// What its cells are.
    pub kind: Kind,
    /// What it means, for the data dictionary.
    pub description: Cow<'static, str>,
    /// The only values it may have, where they are few; empty otherwise.
    pub values: Vec<Cow<'static, str>>,
}

/// The columns of one table, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Columns(Vec<Column>);

impl Columns {
    /// No columns yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more column.
    #[must_use]
    pub fn with(
        mut self,
        kind: Kind,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.0.push(Column {
            name: name.into(),
            kind,
            description: description.into(),
            values: Vec::new(),
        });
        self
    }

    /// With one more column of text.
    #[must_use]
    pub fn text(
        self,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.with(Kind::Text, name, description)
    }

    /// With one more column of whole numbers.
    #[must_use]
    pub fn integer(
        self,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.with(Kind::Integer, name, description)
    }

    /// With one more column of numbers.
    #[must_use]
    pub fn number(
        self,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.with(Kind::Number, name, description)
    }

    /// With one more column of points in time.
    #[must_use]
    pub fn time(
        self,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.with(Kind::Time, name, description)
    }

    /// Names the only values the latest column may have.
    #[must_use]
    pub fn one_of<V: Into<Cow<'static, str>>>(
        mut self,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        if let Some(column) = self.0.last_mut() {
            column.values = values.into_iter().map(Into::into).collect();
        }
        self
    }

    /// The columns in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Column> {
        self.0.iter()
    }

    /// The first line of the table.
    pub fn header(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|column| column.name.as_ref())
    }
}
