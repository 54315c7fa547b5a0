//! Properties of an IK handle: its name, target, chain, weight, and whether it is enabled.

use super::handle_tasks::{look_at_rows, orientation_rows, pole_rows};
use super::selected::Selected;
use super::{Page, hint, length};
use crate::edit::command::Command;
use crate::edit::pose::spaces::{possible_spaces, set_space, space_name};
use crate::edit::request::Request;
use crate::edit::settings::view::Tab;
use crate::editor::panels::status::tip_distance;
use crate::editor::ui::choice::{choice_row, line_ui, long_choice_row};
use crate::editor::ui::digits::display_number;
use crate::editor::ui::mixed_value::mixed_scalar_row;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, text_row};
use crate::rig::body::limb::depth;
use crate::rig::body::limb::limb;
use crate::rig::ik::chain::chain;
use crate::rig::property::HANDLE;
use crate::rig::skeleton::Handle;
use crate::scene::spaces::Space;
use egui::Ui;

pub fn handle_ui(ui: &mut Ui, page: &mut Page, index: usize) {
    let (mesh, skeleton) = (page.mesh, &*page.skinned.skeleton);
    let Some(handle) = skeleton.handles.get(index) else {
        return;
    };
    let chosen = Selected::<Handle>::new(page, index);
    let is_multiple = chosen.indices.len() > 1;
    if !is_multiple {
        let name = handle.name.as_deref().unwrap_or("");
        let hint = skeleton.default_handle_name(index);
        text_row(ui, page.fields, "Name", &hint, name, page.out, &|name| {
            vec![Command::SetHandleName { mesh: mesh.to_owned(), handle: index, name }]
        });
        fact_row(ui, "Pulls tail of", skeleton.bone_name(handle.bone as usize));
    }
    for row in HANDLE {
        match row.info.id {
            "chain" => chain_rows(ui, page, &chosen),
            "space" => space_row(ui, page, &chosen),
            // Part of the space.
            "space_instance" => {}
            "orientation" => orientation_rows(ui, page, &chosen, row),
            "pole" => pole_rows(ui, page, &chosen, row),
            "look_at" => look_at_rows(ui, page, &chosen, row),
            _ => chosen.row_ui(ui, page, row),
        }
    }
    let animate = page.view.settings.tab == Tab::Animate;
    let posed = page.view.evaluated.skinned.get(mesh);
    let posed = posed.filter(|_| animate && !is_multiple);
    if let Some(distance) = posed.and_then(|posed| tip_distance(posed, index)) {
        let decimals = length(&page.facts, "", "").decimals;
        fact_row(ui, "Tail to target", display_number(distance, decimals));
    }
    if animate && chosen.parts().any(|handle| handle.enabled) && !page.view.settings.solve_ik {
        hint(ui, "Solve IK is off, so nothing is pulled.");
    }
}

/// Draws what the goals move with, as a choice: the mesh, its bones, and instances with their bones.
fn space_row(ui: &mut Ui, page: &mut Page, chosen: &Selected<Handle>) {
    let scene = page.view.session.animated();
    let mut spaces = chosen.parts().map(Space::from_handle);
    let current = spaces.next().unwrap_or_default();
    let is_mixed = spaces.any(|space| space != current);
    let name = |space: &Space| space_name(scene, chosen.mesh, space);
    let word = if is_mixed { "mixed".to_owned() } else { name(&current) };
    let tip = "What target, orientation and pole move with. Mesh: they stay in place, whatever the body does. A bone: a \
               hand stays on the hip, or on the other hand. An instance: a hand stays on a prop, or on another \
               character. Choosing moves nothing.";
    let count = scene.skinned_meshes.values().map(|mesh| mesh.skeleton.bones.len()).sum();
    long_choice_row(ui, chosen.mesh, "Space", tip, &word, count, |ui, lines| {
        let mut possible = possible_spaces(scene, chosen.mesh, chosen.indices[0]);
        for handle in &chosen.indices[1..] {
            let others = possible_spaces(scene, chosen.mesh, *handle);
            possible.retain(|space| others.contains(space));
        }
        possible.retain(|space| lines.shows(&name(space)));
        let heading = |space: &Space| match space {
            Space { instance: Some(_), .. } => "Instances",
            Space { bone: Some(_), .. } => "Bones",
            _ => "",
        };
        let mut last = "";
        for space in possible {
            if heading(&space) != last {
                last = heading(&space);
                hint(ui, last);
            }
            let name = name(&space);
            if lines.line_ui(ui, &name, name == word) && (is_mixed || space != current) {
                let set = |handle: &usize| set_space(page.view, chosen.mesh, *handle, &space);
                page.out.push(Request::Apply(chosen.indices.iter().flat_map(set).collect()));
            }
        }
    });
}

/// Draws how far up the chain reaches, as a choice and as a number of bones.
fn chain_rows(ui: &mut Ui, page: &mut Page, chosen: &Selected<Handle>) {
    let skeleton = chosen.skeleton;
    let handle = |i: usize| &chosen.now[chosen.indices[i]];
    let limb_of = |i: usize| Some(limb(skeleton, handle(i).bone as usize));
    let set = |i: usize, chain: Option<u32>| chosen.set(i, "chain", chain);
    let all = 0..chosen.indices.len();
    let is_true_for_all = |test: &dyn Fn(usize) -> bool| all.clone().all(test);
    let word = match () {
        () if is_true_for_all(&|i| handle(i).chain.is_none()) => "Whole body",
        () if is_true_for_all(&|i| handle(i).chain == limb_of(i)) => "Limb",
        () if is_true_for_all(&|i| handle(i).chain.is_some()) => "Number of bones",
        () => "mixed",
    };
    let tip = "How far up the handle reaches. Limb: up to where it leaves the trunk. Whole body: up to the \
               root, so that the handle can tip over the whole character.";
    choice_row(ui, chosen.mesh, "Chain", tip, word, |ui| {
        let mut line = |ui: &mut Ui, text: &str, chain_of: &dyn Fn(usize) -> Option<u32>| {
            if line_ui(ui, "Chain", text, text == word) && text != word {
                let commands = all.clone().map(|i| set(i, chain_of(i)));
                page.out.push(Request::Apply(commands.collect()));
            }
        };
        line(ui, "Limb", &limb_of);
        line(ui, "Whole body", &|_| None);
    });
    let bones = Number {
        step: 0.05,
        decimals: 0,
        min: 1.0,
        max: f64::from(u16::MAX),
        default: limb_of(chosen.active).map_or(1.0, f64::from),
        ..Number::new("Bones", "How many bones the handle turns, counted upwards from the one it pulls.")
    };
    let values = chosen.values(|handle| chain(skeleton, handle).count() as f32);
    let set_bones = |i: usize, bones: f32| {
        let max_bones = depth(skeleton, handle(i).bone as usize).max(1) as f32;
        vec![set(i, Some(bones.round().clamp(1.0, max_bones) as u32))]
    };
    mixed_scalar_row(ui, page.fields, &bones, &values, None, page.out, &set_bones);
}
