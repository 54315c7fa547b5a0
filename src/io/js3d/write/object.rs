//! Writing JSON: values into the buffer, members of an object, and the place for errors.

use super::super::WriteError;
use super::super::reader::enter;
use crate::extra::Extra;
use glam::{Quat, Vec3};
use serde::Serialize;

/// The buffer, how deep it is indented, and where in the document it is.
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

    /// A new line, indented.
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

    /// Does `f` with `name` appended to the place that errors name.
    pub fn within<T>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = enter(&mut self.path, name);
        let result = f(self);
        self.path.truncate(length);
        result
    }

    pub fn not_finite(&self) -> WriteError {
        WriteError::NotFinite {
            at: self.path.clone(),
        }
    }

    pub fn value(&mut self, value: &impl Serialize) {
        // Neither a JSON value nor a text can fail to be written to memory.
        let written = serde_json::to_writer(&mut self.out, value);
        debug_assert!(written.is_ok());
    }

    pub fn text(&mut self, text: &str) {
        self.value(&text);
    }

    /// A member behind another one; `comma`: what stands between them.
    pub fn member(&mut self, comma: &str, name: &str, value: &impl Serialize) {
        self.raw(comma);
        self.text(name);
        self.raw(":");
        self.value(value);
    }

    pub fn unsigned(&mut self, value: u32) {
        self.raw(&value.to_string());
    }

    /// The shortest text that gives the same `f32` when it is read as an `f64` and rounded, which is what
    /// Scotty3D and this program do.
    pub fn float(&mut self, value: f32) -> Result<(), WriteError> {
        if !value.is_finite() {
            return Err(self.not_finite());
        }
        let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
        let short = if plain {
            value.to_string()
        } else {
            format!("{value:e}")
        };
        // Rounding twice could hit the neighbour; the widened number cannot.
        match short.parse::<f64>() {
            Ok(wide) if (wide as f32).to_bits() == value.to_bits() => self.raw(&short),
            _ => self.raw(&format!("{:e}", f64::from(value))),
        }
        Ok(())
    }

    /// `[x,y,z]`
    pub fn numbers(&mut self, values: &[f32]) -> Result<(), WriteError> {
        for (i, value) in values.iter().enumerate() {
            self.raw(if i == 0 { "[" } else { "," });
            if self.float(*value).is_err() {
                return self.within(&i.to_string(), |w| Err(w.not_finite()));
            }
        }
        self.raw("]");
        Ok(())
    }

    /// An object with a member per line.
    pub fn object(
        &mut self,
        members: impl FnOnce(&mut Object<'_>) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.raw("{");
        self.depth += 1;
        let mut object = Object {
            w: self,
            known: Vec::new(),
            empty: true,
        };
        let result = members(&mut object);
        let empty = object.empty;
        self.depth -= 1;
        if !empty {
            self.line();
        }
        self.raw("}");
        result
    }

    /// An array with an object per line.
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
    /// Members of this format that were written; unknown members do not repeat them.
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

    /// An entry of a map of names.
    pub fn entry(
        &mut self,
        name: &str,
        value: impl FnOnce(&mut Writer) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.key(name);
        self.w.within(name, value)
    }

    /// A member of this format.
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

    /// `[0,3,7]`; nothing where there are none.
    pub fn indices(&mut self, name: &'static str, values: &[usize]) {
        if values.is_empty() {
            return;
        }
        self.known.push(name);
        self.key(name);
        let values: Vec<String> = values.iter().map(usize::to_string).collect();
        self.w.raw(&format!("[{}]", values.join(",")));
    }

    /// A member of our own.
    pub fn value(&mut self, name: &'static str, value: &impl Serialize) {
        self.known.push(name);
        self.key(name);
        self.w.value(value);
    }

    /// The unknown members, after all known ones.
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

    /// Through an `f64`, as readers do it. Every exponent, and the mantissas where spacing changes.
    #[test]
    fn floats_come_back_bit_for_bit() {
        let mut state = 0x2545_f491_u32;
        for i in 0..200_000_u32 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let edge = (i % 255) << 23;
            let bits = if i < 1000 {
                [edge, edge + 1, edge | 0x7f_ffff][i as usize % 3]
            } else {
                state
            };
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let back = serde_json::from_str::<f64>(&text(value)).unwrap() as f32;
                assert_eq!(back.to_bits(), value.to_bits(), "{value:e}");
            }
        }
    }
}
