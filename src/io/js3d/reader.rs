//! What all readers of this format share: where in the document they are, what they found so far, and
//! taking members out of objects.

use super::ReadError;
use super::json::Node;
use super::repair::MOST_REPAIRS;
use crate::extra::array::Array;
use crate::extra::{Extra, Value};
use crate::io::report::{Report, Severity};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Findings of one code that are listed; the rest are counted.
pub const MAX_FINDINGS_PER_CODE: usize = 100;

/// Files with more repairs than this are refused.
pub const MOST_REPAIRS_IN_ALL: usize = 1 << 20;

/// JSON pointers longer than this are cut in findings (a name may have megabytes).
const MAX_POINTER: usize = 1000;

/// The place and the findings.
pub struct Reader<'r> {
    report: &'r mut Report,
    path: String,
    counts: BTreeMap<&'static str, Count>,
}

/// Findings of one code: the worst of them, and how many.
struct Count {
    severity: Severity,
    loss: bool,
    number: usize,
}

impl<'r> Reader<'r> {
    pub fn new(report: &'r mut Report) -> Self {
        Self {
            report,
            path: String::new(),
            counts: BTreeMap::new(),
        }
    }

    /// Does `f` at the member `name` of the present place.
    pub fn at<T>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = enter(&mut self.path, name);
        let result = f(self);
        self.path.truncate(length);
        result
    }

    /// Does `f` at the element `index` of the present place.
    pub fn at_index<T>(&mut self, index: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        self.at(&index.to_string(), f)
    }

    /// JSON pointer of the present place.
    fn here(&self) -> String {
        if self.path.len() <= MAX_POINTER {
            return self.path.clone();
        }
        format!("{}…", &self.path[..self.path.floor_char_boundary(MAX_POINTER)])
    }

    pub fn find(&mut self, severity: Severity, code: &'static str, text: impl Into<String>) {
        self.add(severity, false, code, text.into());
    }

    /// Cuts or fills the array that is the member `name`, with a finding. `length` is the length of another array of the
    /// file, so that what is filled is bounded by the file.
    pub fn resize<T: Clone>(
        &mut self,
        (name, severity): (&str, Severity),
        items: &mut Vec<T>,
        length: usize,
        fill: T,
    ) {
        let stated = items.len();
        if stated == length {
            return;
        }
        items.resize(length, fill);
        let done = if stated > length { "cut" } else { "filled up" };
        let text = format!("the array has {stated} entries where {length} are needed; it is {done}");
        self.at(name, |r| {
            r.add(severity, stated > length, "wrong-array-length", text)
        });
    }

    /// Something of the file that is not read, and so is not written back.
    pub fn lose(&mut self, severity: Severity, code: &'static str, text: impl Into<String>) {
        self.add(severity, true, code, text.into());
    }

    fn add(&mut self, severity: Severity, loss: bool, code: &'static str, text: String) {
        let count = self.counts.entry(code).or_insert(Count {
            severity,
            loss,
            number: 0,
        });
        count.severity = count.severity.max(severity);
        count.loss |= loss;
        count.number += 1;
        if count.number <= MAX_FINDINGS_PER_CODE {
            let here = self.here();
            match loss {
                true => self.report.add_loss(severity, code, here, text),
                false => self.report.add(severity, code, here, text),
            }
        }
    }

    /// Something odd that is kept as it is.
    pub fn note(&mut self, code: &'static str, text: impl Into<String>) {
        self.find(Severity::Note, code, text);
    }

    /// Something that was repaired.
    pub fn warn(&mut self, code: &'static str, text: impl Into<String>) {
        self.find(Severity::Warning, code, text);
    }

    /// The error for a value at the present place that no scene can have.
    pub fn refuse(&self, what: impl Into<String>, hint: impl Into<String>) -> ReadError {
        ReadError::Value {
            what: what.into(),
            at: self.here(),
            hint: hint.into(),
        }
    }

    /// Adds what was only counted.
    pub fn finish(self) {
        for (code, count) in self.counts {
            if let Some(more @ 1..) = count.number.checked_sub(MAX_FINDINGS_PER_CODE) {
                let text = format!("and {more} more findings of this kind");
                match count.loss {
                    true => self.report.add_loss(count.severity, code, "", text),
                    false => self.report.add(count.severity, code, "", text),
                }
            }
        }
    }

    /// The members of an object. Of equal names the last counts, as in Scotty3D.
    pub fn members<'a>(&mut self, object: Vec<(Cow<'a, str>, Node<'a>)>) -> Members<'a> {
        Members {
            items: self.without_duplicates(object),
            absent: false,
        }
    }

    /// Like [`Reader::members`]; what is no object has no members, and is told as a finding.
    pub fn object<'a>(&mut self, node: Node<'a>) -> Members<'a> {
        match node {
            Node::Object(items) => self.members(items),
            other => {
                let found = other.kind();
                self.lose(
                    Severity::Warning,
                    "not-an-object",
                    format!("expected an object, found {found}; defaults are used"),
                );
                Members {
                    items: Vec::new(),
                    absent: true,
                }
            }
        }
    }

    /// The members of one of many entries.
    ///
    /// # Errors
    /// If so much had to be repaired that the file is none: each entry that nothing is read of takes the memory
    /// of a whole one.
    pub fn entry<'a>(&mut self, node: Node<'a>) -> Result<Members<'a>, ReadError> {
        let members = self.object(node);
        let not_objects = self.counts.get("not-an-object").map_or(0, |count| count.number);
        let repairs = self
            .counts
            .values()
            .filter(|count| count.severity > Severity::Note);
        let repairs: usize = repairs.map(|count| count.number).sum();
        if not_objects > MOST_REPAIRS || repairs > MOST_REPAIRS_IN_ALL {
            let hint = "The file is damaged, or another program's; save the scene again where it was made";
            return Err(self.refuse("there is more to repair than to read", hint));
        }
        Ok(members)
    }

    /// An array; anything else is told as a finding and counts as empty.
    pub fn array<'a>(&mut self, node: Node<'a>) -> Array<Node<'a>> {
        match node {
            Node::Array(items) => items,
            other => {
                let found = other.kind();
                self.lose(
                    Severity::Warning,
                    "not-an-array",
                    format!("expected an array, found {found}; it is read as empty"),
                );
                Array::default()
            }
        }
    }

    fn without_duplicates<'a>(
        &mut self,
        mut items: Vec<(Cow<'a, str>, Node<'a>)>,
    ) -> Vec<(Cow<'a, str>, Node<'a>)> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&a, &b| items[a].0.cmp(&items[b].0).then(a.cmp(&b)));
        let mut dropped = vec![false; items.len()];
        let mut any = false;
        for pair in order.windows(2) {
            if items[pair[0]].0 == items[pair[1]].0 {
                dropped[pair[0]] = true;
                any = true;
            }
        }
        if any {
            for (item, _) in items.iter().zip(&dropped).filter(|(_, dropped)| **dropped) {
                let text = "the member occurs more than once; the last one counts";
                self.at(&item.0, |r| r.warn("duplicate-member", text));
            }
            let mut dropped = dropped.into_iter();
            items.retain(|_| !dropped.next().unwrap_or(false));
        }
        items
    }

    /// The value with each name once in every object within it.
    fn once<'a>(&mut self, node: Node<'a>) -> Node<'a> {
        match node {
            Node::Array(items) => Node::Array(items.map(|i, item| self.at_index(i, |r| r.once(item)))),
            Node::Object(items) => {
                let items = self.without_duplicates(items).into_iter();
                Node::Object(
                    items
                        .map(|(name, item)| {
                            let item = self.at(&name, |r| r.once(item));
                            (name, item)
                        })
                        .collect(),
                )
            }
            other => other,
        }
    }

    /// A value that this program does not know, to be kept.
    pub fn value(&mut self, node: Node<'_>) -> Value {
        match node {
            Node::Null => Value::Null,
            Node::Bool(value) => Value::Bool(value),
            Node::Unsigned(value) => Value::Unsigned(value),
            Node::Signed(value) => Value::Signed(value),
            Node::Float(value) => Value::Float(value),
            Node::Text(text) => Value::Text(text.into()),
            Node::Array(items) => Value::Array(items.map(|i, item| self.at_index(i, |r| r.value(item)))),
            Node::Object(items) => {
                let items = self.without_duplicates(items).into_iter();
                Value::Object(
                    items
                        .map(|(name, item)| {
                            let value = self.at(&name, |r| r.value(item));
                            (name.into(), value)
                        })
                        .collect(),
                )
            }
        }
    }

    /// The members that nobody took.
    pub fn rest(&mut self, members: Members<'_>) -> Extra {
        let items = members.items.into_iter();
        Extra(
            items
                .map(|(name, node)| (name.to_string(), self.at(&name, |r| r.value(node))))
                .collect(),
        )
    }
}

/// Appends a separator and a segment to a JSON pointer. Returns its length before, to truncate it to.
pub fn enter(path: &mut String, name: &str) -> usize {
    let length = path.len();
    path.push('/');
    push_escaped(path, name);
    length
}

/// Appends a segment of a JSON pointer (RFC 6901).
pub fn push_escaped(path: &mut String, name: &str) {
    if name.contains(['~', '/']) {
        path.push_str(&name.replace('~', "~0").replace('/', "~1"));
    } else {
        path.push_str(name);
    }
}

/// Members of an object that were not taken yet; each name once.
pub struct Members<'a> {
    items: Vec<(Cow<'a, str>, Node<'a>)>,
    /// There was no object at all, which has been told: missing members are no findings of their own.
    absent: bool,
}

impl<'a> Members<'a> {
    /// Takes the member called `name`, if there is one.
    pub fn take(&mut self, name: &str) -> Option<Node<'a>> {
        let at = self.items.iter().position(|(key, _)| key == name)?;
        Some(self.items.remove(at).1)
    }

    /// Takes the member called `name`; that it is missing is a finding.
    pub fn expect(&mut self, r: &mut Reader<'_>, name: &str, instead: &str) -> Option<Node<'a>> {
        let node = self.take(name);
        if node.is_none() && !self.absent {
            r.at(name, |r| {
                r.warn(
                    "missing-member",
                    format!("the member is missing; {instead} is used"),
                )
            });
        }
        node
    }

    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.items
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, node)| node)
    }

    /// As [`Self::get`]. Of equal names within it the last has counted, as in all that is kept:
    /// else what is refused here would be accepted once it was written.
    pub fn get_read(&mut self, r: &mut Reader<'_>, name: &str) -> Option<&Node<'a>> {
        let (key, node) = self.items.iter_mut().find(|(key, _)| key == name)?;
        let whole = std::mem::replace(node, Node::Null);
        *node = r.at(key, |r| r.once(whole));
        Some(node)
    }

    pub fn clear(&mut self) {
        self.items.clear();
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|(name, _)| &**name)
    }

    /// All members, in the order of the file.
    pub fn into_items(self) -> Vec<(Cow<'a, str>, Node<'a>)> {
        self.items
    }
}
