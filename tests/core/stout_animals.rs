//! Animals with column legs, no neck, a large head and horns: fitted and walking.

use crate::running::{Folder, good, read};
use crate::support::corpus_root;
use glam::{Quat, Vec3};
use ossature::io::obj::{self, Object, write};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives::{tube, uv_sphere};
use ossature::mesh::soup::Polygons;
use ossature::rig::fit::{Body, Options, fit_best};
use ossature::rig::kinematics::{bind_tips, current_pose, tips};
use ossature::scene::apply_animation::animate;

/// A calf that faces z.
fn calf() -> HalfedgeMesh {
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    let mut add = |piece: HalfedgeMesh, scale: Vec3, offset: Vec3| {
        let first = positions.len() as u32;
        positions.extend(piece.positions().iter().map(|point| scale * *point + offset));
        faces.extend(piece.triangles().iter().map(|face| face.map(|corner| first + corner).to_vec()));
    };
    let ball = || uv_sphere(1.0, 32, 24).unwrap();
    add(ball(), Vec3::new(0.36, 0.36, 0.75), Vec3::ZERO);
    add(ball(), Vec3::new(0.36, 0.42, 0.36), Vec3::new(0.0, 0.45, 0.75));
    add(ball(), Vec3::new(0.2, 0.18, 0.25), Vec3::new(0.0, 0.35, 1.05));
    for side in [-1.0, 1.0] {
        add(tube(0.05, 0.35, 16, 6).unwrap(), Vec3::ONE, Vec3::new(0.2 * side, 0.7, 0.7));
        for z in [-0.45, 0.42] {
            add(tube(0.11, 0.5, 24, 8).unwrap(), Vec3::ONE, Vec3::new(0.23 * side, -0.7, z));
        }
    }
    HalfedgeMesh::from_polygons(positions, &faces, None).unwrap()
}

/// Hooves point to the front, sides are alike, and the head ends in the muzzle, not in a horn.
fn is_fitted(surface: &HalfedgeMesh, front: Vec3) {
    let found = fit_best(&Body::from_surface(surface).unwrap(), &Options::default()).unwrap();
    assert_eq!((found.template().name.as_str(), found.axes()), ("four-legged", [Vec3::Y, front]));
    let joint = |name: &str| found.joints().into_iter().find(|joint| joint.name == name).unwrap().position;
    let size = joint("head").y - joint("hoof.L").y;
    for [above, end] in [["cannon", "hoof"], ["shin", "toe"]] {
        for side in [".L", ".R"] {
            let foot = joint(&format!("{end}{side}")) - joint(&format!("{above}{side}"));
            assert!(foot.dot(front) > 0.0, "{end}{side} points back: {foot}");
        }
        let [left, right] = [".L", ".R"].map(|side| joint(&format!("{end}{side}")));
        assert!((left * Vec3::new(-1.0, 1.0, 1.0)).distance(right) < 0.03 * size, "{left} {right}");
    }
    let (head, before) = (joint("head"), joint("neck2"));
    assert!(head.x.abs() < 0.02 * size && (head - before).dot(front) > 0.1 * size, "{before} to {head}");
    // The chest is over the forelegs.
    let chest = joint("chest") - 0.5 * (joint("scapula.L") + joint("scapula.R"));
    assert!(chest.dot(front).abs() < 0.2 * size, "{chest}");
    let walk = walk(surface);
    assert!(walk > 0.15, "an ankle is {walk} of the height below its hip");
}

/// Walks, and returns the least height of a hip above its ankle, as a fraction of that of the bind pose.
fn walk(surface: &HalfedgeMesh) -> f64 {
    let folder = Folder::new();
    let (from, to) = (folder.path("animal.obj"), folder.out("walker.js3d"));
    let object = Object { name: "Animal", polygons: &Polygons::new(surface) };
    std::fs::write(&from, write("", &[object]).unwrap()).unwrap();
    good(&["walk", &from.display().to_string(), "-o", &to]);
    let scene = read(&to);
    let take = &scene.animation.takes.list[0];
    let mut least = f64::INFINITY;
    for frame in take.range[0]..=take.range[1] {
        let shown = animate(&scene, frame as f32);
        let skeleton = &shown.skinned_meshes["Animal"].skeleton;
        let (now, rest) = (tips(skeleton, &current_pose(skeleton)), bind_tips(skeleton));
        for (bone, tip) in now.iter().enumerate() {
            let name = skeleton.bone_name(bone);
            let (stem, side) = name.split_at(name.len() - 2);
            let hip = match stem {
                "cannon" => "scapula",
                "shin" => "hip",
                _ => continue,
            };
            let is_hip = |bone: &usize| skeleton.bone_name(*bone) == format!("{hip}{side}");
            let hip = (0..now.len()).find(is_hip).unwrap();
            least = least.min((now[hip].y - tip.y) / (rest[hip].y - rest[bone].y));
        }
    }
    least
}

/// Whichever way an animal is turned, it stands on four legs and faces where its head is.
fn is_found_turned(surface: &HalfedgeMesh, front: Vec3) {
    for degrees in [20.0_f32, 110.0, 250.0, 287.0] {
        let turn = Quat::from_rotation_y(degrees.to_radians());
        let positions: Vec<Vec3> = surface.positions().iter().map(|point| turn * *point).collect();
        let body = Body::new(&positions, &surface.triangles()).unwrap();
        let found = fit_best(&body, &Options::default()).unwrap();
        let [up, faces] = found.axes();
        assert_eq!((found.template().name.as_str(), up), ("four-legged", Vec3::Y), "{degrees}");
        assert!(faces.dot(turn * front) > 0.99, "{degrees}: {faces}");
    }
}

#[test]
fn a_calf_of_balls_and_tubes_walks() {
    is_fitted(&calf(), Vec3::Z);
    is_found_turned(&calf(), Vec3::Z);
}

/// Keenan Crane's cow.
#[test]
#[ignore = "reads a public file: set OSSATURE_CORPUS to the folder"]
fn spot_walks() {
    let text = std::fs::read(corpus_root().join("mesh/spot/spot.obj")).unwrap();
    let spot = obj::read(&text).unwrap().surface;
    is_fitted(&spot, Vec3::NEG_Z);
    is_found_turned(&spot, Vec3::NEG_Z);
}
