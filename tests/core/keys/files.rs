//! Keys in files: knots for Scotty3D, and curves that survive saving.

use super::command_of;
use crate::editing::keys::channel;
use crate::editing::scene;
use crate::support::filed;
use glam::Vec3;
use ossature::anim::channel::{Channel, Value};
use ossature::anim::mode::{KeyShape, Mode, Slopes};
use ossature::anim::spline::Spline;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use ossature::edit::session::Session;
use ossature::edit::time::keying;
use ossature::io::js3d;
use std::sync::Arc;

/// Times and values as played by a program that only knows the member `knots`.
pub fn as_scotty3d(bytes: &[u8], resource: &str, name: &str) -> Channel {
    let mut document: serde_json::Value = serde_json::from_slice(bytes).unwrap();
    let spline = &mut document["animator"]["splines"][resource][name];
    spline.as_object_mut().unwrap().remove("curve");
    let (scene, _) = js3d::read(&serde_json::to_vec(&document).unwrap()).unwrap();
    (**scene.animation.get(&channel(resource, name)).unwrap()).clone()
}

fn x_at(keys: &Channel, frame: f32) -> f32 {
    match keys.at(frame) {
        Some(Value::Vec3(v)) => v.x,
        other => panic!("{other:?}"),
    }
}

/// Equal keys hold, here and in Scotty3D, and saved keys keep their modes.
#[test]
fn equal_keys_hold() {
    let mut bare = scene();
    let keys = keying::all_keys(&bare);
    command_of(&KeyCommand::Delete { keys }).apply(&mut bare).unwrap();
    let mut session = Session::new(bare, None);
    session.set_auto_key(true);
    let name = "bone.7.pose";
    for (frame, x) in [(0.0, 1.0), (10.0, 45.0), (20.0, 45.5), (30.0, 0.0)] {
        session.set_frame(frame);
        let (mesh, pose_deg) = ("Body".to_owned(), Vec3::new(x, 0.0, 3.0));
        session.apply(&[Command::set_bone(mesh, 2, "pose", pose_deg)]).unwrap();
    }
    session.set_frame(20.0);
    let (mesh, pose_deg) = ("Body".to_owned(), Vec3::new(45.0, 0.0, 3.0));
    session.apply(&[Command::set_bone(mesh, 2, "pose", pose_deg)]).unwrap();
    let of = channel("Body", name);
    let keys = session.scene().animation.get(&of).unwrap().clone();
    for tenth in 100..=200 {
        let frame = tenth as f32 * 0.1;
        assert_eq!(x_at(&keys, frame), 45.0, "frame {frame}");
    }
    let saved = js3d::write(session.scene()).unwrap();
    let (opened, report) = js3d::read(&saved).unwrap();
    assert!(report.findings.iter().all(|finding| !finding.code.contains("curve")));
    assert!(filed(&opened) == filed(session.scene()));
    assert_eq!(js3d::write(&opened).unwrap(), saved);
    let played = as_scotty3d(&saved, "Body", name);
    for frame in 0..=40 {
        let (ours, theirs) = (x_at(&keys, frame as f32), x_at(&played, frame as f32));
        assert!((ours - theirs).abs() < 0.02, "frame {frame}: {ours} and {theirs}");
    }
    // The same for linear and hold; the modes move with the keys.
    let keys_of = |frames: &[f32]| vec![ChannelKeys { channel: of.clone(), frames: frames.to_vec() }];
    let set = |frame: f32, mode| KeyCommand::SetMode { keys: keys_of(&[frame]), mode };
    for command in [set(0.0, Mode::Hold), set(20.0, Mode::Linear)] {
        session.apply(&[command_of(&command)]).unwrap();
    }
    let modes = |session: &Session| session.scene().animation.get(&of).unwrap().key_modes();
    use Mode::{Clamped, Hold, Linear};
    assert_eq!(modes(&session), [Hold, Clamped, Linear, Clamped]);
    let saved = js3d::write(session.scene()).unwrap();
    assert!(filed(&js3d::read(&saved).unwrap().0) == filed(session.scene()));
    let (keys, played) =
        (session.scene().animation.get(&of).unwrap().clone(), as_scotty3d(&saved, "Body", name));
    assert_eq!((x_at(&keys, 9.75), x_at(&keys, 25.0)), (1.0, 22.5));
    for frame in 0..=40 {
        let (ours, theirs) = (x_at(&keys, frame as f32), x_at(&played, frame as f32));
        assert!((ours - theirs).abs() < 0.02, "frame {frame}: {ours} and {theirs}");
    }
    let moved = KeyCommand::Move { keys: keys_of(&[0.0, 20.0]), offset: 3.0 };
    session.apply(&[command_of(&moved)]).unwrap();
    assert_eq!(modes(&session), [Hold, Clamped, Linear, Clamped]);
    let copied = keying::copy(session.scene(), &keys_of(&[3.0, 23.0]));
    let (pasted, _) = keying::paste(session.scene(), &copied, 50.0);
    session.apply(&[command_of(&pasted.unwrap())]).unwrap();
    assert_eq!(modes(&session), [Hold, Clamped, Linear, Clamped, Hold, Linear]);
    let delete = KeyCommand::Delete { keys: keys_of(&[10.0]) };
    session.apply(&[command_of(&delete)]).unwrap();
    assert_eq!(modes(&session), [Hold, Linear, Clamped, Hold, Linear]);
    // A key set again keeps its mode.
    let frame = 50.0;
    let set = KeyCommand::Set { channels: vec![of.clone()], frame, new_mode: Mode::Clamped };
    session.set_frame(frame);
    session.apply(&[command_of(&set)]).unwrap();
    assert_eq!(modes(&session)[3], Hold);
}

/// Keys of a file without modes play as in Scotty3D, equal or not, and are written back byte for byte; a key
/// set among them holds.
#[test]
fn keys_of_other_programs_stay_as_they_are() {
    let mut theirs = scene();
    let name = "bone.3.pose";
    let of = channel("Body", name);
    let knots = [(0.0, 0.0), (10.0, 45.0), (20.0, 45.0), (30.0, 0.0), (60.0, 0.0)];
    let knots = knots.map(|(frame, x)| (frame, Vec3::new(x, 0.0, 0.0)));
    let animation = Arc::make_mut(&mut theirs.animation);
    let plain = Channel::Vec3(Spline::from_knots(knots.to_vec()));
    animation.channels.get_mut("Body").unwrap().insert(name.into(), Arc::new(plain));
    let bytes = js3d::write(&theirs).unwrap();
    let (opened, _) = js3d::read(&bytes).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("curve"));
    assert_eq!(js3d::write(&opened).unwrap(), bytes);
    // Catmull-Rom: 45 + (leaving 45/20 * 10 - arriving -45/20 * 10) / 8.
    let keys = opened.animation.get(&of).unwrap();
    assert!((x_at(keys, 15.0) - (45.0 + 45.0 / 8.0)).abs() < 1e-4);
    let mut session = Session::new(opened, None);
    session.set_frame(15.0);
    let (mesh, pose_deg) = ("Body".to_owned(), Vec3::new(45.0, 0.0, 0.0));
    session.set_auto_key(true);
    session.apply(&[Command::set_bone(mesh, 1, "pose", pose_deg)]).unwrap();
    let keys = session.scene().animation.get(&of).unwrap();
    assert_eq!((x_at(keys, 12.0), x_at(keys, 17.5)), (45.0, 45.0));
    assert_eq!(keys.key_modes()[..4], [Mode::Auto, Mode::Clamped, Mode::Clamped, Mode::Auto]);
    let drifts = x_at(keys, 45.0);
    assert!(drifts < -3.0, "{drifts}: far from it nothing changes");
    // A key that only gets another value changes no mode, neither its own nor that of the key before it.
    let modes = keys.key_modes();
    session.set_frame(30.0);
    session.apply(&[Command::set_bone("Body".to_owned(), 1, "pose", Vec3::X)]).unwrap();
    let keys = session.scene().animation.get(&of).unwrap();
    assert_eq!((x_at(keys, 30.0), keys.key_modes()), (1.0, modes));
}

/// Clamped curves once left their first key, and reached their last one, along the straight line to the next. Files with such
/// knots play as they did, and are written back with them.
#[test]
fn clamped_ends_of_earlier_files_stay_straight() {
    let mut scene = scene();
    let of = channel("Body", "bone.3.pose");
    let knots = [(0.0, 0.0), (10.0, 40.0), (20.0, 20.0)].map(|(frame, x)| (frame, Value::Vec3(Vec3::X * x)));
    let shapes = [None, None, Some(-2.0)].into_iter().enumerate().map(|(index, arrive)| {
        let slope = |x: f32| Value::Vec3(Vec3::X * x);
        let leave = (index == 0).then(|| slope(4.0));
        KeyShape { mode: Mode::Clamped, slopes: Slopes::fixed(arrive.map(slope), leave) }
    });
    let modes = shapes.collect();
    let keys = KeyframeValues { channel: of.clone(), knots: knots.to_vec(), modes };
    command_of(&KeyCommand::Put { purpose: Purpose::Paste, knots: vec![keys] }).apply(&mut scene).unwrap();
    let wanted = (**scene.animation.get(&of).unwrap()).clone();
    let mut document: serde_json::Value = serde_json::from_slice(&js3d::write(&scene).unwrap()).unwrap();
    let curve = document.pointer_mut("/animator/splines/Body/bone.3.pose/curve").unwrap();
    curve.as_object_mut().unwrap().remove("slopes").expect("slopes");
    let bytes = serde_json::to_vec(&document).unwrap();
    let (opened, report) = js3d::read(&bytes).unwrap();
    let found = opened.animation.get(&of).unwrap();
    assert!(report.findings.iter().all(|finding| !finding.code.contains("curve")));
    for half in 0..=40 {
        let frame = half as f32 / 2.0;
        assert!((x_at(found, frame) - x_at(&wanted, frame)).abs() < 1e-3, "{frame}");
    }
    assert_eq!(found.key_modes(), [Mode::Clamped; 3]);
    let bytes = js3d::write(&opened).unwrap();
    let plays = as_scotty3d(&bytes, "Body", "bone.3.pose");
    for frame in 0..=20 {
        assert!((x_at(&plays, frame as f32) - x_at(&wanted, frame as f32)).abs() < 0.02, "{frame}");
    }
}

/// If another program moved a knot, or the member is invalid, the knots count, and a finding reports it.
#[test]
fn knots_that_others_changed_count() {
    let mut scene = scene();
    let of = channel("Body", "bone.3.pose");
    let keys = vec![ChannelKeys { channel: of.clone(), frames: vec![0.0] }];
    let mode = Mode::Hold;
    command_of(&KeyCommand::SetMode { keys, mode }).apply(&mut scene).unwrap();
    let good: serde_json::Value = serde_json::from_slice(&js3d::write(&scene).unwrap()).unwrap();
    let at = "/animator/splines/Body/bone.3.pose";
    let changed = |place: &str, value: serde_json::Value| {
        let mut document = good.clone();
        *document.pointer_mut(&format!("{at}/{place}")).unwrap() = value;
        let (scene, report) = js3d::read(&serde_json::to_vec(&document).unwrap()).unwrap();
        let codes = report.findings.iter().map(|finding| finding.code);
        let codes: Vec<_> = codes.filter(|code| code.contains("curve")).collect();
        let modes = scene.animation.get(&of).unwrap().key_modes();
        let again = js3d::write(&scene).unwrap();
        assert_eq!(js3d::write(&js3d::read(&again).unwrap().0).unwrap(), again);
        (codes, modes.iter().any(|mode| *mode != Mode::Auto))
    };
    assert_eq!(changed("curve/keys/2", "hold".into()), (vec![], true));
    assert_eq!(changed("knots/1/0", 7.0.into()), (vec!["outdated-curve"], false));
    for (place, value) in [
        ("curve/keys/2", "springy".into()),
        ("curve/keys/0", 99.into()),
        ("curve/keys/1", true.into()),
        ("curve/keys", serde_json::json!([])),
    ] {
        assert_eq!(changed(place, value), (vec!["bad-curve"], false), "{place}");
    }
    // A member of another form belongs to another program, and is preserved.
    assert_eq!(changed("curve", serde_json::json!({"shape": 3})), (vec![], false));
}
