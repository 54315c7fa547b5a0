//! Motion paths: they agree with the evaluation, are calculated once per change, and frames that a change
//! does not affect are not solved again.

use crate::editing::keys::{channel, moving};
use glam::Vec3;
use ossature::anim::channel::Value;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::motion_paths::{MotionPaths, keys};
use ossature::rig::ik;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;
use ossature::scene::paths::{PathSubject, paths};

fn session(scene: Scene, part: Option<Part>) -> Session {
    let mut session = Session::new(scene, None);
    let body = Selection::from_mesh(session.scene(), "Body");
    session.select(body.with_part(part));
    session
}

/// Updates for `slices` frames; returns whether something changed.
fn update(found: &mut MotionPaths, session: &Session, mut slices: u32) -> bool {
    let settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    let evaluated = Evaluated::default();
    let view = View { session, evaluated: &evaluated, settings: &settings };
    found.update(&view, Some(ik::Options::default()), || {
        slices -= 1;
        slices > 0
    })
}

const ALL: u32 = 10_000;

fn points(found: &MotionPaths) -> Vec<Vec<Option<Vec3>>> {
    found.paths().map(|path| path.points.to_vec()).collect()
}

/// The paths from evaluating each frame separately.
fn expected(session: &Session, subjects: &[PathSubject]) -> Vec<Vec<Option<Vec3>>> {
    let [first, last] = session.scene().animation.clip.play_range();
    let frames = (first..=last).map(|frame| frame as f32);
    let options = ik::Options::default();
    paths(session.scene(), session.unkeyed(), Some(&options), subjects, frames)
}

fn tip(bone: usize) -> PathSubject {
    let instance = "Body here".into();
    PathSubject::Tip { instance, bone }
}

fn apply(session: &mut Session, command: Command) {
    session.apply(&[command]).unwrap();
}

#[test]
fn paths_follow_each_change_and_rest_otherwise() {
    let mut session = session(moving(), Some(Part::Bone(2)));
    session.set_frame(8.0);
    let mut found = MotionPaths::default();
    assert!(update(&mut found, &session, ALL) && !found.is_in_progress());
    assert_eq!(points(&found), expected(&session, &[tip(2)]));
    let frames = found.paths().next().unwrap().points.len();
    assert_eq!(frames, 96);
    // At rest, and at another frame of the same animation, nothing is calculated.
    let (worked, solves) = (found.calculated, found.solves);
    assert_eq!(worked, 96);
    for frame in [8.0, 8.0, 9.0, 30.0] {
        session.set_frame(frame);
        assert!(!update(&mut found, &session, ALL));
    }
    assert_eq!((found.calculated, found.solves), (worked, solves));
    // A key far from most frames: only its neighbourhood is solved again.
    let keys = KeyCommand::Put {
        purpose: Purpose::Paste,
        knots: vec![KeyframeValues {
            modes: Vec::new(),
            channel: channel("Body", "handle.2.target"),
            knots: vec![(4.0, Value::Vec3(Vec3::new(0.0, 2.0, 1.0)))],
        }],
    };
    let before = points(&found);
    apply(&mut session, Command::Keys(keys));
    assert!(update(&mut found, &session, ALL));
    assert_eq!(points(&found), expected(&session, &[tip(2)]));
    assert!(points(&found) != before);
    let again = found.solves - solves;
    assert!((1..=12).contains(&again), "{again} frames solved again");
    session.undo();
    update(&mut found, &session, ALL);
    assert_eq!(points(&found), before);
}

#[test]
fn what_is_held_and_what_is_previewed_counts() {
    let mut session = session(moving(), Some(Part::Bone(1)));
    session.set_frame(8.0);
    let mut found = MotionPaths::default();
    update(&mut found, &session, ALL);
    let before = points(&found);
    let turn = |x: f32| Command::set_bone("Body".into(), 1, "pose", Vec3::new(x, 0.0, 0.0));
    for x in [10.0, 20.0] {
        session.preview(&[turn(x)]).unwrap();
        assert!(update(&mut found, &session, ALL));
        assert_eq!(points(&found), expected(&session, &[tip(1)]));
        assert!(points(&found) != before && !session.unkeyed().is_empty());
    }
    session.cancel();
    update(&mut found, &session, ALL);
    assert_eq!(points(&found), before);
}

#[test]
fn slices_begin_where_one_looks_and_the_old_path_stays_meanwhile() {
    let mut session = session(moving(), Some(Part::Base));
    session.set_frame(50.0);
    let base = PathSubject::Base { instance: "Body here".into() };
    let mut found = MotionPaths::default();
    assert!(update(&mut found, &session, 5));
    assert!(found.is_in_progress() && found.calculated == 5);
    let here: Vec<_> = found.paths().next().unwrap().points.to_vec();
    let there: Vec<usize> = (0..here.len()).filter(|&i| here[i].is_some()).collect();
    assert_eq!(there, [48, 49, 50, 51, 52]);
    while found.is_in_progress() {
        update(&mut found, &session, 7);
    }
    assert_eq!(found.calculated, 96);
    assert_eq!(points(&found), expected(&session, std::slice::from_ref(&base)));
    // Another change: frames that are not calculated yet show the old path, not a gap.
    let base_offset = Vec3::new(0.0, 0.0, 2.0);
    let mesh = "Body".into();
    apply(&mut session, Command::set_skeleton(mesh, "base_offset", base_offset));
    update(&mut found, &session, 1);
    assert!(points(&found)[0].iter().all(Option::is_some));
    // Another selection: nothing of the old one is left.
    let selection = session.selection().with_part(Some(Part::Handle(0)));
    session.select(selection);
    update(&mut found, &session, 1);
    let subjects: Vec<_> = found.paths().map(|path| path.subject.clone()).collect();
    let (instance, handle) = ("Body here".to_owned(), 0);
    assert_eq!(subjects, [PathSubject::Handle { instance, handle }]);
    assert_eq!(points(&found)[0].iter().flatten().count(), 1);
}

/// An instance moves with its transform, which may have another name, and with its base.
#[test]
fn an_instance_goes_by_its_transform_and_its_base() {
    let session = session(moving(), None);
    let mut found = MotionPaths::default();
    update(&mut found, &session, ALL);
    let place = PathSubject::Transform("Place".into());
    let base = PathSubject::Base { instance: "Body here".into() };
    assert_eq!(points(&found), expected(&session, &[place, base]));
    let moves: Vec<bool> = found.paths().map(|path| !path.is_stationary()).collect();
    assert!(moves[0] && moves[1], "the base moves with the transform");
}

#[test]
fn keys_are_those_of_what_moves() {
    let scene = moving();
    let instance = || "Body here".to_owned();
    assert_eq!(keys(&scene, &tip(1)), [0.0, 6.5, 10.0, 30.0]);
    // The keys of the handle that pulls it.
    assert_eq!(keys(&scene, &tip(2)), [0.0, 6.0, 10.0, 12.0]);
    let handle = PathSubject::Handle { instance: instance(), handle: 0 };
    assert_eq!(keys(&scene, &handle), [0.0, 6.0, 10.0, 12.0]);
    assert_eq!(keys(&scene, &tip(99)), [0.0; 0]);
    assert!(!keys(&scene, &PathSubject::Transform("Place".into())).is_empty());
    let session = session(scene, Some(Part::Bone(1)));
    let mut found = MotionPaths::default();
    update(&mut found, &session, ALL);
    let path = found.paths().next().unwrap();
    let [a, b] = [6, 7].map(|frame: usize| path.points[frame].unwrap());
    assert_eq!(path.position_at(6.5), Some(a.lerp(b, 0.5)));
    assert_eq!(
        (path.position_at(6.0), path.position_at(-1.0), path.position_at(200.0)),
        (Some(a), None, None)
    );
}
