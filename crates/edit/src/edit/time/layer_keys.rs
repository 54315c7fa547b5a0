//! Keys of characters with animation layers. Commands start from the shown values, which are the result of all layers; a key
//! has to be the value with which its layer, or the character below its layers, gives this result.

use super::loops::loop_at;
use crate::anim::channel::{Animation, Channel, ChannelRef, SkeletonChannel, Value};
use crate::anim::channel_set::ChannelSet;
use crate::anim::clip::Clip;
use crate::anim::layer::{Layer, LayerKind, base_name, is_weight, split_name};
use crate::anim::layer_blend::neutral;
use crate::anim::mode::{KeyShape, Mode, Slope, Slopes};
use crate::anim::spline::Spline;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::scene::layers::{active_channel, key_value, writable_channel};
use crate::scene::{Scene, apply_animation, channels};
use glam::Vec3;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Returns the commands that do what a command means in a scene with layers; itself if it already does. Keys of what is shown
/// become keys of the active layer. `unlayered`: the scene with the values that it stores for channels; `shown`: with those at the
/// frame.
pub fn resolved<'a>(command: &'a Command, unlayered: &Scene, shown: &Scene) -> Cow<'a, [Command]> {
    let unchanged = Cow::Borrowed(std::slice::from_ref(command));
    if shown.animation.layers.is_empty() {
        return unchanged;
    }
    Cow::Owned(match command {
        Command::Keys(KeyCommand::Set { channels, frame, new_mode })
            if (0.0..Clip::MAX_LENGTH as f32).contains(frame) =>
        {
            set(channels, *frame, *new_mode, unlayered, shown)
        }
        Command::Keys(KeyCommand::Put { purpose: purpose @ (Purpose::Bake | Purpose::Lock), knots }) => {
            let knots =
                knots.iter().map(|values| below_layers(values, unlayered, &shown.animation)).collect();
            vec![Command::Keys(KeyCommand::Put { purpose: *purpose, knots })]
        }
        Command::Keys(KeyCommand::Put { purpose: purpose @ (Purpose::Spread | Purpose::Path), knots }) => {
            changed(*purpose, knots, unlayered, &shown.animation)
        }
        _ => return unchanged,
    })
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
    let targets: Vec<ChannelRef> =
        channels.iter().map(|channel| active_channel(&shown.animation, channel)).collect();
    let (animation, weights) = faded_in(&shown.animation, &targets, frame);
    let animation = &*animation;
    let (mut plain, mut knots) = (Vec::new(), Vec::new());
    for (channel, target) in channels.iter().zip(targets) {
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
        let knots = weights.into_iter().chain(knots).collect();
        commands.push(Command::Keys(KeyCommand::Put { purpose: Purpose::Layer, knots }));
    }
    commands
}

/// Returns the commands that set keys of a change at a frame, that of the first key: in the active layer, which fades if these
/// are its first keys of a channel, or below the layers.
fn changed(
    purpose: Purpose,
    values: &[KeyframeValues],
    unlayered: &Scene,
    animation: &Arc<Animation>,
) -> Vec<Command> {
    let has_keys = |target: &ChannelRef| animation.get(target).is_some_and(|keys| keys.key_count() > 0);
    let targets: Vec<ChannelRef> =
        values.iter().map(|values| writable_channel(animation, &values.channel)).collect();
    let frame = values.first().and_then(|values| values.knots.first()).map_or(0.0, |knot| knot.0);
    let (faded, weights) = faded_in(animation, &targets, frame);
    let knots = values.iter().zip(targets).map(|(values, target)| {
        let stored = channels::value(unlayered, &values.channel).filter(|_| target != values.channel);
        let Some(stored) = stored else { return below_layers(values, unlayered, animation) };
        match values.knots[..] {
            [(frame, wanted)] if !has_keys(&target) => {
                let value = key_value(&faded, &target, frame, stored, wanted);
                let keys = value.map(|value| keys_at(&faded, target, frame, value, Mode::Clamped));
                keys.unwrap_or_else(|| below_layers(values, unlayered, animation))
            }
            _ => {
                let layered = in_layer(&faded, &target, stored, values);
                layered.unwrap_or_else(|| below_layers(values, unlayered, animation))
            }
        }
    });
    let put = |purpose, knots: Vec<_>| Command::Keys(KeyCommand::Put { purpose, knots });
    let fade = (!weights.is_empty()).then(|| put(Purpose::Layer, weights.clone()));
    fade.into_iter().chain([put(purpose, knots.collect())]).collect()
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
    let fade = layer.map_or(Vec::new(), |layer| fade_keys(animation, layer, &channel, frame, value));
    let still = |none: Value| Slopes::fixed(Some(none), Some(none));
    let mut shape = old.unwrap_or(mode.into());
    // Across the seam of a loop, it goes on as it is.
    if let Some(none) = neutral(value).filter(|_| fade.iter().any(|(_, other)| *other == value)) {
        shape.slopes = still(none);
    }
    let mut knots: Vec<(f32, Value, KeyShape)> = vec![(frame, value, shape)];
    for (frame, value) in fade {
        // A change comes and goes gently.
        let slopes = still(neutral(value).unwrap_or(value));
        knots.push((frame, value, KeyShape { mode, slopes }));
    }
    knots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let modes = knots.iter().map(|(_, _, shape)| *shape).collect();
    let knots = knots.into_iter().map(|(frame, value, _)| (frame, value)).collect();
    KeyframeValues { channel, knots, modes }
}

/// Returns the keys of no change at both ends of the fade around a frame, and that of the change at the other end of a loop. There
/// are none if the layer changes the channel there already, or has other keys there.
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
    let spans = fade_spans(animation, &channel.resource, frame, layer.fade);
    let [[start, middle], [other_middle, end]] = spans;
    let keys = animation.get(channel);
    let changes = |frame: f32| keys.and_then(|keys| keys.at(frame)).is_some_and(|value| value != none);
    let is_inside = |time: &f32| {
        spans.iter().any(|[from, to]| (from..=to).contains(&time)) && ![start, end].contains(time)
    };
    let has_keys = keys.is_some_and(|keys| keys.times().iter().any(|time| *time != frame && is_inside(time)));
    if has_keys || [start, middle, other_middle, end, frame].into_iter().any(changes) {
        return Vec::new();
    }
    let is_new = |end: f32| keys.is_none_or(|keys| keys.key(end).is_none());
    let outer = [start, end].into_iter().zip(spans).filter(|(_, [from, to])| from < to);
    let mut fade: Vec<(f32, Value)> =
        outer.map(|(end, _)| (end, none)).filter(|(end, _)| *end != frame && is_new(*end)).collect();
    fade.dedup();
    fade.extend(
        [middle, other_middle].into_iter().filter(|other| *other != frame).map(|other| (other, value)),
    );
    fade
}

/// Returns the frames over which a change at a frame comes and goes, within the clip or a loop. At the seam of a loop, it comes at
/// the loop's end and goes at its start.
fn fade_spans(animation: &Animation, character: &str, frame: f32, fade: u32) -> [[f32; 2]; 2] {
    let cycle = loop_at(animation, character, frame);
    let [first, last] = cycle.unwrap_or([0.0, animation.clip.last_frame() as f32]);
    let fade = fade as f32;
    if cycle.is_some_and(|ends| ends.contains(&frame)) {
        let fade = fade.min(((last - first) / 2.0).floor());
        return [[last - fade, last], [first, first + fade]];
    }
    [[(frame - fade).max(first), frame], [frame, (frame + fade).min(last)]]
}

/// Returns an animation in which layers that override come and go around a frame, if keys of `targets` there are the first
/// ones of such a layer or it has faded out: the weights of these layers have keys. Also returns these keys.
fn faded_in<'a>(
    animation: &'a Arc<Animation>,
    targets: &[ChannelRef],
    frame: f32,
) -> (Cow<'a, Animation>, Vec<KeyframeValues>) {
    let characters: BTreeSet<&String> = targets.iter().map(|target| &target.resource).collect();
    let weights = characters.into_iter().filter_map(|name| weight_keys(animation, name, targets, frame));
    let weights: Vec<KeyframeValues> = weights.collect();
    let mut faded = Cow::Borrowed(&**animation);
    for KeyframeValues { channel, knots, .. } in &weights {
        let channels = faded.to_mut().channels.entry(channel.resource.clone()).or_default();
        let keys = channels.entry(channel.channel.clone());
        let keys = keys.or_insert_with(|| Arc::new(Channel::empty_for(&Value::Float(0.0))));
        for (frame, value) in knots {
            Arc::make_mut(keys).set_key(*frame, *value);
        }
    }
    (faded, weights)
}

/// Returns the keys of the weight with which the active layer of a character comes and goes around a frame, since keys of
/// `targets` are set there. `None` if the layer adds, does not fade, shows there, or would bring back keys of other channels.
pub fn weight_keys(
    animation: &Animation,
    character: &str,
    targets: &[ChannelRef],
    frame: f32,
) -> Option<KeyframeValues> {
    let layer = animation.active_layer(character)?;
    let fades = layer.kind == LayerKind::Override && layer.fade > 0 && layer.weight > 0.0;
    let channel = ChannelRef::new(character, layer.weight_channel());
    let is_target =
        |name: &str| targets.iter().any(|target| target.resource == character && target.channel == name);
    let covers = |target: &ChannelRef| {
        animation
            .layer_of(target)
            .is_some_and(|(layer, base)| layer.covers(base) && is_target(&target.channel))
    };
    if !fades || !targets.iter().any(covers) {
        return None;
    }
    let keyed = animation.channels.get(character).into_iter().flatten();
    let keyed = keyed.filter(|(name, keys)| {
        keys.key_count() > 0 && split_name(name).is_some_and(|(id, _)| id == layer.id)
    });
    let mut others = keyed.map(|(name, _)| name).filter(|name| **name != channel.channel).peekable();
    let weights = animation.get(&channel).filter(|weights| weights.key_count() > 0);
    let is_hidden = match weights {
        Some(_) => animation.layer_weight(character, layer, frame) == 0.0,
        None => others.peek().is_none(),
    };
    if !is_hidden || others.any(|name| !is_target(name)) {
        return None;
    }
    // At a key within the fade, the weight is 0 already.
    let has_key = |[from, to]: [f32; 2]| {
        weights.is_some_and(|weights| weights.times().iter().any(|time| (from..=to).contains(time)))
    };
    let [before, after] = fade_spans(animation, character, frame, layer.fade);
    let still = Slopes::fixed(Some(Value::Float(0.0)), Some(Value::Float(0.0)));
    let none = |frame: f32| ((frame, Value::Float(0.0)), KeyShape { mode: Mode::Clamped, slopes: still });
    let first = (before[0] < before[1] && !has_key(before)).then(|| none(before[0]));
    let last = (after[0] < after[1] && !has_key(after)).then(|| none(after[1]));
    let full = |frame: f32| ((frame, Value::Float(layer.weight)), KeyShape::from(Mode::Clamped));
    let mut keys: Vec<_> = [before[1], after[0]].into_iter().map(full).chain(first).chain(last).collect();
    keys.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    keys.dedup_by_key(|key| key.0.0);
    let (knots, modes): (Vec<_>, Vec<_>) = keys.into_iter().unzip();
    (knots.len() > 1 || weights.is_some()).then_some(KeyframeValues { channel, knots, modes })
}

/// Returns the keys of the active layer with which a character has the values given, once all its layers have changed them; the
/// keys themselves if it has no active layer, or one that cannot do that at all their frames. Where they hold, there is one at
/// every whole frame if what is below the layer moves, and the layer moves against it. `scene`: as it stores values.
pub fn in_active_layer(scene: &Scene, values: KeyframeValues) -> KeyframeValues {
    let target = writable_channel(&scene.animation, &values.channel);
    let stored = channels::value(scene, &values.channel).filter(|_| target != values.channel);
    let layered = stored.and_then(|stored| in_layer(&scene.animation, &target, stored, &values));
    layered.unwrap_or(values)
}

/// See [`in_active_layer`]; `None` if the layer cannot do that. `target`: its channel. `unlayered`: the value that the scene
/// stores.
fn in_layer(
    animation: &Animation,
    target: &ChannelRef,
    unlayered: Value,
    values: &KeyframeValues,
) -> Option<KeyframeValues> {
    /// The distance, in frames, over which slopes are measured.
    const STEP: f32 = 1.0 / 16.0;
    let key = |frame: f32, wanted: Value| key_value(animation, target, frame, unlayered, wanted);
    let slope = |wanted: Value, [from, to]: [f32; 2]| {
        let ends = key(from, wanted).zip(key(to, wanted)).filter(|_| !matches!(wanted, Value::Quat(_)));
        ends.map(|(before, after)| after.combined(before, |after, before| (after - before) / (to - from)))
    };
    let is_additive = animation.layer_of(target).is_some_and(|(layer, _)| layer.kind == LayerKind::Additive);
    let (mut knots, mut modes): (Vec<(f32, Value)>, Vec<KeyShape>) = (Vec::new(), Vec::new());
    let mut arrive = None;
    for (index, &(frame, wanted)) in values.knots.iter().enumerate() {
        let value = key(frame, wanted)?;
        knots.push((frame, value));
        let Some(&shape) = values.modes.get(index) else { continue };
        // Slopes are those of the result.
        let slopes = if is_additive { Slopes::default() } else { shape.slopes };
        modes
            .push(KeyShape { slopes: Slopes { arrive: arrive.take().or(slopes.arrive), ..slopes }, ..shape });
        let Some(next) = values.knots.get(index + 1).filter(|_| shape.mode == Mode::Hold) else { continue };
        let frames = (next.0 - frame).ceil().clamp(0.0, Clip::MAX_AT_ONCE as f32) as u32;
        let between = (1..=frames).map(|after| frame.floor() + after as f32);
        let between: Vec<f32> = between.filter(|frame| *frame < next.0).collect();
        let between_keys = between.iter().map(|frame| Some((*frame, key(*frame, wanted)?)));
        let between_keys = between_keys.collect::<Option<Vec<_>>>()?;
        if matches!(wanted, Value::Bool(_)) || between_keys.iter().all(|(_, other)| *other == value) {
            continue;
        }
        let place = modes.len() - 1;
        knots.extend(between_keys);
        modes.extend(between.iter().map(|frame| {
            let slopes = Slopes::fixed(slope(wanted, [frame - STEP, *frame]), None);
            KeyShape { mode: Mode::Clamped, slopes }
        }));
        for ((frame, _), shape) in knots[place..].iter().zip(&mut modes[place..]) {
            shape.mode = Mode::Clamped;
            shape.slopes.leave = slope(wanted, [*frame, frame + STEP]).map(Slope::Set);
        }
        match modes.last_mut() {
            Some(last) if next.1 != wanted => last.mode = Mode::Hold,
            _ => arrive = slope(wanted, [next.0 - STEP, next.0]).map(Slope::Set),
        }
    }
    if target.is_angles() && is_additive && unflip(&mut knots) {
        modes.iter_mut().for_each(|shape| shape.slopes = Slopes::default());
    }
    Some(KeyframeValues { channel: target.clone(), knots, modes })
}

/// Lets Euler angles turn least from key to key. Returns whether some have changed.
fn unflip(knots: &mut [(f32, Value)]) -> bool {
    let angles = knots.iter().filter_map(|(frame, value)| match value {
        Value::Vec3(angles) => Some((*frame, *angles)),
        _ => None,
    });
    let changed: BTreeMap<u32, Vec3> = Spline::from_knots(angles.collect())
        .without_flips()
        .into_iter()
        .map(|(frame, angles)| (frame.to_bits(), angles))
        .collect();
    for (frame, value) in knots {
        if let Some(angles) = changed.get(&frame.to_bits()) {
            *value = Value::Vec3(*angles);
        }
    }
    !changed.is_empty()
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
