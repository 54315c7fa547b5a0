//! Bodies that lie or face between the axes of their files come out standing, and those that have a skeleton get another one.

use crate::bodies::{Human, Kind, with_positions};
use crate::running::*;
use glam::{DVec3, Mat3, Quat, Vec3};
use ossature::io::obj::{Object, write};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::soup::Polygons;
use ossature::rig::body::axes::BodyAxes;
use ossature::rig::fit::{Body, Fit, Options, fit_best};
use ossature::rig::kinematics::bind_tips;
use std::path::Path;

fn moved(surface: &HalfedgeMesh, map: impl Fn(Vec3) -> Vec3) -> HalfedgeMesh {
    with_positions(surface, surface.positions().iter().map(|position| map(*position)).collect())
}

fn height(surface: &HalfedgeMesh) -> f32 {
    let ys = || surface.positions().iter().map(|position| position.y);
    ys().fold(f32::NEG_INFINITY, f32::max) - ys().fold(f32::INFINITY, f32::min)
}

fn fitted(surface: &HalfedgeMesh) -> Fit {
    fit_best(&Body::from_surface(surface).unwrap(), &Options::default()).unwrap()
}

/// A body that is turned between the axes gets the joints that it would have without, turned along.
#[test]
fn bodies_between_the_axes_are_fitted_as_those_along_them() {
    let human = Human::new();
    let scene = read(Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/quadruped.js3d"));
    let giraffe = scene.skinned_meshes.values().next().unwrap().surface.clone();
    let chibi = human.varied(Kind::Chibi, 1).surface;
    for (name, surface) in [("human", &*human.surface), ("chibi", &chibi), ("giraffe", &*giraffe)] {
        let (expected, size) = (fitted(surface), height(surface));
        for degrees in [35.0_f32, 200.0, 286.7] {
            let turn = Mat3::from_rotation_y(degrees.to_radians());
            let found = fitted(&moved(surface, |point| turn * point));
            assert_eq!(found.template().name, expected.template().name);
            let front = found.axes()[1].angle_between(turn * expected.axes()[1]).to_degrees();
            assert!(front < 0.5, "{name}, {degrees}°: {front}° off");
            for (found, expected) in found.joints().iter().zip(expected.joints()) {
                let far = found.position.distance(turn * expected.position) / size;
                assert!(far < 0.02, "{name}, {degrees}°, {}: {far}", found.name);
            }
            // A joint that is pinned is where it is pinned.
            let at = turn * (expected.joints()[3].position + Vec3::splat(0.02 * size));
            let pinned = found.refit(vec![(found.joints()[3].name.clone(), at)]).unwrap();
            assert!(pinned.joints()[3].position.distance(at) < 1e-4 * size);
        }
    }
}

/// A file with z up, and one that faces between the axes, become a character that stands and faces z, and walks to there.
#[test]
fn bodies_come_out_standing() {
    let folder = Folder::new();
    let human = Human::new();
    let (from, out) = (folder.path("body.obj"), folder.path("walker.js3d"));
    let z_up = Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::NEG_Y);
    for (turn, text) in [
        (z_up, "up is z, the body faces -y; turned"),
        (Mat3::from_quat(Quat::from_rotation_z(0.6)) * z_up, "up is z, the body faces -y 34° to x; turned"),
        (Mat3::from_rotation_y(2.0), "faces x 25° to -z; turned"),
        (Mat3::IDENTITY, "up is y, the body faces z\n"),
    ] {
        let surface = moved(&human.surface, |point| turn * point);
        let object = Object { name: "Body", polygons: &Polygons::new(&surface) };
        std::fs::write(&from, write("", &[object]).unwrap()).unwrap();
        let said = good(&["walk", &from.display().to_string(), "-o", &out.display().to_string(), "--force"]);
        assert!(said.contains(text), "{said}");
        let scene = read(&out);
        let skinned = &scene.skinned_meshes["Body"];
        let far = skinned.surface.positions().iter().zip(human.surface.positions());
        let far = far.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(far < 0.02 * height(&human.surface), "{text}: {far}");
        let axes = BodyAxes::new(&skinned.skeleton);
        assert_eq!((axes.up, axes.front), (DVec3::Y, DVec3::Z));
        assert_eq!(scene.animation.takes.list.len(), 1);
    }
}

/// A body whose origin is in its hips, of a file with y or z up, stands on the floor, with its skeleton.
#[test]
fn bodies_are_put_on_the_floor() {
    let folder = Folder::new();
    let human = Human::new();
    let (from, out) = (folder.path("body.obj"), folder.path("rigged.js3d"));
    let z_up = Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::NEG_Y);
    for (turn, text) in [(Mat3::IDENTITY, "faces z; put on the floor"), (z_up, "faces -y; turned")] {
        let surface = moved(&human.surface, |point| turn * (point - Vec3::new(0.0, 2.9, 0.0)));
        let object = Object { name: "Body", polygons: &Polygons::new(&surface) };
        std::fs::write(&from, write("", &[object]).unwrap()).unwrap();
        let said = good(&["fit", &from.display().to_string(), "-o", &out.display().to_string(), "--force"]);
        assert!(said.contains(text), "{said}");
        let scene = read(&out);
        let skinned = &scene.skinned_meshes["Body"];
        let lowest = skinned.surface.positions().iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
        assert!(lowest.abs() < 1e-4, "{lowest}");
        let ankle = (0..skinned.skeleton.bones.len()).find(|&b| skinned.skeleton.bone_name(b) == "shin.L");
        let ankle = bind_tips(&skinned.skeleton)[ankle.unwrap()];
        let known = (0..human.tips.len()).find(|&b| human.skeleton.bone_name(b) == "shin.L").unwrap();
        let far = ankle.as_vec3().distance(human.tips[known]) / height(&human.surface);
        assert!(far < 0.03, "{far}");
    }
}

/// The skeleton that a character has is replaced when that is asked for, with what depends on it, and not else.
#[test]
fn a_skeleton_is_replaced() {
    let folder = Folder::new();
    let out = folder.path("again.js3d");
    let walk = concat!(env!("CARGO_MANIFEST_DIR"), "/media/js3d/A4-human-walk.js3d");
    let to = out.display().to_string();
    let (error, _) = bad(&["fit", walk, "-o", &to]);
    assert!(error.contains("--replace-skeleton"), "{error}");
    let output = run(&["fit", walk, "-o", &to, "--replace-skeleton"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    for part in ["34 bones", "all keys", "removed"] {
        assert!(said.contains(part), "{said}");
    }
    let (before, after) = (read(walk), read(&out));
    let (old, new) =
        (&before.skinned_meshes["Human_skinned_mesh"], &after.skinned_meshes["Human_skinned_mesh"]);
    assert!(after.animation.channels.is_empty() && after.animation.takes.list.is_empty());
    assert!(new.skeleton.bones.len() > old.skeleton.bones.len(), "it has fingers now");
    assert!(new.skeleton.handles.is_empty() && new.weights.unweighted_count() == 0);
    let (old_tips, new_tips) = (bind_tips(&old.skeleton), bind_tips(&new.skeleton));
    for name in ["forearm.L", "shin.R", "upper_arm.R", "neck"] {
        let tip = |skinned: &ossature::scene::skinned::SkinnedMesh, tips: &[DVec3]| {
            tips[(0..tips.len()).find(|bone| skinned.skeleton.bone_name(*bone) == name).unwrap()]
        };
        let far = tip(old, &old_tips).distance(tip(new, &new_tips)) / f64::from(height(&old.surface));
        assert!(far < 0.03, "{name}: {far}");
    }
}
