//! Commands on animation layers for the editing tests: an example, and random ones.

use super::Random;
use ossature::anim::layer::LayerKind;
use ossature::edit::command::Command;
use ossature::edit::command::layers::LayerChange;
use ossature::scene::Scene;
use std::collections::BTreeSet;

/// Returns commands that change [`super::scene`], with their labels.
pub fn layer_examples() -> Vec<(Command, &'static str)> {
    let change = LayerChange::Add { name: "Hand".into(), kind: LayerKind::Additive };
    vec![(Command::Layers { mesh: "Body".into(), change }, "Add layer Hand")]
}

/// Returns a random command on the layers of a mesh; with `wrong`, one that must fail.
pub fn any_layer_command(random: &mut Random, scene: &Scene, mesh: &str, wrong: bool) -> Command {
    let stack = scene.animation.layers.get(mesh);
    let ids: Vec<u32> = stack.into_iter().flat_map(|stack| &stack.list).map(|layer| layer.id).collect();
    let layer = match wrong || ids.is_empty() {
        true => 12_345,
        false => ids[random.below(ids.len())],
    };
    let kind = LayerKind::ALL[random.below(2)];
    let name = ["Hand", "Breath", " "][random.below(2)].to_owned();
    let change = match random.below(10) {
        _ if !wrong && ids.len() < 2 => LayerChange::Add { name, kind },
        0 => LayerChange::Rename { layer, name },
        1 => LayerChange::SetKind { layer, kind },
        2 => LayerChange::SetWeight { layer, weight: random.below(11) as f32 / 10.0 },
        3 => LayerChange::SetMuted { layer, muted: random.chance(50) },
        4 => LayerChange::SetSolo { layer, solo: random.chance(50) },
        5 => {
            let bones = random.chance(50).then(|| vec![0]);
            LayerChange::SetBones { layer, bones }
        }
        6 => LayerChange::SetFade { layer, frames: random.below(20) as u32 },
        7 => LayerChange::Move { layer, place: random.below(3) },
        8 => LayerChange::Delete { layer },
        _ => LayerChange::Choose { layer: (wrong || random.chance(80)).then_some(layer) },
    };
    Command::Layers { mesh: mesh.to_owned(), change }
}

/// Returns what is wrong with the layers of a scene, if anything.
pub fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    for (mesh, stack) in &scene.animation.layers {
        let ids: BTreeSet<u32> = stack.list.iter().map(|layer| layer.id).collect();
        let names: BTreeSet<&String> = stack.list.iter().map(|layer| &layer.name).collect();
        if stack.list.is_empty() || ids.len() < stack.list.len() || names.len() < stack.list.len() {
            faults.push(format!("{mesh}: layers share ids or names, or there are none"));
        }
        if stack.active.is_some_and(|active| !ids.contains(&active)) {
            faults.push(format!("{mesh}: the active layer is not there"));
        }
        if stack.list.iter().any(|layer| !(0.0..=1.0).contains(&layer.weight)) {
            faults.push(format!("{mesh}: a layer has a bad weight"));
        }
        if !scene.skinned_meshes.contains_key(mesh) {
            faults.push(format!("{mesh}: layers of nobody"));
        }
    }
    faults
}
