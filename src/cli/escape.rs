//! Escapes text from files and arguments before it is printed: names may contain anything, including terminal
//! escape sequences.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes `text` to a single line. Control characters (including line breaks and the start of escape
/// sequences) and characters that reorder or hide text are written as in Rust: `\n`, `\u{1b}`, `\u{202e}`.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_unsafe, |out, c| out.extend(c.escape_default()))
}

/// Escapes text like [`line`], but keeps line breaks.
pub fn lines(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c| c != '\n' && is_unsafe(c);
    escaped(text, is_unsafe, |out, c| out.extend(c.escape_default()))
}

/// Escapes JSON like [`lines`], with JSON's escapes, so that it reads back the same. Apart from line breaks
/// between members, such characters can only occur in strings.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c| c != '\n' && is_unsafe(c);
    escaped(text, is_unsafe, |out, c| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn escaped(text: &str, is_unsafe: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(|c| is_unsafe(c) || is_hidden_joiner(None, c, None)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    let (mut before, mut rest) = (None, text.chars());
    while let Some(c) = rest.next() {
        if is_unsafe(c) || is_hidden_joiner(before, c, rest.clone().next()) {
            escape(&mut out, c)
        } else {
            out.push(c)
        }
        before = Some(c);
    }
    out.into()
}

/// Returns whether a character is a control (Unicode category Cc), a mark, embedding, override or isolate of
/// the bidirectional algorithm, a line or paragraph separator, or invisible. Joiners are safe within the scripts and
/// emoji that need them: see [`is_hidden_joiner`].
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Returns whether a character is a joiner that nothing needs: next to one from ASCII, or to nothing.
fn is_hidden_joiner(before: Option<char>, c: char, after: Option<char>) -> bool {
    let needs_joiners = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
    matches!(c, '\u{200c}' | '\u{200d}') && !(needs_joiners(before) && needs_joiners(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_unchanged() {
        for text in ["", "Arm.L", "骨 «é» 👩\u{200d}🚀", "می\u{200c}خواهم", "a\\b"] {
            assert_eq!(line(text), text);
            assert_eq!((lines(text), json(text)), (text.into(), text.into()));
        }
        assert_eq!(lines("a\nb"), "a\nb");
    }

    #[test]
    fn terminal_controls_are_escaped() {
        let title = "\x1b]0;owned\x07\r\n\u{9b}2J\u{202e}gpj.exe\u{2066}\u{7f}\t";
        let shown = r"\u{1b}]0;owned\u{7}\r\n\u{9b}2J\u{202e}gpj.exe\u{2066}\u{7f}\t";
        assert_eq!(line(title), shown);
        assert_eq!(lines("\x1b[2J\n"), "\\u{1b}[2J\n");
        assert_eq!(line("a\u{200d}b \u{ad}\u{3164}"), r"a\u{200d}b \u{ad}\u{3164}");
    }

    #[test]
    fn json_reads_back_the_same() {
        let value = serde_json::json!({"a\u{202e}": "\x1b\u{7f}\u{9b}\u{2028}\u{e0041}\n", "b": [1.5, "é"]});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let safe = json(&text);
        assert!(safe.chars().all(|c| c == '\n' || !is_unsafe(c)), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }
}
