//! Commands on keys: what they do is compared with a model of plain maps; each is one undo step.

use crate::editing::keys::{KEY_KINDS, any_key_command, channel, key_examples, key_kind};
use crate::editing::{Random, scene};
use glam::Vec3;
use ossature::anim::channel::{Channel, ChannelRef, Value};
use ossature::anim::clip::Clip;
use ossature::anim::mode::Mode;
use ossature::anim::spline::Spline;
use ossature::edit::command::keys::{KeyCommand, KeysOf, Knots, replaced};
use ossature::edit::command::{Command, CommandError};
use ossature::edit::keying;
use ossature::edit::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::channels;
use ossature::scene::drive::driven;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Keys by channel and by the frame's bits, which order frames that are not negative.
type Model = BTreeMap<(ChannelRef, u32), Value>;

fn model(scene: &Scene) -> Model {
    let mut model = Model::new();
    for keys in keying::all_keys(scene) {
        let found = scene.animation.get(&keys.channel).unwrap();
        for frame in keys.frames {
            let value = found.key(frame).unwrap();
            model.insert((keys.channel.clone(), frame.to_bits()), value);
        }
    }
    model
}

fn chosen(keys: &[KeysOf]) -> BTreeSet<(ChannelRef, u32)> {
    let each = |of: &KeysOf| {
        let frames = of.frames.clone().into_iter();
        let name = of.channel.clone();
        frames
            .map(move |frame| (name.clone(), frame.to_bits()))
            .collect::<Vec<_>>()
    };
    keys.iter().flat_map(each).collect()
}

/// Keys after the chosen ones went to other frames: the standing ones, then the moved ones over them, the
/// latest first so that the earliest stays.
fn moved(before: &Model, keys: &[KeysOf], to: impl Fn(f32) -> f32) -> Model {
    let chosen = chosen(keys);
    let (taken, mut after): (Model, Model) = before
        .clone()
        .into_iter()
        .partition(|(key, _)| chosen.contains(key));
    for ((channel, bits), value) in taken.into_iter().rev() {
        after.insert((channel, (to(f32::from_bits(bits)) + 0.0).to_bits()), value);
    }
    after
}

fn expected(scene: &Scene, command: &KeyCommand) -> Model {
    let before = model(scene);
    match command {
        KeyCommand::Set { channels, frame } => {
            let mut after = before;
            let mut unmuted = scene.clone();
            Arc::make_mut(&mut unmuted.animation).muted.clear();
            let unmuted = driven(&unmuted, *frame);
            for channel in channels {
                let mut value = channels::value(scene, channel).unwrap();
                let moving = channels::value(&unmuted, channel).unwrap();
                let mute = scene.animation.mute(&channel.resource, &channel.channel);
                match (&mut value, moving) {
                    (Value::Vec3(value), Value::Vec3(moving)) => {
                        let muted = (0..3).filter(|axis| mute.0[*axis]);
                        muted.for_each(|axis| value[axis] = moving[axis]);
                    }
                    (value, moving) if mute.is_whole() => *value = moving,
                    _ => {}
                }
                after.insert((channel.clone(), frame.to_bits()), value);
            }
            after
        }
        KeyCommand::Put { knots, .. } => {
            let mut after = before;
            for of in knots {
                for &(frame, value) in &of.knots {
                    after.insert((of.channel.clone(), frame.to_bits()), value);
                }
            }
            after
        }
        KeyCommand::Delete { keys } => {
            let chosen = chosen(keys);
            before
                .into_iter()
                .filter(|(key, _)| !chosen.contains(key))
                .collect()
        }
        KeyCommand::Move { keys, by } => moved(&before, keys, |frame| frame + by),
        KeyCommand::Scale {
            keys,
            about,
            factor,
            snap,
        } => moved(&before, keys, |frame| {
            let scaled = about + (frame - about) * factor;
            if *snap { scaled.round() } else { scaled }
        }),
        KeyCommand::Snap { keys } => moved(&before, keys, f32::round),
        KeyCommand::CropEnd { frame } => {
            let kept = |bits: u32| f32::from_bits(bits) <= *frame as f32;
            before.into_iter().filter(|((_, bits), _)| kept(*bits)).collect()
        }
        KeyCommand::SetMode { .. }
        | KeyCommand::SetRate { .. }
        | KeyCommand::SetLength { .. }
        | KeyCommand::SetRange { .. }
        | KeyCommand::Mute { .. } => before,
    }
}

/// Keys increase, there is one at least in every channel, and the clip holds them.
fn check(scene: &Scene) {
    let animation = &scene.animation;
    for of in animation.channels.values() {
        assert!(!of.is_empty());
        for channel in of.values() {
            let times = channel.times();
            assert!(
                !times.is_empty() && times.windows(2).all(|pair| pair[0] < pair[1]),
                "{times:?}"
            );
        }
    }
    let clip = animation.clip;
    assert_eq!(clip.holding(animation.last_key()), clip);
    assert!(clip.played()[0] <= clip.played()[1] && clip.played()[1] < clip.length);
}

#[test]
fn random_commands_do_what_the_model_does() {
    let mut random = Random::new(3);
    let (mut good, mut lost) = ([0; KEY_KINDS], 0);
    for _ in 0..30 {
        let mut scene = scene();
        for _ in 0..60 {
            let command = any_key_command(&mut random, &scene, false);
            let before = scene.clone();
            let count = replaced(&before, &command);
            if command_of(&command).apply(&mut scene).is_err() {
                assert!(before.is_shared(&scene));
                continue;
            }
            good[key_kind(&command)] += 1;
            check(&scene);
            assert_eq!(model(&scene), expected(&before, &command), "{command:?}");
            let keys = |scene: &Scene| model(scene).len();
            if let KeyCommand::Move { .. } | KeyCommand::Scale { .. } | KeyCommand::Snap { .. } = command {
                assert_eq!(keys(&before) - keys(&scene), count, "{command:?}");
                lost += count;
            }
            if before.animation == scene.animation {
                assert!(
                    before.is_shared(&scene),
                    "{command:?} copies what it does not change"
                );
            }
        }
    }
    assert!(
        good.iter().all(|count| *count > 50) && lost > 30,
        "{good:?}, {lost}"
    );
}

fn command_of(command: &KeyCommand) -> Command {
    Command::Keys(command.clone())
}

#[test]
fn every_command_is_one_step_with_its_label() {
    let mut seen = BTreeSet::new();
    for (command, label) in key_examples() {
        let mut session = Session::new(scene(), None);
        let before = session.scene().clone();
        session.apply(&[command_of(&command)]).unwrap();
        let after = session.scene().clone();
        assert!(before != after, "{command:?}");
        assert_eq!(
            (session.undo_label(), session.history().entries().len()),
            (Some(label), 1)
        );
        session.undo();
        assert!(session.scene().is_shared(&before));
        session.redo();
        assert!(session.scene().is_shared(&after));
        let text = serde_json::to_string(&command_of(&command)).unwrap();
        assert_eq!(
            serde_json::from_str::<Command>(&text).unwrap(),
            command_of(&command),
            "{text}"
        );
        seen.insert(key_kind(&command));
    }
    // Snap has nothing to do in that scene.
    assert_eq!(seen.len(), KEY_KINDS - 1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mid = || {
        vec![KeysOf {
            channel: channel("Body", "bone.3.pose"),
            frames: vec![0.0, 10.0],
        }]
    };
    let bad = [f32::NAN, f32::INFINITY, -1.0, 1e6];
    let mut wrong = Vec::new();
    for frame in bad {
        wrong.push(KeyCommand::Set {
            channels: vec![channel("Body", "base_offset")],
            frame,
        });
        wrong.push(KeyCommand::Move {
            keys: mid(),
            by: frame,
        });
        wrong.push(KeyCommand::SetRate {
            frames_per_second: frame,
        });
    }
    for name in ["bone.99.pose", "radius", "bone.3", ""] {
        wrong.push(KeyCommand::Set {
            channels: vec![channel("Body", name)],
            frame: 0.0,
        });
    }
    let nobody = vec![KeysOf {
        channel: channel("Body", "bone.0.pose"),
        frames: vec![0.0],
    }];
    wrong.push(KeyCommand::Delete { keys: nobody });
    wrong.push(KeyCommand::Scale {
        keys: mid(),
        about: 0.0,
        factor: f32::NAN,
        snap: true,
    });
    wrong.push(KeyCommand::Scale {
        keys: mid(),
        about: 0.0,
        factor: 2e5,
        snap: true,
    });
    wrong.push(KeyCommand::SetLength { frames: 10 });
    wrong.push(KeyCommand::SetLength {
        frames: Clip::MAX_LENGTH + 1,
    });
    wrong.push(KeyCommand::SetRange { range: Some([3, 2]) });
    wrong.push(KeyCommand::SetRange { range: Some([0, 96]) });
    wrong.push(KeyCommand::CropEnd { frame: 96 });
    for command in wrong {
        let mut after = scene();
        let before = after.clone();
        let error: CommandError = command_of(&command)
            .apply(&mut after)
            .expect_err(&format!("{command:?}"));
        assert!(before.is_shared(&after), "{error}");
        assert_eq!(replaced(&before, &command), 0);
    }
}

#[test]
fn the_clip_grows_with_its_keys_and_crop_end_shortens_it() {
    let mut scene = scene();
    let keys = vec![KeysOf {
        channel: channel("Body", "bone.3.pose"),
        frames: vec![10.0],
    }];
    command_of(&KeyCommand::Move { keys, by: 110.5 })
        .apply(&mut scene)
        .unwrap();
    assert_eq!(scene.animation.clip.length, 122);
    command_of(&KeyCommand::SetRange {
        range: Some([4, 100]),
    })
    .apply(&mut scene)
    .unwrap();
    command_of(&KeyCommand::CropEnd { frame: 30 })
        .apply(&mut scene)
        .unwrap();
    assert_eq!(
        (scene.animation.clip.length, scene.animation.clip.range),
        (31, Some([4, 30]))
    );
    assert_eq!(
        scene
            .animation
            .get(&channel("Body", "bone.3.pose"))
            .unwrap()
            .times(),
        [0.0]
    );
    command_of(&KeyCommand::SetRange { range: Some([0, 30]) })
        .apply(&mut scene)
        .unwrap();
    assert_eq!(scene.animation.clip.range, None, "all of it is no range");
}

/// Set makes a channel of another type than what it drives anew: it ends Scotty3D, and did nothing here.
#[test]
fn channels_of_the_wrong_type_are_made_anew() {
    let mut scene = scene();
    let mut animation = (*scene.animation).clone();
    let wrong = animation.channels["Body"]["handle.5.enabled"].clone();
    let of = animation.channels.get_mut("Body").unwrap();
    of.insert("bone.4.pose".into(), wrong);
    scene.animation = Arc::new(animation);
    let channels = vec![channel("Body", "bone.4.pose")];
    command_of(&KeyCommand::Set {
        channels: channels.clone(),
        frame: 3.0,
    })
    .apply(&mut scene)
    .unwrap();
    let made = scene.animation.get(&channels[0]).unwrap();
    assert_eq!((made.type_name(), made.times()), ("Vec3", vec![3.0]));
}

#[test]
fn a_selection_means_its_channels() {
    let scene = scene();
    let names = |selection: &Selection| {
        let channels = keying::of_selection(&scene, selection).into_iter();
        channels
            .map(|c| format!("{} {}", c.resource, c.channel))
            .collect::<Vec<_>>()
    };
    let body = Selection::of_mesh(&scene, "Body");
    assert_eq!(names(&body.with_part(Some(Part::Bone(2)))), ["Body bone.7.pose"]);
    assert_eq!(
        names(&body.with_parts([Part::Handle(1), Part::Bone(0), Part::Base])),
        [
            "Body bone.0.pose",
            "Body handle.5.target",
            "Body handle.5.enabled",
            "Body handle.5.weight",
            "Body base_offset"
        ]
    );
    let character = [
        "Body base_offset",
        "Body bone.0.pose",
        "Body bone.3.pose",
        "Body bone.7.pose",
        "Body bone.4.pose",
        "Body handle.2.target",
        "Body handle.2.enabled",
        "Body handle.2.weight",
        "Body handle.5.target",
        "Body handle.5.enabled",
        "Body handle.5.weight",
    ];
    let place = ["Place rotation", "Place scale", "Place translation"];
    let whole = [&["Body here visible"][..], &place, &character].concat();
    assert_eq!(names(&body), whole);
    let alone = Selection {
        instance: None,
        ..body.clone()
    };
    assert_eq!(names(&alone).len(), character.len());
    let of: Vec<_> = keying::of_character(&scene, "Body")
        .into_iter()
        .map(|c| format!("Body {}", c.channel))
        .collect();
    assert_eq!(of, character);
    let eye = scene
        .instances
        .all()
        .into_iter()
        .find(|i| i.name == "Eye")
        .unwrap();
    let eye = ossature::scene::instance::InstanceRef {
        kind: eye.kind,
        name: eye.name.into(),
    };
    let camera = ["Lens aspect_ratio", "Lens near_plane", "Lens vertical_fov"];
    assert_eq!(
        names(&Selection::of_instance(&scene, &eye)),
        [&place[..], &camera].concat()
    );
    assert_eq!(names(&Selection::default()), [""; 0]);
}

#[test]
fn copied_keys_are_put_where_asked_and_unknown_ones_reported() {
    let mut scene = scene();
    let before = model(&scene);
    let keys = keying::all_keys(&scene);
    let copied = keying::copy(&scene, &keys);
    let text = serde_json::to_string(&copied).unwrap();
    assert_eq!(
        serde_json::from_str::<Vec<Knots>>(&text).unwrap(),
        copied,
        "the clipboard is data"
    );
    let (command, missing) = keying::paste(&scene, &copied, 30.0);
    let gone = [
        channel("Body", "bone.11.pose"),
        channel("Body", "handle.9.enabled"),
    ];
    assert_eq!(missing, gone);
    command_of(&command.unwrap()).apply(&mut scene).unwrap();
    let mut wanted = before.clone();
    for ((name, bits), value) in before.into_iter().filter(|((name, _), _)| !gone.contains(name)) {
        wanted.insert((name, (f32::from_bits(bits) + 30.0).to_bits()), value);
    }
    assert_eq!(model(&scene), wanted);
    let at = keying::keys_at(&scene, &channels::all(&scene), 40.0);
    assert_eq!(at.len(), 3, "{at:?}");
    let command = keying::duplicate(&scene, &at, 2.0).unwrap();
    command_of(&command).apply(&mut scene).unwrap();
    assert_eq!(model(&scene).len(), wanted.len() + 3);
    assert_eq!(keying::paste(&scene, &[], 3.0), (None, vec![]));
}

/// Times and values as a program plays them that knows the member `knots` alone.
fn as_scotty3d(bytes: &[u8], resource: &str, name: &str) -> Channel {
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

/// A held pose holds, here and in Scotty3D, and what is saved comes back with its modes.
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
        session
            .apply(&[Command::SetPose {
                mesh,
                bone: 2,
                pose_deg,
            }])
            .unwrap();
    }
    session.set_frame(20.0);
    let (mesh, pose_deg) = ("Body".to_owned(), Vec3::new(45.0, 0.0, 3.0));
    session
        .apply(&[Command::SetPose {
            mesh,
            bone: 2,
            pose_deg,
        }])
        .unwrap();
    let of = channel("Body", name);
    let keys = session.scene().animation.get(&of).unwrap().clone();
    for tenth in 100..=200 {
        let frame = tenth as f32 * 0.1;
        assert_eq!(x_at(&keys, frame), 45.0, "frame {frame}");
    }
    let saved = js3d::write(session.scene()).unwrap();
    let (opened, report) = js3d::read(&saved).unwrap();
    assert!(
        report
            .findings
            .iter()
            .all(|finding| !finding.code.contains("curve"))
    );
    assert!(opened == *session.scene());
    assert_eq!(js3d::write(&opened).unwrap(), saved);
    let played = as_scotty3d(&saved, "Body", name);
    for frame in 0..=40 {
        let (ours, theirs) = (x_at(&keys, frame as f32), x_at(&played, frame as f32));
        assert!((ours - theirs).abs() < 0.02, "frame {frame}: {ours} and {theirs}");
    }
    // Linear and hold, too; the modes go with the keys.
    let keys_of = |frames: &[f32]| {
        vec![KeysOf {
            channel: of.clone(),
            frames: frames.to_vec(),
        }]
    };
    let set = |frame: f32, mode| KeyCommand::SetMode {
        keys: keys_of(&[frame]),
        mode,
    };
    for command in [set(0.0, Mode::Hold), set(20.0, Mode::Linear)] {
        session.apply(&[command_of(&command)]).unwrap();
    }
    let modes = |session: &Session| session.scene().animation.get(&of).unwrap().key_modes();
    use Mode::{Hold, Linear, Smooth};
    assert_eq!(modes(&session), [Hold, Smooth, Linear, Smooth]);
    let saved = js3d::write(session.scene()).unwrap();
    assert!(js3d::read(&saved).unwrap().0 == *session.scene());
    let (keys, played) = (
        session.scene().animation.get(&of).unwrap().clone(),
        as_scotty3d(&saved, "Body", name),
    );
    assert_eq!((x_at(&keys, 9.75), x_at(&keys, 25.0)), (1.0, 22.5));
    for frame in 0..=40 {
        let (ours, theirs) = (x_at(&keys, frame as f32), x_at(&played, frame as f32));
        assert!((ours - theirs).abs() < 0.02, "frame {frame}: {ours} and {theirs}");
    }
    let moved = KeyCommand::Move {
        keys: keys_of(&[0.0, 20.0]),
        by: 3.0,
    };
    session.apply(&[command_of(&moved)]).unwrap();
    assert_eq!(modes(&session), [Hold, Smooth, Linear, Smooth]);
    let copied = keying::copy(session.scene(), &keys_of(&[3.0, 23.0]));
    let (pasted, _) = keying::paste(session.scene(), &copied, 50.0);
    session.apply(&[command_of(&pasted.unwrap())]).unwrap();
    assert_eq!(modes(&session), [Hold, Smooth, Linear, Smooth, Hold, Linear]);
    let delete = KeyCommand::Delete {
        keys: keys_of(&[10.0]),
    };
    session.apply(&[command_of(&delete)]).unwrap();
    assert_eq!(modes(&session), [Hold, Linear, Smooth, Hold, Linear]);
    // A key set anew keeps its mode.
    let frame = 50.0;
    let set = KeyCommand::Set {
        channels: vec![of.clone()],
        frame,
    };
    session.set_frame(frame);
    session.apply(&[command_of(&set)]).unwrap();
    assert_eq!(modes(&session)[3], Hold);
}

/// Keys of a file without modes play as in Scotty3D, equal or not, and come back byte for byte; one that is set
/// among them holds.
#[test]
fn keys_of_other_programs_stay_as_they_are() {
    let mut theirs = scene();
    let name = "bone.3.pose";
    let of = channel("Body", name);
    let knots = [(0.0, 0.0), (10.0, 45.0), (20.0, 45.0), (30.0, 0.0), (60.0, 0.0)];
    let knots = knots.map(|(frame, x)| (frame, Vec3::new(x, 0.0, 0.0)));
    let animation = Arc::make_mut(&mut theirs.animation);
    let plain = Channel::Vec3(Spline::through(knots.to_vec()));
    animation
        .channels
        .get_mut("Body")
        .unwrap()
        .insert(name.into(), Arc::new(plain));
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
    session
        .apply(&[Command::SetPose {
            mesh,
            bone: 1,
            pose_deg,
        }])
        .unwrap();
    let keys = session.scene().animation.get(&of).unwrap();
    assert_eq!((x_at(keys, 12.0), x_at(keys, 17.5)), (45.0, 45.0));
    assert_eq!(
        keys.key_modes()[..4],
        [Mode::Auto, Mode::Smooth, Mode::Smooth, Mode::Auto]
    );
    let drifts = x_at(keys, 45.0);
    assert!(drifts < -3.0, "{drifts}: far from it nothing changes");
}

/// Another program moved a knot, or the member makes no sense: the knots count, and a finding says so.
#[test]
fn knots_that_others_changed_count() {
    let mut scene = scene();
    let of = channel("Body", "bone.3.pose");
    let keys = vec![KeysOf {
        channel: of.clone(),
        frames: vec![0.0],
    }];
    let mode = Mode::Hold;
    command_of(&KeyCommand::SetMode { keys, mode })
        .apply(&mut scene)
        .unwrap();
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
    // What it cannot be is somebody else's, and kept.
    assert_eq!(changed("curve", serde_json::json!({"shape": 3})), (vec![], false));
}
