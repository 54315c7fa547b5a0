//! Transforms, cameras, shapes and particles. Members and defaults: js3d format, section 5.

use super::ReadError;
use super::reader::{Members, Reader};
use super::skeleton::list;
use crate::scene::Table;
use crate::scene::resource::{Camera, Film, Particle, Particles, Shape, Transform};
use glam::Vec3;
use std::collections::BTreeMap;

pub const SAMPLE_PATTERNS: [&str; 5] = [
    "Center",
    "Grid (2x2)",
    "Grid (4x4)",
    "Grid (8x8)",
    "Custom Sample Pattern",
];
pub const SHAPE_KINDS: [&str; 1] = ["Sphere"];

/// `exists` knows the names of all transforms, those not yet read included.
pub fn transform(
    r: &mut Reader<'_>,
    mut m: Members<'_>,
    exists: impl Fn(&str) -> bool,
) -> Result<Transform, ReadError> {
    Ok(Transform {
        parent: m.reference(r, "parent", "transforms", exists)?,
        translation: m.vec3(r, "translation", Vec3::ZERO)?,
        rotation: m.rotation(r, "rotation")?,
        scale: m.vec3(r, "scale", Vec3::ONE)?,
        extra: r.rest(m),
    })
}

/// Refuses transforms that are their own ancestor. Takes time linear in their number, and no recursion.
pub fn refuse_cycles(r: &mut Reader<'_>, transforms: &Table<Transform>) -> Result<(), ReadError> {
    let names: Vec<&str> = transforms.keys().map(String::as_str).collect();
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(i, name)| (*name, i)).collect();
    let parent_of = |transform: &Transform| transform.parent.as_deref().and_then(|p| index.get(p).copied());
    let parents: Vec<Option<usize>> = transforms
        .values()
        .map(|transform| parent_of(transform))
        .collect();
    // The walk that first came past each transform. Meeting one's own walk again closes a cycle.
    let mut walk_of = vec![usize::MAX; parents.len()];
    for walk in 0..parents.len() {
        let mut at = Some(walk);
        while let Some(this) = at.filter(|this| walk_of[*this] == usize::MAX) {
            walk_of[this] = walk;
            at = parents[this];
        }
        if let Some(again) = at.filter(|again| walk_of[*again] == walk) {
            let what = "the transform is its own ancestor, which hangs Scotty3D, as its parents show";
            let hint = "Set the parent of one transform of the cycle to null.";
            return Err(r.at(names[again], |r| r.at("parent", |r| r.refuse(what, hint))));
        }
    }
    Ok(())
}

pub fn camera(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Camera, ReadError> {
    let center = SAMPLE_PATTERNS[0];
    Ok(Camera {
        vertical_fov: m.float(r, "vertical_fov", 60.0)?,
        aspect_ratio: m.float(r, "aspect_ratio", 1.77778)?,
        near_plane: m.float(r, "near_plane", 0.1)?,
        aperture_shape: m.unsigned(r, "aperture_shape", 1)?,
        aperture_size: m.float(r, "aperture_size", 0.0)?,
        focal_dist: m.float(r, "focal_dist", 1.0)?,
        film: Film {
            width: m.unsigned(r, "film.width", 1280)?,
            height: m.unsigned(r, "film.height", 720)?,
            samples: m.unsigned(r, "film.samples", 256)?,
            max_ray_depth: m.unsigned(r, "film.max_ray_depth", 8)?,
            sample_pattern: m
                .choice(r, "film.sample_pattern", &SAMPLE_PATTERNS, center)?
                .to_owned(),
        },
        extra: r.rest(m),
    })
}

/// A radius; one below zero is odd, but Scotty3D reads it.
fn radius(r: &mut Reader<'_>, m: &mut Members<'_>, default: f32) -> Result<f32, ReadError> {
    let radius = m.float(r, "radius", default)?;
    if radius < 0.0 {
        r.at("radius", |r| {
            r.note(
                "negative-radius",
                format!("the radius {radius} is negative; it is kept"),
            )
        });
    }
    Ok(radius)
}

pub fn shape(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Shape, ReadError> {
    m.kind(r, &SHAPE_KINDS, SHAPE_KINDS[0])?;
    Ok(Shape {
        radius: radius(r, &mut m, 1.0)?,
        extra: r.rest(m),
    })
}

pub fn particles(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Particles, ReadError> {
    Ok(Particles {
        gravity: m.vec3(r, "gravity", Vec3::new(0.0, -9.8, 0.0))?,
        radius: radius(r, &mut m, 0.1)?,
        initial_velocity: m.float(r, "initial_velocity", 5.0)?,
        spread_angle: m.float(r, "spread_angle", 0.0)?,
        lifetime: m.float(r, "lifetime", 2.5)?,
        rate: m.float(r, "rate", 10.0)?,
        step_size: m.float(r, "step_size", 0.01)?,
        seed: m.unsigned(r, "seed", 0x3141_5926)?,
        particles: list(r, &mut m, "particles", |r, _, m| particle(r, m))?,
        extra: r.rest(m),
    })
}

fn particle(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Particle, ReadError> {
    Ok(Particle {
        position: m.vec3(r, "position", Vec3::ZERO)?,
        velocity: m.vec3(r, "velocity", Vec3::ZERO)?,
        age: m.float(r, "age", 0.0)?,
        extra: r.rest(m),
    })
}
