//! Commands on keys for the editing tests: an example of every kind, and random ones.

use super::{Random, scene};
use glam::Vec3;
use ossature::anim::blends::Blend;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::anim::filters::Filter;
use ossature::anim::mode::{Mode, SideMode, Slope, Slopes};
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand, KeySlopes, KeyframeValues, Purpose};
use ossature::edit::time::keying;
use ossature::scene::{Scene, channels};

pub fn channel(resource: &str, channel: &str) -> ChannelRef {
    ChannelRef::new(resource, channel)
}

/// Returns the scene with the handle on bone 2 enabled from frame 4 and moving; a key between frames must not
/// survive.
pub fn moving() -> Scene {
    let mut scene = scene();
    let knots = |name: &str, knots: &[(f32, Value)]| KeyframeValues {
        modes: Vec::new(),
        channel: channel("Body", name),
        knots: knots.to_vec(),
    };
    let at = |x: f32, y: f32, z: f32| Value::Vec3(Vec3::new(x, y, z));
    let put = KeyCommand::Put {
        purpose: Purpose::Paste,
        knots: vec![
            knots(
                "handle.2.target",
                &[(0.0, at(1.0, 2.0, 0.5)), (6.0, at(-1.0, 2.5, 0.8)), (12.0, at(0.5, 1.0, 1.5))],
            ),
            knots("handle.2.enabled", &[(0.0, Value::Bool(false)), (4.0, Value::Bool(true))]),
            knots("bone.3.pose", &[(6.5, at(0.0, 60.0, 0.0)), (30.0, at(5.0, 0.0, 0.0))]),
        ],
    };
    Command::Keys(put).apply(&mut scene).unwrap();
    scene
}

/// The number of kinds of commands on keys.
pub const KEY_KINDS: usize = 19;

pub fn key_kind(command: &KeyCommand) -> usize {
    match command {
        KeyCommand::Set { .. } => 0,
        KeyCommand::Put { .. } => 1,
        KeyCommand::Delete { .. } => 2,
        KeyCommand::Move { .. } => 3,
        KeyCommand::Scale { .. } => 4,
        KeyCommand::Snap { .. } => 5,
        KeyCommand::SetRate { .. } => 6,
        KeyCommand::SetLength { .. } => 7,
        KeyCommand::SetRange { .. } => 8,
        KeyCommand::CropEnd { .. } => 9,
        KeyCommand::Mute { .. } => 10,
        KeyCommand::SetMode { .. } => 11,
        KeyCommand::SetSlopes { .. } => 12,
        KeyCommand::Filter { .. } => 13,
        KeyCommand::Reverse { .. } => 14,
        KeyCommand::InsertFrames { .. } => 15,
        KeyCommand::RemoveFrames { .. } => 16,
        KeyCommand::Hold { .. } => 17,
        KeyCommand::RetimeTake { .. } => 18,
    }
}

/// Returns one command of every kind that changes [`super::scene`], with its label.
pub fn key_examples() -> Vec<(KeyCommand, &'static str)> {
    let mid = || channel("Body", "bone.3.pose");
    let keys = |frames: &[f32]| vec![ChannelKeys { channel: mid(), frames: frames.to_vec() }];
    let set = |channels| KeyCommand::Set { channels, frame: 7.5, new_mode: Mode::Clamped };
    let slopes = |leave| KeyCommand::SetSlopes {
        keys: vec![KeySlopes { channel: mid(), frame: 0.0, slopes: Slopes::fixed(None, leave) }],
    };
    let mute = |channels, components| KeyCommand::Mute { channels, components, muted: true };
    let put = |purpose, frame| KeyCommand::Put {
        purpose,
        knots: vec![KeyframeValues {
            modes: Vec::new(),
            channel: mid(),
            knots: vec![(frame, Value::Vec3(Vec3::ONE)), (100.0, Value::Vec3(Vec3::ONE))],
        }],
    };
    vec![
        (set(vec![mid()]), "Key Mid at frame 7.5"),
        (set(vec![mid(), channel("Body", "handle.5.target")]), "Key Body at frame 7.5"),
        (
            set(vec![mid(), channel("Place", "scale"), channel("Place", "rotation")]),
            "Key 3 channels at frame 7.5",
        ),
        (put(Purpose::Paste, 10.0), "Paste 2 keys, replacing 1"),
        (put(Purpose::Duplicate, 9.0), "Duplicate 2 keys"),
        (put(Purpose::Bake, 10.0), "Bake Mid into keys"),
        (put(Purpose::Value, 10.0), "Change the value of 2 keys"),
        (put(Purpose::Insert, 9.0), "Insert a key for Mid"),
        (KeyCommand::Delete { keys: keys(&[10.0]) }, "Delete 1 key"),
        (KeyCommand::Delete { keys: keys(&[0.0, 10.0]) }, "Delete 2 keys"),
        (KeyCommand::Move { keys: keys(&[0.0]), offset: 10.0 }, "Move 1 key by 10, replacing 1"),
        (
            KeyCommand::Scale { keys: keys(&[0.0, 10.0]), about: 5.0, factor: -1.0, snap: true },
            "Scale 2 keys by -1",
        ),
        (
            KeyCommand::Scale { keys: keys(&[0.0, 10.0]), about: 4.5, factor: 0.0, snap: true },
            "Scale 2 keys by 0, replacing 1",
        ),
        (KeyCommand::SetRate { frames_per_second: 30.0 }, "Set frame rate to 30"),
        (KeyCommand::SetLength { frames: 11 }, "Set length to 11"),
        (KeyCommand::SetRange { range: Some([1, 20]) }, "Play frames 1 to 20"),
        (KeyCommand::CropEnd { frame: 9 }, "Trim after frame 9"),
        (KeyCommand::SetMode { keys: keys(&[0.0]), mode: Mode::Linear }, "Make 1 key linear"),
        (
            KeyCommand::Filter { keys: keys(&[0.0, 10.0]), filter: Filter::Every(3) },
            "Key every 3 frames of 2 keys",
        ),
        (slopes(Some(Value::Vec3(Vec3::X))), "Set the slopes of 1 key"),
        (KeyCommand::Reverse { keys: keys(&[0.0, 10.0]) }, "Mirror 2 keys in time"),
        (KeyCommand::InsertFrames { first: 6, count: 4 }, "Insert 4 frames after frame 5"),
        (KeyCommand::InsertFrames { first: 0, count: 1 }, "Insert 1 frame before frame 0"),
        (KeyCommand::RemoveFrames { first: 6, count: 3 }, "Remove frames 6 to 8"),
        (KeyCommand::RemoveFrames { first: 10, count: 1 }, "Remove frame 10"),
        (KeyCommand::Hold { frame: 5.0, count: 6, channels: None }, "Hold frame 5 for 6 frames"),
        (
            KeyCommand::Hold { frame: 10.0, count: 1, channels: Some(vec![mid()]) },
            "Hold frame 10 for 1 frame",
        ),
        (KeyCommand::RetimeTake { take: "Walk".into(), frames: 21 }, "Retime take Walk to 21 frames"),
        (mute(vec![mid()], [true; 3]), "Mute Mid"),
        (mute(vec![mid()], [true, false, true]), "Mute x, z of Mid"),
    ]
}

/// Returns a random command on keys; with `wrong`, mostly one that must fail.
pub fn any_key_command(random: &mut Random, scene: &Scene, wrong: bool) -> KeyCommand {
    let frame = |random: &mut Random| {
        let bad = [f32::NAN, f32::NEG_INFINITY, -5.0, 2e6][random.below(4)];
        let half = if random.chance(20) { 0.5 } else { 0.0 };
        if wrong { bad } else { random.below(40) as f32 + half }
    };
    let nobody = channel("Nobody", "bone.1.pose");
    let some_channels = |random: &mut Random| {
        let all = channels::all(scene);
        let mut some: Vec<_> =
            (0..1 + random.below(4)).map(|_| all[random.below(all.len())].clone()).collect();
        if wrong && random.chance(50) {
            some.push(nobody.clone());
        }
        some
    };
    let some_keys = |random: &mut Random| {
        let mut keys = keying::all_keys(scene);
        keys.iter_mut().for_each(|of| of.frames.retain(|_| random.chance(40)));
        if wrong {
            let (channel, frames) = (nobody.clone(), vec![1.0]);
            keys.push(ChannelKeys { channel, frames });
        }
        keys
    };
    match random.below(KEY_KINDS) {
        0 => {
            KeyCommand::Set { channels: some_channels(random), frame: frame(random), new_mode: Mode::Clamped }
        }
        1 => {
            let mut knots = Vec::new();
            for channel in some_channels(random) {
                let value = channels::value(scene, &channel).unwrap_or(Value::Bool(true));
                let value = if wrong { Value::Vec2(glam::Vec2::ONE) } else { value };
                let count = 1 + random.below(3);
                let knots_of = (0..count).map(|_| (random.below(40) as f32, value)).collect();
                knots.push(KeyframeValues { modes: Vec::new(), channel, knots: knots_of });
            }
            let purpose = [Purpose::Paste, Purpose::Duplicate, Purpose::Bake][random.below(3)];
            KeyCommand::Put { purpose, knots }
        }
        2 => KeyCommand::Delete { keys: some_keys(random) },
        3 => KeyCommand::Move { keys: some_keys(random), offset: random.below(12) as f32 - 4.0 },
        4 => KeyCommand::Scale {
            keys: some_keys(random),
            about: random.below(20) as f32,
            factor: [0.5, 1.5, -0.25, 0.1][random.below(4)],
            snap: random.chance(50),
        },
        5 => KeyCommand::Snap { keys: some_keys(random) },
        6 => {
            let rate = [1.0, 24.0, 29.97, 240.0][random.below(4)];
            KeyCommand::SetRate { frames_per_second: if wrong { frame(random) } else { rate } }
        }
        7 => KeyCommand::SetLength { frames: if wrong { 0 } else { 20 + random.below(200) as u32 } },
        8 => {
            let first = random.below(20) as u32;
            let last = if wrong { 5_000_000 } else { first + random.below(10) as u32 };
            let range = (wrong || random.chance(80)).then_some([first, last]);
            KeyCommand::SetRange { range }
        }
        9 => {
            KeyCommand::SetMode { keys: some_keys(random), mode: Mode::all().nth(random.below(35)).unwrap() }
        }
        10 => {
            let slope = |channel: &ChannelRef, frame: f32| scene.animation.get(channel)?.slopes(frame);
            let keys = some_keys(random).into_iter().flat_map(|ChannelKeys { channel, frames }| {
                frames.into_iter().map(move |frame| (channel.clone(), frame))
            });
            let keys = keys.filter_map(|(channel, frame)| {
                let set = slope(&channel, frame).map(|[arrive, leave]| [arrive, leave.scaled(-2.0)]);
                let [arrive, leave] = match set {
                    Some(set) => set.map(|slope| match random.below(5) {
                        0 => Some(Slope::Of(SideMode::ALL[random.below(3)])),
                        1 => None,
                        _ => Some(Slope::Set(slope)),
                    }),
                    None if wrong => [None; 2],
                    None => return None,
                };
                Some(KeySlopes { channel, frame, slopes: Slopes { arrive, leave } })
            });
            KeyCommand::SetSlopes { keys: keys.collect() }
        }
        11 => {
            let blend = Blend::ALL[random.below(Blend::ALL.len())];
            let wrong_filters = [
                Filter::Simplify(f32::NAN),
                Filter::Every(0),
                Filter::Smooth,
                Filter::Dissolve,
                Filter::Blend { blend, amount: 1.5, component: None },
            ];
            let amount = random.below(21) as f32 / 10.0 - 1.0;
            let component = [None, Some(0), Some(3)][random.below(3)];
            let blend = Filter::Blend { blend, amount, component };
            let filters = [Filter::Simplify(2.0), Filter::Every(3), Filter::Smooth, Filter::Dissolve, blend];
            let filter = if wrong { wrong_filters } else { filters }[random.below(5)];
            KeyCommand::Filter { keys: some_keys(random), filter }
        }
        12 => {
            let keys = keying::all_keys(scene);
            let mut channels: Vec<_> = keys.into_iter().map(|of| of.channel).collect();
            channels.retain(|_| random.chance(50));
            let has_components = |of: &ChannelRef| scene.animation.get(of).unwrap().has_components();
            let mut components = [true; 3];
            if channels.iter().all(has_components) && random.chance(60) {
                components[random.below(3)] = false;
            }
            if wrong {
                channels.push(nobody.clone());
            }
            KeyCommand::Mute { channels, components, muted: random.chance(60) }
        }
        13 => KeyCommand::Reverse { keys: some_keys(random) },
        14 => {
            let first = if wrong { 5_000_000 } else { random.below(20) as u32 };
            KeyCommand::InsertFrames { first, count: 1 + random.below(6) as u32 }
        }
        15 => {
            let first = if wrong { 5_000_000 } else { random.below(20) as u32 };
            KeyCommand::RemoveFrames { first, count: 1 + random.below(4) as u32 }
        }
        16 => {
            let count = if wrong { 0 } else { 1 + random.below(5) as u32 };
            KeyCommand::Hold { frame: random.below(20) as f32, count, channels: None }
        }
        17 => {
            let takes = &scene.animation.takes.list;
            let take = takes.first().filter(|_| !wrong).map_or("Nobody".into(), |take| take.name.clone());
            KeyCommand::RetimeTake { take, frames: 4 + random.below(30) as u32 }
        }
        _ => {
            let last = scene.animation.clip.last_frame();
            let early = random.below(4) as u32;
            let frame = if wrong { last + 1 } else { last.saturating_sub(early) };
            KeyCommand::CropEnd { frame }
        }
    }
}
