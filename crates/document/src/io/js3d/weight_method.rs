//! The method that calculates the weights of a skinned mesh: our own member, which Scotty3D ignores. Written
//! only if it differs from the capsule radius, the default of a file without it.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::rig::weights::StoredMethod;
use crate::rig::weights::method::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name of the member, an object with `name` and parameters as on the command line
/// ([`crate::rig::weights::METHODS`]).
pub const NAME: &str = "weight_method";

/// Takes the member. An invalid value is reported and preserved: it is not ours.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>) -> Method {
    let Some(node) = m.get_deduplicated(r, NAME) else {
        return Method::default();
    };
    match method(node) {
        Some(method) => {
            m.take(NAME);
            method
        }
        None => {
            let text = "no method of calculating weights that is known here; it is kept, and weights are \
                        calculated by capsule radius";
            r.within(NAME, |r| r.warn("bad-weight-method", text));
            Method::default()
        }
    }
}

fn method(node: &Node<'_>) -> Option<Method> {
    let Node::Object(items) = node else {
        return None;
    };
    let mut stored = StoredMethod { name: String::new(), values: BTreeMap::new() };
    for (key, node) in items {
        match node {
            Node::Text(name) if key == "name" => stored.name = name.to_string(),
            _ => {
                stored.values.insert(key.to_string(), node.number()?);
            }
        }
    }
    stored.try_into().ok()
}

/// Returns the member to write, if it is not the default.
pub fn member(method: &Method) -> Option<Value> {
    if *method == Method::default() {
        return None;
    }
    let stored = StoredMethod::from(*method);
    let values = stored.values.into_iter().map(|(id, value)| {
        let number = if value.fract() == 0.0 { json!(value as i64) } else { json!(value) };
        (id, number)
    });
    let name = ("name".to_owned(), json!(stored.name));
    Some([name].into_iter().chain(values).collect())
}
