//! Commands on keys: their results are compared with a model of plain maps; each is one undo step.

mod files;
mod hold;
mod retime;
mod reverse;
mod ripple;
mod slopes;

use crate::editing::keys::{KEY_KINDS, any_key_command, channel, key_examples, key_kind};
use crate::editing::{Random, scene};
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::clip::Clip;
use ossature::anim::mode::Mode;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, replaced};
use ossature::edit::command::{Command, CommandError};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::time::keying;
use ossature::scene::Scene;
use ossature::scene::apply_animation::animate;
use ossature::scene::channels;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Keys by channel and by the bits of the frame, which sort frames that are not negative.
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

fn chosen(keys: &[ChannelKeys]) -> BTreeSet<(ChannelRef, u32)> {
    let each = |of: &ChannelKeys| {
        let frames = of.frames.clone().into_iter();
        let name = of.channel.clone();
        frames.map(move |frame| (name.clone(), frame.to_bits())).collect::<Vec<_>>()
    };
    keys.iter().flat_map(each).collect()
}

/// Keys after the chosen ones went to other frames: the others first, then the moved ones over them, the
/// latest first so that the earliest stays.
fn moved(before: &Model, keys: &[ChannelKeys], to: impl Fn(f32) -> f32) -> Model {
    let chosen = chosen(keys);
    let (taken, mut after): (Model, Model) =
        before.clone().into_iter().partition(|(key, _)| chosen.contains(key));
    for ((channel, bits), value) in taken.into_iter().rev() {
        after.insert((channel, (to(f32::from_bits(bits)) + 0.0).to_bits()), value);
    }
    after
}

/// Keys after those behind a frame went later.
fn later(before: Model, behind: f32, count: u32) -> Model {
    let keys = before.into_iter().map(|((channel, bits), value)| {
        let frame = f32::from_bits(bits);
        let frame = if frame > behind { frame + count as f32 } else { frame };
        ((channel, frame.to_bits()), value)
    });
    keys.collect()
}

fn expected(scene: &Scene, command: &KeyCommand) -> Model {
    let before = model(scene);
    match command {
        KeyCommand::Set { channels, frame, .. } => {
            let mut after = before;
            let mut unmuted = scene.clone();
            Arc::make_mut(&mut unmuted.animation).muted.clear();
            let unmuted = animate(&unmuted, *frame);
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
            before.into_iter().filter(|(key, _)| !chosen.contains(key)).collect()
        }
        KeyCommand::Move { keys, offset } => moved(&before, keys, |frame| frame + offset),
        KeyCommand::Scale { keys, about, factor, snap } => moved(&before, keys, |frame| {
            let scaled = about + (frame - about) * factor;
            if *snap { scaled.round() } else { scaled }
        }),
        KeyCommand::Snap { keys } => moved(&before, keys, f32::round),
        KeyCommand::Reverse { keys } => {
            let chosen = chosen(keys);
            let times = || chosen.iter().map(|(_, bits)| f64::from(f32::from_bits(*bits)));
            let sum = times().fold(f64::MAX, f64::min) + times().fold(f64::MIN, f64::max);
            moved(&before, keys, |frame| (sum - f64::from(frame)) as f32)
        }
        KeyCommand::InsertFrames { first, count } => later(before, *first as f32 - 1.0, *count),
        KeyCommand::RemoveFrames { first, count } => {
            let (first, count) = (*first as f32, *count as f32);
            let keys = before.into_iter().filter_map(|((channel, bits), value)| {
                let frame = f32::from_bits(bits);
                let frame = if frame > first - 1.0 { frame - count } else { frame };
                let is_removed = f32::from_bits(bits) > first - 1.0 && frame <= first - 1.0;
                (!is_removed).then(|| ((channel, frame.to_bits()), value))
            });
            keys.collect()
        }
        KeyCommand::Hold { frame, count, .. } => {
            let mut after = later(before, *frame, *count);
            for ChannelKeys { channel, frames } in keying::all_keys(scene) {
                if frames[0] <= *frame && *frame <= frames[frames.len() - 1] {
                    let value = scene.animation.get(&channel).unwrap().at(*frame).unwrap();
                    for frame in [*frame, frame + *count as f32] {
                        after.insert((channel.clone(), frame.to_bits()), value);
                    }
                }
            }
            after
        }
        KeyCommand::RetimeTake { take, frames } => {
            let animation = &scene.animation;
            let [first, last] = animation.takes.get(take).unwrap().range;
            let closing = animation.closing_frame([first, last]).is_some();
            let added = i64::from(*frames) - i64::from(last - first + 1);
            let (first, end) = (f64::from(first), f64::from(last + u32::from(closing)));
            let factor = (end + added as f64 - first) / (end - first);
            let to = |frame: f64| match frame {
                frame if frame <= first => frame,
                frame if frame < end => first + (frame - first) * factor,
                frame => frame + added as f64,
            };
            let keys = before.into_iter().map(|((channel, bits), value)| {
                let frame = to(f64::from(f32::from_bits(bits))) as f32;
                ((channel, frame.to_bits()), value)
            });
            keys.collect()
        }
        KeyCommand::CropEnd { frame } => {
            let kept = |bits: u32| f32::from_bits(bits) <= *frame as f32;
            before.into_iter().filter(|((_, bits), _)| kept(*bits)).collect()
        }
        KeyCommand::SetMode { .. }
        | KeyCommand::SetSlopes { .. }
        | KeyCommand::Filter { .. }
        | KeyCommand::SetRate { .. }
        | KeyCommand::SetLength { .. }
        | KeyCommand::SetRange { .. }
        | KeyCommand::Mute { .. } => before,
    }
}

/// Checks that keys increase, that every channel has at least one, and that the clip contains them.
fn check(scene: &Scene) {
    let animation = &scene.animation;
    for of in animation.channels.values() {
        assert!(!of.is_empty());
        for channel in of.values() {
            let times = channel.times();
            assert!(!times.is_empty() && times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        }
    }
    let clip = animation.clip;
    assert_eq!(clip.extended_to(animation.last_key()), clip);
    assert!(clip.play_range()[0] <= clip.play_range()[1] && clip.play_range()[1] < clip.length);
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
            if let KeyCommand::Filter { keys, .. } = &command {
                let chosen = chosen(keys);
                let after = model(&scene);
                let stays =
                    |(key, value): (_, Value)| chosen.contains(&key) || after.get(&key) == Some(&value);
                assert!(model(&before).into_iter().all(stays), "{command:?}");
            } else {
                assert_eq!(model(&scene), expected(&before, &command), "{command:?}");
            }
            let keys = |scene: &Scene| model(scene).len();
            if let KeyCommand::Move { .. } | KeyCommand::Scale { .. } | KeyCommand::Snap { .. } = command {
                assert_eq!(keys(&before) - keys(&scene), count, "{command:?}");
                lost += count;
            }
            if before.animation == scene.animation {
                assert!(before.is_shared(&scene), "{command:?} copies what it does not change");
            }
        }
    }
    assert!(good.iter().all(|count| *count > 50) && lost > 20, "{good:?}, {lost}");
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
        assert_eq!((session.undo_label(), session.history().entries().len()), (Some(label), 1));
        session.undo();
        assert!(session.scene().is_shared(&before));
        session.redo();
        assert!(session.scene().is_shared(&after));
        let text = serde_json::to_string(&command_of(&command)).unwrap();
        assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command_of(&command), "{text}");
        seen.insert(key_kind(&command));
    }
    // Snap has nothing to do in that scene.
    assert_eq!(seen.len(), KEY_KINDS - 1);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mid = || vec![ChannelKeys { channel: channel("Body", "bone.3.pose"), frames: vec![0.0, 10.0] }];
    let bad = [f32::NAN, f32::INFINITY, -1.0, 1e6];
    let mut wrong = Vec::new();
    for frame in bad {
        wrong.push(KeyCommand::Set {
            channels: vec![channel("Body", "base_offset")],
            frame,
            new_mode: Mode::Clamped,
        });
        wrong.push(KeyCommand::Move { keys: mid(), offset: frame });
        wrong.push(KeyCommand::SetRate { frames_per_second: frame });
    }
    for name in ["bone.99.pose", "radius", "bone.3", ""] {
        wrong.push(KeyCommand::Set {
            channels: vec![channel("Body", name)],
            frame: 0.0,
            new_mode: Mode::Clamped,
        });
    }
    let nobody = vec![ChannelKeys { channel: channel("Body", "bone.0.pose"), frames: vec![0.0] }];
    wrong.push(KeyCommand::Delete { keys: nobody });
    wrong.push(KeyCommand::Scale { keys: mid(), about: 0.0, factor: f32::NAN, snap: true });
    wrong.push(KeyCommand::Scale { keys: mid(), about: 0.0, factor: 2e5, snap: true });
    wrong.push(KeyCommand::SetLength { frames: 10 });
    wrong.push(KeyCommand::SetLength { frames: Clip::MAX_LENGTH + 1 });
    wrong.push(KeyCommand::SetRange { range: Some([3, 2]) });
    wrong.push(KeyCommand::SetRange { range: Some([0, 96]) });
    wrong.push(KeyCommand::CropEnd { frame: 96 });
    wrong.push(KeyCommand::InsertFrames { first: 97, count: 1 });
    wrong.push(KeyCommand::InsertFrames { first: 5, count: 0 });
    wrong.push(KeyCommand::InsertFrames { first: 5, count: Clip::MAX_LENGTH });
    wrong.push(KeyCommand::RemoveFrames { first: 0, count: 96 });
    wrong.push(KeyCommand::RemoveFrames { first: 90, count: 7 });
    wrong.push(KeyCommand::RemoveFrames { first: 0, count: 11 });
    wrong.push(KeyCommand::RemoveFrames { first: u32::MAX, count: u32::MAX });
    wrong.push(KeyCommand::RetimeTake { take: "Nobody".into(), frames: 5 });
    for frames in [0, 1, u32::MAX] {
        wrong.push(KeyCommand::RetimeTake { take: "Walk".into(), frames });
    }
    for frame in bad {
        wrong.push(KeyCommand::Hold { frame, count: 5, channels: None });
    }
    for command in wrong {
        let mut after = scene();
        let before = after.clone();
        let error: CommandError = command_of(&command).apply(&mut after).expect_err(&format!("{command:?}"));
        assert!(before.is_shared(&after), "{error}");
        assert_eq!(replaced(&before, &command), 0);
    }
}

#[test]
fn the_clip_grows_with_its_keys_and_crop_end_shortens_it() {
    let mut scene = scene();
    let keys = vec![ChannelKeys { channel: channel("Body", "bone.3.pose"), frames: vec![10.0] }];
    command_of(&KeyCommand::Move { keys, offset: 110.5 }).apply(&mut scene).unwrap();
    assert_eq!(scene.animation.clip.length, 122);
    command_of(&KeyCommand::SetRange { range: Some([4, 100]) }).apply(&mut scene).unwrap();
    command_of(&KeyCommand::CropEnd { frame: 30 }).apply(&mut scene).unwrap();
    assert_eq!((scene.animation.clip.length, scene.animation.clip.range), (31, Some([4, 30])));
    assert_eq!(scene.animation.get(&channel("Body", "bone.3.pose")).unwrap().times(), [0.0]);
    command_of(&KeyCommand::SetRange { range: Some([0, 30]) }).apply(&mut scene).unwrap();
    assert_eq!(scene.animation.clip.range, None, "all of it is no range");
}

/// Setting a key replaces a channel of the wrong type, which would crash Scotty3D and had no effect here.
#[test]
fn channels_of_the_wrong_type_are_made_anew() {
    let mut scene = scene();
    let mut animation = (*scene.animation).clone();
    let wrong = animation.channels["Body"]["handle.5.enabled"].clone();
    let of = animation.channels.get_mut("Body").unwrap();
    of.insert("bone.4.pose".into(), wrong);
    scene.animation = Arc::new(animation);
    let channels = vec![channel("Body", "bone.4.pose")];
    command_of(&KeyCommand::Set { channels: channels.clone(), frame: 3.0, new_mode: Mode::Clamped })
        .apply(&mut scene)
        .unwrap();
    let made = scene.animation.get(&channels[0]).unwrap();
    assert_eq!((made.type_name(), made.times()), ("Vec3", vec![3.0]));
}

#[test]
fn a_selection_means_its_channels() {
    let scene = scene();
    let names = |selection: &Selection| {
        let channels = keying::selection_channels(&scene, selection).into_iter();
        channels.map(|c| format!("{} {}", c.resource, c.channel)).collect::<Vec<_>>()
    };
    let body = Selection::from_mesh(&scene, "Body");
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
    let alone = Selection { instance: None, ..body.clone() };
    assert_eq!(names(&alone).len(), character.len());
    let of: Vec<_> = keying::character_channels(&scene, "Body")
        .into_iter()
        .map(|c| format!("Body {}", c.channel))
        .collect();
    assert_eq!(of, character);
    let eye = scene.instances.all().into_iter().find(|i| i.name == "Eye").unwrap();
    let eye = ossature::scene::instance::InstanceRef { kind: eye.kind, name: eye.name.into() };
    let camera = ["Lens aspect_ratio", "Lens near_plane", "Lens vertical_fov"];
    assert_eq!(names(&Selection::from_instance(&scene, &eye)), [&place[..], &camera].concat());
    assert_eq!(names(&Selection::default()), [""; 0]);
}

#[test]
fn copied_keys_are_put_where_asked_and_unknown_ones_reported() {
    let mut scene = scene();
    let before = model(&scene);
    let keys = keying::all_keys(&scene);
    let copied = keying::copy(&scene, &keys);
    let text = serde_json::to_string(&copied).unwrap();
    assert_eq!(serde_json::from_str::<Vec<KeyframeValues>>(&text).unwrap(), copied, "the clipboard is data");
    let (command, missing) = keying::paste(&scene, &copied, 30.0);
    let gone = [channel("Body", "bone.11.pose"), channel("Body", "handle.9.enabled")];
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
