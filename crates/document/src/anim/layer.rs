//! Animation layers: corrections above the keys of a character, which keep these keys as they are.
//!
//! A layer has channels of the same parts as the character, under the names `layer.3.bone.5.pose`, and may have one for its
//! weight, `layer.3.weight`. They are ordinary channels: whatever moves, scales or deletes keys works on them too. How a
//! layer changes a value is in [`super::layer_blend`]; which value it changes, in [`crate::scene::layers`].

use crate::extra::Extra;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How a layer changes what is below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Rotations turn on from those below; other numbers are added to them.
    #[default]
    Additive,
    /// The values of the layer replace those below.
    Override,
}

impl LayerKind {
    pub const ALL: [Self; 2] = [Self::Additive, Self::Override];

    /// Returns the name in files and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Override => "override",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A layer of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Unique among the layers of the character; part of the names of its channels.
    pub id: u32,
    /// Unique among the layers of the character; not empty, without leading or trailing spaces.
    pub name: String,
    pub kind: LayerKind,
    /// The share of its effect, from 0 to 1, unless its weight has keys.
    pub weight: f32,
    pub muted: bool,
    /// If layers of a character are solo, its other layers have no effect.
    pub solo: bool,
    /// The channel ids of the bones that it changes; `None`: everything.
    pub bones: Option<BTreeSet<u32>>,
    /// The number of frames over which a new key comes and goes, by keys of no change on both sides: those of the same channel in
    /// an additive layer, and those of the weight in one that overrides. 0: the change stays.
    pub fade: u32,
    /// Unknown members of the file.
    pub extra: Extra,
}

impl Layer {
    /// The number of frames over which a correction comes and goes, unless somebody sets another.
    pub const FADE: u32 = 8;
    /// The greatest number of frames of a fade.
    pub const MAX_FADE: u32 = 1000;

    pub fn new(id: u32, name: impl Into<String>, kind: LayerKind) -> Self {
        Self {
            id,
            name: name.into(),
            kind,
            weight: 1.0,
            muted: false,
            solo: false,
            bones: None,
            fade: Self::FADE,
            extra: Extra::default(),
        }
    }

    /// Whether it may change what a channel of the character drives. `channel`: without the prefix of a layer.
    pub fn covers(&self, channel: &str) -> bool {
        let Some(bones) = &self.bones else { return true };
        let id = channel.strip_prefix("bone.").and_then(|rest| rest.split('.').next());
        id.and_then(|id| id.parse().ok()).is_some_and(|id: u32| bones.contains(&id))
    }

    /// Returns the name of its channel of a part. `channel`: without the prefix of a layer.
    pub fn channel(&self, channel: &str) -> String {
        format!("{PREFIX}{}.{channel}", self.id)
    }

    /// Returns the name of the channel of its weight.
    pub fn weight_channel(&self) -> String {
        self.channel(WEIGHT)
    }
}

/// The layers of a character, the lowest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerStack {
    pub list: Vec<Layer>,
    /// The id of the layer that new keys belong to; `None`: the character's own keys.
    pub active: Option<u32>,
}

impl LayerStack {
    /// The maximum number of layers of a character.
    pub const MAX: usize = 100;
    /// What the keys of the character itself, below all layers, are called.
    pub const BASE: &str = "Base animation";

    pub fn get(&self, id: u32) -> Option<&Layer> {
        self.list.iter().find(|layer| layer.id == id)
    }

    pub fn position(&self, id: u32) -> Option<usize> {
        self.list.iter().position(|layer| layer.id == id)
    }

    pub fn active(&self) -> Option<&Layer> {
        self.get(self.active?)
    }

    /// Whether a layer has an effect: it is not muted, and solo if any layer is.
    pub fn is_effective(&self, layer: &Layer) -> bool {
        !layer.muted && (layer.solo || !self.list.iter().any(|other| other.solo && !other.muted))
    }

    /// Returns the layers that have an effect, the lowest first.
    pub fn effective(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        self.list.iter().filter(|layer| self.is_effective(layer))
    }

    /// Returns `wanted`, or “Layer” if it is empty, without control characters and surrounding spaces. A number is appended
    /// if a layer other than that with the id `except` has that name.
    pub fn free_name(&self, wanted: &str, except: Option<u32>) -> String {
        let printable: String = wanted.chars().filter(|c| !c.is_control()).collect();
        let wanted = match printable.trim() {
            "" => "Layer",
            wanted => wanted,
        };
        let is_taken =
            |name: &str| self.list.iter().any(|layer| Some(layer.id) != except && layer.name == name);
        let numbered = (2..).map(|number| format!("{wanted} {number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }
}

const PREFIX: &str = "layer.";
const WEIGHT: &str = "weight";

/// Splits the name of a channel of a layer into the id of the layer and the name without its prefix: `layer.3.bone.5.pose`
/// into 3 and `bone.5.pose`. `None` for other channels.
pub fn split_name(channel: &str) -> Option<(u32, &str)> {
    let (id, rest) = channel.strip_prefix(PREFIX)?.split_once('.')?;
    let is_plain = id.bytes().all(|b| b.is_ascii_digit()) && (id == "0" || !id.starts_with('0'));
    Some((id.parse().ok().filter(|_| is_plain)?, rest))
}

/// Returns the name of the channel that a channel of a layer changes; the name itself for other channels.
pub fn base_name(channel: &str) -> &str {
    split_name(channel).map_or(channel, |(_, base)| base)
}

/// Whether a channel is the weight of a layer.
pub fn is_weight(channel: &str) -> bool {
    split_name(channel).is_some_and(|(_, base)| base == WEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_channels_are_taken_apart() {
        let layer = Layer::new(3, "Fix", LayerKind::Additive);
        assert_eq!(split_name(&layer.channel("bone.5.pose")), Some((3, "bone.5.pose")));
        assert!(is_weight(&layer.weight_channel()) && !is_weight("weight"));
        for other in ["bone.5.pose", "layer.x.pose", "layer.03.pose", "layer.3", "layer."] {
            assert_eq!((split_name(other), base_name(other)), (None, other));
        }
    }

    #[test]
    fn a_mask_lets_only_its_bones_through() {
        let mut layer = Layer::new(0, "Fix", LayerKind::Additive);
        assert!(layer.covers("bone.5.pose") && layer.covers("base_offset"));
        layer.bones = Some([5].into());
        assert!(layer.covers("bone.5.pose"));
        assert!(!layer.covers("bone.55.pose") && !layer.covers("base_offset") && !layer.covers("handle.5.x"));
    }

    #[test]
    fn mute_and_solo_say_which_layers_have_an_effect() {
        let list = (0..3).map(|id| Layer::new(id, id.to_string(), LayerKind::Additive)).collect();
        let mut stack = LayerStack { list, active: None };
        let ids = |stack: &LayerStack| stack.effective().map(|layer| layer.id).collect::<Vec<_>>();
        assert_eq!(ids(&stack), [0, 1, 2]);
        stack.list[0].muted = true;
        assert_eq!(ids(&stack), [1, 2]);
        stack.list[2].solo = true;
        assert_eq!(ids(&stack), [2]);
        stack.list[2].muted = true;
        assert_eq!(ids(&stack), [1], "a muted layer keeps no other silent");
    }
}
