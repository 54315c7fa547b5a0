//! Commands on the animation layers of a character. Layers are identified by their ids, which are part of the names of their
//! channels; the keys in them are changed by the commands on keys.

use super::effects::Edit;
use super::helpers::{check_bone, skinned_mesh};
use super::{CommandError, Result};
use crate::anim::channel::Animation;
use crate::anim::layer::{Layer, LayerKind, LayerStack, split_name};
use crate::io::count::counted;
use crate::scene::Scene;
use crate::scene::merge_layers::{MergeError, merged};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A change to the layers of a skinned mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum LayerChange {
    /// Adds a layer above the others; new keys belong to it. A blank name becomes “Layer”.
    Add {
        name: String,
        kind: LayerKind,
    },
    /// Lets new keys belong to a layer; `None`: to the character itself.
    Choose {
        layer: Option<u32>,
    },
    /// Renames a layer. A number is appended to a name that is taken.
    Rename {
        layer: u32,
        name: String,
    },
    SetKind {
        layer: u32,
        kind: LayerKind,
    },
    /// The weight, from 0 to 1, that counts while it has no keys.
    SetWeight {
        layer: u32,
        weight: f32,
    },
    SetMuted {
        layer: u32,
        muted: bool,
    },
    SetSolo {
        layer: u32,
        solo: bool,
    },
    /// Restricts a layer to bones; `None` lets it change everything.
    SetBones {
        layer: u32,
        bones: Option<Vec<usize>>,
    },
    /// The number of frames over which a new key comes and goes; 0: it stays.
    SetFade {
        layer: u32,
        frames: u32,
    },
    /// Moves a layer to a place in the list, 0 being the lowest.
    Move {
        layer: u32,
        place: usize,
    },
    /// Deletes a layer with its keys.
    Delete {
        layer: u32,
    },
    /// Puts what a layer does into the keys of the layer below it, or of the character, and deletes it.
    MergeDown {
        layer: u32,
    },
}

pub fn apply(edit: &mut Edit, mesh: &str, change: &LayerChange) -> Result {
    let skeleton = Arc::clone(&skinned_mesh(edit.scene, mesh)?.skeleton);
    let mut animation = (*edit.scene.animation).clone();
    match change {
        LayerChange::MergeDown { layer } => {
            let place = find(&animation, mesh, *layer)?;
            animation = merged(edit.scene, mesh, place).map_err(|error| CommandError::Value {
                subject: "the layer to merge",
                rule: match error {
                    MergeError::NoEffect => "one with an effect, not muted or passed over for a solo one",
                    MergeError::BelowHasNoEffect => "above a layer with an effect",
                    MergeError::BelowHasNoWeight => {
                        "above a layer whose weight is greater than 0 in the frames of its keys; merge that one first"
                    }
                    MergeError::TooLong => "with keys within 10,000 frames",
                },
            })?;
            remove(&mut animation, mesh, *layer);
        }
        LayerChange::SetBones { layer, bones } => {
            let id = |bone: &usize| {
                check_bone(mesh, &skeleton, *bone)?;
                Ok(skeleton.bones[*bone].channel_id)
            };
            let bones = bones.as_ref().map(|bones| bones.iter().map(id).collect::<Result<BTreeSet<u32>>>());
            let bones = bones.transpose()?;
            set(&mut animation, mesh, *layer, |layer| layer.bones = bones)?;
        }
        _ => self::change(&mut animation, mesh, change)?,
    }
    animation.clip = animation.clip.extended_to(animation.last_used_frame());
    edit.replace_animation(animation);
    Ok(())
}

fn change(animation: &mut Animation, mesh: &str, change: &LayerChange) -> Result {
    let error = |subject, rule| Err(CommandError::Value { subject, rule });
    match change {
        LayerChange::Add { name, kind } => {
            let id = animation.unused_layer_id(mesh);
            let stack = animation.layers.entry(mesh.to_owned()).or_default();
            if stack.list.len() >= LayerStack::MAX {
                return error("the number of layers", "at most 100");
            }
            let name = stack.free_name(name, None);
            stack.list.push(Layer::new(id, name, *kind));
            stack.active = Some(id);
        }
        LayerChange::Choose { layer: None } => {
            if let Some(stack) = animation.layers.get_mut(mesh) {
                stack.active = None;
            }
        }
        LayerChange::Choose { layer: Some(layer) } => {
            find(animation, mesh, *layer)?;
            with_layers(animation, mesh, |stack| stack.active = Some(*layer));
        }
        LayerChange::Rename { layer, name } => {
            if name.trim().is_empty() {
                return error("the name of a layer", "more than spaces");
            }
            let place = find(animation, mesh, *layer)?;
            with_layers(animation, mesh, |stack| {
                stack.list[place].name = stack.free_name(name, Some(*layer));
            });
        }
        LayerChange::SetKind { layer, kind } => set(animation, mesh, *layer, |layer| layer.kind = *kind)?,
        LayerChange::SetWeight { layer, weight } => {
            if !(0.0..=1.0).contains(weight) {
                return error("the weight of a layer", "from 0 to 1");
            }
            set(animation, mesh, *layer, |layer| layer.weight = *weight)?;
        }
        LayerChange::SetMuted { layer, muted } => set(animation, mesh, *layer, |layer| layer.muted = *muted)?,
        LayerChange::SetSolo { layer, solo } => set(animation, mesh, *layer, |layer| layer.solo = *solo)?,
        LayerChange::SetFade { layer, frames } => {
            if *frames > Layer::MAX_FADE {
                return error("the fade of a layer", "at most 1,000 frames");
            }
            set(animation, mesh, *layer, |layer| layer.fade = *frames)?;
        }
        LayerChange::Move { layer, place } => {
            let from = find(animation, mesh, *layer)?;
            with_layers(animation, mesh, |stack| {
                let layer = stack.list.remove(from);
                stack.list.insert((*place).min(stack.list.len()), layer);
            });
        }
        LayerChange::Delete { layer } => {
            find(animation, mesh, *layer)?;
            remove(animation, mesh, *layer);
        }
        LayerChange::MergeDown { .. } | LayerChange::SetBones { .. } => {}
    }
    Ok(())
}

/// Removes a layer with its channels. The next lower one is active if it was.
fn remove(animation: &mut Animation, mesh: &str, id: u32) {
    let is_own = |name: &str| split_name(name).is_some_and(|(layer, _)| layer == id);
    if let Some(channels) = animation.channels.get_mut(mesh) {
        channels.retain(|name, _| !is_own(name));
    }
    if let Some(extras) = animation.spline_extra.get_mut(mesh) {
        extras.retain(|name, _| !is_own(name));
    }
    animation.spline_extra.retain(|_, extras| !extras.is_empty());
    animation.drop_empty();
    animation.prune_mutes();
    with_layers(animation, mesh, |stack| {
        let Some(place) = stack.position(id) else { return };
        stack.list.remove(place);
        if stack.active == Some(id) {
            stack.active = place.checked_sub(1).map(|below| stack.list[below].id);
        }
    });
    animation.layers.retain(|_, stack| !stack.list.is_empty());
}

fn with_layers(animation: &mut Animation, mesh: &str, change: impl FnOnce(&mut LayerStack)) {
    if let Some(stack) = animation.layers.get_mut(mesh) {
        change(stack);
    }
}

fn set(animation: &mut Animation, mesh: &str, layer: u32, change: impl FnOnce(&mut Layer)) -> Result {
    let place = find(animation, mesh, layer)?;
    with_layers(animation, mesh, |stack| change(&mut stack.list[place]));
    Ok(())
}

fn find(animation: &Animation, mesh: &str, layer: u32) -> Result<usize> {
    let place = animation.layers.get(mesh).and_then(|stack| stack.position(layer));
    place.ok_or_else(|| CommandError::NoSuch { kind: "layer", name: layer.to_string() })
}

/// Returns the label of a change; `scene` is the scene before it.
pub fn label(change: &LayerChange, scene: &Scene, mesh: &str) -> String {
    let none = LayerStack::default();
    let stack = scene.animation.layers.get(mesh).unwrap_or(&none);
    let name = |id: &u32| stack.get(*id).map_or_else(|| format!("layer {id}"), |layer| layer.name.clone());
    match change {
        LayerChange::Add { name, .. } => format!("Add layer {}", stack.free_name(name, None)),
        LayerChange::Choose { layer: None } => format!("Key {mesh} itself"),
        LayerChange::Choose { layer: Some(layer) } => format!("Key layer {}", name(layer)),
        LayerChange::Rename { layer, name: new } => {
            format!("Rename layer {} to {}", name(layer), stack.free_name(new, Some(*layer)))
        }
        LayerChange::SetKind { layer, kind } => format!("Make layer {} {}", name(layer), kind.name()),
        LayerChange::SetWeight { layer, weight } => format!("Set weight of {} to {weight}", name(layer)),
        LayerChange::SetMuted { layer, muted: true } => format!("Mute layer {}", name(layer)),
        LayerChange::SetMuted { layer, muted: false } => format!("Unmute layer {}", name(layer)),
        LayerChange::SetSolo { layer, solo: true } => format!("Play layer {} alone", name(layer)),
        LayerChange::SetSolo { layer, solo: false } => format!("Play other layers beside {}", name(layer)),
        LayerChange::SetBones { layer, bones: None } => format!("Let layer {} change all bones", name(layer)),
        LayerChange::SetBones { layer, bones: Some(bones) } => {
            let count = counted(bones.len(), "bone", "bones");
            format!("Restrict layer {} to {count}", name(layer))
        }
        LayerChange::SetFade { layer, frames } => {
            let count = counted(*frames as usize, "frame", "frames");
            format!("Fade layer {} over {count}", name(layer))
        }
        LayerChange::Move { layer, .. } => format!("Reorder layer {}", name(layer)),
        LayerChange::Delete { layer } => format!("Delete layer {}", name(layer)),
        LayerChange::MergeDown { layer } => format!("Merge layer {} down", name(layer)),
    }
}
