//! The paragraphs of a report as files.

use super::StudyReport;
use super::write::{methods, results};

/// Both paragraphs and the statement as Markdown.
pub fn markdown(report: &StudyReport) -> String {
    format!(
        "# {}\n\n## Methods\n\n{}\n\n## Results\n\n{}\n\n> {}\n",
        escaped_markdown(&report.study),
        escaped_markdown(&methods(report)),
        escaped_markdown(&results(report)),
        report.statement
    )
}

fn escaped_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|'
        ) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Both paragraphs and the statement as LaTeX.
pub fn latex(report: &StudyReport) -> String {
    format!(
        "\\section*{{{}}}\n\n\\subsection*{{Methods}}\n{}\n\n\\subsection*{{Results}}\n{}\n\n\\begin{{quote}}\n{}\n\\end{{quote}}\n",
        escaped_latex(&report.study),
        escaped_latex(&methods(report)),
        escaped_latex(&results(report)),
        escaped_latex(report.statement)
    )
}

fn escaped_latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        match c {
            // A quotation mark after a word closes, any other opens.
            '"' if before.is_whitespace() || matches!(before, '(' | '[') => out.push_str("``"),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '"' => out.push_str("''"),
            _ => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escaped_latex, escaped_markdown};

    #[test]
    fn nothing_of_a_name_becomes_markup() {
        assert_eq!(
            escaped_latex("50% of \\a_b & {c} ~^#$"),
            "50\\% of \\textbackslash{}a\\_b \\& \\{c\\} \\textasciitilde{}\\textasciicircum{}\\#\\$"
        );
        assert_eq!(
            escaped_latex("the \"fit\" (\"a b\")"),
            "the ``fit'' (``a b'')"
        );
        assert_eq!(
            escaped_markdown("*a* [b](c) <d>"),
            "\\*a\\* \\[b\\](c) \\<d\\>"
        );
    }
}
