//! Commands as earlier versions wrote them into scripts and journals: each property of a bone, a handle or the
//! skeleton had one of its own.

use serde_json::{Value, json};

/// The old command, its members with the part and with the value, the property, and the type of the value.
#[rustfmt::skip]
const OLD: [[&str; 5]; 21] = [
    ["set_extent", "bone", "extent", "extent", "vec3"],
    ["set_roll", "bone", "roll_deg", "roll", "float"],
    ["set_radius", "bone", "radius", "radius", "float"],
    ["set_pose", "bone", "pose_deg", "pose", "vec3"],
    ["set_base", "", "base", "base", "vec3"],
    ["set_base_offset", "", "base_offset", "base_offset", "vec3"],
    ["set_handle_target", "handle", "target", "target", "vec3"],
    ["set_handle_enabled", "handle", "enabled", "enabled", "bool"],
    ["set_handle_chain", "handle", "chain", "chain", "optional_unsigned"],
    ["set_handle_weight", "handle", "weight", "weight", "float"],
    ["set_posing limits", "bone", "limits", "limits", "limits"],
    ["set_posing stiffness", "bone", "stiffness", "stiffness", "vec3"],
    ["set_posing preferred", "bone", "pose_deg", "preferred", "optional_vec3"],
    ["set_posing orientation", "handle", "orientation", "orientation", "orientation"],
    ["set_posing pole", "handle", "pole", "pole", "pole"],
    ["set_posing look_at", "handle", "look_at", "look_at", "look_at"],
    ["set_posing pinned", "handle", "pinned", "pinned", "bool"],
    ["set_posing root_free", "", "root_free", "root_free", "bool"],
    ["set_posing balance", "", "balance", "balance", "bool"],
    ["set_posing prior", "", "prior", "ik_prior", "float"],
    ["lock_weights", "bone", "locked", "lock_weights", "bool"],
];

/// The types of values that may be left out, which means none.
const OPTIONAL: [&str; 5] = ["optional_unsigned", "optional_vec3", "orientation", "pole", "look_at"];

/// Returns the present form of a command, or `None` if it is not an old one.
///
/// # Errors
/// If it is one without a necessary member: a message as by serde.
pub fn updated(command: &Value) -> Result<Option<Value>, String> {
    let Some((name, members)) = old_command(command) else { return Ok(None) };
    let member = |name: &str| members.get(name).ok_or_else(|| format!("missing field `{name}`"));
    let mesh = command.get("mesh").ok_or("missing field `mesh`")?;
    if name == "set_posing mirror_of" {
        let (bone, other) = (member("bone")?, members.get("other"));
        return Ok(Some(json!({"command": "pair_bones", "mesh": mesh, "bone": bone, "other": other})));
    }
    let Some([_, part, value, property, kind]) = OLD.iter().find(|[old, ..]| *old == name) else {
        return Ok(None);
    };
    let parts = match (*part, members.get("bones")) {
        ("", _) => json!(["base"]),
        (_, Some(Value::Array(bones))) if bones.is_empty() => {
            return Err("the list of bones is empty".to_owned());
        }
        (_, Some(Value::Array(bones))) => bones.iter().map(|bone| json!({"bone": bone})).collect(),
        (part, _) => json!([{part: member(part)?}]),
    };
    let value = if OPTIONAL.contains(kind) { members.get(value) } else { Some(member(value)?) };
    let (object, value) = (json!({"kind": "skinned_mesh", "name": mesh}), json!({*kind: value}));
    Ok(Some(json!({
        "command": "set_property", "of": object, "parts": parts, "property": property, "value": value
    })))
}

/// Returns the name of a command and its members; of a setting of inverse kinematics those of the setting.
fn old_command(command: &Value) -> Option<(String, Value)> {
    let name = command.get("command")?.as_str()?;
    if name != "set_posing" {
        let is_old = OLD.iter().any(|[old, ..]| *old == name);
        return is_old.then(|| (name.to_owned(), command.clone()));
    }
    let (setting, value) = command.get("value")?.as_object()?.iter().next()?;
    let members = if value.is_object() { value.clone() } else { json!({setting: value}) };
    Some((format!("{name} {setting}"), members))
}
