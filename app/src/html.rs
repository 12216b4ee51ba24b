//! HTML written as text, for what a page has by the hundred: a view of many small elements costs ten times as much to
//! build and to write. What is written here is escaped wherever it is somebody's words.

use std::fmt::Display;

/// HTML in the making.
#[derive(Debug, Default)]
pub struct Html(String);

/// An opening tag whose attributes are being written; [`Tag::end`] closes it.
#[must_use = "a tag is open until its end is written"]
pub struct Tag<'a>(&'a mut Html);

impl Html {
    /// With room for about so many bytes, so that what is long is not copied as it grows.
    pub fn with_room(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Opens an element.
    pub fn tag(&mut self, name: &str) -> Tag<'_> {
        self.0.push('<');
        self.0.push_str(name);
        Tag(self)
    }

    /// Opens an element without attributes.
    pub fn open(&mut self, name: &str) {
        self.tag(name).end();
    }

    /// Closes an element.
    pub fn close(&mut self, name: &str) {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// An element that holds nothing but text.
    pub fn element(&mut self, name: &str, text: &str) {
        self.open(name);
        self.text(text);
        self.close(name);
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        escape(text, &mut self.0);
    }

    /// HTML that is ready.
    pub fn ready(&mut self, html: &str) {
        self.0.push_str(html);
    }

    /// All of it.
    pub fn done(self) -> String {
        self.0
    }
}

impl Tag<'_> {
    /// An attribute.
    pub fn with(self, name: &str, value: &str) -> Self {
        let html = &mut self.0.0;
        html.push(' ');
        html.push_str(name);
        html.push_str("=\"");
        escape(value, html);
        html.push('"');
        self
    }

    /// An attribute where it says something.
    pub fn with_some(self, name: &str, value: &str) -> Self {
        if value.is_empty() {
            self
        } else {
            self.with(name, value)
        }
    }

    /// An attribute whose value is what `value` displays.
    pub fn with_shown(self, name: &str, value: impl Display) -> Self {
        self.with(name, &value.to_string())
    }

    /// An attribute that is there or not.
    pub fn flag(self, name: &str, there: bool) -> Self {
        if there {
            self.0.0.push(' ');
            self.0.0.push_str(name);
        }
        self
    }

    /// Ends the opening tag.
    pub fn end(self) {
        self.0.0.push('>');
    }
}

/// Writes text into HTML. A carriage return needs a reference: the parser would turn a bare one into a line
/// feed and shift every offset behind it.
pub fn escape(text: &str, html: &mut String) {
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\r' => "&#13;",
            _ => continue,
        };
        // All five are one byte of ASCII, which no other character contains.
        html.push_str(&text[written..at]);
        html.push_str(reference);
        written = at + 1;
    }
    html.push_str(&text[written..]);
}

/// What stands inside a `<textarea>`. The parser drops a line feed that comes first, so there is one to drop.
pub fn area(text: &str) -> String {
    let mut html = String::from("\n");
    escape(text, &mut html);
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_stays_text_in_its_field() {
        assert_eq!(
            area("\nif p &lt; 0.05</textarea><script>"),
            "\n\nif p &amp;lt; 0.05&lt;/textarea&gt;&lt;script&gt;"
        );
    }

    #[test]
    fn words_of_several_bytes_pass_between_references() {
        let mut html = String::new();
        escape("é<🙂>\r\n&\"ß\"", &mut html);
        assert_eq!(html, "é&lt;🙂&gt;&#13;\n&amp;&quot;ß&quot;");
    }

    #[test]
    fn an_element_is_written_with_the_attributes_that_say_something() {
        let mut html = Html::default();
        html.tag("input")
            .with("name", "a\"b")
            .with_some("title", "")
            .with_shown("value", 3)
            .flag("checked", true)
            .flag("disabled", false)
            .end();
        html.element("b", "1 < 2");
        html.ready("<br>");
        assert_eq!(
            html.done(),
            "<input name=\"a&quot;b\" value=\"3\" checked><b>1 &lt; 2</b><br>"
        );
    }
}
