//! Damaged scenes, and what must become of them: repaired with one finding, or refused.

use super::{everything, text};
use ossature::io::js3d::{self, ReadError};
use ossature::io::report::Severity;
use ossature::scene::Scene;
use serde_json::Value;

/// Returns the scene with `value` at a JSON pointer; `None` removes the member.
pub fn changed(at: &str, value: Option<Value>) -> Vec<u8> {
    let mut document = everything();
    let (parent, name) = at.rsplit_once('/').unwrap();
    let name = name.replace("~1", "/").replace("~0", "~");
    match (document.pointer_mut(parent).unwrap(), value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name, value)),
        (Value::Object(members), None) => drop(members.remove(&name).expect("the member was there")),
        (Value::Array(items), Some(value)) => items[name.parse::<usize>().unwrap()] = value,
        (Value::Array(items), None) => drop(items.remove(name.parse().unwrap())),
        _ => panic!("{parent} has no members"),
    }
    text(&document)
}

/// Reads a file that must be repaired: exactly one finding, with this code, at this place.
pub fn repaired(bytes: &[u8], code: &str, at: &str) -> Scene {
    let (scene, report) = js3d::read(bytes).unwrap_or_else(|error| panic!("{code}: {error}"));
    let found: Vec<(&str, &str)> = report.findings.iter().map(|f| (f.code, &*f.at)).collect();
    assert_eq!(found, [(code, at)], "{report:#?}");
    // The repaired scene can be written, and is valid from then on (or still merely odd).
    let written = js3d::write(&scene).unwrap();
    let (again, report) = js3d::read(&written).unwrap();
    assert!(again == scene, "{code}");
    assert!(report.findings.iter().all(|finding| finding.severity != Severity::Warning), "{report:#?}");
    scene
}

pub fn repairs(at: &str, value: Value, code: &str) -> Scene {
    repaired(&changed(at, Some(value)), code, at)
}

/// Checks that a file is refused at this place, with a message that describes the problem and ends with the
/// remedy.
pub fn refused(bytes: &[u8], at: &str) -> String {
    let error = js3d::read(bytes).map(|(_, report)| report).expect_err("refused");
    let ReadError::Value { pointer: found, hint, .. } = &error else { panic!("{error}") };
    assert_eq!(found, at, "{error}");
    let message = error.to_string();
    let hint = hint.trim_end_matches('.');
    assert!(hint.len() > 20 && message.ends_with(hint), "{message}");
    message
}

pub fn refuses(at: &str, value: Value) -> String {
    refused(&changed(at, Some(value)), at)
}
