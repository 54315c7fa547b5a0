//! State shared by all readers of this format: the present place in the document, the findings so far, and
//! members of objects that were not taken yet.

use super::ReadError;
use super::json::Node;
use super::repair::MAX_REPAIRS;
use crate::extra::array::Array;
use crate::extra::{Extra, Value};
use crate::io::report::{Report, Severity};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The maximum number of findings listed per code; the rest are counted.
pub const MAX_FINDINGS_PER_CODE: usize = 100;

/// The maximum number of repairs; files with more are refused.
pub const MAX_TOTAL_REPAIRS: usize = 1 << 20;

/// The maximum length of JSON pointers in findings; longer ones are truncated (a name may have megabytes).
const MAX_POINTER: usize = 1000;

/// The present place in the document, and the findings.
pub struct Reader<'r> {
    report: &'r mut Report,
    path: String,
    counts: BTreeMap<&'static str, Count>,
}

/// The findings of one code: their number, and the severity of the worst.
struct Count {
    severity: Severity,
    loss: bool,
    number: usize,
}

impl<'r> Reader<'r> {
    pub fn new(report: &'r mut Report) -> Self {
        Self { report, path: String::new(), counts: BTreeMap::new() }
    }

    /// Calls `f` within the member `name` of the present place.
    pub fn within<T>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = enter(&mut self.path, name);
        let result = f(self);
        self.path.truncate(length);
        result
    }

    /// Calls `f` within the element `index` of the present place.
    pub fn within_index<T>(&mut self, index: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        self.within(&index.to_string(), f)
    }

    /// Returns the JSON pointer of the present place.
    fn pointer(&self) -> String {
        if self.path.len() <= MAX_POINTER {
            return self.path.clone();
        }
        format!("{}…", &self.path[..self.path.floor_char_boundary(MAX_POINTER)])
    }

    /// Adds a finding about the present place.
    pub fn report(&mut self, severity: Severity, code: &'static str, text: impl Into<String>) {
        self.add(severity, false, code, text.into());
    }

    /// Truncates or fills the array that is the member `name`, with a finding. `length` is the length of
    /// another array of the file, so that the filled part is bounded by the file.
    pub fn resize<T: Clone>(
        &mut self,
        (name, severity): (&str, Severity),
        items: &mut Vec<T>,
        length: usize,
        fill: T,
    ) {
        let found = items.len();
        if found == length {
            return;
        }
        items.resize(length, fill);
        let action = if found > length { "cut" } else { "filled up" };
        let text = format!("the array has {found} entries where {length} are needed; it is {action}");
        self.within(name, |r| r.add(severity, found > length, "wrong-array-length", text));
    }

    /// Adds a finding about a part of the file that is not read, and so is not written back.
    pub fn report_loss(&mut self, severity: Severity, code: &'static str, text: impl Into<String>) {
        self.add(severity, true, code, text.into());
    }

    fn add(&mut self, severity: Severity, loss: bool, code: &'static str, text: String) {
        let count = self.counts.entry(code).or_insert(Count { severity, loss, number: 0 });
        count.severity = count.severity.max(severity);
        count.loss |= loss;
        count.number += 1;
        if count.number <= MAX_FINDINGS_PER_CODE {
            let pointer = self.pointer();
            if loss {
                self.report.add_loss(severity, code, pointer, text)
            } else {
                self.report.add(severity, code, pointer, text)
            }
        }
    }

    /// Adds a finding about something unusual that is left unchanged.
    pub fn note(&mut self, code: &'static str, text: impl Into<String>) {
        self.report(Severity::Note, code, text);
    }

    /// Adds a finding about a repair.
    pub fn warn(&mut self, code: &'static str, text: impl Into<String>) {
        self.report(Severity::Warning, code, text);
    }

    /// Returns the error for a value at the present place that no scene can have.
    pub fn refuse(&self, problem: impl Into<String>, hint: impl Into<String>) -> ReadError {
        ReadError::Value { problem: problem.into(), pointer: self.pointer(), hint: hint.into() }
    }

    /// Adds findings with the numbers of those that were only counted.
    pub fn finish(self) {
        for (code, count) in self.counts {
            if let Some(omitted @ 1..) = count.number.checked_sub(MAX_FINDINGS_PER_CODE) {
                let text = format!("and {omitted} more findings of this kind");
                if count.loss {
                    self.report.add_loss(count.severity, code, "", text)
                } else {
                    self.report.add(count.severity, code, "", text)
                }
            }
        }
    }

    /// Returns the members of an object. The last of equal names counts, as in Scotty3D.
    pub fn members<'a>(&mut self, object: Vec<(Cow<'a, str>, Node<'a>)>) -> Members<'a> {
        Members { items: self.without_duplicates(object), absent: false }
    }

    /// Returns the members of an object like [`Reader::members`]; a value that is not an object has none,
    /// which is a finding.
    pub fn object<'a>(&mut self, node: Node<'a>) -> Members<'a> {
        match node {
            Node::Object(items) => self.members(items),
            other => {
                let found = other.kind();
                self.report_loss(
                    Severity::Warning,
                    "not-an-object",
                    format!("expected an object, found {found}; defaults are used"),
                );
                Members { items: Vec::new(), absent: true }
            }
        }
    }

    /// Returns the members of one of many entries.
    ///
    /// # Errors
    /// If so much had to be repaired that the file is not a scene: each unreadable entry takes the memory of
    /// a whole one.
    pub fn entry<'a>(&mut self, node: Node<'a>) -> Result<Members<'a>, ReadError> {
        let members = self.object(node);
        let not_objects = self.counts.get("not-an-object").map_or(0, |count| count.number);
        let repairs = self.counts.values().filter(|count| count.severity > Severity::Note);
        let repairs: usize = repairs.map(|count| count.number).sum();
        if not_objects > MAX_REPAIRS || repairs > MAX_TOTAL_REPAIRS {
            let hint = "The file is damaged, or another program's; save the scene again where it was made";
            return Err(self.refuse("there is more to repair than to read", hint));
        }
        Ok(members)
    }

    /// Returns the items of an array; any other value is a finding and counts as empty.
    pub fn array<'a>(&mut self, node: Node<'a>) -> Array<Node<'a>> {
        match node {
            Node::Array(items) => items,
            other => {
                let found = other.kind();
                self.report_loss(
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
                self.within(&item.0, |r| r.warn("duplicate-member", text));
            }
            let mut dropped = dropped.into_iter();
            items.retain(|_| !dropped.next().unwrap_or(false));
        }
        items
    }

    /// Removes duplicate names in every object within a value.
    fn deduplicated<'a>(&mut self, node: Node<'a>) -> Node<'a> {
        match node {
            Node::Array(items) => {
                Node::Array(items.map(|i, item| self.within_index(i, |r| r.deduplicated(item))))
            }
            Node::Object(items) => {
                let items = self.without_duplicates(items).into_iter();
                Node::Object(
                    items
                        .map(|(name, item)| {
                            let item = self.within(&name, |r| r.deduplicated(item));
                            (name, item)
                        })
                        .collect(),
                )
            }
            other => other,
        }
    }

    /// Converts an unknown value, to preserve it.
    pub fn value(&mut self, node: Node<'_>) -> Value {
        match node {
            Node::Null => Value::Null,
            Node::Bool(value) => Value::Bool(value),
            Node::Unsigned(value) => Value::Unsigned(value),
            Node::Signed(value) => Value::Signed(value),
            Node::Float(value) => Value::Float(value),
            Node::Text(text) => Value::Text(text.into()),
            Node::Array(items) => Value::Array(items.map(|i, item| self.within_index(i, |r| r.value(item)))),
            Node::Object(items) => {
                let items = self.without_duplicates(items).into_iter();
                Value::Object(
                    items
                        .map(|(name, item)| {
                            let value = self.within(&name, |r| r.value(item));
                            (name.into(), value)
                        })
                        .collect(),
                )
            }
        }
    }

    /// Returns the members that were not taken.
    pub fn rest(&mut self, members: Members<'_>) -> Extra {
        let items = members.items.into_iter();
        Extra(items.map(|(name, node)| (name.to_string(), self.within(&name, |r| r.value(node)))).collect())
    }
}

/// Appends a separator and a segment to a JSON pointer. Returns its previous length, to truncate it again.
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

/// The members of an object that were not taken yet, without duplicate names.
pub struct Members<'a> {
    items: Vec<(Cow<'a, str>, Node<'a>)>,
    /// Whether there was no object at all, which has been reported: missing members are no further findings.
    absent: bool,
}

impl<'a> Members<'a> {
    /// Takes the member called `name`, if there is one.
    pub fn take(&mut self, name: &str) -> Option<Node<'a>> {
        let index = self.items.iter().position(|(key, _)| key == name)?;
        Some(self.items.remove(index).1)
    }

    /// Takes the member called `name`; if it is missing, adds a finding, which names the `fallback`.
    pub fn expect(&mut self, r: &mut Reader<'_>, name: &str, fallback: &str) -> Option<Node<'a>> {
        let node = self.take(name);
        if node.is_none() && !self.absent {
            r.within(name, |r| {
                r.warn("missing-member", format!("the member is missing; {fallback} is used"))
            });
        }
        node
    }

    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.items.iter().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    /// Returns a member like [`Self::get`], after removing duplicate names within it, as in all preserved
    /// values: otherwise a value that is refused here would be accepted once it was written.
    pub fn get_deduplicated(&mut self, r: &mut Reader<'_>, name: &str) -> Option<&Node<'a>> {
        let (key, node) = self.items.iter_mut().find(|(key, _)| key == name)?;
        let taken = std::mem::replace(node, Node::Null);
        *node = r.within(key, |r| r.deduplicated(taken));
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
