//! The values of a character's channels with its layers, and the inverse: the key that makes a channel have a wanted value.
//!
//! In what follows, `unlayered` is the value that the scene itself stores for a channel; it counts where the channel has no keys.

use crate::anim::channel::{Animation, ChannelRef, SkeletonChannel, Value};
use crate::anim::layer::{LayerKind, split_name};
use crate::anim::layer_blend::{below_value, layer_value, neutral};

/// Returns the value of a channel at a frame without layers. `unlayered`: see above.
pub fn base_value(animation: &Animation, channel: &ChannelRef, frame: f32, unlayered: Value) -> Value {
    let ChannelRef { resource, channel: name } = channel;
    let keys = animation.get(channel).and_then(|keys| keys.at(frame));
    let keys = keys.filter(|keys| keys.type_name() == unlayered.type_name());
    keys.map_or(unlayered, |keys| animation.mute(resource, name).blend(keys, unlayered))
}

/// Returns the value of a channel of a character at a frame with all layers. `unlayered`: see above.
pub fn driven_value(animation: &Animation, channel: &ChannelRef, frame: f32, unlayered: Value) -> Value {
    let base = base_value(animation, channel, frame, unlayered);
    animation.through_layers(&channel.resource, &channel.channel, frame, base, None)
}

/// Returns the value of a key at a frame with which the character has the value `wanted` there, once all layers have changed
/// it. `None` if no key does that: the layer has no effect, its weight is 0, or a layer above takes over. `target`: a channel of
/// the character or of one of its layers. `unlayered`: that of the character's channel, see above.
pub fn key_value(
    animation: &Animation,
    target: &ChannelRef,
    frame: f32,
    unlayered: Value,
    wanted: Value,
) -> Option<Value> {
    let (id, name) = match split_name(&target.channel) {
        Some((id, name)) => (Some(id), name),
        None => (None, target.channel.as_str()),
    };
    let Some(stack) = animation.layers.get(&target.resource) else {
        return id.is_none().then_some(wanted);
    };
    let base_channel = ChannelRef::new(&target.resource, name);
    let is_angles = base_channel.is_angles();
    let layers: Vec<_> = stack.effective().collect();
    let place = match id {
        Some(id) => Some(layers.iter().position(|layer| layer.id == id)?),
        None => None,
    };
    // Every value that is passed upwards, with the layer that it goes into.
    let mut below = base_value(animation, &base_channel, frame, unlayered);
    for layer in &layers[..place.unwrap_or(0)] {
        below = animation.through_layer(&target.resource, layer, name, frame, below);
    }
    let mut wanted = wanted;
    for layer in layers[place.map_or(0, |place| place + 1)..].iter().rev() {
        // What a muted component of a layer that overrides lets through is not known from above.
        if let Some(value) = animation.value_in_layer(&target.resource, layer, name, frame, wanted) {
            let weight = animation.layer_weight(&target.resource, layer, frame);
            wanted = below_value(layer.kind, is_angles, wanted, value, weight)?;
        }
    }
    let Some(layer) = place.map(|place| layers[place]) else { return Some(wanted) };
    if !layer.covers(name) {
        return None;
    }
    let weight = animation.layer_weight(&target.resource, layer, frame);
    if layer.kind == LayerKind::Additive && below == wanted {
        return neutral(wanted).or(Some(wanted));
    }
    let near = animation.get(target).and_then(|keys| keys.at(frame));
    let near = near.filter(|near| near.type_name() == wanted.type_name());
    let near = near.or((layer.kind == LayerKind::Override).then_some(wanted));
    layer_value(layer.kind, is_angles, below, wanted, weight, near)
}

/// Returns the channel that new keys of a channel belong to: that of the active layer of its character, or itself.
pub fn active_channel(animation: &Animation, channel: &ChannelRef) -> ChannelRef {
    let has_layers = SkeletonChannel::parse(&channel.channel).is_some();
    match animation.active_layer(&channel.resource).filter(|_| has_layers) {
        Some(layer) => ChannelRef::new(&channel.resource, layer.channel(&channel.channel)),
        None => channel.clone(),
    }
}

/// Returns the channel of the active layer of a character for one of its channels, if that layer has an effect and changes
/// it; the channel itself otherwise.
pub fn writable_channel(animation: &Animation, channel: &ChannelRef) -> ChannelRef {
    let target = active_channel(animation, channel);
    let stack = animation.layers_of(&channel.resource);
    let is_writable = animation.layer_of(&target).is_some_and(|(layer, base)| {
        layer.covers(base) && stack.is_some_and(|stack| stack.is_effective(layer))
    });
    if is_writable { target } else { channel.clone() }
}
