//! Writes JSON: values into a buffer, members of an object, and the place for errors.

use super::super::WriteError;
use super::super::reader::enter;
use crate::extra::Extra;
use glam::{Quat, Vec3};
use serde::Serialize;

/// The output buffer, the depth of indentation, and the present place in the document.
#[derive(Default)]
pub struct Writer {
    pub out: Vec<u8>,
    depth: usize,
    path: String,
}

impl Writer {
    pub fn raw(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Begins a new indented line.
    pub fn line(&mut self) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + self.depth, b'\t');
    }

    pub fn indented<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Calls `f` with `name` appended to the place for errors.
    pub fn within<T>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = enter(&mut self.path, name);
        let result = f(self);
        self.path.truncate(length);
        result
    }

    pub fn not_finite(&self) -> WriteError {
        WriteError::NotFinite { pointer: self.path.clone() }
    }

    pub fn value(&mut self, value: &impl Serialize) {
        // Writing a JSON value or text to memory cannot fail.
        let written = serde_json::to_writer(&mut self.out, value);
        debug_assert!(written.is_ok());
    }

    pub fn text(&mut self, text: &str) {
        self.value(&text);
    }

    /// Writes a member after another one, separated by `comma`.
    pub fn member(&mut self, comma: &str, name: &str, value: &impl Serialize) {
        self.raw(comma);
        self.text(name);
        self.raw(":");
        self.value(value);
    }

    pub fn unsigned(&mut self, value: u32) {
        self.raw(&value.to_string());
    }

    /// Writes the shortest text that gives the same `f32` when it is read as an `f64` and rounded, as
    /// Scotty3D and this program do.
    pub fn float(&mut self, value: f32) -> Result<(), WriteError> {
        if !value.is_finite() {
            return Err(self.not_finite());
        }
        let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
        let short = if plain { value.to_string() } else { format!("{value:e}") };
        // Rounding twice could give the neighbour; the widened number cannot.
        match short.parse::<f64>() {
            Ok(wide) if (wide as f32).to_bits() == value.to_bits() => self.raw(&short),
            _ => self.raw(&format!("{:e}", f64::from(value))),
        }
        Ok(())
    }

    /// Writes `[x,y,z]`.
    pub fn numbers(&mut self, values: &[f32]) -> Result<(), WriteError> {
        for (index, value) in values.iter().enumerate() {
            self.raw(if index == 0 { "[" } else { "," });
            if self.float(*value).is_err() {
                return self.within(&index.to_string(), |w| Err(w.not_finite()));
            }
        }
        self.raw("]");
        Ok(())
    }

    /// Writes an object with one member per line.
    pub fn object(
        &mut self,
        members: impl FnOnce(&mut Object<'_>) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.raw("{");
        self.depth += 1;
        let mut object = Object { w: self, known: Vec::new(), empty: true };
        let result = members(&mut object);
        let empty = object.empty;
        self.depth -= 1;
        if !empty {
            self.line();
        }
        self.raw("}");
        result
    }

    /// Writes an array with one object per line.
    pub fn objects<T>(
        &mut self,
        items: &[T],
        members: fn(&mut Object<'_>, &T) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.raw("[");
        self.indented(|w| {
            for (i, item) in items.iter().enumerate() {
                w.raw(if i == 0 { "" } else { "," });
                w.line();
                w.within(&i.to_string(), |w| w.object(|o| members(o, item)))?;
            }
            Ok(())
        })?;
        if !items.is_empty() {
            self.line();
        }
        self.raw("]");
        Ok(())
    }
}

/// An object that is being written.
pub struct Object<'w> {
    w: &'w mut Writer,
    /// The members of this format written so far; unknown members do not repeat them.
    known: Vec<&'static str>,
    empty: bool,
}

impl Object<'_> {
    fn key(&mut self, name: &str) {
        self.w.raw(if self.empty { "" } else { "," });
        self.empty = false;
        self.w.line();
        self.w.text(name);
        self.w.raw(":");
    }

    /// Writes an entry of a map of names.
    pub fn entry(
        &mut self,
        name: &str,
        value: impl FnOnce(&mut Writer) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.key(name);
        self.w.within(name, value)
    }

    /// Writes a member of this format.
    pub fn member(
        &mut self,
        name: &'static str,
        value: impl FnOnce(&mut Writer) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.known.push(name);
        self.entry(name, value)
    }

    pub fn float(&mut self, name: &'static str, value: f32) -> Result<(), WriteError> {
        self.member(name, |w| w.float(value))
    }

    pub fn vec3(&mut self, name: &'static str, value: Vec3) -> Result<(), WriteError> {
        self.member(name, |w| w.numbers(&value.to_array()))
    }

    pub fn quat(&mut self, name: &'static str, value: Quat) -> Result<(), WriteError> {
        self.member(name, |w| w.numbers(&value.to_array()))
    }

    pub fn unsigned(&mut self, name: &'static str, value: u32) {
        self.known.push(name);
        self.key(name);
        self.w.unsigned(value);
    }

    pub fn boolean(&mut self, name: &'static str, value: bool) {
        self.known.push(name);
        self.key(name);
        self.w.raw(if value { "true" } else { "false" });
    }

    pub fn text(&mut self, name: &'static str, value: &str) {
        self.known.push(name);
        self.key(name);
        self.w.text(value);
    }

    pub fn reference(&mut self, name: &'static str, value: Option<&str>) {
        self.known.push(name);
        self.key(name);
        match value {
            Some(value) => self.w.text(value),
            None => self.w.raw("null"),
        }
    }

    /// Writes `[0,3,7]`; nothing if it is empty.
    pub fn indices(&mut self, name: &'static str, values: &[usize]) {
        if values.is_empty() {
            return;
        }
        self.known.push(name);
        self.key(name);
        let values: Vec<String> = values.iter().map(usize::to_string).collect();
        self.w.raw(&format!("[{}]", values.join(",")));
    }

    /// Writes our own member.
    pub fn value(&mut self, name: &'static str, value: &impl Serialize) {
        self.known.push(name);
        self.key(name);
        self.w.value(value);
    }

    /// Writes the unknown members, after all known ones.
    pub fn extra(&mut self, extra: &Extra) {
        for (name, value) in &extra.0 {
            if !self.known.contains(&name.as_str()) {
                self.key(name);
                self.w.value(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f32) -> String {
        let mut w = Writer::default();
        w.float(value).unwrap();
        String::from_utf8(w.out).unwrap()
    }

    #[test]
    fn floats_are_short() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (-1.5, "-1.5"),
            (16_777_216.0, "16777216"),
            (1e-7, "1e-7"),
            (f32::MAX, "3.4028235e38"),
            (f32::from_bits(1), "1e-45"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(value), expected);
        }
        assert!(Writer::default().float(f32::NAN).is_err());
    }

    /// Reads back through an `f64`, as readers do. Covers every exponent, and the mantissas where spacing
    /// changes.
    #[test]
    fn floats_come_back_bit_for_bit() {
        let mut state = 0x2545_f491_u32;
        for i in 0..200_000_u32 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let edge = (i % 255) << 23;
            let bits = if i < 1000 { [edge, edge + 1, edge | 0x7f_ffff][i as usize % 3] } else { state };
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let back = serde_json::from_str::<f64>(&text(value)).unwrap() as f32;
                assert_eq!(back.to_bits(), value.to_bits(), "{value:e}");
            }
        }
    }
}
