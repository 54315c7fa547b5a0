//! Keys of characters with animation layers. Commands start from the shown values, which are the result of all layers; a key
//! has to be the value with which its layer, or the character below its layers, gives this result.

use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::clip::Clip;
use crate::anim::layer::{Layer, LayerKind, base_name, is_weight};
use crate::anim::layer_blend::neutral;
use crate::anim::mode::{KeyShape, Mode, Slopes};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::scene::layers::{active_channel, key_value};
use crate::scene::{Scene, apply_animation, channels};

/// Returns the commands that do what a command means in a scene with layers; `None` if it already does. Keys of what is shown
/// become keys of the active layer. `unlayered`: the scene with the values that it stores for channels; `shown`: with those at the
/// frame.
pub fn resolved(command: &Command, unlayered: &Scene, shown: &Scene) -> Option<Vec<Command>> {
    if shown.animation.layers.is_empty() {
        return None;
    }
    match command {
        Command::Keys(KeyCommand::Set { channels, frame, new_mode })
            if (0.0..Clip::MAX_LENGTH as f32).contains(frame) =>
        {
            Some(set(channels, *frame, *new_mode, unlayered, shown))
        }
        Command::Keys(KeyCommand::Put { purpose: purpose @ (Purpose::Bake | Purpose::Lock), knots }) => {
            let knots =
                knots.iter().map(|values| below_layers(values, unlayered, &shown.animation)).collect();
            Some(vec![Command::Keys(KeyCommand::Put { purpose: *purpose, knots })])
        }
        _ => None,
    }
}

/// Lets a scene store its own values of the channels that layers change, since merging starts from these. Channels in `unkeyed`
/// keep theirs.
pub fn set_own_values(scene: &mut Scene, unlayered: &Scene, unkeyed: &ChannelSet) {
    for name in unlayered.animation.layers.keys() {
        let layered = unlayered.animation.layered_channels(name);
        let values = layered.into_iter().filter(|channel| !unkeyed.contains(name, channel));
        let values =
            values.filter_map(|channel| Some((channel, channels::value_by_name(unlayered, name, channel)?)));
        apply_animation::set(scene, name, &values.collect::<Vec<_>>());
    }
}

fn set(
    channels: &[ChannelRef],
    frame: f32,
    new_mode: Mode,
    unlayered: &Scene,
    shown: &Scene,
) -> Vec<Command> {
    let animation = &shown.animation;
    let (mut plain, mut knots) = (Vec::new(), Vec::new());
    for channel in channels {
        let target = active_channel(animation, channel);
        let base = ChannelRef::new(&target.resource, base_name(&target.channel));
        let is_layered = animation.is_layered(&base.resource, &base.channel) || target != base;
        if !is_layered || is_weight(&target.channel) || SkeletonChannel::parse(&base.channel).is_none() {
            plain.push(channel.clone());
            continue;
        }
        let [Some(unlayered), Some(wanted)] = [unlayered, shown].map(|scene| channels::value(scene, &base))
        else {
            // The command says what is wrong with it.
            plain.push(channel.clone());
            continue;
        };
        if let Some(value) = key_value(animation, &target, frame, unlayered, wanted) {
            knots.push(keys_at(animation, target, frame, value, new_mode));
        }
    }
    let mut commands = Vec::new();
    if !plain.is_empty() {
        commands.push(Command::Keys(KeyCommand::Set { channels: plain, frame, new_mode }));
    }
    if !knots.is_empty() {
        commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Layer, knots }));
    }
    commands
}

/// Returns the key of a channel, with the keys of no change around it that the rest of the clip needs to stay as it is.
fn keys_at(
    animation: &Animation,
    channel: ChannelRef,
    frame: f32,
    value: Value,
    mode: Mode,
) -> KeyframeValues {
    let keys = animation.get(&channel);
    let old = keys.and_then(|keys| keys.key_shape(frame));
    let before = keys.and_then(|keys| keys.key_mode(keys.key_before(frame)?));
    let mode = if before == Some(Mode::Hold) { Mode::Hold } else { mode };
    let layer = animation.layer_of(&channel).map(|(layer, _)| layer);
    let mut knots: Vec<(f32, Value, KeyShape)> = vec![(frame, value, old.unwrap_or(mode.into()))];
    for (frame, value) in
        layer.map_or(Vec::new(), |layer| fade_keys(animation, layer, &channel, frame, value))
    {
        // A change comes and goes gently.
        let slopes = Slopes { arrive: Some(value), leave: Some(value) };
        knots.push((frame, value, KeyShape { mode, slopes }));
    }
    knots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let modes = knots.iter().map(|(_, _, shape)| *shape).collect();
    let knots = knots.into_iter().map(|(frame, value, _)| (frame, value)).collect();
    KeyframeValues { channel, knots, modes }
}

/// Returns the keys of no change at both ends of the fade around a frame. There are none if the layer changes the channel there
/// already, or has keys there.
fn fade_keys(
    animation: &Animation,
    layer: &Layer,
    channel: &ChannelRef,
    frame: f32,
    value: Value,
) -> Vec<(f32, Value)> {
    let Some(none) = neutral(value).filter(|none| *none != value) else { return Vec::new() };
    if layer.kind != LayerKind::Additive || layer.fade == 0 {
        return Vec::new();
    }
    let fade = layer.fade as f32;
    let ends = [(frame - fade).max(0.0), (frame + fade).min(animation.clip.last_frame() as f32)];
    let keys = animation.get(channel);
    let changes = |frame: f32| keys.and_then(|keys| keys.at(frame)).is_some_and(|value| value != none);
    let is_inside = |time: &f32| (ends[0]..=ends[1]).contains(time) && !ends.contains(time);
    let has_keys = keys.is_some_and(|keys| keys.times().iter().any(|time| *time == frame || is_inside(time)));
    if has_keys || [ends[0], frame, ends[1]].into_iter().any(changes) {
        return Vec::new();
    }
    let is_new = |end: &f32| *end != frame && keys.is_none_or(|keys| keys.key(*end).is_none());
    let order = [ends[0] < frame, ends[1] > frame];
    let ends = ends.into_iter().zip(order).filter(|(_, is_ordered)| *is_ordered).map(|(end, _)| end);
    ends.filter(is_new).map(|end| (end, none)).collect()
}

/// Returns the keys of a character's own channel with which it has the values given, once layers have changed them.
fn below_layers(values: &KeyframeValues, unlayered: &Scene, animation: &Animation) -> KeyframeValues {
    let channel = &values.channel;
    let unlayered = channels::value(unlayered, channel)
        .filter(|_| animation.is_layered(&channel.resource, &channel.channel));
    let Some(unlayered) = unlayered else { return values.clone() };
    let below = |&(frame, wanted): &(f32, Value)| {
        (frame, key_value(animation, channel, frame, unlayered, wanted).unwrap_or(wanted))
    };
    KeyframeValues { knots: values.knots.iter().map(below).collect(), ..values.clone() }
}
