//! Moves and scales of bones baked into rotations and the base, for Scotty3D, in the window and without it; and what is
//! said about them when they are saved.

use crate::editing::bone;
use crate::editing::session::session_on;
use crate::running::{Folder, good};
use glam::{DVec3, Vec3};
use ossature::anim::channel::{ChannelRef, SkeletonChannel, Value};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, ViewSettings};
use ossature::io::js3d;
use ossature::io::js3d::differences::differences;
use ossature::rig::kinematics::current_pose;
use ossature::rig::property::TRANSLATION;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::apply_animation::animate;
use ossature::scene::evaluate::Evaluated;

const MESH: &str = "M";
const HIPS: usize = 1;
const SPINE: usize = 2;
const FOOT: usize = 3;

/// A root that stands still; hips with a spine, which bob below it, and a foot, which steps aside.
fn session() -> Session {
    let bones = vec![
        bone(Some("Root"), None, [0.0, 1.0, 0.0], 1),
        bone(Some("Hips"), Some(0), [0.0, 0.5, 0.0], 2),
        bone(Some("Spine"), Some(1), [0.0, 1.5, 0.0], 3),
        bone(Some("Foot"), Some(0), [0.0, 0.0, 0.5], 4),
    ];
    let mut session = session_on(MESH, Skeleton { bones, ..Skeleton::default() });
    let keyed = |id: u32, to: Vec3| KeyframeValues {
        modes: Vec::new(),
        channel: ChannelRef::new(MESH, SkeletonChannel::Bone(id, TRANSLATION)),
        knots: vec![(0.0, Value::Vec3(Vec3::ZERO)), (12.0, Value::Vec3(to))],
    };
    let knots = vec![keyed(2, Vec3::new(0.0, 0.3, 0.1)), keyed(4, Vec3::new(0.25, 0.0, 0.0))];
    session.apply(&[Command::Keys(KeyCommand::Put { purpose: Purpose::Bake, knots })]).unwrap();
    session
}

fn heads(scene: &Scene, frame: f32) -> Vec<DVec3> {
    let scene = animate(scene, frame);
    current_pose(&scene.skinned_meshes[MESH].skeleton).iter().map(|matrix| matrix.translation).collect()
}

#[test]
fn the_base_carries_the_body() {
    let mut session = session();
    let moved = session.scene().clone();
    let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    let prepared = Action::BAKE_MOVES.prepare_in(&mut session, &settings, &Evaluated::default()).unwrap();
    let note = prepared.note().unwrap().text;
    prepared.carry_out(&mut session, &mut settings).unwrap();
    let baked = session.scene();
    for frame in [0.0, 3.0, 7.0, 12.0] {
        let (was, is) = (heads(&moved, frame), heads(baked, frame));
        for bone in [HIPS, SPINE] {
            assert!(
                was[bone].distance(is[bone]) < 1e-6,
                "bone {bone} at frame {frame}: {} is not {}",
                is[bone],
                was[bone]
            );
        }
    }
    // The foot keeps to its parent, which goes along with the base.
    let farthest = heads(&moved, 12.0)[FOOT].distance(heads(baked, 12.0)[FOOT]);
    let size = DVec3::new(0.0, 3.0, 0.5).length();
    let share = format!("{:.1} %", farthest / size * 100.0);
    assert!(note.contains(&share), "{note} does not say {share}");
    assert!(differences(baked).is_empty());
    let reason = Action::BAKE_MOVES.prepare_in(&mut session, &settings, &Evaluated::default()).unwrap_err();
    assert!(reason.contains("No bone"), "{reason}");
    session.undo();
    assert!(session.scene().is_shared(&moved));
}

#[test]
fn the_command_line_bakes_and_says_what_scotty3d_shows() {
    let folder = Folder::new();
    let (from, out) = (folder.write("from.js3d", session().scene()), folder.out("baked.js3d"));
    let report = differences(session().scene());
    let [finding] = &report.findings[..] else { panic!("{report:?}") };
    let share = Vec3::new(0.0, 0.3, 0.1).length() / Vec3::new(0.0, 3.0, 0.5).length() * 100.0;
    assert!(finding.text.starts_with("2 bones are moved"), "{finding}");
    assert!(finding.text.contains(&format!("up to {share:.1} %")), "{finding} does not say {share}");
    good(&["bake", &from, "--moves", "-o", &out]);
    let (baked, _) = js3d::read(&std::fs::read(&out).unwrap()).unwrap();
    let was = heads(session().scene(), 12.0);
    assert!(heads(&baked, 12.0)[SPINE].distance(was[SPINE]) < 1e-6);
}
