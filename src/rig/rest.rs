//! The rest frame that a bone had in the file that it came from: the extra member `rest`, a quaternion (x, y, z, w) that
//! takes the axes of the joint to those of the skeleton. Export writes it again, so that animations that were made for
//! the file still fit. It belongs to the bone as it was: a bone of another extent or roll has none.

use super::skeleton::{Bone, Skeleton};
use crate::extra::Value;
use crate::extra::array::{Array, Scalar};
use glam::DQuat;
use std::collections::HashSet;

/// The extra member of a bone.
const NAME: &str = "rest";

/// The rest frame of a bone, of unit length; `None` where it has none, or one that is no rotation.
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

/// Gives a bone a rest frame, as precise as the numbers of files are.
pub fn set(bone: &mut Bone, frame: DQuat) {
    let number = |number: f64| Ok::<_, Value>(Scalar::Float(f64::from(number as f32)));
    let numbers: Array<Value> = frame.to_array().map(number).into_iter().collect();
    bone.extra.set(NAME, Value::Array(numbers));
}

/// Takes rest frames from the bones of `new` that are unlike all bones of `old` in extent or roll: a skeleton before and
/// after an edit.
pub fn drop_stale(old: &Skeleton, new: &mut Skeleton) {
    let shape = |bone: &Bone| {
        let [x, y, z] = bone.extent.to_array();
        [x, y, z, bone.roll_deg].map(f32::to_bits)
    };
    let is_kept = |at: usize, bone: &Bone| old.bones.get(at).is_some_and(|old| shape(old) == shape(bone));
    let has_stale = new
        .bones
        .iter()
        .enumerate()
        .any(|(at, bone)| bone.extra.get(NAME).is_some() && !is_kept(at, bone));
    if !has_stale {
        return;
    }
    let known: HashSet<_> = old.bones.iter().map(shape).collect();
    for bone in &mut new.bones {
        if !known.contains(&shape(bone)) {
            bone.extra.0.retain(|(name, _)| name != NAME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_frame_stays_with_the_shape_of_its_bone() {
        let turn = DQuat::from_rotation_x(0.5);
        let mut old = Skeleton::default();
        for extent in [Vec3::X, Vec3::Y, Vec3::Z] {
            let mut bone = Bone {
                extent,
                ..Bone::default()
            };
            set(&mut bone, turn);
            old.bones.push(bone);
        }
        let mut new = old.clone();
        new.bones[0].roll_deg = 10.0;
        new.bones[1].pose_deg = Vec3::splat(20.0);
        new.bones[2].extent *= 2.0;
        // A copy of the second, elsewhere.
        new.bones.insert(0, old.bones[1].clone());
        drop_stale(&old, &mut new);
        let kept: Vec<bool> = new.bones.iter().map(|bone| frame(bone).is_some()).collect();
        assert_eq!(kept, [true, false, true, false]);
        assert!(frame(&new.bones[0]).unwrap().angle_between(turn) < 1e-6);
    }
}
