//! Locked feet stay in place while the body moves, and blend in and out smoothly; pins and keys next to them.

use crate::editing::session::session_on;
use crate::editing::{Random, bone};
use glam::{DVec3, Quat, Vec3};
use ossature::anim::channel::ChannelRef;
use ossature::anim::channel::SkeletonChannel;
use ossature::anim::layer::LayerKind;
use ossature::anim::mode::Mode;
use ossature::edit::action::lock::{LockTimes, lock, out_of_reach};
use ossature::edit::action::{Action, Prepared};
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::command::layers::LayerChange;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::keying::{self, has_keys};
use ossature::edit::time::stances::{Stance, stances};
use ossature::io::js3d;
use ossature::rig::ik;
use ossature::rig::kinematics::tips;
use ossature::rig::property::TARGET;
use ossature::rig::skeleton::{Orientation, Skeleton};
use ossature::scene::evaluate::{Evaluated, Evaluator, Posed, Settings};
use std::path::Path;
use std::sync::Arc;

const HUMAN: &str = "Human_skinned_mesh";
/// The height from foot to head, in mesh units.
const HEIGHT: f64 = 5.7;

fn settings() -> ViewSettings {
    ViewSettings { tab: Tab::Animate, ..ViewSettings::default() }
}

fn find(session: &Session, mesh: &str, name: &str) -> usize {
    let skeleton = &session.scene().skinned_meshes[mesh].skeleton;
    (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name).unwrap()
}

/// The human moves forwards and sinks a little over 24 frames while its legs swing, so the feet slide.
fn walker() -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let mut session = Session::new(js3d::read_file(&path).unwrap().0, None);
    session.set_auto_key(true);
    for (frame, along) in [(0.0, -1.0), (12.0, 0.1), (24.0, 1.0)] {
        session.set_frame(frame);
        let base_offset = Vec3::new(0.0, -0.25, 0.6 * along);
        let turn = |name: &str, pose_deg: Vec3| {
            Command::set_bone(HUMAN.into(), find(&session, HUMAN, name), "pose", pose_deg)
        };
        let commands = [
            turn("thigh.L", Vec3::new(-20.0 * along - 15.0, 0.0, 0.0)),
            turn("shin.L", Vec3::new(25.0, 0.0, 0.0)),
            turn("foot.L", Vec3::new(5.0 * along, 0.0, 0.0)),
            Command::set_skeleton(HUMAN.into(), "base_offset", base_offset),
        ];
        session.apply(&commands).unwrap();
    }
    session.set_auto_key(false);
    // It walks on before the first key and behind the last, instead of starting and coming to rest.
    let keys = keying::all_keys(session.scene());
    session.apply(&[Command::Keys(KeyCommand::SetMode { keys, mode: Mode::Smooth })]).unwrap();
    with_left_foot(session)
}

fn with_left_foot(mut session: Session) -> Session {
    let selection = Selection::from_mesh(session.scene(), HUMAN);
    let foot = find(&session, HUMAN, "foot.L");
    session.select(selection.with_part(Some(Part::Bone(foot))));
    session
}

/// Returns the human at a frame, pulled by its handles.
fn posed(session: &Session, frame: f32) -> Arc<Posed> {
    let settings = Settings { frame: Some(frame), ik: Some(ik::Options::default()), ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(session.scene(), &settings);
    evaluated.skinned[HUMAN].clone()
}

/// Returns the positions of the ankle and the tip of the left foot.
fn foot(session: &Session, frame: f32) -> [DVec3; 2] {
    let posed = posed(session, frame);
    let bone = find(session, HUMAN, "foot.L");
    [posed.current[bone].translation, tips(&posed.skeleton, &posed.current)[bone]]
}

/// Returns the distance from the left hip to the locked ankle, and the length of the leg.
fn stretch(session: &Session, frame: f32, held: [DVec3; 2]) -> [f64; 2] {
    let posed = posed(session, frame);
    let at = |name: &str| posed.current[find(session, HUMAN, name)].translation;
    let [hip, knee, ankle] = ["thigh.L", "shin.L", "foot.L"].map(at);
    [hip.distance(held[0]), hip.distance(knee) + knee.distance(ankle)]
}

/// Returns the channel of the first handle's target.
fn target_of(session: &Session) -> ChannelRef {
    let id = session.scene().skinned_meshes[HUMAN].skeleton.handles[0].channel_id;
    ChannelRef::new(HUMAN, SkeletonChannel::Handle(id, TARGET))
}

/// Returns the commands that would lock the foot at a frame, and the frames out of its reach.
fn asked(
    session: &mut Session,
    frame: f32,
    times: LockTimes,
) -> Result<(Vec<Command>, Vec<[u32; 2]>), String> {
    session.set_frame(frame);
    let evaluated = Evaluator::default().evaluate(
        session.scene(),
        &Settings { frame: Some(frame), ik: Some(ik::Options::default()), ..Settings::default() },
    );
    let settings = settings();
    let view = View { session, evaluated: &evaluated, settings: &settings };
    let commands = lock(&view, times).map_err(|why| why.to_string())?;
    let missed = out_of_reach(&view, &commands, times);
    Ok((commands, missed))
}

/// Locks the foot and returns the frames out of its reach.
fn locked(session: &mut Session, frame: f32, until: u32, blend: u32) -> Result<Vec<[u32; 2]>, String> {
    let (commands, missed) = asked(session, frame, LockTimes { until, blend })?;
    session.apply(&commands).unwrap();
    Ok(missed)
}

/// What the bars below the curves show.
#[test]
fn a_locked_foot_stands() {
    let mut session = walker();
    let left = |session: &Session, range: [f64; 2]| {
        let mut stances = stances(session.scene(), range);
        stances.retain(|stance| stance.foot == "foot.L");
        stances
    };
    let stance = |frames: [f64; 2]| Stance { foot: "foot.L".into(), frames };
    assert_eq!(left(&session, [0.0, 24.0]), [], "it slides");
    locked(&mut session, 6.0, 18, 4).unwrap();
    assert_eq!(left(&session, [0.0, 24.0]), [stance([6.0, 18.0])]);
    assert_eq!(left(&session, [19.0, 24.0]), []);
    // One that stands by its keys stands until the end of the lock.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human-walk.js3d");
    let mut walk = with_left_foot(Session::new(js3d::read_file(&path).unwrap().0, None));
    assert_eq!(left(&walk, [0.0, 23.0]), [stance([0.0, 15.0])]);
    locked(&mut walk, 6.0, 18, 4).unwrap();
    assert_eq!(left(&walk, [0.0, 23.0]), [stance([0.0, 18.0])]);
}

#[test]
fn a_locked_foot_stays_and_comes_and_goes_softly() {
    let mut session = walker();
    let free: Vec<[DVec3; 2]> = (0..=24).map(|frame| foot(&session, frame as f32)).collect();
    let slides = free[6][1].distance(free[14][1]);
    assert!(slides > 0.05 * HEIGHT, "the foot does not slide: {slides}");
    let (before, steps) = (session.scene().clone(), session.history().cursor());
    assert!(locked(&mut session, 6.0, 14, 3).unwrap().is_empty(), "the leg reaches");
    assert_eq!(session.history().cursor(), steps + 1);
    let held = free[6];
    for step in 0..=8 * 4 {
        let frame = 6.0 + step as f32 / 4.0;
        let now = foot(&session, frame);
        let off = now[0].distance(held[0]).max(now[1].distance(held[1]));
        assert!(off < 1e-3 * HEIGHT, "frame {frame}: off by {:e} of the height", off / HEIGHT);
    }
    // Before and after the blend the foot moves as it did.
    for frame in [0, 1, 2, 3, 17, 18, 20, 24] {
        let off = foot(&session, frame as f32)[1].distance(free[frame][1]);
        assert!(off < 1e-6 * HEIGHT, "frame {frame}: {off}");
    }
    // During the blend, no step is larger than the blend's steepest step plus the foot's own motion.
    let way = free[17][1].distance(held[1]).max(free[3][1].distance(held[1]));
    let own = free.windows(2).map(|pair| pair[0][1].distance(pair[1][1])).fold(0.0, f64::max);
    let found: Vec<DVec3> = (0..=24).map(|frame| foot(&session, frame as f32)[1]).collect();
    let jump = found.windows(2).map(|pair| pair[0].distance(pair[1])).fold(0.0, f64::max);
    assert!(jump < 0.6 * way + own, "{jump} of {way}, {own}");
    session.undo();
    assert!(session.scene().is_shared(&before));
}

#[test]
fn it_is_locked_again_elsewhere_by_the_same_handle_or_another() {
    let mut session = walker();
    locked(&mut session, 2.0, 6, 2).unwrap();
    let at_first = foot(&session, 6.0);
    // A locked foot cannot be locked; a lock that would overlap one is refused.
    assert!(locked(&mut session, 5.0, 9, 2).unwrap_err().contains("already"));
    let there = foot(&session, 14.0);
    locked(&mut session, 14.0, 20, 3).unwrap();
    let handles = session.scene().skinned_meshes[HUMAN].skeleton.handles.len();
    for (frame, held) in [(2.0, at_first), (4.5, at_first), (6.0, at_first), (14.0, there), (20.0, there)] {
        let off = foot(&session, frame)[1].distance(held[1]);
        assert!(off < 1e-3 * HEIGHT, "frame {frame}: {off}");
    }
    // The same handle locks the foot again, at a frame where it is free.
    session.set_frame(24.0);
    let skeleton = session.scene().skinned_meshes[HUMAN].skeleton.clone();
    assert!(skeleton.handles.iter().filter(|handle| handle.pinned).count() <= 2, "{handles}");
}

/// The ankle's handle follows its keys before and after; in between, the foot and the handle's own bone stay. A layer has the
/// keys while it is active.
#[test]
fn a_limb_that_a_handle_pulls_is_locked_by_its_targets() {
    let cases = [
        ("shin.L", false, false),
        ("foot.L", false, false),
        ("foot.L", true, false),
        ("shin.L", false, true),
    ];
    for (pulled, turned, is_layered) in cases {
        let mut session = walker();
        let of = find(&session, HUMAN, pulled);
        let (mesh, handle) = (HUMAN.to_owned(), 0);
        let ways: Vec<Vec3> = [0.0, 8.0, 24.0]
            .map(|frame| {
                let posed = posed(&session, frame);
                tips(&posed.skeleton, &posed.current)[of].as_vec3()
            })
            .to_vec();
        let rotation = Quat::from_mat3(&posed(&session, 8.0).current[of].matrix3.as_mat3());
        let orientation = turned.then(|| Orientation::new(rotation, 1.0));
        let made = [
            Command::AddHandle { mesh: mesh.clone(), bone: of },
            Command::set_handle(mesh.clone(), handle, "enabled", true),
            Command::set_handle(mesh.clone(), handle, "chain", Some(if pulled == "shin.L" { 2 } else { 3 })),
            Command::set_handle(mesh.clone(), handle, "orientation", orientation),
        ];
        session.apply(&made).unwrap();
        session.set_auto_key(true);
        for (frame, target) in [0.0, 8.0, 24.0].into_iter().zip(ways) {
            session.set_frame(frame);
            let mesh = mesh.clone();
            let to = Command::set_handle(mesh, handle, "target", target);
            session.apply(&[to]).unwrap();
        }
        session.set_auto_key(false);
        if is_layered {
            let change = LayerChange::Add { name: "Lock".into(), kind: LayerKind::Additive };
            session.apply(&[Command::Layers { mesh: mesh.clone(), change }]).unwrap();
        }
        let targets = |session: &Session| session.scene().animation.get(&target_of(session)).cloned();
        let own_keys = targets(&session);
        let selection = session.selection().with_part(Some(Part::Bone(find(&session, HUMAN, "foot.L"))));
        session.select(selection);
        let free: Vec<[DVec3; 2]> = (0..=24).map(|frame| foot(&session, frame as f32)).collect();
        let at = usize::from(pulled == "foot.L");
        assert!(free[6][at].distance(free[14][at]) > 0.05 * HEIGHT);
        let steps = session.history().cursor();
        let missed = locked(&mut session, 6.0, 14, 3).unwrap();
        let near_the_end = |[first, _]: &[u32; 2]| *first >= 14;
        assert!(missed.iter().all(near_the_end), "{pulled} {turned}: {missed:?}");
        assert_eq!(session.history().cursor(), steps + 1);
        assert_eq!(targets(&session) == own_keys, is_layered);
        for step in 0..=8 * 4 {
            let frame = 6.0 + step as f32 / 4.0;
            let off = foot(&session, frame)[1].distance(free[6][1]);
            assert!(off < 1e-3 * HEIGHT, "{pulled} {turned} {is_layered}, frame {frame}: {off}");
        }
        for frame in [0, 2, 3, 17, 20, 24] {
            let off = foot(&session, frame as f32)[at].distance(free[frame][at]);
            assert!(off < 0.02 * HEIGHT, "{pulled} {turned}, frame {frame}: {off}");
        }
    }
}

#[test]
fn a_pelvis_stays_where_the_base_is() {
    let mut session = walker();
    let pelvis = find(&session, HUMAN, "pelvis");
    let selection = session.selection().with_part(Some(Part::Bone(pelvis)));
    session.select(selection);
    let why = locked(&mut session, 6.0, 14, 3).unwrap_err();
    assert!(why.contains("is a root"), "{why}");
}

#[test]
fn at_the_ends_of_the_animation_it_is_held_at_once() {
    let mut session = walker();
    let free = foot(&session, 0.0);
    let last = session.scene().animation.clip.last_frame();
    let missed = locked(&mut session, 0.0, last, 3).unwrap();
    assert_eq!(session.scene().animation.clip.last_frame(), last, "no key behind the end");
    // The foot stays while the leg reaches, also between frames, and is as close as possible beyond.
    let mut too_short = Vec::new();
    for step in 0..=4 * last {
        let frame = step as f32 / 4.0;
        let [ankle, tip] = foot(&session, frame);
        let [needed, leg] = stretch(&session, frame, free);
        let off = ankle.distance(free[0]).max(tip.distance(free[1]));
        let lack = (needed - leg).max(0.0);
        assert!(
            off < 1.1 * lack + 1e-3 * HEIGHT && off > lack - 1e-6,
            "frame {frame}: off by {off}, {needed} of {leg}"
        );
        if frame.fract() == 0.0 && lack > 0.0 {
            too_short.push(frame as u32);
        }
    }
    // The leg is too short from one frame to the last, and the dialog reports that range.
    let first = too_short[0];
    assert!(first > 4 && too_short == (first..=last).collect::<Vec<u32>>(), "{too_short:?}");
    assert_eq!(missed, [[first, last]]);
    assert!(locked(&mut walker(), 5.0, 4, 3).is_err());
    assert!(locked(&mut walker(), 5.0, 9, 0).is_err());
}

/// Returns a session with a spine, and arms and hands that are paired by name.
fn pair() -> Session {
    let skeleton = Skeleton {
        bones: vec![
            bone(Some("Spine"), None, [0.0, 1.0, 0.0], 0),
            bone(Some("Arm.L"), Some(0), [1.0, 0.0, 0.0], 1),
            bone(Some("Arm.R"), Some(0), [-1.0, 0.0, 0.0], 2),
        ],
        ..Skeleton::default()
    };
    let mut session = session_on("M", skeleton);
    let selection = session.selection().with_part(Some(Part::Bone(1)));
    session.select(selection);
    session
}

fn act(session: &mut Session, action: Action) {
    let mut settings = settings();
    let prepared = action.prepare_in(session, &settings, &Evaluated::default());
    let prepared: Prepared = prepared.unwrap_or_else(|why| panic!("{}: {why}", action.text));
    prepared.carry_out(session, &mut settings).unwrap();
}

#[test]
fn a_new_pin_keys_itself_under_auto_key() {
    for (auto_key, symmetric) in [(false, false), (true, false), (true, true)] {
        let mut session = pair();
        session.set_auto_key(auto_key);
        session.set_symmetric(symmetric);
        session.set_frame(7.0);
        let steps = session.history().cursor();
        act(&mut session, Action::PIN);
        assert_eq!(session.history().cursor(), steps + 1);
        let scene = session.scene();
        let handles = &scene.skinned_meshes["M"].skeleton.handles;
        assert_eq!(handles.len(), 1 + usize::from(symmetric));
        for handle in handles {
            let target = ChannelRef::new("M", SkeletonChannel::Handle(handle.channel_id, TARGET));
            assert_eq!(has_keys(scene, &target), auto_key);
            let keys = scene.animation.get(&target).map(|keys| keys.times());
            assert!(keys.is_none_or(|keys| keys == [7.0]));
        }
    }
}

#[test]
fn under_symmetry_keys_come_and_go_on_both_sides() {
    let mut session = pair();
    session.set_symmetric(true);
    session.set_frame(4.0);
    let mut random = Random::new(2);
    let (mesh, bone, pose_deg) = ("M".into(), 1, random.vec3(50.0));
    session.apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    let keyed = |session: &Session| -> Vec<String> {
        let channels = session.scene().animation.channels.get("M");
        channels.map_or(Vec::new(), |of| of.keys().cloned().collect())
    };
    act(&mut session, Action::INSERT_KEYS);
    assert_eq!(keyed(&session), ["bone.1.pose", "bone.2.pose"]);
    act(&mut session, Action::DELETE_KEYS);
    assert!(keyed(&session).is_empty());
    session.set_symmetric(false);
    session.apply(&[Command::set_bone("M".into(), 2, "pose", Vec3::ZERO)]).unwrap();
    act(&mut session, Action::INSERT_KEYS);
    assert_eq!(keyed(&session), ["bone.1.pose"]);
}

#[test]
fn under_symmetry_both_feet_are_locked_each_where_it_is() {
    let mut session = walker();
    session.set_symmetric(true);
    locked(&mut session, 6.0, 14, 3).unwrap();
    let skeleton = session.scene().skinned_meshes[HUMAN].skeleton.clone();
    let pinned: Vec<Vec3> =
        skeleton.handles.iter().filter(|handle| handle.pinned).map(|handle| handle.target).collect();
    assert_eq!(pinned.len(), 2);
    let image = pinned[0] * Vec3::new(-1.0, 1.0, 1.0);
    assert!(image.distance(pinned[1]) > 0.1, "they are in different places");
}
