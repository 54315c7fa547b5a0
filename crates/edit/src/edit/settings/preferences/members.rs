//! Members of the file one by one: members that this version cannot read do not affect the others, and stay
//! in the file.

use crate::edit::journal::json_error::describe;
use serde_json::{Map, Value};

/// A member that cannot be read, and the reason.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Misfit {
    /// The names of its enclosing members, and its own.
    path: Vec<String>,
    reason: String,
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.join("."), self.reason)
    }
}

/// Splits a file into the part that `fits`, and the members that do not, which are as few and small as
/// possible.
pub(super) fn split(file: &Value, fits: &dyn Fn(&Value) -> serde_json::Result<()>) -> (Value, Vec<Misfit>) {
    let (mut readable, mut misfits) = (Value::Object(Map::new()), Vec::new());
    split_member(&mut readable, &mut Vec::new(), file, fits, &mut misfits);
    (readable, misfits)
}

fn split_member(
    readable: &mut Value,
    path: &mut Vec<String>,
    member: &Value,
    fits: &dyn Fn(&Value) -> serde_json::Result<()>,
    misfits: &mut Vec<Misfit>,
) {
    let try_with = |member: Value| {
        let mut candidate = readable.clone();
        set(&mut candidate, path, member);
        fits(&candidate).map(|()| candidate)
    };
    let reason = match try_with(member.clone()) {
        Ok(fitting) => {
            *readable = fitting;
            return;
        }
        Err(reason) => describe(&reason),
    };
    match (member, try_with(Value::Object(Map::new()))) {
        (Value::Object(members), Ok(fitting)) => {
            *readable = fitting;
            for (name, member) in members {
                path.push(name.clone());
                split_member(readable, path, member, fits, misfits);
                path.pop();
            }
        }
        _ => misfits.push(Misfit { path: path.clone(), reason }),
    }
}

/// Writes misfits back as they were in `before`, except members that have changed from their `default` since.
pub(super) fn restore_misfits(value: &mut Value, misfits: &[Misfit], default: &Value, before: &Value) {
    for Misfit { path, .. } in misfits {
        if let Some(member) = get(before, path)
            && get(value, path) == get(default, path)
        {
            set(value, path, member.clone());
        }
    }
}

fn get<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

fn set(mut value: &mut Value, path: &[String], member: Value) {
    for name in path {
        let Value::Object(members) = value else { return };
        value = members.entry(name.as_str()).or_insert(Value::Null);
    }
    *value = member;
}

/// Members whose own members have arbitrary names: a member removed from them stays removed.
const MAPS: [&str; 3] = ["panels", "folders", "changed"];

/// Adds the members of `before` that `value` lacks, recursively.
pub(super) fn restore_unknown(value: &mut Value, before: &Value) {
    let (Value::Object(members), Value::Object(before)) = (value, before) else {
        return;
    };
    for (name, before) in before {
        match members.get_mut(name) {
            None => drop(members.insert(name.clone(), before.clone())),
            Some(value) if !MAPS.contains(&name.as_str()) => restore_unknown(value, before),
            Some(_) => {}
        }
    }
}
