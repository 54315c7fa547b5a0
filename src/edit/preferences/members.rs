//! The members of the file one by one: those that this version cannot read leave the others as they are, and stay in
//! the file.

use crate::edit::plain::plain;
use serde_json::{Map, Value};

/// A member that cannot be read, and why.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Misfit {
    /// The names of the members that it is in, and its own.
    path: Vec<String>,
    why: String,
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.join("."), self.why)
    }
}

/// What of a file `fits`, and what does not, which is as little as can be.
pub(super) fn sift(file: &Value, fits: &dyn Fn(&Value) -> serde_json::Result<()>) -> (Value, Vec<Misfit>) {
    let (mut kept, mut misfits) = (Value::Object(Map::new()), Vec::new());
    sift_member(&mut kept, &mut Vec::new(), file, fits, &mut misfits);
    (kept, misfits)
}

fn sift_member(
    kept: &mut Value,
    path: &mut Vec<String>,
    member: &Value,
    fits: &dyn Fn(&Value) -> serde_json::Result<()>,
    misfits: &mut Vec<Misfit>,
) {
    let with = |member: Value| {
        let mut tried = kept.clone();
        put(&mut tried, path, member);
        fits(&tried).map(|()| tried)
    };
    let why = match with(member.clone()) {
        Ok(fitting) => {
            *kept = fitting;
            return;
        }
        Err(why) => plain(&why),
    };
    match (member, with(Value::Object(Map::new()))) {
        (Value::Object(members), Ok(fitting)) => {
            *kept = fitting;
            for (name, member) in members {
                path.push(name.clone());
                sift_member(kept, path, member, fits, misfits);
                path.pop();
            }
        }
        _ => misfits.push(Misfit {
            path: path.clone(),
            why,
        }),
    }
}

/// Writes misfits back as they were `before`, except for what has been changed from its `default` since.
pub(super) fn put_back(value: &mut Value, misfits: &[Misfit], default: &Value, before: &Value) {
    for Misfit { path, .. } in misfits {
        if let Some(member) = get(before, path)
            && get(value, path) == get(default, path)
        {
            put(value, path, member.clone());
        }
    }
}

fn get<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

fn put(mut value: &mut Value, path: &[String], member: Value) {
    for name in path {
        let Value::Object(members) = value else { return };
        value = members.entry(name.as_str()).or_insert(Value::Null);
    }
    *value = member;
}

/// Members whose own members have names that are no part of the description: what is gone from them is gone.
const LISTS: [&str; 3] = ["panels", "folders", "changed"];

/// Gives `value` the members of `before` that it has not, and so with what is in its members.
pub(super) fn keep(value: &mut Value, before: &Value) {
    let (Value::Object(members), Value::Object(before)) = (value, before) else {
        return;
    };
    for (name, before) in before {
        match members.get_mut(name) {
            None => drop(members.insert(name.clone(), before.clone())),
            Some(value) if !LISTS.contains(&name.as_str()) => keep(value, before),
            Some(_) => {}
        }
    }
}
