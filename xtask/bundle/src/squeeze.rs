//! Makes a style sheet smaller without understanding it.

/// Drops comments, indentation and empty lines; text in quotes stays as it is.
pub fn squeeze(css: &str) -> String {
    let mut lines = Vec::new();
    let bare = without_comments(css);
    lines.extend(bare.lines().map(str::trim).filter(|line| !line.is_empty()));
    lines.join("\n")
}

fn without_comments(css: &str) -> String {
    let mut bare = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        bare.push_str(before);
        let length = if let Some(comment) = from.strip_prefix("/*") {
            comment.find("*/").map_or(from.len(), |end| end + 4)
        } else {
            let kept = kept_length(from);
            bare.push_str(&from[..kept]);
            kept
        };
        rest = &from[length..];
    }
    bare.push_str(rest);
    bare
}

/// The length of the quoted text, or of the single slash, that `from` starts with.
fn kept_length(from: &str) -> usize {
    let quote = from.as_bytes()[0];
    if quote == b'/' {
        return 1;
    }
    let mut escaped = false;
    for (at, byte) in from.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    from.len()
}

#[cfg(test)]
mod tests {
    use super::squeeze;

    #[test]
    fn comments_and_indentation_go() {
        assert_eq!(
            squeeze("/* why */\na {\n  color: red; /* or so */\n}\n\n"),
            "a {\ncolor: red;\n}"
        );
    }

    #[test]
    fn quoted_text_and_slashes_stay() {
        let css = "a::after { content: \"/* no */\\\"\"; font: 1rem/1.5 serif; }";
        assert_eq!(squeeze(css), css);
    }

    #[test]
    fn an_unfinished_comment_or_quote_ends_with_the_text() {
        assert_eq!(squeeze("a{} /* b"), "a{}");
        assert_eq!(squeeze("a{} 'b"), "a{} 'b");
    }
}
