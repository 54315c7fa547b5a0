//! Bodies with separate pieces: what a hand holds and what lies on one bone does not bend, what covers a joint does, and hair that
//! hangs beside the trunk does not push the arms away.

use crate::bodies::Human;
use glam::{DVec3, Quat, Vec3};
use ossature::edit::command::{Command, Surface};
use ossature::edit::fitting::{Weighing, commands};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::fit::{Body, Options, fit_best};
use ossature::rig::kinematics::{bind_tips, parent_of, tips};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Posed, Settings};
use ossature::scene::skinned::SkinnedMesh;
use std::collections::BTreeSet;
use std::sync::Arc;

const MESH: &str = "Body";
/// The height of the human.
const SIZE: f32 = 5.5;

/// The human and other pieces, and the first vertex of each.
fn with_pieces(human: &Human, pieces: &[HalfedgeMesh]) -> (HalfedgeMesh, Vec<usize>) {
    let (mut positions, mut faces, mut firsts) = (Vec::new(), Vec::new(), Vec::new());
    for piece in std::iter::once(&*human.surface).chain(pieces) {
        let first = positions.len() as u32;
        firsts.push(first as usize);
        positions.extend_from_slice(piece.positions());
        faces.extend(piece.triangles().iter().map(|face| face.map(|corner| first + corner).to_vec()));
    }
    firsts.push(positions.len());
    (HalfedgeMesh::from_polygons(positions, &faces, None).unwrap(), firsts)
}

/// A closed tube from one point to another.
fn tube(from: Vec3, to: Vec3, radius: f32, along: u32) -> HalfedgeMesh {
    let tube = primitives::tube(radius, from.distance(to), 12, along).unwrap();
    let turn = Quat::from_rotation_arc(Vec3::Y, (to - from).normalize());
    moved(&tube, |point| from + turn * point)
}

fn moved(surface: &HalfedgeMesh, map: impl Fn(Vec3) -> Vec3) -> HalfedgeMesh {
    crate::bodies::with_positions(surface, surface.positions().iter().map(|point| map(*point)).collect())
}

/// A body with a fitted skeleton, weights and a walk.
fn walker(surface: &HalfedgeMesh) -> Scene {
    let mut scene = Scene::default();
    let surface_of = Surface::Built(Arc::new(surface.clone()));
    Command::AddMesh { name: MESH.into(), surface: surface_of, skinned: true }.apply(&mut scene).unwrap();
    let fit = fit_best(&Body::from_surface(surface).unwrap(), &Options::default()).unwrap();
    for command in commands(&scene, MESH, &fit, Weighing::Calculated, &|_| true).unwrap() {
        command.apply(&mut scene).unwrap();
    }
    scene
}

fn frames(scene: &Scene) -> Vec<Arc<Posed>> {
    let [first, last] = scene.animation.takes.list[0].range;
    let mut evaluator = Evaluator::default();
    let posed = |frame| {
        let settings = Settings { frame: Some(frame as f32), ..Settings::default() };
        evaluator.evaluate(scene, &settings).skinned[MESH].clone()
    };
    (first..=last).map(posed).collect()
}

fn bone(skinned: &SkinnedMesh, name: &str) -> usize {
    (0..skinned.skeleton.bones.len()).find(|&bone| skinned.skeleton.bone_name(bone) == name).unwrap()
}

/// The tip of a bone of the human.
fn joint(human: &Human, name: &str) -> Vec3 {
    let bone = (0..human.tips.len()).find(|&bone| human.skeleton.bone_name(bone) == name);
    human.tips[bone.unwrap()]
}

/// The names of the bones that some vertices follow.
fn followed(skinned: &SkinnedMesh, vertices: std::ops::Range<usize>) -> BTreeSet<String> {
    let bones = vertices.flat_map(|vertex| skinned.weights.influences(vertex)).map(|(bone, _)| bone);
    bones.map(|bone| skinned.skeleton.bone_name(usize::from(bone))).collect()
}

/// Swords that point forwards, down along the leg and aside, a staff and a bag follow the hand as one, while it walks.
#[test]
fn what_a_hand_holds_does_not_bend() {
    let human = Human::new();
    let palm = joint(&human, "forearm.R").lerp(joint(&human, "fingers.R"), 0.6);
    let blade = |along: Vec3, back: f32, front: f32, radius: f32| {
        tube(palm - back * SIZE * along, palm + front * SIZE * along, radius * SIZE, 24)
    };
    let bag = moved(&primitives::uv_sphere(0.07 * SIZE, 24, 16).unwrap(), |point| {
        palm + point - 0.08 * SIZE * Vec3::Y
    });
    for (name, piece) in [
        ("sword forwards", blade(Vec3::Z, 0.05, 0.45, 0.012)),
        ("sword down", blade(Vec3::new(0.1, -1.0, 0.1).normalize(), 0.05, 0.35, 0.012)),
        ("sword aside", blade(Vec3::new(-1.0, 0.3, 0.2).normalize(), 0.05, 0.45, 0.006)),
        ("staff", blade(Vec3::Y, 0.45, 0.6, 0.01)),
        ("bag", bag),
    ] {
        let (surface, firsts) = with_pieces(&human, std::slice::from_ref(&piece));
        let scene = walker(&surface);
        let skinned = &scene.skinned_meshes[MESH];
        let bones = followed(skinned, firsts[1]..firsts[2]);
        let stretch = |posed: &Arc<Posed>| {
            let place = |vertex: u32| posed.positions[firsts[1] + vertex as usize];
            let ends = (0..piece.edge_count() as u32).map(|edge| piece.edge_vertices(edge));
            let lengths = ends.map(|[a, b]| {
                let bind = piece.positions()[a as usize].distance(piece.positions()[b as usize]);
                (place(a).distance(place(b)) / bind - 1.0).abs()
            });
            lengths.fold(0.0, f32::max)
        };
        let most = frames(&scene).iter().map(stretch).fold(0.0, f32::max);
        println!("{name}: {bones:?}, its edges change by {most}");
        assert!(bones.len() == 1 && bones.contains("hand.R") && most < 1e-3, "{name}: {bones:?}, {most}");
    }
}

/// Plates, eyes and helmets follow their bone alone; sleeves, trousers, straps along a limb, and a glove do not.
#[test]
fn plates_are_rigid_and_what_covers_a_joint_bends() {
    let human = Human::new();
    let along = |from: &str, to: &str, [start, end]: [f32; 2], radius: f32| {
        let [from, to] = [from, to].map(|name| joint(&human, name));
        tube(from.lerp(to, start), from.lerp(to, end), radius * SIZE, 16)
    };
    let elbow = joint(&human, "upper_arm.L");
    let [upper, lower] =
        [joint(&human, "clavicle.L"), joint(&human, "forearm.L")].map(|end| elbow.lerp(end, 0.4));
    let strap = tube(upper, lower, 0.01 * SIZE, 24);
    let head = joint(&human, "neck").lerp(joint(&human, "head"), 0.6);
    let eye = moved(&primitives::uv_sphere(0.018 * SIZE, 16, 8).unwrap(), |point| {
        head + point + SIZE * Vec3::new(0.03, 0.0, 0.05)
    });
    let pieces = [
        along("thigh.L", "shin.L", [0.25, 0.75], 0.04),
        eye,
        tube(upper, lower, 0.04 * SIZE, 24),
        along("hip.R", "shin.R", [0.1, 0.9], 0.06),
        moved(&strap, |point| point + 0.035 * SIZE * Vec3::Z),
    ];
    let (surface, firsts) = with_pieces(&human, &pieces);
    let scene = walker(&surface);
    let skinned = &scene.skinned_meshes[MESH];
    let found: Vec<BTreeSet<String>> =
        firsts[1..].windows(2).map(|pair| followed(skinned, pair[0]..pair[1])).collect();
    println!("{found:#?}");
    let only = |name: &str| BTreeSet::from([name.to_owned()]);
    assert_eq!((&found[0], &found[1]), (&only("shin.L"), &only("head")));
    for (number, names) in
        [(2, ["upper_arm.L", "forearm.L"]), (3, ["thigh.R", "shin.R"]), (4, ["upper_arm.L", "forearm.L"])]
    {
        assert!(names.iter().all(|name| found[number].contains(*name)), "{number}: {:?}", found[number]);
    }
}

/// How far aside the upper arms are on average while it walks, in degrees.
fn arms_aside(scene: &Scene) -> f64 {
    let skinned = &scene.skinned_meshes[MESH];
    let frames = frames(scene);
    let angles = frames.iter().flat_map(|posed| {
        let tips = tips(&posed.skeleton, &posed.current);
        ["upper_arm.L", "upper_arm.R"].map(|name| {
            let upper = bone(skinned, name);
            let way: DVec3 = tips[upper] - tips[parent_of(&posed.skeleton, upper).unwrap()];
            way.x.abs().atan2(-way.y).to_degrees()
        })
    });
    let angles: Vec<f64> = angles.collect();
    angles.iter().sum::<f64>() / angles.len() as f64
}

/// A ponytail down to the waist, as a piece of its own that is modelled more finely than the body.
#[test]
fn a_ponytail_does_not_hold_the_arms_away() {
    let human = Human::new();
    let plain = arms_aside(&walker(&human.surface));
    let back = |low: f32, high: f32| {
        let points = human.surface.positions().iter();
        let near =
            points.filter(|point| point.x.abs() < 0.08 * SIZE && (low..high).contains(&(point.y / SIZE)));
        near.map(|point| point.z).fold(0.0, f32::min)
    };
    for (radius, low, gap) in [(0.05, 0.5, 2.0), (0.03, 0.45, 3.0), (0.05, 0.45, 1.5)] {
        let from = Vec3::new(0.0, 0.9 * SIZE, back(0.85, 0.95) + radius * SIZE);
        let to = Vec3::new(0.0, low * SIZE, back(0.5, 0.8) - gap * radius * SIZE);
        let tail = primitives::tube(radius * SIZE, from.distance(to), 32, 90).unwrap();
        let turn = Quat::from_rotation_arc(Vec3::Y, (to - from).normalize());
        let (surface, _) = with_pieces(&human, &[moved(&tail, |point| from + turn * point)]);
        let scene = walker(&surface);
        let found = arms_aside(&scene);
        println!("arms {found:.2}° aside, {plain:.2}° without");
        assert!((found - plain).abs() < 1.0, "arms {found}° aside, {plain}° without");
    }
}

/// The bind tips of the fitted bones tell that the pieces did not mislead the fit.
#[test]
fn pieces_do_not_move_the_joints() {
    let human = Human::new();
    let palm = joint(&human, "forearm.R").lerp(joint(&human, "fingers.R"), 0.6);
    let sword = tube(palm - 0.05 * SIZE * Vec3::Z, palm + 0.45 * SIZE * Vec3::Z, 0.012 * SIZE, 24);
    let tips_of = |surface: &HalfedgeMesh| {
        let scene = walker(surface);
        let skinned = scene.skinned_meshes[MESH].clone();
        let tips = bind_tips(&skinned.skeleton);
        ["upper_arm.R", "thigh.R", "shin.L", "neck"].map(|name| tips[bone(&skinned, name)])
    };
    let [with, without] = [&with_pieces(&human, &[sword]).0, &*human.surface].map(tips_of);
    for (with, without) in with.iter().zip(without) {
        assert!(with.distance(without) < 0.02 * f64::from(SIZE), "{with} {without}");
    }
}
