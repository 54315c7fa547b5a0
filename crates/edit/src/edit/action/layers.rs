//! The actions on the animation layers of the selected character.

use super::selected::{bones, in_animate, mesh, require};
use super::{Prepared, Reason};
use crate::anim::channel::ChannelRef;
use crate::anim::layer::{Layer, LayerKind, LayerStack};
use crate::edit::command::Command;
use crate::edit::command::layers::LayerChange;
use crate::edit::settings::view::View;
use crate::edit::time::layer_keys;
use crate::scene::layers::active_channel;

const UNMASKED: &str = "The active layer does not change these bones: see its mask.";

/// Returns the selected character and its active layer.
pub fn active<'a>(view: &View<'a>) -> Result<(String, &'a Layer), Reason> {
    in_animate(view, "Layers are shown in the Animate tab.")?;
    let (mesh, _) = mesh(view)?;
    let layer = view.session.scene().animation.active_layer(&mesh);
    Ok((mesh, layer.ok_or("Choose a layer first.")?))
}

pub fn add(view: &View, kind: LayerKind) -> Result<Prepared, Reason> {
    in_animate(view, "Layers are shown in the Animate tab.")?;
    let (mesh, skinned) = mesh(view)?;
    require(!skinned.skeleton.bones.is_empty(), "This mesh has no bones.")?;
    let stack = view.session.scene().animation.layers_of(&mesh);
    let is_full = stack.is_some_and(|stack| stack.list.len() >= LayerStack::MAX);
    require(!is_full, "No more layers can be added.")?;
    let name = match kind {
        LayerKind::Additive => "Layer",
        LayerKind::Override => "Override",
    };
    changed(mesh, LayerChange::Add { name: name.into(), kind })
}

pub fn delete(view: &View) -> Result<Prepared, Reason> {
    let (mesh, layer) = active(view)?;
    changed(mesh, LayerChange::Delete { layer: layer.id })
}

pub fn merge_down(view: &View) -> Result<Prepared, Reason> {
    let (mesh, layer) = active(view)?;
    let animation = &view.session.scene().animation;
    let stack = animation.layers_of(&mesh).ok_or("Choose a layer first.")?;
    require(stack.is_effective(layer), "The layer is muted, or another one is solo.")?;
    let below = stack.position(layer.id).and_then(|place| stack.list.get(place.checked_sub(1)?));
    require(below.is_none_or(|below| stack.is_effective(below)), "The layer below is muted.")?;
    changed(mesh, LayerChange::MergeDown { layer: layer.id })
}

/// Restricts the active layer to the selected bones, or lets it change everything.
pub fn toggle_mask(view: &View) -> Result<Prepared, Reason> {
    let (name, layer) = active(view)?;
    let (_, skinned) = mesh(view)?;
    let mask = match layer.bones {
        Some(_) => None,
        None => Some(bones(view, &skinned.skeleton)?),
    };
    changed(name, LayerChange::SetBones { layer: layer.id, bones: mask })
}

/// Returns those of the channels that the active layer of the selected character can have; all of them if it has none. The reason if
/// none is left.
pub fn within(view: &View, mut channels: Vec<ChannelRef>) -> Result<Vec<ChannelRef>, Reason> {
    let animation = &view.session.scene().animation;
    let Some(mesh) = &view.session.selection().mesh else { return Ok(channels) };
    let Some(layer) = animation.active_layer(mesh) else { return Ok(channels) };
    channels.retain(|channel| channel.resource == *mesh && active_channel(animation, channel) != *channel);
    if channels.is_empty() {
        let name = &layer.name;
        let base = LayerStack::BASE;
        return Err(format!("The layer {name} cannot have what is selected: choose {base} in Layers.").into());
    }
    channels.retain(|channel| layer.covers(&channel.channel));
    require(!channels.is_empty(), UNMASKED)?;
    Ok(channels)
}

/// Returns what to add to the message about keys of channels that become keys of a layer; the reason if the layer can have none.
pub fn note(view: &View, channels: &[ChannelRef]) -> Result<String, Reason> {
    let animation = &view.session.scene().animation;
    let targets = channels.iter().map(|channel| active_channel(animation, channel));
    let in_layers: Vec<ChannelRef> = targets.filter(|target| animation.layer_of(target).is_some()).collect();
    let Some((layer, _)) = in_layers.first().and_then(|target| animation.layer_of(target)) else {
        return Ok(String::new());
    };
    if in_layers.len() < channels.len() {
        // Others are keyed in any case.
        return Ok(format!(", those of {} in layer {}", in_layers[0].resource, layer.name));
    }
    let resource = &in_layers[0].resource;
    let stack = animation.layers_of(resource);
    require(
        stack.is_none_or(|stack| stack.is_effective(layer)),
        "The active layer is muted, or another one is solo.",
    )?;
    let frame = view.session.frame();
    let is_faded_in = layer_keys::weight_keys(animation, resource, &in_layers, frame).is_some();
    let weight = animation.layer_weight(resource, layer, frame);
    require(is_faded_in || weight > 0.0, "The weight of the active layer is 0 at this frame.")?;
    let covered =
        |target: &ChannelRef| animation.layer_of(target).is_some_and(|(layer, base)| layer.covers(base));
    require(in_layers.iter().any(covered), UNMASKED)?;
    let fade = match (layer.kind, layer.fade) {
        (kind, 1..) if kind == LayerKind::Additive || is_faded_in => {
            format!(", where a first change fades over {} frames before and after", layer.fade)
        }
        _ => String::new(),
    };
    Ok(format!(" in layer {}{fade}", layer.name))
}

fn changed(mesh: String, change: LayerChange) -> Result<Prepared, Reason> {
    Prepared::command(Command::Layers { mesh, change })
}
