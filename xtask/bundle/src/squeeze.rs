//! Makes a style sheet or the script that loads the islands smaller without understanding it.

/// Drops comments, indentation and empty lines; text in quotes stays as it is.
pub fn squeeze(css: &str) -> String {
    let mut lines = Vec::new();
    let bare = without_comments(css);
    lines.extend(bare.lines().map(str::trim).filter(|line| !line.is_empty()));
    lines.join("\n")
}

/// Drops indentation, empty lines and the documentation that wasm-bindgen writes. A script in which a text in backquotes
/// runs over a line end stays as it is, because there indentation is text.
pub fn squeeze_script(script: &str) -> String {
    let open = |line: &&str| line.matches('`').count() % 2 == 1;
    if script.lines().any(|line| open(&line)) {
        return script.to_owned();
    }
    let mut documented = false;
    let mut kept = Vec::new();
    for line in script.lines().map(str::trim) {
        if documented || line.starts_with("/**") {
            documented = !line.ends_with("*/");
        } else if !line.is_empty() {
            kept.push(line);
        }
    }
    kept.join("\n")
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
    use super::{squeeze, squeeze_script};

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

    #[test]
    fn a_script_loses_its_documentation_and_nothing_that_is_text() {
        let script = "/**\n * what it does\n */\nexport function f() {\n    return `a b`;\n}\n";
        assert_eq!(
            squeeze_script(script),
            "export function f() {\nreturn `a b`;\n}"
        );
        let over = "const text = `a\n    b`;\n";
        assert_eq!(squeeze_script(over), over);
    }
}
