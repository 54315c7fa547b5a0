//! Makes `media/js3d/cylinder.js3d` and `media/js3d/bar.js3d`: the two tubes on which the ways of skinning
//! differ most, each twice, one that bends and one that twists at its middle joint.
//!
//! `cargo run --release --no-default-features --example make_tubes [FOLDER]`
//!
//! After the course INF585: a cylinder of radius 0.1 with 50 x 50 quads or a bar of half-width 0.1 with
//! 35 x 10 x 10, from x = 0 to 1, joints at 0, 1/2 and 1, weights along the tube with exponent 3. The
//! motions are the course's, 90° cos t about y and 90° (1 + cos 4t) about x, begun a quarter of a cosine
//! later: there each is its own mirror image, so that the splines go through the loop's end without a kink.
//! Unlike the course's, the tubes are closed, so that they have a volume.

#![allow(clippy::print_stdout)]

mod bar;

use glam::{Quat, Vec3};
use ossature::anim::channel::{Animation, Channel};
use ossature::anim::spline::Spline;
use ossature::io::{durable, js3d};
use ossature::mesh::halfedge::{HalfedgeMesh, MeshError};
use ossature::mesh::primitives;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::tube::tube_weights;
use ossature::scene::Scene;
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::{Material, MaterialKind, Texture, TextureKind, Transform};
use ossature::scene::skinned::SkinnedMesh;
use std::collections::BTreeMap;
use std::error::Error;
use std::f64::consts::TAU;
use std::path::PathBuf;
use std::sync::Arc;

/// Frames after which a motion begins again.
const LOOP: f64 = 96.0;
const EXPONENT: f32 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from("media/js3d"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, surface) in [("cylinder", cylinder()?), ("bar", bar::bar([35, 10, 10], 0.1)?)] {
        let file = folder.join(format!("{name}.js3d"));
        let vertices = surface.vertex_count();
        durable::save(&file, &js3d::write(&scene(surface)?)?)?;
        println!("wrote {} ({vertices} vertices a tube)", file.display());
    }
    Ok(())
}

/// Along +x: the tube along +y, turned about z by -90°.
fn cylinder() -> Result<HalfedgeMesh, MeshError> {
    let tube = primitives::tube(0.1, 1.0, 50, 50)?;
    let turned = tube
        .positions()
        .iter()
        .map(|p| Vec3::new(p.y, -p.x, p.z))
        .collect();
    let faces = 0..tube.face_count() as u32;
    let corners = |face| tube.face_corners(face);
    let polygons: Vec<Vec<u32>> = faces
        .clone()
        .map(|face| corners(face).map(|c| tube.vertex_of(c)).collect())
        .collect();
    let uvs: Vec<Vec<glam::Vec2>> = faces
        .map(|face| corners(face).map(|c| tube.corner_uvs()[c as usize]).collect())
        .collect();
    HalfedgeMesh::from_polygons(turned, &polygons, Some(&uvs))
}

/// Degrees about the world's y axis at a frame.
fn bend_deg(frame: f64) -> f64 {
    -90.0 * (TAU * frame / LOOP).sin()
}

/// Degrees about the world's x axis at a frame.
fn twist_deg(frame: f64) -> f64 {
    90.0 * (1.0 - (4.0 * TAU * frame / LOOP).sin())
}

/// Keys every `step` frames and at the last frame of the loop. The local axes of a bone along +x are z, x
/// and y: turning about y is the pose's third angle, twisting about x its second one, which comes first.
fn keys(step: usize, pose_deg: impl Fn(f64) -> Vec3) -> Channel {
    let last = LOOP as usize - 1;
    let frames = (0..last).step_by(step).chain([last]);
    Channel::Vec3(Spline {
        knots: frames
            .map(|frame| (frame as f32, pose_deg(frame as f64)))
            .collect(),
    })
}

fn skeleton() -> Skeleton {
    let bone = |index: u32, name: &str| Bone {
        extent: 0.5 * Vec3::X,
        radius: 0.12,
        parent: index.checked_sub(1),
        channel_id: index,
        name: Some(name.into()),
        ..Bone::default()
    };
    Skeleton {
        bones: vec![bone(0, "first"), bone(1, "second")],
        ..Skeleton::default()
    }
}

/// Both tubes side by side, the one that twists in front.
fn scene(surface: HalfedgeMesh) -> Result<Scene, Box<dyn Error>> {
    let weights = tube_weights(&skeleton(), surface.positions(), EXPONENT).ok_or("no tube")?;
    let tube = Arc::new(SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton()),
        ..SkinnedMesh::default()
    });
    let bend = keys(4, |frame| Vec3::new(0.0, 0.0, bend_deg(frame) as f32));
    let twist = keys(2, |frame| Vec3::new(0.0, twist_deg(frame) as f32, 0.0));
    let mut scene = Scene::default();
    let mut animation = Animation::default();
    for (name, z, motion) in [("Bend", -0.35, bend), ("Twist", 0.35, twist)] {
        let place = Transform {
            parent: None,
            translation: Vec3::new(-0.5, 0.2, z),
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            extra: Default::default(),
        };
        let instance = GeometryInstance {
            transform: Some(format!("{name} place")),
            of: Some(name.into()),
            material: Some("Clay".into()),
            ..GeometryInstance::default()
        };
        scene.transforms.insert(format!("{name} place"), Arc::new(place));
        scene.skinned_meshes.insert(name.into(), tube.clone());
        scene
            .instances
            .skinned_meshes
            .insert(format!("{name} tube"), Arc::new(instance));
        let channels = BTreeMap::from([("bone.1.pose".into(), Arc::new(motion))]);
        animation.channels.insert(name.into(), channels);
    }
    scene.animation = Arc::new(animation);
    let color = TextureKind::Constant {
        color: Vec3::new(0.62, 0.70, 0.78),
        scale: 1.0,
    };
    let clay = Material {
        kind: MaterialKind::Lambertian {
            albedo: Some("Clay color".into()),
        },
        extra: Default::default(),
    };
    let texture = Texture {
        kind: color,
        extra: Default::default(),
    };
    scene.textures.insert("Clay color".into(), Arc::new(texture));
    scene.materials.insert("Clay".into(), Arc::new(clay));
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ossature::anim::channel::Value;
    use ossature::mesh::measure::volume;

    #[test]
    fn the_keys_follow_the_motions_and_loop() {
        let bend = keys(4, |frame| Vec3::new(0.0, 0.0, bend_deg(frame) as f32));
        let twist = keys(2, |frame| Vec3::new(0.0, twist_deg(frame) as f32, 0.0));
        let at = |channel: &Channel, frame: f32| match channel.at(frame) {
            Some(Value::Vec3(value)) => value,
            other => panic!("{other:?}"),
        };
        for i in 0..=950 {
            let frame = 0.1 * i as f32;
            let (b, t) = (at(&bend, frame).z, at(&twist, frame).y);
            assert!(
                (f64::from(b) - bend_deg(frame.into())).abs() < 0.1,
                "bend at {frame}: {b}"
            );
            assert!(
                (f64::from(t) - twist_deg(frame.into())).abs() < 0.6,
                "twist at {frame}: {t}"
            );
        }
        // From the last frame to the first one as from the first one to the second.
        for (channel, axis) in [(&bend, 2), (&twist, 1)] {
            let step = |a: f32, b: f32| (at(channel, b) - at(channel, a))[axis];
            assert!(
                (step(95.0, 0.0) - step(0.0, 1.0)).abs() < 0.8,
                "{} {}",
                step(95.0, 0.0),
                step(0.0, 1.0)
            );
        }
    }

    #[test]
    fn the_scenes_are_the_course_s_closed() {
        for (surface, area) in [
            (cylinder().unwrap(), std::f64::consts::PI * 0.01),
            (bar::bar([35, 10, 10], 0.1).unwrap(), 0.04),
        ] {
            assert!(surface.face_boundaries().iter().all(|hole| !hole));
            let found = volume(surface.positions(), &surface.triangles());
            assert!((found / area - 1.0).abs() < 0.01, "{found}");
            let low = surface
                .positions()
                .iter()
                .fold(Vec3::INFINITY, |low, p| low.min(*p));
            let high = surface
                .positions()
                .iter()
                .fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
            assert!(
                (low - Vec3::new(0.0, -0.1, -0.1)).abs().max_element() < 1e-3,
                "{low}"
            );
            assert!(
                (high - Vec3::new(1.0, 0.1, 0.1)).abs().max_element() < 1e-3,
                "{high}"
            );
            let bytes = js3d::write(&scene(surface).unwrap()).unwrap();
            let (back, report) = js3d::read(&bytes).unwrap();
            assert!(report.findings.is_empty(), "{:?}", report.findings);
            assert_eq!(back.skinned_meshes["Twist"].weights.unweighted_count(), 0);
        }
    }
}
