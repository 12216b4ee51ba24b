//! The data dictionary: a Frictionless data package that describes every file and column.

use serde_json::{Map, Value, json};

use super::{Column, Columns, Written};

/// One table of the package.
pub struct Resource<'a> {
    /// File name beside the dictionary.
    pub path: &'a str,
    /// What one row is.
    pub description: &'a str,
    /// Its columns, the same that wrote the header.
    pub columns: &'a Columns,
    /// What was written, once it is; size, hash and number of rows then enter the dictionary.
    pub written: Option<&'a Written>,
}

/// A set of tables that belong together.
pub struct Package<'a> {
    /// What the package is called; also its name, folded to the letters a name may have.
    pub title: &'a str,
    /// What it is and how to read it.
    pub description: &'a str,
    /// Facts about the export as a whole, such as the scheme's version, under their own names.
    pub facts: Map<String, Value>,
    /// Its tables.
    pub resources: Vec<Resource<'a>>,
}

impl Package<'_> {
    /// The text of `datapackage.json`; the same for the same package.
    pub fn to_json(&self) -> String {
        let mut package = json!({
            "profile": "tabular-data-package",
            "name": slug(self.title),
            "title": self.title,
            "description": self.description,
            "resources": self.resources.iter().map(resource).collect::<Vec<_>>(),
            // Tools that count otherwise must be able to find this out from the data alone.
            "offset_unit": "codepoint",
            "cell_rule": "text cells that begin with = + - @ (also full-width), a tab, a line end or an apostrophe carry one more apostrophe in front; take one away to restore them",
        });
        if let Value::Object(fields) = &mut package {
            fields.extend(self.facts.clone());
        }
        let mut text = format!("{package:#}");
        text.push('\n');
        text
    }
}

fn resource(resource: &Resource<'_>) -> Value {
    let mut described = json!({
        "profile": "tabular-data-resource",
        "name": slug(resource.path.trim_end_matches(".csv")),
        "path": resource.path,
        "description": resource.description,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {"delimiter": ",", "lineTerminator": "\r\n", "quoteChar": "\"", "doubleQuote": true, "header": true},
        "schema": {"fields": resource.columns.iter().map(field).collect::<Vec<_>>(), "missingValues": [""]},
    });
    if let Some(written) = resource.written {
        described["bytes"] = written.bytes.into();
        described["hash"] = format!("sha256:{}", written.sha256).into();
        described["rows"] = written.rows.into();
    }
    described
}

fn field(column: &Column) -> Value {
    let mut field = json!({"name": column.name, "type": column.kind.schema_type(), "description": column.description});
    if !column.values.is_empty() {
        field["constraints"] = json!({"enum": column.values});
    }
    field
}

/// A name as Frictionless allows it: small letters, digits, `.`, `_` and `-`.
fn slug(text: &str) -> String {
    let fold = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let folded: String = text.chars().map(fold).collect();
    let parts: Vec<&str> = folded.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        "export".to_owned()
    } else {
        parts.join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::{Cell, Table};

    #[test]
    fn every_column_is_described_as_it_is_written() {
        let columns = Columns::new()
            .text("unit_id", "Key of the unit.")
            .number("estimate", "The coefficient.")
            .text("stage", "When.")
            .one_of(["raw", "reconciled"]);
        let mut table = Table::new(Vec::new(), &columns, false).unwrap();
        table
            .row(&[Cell::Text("u"), Cell::Number(0.5), Cell::Text("raw")])
            .unwrap();
        let (bytes, written) = table.finish().unwrap();
        let resources = vec![Resource {
            path: "agreement.csv",
            description: "A row is a statistic.",
            columns: &columns,
            written: Some(&written),
        }];
        let facts = Map::from_iter([("study".to_owned(), json!("Demo"))]);
        let package = Package {
            title: "Étude pilote 1",
            description: "d",
            facts,
            resources,
        };
        let read: Value = serde_json::from_str(&package.to_json()).unwrap();
        assert_eq!(
            (&read["name"], &read["study"], &read["offset_unit"]),
            (&json!("tude-pilote-1"), &json!("Demo"), &json!("codepoint"))
        );
        let resource = &read["resources"][0];
        assert_eq!(
            (&resource["name"], &resource["rows"], &resource["bytes"]),
            (&json!("agreement"), &json!(1), &json!(bytes.len()))
        );
        let names: Vec<&str> = resource["schema"]["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| field["name"].as_str().unwrap())
            .collect();
        assert_eq!(
            names.join(","),
            String::from_utf8(bytes).unwrap().lines().next().unwrap()
        );
        assert_eq!(
            resource["schema"]["fields"][2]["constraints"],
            json!({"enum": ["raw", "reconciled"]})
        );
        assert_eq!(resource["schema"]["fields"][1]["type"], json!("number"));
        assert_eq!(package.to_json(), package.to_json());
    }

    #[test]
    fn names_are_folded_and_never_empty() {
        assert_eq!(slug("  Étude -- No. 2_b "), "tude-no.-2_b");
        assert_eq!(slug("研究"), "export");
    }
}
