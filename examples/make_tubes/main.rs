//! Makes `media/js3d/cylinder.js3d` and `media/js3d/bar.js3d`: the two tubes on which the skinning methods
//! differ most. Each bends and twists at its middle joint; twisting is muted at first.
//!
//! `cargo run --release --no-default-features --example make_tubes [FOLDER]`
//!
//! Based on the course INF585: a cylinder of radius 0.1 with 50 x 50 quads or a bar of half-width 0.1 with 35
//! x 10 x 10, from x = 0 to 1, joints at 0, 1/2 and 1, weights along the tube with exponent 3. The motions
//! are the course's: twisting by 90° (1 + cos 4t) about x, then bending by 90° cos t about y. Unlike the
//! course's, the tubes are closed, so that they have a volume.

#![allow(clippy::print_stdout)]

mod bar;

use glam::{Quat, Vec3};
use ossature::anim::channel::{Animation, Channel, ChannelRef, SkeletonChannel};
use ossature::anim::mute::Mute;
use ossature::anim::spline::Spline;
use ossature::io::{durable, js3d};
use ossature::mesh::halfedge::{HalfedgeMesh, MeshError};
use ossature::mesh::primitives;
use ossature::rig::property::POSE;
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

/// The number of frames after which the motion repeats: t runs from 0 to 2π.
const LOOP: f64 = 96.0;
/// The number of frames at either end, where the twist turns back, that all have keys: a spline has no
/// neighbour to take its slope from at its end.
const END: usize = 6;
const EXPONENT: f32 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("media/js3d"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, surface) in [("cylinder", cylinder()?), ("bar", bar::bar([35, 10, 10], 0.1)?)] {
        let file = folder.join(format!("{name}.js3d"));
        let vertices = surface.vertex_count();
        durable::save(&file, &js3d::write(&scene(surface)?)?)?;
        println!("wrote {} ({vertices} vertices)", file.display());
    }
    Ok(())
}

/// The cylinder along +x: a tube along +y, turned about z by -90°.
fn cylinder() -> Result<HalfedgeMesh, MeshError> {
    let tube = primitives::tube(0.1, 1.0, 50, 50)?;
    let turned = tube.positions().iter().map(|p| Vec3::new(p.y, -p.x, p.z)).collect();
    let faces = 0..tube.face_count() as u32;
    let corners = |face| tube.face_corners(face);
    let polygons: Vec<Vec<u32>> =
        faces.clone().map(|face| corners(face).map(|c| tube.vertex_of(c)).collect()).collect();
    let uvs: Vec<Vec<glam::Vec2>> =
        faces.map(|face| corners(face).map(|c| tube.corner_uvs()[c as usize]).collect()).collect();
    HalfedgeMesh::from_polygons(turned, &polygons, Some(&uvs))
}

/// The bend in degrees about the world's y axis at a frame.
fn bend_deg(frame: f64) -> f64 {
    90.0 * (TAU * frame / LOOP).cos()
}

/// The twist in degrees about the world's x axis at a frame.
fn twist_deg(frame: f64) -> f64 {
    90.0 * (1.0 + (4.0 * TAU * frame / LOOP).cos())
}

/// Keys at every second frame, and at every frame near the ends. The local axes of a bone along +x are z, x
/// and y: twisting about x is the pose's second angle, which comes first, bending about y its third one.
fn motion() -> Channel {
    let count = LOOP as usize;
    let frames = (0..END).chain((END..count - END).step_by(2)).chain(count - END..count);
    let pose_deg = |frame: f64| Vec3::new(0.0, twist_deg(frame) as f32, bend_deg(frame) as f32);
    Channel::Vec3(Spline::from_knots(frames.map(|frame| (frame as f32, pose_deg(frame as f64))).collect()))
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
    Skeleton { bones: vec![bone(0, "First joint"), bone(1, "Middle joint")], ..Skeleton::default() }
}

fn scene(surface: HalfedgeMesh) -> Result<Scene, Box<dyn Error>> {
    let weights = tube_weights(&skeleton(), surface.positions(), EXPONENT).ok_or("no tube")?;
    let tube = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton()),
        ..SkinnedMesh::default()
    };
    let place = Transform {
        parent: None,
        translation: Vec3::new(-0.5, 0.2, 0.0),
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
        extra: Default::default(),
    };
    let instance = GeometryInstance {
        transform: Some("Tube place".into()),
        resource: Some("Tube".into()),
        material: Some("Clay".into()),
        ..GeometryInstance::default()
    };
    let mut scene = Scene::default();
    scene.transforms.insert("Tube place".into(), Arc::new(place));
    scene.skinned_meshes.insert("Tube".into(), Arc::new(tube));
    let instances = &mut scene.instances.skinned_meshes;
    instances.insert("Tube instance".into(), Arc::new(instance));
    let mut animation = Animation::default();
    let pose = ChannelRef::new("Tube", SkeletonChannel::Bone(1, POSE));
    animation.set_mute(&pose, Mute([false, true, false]));
    let channels = BTreeMap::from([(pose.channel, Arc::new(motion()))]);
    animation.channels.insert(pose.resource, channels);
    scene.animation = Arc::new(animation);
    let color = TextureKind::Constant { color: Vec3::new(0.62, 0.70, 0.78), scale: 1.0 };
    let clay = Material {
        kind: MaterialKind::Lambertian { albedo: Some("Clay color".into()) },
        extra: Default::default(),
    };
    let texture = Texture { kind: color, extra: Default::default() };
    scene.textures.insert("Clay color".into(), Arc::new(texture));
    scene.materials.insert("Clay".into(), Arc::new(clay));
    Ok(scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ossature::anim::channel::Value;
    use ossature::mesh::measure::volume;
    use ossature::scene::evaluate::{Evaluator, Settings};

    #[test]
    fn the_keys_follow_the_motions_and_loop() {
        let motion = motion();
        let at = |frame: f32| match motion.at(frame) {
            Some(Value::Vec3(value)) => value,
            other => panic!("{other:?}"),
        };
        let mut worst = [0.0_f64; 4];
        for i in 0..=950 {
            let frame = 0.1 * f64::from(i);
            let found = at(frame as f32).as_dvec3();
            assert_eq!(found.x, 0.0);
            let off = [found.y - twist_deg(frame), found.z - bend_deg(frame)];
            let whole = if i % 10 == 0 { 0 } else { 2 };
            for (kind, off) in off.into_iter().enumerate() {
                worst[whole + kind] = worst[whole + kind].max(off.abs());
            }
        }
        let [twist, bend, twist_between, bend_between] = worst;
        assert!(twist < 0.2 && bend < 0.06, "at whole frames: {twist} {bend}");
        assert!(twist_between < 0.5 && bend_between < 0.06, "{worst:?}");
    }

    /// At each frame, the far half of the tube is where the course's matrices take it, with either motion
    /// alone and with both.
    #[test]
    fn the_far_half_is_where_the_closed_form_says() {
        let tube = scene(cylinder().unwrap()).unwrap();
        let pose = ChannelRef::new("Tube", SkeletonChannel::Bone(1, POSE));
        for (twisting, bending) in [(false, true), (true, false), (true, true), (false, false)] {
            let mut tube = tube.clone();
            Arc::make_mut(&mut tube.animation).set_mute(&pose, Mute([false, !twisting, !bending]));
            for frame in 0..96_u8 {
                let settings = Settings { frame: Some(frame.into()), ..Settings::default() };
                let found = Evaluator::default().evaluate(&tube, &settings);
                let when = |on: bool, deg: f64| if on { deg.to_radians() as f32 } else { 0.0 };
                let turn = Quat::from_rotation_y(when(bending, bend_deg(frame.into())))
                    * Quat::from_rotation_x(when(twisting, twist_deg(frame.into())));
                let joint = 0.5 * Vec3::X;
                let positions = tube.skinned_meshes["Tube"].surface.positions();
                let moved = found.skinned["Tube"].positions.iter().zip(positions);
                for (moved, bind) in moved.filter(|(_, bind)| bind.x > 0.999) {
                    let expected = joint + turn * (*bind - joint);
                    assert!(moved.distance(expected) < 2e-3, "{frame}: {moved} {expected}");
                }
            }
        }
    }

    #[test]
    fn the_scenes_are_the_course_s_closed() {
        for (surface, area) in
            [(cylinder().unwrap(), std::f64::consts::PI * 0.01), (bar::bar([35, 10, 10], 0.1).unwrap(), 0.04)]
        {
            assert!(surface.face_boundaries().iter().all(|hole| !hole));
            let found = volume(surface.positions(), &surface.triangles());
            assert!((found / area - 1.0).abs() < 0.01, "{found}");
            let low = surface.positions().iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
            let high = surface.positions().iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
            assert!((low - Vec3::new(0.0, -0.1, -0.1)).abs().max_element() < 1e-3, "{low}");
            assert!((high - Vec3::new(1.0, 0.1, 0.1)).abs().max_element() < 1e-3, "{high}");
            let bytes = js3d::write(&scene(surface).unwrap()).unwrap();
            let (back, report) = js3d::read(&bytes).unwrap();
            assert!(report.findings.is_empty(), "{:?}", report.findings);
            assert_eq!(back.skinned_meshes["Tube"].weights.unweighted_count(), 0);
        }
    }
}
