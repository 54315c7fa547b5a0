//! JSON that may be invalid: repeated members, numbers of any length, and the arrays of numbers in blobs.

use crate::editing::Random;
use crate::support::blob;
use serde_json::Value;
use std::fmt::Write;

#[derive(Clone, Debug)]
pub enum Node {
    /// A number or a word, as written in the file.
    Word(String),
    /// A text with JSON's escapes, without quotes.
    Text(String),
    /// A blob of 4-byte numbers: its prefix and its numbers.
    Blob(String, Vec<u32>),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
    /// This many arrays or objects around a value.
    Nested(usize, Box<Node>),
}

impl Node {
    pub fn word(word: impl ToString) -> Self {
        Node::Word(word.to_string())
    }

    pub fn text(text: &str) -> Self {
        let quoted = serde_json::to_string(text).expect("a text is JSON");
        Node::Text(quoted[1..quoted.len() - 1].to_owned())
    }

    pub fn array<T: ToString>(words: impl IntoIterator<Item = T>) -> Self {
        Node::Array(words.into_iter().map(Node::word).collect())
    }

    pub fn read(json: &[u8]) -> Self {
        let value: Value = serde_json::from_slice(json).expect("a seed is JSON");
        Self::from(&value)
    }

    /// Visits this value, then all below it, in the order of the file.
    pub fn each(&mut self, f: &mut dyn FnMut(&mut Node)) {
        f(self);
        match self {
            Node::Array(items) => items.iter_mut().for_each(|item| item.each(f)),
            Node::Object(members) => members.iter_mut().for_each(|(_, node)| node.each(f)),
            _ => {}
        }
    }

    /// Returns one of the values for which `is` holds.
    pub fn any(&mut self, random: &mut Random, is: &dyn Fn(&mut Node) -> bool) -> Option<&mut Node> {
        let mut places = Vec::new();
        let mut place = 0;
        self.each(&mut |node| {
            if is(node) {
                places.push(place);
            }
            place += 1;
        });
        let chosen = *places.get(random.below(places.len()))?;
        self.nth(chosen)
    }

    fn nth(&mut self, place: usize) -> Option<&mut Node> {
        fn find<'a>(node: &'a mut Node, left: &mut usize) -> Option<&'a mut Node> {
            if *left == 0 {
                return Some(node);
            }
            *left -= 1;
            match node {
                Node::Array(items) => items.iter_mut().find_map(|item| find(item, left)),
                Node::Object(members) => members.iter_mut().find_map(|(_, node)| find(node, left)),
                _ => None,
            }
        }
        find(self, &mut { place })
    }

    pub fn member(&mut self, name: &str) -> Option<&mut Node> {
        match self {
            Node::Object(members) => members.iter_mut().find(|(n, _)| n == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// Returns the value at a path of member names.
    pub fn at(&mut self, path: &[&str]) -> Option<&mut Node> {
        path.iter().try_fold(self, |node, name| node.member(name))
    }

    /// Returns the names of members, unescaped.
    pub fn names(&self) -> Vec<String> {
        match self {
            Node::Object(members) => members.iter().filter_map(|(name, _)| unescaped(name)).collect(),
            _ => Vec::new(),
        }
    }

    pub fn write(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Node::Word(word) => write!(out, "{word}"),
            Node::Text(text) => write!(out, "\"{text}\""),
            Node::Blob(prefix, numbers) => write!(out, "\"{}\"", blob(prefix, numbers)),
            Node::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    out.push(if i == 0 { '[' } else { ',' });
                    item.write(out);
                }
                write!(out, "{}", if items.is_empty() { "[]" } else { "]" })
            }
            Node::Object(members) => {
                out.push('{');
                for (i, (name, node)) in members.iter().enumerate() {
                    let _ = write!(out, "{}\"{name}\":", if i == 0 { "" } else { "," });
                    node.write(out);
                }
                write!(out, "}}")
            }
            Node::Nested(depth, node) => {
                let brackets = |i: usize| if i % 3 == 2 { ["{\"a\":", "}"] } else { ["[", "]"] };
                (0..*depth).for_each(|i| out.push_str(brackets(i)[0]));
                node.write(out);
                (0..*depth).rev().for_each(|i| out.push_str(brackets(i)[1]));
                Ok(())
            }
        };
    }
}

fn unescaped(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{text}\"")).ok()
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => decoded(text).unwrap_or_else(|| Node::text(text)),
            Value::Array(items) => Node::Array(items.iter().map(Node::from).collect()),
            Value::Object(members) => {
                let name = |name: &str| match Node::text(name) {
                    Node::Text(text) => text,
                    _ => unreachable!("a name is a text"),
                };
                Node::Object(members.iter().map(|(n, v)| (name(n), Node::from(v))).collect())
            }
            word => Node::word(word),
        }
    }
}

/// Decodes a blob of 4-byte numbers; flags and images stay texts.
fn decoded(text: &str) -> Option<Node> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let prefixes = ["uint32:", "float:", "vec2:", "vec3:"];
    let prefix = prefixes.into_iter().find(|prefix| text.starts_with(prefix))?;
    let (mut bits, mut held, mut bytes) = (0u32, 0, Vec::new());
    for digit in text[prefix.len()..].bytes() {
        bits = bits << 6 | ALPHABET.iter().position(|&c| c == digit)? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    let numbers = bytes.chunks_exact(4);
    let numbers = numbers.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Some(Node::Blob(prefix.to_owned(), numbers))
}
