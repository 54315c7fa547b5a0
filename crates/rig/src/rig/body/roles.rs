//! The roles of bones in a body, by their names: those of Mixamo, CMU, VRM, Rigify, Unreal and this program.

use crate::rig::skeleton::Bone;

/// The role of a bone in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Hips,
    Spine,
    Neck,
    Head,
    Shoulder,
    /// The shoulder blade of an animal, which carries its foreleg.
    Scapula,
    UpperArm,
    Forearm,
    Hand,
    Thumb,
    Finger,
    /// The bone from the pelvis to the start of the leg, which is not a joint.
    HipBone,
    Thigh,
    Shin,
    Foot,
    Toes,
}

/// The parts of names and their roles; the first match counts. With `=`, the whole name must match.
const NAMES: [(&str, Role); 39] = [
    ("thumb", Role::Thumb),
    ("toe", Role::Toes),
    ("=ball", Role::Toes),
    ("finger", Role::Finger),
    ("index", Role::Finger),
    ("middle", Role::Finger),
    ("ring", Role::Finger),
    ("pinky", Role::Finger),
    ("little", Role::Finger),
    ("palm", Role::Finger),
    ("hand", Role::Hand),
    ("wrist", Role::Hand),
    ("forearm", Role::Forearm),
    ("lowerarm", Role::Forearm),
    ("elbow", Role::Forearm),
    ("upperarm", Role::UpperArm),
    ("=arm", Role::UpperArm),
    ("scapula", Role::Scapula),
    ("clavicle", Role::Shoulder),
    ("shoulder", Role::Shoulder),
    ("collar", Role::Shoulder),
    ("shin", Role::Shin),
    ("calf", Role::Shin),
    ("knee", Role::Shin),
    ("lowerleg", Role::Shin),
    ("=leg", Role::Shin),
    ("thigh", Role::Thigh),
    ("upleg", Role::Thigh),
    ("upperleg", Role::Thigh),
    ("foot", Role::Foot),
    ("ankle", Role::Foot),
    ("=hips", Role::Hips),
    ("pelvis", Role::Hips),
    ("=hip", Role::HipBone),
    ("hipjoint", Role::HipBone),
    ("neck", Role::Neck),
    ("head", Role::Head),
    ("spine", Role::Spine),
    ("chest", Role::Spine),
];

/// Returns the role of a bone with this name.
pub fn role(name: &str) -> Option<Role> {
    let name = name.rsplit(':').next()?;
    let name = name.strip_prefix("DEF-").unwrap_or(name);
    // Words begin at capitals and end at non-letters.
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    let side = |word: &String| matches!(word.as_str(), "left" | "right" | "l" | "r");
    let plain: String = words.into_iter().filter(|word| !side(word)).collect();
    let matches = |part: &str| match part.strip_prefix('=') {
        Some(whole) => plain == whole,
        None => plain.contains(part),
    };
    let found = NAMES.iter().find(|(part, _)| matches(part));
    found.map(|(_, role)| *role).or((plain == "lowerback").then_some(Role::Spine))
}

/// Whether the name of a bone says that it ends at a knee or above the legs.
pub fn is_above_knee(bone: &Bone) -> bool {
    matches!(bone_role(bone), Some(Role::Thigh | Role::HipBone | Role::Hips))
}

/// Whether the name of a bone says that it is one of the two long bones of a leg.
pub fn is_of_leg(bone: &Bone) -> bool {
    matches!(bone_role(bone), Some(Role::Thigh | Role::Shin))
}

/// Returns the role of a bone by its name.
pub fn bone_role(bone: &Bone) -> Option<Role> {
    role(bone.name.as_deref()?)
}
