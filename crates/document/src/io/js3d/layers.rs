//! Animation layers: our own member of `animator`, which Scotty3D ignores. Absent if there are none.
//!
//! So that other programs play what the layers do, the splines of the channels that they change hold the result of all layers,
//! at whole frames. The keys below the layers are in this member. If another program has changed the splines since, these count,
//! and the keys of the layers for them are gone.

use super::ReadError;
use super::curve;
use super::json::Node;
use super::reader::{Members, Reader};
use super::spline::read_channel;
use crate::anim::channel::{Animation, ChannelRef};
use crate::anim::layer::{Layer, LayerKind, LayerStack, split_name};
use crate::anim::mute::Mute;
use crate::io::report::Severity;
use crate::scene::{Scene, channels};
use std::collections::BTreeSet;

pub const LAYERS: &str = "layers";
pub const ACTIVE: &str = "active";
pub const LIST: &str = "list";
pub const SPLINES: &str = "splines";
/// The channels below the layers, by name: [`PLAYED`], and the [`SPLINE`] if they have keys.
pub const BELOW: &str = "below";
/// The fingerprint of the knots that were made from all layers.
pub const PLAYED: &str = "played";
pub const SPLINE: &str = "spline";

pub const ID: &str = "id";
pub const NAME: &str = "name";
pub const KIND: &str = "kind";
pub const WEIGHT: &str = "weight";
pub const MUTED: &str = "muted";
pub const SOLO: &str = "solo";
pub const BONES: &str = "bones";
pub const FADE: &str = "fade";

/// Takes the member if it has its shape. Invalid layers are reported and dropped, with their keys.
pub fn read(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    scene: &Scene,
    animation: &mut Animation,
) -> Result<(), ReadError> {
    // A value of another shape is not ours and stays.
    if !m.get(LAYERS).is_some_and(is_ours) {
        return Ok(());
    }
    let Some(node) = m.take(LAYERS) else { return Ok(()) };
    r.within(LAYERS, |r| {
        for (character, node) in r.object(node).into_items() {
            r.within(&character, |r| read_character(r, &character, node, scene, animation))?;
        }
        Ok(())
    })
}

fn is_ours(node: &Node<'_>) -> bool {
    let has_list = |node: &Node<'_>| match node {
        Node::Object(items) => {
            items.iter().any(|(name, node)| name == LIST && matches!(node, Node::Array(_)))
        }
        _ => false,
    };
    matches!(node, Node::Object(items) if items.iter().all(|(_, node)| has_list(node)))
}

fn read_character(
    r: &mut Reader<'_>,
    character: &str,
    node: Node<'_>,
    scene: &Scene,
    animation: &mut Animation,
) -> Result<(), ReadError> {
    let mut m = r.object(node);
    let mut stack = LayerStack::default();
    if let Some(node) = m.take(LIST) {
        r.within(LIST, |r| {
            for (index, node) in r.array(node).into_items().enumerate() {
                r.within_index(index, |r| read_layer(r, node, &mut stack));
            }
        });
    }
    if let Some(node) = m.take(ACTIVE) {
        stack.active = whole(&node).filter(|id| stack.get(*id).is_some());
        if stack.active.is_none() {
            r.within(ACTIVE, |r| r.warn("bad-layer", "expected the id of a layer; none is active"));
        }
    }
    let targets = channels::values(scene, character);
    let splines = m.take(SPLINES);
    let below = m.take(BELOW);
    if stack.list.is_empty() {
        return Ok(());
    }
    if let Some(node) = splines {
        r.within(SPLINES, |r| {
            for (name, node) in r.object(node).into_items() {
                let layer = split_name(&name).filter(|(id, _)| stack.get(*id).is_some());
                let Some((_, base)) = layer else {
                    let text = "the spline belongs to no layer; it is dropped";
                    r.within(&name, |r| r.report_loss(Severity::Warning, "bad-layer", text));
                    continue;
                };
                let target =
                    if base == WEIGHT { Some("float") } else { targets.get(base).map(|v| v.type_name()) };
                r.within(&name, |r| read_channel(r, [character, &name], node, target, animation))?;
            }
            Ok(())
        })?;
    }
    animation.layers.insert(character.to_owned(), stack);
    if let Some(node) = below {
        r.within(BELOW, |r| {
            for (name, node) in r.object(node).into_items() {
                let target = targets.get(&*name).map(|value| value.type_name());
                r.within(&name, |r| read_below(r, [character, &name], node, target, animation))?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Reads the keys below the layers, if the spline that other programs play is still the one that was made from them.
fn read_below(
    r: &mut Reader<'_>,
    [character, name]: [&str; 2],
    node: Node<'_>,
    target: Option<&'static str>,
    animation: &mut Animation,
) -> Result<(), ReadError> {
    let mut m = r.object(node);
    let channel = ChannelRef::new(character, name);
    let found = animation.get(&channel).map(|played| curve::text(played.knots_fingerprint()));
    let played = match m.take(PLAYED) {
        Some(Node::Text(text)) => Some(text.into_owned()),
        _ => None,
    };
    if played.is_none() || played != found {
        let text = "another program has changed the knots; they count, and the keys of layers are gone";
        r.warn("outdated-layers", text);
        if let Some(channels) = animation.channels.get_mut(character) {
            channels.retain(|other, _| split_name(other).is_none_or(|(_, base)| base != name));
        }
        animation.prune_mutes();
        return Ok(());
    }
    if let Some(channels) = animation.channels.get_mut(character) {
        channels.remove(name);
    }
    animation.set_mute(&channel, Mute::NONE);
    match m.take(SPLINE) {
        Some(node) => r.within(SPLINE, |r| read_channel(r, [character, name], node, target, animation)),
        None => Ok(()),
    }
}

fn read_layer(r: &mut Reader<'_>, node: Node<'_>, stack: &mut LayerStack) {
    let bad = |r: &mut Reader<'_>, text: &str| r.report_loss(Severity::Warning, "bad-layer", text);
    let Node::Object(items) = node else {
        return bad(r, "expected a layer; it is dropped");
    };
    let mut m = r.members(items);
    let id = m.take(ID).and_then(|node| whole(&node));
    let Some(id) = id.filter(|id| stack.get(*id).is_none()) else {
        return bad(r, "a layer needs an id of its own; it is dropped");
    };
    if stack.list.len() >= LayerStack::MAX {
        return bad(r, "there are more than 100 layers; it is dropped");
    }
    let name = match m.take(NAME) {
        Some(Node::Text(name)) => stack.free_name(&name, None),
        _ => stack.free_name("", None),
    };
    let mut layer = Layer::new(id, name, LayerKind::Additive);
    let warn = |r: &mut Reader<'_>, name: &str, rule: &str| {
        let text = format!("expected {rule}; the default is used");
        r.within(name, |r| r.warn("bad-layer", text));
    };
    match m.take(KIND) {
        Some(Node::Text(kind)) if LayerKind::from_name(&kind).is_some() => {
            layer.kind = LayerKind::from_name(&kind).unwrap_or_default();
        }
        _ => warn(r, KIND, "additive or override"),
    }
    if let Some(node) = m.take(WEIGHT) {
        match node.number().map(|wide| wide as f32) {
            Some(weight) if (0.0..=1.0).contains(&weight) => layer.weight = weight,
            _ => warn(r, WEIGHT, "a number from 0 to 1"),
        }
    }
    for (name, slot) in [(MUTED, &mut layer.muted), (SOLO, &mut layer.solo)] {
        match m.take(name) {
            Some(Node::Bool(on)) => *slot = on,
            Some(_) => warn(r, name, "true or false"),
            None => {}
        }
    }
    if let Some(node) = m.take(FADE) {
        match whole(&node).filter(|frames| *frames <= Layer::MAX_FADE) {
            Some(frames) => layer.fade = frames,
            None => warn(r, FADE, "an integer from 0 to 1000"),
        }
    }
    if let Some(node) = m.take(BONES) {
        let ids = match node {
            Node::Array(items) => items.iter().map(|item| whole(&item)).collect::<Option<BTreeSet<u32>>>(),
            _ => None,
        };
        if ids.is_none() {
            warn(r, BONES, "channel ids of bones");
        }
        layer.bones = ids;
    }
    layer.extra = r.rest(m);
    stack.list.push(layer);
}

fn whole(node: &Node<'_>) -> Option<u32> {
    super::clip::frame(node)
}
