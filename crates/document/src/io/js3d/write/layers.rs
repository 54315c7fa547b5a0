//! Writes animation layers, and the splines with which other programs play them: see [`super::super::layers`].

use super::super::{WriteError, curve, layers as names};
use super::object::{Object, Writer};
use super::spline::spline;
use crate::anim::channel::{Channel, ChannelRef};
use crate::anim::clip::Clip;
use crate::anim::layer::{Layer, LayerStack, base_name, is_weight, split_name};
use crate::scene::layers::driven_value;
use crate::scene::{Scene, channels};
use std::collections::BTreeMap;

/// Splines by the name of the channel.
pub type Played = BTreeMap<String, BTreeMap<String, Channel>>;

/// Returns the result of all layers, by character and channel: a knot at every whole frame from the first to the last key. Channels
/// with keys over more than 10,000 frames are left out, and others play the keys below the layers.
pub fn played(scene: &Scene) -> Played {
    let animation = &scene.animation;
    let of_character = |character: &String| {
        let layered = animation.layered_channels(character).into_iter();
        let splines = layered.filter_map(|name| {
            let unlayered = channels::value_by_name(scene, character, name)?;
            let channel = ChannelRef::new(character, name);
            let all = animation.channels.get(character)?.iter();
            let moving = all.filter(|(other, _)| base_name(other) == name || is_weight(other));
            let times: Vec<f32> = moving.flat_map(|(_, keys)| keys.times()).collect();
            let [first, last] =
                [times.iter().copied().reduce(f32::min)?, times.iter().copied().reduce(f32::max)?];
            // The casts saturate.
            let frames = first.floor() as u32..=last.ceil() as u32;
            if frames.end() - frames.start() >= Clip::MAX_AT_ONCE {
                return None;
            }
            let mut played = Channel::empty_for(&unlayered);
            for frame in frames.map(|frame| frame as f32) {
                played.set_key(frame, driven_value(animation, &channel, frame, unlayered));
            }
            Some((name.to_owned(), played))
        });
        (character.clone(), splines.collect())
    };
    animation.layers.keys().map(of_character).collect()
}

/// Whether a channel is written with its layer.
pub fn is_in_layer(scene: &Scene, resource: &str, channel: &str) -> bool {
    let layer = split_name(channel).and_then(|(id, _)| scene.animation.layers.get(resource)?.get(id));
    layer.is_some()
}

/// Writes the member, if there are layers.
pub fn write(w: &mut Writer, scene: &Scene, played: &Played) -> Result<(), WriteError> {
    if scene.animation.layers.is_empty() {
        return Ok(());
    }
    w.raw(",\n");
    w.text(names::LAYERS);
    w.raw(":");
    w.within(names::LAYERS, |w| {
        w.object(|o| {
            scene.animation.layers.iter().try_for_each(|(character, stack)| {
                let none = BTreeMap::new();
                let played = played.get(character).unwrap_or(&none);
                o.entry(character, |w| w.object(|o| write_character(o, scene, character, stack, played)))
            })
        })
    })
}

fn write_character(
    o: &mut Object<'_>,
    scene: &Scene,
    character: &str,
    stack: &LayerStack,
    played: &BTreeMap<String, Channel>,
) -> Result<(), WriteError> {
    let animation = &scene.animation;
    if let Some(active) = stack.active {
        o.unsigned(names::ACTIVE, active);
    }
    o.member(names::LIST, |w| w.objects(&stack.list, write_layer))?;
    let all = animation.channels.get(character).into_iter().flatten();
    let in_layers: Vec<_> = all.filter(|(name, _)| is_in_layer(scene, character, name)).collect();
    let extra = |name: &str| animation.spline_extra.get(character).and_then(|extras| extras.get(name));
    if !in_layers.is_empty() {
        o.member(names::SPLINES, |w| {
            w.object(|o| {
                in_layers.into_iter().try_for_each(|(name, channel)| {
                    let mute = animation.mute(character, name);
                    o.entry(name, |w| w.object(|o| spline(o, Some((&**channel, mute)), extra(name))))
                })
            })
        })?;
    }
    if played.is_empty() {
        return Ok(());
    }
    o.member(names::BELOW, |w| {
        w.object(|o| {
            played.iter().try_for_each(|(name, played)| {
                o.entry(name, |w| {
                    w.object(|o| {
                        o.text(names::PLAYED, &curve::text(played.knots_fingerprint()));
                        let Some(channel) = animation.get(&ChannelRef::new(character, name)) else {
                            return Ok(());
                        };
                        let mute = animation.mute(character, name);
                        o.member(names::SPLINE, |w| {
                            w.object(|o| spline(o, Some((&**channel, mute)), extra(name)))
                        })
                    })
                })
            })
        })
    })
}

fn write_layer(o: &mut Object<'_>, layer: &Layer) -> Result<(), WriteError> {
    o.unsigned(names::ID, layer.id);
    o.text(names::NAME, &layer.name);
    o.text(names::KIND, layer.kind.name());
    o.float(names::WEIGHT, layer.weight)?;
    for (name, on) in [(names::MUTED, layer.muted), (names::SOLO, layer.solo)] {
        if on {
            o.boolean(name, true);
        }
    }
    if let Some(bones) = &layer.bones {
        let bones: Vec<u32> = bones.iter().copied().collect();
        o.value(names::BONES, &bones);
    }
    if layer.fade != Layer::FADE {
        o.unsigned(names::FADE, layer.fade);
    }
    o.extra(&layer.extra);
    Ok(())
}
