//! Reads single values: numbers, booleans, texts, vectors, references. Values that Scotty3D repairs are
//! repaired the same way, with a finding; files with values that make Scotty3D exit are refused.

use super::ReadError;
use super::json::Node;
use super::reader::{Members, Reader};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use std::borrow::Cow;

/// The `FORMAT` of the members `scene` and `animator`.
pub const FORMAT: &str = "js3d-v1";

/// Returns the error for a value of a JSON type that makes Scotty3D exit.
fn wrong_type(r: &Reader<'_>, expected: &str, node: &Node<'_>) -> ReadError {
    let problem = format!("expected {expected}, found {}", node.kind());
    r.refuse(problem, format!("Put {expected} in its place; Scotty3D would end here."))
}

/// Reads a number, rounded to `f32`.
pub fn float(r: &mut Reader<'_>, node: &Node<'_>) -> Result<f32, ReadError> {
    let wide = node.number().ok_or_else(|| wrong_type(r, "a number", node))?;
    let value = wide as f32;
    if !value.is_finite() {
        let hint = "Numbers of a scene lie between -3.4e38 and 3.4e38.";
        return Err(r.refuse(format!("the number {wide:e} is too large"), hint));
    }
    Ok(value)
}

/// Reads an unsigned number; other numbers are rounded and clamped, with a finding.
pub fn unsigned(r: &mut Reader<'_>, node: &Node<'_>) -> Result<u32, ReadError> {
    let wide = node.number().ok_or_else(|| wrong_type(r, "a number", node))?;
    // The cast saturates: below zero is 0, too large is the maximum.
    let value = wide.round() as u32;
    if f64::from(value) != wide {
        let text = format!("{wide:?} is not an integer between 0 and 4294967295; {value} is used");
        r.warn("number-not-unsigned", text);
    }
    Ok(value)
}

pub fn boolean(r: &mut Reader<'_>, node: &Node<'_>) -> Result<bool, ReadError> {
    match node {
        Node::Bool(value) => Ok(*value),
        other => Err(wrong_type(r, "true or false", other)),
    }
}

pub fn text<'n>(r: &mut Reader<'_>, node: &'n Node<'_>) -> Result<&'n str, ReadError> {
    match node {
        Node::Text(text) => Ok(text),
        other => Err(wrong_type(r, "a text", other)),
    }
}

/// Reads `N` numbers; `None` if the value is not an array of that length.
pub fn numbers<const N: usize>(r: &mut Reader<'_>, node: &Node<'_>) -> Result<Option<[f32; N]>, ReadError> {
    let Node::Array(items) = node else { return Ok(None) };
    if items.len() != N {
        return Ok(None);
    }
    let mut values = [0.0; N];
    for (i, (value, item)) in values.iter_mut().zip(items.iter()).enumerate() {
        *value = r.within_index(i, |r| float(r, &item))?;
    }
    Ok(Some(values))
}

pub fn vec2(r: &mut Reader<'_>, node: &Node<'_>) -> Result<Option<Vec2>, ReadError> {
    Ok(numbers::<2>(r, node)?.map(Vec2::from_array))
}
pub fn vec3(r: &mut Reader<'_>, node: &Node<'_>) -> Result<Option<Vec3>, ReadError> {
    Ok(numbers::<3>(r, node)?.map(Vec3::from_array))
}
pub fn vec4(r: &mut Reader<'_>, node: &Node<'_>) -> Result<Option<Vec4>, ReadError> {
    Ok(numbers::<4>(r, node)?.map(Vec4::from_array))
}
pub fn quat(r: &mut Reader<'_>, node: &Node<'_>) -> Result<Option<Quat>, ReadError> {
    Ok(numbers::<4>(r, node)?.map(Quat::from_array))
}
pub fn mat4(r: &mut Reader<'_>, node: &Node<'_>) -> Result<Option<Mat4>, ReadError> {
    Ok(numbers::<16>(r, node)?.map(|columns| Mat4::from_cols_array(&columns)))
}

/// Methods that take a member of one type: if it is missing, the default with a finding.
impl Members<'_> {
    fn read<T>(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        default: T,
        shown: &str,
        read: impl FnOnce(&mut Reader<'_>, &Node<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        match self.expect(r, name, shown) {
            Some(node) => r.within(name, |r| read(r, &node)),
            None => Ok(default),
        }
    }

    pub fn float(&mut self, r: &mut Reader<'_>, name: &str, default: f32) -> Result<f32, ReadError> {
        self.read(r, name, default, &default.to_string(), float)
    }

    pub fn unsigned(&mut self, r: &mut Reader<'_>, name: &str, default: u32) -> Result<u32, ReadError> {
        self.read(r, name, default, &default.to_string(), unsigned)
    }

    pub fn boolean(&mut self, r: &mut Reader<'_>, name: &str, default: bool) -> Result<bool, ReadError> {
        self.read(r, name, default, &default.to_string(), boolean)
    }

    /// Takes a vector; one of the wrong length becomes zero, not the default.
    pub fn vec3(&mut self, r: &mut Reader<'_>, name: &str, default: Vec3) -> Result<Vec3, ReadError> {
        self.read(r, name, default, &default.to_string(), |r, node| {
            Ok(vec3(r, node)?.unwrap_or_else(|| bad_vector(r, node, 3, "zero", Vec3::ZERO)))
        })
    }

    /// Takes a rotation; one of the wrong length becomes the identity. It is not normalised.
    pub fn rotation(&mut self, r: &mut Reader<'_>, name: &str) -> Result<Quat, ReadError> {
        self.read(r, name, Quat::IDENTITY, "the identity", |r, node| {
            let value = quat(r, node)?;
            let value = value.unwrap_or_else(|| bad_vector(r, node, 4, "the identity", Quat::IDENTITY));
            let length = value.as_dquat().length();
            if (length - 1.0).abs() > 1e-3 {
                r.note(
                    "rotation-not-unit",
                    format!("the quaternion has length {length:.6}, not 1; it is kept"),
                );
            }
            Ok(value)
        })
    }

    /// Takes one of `choices`; an unknown one becomes the first of them.
    pub fn choice(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        choices: &[&str],
        default: &str,
    ) -> Result<String, ReadError> {
        self.read(r, name, default.to_owned(), default, |r, node| {
            let found = text(r, node)?;
            if choices.contains(&found) {
                return Ok(found.to_owned());
            }
            let message =
                format!("\"{}\" is not one of {}; {} is used", shorten(found), list(choices), choices[0]);
            r.warn("unknown-choice", message);
            Ok(choices[0].to_owned())
        })
    }

    /// Takes the kind of a resource, in the member `type`; an unknown one becomes the first of `kinds`.
    pub fn kind(&mut self, r: &mut Reader<'_>, kinds: &[&str], default: &str) -> Result<String, ReadError> {
        self.read(r, "type", default.to_owned(), default, |r, node| {
            let found = text(r, node)?;
            if kinds.contains(&found) {
                return Ok(found.to_owned());
            }
            let message = format!("unknown type \"{}\"; it is read as {}", shorten(found), kinds[0]);
            r.warn("unknown-type", message);
            Ok(kinds[0].to_owned())
        })
    }

    /// Takes the name of a resource in the map `map`, whose entries `exists` knows. An unknown name becomes
    /// `None`.
    pub fn reference(
        &mut self,
        r: &mut Reader<'_>,
        name: &str,
        map: &str,
        exists: impl Fn(&str) -> bool,
    ) -> Result<Option<String>, ReadError> {
        let may_be_null = name == "parent";
        self.read(r, name, None, "null", |r, node| {
            match node {
                Node::Null if may_be_null => {}
                Node::Null => {
                    r.note(
                        "null-reference",
                        format!("nothing is referred to; a name in {map} is needed here"),
                    );
                }
                Node::Text(found) if exists(found) => return Ok(Some(found.to_string())),
                Node::Text(found) => {
                    let text = format!("\"{}\" is not in {map}; the reference becomes null", shorten(found));
                    r.warn("dangling-reference", text);
                }
                other => {
                    let found = other.kind();
                    let text = format!("expected a name in {map}, found {found}; the reference becomes null");
                    r.warn("bad-reference", text);
                }
            }
            Ok(None)
        })
    }

    /// Takes the member `FORMAT`, which only states which rules the object follows.
    pub fn format(&mut self, r: &mut Reader<'_>, expected: &str) {
        if let Some(node) = self.expect(r, "FORMAT", expected)
            && !matches!(&node, Node::Text(found) if found == expected)
        {
            let text = format!("the format is not \"{expected}\"; it is read as if it were");
            r.within("FORMAT", |r| r.warn("unknown-format", text));
        }
    }
}

fn bad_vector<T>(r: &mut Reader<'_>, node: &Node<'_>, length: usize, shown: &str, value: T) -> T {
    let found = match node {
        Node::Array(items) => format!("{} of them", items.len()),
        other => other.kind().to_owned(),
    };
    r.warn("bad-vector", format!("expected an array of {length} numbers, found {found}; {shown} is used"));
    value
}

/// Shortens text from a file for a message.
pub fn shorten(text: &str) -> Cow<'_, str> {
    if text.len() <= 60 {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(60)]))
}

fn list(choices: &[&str]) -> String {
    choices.join(", ")
}
