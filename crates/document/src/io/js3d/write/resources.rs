//! Writes members of resources that property rows do not completely describe: skinned meshes, particles,
//! images.

use super::super::WriteError;
use super::super::document::{DUAL_QUATERNIONS, MOVED_BONES};
use super::super::properties;
use super::super::shapes;
use super::super::skeleton::NO_BONE;
use super::super::weight_method;
use super::mesh;
use super::object::Object;
use super::poses;
use crate::rig::property::{BONE, HANDLE, SKELETON};
use crate::rig::skeleton::{Bone, Handle};
use crate::rig::skinning::Method;
use crate::scene::names::Kind;
use crate::scene::resource::{Particle, Particles, Texture, TextureKind};
use crate::scene::skinned::SkinnedMesh;

type WriteResult = Result<(), WriteError>;

pub fn skinned_mesh(o: &mut Object<'_>, skinned: &SkinnedMesh) -> WriteResult {
    o.member("mesh", |w| mesh::write(w, &skinned.surface, &skinned.weights, &skinned.mesh_extra))?;
    o.member("skeleton", |w| {
        w.object(|o| {
            o.member("bones", |w| w.objects(&skinned.skeleton.bones, bone))?;
            o.member("handles", |w| w.objects(&skinned.skeleton.handles, handle))?;
            o.vec3("base", skinned.skeleton.base)?;
            o.vec3("base_offset", skinned.skeleton.base_offset)?;
            properties::write_ours(o, SKELETON, &*skinned.skeleton)?;
            o.extra(&skinned.skeleton.extra);
            Ok(())
        })
    })?;
    if skinned.skinning != Method::LINEAR {
        o.float(DUAL_QUATERNIONS, skinned.skinning.dual_part())?;
    }
    if !skinned.weights.bones.is_empty() {
        let moved = skinned.bind_snapshot.moved(&skinned.skeleton);
        o.indices(MOVED_BONES, &moved);
    }
    if let Some(method) = weight_method::member(&skinned.weight_method) {
        o.value(weight_method::NAME, &method);
    }
    shapes::write(o, skinned)?;
    poses::poses(o, &skinned.poses)?;
    o.extra(&skinned.extra);
    Ok(())
}

fn bone(o: &mut Object<'_>, bone: &Bone) -> WriteResult {
    o.vec3("extent", bone.extent)?;
    o.float("roll", bone.roll_deg)?;
    o.float("radius", bone.radius)?;
    o.unsigned("parent", bone.parent.unwrap_or(NO_BONE));
    o.vec3("pose", bone.pose_deg)?;
    o.unsigned("channel_id", bone.channel_id);
    if let Some(name) = &bone.name {
        o.text("name", name);
    }
    if bone.link {
        o.boolean("link", true);
    }
    properties::write_ours(o, BONE, bone)?;
    o.extra(&bone.extra);
    Ok(())
}

fn handle(o: &mut Object<'_>, handle: &Handle) -> WriteResult {
    o.unsigned("bone", handle.bone);
    o.vec3("target", handle.target)?;
    o.boolean("enabled", handle.enabled);
    o.unsigned("channel_id", handle.channel_id);
    if let Some(name) = &handle.name {
        o.text("name", name);
    }
    properties::write_ours(o, HANDLE, handle)?;
    o.extra(&handle.extra);
    Ok(())
}

pub fn particles(o: &mut Object<'_>, particles: &Particles) -> WriteResult {
    properties::write(o, Kind::Particles, particles)?;
    o.member("particles", |w| w.objects(&particles.particles, particle))?;
    o.extra(&particles.extra);
    Ok(())
}

fn particle(o: &mut Object<'_>, particle: &Particle) -> WriteResult {
    o.vec3("position", particle.position)?;
    o.vec3("velocity", particle.velocity)?;
    o.float("age", particle.age)?;
    o.extra(&particle.extra);
    Ok(())
}

pub fn texture(o: &mut Object<'_>, texture: &Texture) -> WriteResult {
    properties::write(o, Kind::Texture, texture)?;
    if let TextureKind::Image { image, .. } = &texture.kind {
        o.text("image", image);
    }
    o.extra(&texture.extra);
    Ok(())
}
