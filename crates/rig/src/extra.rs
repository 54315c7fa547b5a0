//! Unknown members of a file, which must be preserved.

pub mod array;

use array::{Array, Scalar};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

/// A JSON value. Unlike those of `serde_json::Value`, its objects keep the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(Box<str>),
    Array(Array<Value>),
    /// Members without duplicate names.
    Object(Box<[(Box<str>, Value)]>),
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Unsigned(value) => Value::Unsigned(value),
            Scalar::Signed(value) => Value::Signed(value),
            Scalar::Float(value) => Value::Float(value),
        }
    }
}

impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(value) => Value::Bool(value),
            serde_json::Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => Value::Unsigned(value),
                (None, Some(value)) => Value::Signed(value),
                (None, None) => Value::Float(number.as_f64().unwrap_or_default()),
            },
            serde_json::Value::String(text) => Value::Text(text.into()),
            serde_json::Value::Array(items) => {
                let mut array = array::Builder::default();
                items.into_iter().for_each(|item| array.push(scalar(item.into())));
                Value::Array(array.finish())
            }
            serde_json::Value::Object(members) => {
                Value::Object(members.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
            }
        }
    }
}

/// Returns a value that is neither a text nor a list nor an object as what arrays store densely.
fn scalar(value: Value) -> Result<Scalar, Value> {
    match value {
        Value::Null => Ok(Scalar::Null),
        Value::Bool(value) => Ok(Scalar::Bool(value)),
        Value::Unsigned(value) => Ok(Scalar::Unsigned(value)),
        Value::Signed(value) => Ok(Scalar::Signed(value)),
        Value::Float(value) => Ok(Scalar::Float(value)),
        value => Err(value),
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Unsigned(value) => serializer.serialize_u64(*value),
            Value::Signed(value) => serializer.serialize_i64(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut array = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| array.serialize_element(&*item))?;
                array.end()
            }
            Value::Object(members) => {
                let mut object = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    object.serialize_entry(name, value)?;
                }
                object.end()
            }
        }
    }
}

/// The unknown members of one JSON object, in file order. They are written back after the known members.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra(pub Vec<(String, Value)>);

impl Extra {
    /// Returns the member called `name`, if the file had one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Sets or replaces the member called `name`.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some(slot) => slot.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }
}
