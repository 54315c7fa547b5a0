//! Text from files and arguments, made safe to print: names may hold anything, and a terminal obeys what it is
//! sent.

use std::borrow::Cow;
use std::fmt::Write;

/// `text` on one line. Control characters (escape sequences begin with one, line breaks are some) and what
/// reorders or hides text are written as in Rust: `\n`, `\u{1b}`, `\u{202e}`.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_unsafe, |out, c| out.extend(c.escape_default()))
}

/// As [`line`], for text whose line breaks are its own.
pub fn lines(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c| c != '\n' && is_unsafe(c);
    escaped(text, is_unsafe, |out, c| out.extend(c.escape_default()))
}

/// JSON that reads back the same: as [`lines`], with the escapes of JSON. Strings are the only place where such
/// characters can be, besides the line breaks between members.
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
    if !text.contains(&is_unsafe) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_unsafe(c) {
            true => escape(&mut out, c),
            false => out.push(c),
        }
    }
    out.into()
}

/// Controls (Unicode category Cc), marks, embeddings, overrides and isolates of the bidirectional algorithm,
/// line and paragraph separators, and characters that show nothing at all but joiners, which some scripts need.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays() {
        for text in ["", "Arm.L", "骨 «é» 👩\u{200d}🚀", "می\u{200c}خواهم", "a\\b"] {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text));
            assert_eq!((lines(text), json(text)), (text.into(), text.into()));
        }
        assert_eq!(lines("a\nb"), "a\nb");
    }

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        let title = "\x1b]0;owned\x07\r\n\u{9b}2J\u{202e}gpj.exe\u{2066}\u{7f}\t";
        let shown = r"\u{1b}]0;owned\u{7}\r\n\u{9b}2J\u{202e}gpj.exe\u{2066}\u{7f}\t";
        assert_eq!(line(title), shown);
        assert_eq!(lines("\x1b[2J\n"), "\\u{1b}[2J\n");
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
