//! Skeletons fitted into bodies: the human, the giraffe, varied humans, turned and mirrored bodies, pins, and the command.

use crate::bodies::{Human, Kind, with_positions};
use crate::measure::fit::{errors, figures};
use crate::running::*;
use glam::{Mat3, Vec3};
use ossature::io::js3d;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::body::side_names;
use ossature::rig::fit::{Body, Fit, FitError, Options, Template, fit, fit_best};
use ossature::rig::kinematics::{bind_tips, rotation_axes};
use std::path::Path;

fn humanoid() -> Template {
    Template::named("humanoid").unwrap()
}

fn fitted(surface: &HalfedgeMesh, template: &Template) -> Fit {
    fit(&Body::from_surface(surface).unwrap(), template, &Options::default()).unwrap()
}

fn height(surface: &HalfedgeMesh) -> f32 {
    let ys = || surface.positions().iter().map(|position| position.y);
    ys().fold(f32::NEG_INFINITY, f32::max) - ys().fold(f32::INFINITY, f32::min)
}

/// The joint with this name.
fn joint(fit: &Fit, name: &str) -> Vec3 {
    fit.joints().into_iter().find(|joint| joint.name == name).unwrap().position
}

#[test]
fn the_human_gets_its_own_joints_back() {
    let human = Human::new();
    let found = fitted(&human.surface, &humanoid());
    let tips = bind_tips(&human.skeleton);
    let size = height(&human.surface);
    let mut distances = Vec::new();
    for joint in found.joints() {
        let Some(bone) = joint.bone else { continue };
        distances.push(joint.position.distance(tips[bone].as_vec3()) / size);
        assert!(joint.confidence > 0.8, "{joint:?}");
    }
    distances.sort_by(f32::total_cmp);
    assert!(distances[distances.len() / 2] < 0.01 && distances[distances.len() - 1] < 0.03, "{distances:?}");
    assert_eq!(found.bones_outside(), Vec::<usize>::new());
}

/// Elbows and knees bend about the local x axis, by a positive angle further; names, sides, radii and limits are there.
#[test]
fn the_skeleton_is_ready_for_posing() {
    let human = Human::new();
    let skeleton = fitted(&human.surface, &humanoid()).skeleton(&human.surface);
    // The human has five fingers; its own skeleton, and the template, have two.
    assert_eq!(skeleton.bones.len(), human.skeleton.bones.len() + 2 * FINGER_BONES);
    let bone = |name: &str| skeleton.bones.iter().find(|bone| bone.name.as_deref() == Some(name)).unwrap();
    for side in [".L", ".R"] {
        for [upper, lower] in [["upper_arm", "forearm"], ["thigh", "shin"]] {
            let [upper, lower] = [upper, lower].map(|name| bone(&format!("{name}{side}")));
            let closing = upper.extent.as_dvec3().cross(lower.extent.as_dvec3()).normalize();
            assert!(rotation_axes(lower)[0].dot(closing) > 0.99, "{:?}", lower.name);
            assert!(lower.preferred_deg.unwrap().x > 0.0 && lower.limits_deg.0[0].unwrap()[1] > 90.0);
        }
        let positive = side_names::is_positive(
            bone(&format!("hand{side}")).name.as_deref().unwrap(),
            ossature::math::axis::Axis::X,
        );
        assert_eq!(positive, Some(side == ".L"));
    }
    for (fitted, known) in skeleton.bones.iter().zip(&human.skeleton.bones) {
        assert!(fitted.radius > 0.0 && fitted.radius < 0.3 * height(&human.surface), "{:?}", known.name);
    }
}

/// What a hand of five fingers has beyond one with a thumb and one finger: four bones for each of three fingers, and one more in
/// the finger and in the thumb.
const FINGER_BONES: usize = 3 * 4 + 2;

/// Each finger ends in its own tip: the vertex of the human that is the farthest out there.
#[test]
fn five_fingers_are_found_and_curl_into_the_palm() {
    let human = Human::new();
    let fit = fitted(&human.surface, &humanoid());
    let skeleton = fit.skeleton(&human.surface);
    let tips = bind_tips(&skeleton);
    let bone =
        |name: &str| skeleton.bones.iter().position(|bone| bone.name.as_deref() == Some(name)).unwrap();
    let hand = joint(&fit, "wrist.L").distance(joint(&fit, "fingers2.L"));
    // Read off the surface: the vertices at the ends of thumb, index, middle, ring and little finger.
    let ends = [
        ("thumb3.L", [1.961, 2.812, 0.417]),
        ("index3.L", [2.136, 2.614, 0.277]),
        ("middle3.L", [2.171, 2.563, 0.190]),
        ("ring3.L", [2.165, 2.577, 0.087]),
        ("pinky3.L", [2.122, 2.66, 0.005]),
    ];
    for (name, end) in ends {
        let far = tips[bone(name)].as_vec3().distance(Vec3::from(end));
        assert!(far < 0.02 * hand, "{name}: {far}");
    }
    // A positive or negative turn about x, whichever the limits allow, brings a fingertip nearer to the wrist.
    for name in ["index1.L", "ring2.L", "pinky1.R"] {
        let [low, high] = skeleton.bones[bone(name)].limits_deg.0[0].unwrap();
        assert!(low.abs().min(high.abs()) < 25.0 && low.abs().max(high.abs()) > 90.0, "{name} {low} {high}");
    }
}

/// Knees that are nearly straight bend to the front, whatever the error of a joint to the side.
#[test]
fn knees_bend_forwards() {
    let human = Human::new();
    for number in 0..12 {
        let varied = human.varied(Kind::Common, number);
        let Ok(found) = fit(&Body::from_surface(&varied.surface).unwrap(), &humanoid(), &Options::default())
        else {
            continue;
        };
        let skeleton = found.skeleton(&varied.surface);
        for bone in
            skeleton.bones.iter().filter(|bone| bone.name.as_deref().is_some_and(|n| n.starts_with("shin")))
        {
            let [x, _, z] = rotation_axes(bone);
            let hinge = if bone.limits_deg.0[0].unwrap()[1] > 90.0 { x } else { z };
            let yaw = hinge.z.atan2(hinge.x.abs()).abs().to_degrees();
            assert!(yaw < 20.0, "body {number}: {:?} bends {yaw:.0}° aside", bone.name);
        }
    }
}

/// A plate under the feet, and a rod that touches it, make one body of both legs; the human in it is fitted all the same.
#[test]
fn what_a_body_stands_on_and_carries_is_no_limb() {
    let human = Human::new();
    let plain = fitted(&human.surface, &humanoid());
    let size = height(&human.surface);
    let mut positions = human.surface.positions().to_vec();
    let mut faces: Vec<Vec<u32>> = human.surface.triangles().iter().map(|face| face.to_vec()).collect();
    let mut add = |piece: HalfedgeMesh, offset: Vec3| {
        let first = positions.len() as u32;
        positions.extend(piece.positions().iter().map(|point| *point + offset));
        faces.extend(piece.triangles().iter().map(|face| face.map(|corner| first + corner).to_vec()));
    };
    add(primitives::cuboid(size * Vec3::new(0.5, 0.03, 0.4)).unwrap(), Vec3::new(0.0, -0.005 * size, 0.0));
    let hand = joint(&plain, "fingers.R");
    add(primitives::tube(0.01 * size, 0.75 * size, 12, 8).unwrap(), Vec3::new(hand.x, -0.01 * size, hand.z));
    let surface = HalfedgeMesh::from_polygons(positions, &faces, None).unwrap();
    let found = fitted(&surface, &humanoid());
    for name in ["knee.L", "ankle.R", "wrist.R", "elbow.L", "neck", "hip.L"] {
        let far = joint(&found, name).distance(joint(&plain, name)) / size;
        assert!(far < 0.02, "{name}: {far}");
    }
}

/// The body decides which way it faces.
#[test]
fn turned_bodies_get_turned_skeletons() {
    let human = Human::new();
    let expected = fitted(&human.surface, &humanoid());
    let size = height(&human.surface);
    for (up, front, scale) in [
        (Vec3::Z, Vec3::NEG_Y, 0.01),
        (Vec3::Z, Vec3::X, 1.0),
        (Vec3::Y, Vec3::NEG_Z, 100.0),
        (Vec3::NEG_Y, Vec3::Z, 1.0),
    ] {
        let turn = Mat3::from_cols(up.cross(front), up, front);
        let map = |point: Vec3| scale * (turn * point) + 3.0 * scale * Vec3::ONE;
        let positions = human.surface.positions().iter().map(|position| map(*position)).collect();
        let found = fitted(&with_positions(&human.surface, positions), &humanoid());
        assert_eq!(found.axes(), [up, front]);
        for (found, expected) in found.joints().iter().zip(expected.joints()) {
            let distance = found.position.distance(map(expected.position)) / (scale * size);
            assert!(distance < 0.02, "{up} {front} {}: {distance}", expected.name);
        }
    }
}

#[test]
fn a_mirrored_body_gets_the_mirrored_skeleton() {
    let human = Human::new();
    let varied = human.varied(Kind::Common, 3);
    let mirror = Vec3::new(-1.0, 1.0, 1.0);
    let positions = varied.surface.positions().iter().map(|position| *position * mirror).collect();
    let [found, expected] = [with_positions(&varied.surface, positions).flipped(), varied.surface]
        .map(|surface| fitted(&surface, &humanoid()));
    let opposite = |name: &str| match name.rsplit_once('.') {
        Some((stem, "L")) => format!("{stem}.R"),
        Some((stem, "R")) => format!("{stem}.L"),
        _ => name.to_owned(),
    };
    for this in found.joints() {
        let distance =
            this.position.distance(mirror * joint(&expected, &opposite(&this.name))) / varied.height;
        // Which of several voxels at the end of a limb is farthest depends on their order.
        let is_end =
            ["toes", "foot", "fingers", "thumb", "palm"].iter().any(|part| this.name.starts_with(part));
        assert!(distance < if is_end { 0.02 } else { 0.01 }, "{}: {distance}", this.name);
    }
}

#[test]
fn varied_bodies_are_fitted() {
    let human = Human::new();
    for (kind, count, good) in [(Kind::Common, 6, 6), (Kind::Hanging, 4, 4), (Kind::Chibi, 4, 4)] {
        let figures = figures(&human, kind, count);
        // Of the first four bodies with hanging arms, one needs a click.
        let fitted = if kind == Kind::Common { figures.good } else { figures.good_with_clicks };
        assert!(fitted >= good, "{kind:?}: {figures:?}");
        assert!(figures.median_error() < 0.02, "{kind:?}: {figures:?}");
    }
}

/// Hips are level and in their place, also of a chibi whose legs grow into the trunk slowly, of a body whose thighs touch, and of one
/// whose thighs are thin.
#[test]
fn hips_are_level() {
    let human = Human::new();
    let right =
        (0..human.skeleton.bones.len()).find(|&bone| human.skeleton.bone_name(bone) == "hip.R").unwrap();
    let bodies = [(Kind::Chibi, 5), (Kind::Chibi, 1), (Kind::Common, 2)];
    let bodies = bodies.map(|(kind, number)| (format!("{kind:?} {number}"), human.varied(kind, number)));
    for (name, varied) in bodies.into_iter().chain([("thin".to_owned(), human.thin())]) {
        let found = fitted(&varied.surface, &humanoid());
        let [left, right, wanted] =
            [joint(&found, "hip.L").y, joint(&found, "hip.R").y, varied.tips[right].y];
        let [differ, wrong] = [left - right, right - wanted].map(|far| far.abs() / varied.height);
        assert!(differ < 0.02 && wrong < 0.04, "{name}: {left}, {right}, not {wanted}");
    }
}

/// On a body whose sides are the same, all joints are; but thumbs nearly, which hang from hands that end in different voxels.
#[test]
fn a_symmetric_body_gets_a_symmetric_skeleton() {
    let found = fitted(&Human::new().surface, &humanoid());
    for left in found.joints().iter().filter(|joint| joint.name.ends_with(".L")) {
        let right = joint(&found, &left.name.replace(".L", ".R"));
        let far = (left.position * Vec3::new(-1.0, 1.0, 1.0)).distance(right);
        let most = if left.name.starts_with("thumb") { 0.02 } else { 0.004 };
        assert!(far < most * 5.5, "{}: {far}", left.name);
    }
}

/// Several closed shells count as one body, whichever way they face.
#[test]
fn eyes_and_armour_do_no_harm() {
    let human = Human::new();
    let mut positions = human.surface.positions().to_vec();
    let mut faces: Vec<Vec<u32>> =
        human.surface.triangles().iter().map(|triangle| triangle.to_vec()).collect();
    let ball = ossature::mesh::primitives::uv_sphere(0.1, 16, 8).unwrap();
    let armour = ossature::mesh::primitives::cuboid(Vec3::new(1.2, 1.0, 0.9)).unwrap();
    let shells = [(ball.clone(), Vec3::new(0.15, 5.0, 0.25)), (ball.flipped(), Vec3::new(-0.15, 5.0, 0.25))];
    for (shell, offset) in shells.into_iter().chain([(armour, Vec3::new(0.0, 3.7, 0.0))]) {
        let first = positions.len() as u32;
        positions.extend(shell.positions().iter().map(|position| *position + offset));
        faces.extend(shell.triangles().iter().map(|triangle| triangle.map(|vertex| first + vertex).to_vec()));
    }
    let dressed = HalfedgeMesh::from_polygons(positions, &faces, None).unwrap();
    let [found, expected] = [&dressed, &*human.surface].map(|surface| fitted(surface, &humanoid()));
    for name in ["shoulder.L", "elbow.R", "wrist.L", "hip.R", "knee.L", "ankle.R", "neck"] {
        let distance = joint(&found, name).distance(joint(&expected, name)) / height(&human.surface);
        assert!(distance < 0.04, "{name}: {distance}");
    }
}

#[test]
fn the_giraffe_is_four_legged() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/quadruped.js3d");
    let (scene, _) = js3d::read_file(&file).unwrap();
    let giraffe = scene.skinned_meshes.values().next().unwrap();
    let body = Body::from_surface(&giraffe.surface).unwrap();
    let found = fit_best(&body, &Options::default()).unwrap();
    assert_eq!(found.template().name, "four-legged");
    assert_eq!(found.bones_outside(), Vec::<usize>::new());
    let tips = bind_tips(&giraffe.skeleton);
    for name in ["scapula", "forearm", "cannon", "hoof", "hip", "thigh", "shank", "shin", "toe"] {
        for side in [".L", ".R"] {
            let name = format!("{name}{side}");
            let bone = (0..tips.len()).find(|&bone| giraffe.skeleton.bone_name(bone) == name).unwrap();
            let distance = joint(&found, &name).distance(tips[bone].as_vec3()) / height(&giraffe.surface);
            assert!(distance < 0.05, "{name}: {distance}");
        }
    }
    let template = Template::from_skeleton("giraffe", &giraffe.skeleton);
    let found = fit(&body, &template, &Options::default()).unwrap();
    let mut distances: Vec<f32> = found
        .joints()
        .iter()
        .filter_map(|joint| {
            Some(joint.position.distance(tips[joint.bone?].as_vec3()) / height(&giraffe.surface))
        })
        .collect();
    distances.sort_by(f32::total_cmp);
    assert!(distances[distances.len() / 2] < 0.03 && distances[distances.len() - 1] < 0.08, "{distances:?}");
}

/// Pinned joints are where they are pinned, their neighbours follow, and a refit is the same as a new fit.
#[test]
fn pins_hold() {
    let human = Human::new();
    let varied = human.varied(Kind::Common, 1);
    let body = Body::from_surface(&varied.surface).unwrap();
    let first = fit(&body, &humanoid(), &Options::default()).unwrap();
    let at = joint(&first, "elbow.L") + Vec3::new(0.1, 0.0, 0.05);
    let pins = vec![("elbow.L".to_owned(), at)];
    let refitted = first.refit(pins.clone()).unwrap();
    assert_eq!(joint(&refitted, "elbow.L"), at);
    let again = fit(&body, &humanoid(), &Options { pins, ..Options::default() }).unwrap();
    assert_eq!(refitted.joints(), again.joints());
    let good = errors(&human, &varied, &first);
    assert!(good[good.len() - 1].0 < 0.08);
    // The bone that ends there is another name of the joint.
    let by_bone = first.refit(vec![("upper_arm.L".to_owned(), at)]).unwrap();
    assert_eq!(by_bone.joints(), refitted.joints());
    let unknown = first.refit(vec![("tail".to_owned(), at)]).unwrap_err();
    assert!(matches!(&unknown, FitError::UnknownJoint { name, .. } if name == "tail"), "{unknown}");
}

/// An elbow that is dropped beside its arm moves, and the rest of the arm is still found.
#[test]
fn a_pinned_elbow_beside_its_arm_leaves_the_hand_where_it_is() {
    let human = Human::new();
    let before = fitted(&human.surface, &humanoid());
    let at = joint(&before, "elbow.L") + Vec3::new(0.1, 0.25, 0.0);
    let after = before.refit(vec![("elbow.L".to_owned(), at)]).unwrap();
    assert!(joint(&after, "elbow.L").distance(at) < 1e-4);
    for name in ["wrist.L", "wrist.R", "elbow.R", "knee.L"] {
        let moved = joint(&after, name).distance(joint(&before, name));
        assert!(moved < 0.02 * height(&human.surface), "{name}: {moved}");
    }
    assert!(after.penalty() < before.penalty() + 0.01, "{}", after.penalty());
}

#[test]
fn what_is_no_body_is_refused() {
    let ball = ossature::mesh::primitives::uv_sphere(1.0, 24, 12).unwrap();
    let body = Body::from_surface(&ball).unwrap();
    let error = fit_best(&body, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("wrist.L"), "{error}");
    let plate =
        HalfedgeMesh::from_polygons(vec![Vec3::ZERO, Vec3::X, Vec3::Y], &[vec![0, 1, 2]], None).unwrap();
    assert_eq!(Body::from_surface(&plate).unwrap_err(), FitError::Empty);
    assert_eq!(Body::from_surface(&HalfedgeMesh::default()).unwrap_err(), FitError::Empty);
}

#[test]
fn the_command_writes_a_rigged_scene() {
    let folder = Folder::new();
    let body = concat!(env!("CARGO_MANIFEST_DIR"), "/media/obj/human.obj");
    let out = folder.path("rigged.js3d").display().to_string();
    let text = good(&["fit", body, "-o", &out, "--at", "elbow.L=1.3,3.65,-0.1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (scene, _) = js3d::read_file(Path::new(&out)).unwrap();
    let rigged = scene.skinned_meshes.values().next().unwrap();
    // The start of the skeleton and the end of each bone, fingers included.
    let joints = json["joints"].as_array().unwrap();
    assert_eq!(
        (json["template"].as_str(), joints.len()),
        (Some("humanoid"), rigged.skeleton.bones.len() + 1)
    );
    let tips = bind_tips(&rigged.skeleton);
    for (joint, tip) in joints[1..].iter().zip(&tips) {
        let position: Vec3 = serde_json::from_value(joint["position"].clone()).unwrap();
        assert!(position.distance(tip.as_vec3()) < 1e-5, "{joint} {tip}");
    }
    let has =
        |name: &str| joints.iter().any(|joint| joint["bone"] == name && joint["confidence"].is_number());
    assert!(has("ring3.L") && has("thumb3.R"));
    assert_eq!((rigged.skeleton.bones.len(), rigged.weights.unweighted_count()), (34 + 2 * FINGER_BONES, 0));
    // Any of these joints can be placed, as it is printed.
    let again = folder.path("again.js3d").display().to_string();
    for joint in joints.iter().filter(|joint| {
        ["index1.L", "ring3.L", "thumb3.R", "fingers.R", "palm.L"].iter().any(|name| joint["name"] == **name)
    }) {
        let position: Vec3 = serde_json::from_value(joint["position"].clone()).unwrap();
        let name = joint["name"].as_str().unwrap();
        let at = format!("{name}={},{},{}", position.x + 0.02, position.y, position.z);
        let text = good(&["fit", body, "-o", &again, "--at", &at, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let placed = json["joints"].as_array().unwrap().iter().find(|placed| placed["name"] == name).unwrap();
        let found: Vec3 = serde_json::from_value(placed["position"].clone()).unwrap();
        assert!(found.distance(position + 0.02 * Vec3::X) < 1e-4, "{name}: {found}");
        assert_eq!(placed["confidence"], 1.0, "{name}");
    }
    let glb = folder.path("rigged.glb").display().to_string();
    good(&["fit", body, "-o", &glb, "--template", &out, "--up", "y", "--front", "z"]);
    for (arguments, part) in [
        (vec!["fit", body, "-o", &out, "--template", "dragon"], "humanoid, four-legged"),
        (vec!["fit", body, "-o", &out, "--at", "nose=0,0,0"], "wrist.L"),
        (vec!["fit", &out, "-o", &glb], "has a skeleton"),
    ] {
        let (error, _) = bad(&arguments);
        assert!(error.contains(part), "{error}");
    }
}
