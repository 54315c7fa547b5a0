//! The rest frame of a bone in the file that it was imported from: the extra member `rest`, a quaternion (x,
//! y, z, w) from the axes of the joint to those of the skeleton. Export writes it again, so that animations
//! made for that file still fit. It is dropped when the extent or roll of the bone changes.

use super::skeleton::{Bone, Skeleton};
use crate::extra::Value;
use crate::extra::array::{Array, Scalar};
use glam::DQuat;
use std::collections::HashSet;

/// The name of the extra member.
const NAME: &str = "rest";

/// Returns the rest frame of a bone, of unit length; `None` if it is missing or not a rotation.
pub fn frame(bone: &Bone) -> Option<DQuat> {
    let Value::Array(items) = bone.extra.get(NAME)? else {
        return None;
    };
    let number = |value: &Value| match *value {
        Value::Unsigned(number) => Some(number as f64),
        Value::Signed(number) => Some(number as f64),
        Value::Float(number) => Some(number),
        _ => None,
    };
    let numbers: Option<Vec<f64>> = items.iter().map(|item| number(&item)).collect();
    let numbers: [f64; 4] = numbers?.try_into().ok()?;
    let quaternion = DQuat::from_array(numbers);
    let length = quaternion.length();
    (length.is_finite() && length > 1e-6).then(|| quaternion / length)
}

/// Sets the rest frame of a bone, in the precision of the file.
pub fn set(bone: &mut Bone, frame: DQuat) {
    let number = |number: f64| Ok::<_, Value>(Scalar::Float(f64::from(number as f32)));
    let numbers: Array<Value> = frame.to_array().map(number).into_iter().collect();
    bone.extra.set(NAME, Value::Array(numbers));
}

/// Removes the rest frames of the bones of `new` whose extent and roll match no bone of `old`: the skeletons
/// after and before an edit.
pub fn drop_stale(old: &Skeleton, new: &mut Skeleton) {
    let shape = |bone: &Bone| {
        let [x, y, z] = bone.extent.to_array();
        [x, y, z, bone.roll_deg].map(f32::to_bits)
    };
    let is_unchanged =
        |index: usize, bone: &Bone| old.bones.get(index).is_some_and(|old| shape(old) == shape(bone));
    let has_stale = new
        .bones
        .iter()
        .enumerate()
        .any(|(index, bone)| bone.extra.get(NAME).is_some() && !is_unchanged(index, bone));
    if !has_stale {
        return;
    }
    let shapes: HashSet<_> = old.bones.iter().map(shape).collect();
    for bone in &mut new.bones {
        if !shapes.contains(&shape(bone)) {
            bone.extra.0.retain(|(name, _)| name != NAME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_frame_is_kept_while_the_shape_of_its_bone_is() {
        let rotation = DQuat::from_rotation_x(0.5);
        let mut old = Skeleton::default();
        for extent in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut bone = Bone { extent, ..Bone::default() };
            set(&mut bone, rotation);
            old.bones.push(bone);
        }
        let mut new = old.clone();
        new.bones[0].roll_deg = 10.0;
        new.bones[1].pose_deg = Vec3::splat(20.0);
        new.bones[2].extent *= 2.0;
        // A copy of the second bone at another index.
        new.bones.insert(0, old.bones[1].clone());
        drop_stale(&old, &mut new);
        let has_frame: Vec<bool> = new.bones.iter().map(|bone| frame(bone).is_some()).collect();
        assert_eq!(has_frame, [true, false, true, false]);
        assert!(frame(&new.bones[0]).unwrap().angle_between(rotation) < 1e-6);
    }
}
