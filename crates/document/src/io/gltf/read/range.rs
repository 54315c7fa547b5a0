//! Checks the range of the numbers of an imported scene.

use super::refuse;
use crate::anim::channel::Channel;
use crate::io::file::ReadError;
use crate::io::js3d;
use crate::io::limits::COORDINATE;
use crate::rig::skeleton::Bone;
use crate::scene::Scene;
use glam::Vec3;
use std::sync::Arc;

/// Checks that all numbers can be written, as js3d and as glTF, except those of surfaces, which are checked when
/// they are read: numbers of a file may be finite but exceed the range here, directly or after multiplication.
pub fn check(scene: &Scene) -> Result<(), ReadError> {
    let is_large = |vector: &Vec3| !(0.0..=COORDINATE).contains(&vector.abs().max_element());
    let too_large = |subject: String| {
        let problem =
            format!("{subject} becomes larger than {COORDINATE:e}, the most for a coordinate or length");
        Err(refuse("/nodes", problem))
    };
    for (name, transform) in scene.transforms.iter() {
        if is_large(&transform.translation) || is_large(&transform.scale) {
            return too_large(format!("a number of transform “{name}”"));
        }
    }
    for (name, mesh) in scene.skinned_meshes.iter() {
        let skeleton = &mesh.skeleton;
        let is_bone_large = |bone: &&Bone| is_large(&bone.extent) || is_large(&Vec3::splat(bone.radius));
        if skeleton.bones.iter().any(|bone| is_bone_large(&bone)) {
            return too_large(format!("a bone of “{name}”"));
        }
        if is_large(&skeleton.base) || is_large(&skeleton.base_offset) {
            return too_large(format!("the base of “{name}”"));
        }
    }
    for (name, channels) in &scene.animation.channels {
        for (channel, values) in channels {
            if matches!(&**values, Channel::Vec3(spline) if spline.knots.iter().any(|(_, value)| is_large(value)))
            {
                return too_large(format!("a key of {channel} of “{name}”"));
            }
        }
    }
    let mut bare = scene.clone();
    bare.meshes.clear();
    for mesh in bare.skinned_meshes.values_mut() {
        let mesh = Arc::make_mut(mesh);
        (mesh.surface, mesh.weights) = (Arc::default(), Arc::default());
    }
    match js3d::write(&bare) {
        Err(js3d::WriteError::NotFinite { pointer }) => {
            let problem = format!("a number becomes too large: that at {pointer} of the scene");
            Err(refuse("/nodes", problem))
        }
        _ => Ok(()),
    }
}
