//! Parses JSON text to a tree that borrows strings from the text, so that blobs of megabytes are not copied.
//!
//! Strict JSON, with limits that make hostile files harmless: 128 levels (serde_json's own limit) and
//! [`JSON_COST`] values. Independent of the meaning of the tree.

use super::ReadError;
use super::repair::{self, MAX_REPAIRS, RepairedText};
use crate::extra::array::{Array, Builder, Scalar};
use crate::io::limits::{ARRAY_COST, JSON_COST, OBJECT_COST, TEXT_COST, VALUE_COST};
use crate::io::report::{Report, Severity};
use crate::math::reserve::reserve_frugally;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// A JSON value. Objects preserve the order of members and duplicate names.
#[derive(Clone, Debug, PartialEq)]
pub enum Node<'a> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(Cow<'a, str>),
    Array(Array<Node<'a>>),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

impl From<Scalar> for Node<'_> {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Null => Node::Null,
            Scalar::Bool(value) => Node::Bool(value),
            Scalar::Unsigned(value) => Node::Unsigned(value),
            Scalar::Signed(value) => Node::Signed(value),
            Scalar::Float(value) => Node::Float(value),
        }
    }
}

impl Node<'_> {
    /// A noun phrase for the type of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "true or false",
            Node::Unsigned(_) | Node::Signed(_) | Node::Float(_) => "a number",
            Node::Text(_) => "a text",
            Node::Array(_) => "an array",
            Node::Object(_) => "an object",
        }
    }

    fn into_scalar(self) -> Result<Scalar, Self> {
        Ok(match self {
            Node::Null => Scalar::Null,
            Node::Bool(value) => Scalar::Bool(value),
            Node::Unsigned(value) => Scalar::Unsigned(value),
            Node::Signed(value) => Scalar::Signed(value),
            Node::Float(value) => Scalar::Float(value),
            other => return Err(other),
        })
    }

    /// Returns the value if it is a number. Integers beyond 2^53 are rounded.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Node::Unsigned(n) => Some(n as f64),
            Node::Signed(n) => Some(n as f64),
            Node::Float(x) => Some(x),
            _ => None,
        }
    }
}

/// Parses `bytes` and passes the tree to `then`. Text that Scotty3D accepts although it is not JSON (raw
/// control characters, broken UTF-8) is repaired in a copy, with a finding.
pub fn with_tree<T>(
    bytes: &[u8],
    report: &mut Report,
    then: impl FnOnce(Node<'_>, &mut Report) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let skipped = bytes.len() - text.len();
    if skipped > 0 {
        let text_mark = "the file starts with a byte order mark, which Scotty3D does not read; it is skipped";
        report.add(Severity::Warning, "byte-order-mark", "", text_mark);
    }
    let error = match parse(text) {
        Ok(tree) => return then(tree, report),
        Err(error) => error,
    };
    let syntax_error_here = |error| Err(syntax_error(error, text, bytes, skipped, &|offset| offset));
    if !repair::is_repairable(&error.to_string()) {
        return syntax_error_here(&error);
    }
    let repaired = match repair::repair(text) {
        Ok(Some(repaired)) => repaired,
        Ok(None) => return syntax_error_here(&error),
        Err(offset) => return Err(too_damaged(bytes, offset + skipped)),
    };
    match parse(&repaired.bytes) {
        Ok(tree) => {
            repaired.add_findings(report, skipped);
            then(tree, report)
        }
        Err(error) => {
            let to_original = |offset| RepairedText::original_offset(&repaired, offset);
            Err(syntax_error(&error, &repaired.bytes, bytes, skipped, &to_original))
        }
    }
}

fn parse(text: &[u8]) -> Result<Node<'_>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let budget = Cell::new(JSON_COST);
    let tree = Tree { budget: &budget }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(tree)
}

/// Reads one value; `budget` is the cost that the rest of the file may have.
#[derive(Clone, Copy)]
struct Tree<'b> {
    budget: &'b Cell<usize>,
}

impl Tree<'_> {
    fn spend<E: serde::de::Error>(&self, cost: usize) -> Result<(), E> {
        let budget = self.budget.get().checked_sub(cost);
        self.budget.set(budget.ok_or_else(|| E::custom("too many values"))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Node<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node<'de>, D::Error> {
        self.spend(VALUE_COST)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Node<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Node<'de>, E> {
        Ok(Node::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Node<'de>, E> {
        Ok(Node::Bool(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Node<'de>, E> {
        Ok(Node::Unsigned(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Node<'de>, E> {
        Ok(Node::Signed(value))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Node<'de>, E> {
        Ok(Node::Float(value))
    }
    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Node<'de>, E> {
        self.spend(TEXT_COST - VALUE_COST)?;
        Ok(Node::Text(Cow::Borrowed(text)))
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Node<'de>, E> {
        self.spend(TEXT_COST - VALUE_COST)?;
        Ok(Node::Text(Cow::Owned(text.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Node<'de>, A::Error> {
        self.spend(ARRAY_COST - VALUE_COST)?;
        let mut items = Builder::default();
        while let Some(item) = array.next_element_seed(self)? {
            items.push(item.into_scalar());
        }
        Ok(Node::Array(items.finish()))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node<'de>, A::Error> {
        self.spend(OBJECT_COST - VALUE_COST)?;
        let mut members = Vec::new();
        while let Some(key) = object.next_key_seed(Key)? {
            reserve_frugally(&mut members, 1);
            members.push((key, object.next_value_seed(self)?));
        }
        members.shrink_to_fit();
        Ok(Node::Object(members))
    }
}

struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }
    fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// Converts an error about `parsed`; `to_original` maps its offsets to those of `bytes` without the first
/// `skipped` bytes.
fn syntax_error(
    error: &serde_json::Error,
    parsed: &[u8],
    bytes: &[u8],
    skipped: usize,
    to_original: &dyn Fn(usize) -> usize,
) -> ReadError {
    let line_start = match error.line().checked_sub(2) {
        None => 0,
        Some(before) => {
            let mut newlines = parsed.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            newlines.nth(before).map_or(0, |(at, _)| at + 1)
        }
    };
    let position = if error.is_eof() {
        parsed.len()
    } else {
        (line_start + error.column().saturating_sub(1)).min(parsed.len())
    };
    let offset = (to_original(position) + skipped).min(bytes.len());
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let (problem, hint) = explain(error, text, parsed, position, bytes);
    let (line, column) = line_and_column(bytes, offset);
    ReadError::Syntax { problem, offset, line, column, hint }
}

/// Returns the error for text that needs too many repairs, the first excess one at `offset`.
fn too_damaged(bytes: &[u8], offset: usize) -> ReadError {
    let (line, column) = line_and_column(bytes, offset);
    ReadError::Syntax {
        problem: format!(
            "more than {MAX_REPAIRS} control characters in texts, or bytes that are not UTF-8; the next is"
        ),
        offset,
        line,
        column,
        hint: "The file is damaged, or is not text; get it again or open a backup.".to_owned(),
    }
}

/// Returns the line and column of a byte, both counted from 1.
fn line_and_column(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset];
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1);
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    (lines + 1, offset - line_start + 1)
}

/// Other files that people try to open: their signature, their name, and what to do with them.
const OTHER_FORMATS: [(&[u8], &str, &str); 3] = [
    (b"glTF", "binary glTF", GLTF_HINT),
    (b"Kaydara FBX", "FBX", "Export it as glTF from the program that made it."),
    (b"BLENDER", "a Blender file", "Export it as glTF in Blender."),
];

/// The hint for glTF files that are opened as js3d scenes.
pub const GLTF_HINT: &str =
    "Make a scene of it: ossature convert FILE.glb SCENE.js3d, or open it in the window.";

fn explain(
    error: &serde_json::Error,
    text: &str,
    parsed: &[u8],
    position: usize,
    bytes: &[u8],
) -> (String, String) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let start = parsed[..position].iter().rposition(|byte| !is_word(byte)).map_or(0, |position| position + 1);
    let end = parsed[position..]
        .iter()
        .position(|byte| !is_word(byte))
        .map_or(parsed.len(), |length| position + length);
    let word = String::from_utf8_lossy(&parsed[start..end.min(start + 16)]).to_lowercase();
    let unsigned = word.trim_start_matches(['+', '-']);

    let (problem, hint) = if parsed.iter().all(u8::is_ascii_whitespace) {
        ("the file is empty", "Open a backup of it, or save the scene again from the program that made it.")
    } else if bytes[0] == b's' {
        (
            "the file is not JSON; it may be Scotty3D's binary form (s3d)",
            "Open it in Scotty3D and save it with the ending .js3d.",
        )
    } else if let Some((_, kind, hint)) = OTHER_FORMATS.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        let problem = format!("the file is not a js3d scene but {kind}");
        return (problem, (*hint).to_owned());
    } else if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        ("the file is UTF-16 text", "Save it as UTF-8 in a text editor.")
    } else if unsigned.starts_with("nan") || unsigned.starts_with("inf") {
        (
            "NaN and infinity are not numbers of a scene, found",
            "Put a number in its place; a simulation or a division by zero may have made it.",
        )
    } else if text.starts_with("recursion limit") {
        ("arrays or objects are nested more than 128 deep", "Scenes nest ten deep; take this part out.")
    } else if text.starts_with("too many values") {
        ("the file holds more values than this program reads", "Split the scene into several files.")
    } else if text.starts_with("number out of range") {
        ("a number is too large", "Numbers of a scene lie between -3.4e38 and 3.4e38.")
    } else if error.is_eof() {
        (
            "the file ends in the middle of a value",
            "It may have been cut short while it was copied or saved; get it again or open a backup.",
        )
    } else if text.starts_with("trailing characters") {
        ("something follows the end of the scene", "Delete what follows the last closing brace.")
    } else {
        let hint = "Correct the file there in a text editor, or save it again from the program that made it.";
        let text = match text {
            "expected ident" => "expected true, false or null",
            text => text,
        };
        return (format!("the file is not valid JSON ({text})"), hint.to_owned());
    };
    (problem.to_owned(), hint.to_owned())
}
