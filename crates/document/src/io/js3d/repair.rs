//! Repairs text that Scotty3D accepts although it is not JSON: strings with raw control characters, with
//! bytes that are not UTF-8, or with half of a surrogate pair. Nothing outside strings is changed.

use crate::io::report::{Report, Severity};

/// The maximum number of repairs: each costs memory, and something with more is not text.
pub const MAX_REPAIRS: usize = 1 << 16;

/// A repaired copy of a file.
pub struct RepairedText {
    pub bytes: Vec<u8>,
    /// The places where copy and original diverge: (offset in the copy, offset in the original) after each
    /// repair.
    drift: Vec<(usize, usize)>,
    controls: Count,
    encodings: Count,
}

/// A number of repairs, and the original offset of the first.
#[derive(Default)]
struct Count {
    number: usize,
    first: usize,
}

impl Count {
    fn add(&mut self, offset: usize) {
        if self.number == 0 {
            self.first = offset;
        }
        self.number += 1;
    }
}

impl RepairedText {
    /// Returns the offset in the original for `offset` in the copy.
    pub fn original_offset(&self, offset: usize) -> usize {
        match self.drift.partition_point(|(copy, _)| *copy <= offset).checked_sub(1) {
            None => offset,
            Some(last) => self.drift[last].1 + (offset - self.drift[last].0),
        }
    }

    /// Adds the findings; `skipped` bytes came before the repaired text.
    pub fn add_findings(&self, report: &mut Report, skipped: usize) {
        let mut add = |count: &Count, code, problem: &str| {
            if count.number > 0 {
                let first = count.first + skipped;
                let text = format!("{} {problem} (the first at byte {first})", count.number);
                report.add(Severity::Warning, code, "", text);
            }
        };
        let problem = "control characters in texts are not escaped; they are read as if they were";
        add(&self.controls, "raw-control-character", problem);
        let problem =
            "places in texts are not UTF-8; such bytes are read as Latin-1, half surrogate pairs as \u{fffd}";
        add(&self.encodings, "invalid-utf8", problem);
    }
}

/// Whether an error of the parser is about something that a repair corrects.
pub fn is_repairable(error: &str) -> bool {
    let starts = [
        "control character",
        "invalid unicode code point",
        "lone leading surrogate",
        "unexpected end of hex escape",
    ];
    starts.iter().any(|start| error.starts_with(start))
}

/// Returns a repaired copy of `text`; `None` if nothing needs, or can be, repaired.
///
/// # Errors
/// The offset of the first repair beyond [`MAX_REPAIRS`].
pub fn repair(text: &[u8]) -> Result<Option<RepairedText>, usize> {
    let mut repaired = RepairedText {
        bytes: Vec::with_capacity(text.len() + 6 * MAX_REPAIRS.min(text.len())),
        drift: Vec::new(),
        controls: Count::default(),
        encodings: Count::default(),
    };
    let mut in_string = false;
    let mut offset = 0;
    while offset < text.len() {
        let (taken, replacement) = if in_string { repair_character(&text[offset..]) } else { (1, None) };
        if taken == 1 && text[offset] == b'"' {
            in_string = !in_string;
        }
        match replacement {
            None => repaired.bytes.extend_from_slice(&text[offset..offset + taken]),
            Some(_) if repaired.drift.len() == MAX_REPAIRS => return Err(offset),
            Some(replacement) => {
                let count =
                    if text[offset] < 0x20 { &mut repaired.controls } else { &mut repaired.encodings };
                count.add(offset);
                repaired.bytes.extend_from_slice(replacement.as_bytes());
                repaired.drift.push((repaired.bytes.len(), offset + taken));
            }
        }
        offset += taken;
    }
    Ok((!repaired.drift.is_empty()).then_some(repaired))
}

/// Returns the number of bytes of the first character of `rest`, which begins within a string, and its
/// replacement, if any.
fn repair_character(rest: &[u8]) -> (usize, Option<String>) {
    match rest[0] {
        b'\\' => match surrogate_escape(rest) {
            None => (rest.len().min(2), None),
            Some(0xd800..0xdc00) if matches!(surrogate_escape(&rest[6..]), Some(0xdc00..)) => (12, None),
            Some(_) => (6, Some("\\ufffd".to_owned())),
        },
        control @ 0..0x20 => (1, Some(format!("\\u{control:04x}"))),
        0x20..0x80 => (1, None),
        first => {
            let start = &rest[..rest.len().min(4)];
            let valid = match std::str::from_utf8(start) {
                Ok(text) => text,
                Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
            };
            match (valid.chars().next(), raw_surrogate_pair(rest)) {
                (Some(character), _) => (character.len_utf8(), None),
                (None, Some(character)) => (6, Some(character.to_string())),
                (None, None) => (1, Some(char::from(first).to_string())),
            }
        }
    }
}

/// Returns the code unit of an escape like `\ud83d` at the start of `rest`, if it is a surrogate.
fn surrogate_escape(rest: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(rest.strip_prefix(b"\\u")?.get(..4)?).ok()?;
    let unit = u32::from_str_radix(digits, 16).ok()?;
    (0xd800..0xe000).contains(&unit).then_some(unit)
}

/// Decodes a character beyond U+FFFF as Scotty3D writes it after reading it from two escapes: each surrogate
/// as three bytes.
fn raw_surrogate_pair(rest: &[u8]) -> Option<char> {
    let unit = |bytes: &[u8]| match *bytes {
        [0xed, b @ 0xa0..0xc0, c @ 0x80..0xc0] => {
            Some(0xd000 | (u32::from(b) & 0x3f) << 6 | (u32::from(c) & 0x3f))
        }
        _ => None,
    };
    let (high, low) = (unit(rest.get(..3)?)?, unit(rest.get(3..6)?)?);
    let pair = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
    pair.then(|| char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(text: &[u8]) -> String {
        String::from_utf8(repair(text).unwrap().expect("a repair").bytes).unwrap()
    }

    #[test]
    fn strings_are_repaired_and_nothing_else() {
        assert_eq!(repaired(b"\t{\"a\tb\":\n1}"), "\t{\"a\\u0009b\":\n1}");
        assert_eq!(repaired(b"\"\xe9t\xc3\xa9\""), "\"ét\u{e9}\"");
        assert_eq!(repaired(b"\"\\\"\x01\""), "\"\\\"\\u0001\"");
        assert_eq!(repaired(br#""\ud83d!\ude00""#), r#""\ufffd!\ufffd""#);
        assert_eq!(repaired(b"\"\xed\xa0\xbd\xed\xb8\x80\""), "\"\u{1f600}\"");
        assert!(repair(br#"{"a":"\ud83d\ude00 \u00e9"}"#).unwrap().is_none());
        assert!(repair(b"[nan, \x01").unwrap().is_none());
    }

    #[test]
    fn offsets_lead_back_to_the_original() {
        let text = b"[\"\t\x02x\", oops]";
        let repaired = repair(text).unwrap().unwrap();
        let offset = repaired.bytes.windows(4).position(|w| w == b"oops").unwrap();
        assert_eq!(repaired.original_offset(offset), text.windows(4).position(|w| w == b"oops").unwrap());
        assert_eq!(repaired.original_offset(0), 0);
    }
}
