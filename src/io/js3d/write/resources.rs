//! Members of all resources but meshes, in the order of the format's section 5.

use super::super::WriteError;
use super::super::document::{DUAL_QUATERNIONS, MOVED_BONES};
use super::super::skeleton::NO_BONE;
use super::super::weight_method;
use super::mesh;
use super::object::Object;
use crate::rig::skeleton::{Bone, Handle};
use crate::rig::skinning::Method;
use crate::scene::resource::{
    Camera, DeltaLight, DeltaLightKind, EnvLight, EnvLightKind, Material, MaterialKind, Particle, Particles,
    Shape, Texture, TextureKind, Transform,
};
use crate::scene::skinned::SkinnedMesh;

type Written = Result<(), WriteError>;

pub fn transform(o: &mut Object<'_>, transform: &Transform) -> Written {
    o.reference("parent", transform.parent.as_deref());
    o.vec3("translation", transform.translation)?;
    o.quat("rotation", transform.rotation)?;
    o.vec3("scale", transform.scale)?;
    o.extra(&transform.extra);
    Ok(())
}

pub fn camera(o: &mut Object<'_>, camera: &Camera) -> Written {
    o.float("vertical_fov", camera.vertical_fov)?;
    o.float("aspect_ratio", camera.aspect_ratio)?;
    o.float("near_plane", camera.near_plane)?;
    o.unsigned("aperture_shape", camera.aperture_shape);
    o.float("aperture_size", camera.aperture_size)?;
    o.float("focal_dist", camera.focal_dist)?;
    o.unsigned("film.width", camera.film.width);
    o.unsigned("film.height", camera.film.height);
    o.unsigned("film.samples", camera.film.samples);
    o.unsigned("film.max_ray_depth", camera.film.max_ray_depth);
    o.text("film.sample_pattern", &camera.film.sample_pattern);
    o.extra(&camera.extra);
    Ok(())
}

pub fn skinned_mesh(o: &mut Object<'_>, skinned: &SkinnedMesh) -> Written {
    o.member("mesh", |w| {
        mesh::write(w, &skinned.surface, &skinned.weights, &skinned.mesh_extra)
    })?;
    o.member("skeleton", |w| {
        w.object(|o| {
            o.member("bones", |w| w.objects(&skinned.skeleton.bones, bone))?;
            o.member("handles", |w| w.objects(&skinned.skeleton.handles, handle))?;
            o.vec3("base", skinned.skeleton.base)?;
            o.vec3("base_offset", skinned.skeleton.base_offset)?;
            o.extra(&skinned.skeleton.extra);
            Ok(())
        })
    })?;
    if skinned.skinning != Method::LINEAR {
        o.float(DUAL_QUATERNIONS, skinned.skinning.dual_part())?;
    }
    if !skinned.weights.bones.is_empty() {
        let moved = skinned.weighed.moved(&skinned.skeleton);
        o.indices(MOVED_BONES, &moved);
    }
    if let Some(method) = weight_method::member(&skinned.weight_method) {
        o.value(weight_method::NAME, &method);
    }
    o.extra(&skinned.extra);
    Ok(())
}

fn bone(o: &mut Object<'_>, bone: &Bone) -> Written {
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
    o.extra(&bone.extra);
    Ok(())
}

fn handle(o: &mut Object<'_>, handle: &Handle) -> Written {
    o.unsigned("bone", handle.bone);
    o.vec3("target", handle.target)?;
    o.boolean("enabled", handle.enabled);
    o.unsigned("channel_id", handle.channel_id);
    if let Some(name) = &handle.name {
        o.text("name", name);
    }
    if let Some(bones) = handle.chain {
        o.unsigned("chain", bones);
    }
    if handle.weight != Handle::default().weight {
        o.float("weight", handle.weight)?;
    }
    o.extra(&handle.extra);
    Ok(())
}

pub fn shape(o: &mut Object<'_>, shape: &Shape) -> Written {
    o.text("type", "Sphere");
    o.float("radius", shape.radius)?;
    o.extra(&shape.extra);
    Ok(())
}

pub fn particles(o: &mut Object<'_>, particles: &Particles) -> Written {
    o.vec3("gravity", particles.gravity)?;
    o.float("radius", particles.radius)?;
    o.float("initial_velocity", particles.initial_velocity)?;
    o.float("spread_angle", particles.spread_angle)?;
    o.float("lifetime", particles.lifetime)?;
    o.float("rate", particles.rate)?;
    o.float("step_size", particles.step_size)?;
    o.unsigned("seed", particles.seed);
    o.member("particles", |w| w.objects(&particles.particles, particle))?;
    o.extra(&particles.extra);
    Ok(())
}

fn particle(o: &mut Object<'_>, particle: &Particle) -> Written {
    o.vec3("position", particle.position)?;
    o.vec3("velocity", particle.velocity)?;
    o.float("age", particle.age)?;
    o.extra(&particle.extra);
    Ok(())
}

pub fn texture(o: &mut Object<'_>, texture: &Texture) -> Written {
    match &texture.kind {
        TextureKind::Image { sampler, image } => {
            o.text("type", "Image");
            o.text("sampler", sampler);
            o.text("image", image);
        }
        TextureKind::Constant { color, scale } => {
            o.text("type", "Constant");
            o.vec3("color", *color)?;
            o.float("scale", *scale)?;
        }
    }
    o.extra(&texture.extra);
    Ok(())
}

pub fn material(o: &mut Object<'_>, material: &Material) -> Written {
    match &material.kind {
        MaterialKind::Lambertian { albedo } => {
            o.text("type", "Lambertian");
            o.reference("albedo", albedo.as_deref());
        }
        MaterialKind::Mirror { reflectance } => {
            o.text("type", "Mirror");
            o.reference("reflectance", reflectance.as_deref());
        }
        MaterialKind::Refract { transmittance, ior } => {
            o.text("type", "Refract");
            o.reference("transmittance", transmittance.as_deref());
            o.float("ior", *ior)?;
        }
        MaterialKind::Glass {
            transmittance,
            reflectance,
            ior,
        } => {
            o.text("type", "Glass");
            o.reference("transmittance", transmittance.as_deref());
            o.reference("reflectance", reflectance.as_deref());
            o.float("ior", *ior)?;
        }
        MaterialKind::Emissive { emissive } => {
            o.text("type", "Emissive");
            o.reference("emissive", emissive.as_deref());
        }
    }
    o.extra(&material.extra);
    Ok(())
}

pub fn delta_light(o: &mut Object<'_>, light: &DeltaLight) -> Written {
    let kind = match light.kind {
        DeltaLightKind::Point => "Point",
        DeltaLightKind::Directional => "Directional",
        DeltaLightKind::Spot { .. } => "Spot",
    };
    o.text("type", kind);
    o.vec3("color", light.color)?;
    o.float("intensity", light.intensity)?;
    if let DeltaLightKind::Spot {
        inner_angle,
        outer_angle,
    } = light.kind
    {
        o.float("inner_angle", inner_angle)?;
        o.float("outer_angle", outer_angle)?;
    }
    o.extra(&light.extra);
    Ok(())
}

pub fn env_light(o: &mut Object<'_>, light: &EnvLight) -> Written {
    let kind = match light.kind {
        EnvLightKind::Hemisphere => "Hemisphere",
        EnvLightKind::Sphere => "Sphere",
    };
    o.text("type", kind);
    o.float("intensity", light.intensity)?;
    o.reference("radiance", light.radiance.as_deref());
    o.extra(&light.extra);
    Ok(())
}
