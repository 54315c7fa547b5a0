//! The layers of an animation, by character: their weights at a frame, and the values of their channels.

use super::channel::{Animation, ChannelRef, Value};
use super::layer::{Layer, LayerKind, LayerStack, split_name};
use super::layer_blend::{blend, neutral};
use super::mute::Mute;
use std::collections::BTreeSet;

impl Animation {
    /// Returns the layers of a character; none if it has no such entry.
    pub fn layers_of(&self, character: &str) -> Option<&LayerStack> {
        self.layers.get(character)
    }

    /// Returns the layer of a character that new keys belong to; `None`: the character's own keys.
    pub fn active_layer(&self, character: &str) -> Option<&Layer> {
        self.layers.get(character)?.active()
    }

    /// Returns the layer that a channel belongs to, and the name without its prefix.
    pub fn layer_of<'c>(&self, channel: &'c ChannelRef) -> Option<(&Layer, &'c str)> {
        let (id, base) = split_name(&channel.channel)?;
        Some((self.layers.get(&channel.resource)?.get(id)?, base))
    }

    /// Returns the weight of a layer at a frame, from 0 to 1.
    pub fn layer_weight(&self, character: &str, layer: &Layer, frame: f32) -> f32 {
        let channel = layer.weight_channel();
        let keyed = self.channels.get(character).and_then(|channels| channels.get(&channel));
        let keyed = keyed.filter(|_| !self.mute(character, &channel).is_whole());
        match keyed.and_then(|keys| keys.at(frame)) {
            Some(Value::Float(weight)) if weight.is_finite() => weight.clamp(0.0, 1.0),
            _ => layer.weight,
        }
    }

    /// Returns the value `below` of a channel of a character as its layers change it at a frame; `below` itself, bit for bit, if
    /// none does. `channel`: without the prefix of a layer. `up_to`: the id of the last layer that counts, or all.
    pub fn through_layers(
        &self,
        character: &str,
        channel: &str,
        frame: f32,
        below: Value,
        up_to: Option<u32>,
    ) -> Value {
        let Some(stack) = self.layers.get(character) else { return below };
        let last = up_to.and_then(|id| stack.position(id)).map_or(stack.list.len(), |last| last + 1);
        let layers = stack.list[..last].iter().filter(|layer| stack.is_effective(layer));
        layers.fold(below, |value, layer| self.through_layer(character, layer, channel, frame, value))
    }

    /// Returns the value `below` as one layer changes it at a frame.
    pub fn through_layer(
        &self,
        character: &str,
        layer: &Layer,
        channel: &str,
        frame: f32,
        below: Value,
    ) -> Value {
        let Some(value) = self.value_in_layer(character, layer, channel, frame, below) else {
            return below;
        };
        let is_angles = ChannelRef::new(character, channel).is_angles();
        blend(layer.kind, is_angles, below, value, self.layer_weight(character, layer, frame))
    }

    /// Returns the value at a frame of a layer's channel of a part; `None` without keys, or if they have no effect. `below`: the
    /// value that the layer changes.
    pub fn value_in_layer(
        &self,
        character: &str,
        layer: &Layer,
        channel: &str,
        frame: f32,
        below: Value,
    ) -> Option<Value> {
        if !layer.covers(channel) {
            return None;
        }
        let name = layer.channel(channel);
        let value = self.channels.get(character)?.get(&name)?.at(frame)?;
        match self.mute(character, &name) {
            Mute::NONE => Some(value),
            Mute::WHOLE => None,
            some => {
                let unchanged = match layer.kind {
                    LayerKind::Additive => neutral(value)?,
                    LayerKind::Override => below,
                };
                Some(some.blend(value, unchanged))
            }
        }
    }

    /// Whether layers that have an effect have keys of a channel. `channel`: without the prefix of a layer.
    pub fn is_layered(&self, character: &str, channel: &str) -> bool {
        let Some(stack) = self.layers.get(character) else { return false };
        let Some(channels) = self.channels.get(character) else { return false };
        stack.effective().any(|layer| {
            let name = layer.channel(channel);
            let has_keys = channels.get(&name).is_some_and(|keys| keys.key_count() > 0);
            has_keys && layer.covers(channel) && !self.mute(character, &name).is_whole()
        })
    }

    /// Returns the names, without prefixes, of the channels of a character that layers with an effect have keys of.
    pub fn layered_channels(&self, character: &str) -> BTreeSet<&str> {
        let channels = self.channels.get(character).filter(|_| self.layers.contains_key(character));
        let names = channels.into_iter().flat_map(|channels| channels.keys());
        let names = names.filter_map(|name| Some(split_name(name)?.1));
        names.filter(|name| self.is_layered(character, name)).collect()
    }

    /// Returns an id that no layer and no channel of a character has.
    pub fn unused_layer_id(&self, character: &str) -> u32 {
        let listed = self.layers.get(character).into_iter().flat_map(|stack| &stack.list);
        let named = self.channels.get(character).into_iter().flat_map(|channels| channels.keys());
        let named = named.filter_map(|name| Some(split_name(name)?.0));
        let used: BTreeSet<u32> = listed.map(|layer| layer.id).chain(named).collect();
        (0..=u32::MAX).find(|id| !used.contains(id)).unwrap_or(u32::MAX)
    }
}
