//! Onion skins: ghosts match the evaluation of their frames, are evaluated once, and never during playback.

use crate::editing::scene;
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Display, Tab, View, ViewSettings};
use ossature::edit::time::onion::settings::{OnionSettings, Side};
use ossature::edit::time::onion::{Ghost, Onion};
use ossature::edit::time::playback::Repeat;
use ossature::rig::weights::VertexWeights;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use std::sync::Arc;

fn settings(by_keys: bool) -> ViewSettings {
    let on = true;
    ViewSettings {
        tab: Tab::Animate,
        display: Display {
            onion: OnionSettings { on, by_keys, ..OnionSettings::default() },
            ..Display::default()
        },
        ..ViewSettings::default()
    }
}

/// A session with keys at frames 0, 10, 20 and 30.
fn session() -> Session {
    let mut scene = scene();
    scene.animation = Default::default();
    let mut session = Session::new(scene, None);
    session.set_auto_key(true);
    for (frame, x) in [(0.0, 0.0), (10.0, 30.0), (20.0, -40.0), (30.0, 80.0)] {
        session.set_frame(frame);
        let (mesh, bone, pose_deg) = ("Body".into(), 1, Vec3::new(x, x, 5.0));
        session.apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    }
    session.set_auto_key(false);
    session.select(Selection::from_mesh(session.scene(), "Body"));
    session
}

fn update(onion: &mut Onion, session: &Session, settings: &ViewSettings) -> bool {
    let evaluated = Evaluated::default();
    let view = View { session, evaluated: &evaluated, settings };
    onion.update(&view, None, || true)
}

fn frames(onion: &Onion) -> Vec<f32> {
    onion.ghosts().map(|ghost| ghost.frame).collect()
}

#[test]
fn ghosts_are_what_the_evaluation_says() {
    let mut session = session();
    session.set_frame(12.0);
    let mut onion = Onion::default();
    assert!(update(&mut onion, &session, &settings(true)));
    assert_eq!(frames(&onion), [10.0, 0.0, 20.0, 30.0]);
    let strengths: Vec<f32> = onion.ghosts().map(|ghost| ghost.strength).collect();
    assert_eq!(strengths, [1.0, 0.5, 1.0, 0.5]);
    for Ghost { frame, posed, world_from_local, .. } in onion.ghosts() {
        let alone = Settings { frame: Some(frame), ik: None, ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(session.scene(), &alone);
        let expected = &evaluated.skinned["Body"].positions;
        let off = posed.positions.iter().zip(expected).map(|(a, b)| a.distance(*b));
        assert!(off.fold(0.0, f32::max) <= 1e-6, "{frame}");
        assert_eq!(world_from_local, evaluated.world(Some("Place")));
    }
    assert!(update(&mut onion, &session, &settings(false)));
    assert_eq!(frames(&onion), [8.0, 4.0, 16.0, 20.0]);
    session.set_frame(2.0);
    update(&mut onion, &session, &settings(false));
    assert_eq!(frames(&onion), [6.0, 10.0], "none before the first frame");
}

#[test]
fn ghosts_stay_at_their_keys_while_a_pose_is_not_keyed() {
    let mut session = session();
    session.set_frame(12.0);
    let (mut onion, settings) = (Onion::default(), settings(true));
    update(&mut onion, &session, &settings);
    let shown = |onion: &Onion| -> Vec<(f32, Vec<Vec3>)> {
        onion.ghosts().map(|ghost| (ghost.frame, ghost.posed.positions.clone())).collect()
    };
    let before = shown(&onion);
    let (mesh, bone, pose_deg) = ("Body".into(), 1, Vec3::new(-60.0, 20.0, 45.0));
    session.apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    assert!(!session.unkeyed().is_empty());
    update(&mut onion, &session, &settings);
    assert!(shown(&onion) == before);
}

#[test]
fn ghosts_are_evaluated_once_until_something_changes() {
    let mut session = session();
    session.set_frame(12.0);
    let (mut onion, settings) = (Onion::default(), settings(true));
    update(&mut onion, &session, &settings);
    assert_eq!(onion.evaluated, 4);
    assert!(!update(&mut onion, &session, &settings));
    // Another frame between the same keys.
    session.set_frame(15.0);
    update(&mut onion, &session, &settings);
    assert_eq!(onion.evaluated, 4);
    // A drag leaves the ghosts alone; its commit does not.
    let turn = |x| Command::set_bone("Body".into(), 1, "pose", Vec3::X * x);
    for x in [1.0, 2.0] {
        session.preview(&[turn(x)]).unwrap();
        assert!(!update(&mut onion, &session, &settings));
    }
    session.commit();
    update(&mut onion, &session, &settings);
    assert_eq!(onion.evaluated, 8);
    // A slice evaluates at least one ghost.
    session.undo();
    let evaluated = Evaluated::default();
    let view = View { session: &session, evaluated: &evaluated, settings: &settings };
    for left in (0..4).rev() {
        assert!(onion.update(&view, None, || false));
        assert_eq!(onion.is_underway(), left > 0);
    }
    assert_eq!(onion.evaluated, 12);
}

/// No ghost is evaluated during playback, and the earlier ones are still valid afterwards.
#[test]
fn playing_evaluates_no_ghost() {
    let mut session = session();
    let mut settings = settings(true);
    let mut onion = Onion::default();
    let mut show = |session: &Session, settings: &ViewSettings| {
        let evaluated = Evaluated::default();
        let view = View { session, evaluated: &evaluated, settings };
        let (_, ghosts) = onion.refresh(&view, || None, || true);
        (ghosts.len(), onion.evaluated)
    };
    session.set_frame(12.0);
    assert_eq!(show(&session, &settings), (4, 4));
    settings.playback.play(&session.scene().animation.clip, 12.0);
    for frame in 0..=30 {
        session.set_frame(frame as f32);
        assert_eq!(show(&session, &settings), (0, 4), "frame {frame}");
    }
    settings.playback.pause();
    session.set_frame(15.0);
    assert_eq!(show(&session, &settings), (4, 4), "they are kept");
}

#[test]
fn nothing_is_shown_while_frames_are_played_nor_in_rig() {
    let session = session();
    let evaluated = Evaluated::default();
    let mut settings = settings(true);
    let shown = |settings: &ViewSettings| {
        let view = View { session: &session, evaluated: &evaluated, settings };
        Onion::is_shown(&view)
    };
    assert!(shown(&settings));
    settings.playback.play(&session.scene().animation.clip, 0.0);
    assert!(!shown(&settings));
    settings.playback.pause();
    settings.tab = Tab::Rig;
    assert!(!shown(&settings));
    settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    assert!(!shown(&settings), "off at first");
}

/// A cycle whose last frame looks like its first.
#[test]
fn ghosts_go_round_a_loop() {
    let mut session = session();
    session.set_auto_key(true);
    session.set_frame(30.0);
    let (mesh, bone, pose_deg) = ("Body".into(), 1, Vec3::new(0.0, 0.0, 5.0));
    session.apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    let range = Some([0, 30]);
    session.apply(&[Command::Keys(KeyCommand::SetRange { range })]).unwrap();
    session.set_frame(0.0);
    let (mut onion, mut settings) = (Onion::default(), settings(true));
    update(&mut onion, &session, &settings);
    let found: Vec<(f32, Side)> = onion.ghosts().map(|ghost| (ghost.frame, ghost.side)).collect();
    assert_eq!(found, [(20.0, Side::Before), (10.0, Side::After)]);
    // The same holds right after the last frame of the play range.
    let range = Some([0, 29]);
    session.apply(&[Command::Keys(KeyCommand::SetRange { range })]).unwrap();
    update(&mut onion, &session, &settings);
    assert_eq!(frames(&onion), [20.0, 10.0]);
    settings.playback.repeat = Repeat::Once;
    update(&mut onion, &session, &settings);
    assert_eq!(frames(&onion), [10.0, 20.0]);
}

#[test]
fn pinned_ghosts_stay() {
    let mut session = session();
    let mut settings = settings(true);
    let act = |session: &mut Session, settings: &mut ViewSettings, action: Action| {
        let prepared = action.prepare_in(session, settings, &Evaluated::default()).unwrap();
        prepared.carry_out(session, settings).unwrap();
    };
    settings.display.onion.on = false;
    session.set_frame(5.0);
    act(&mut session, &mut settings, Action::PIN_ONION);
    assert!(settings.display.onion.on, "pinning turns onion skins on");
    let mut onion = Onion::default();
    session.set_frame(25.0);
    update(&mut onion, &session, &settings);
    assert_eq!(frames(&onion), [5.0, 20.0, 10.0, 30.0]);
    session.set_frame(5.0);
    act(&mut session, &mut settings, Action::PIN_ONION);
    assert!(settings.display.onion.pinned.is_empty());
    act(&mut session, &mut settings, Action::PIN_ONION);
    act(&mut session, &mut settings, Action::UNPIN_ONIONS);
    assert!(settings.display.onion.pinned.is_empty());
}

/// Only the triangles that follow the selected bone are shown; nothing is evaluated for this.
#[test]
fn ghosts_of_the_selected_limb_alone() {
    let mut scene = session().scene().clone();
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
    // The higher a vertex on the column, the more it follows bone 2.
    let mut weights = VertexWeights::none(0);
    for at in mesh.surface.positions() {
        weights.push_row([(1, 1.0 - at.y / 4.0), (2, at.y / 4.0)]);
    }
    mesh.weights = Arc::new(weights);
    let mut session = Session::new(scene, None);
    session.select(Selection::from_mesh(session.scene(), "Body"));
    session.set_frame(12.0);
    let (mut onion, mut settings) = (Onion::default(), settings(true));
    settings.display.onion.limb = true;
    update(&mut onion, &session, &settings);
    assert!(onion.ghosts().all(|ghost| ghost.indices.is_none()), "no bone is selected");
    let skinned = session.scene().skinned_meshes["Body"].clone();
    let mut inside = std::collections::BTreeSet::from([2]);
    for (bone, of) in skinned.skeleton.bones.iter().enumerate() {
        if of.parent.is_some_and(|parent| inside.contains(&(parent as usize))) {
            inside.insert(bone);
        }
    }
    let selection = session.selection().with_part(Some(Part::Bone(2)));
    session.select(selection);
    assert!(update(&mut onion, &session, &settings));
    assert_eq!(onion.evaluated, 4);
    let follows = |vertex: usize| {
        let row: Vec<(u16, f32)> = skinned.weights.influences(vertex).collect();
        let share = |all: bool| -> f32 {
            let entries = row.iter().filter(|(bone, _)| all || inside.contains(&usize::from(*bone)));
            entries.map(|(_, weight)| weight).sum()
        };
        share(false) > 0.0 && share(false) >= 0.5 * share(true)
    };
    for ghost in onion.ghosts() {
        let render = &ghost.posed.render;
        let is_shown =
            |corners: &&[u32]| corners.iter().all(|v| follows(render.vertex[*v as usize] as usize));
        let expected: Vec<u32> = render.indices.chunks(3).filter(is_shown).flatten().copied().collect();
        assert!(!expected.is_empty() && expected.len() < render.indices.len());
        assert_eq!(*ghost.indices.unwrap(), expected);
    }
    assert!(!update(&mut onion, &session, &settings), "found once");
}
