//! Properties of an IK handle: its name, target, chain, weight, and whether it is enabled.

use super::handle_tasks::tasks_ui;
use super::selected_handles::SelectedHandles;
use super::{Page, hint, length};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::Tab;
use crate::edit::time::key_state;
use crate::editor::panels::status::tip_distance;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::digits::display_number;
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::mixed_value::{mixed_checkbox, mixed_scalar_row, mixed_vector_rows};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, text_row, value_row};
use crate::rig::ik::chain::{chain, depth, limb};
use crate::rig::property::{ENABLED, TARGET, WEIGHT};
use egui::Ui;

pub fn handle_ui(ui: &mut Ui, page: &mut Page, index: usize) {
    let (mesh, skeleton) = (page.mesh, &*page.skinned.skeleton);
    let Some(handle) = skeleton.handles.get(index) else {
        return;
    };
    let chosen = SelectedHandles::new(page, index);
    let is_multiple = chosen.handles.len() > 1;
    if !is_multiple {
        let name = handle.name.as_deref().unwrap_or("");
        let hint = skeleton.default_handle_name(index);
        text_row(ui, page.fields, "Name", &hint, name, page.out, &|name| {
            vec![Command::SetHandleName { mesh: mesh.to_owned(), handle: index, name }]
        });
        fact_row(ui, "Pulls tail of", skeleton.bone_name(handle.bone as usize));
    }
    target_row(ui, page, &chosen);
    chain_rows(ui, page, &chosen);
    weight_row(ui, page, &chosen);
    let any_enabled = enabled_row(ui, page, &chosen);
    tasks_ui(ui, page, &chosen);
    let animate = page.view.settings.tab == Tab::Animate;
    let posed = page.view.evaluated.skinned.get(mesh);
    let posed = posed.filter(|_| animate && !is_multiple);
    if let Some(distance) = posed.and_then(|posed| tip_distance(posed, index)) {
        let decimals = length(&page.facts, "", "").decimals;
        fact_row(ui, "Tail to target", display_number(distance, decimals));
    }
    if animate && any_enabled && !page.view.settings.solve_ik {
        hint(ui, "Solve IK is off, so nothing is pulled.");
    }
}

fn target_row(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let channels = chosen.channels(TARGET);
    let target = Number {
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted_components(page.view.session, &channels),
        ..length(&page.facts, "Target", "Where the tail of the bone is pulled to, in the mesh's space.")
    };
    let values = chosen.values(|_, handle| handle.target);
    let set =
        |i: usize, target| Command::set_handle(chosen.mesh.to_owned(), chosen.handles[i], "target", target);
    mixed_vector_rows(ui, page.fields, "Target", &target, &values, None, page.out, &set);
}

/// Draws how far up the chain reaches, as a choice and as a number of bones.
fn chain_rows(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let skeleton = chosen.skeleton;
    let handle = |i: usize| &skeleton.handles[chosen.handles[i]];
    let limb_of = |i: usize| Some(limb(skeleton, handle(i).bone as usize));
    let set =
        |i: usize, chain| Command::set_handle(chosen.mesh.to_owned(), chosen.handles[i], "chain", chain);
    let all = 0..chosen.handles.len();
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
    let values = chosen.values(|skeleton, handle| chain(skeleton, handle).count() as f32);
    let set_bones = |i: usize, bones: f32| {
        let max_bones = depth(skeleton, handle(i).bone as usize).max(1) as f32;
        set(i, Some(bones.round().clamp(1.0, max_bones) as u32))
    };
    mixed_scalar_row(ui, page.fields, &bones, &values, None, page.out, &set_bones);
}

fn weight_row(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) {
    let tip = "0: no pull. 1: full pull. In between, part of the way from the pose without it, so that keys can \
               blend it in and out.";
    let weight = Number {
        min: 0.0,
        max: 1.0,
        default: 1.0,
        keyed: key_state::state(page.view.session, &chosen.channels(WEIGHT)),
        ..Number::new("Weight", tip)
    };
    let values = chosen.values(|_, handle| handle.weight);
    let set =
        |i: usize, weight| Command::set_handle(chosen.mesh.to_owned(), chosen.handles[i], "weight", weight);
    mixed_scalar_row(ui, page.fields, &weight, &values, Some([0.0, 1.0]), page.out, &set);
}

/// Draws the checkbox that enables the handles. Returns whether any is enabled.
fn enabled_row(ui: &mut Ui, page: &mut Page, chosen: &SelectedHandles) -> bool {
    let is_enabled = |handle: &usize| chosen.skeleton.handles[*handle].enabled;
    let all: Vec<bool> = chosen.handles.iter().map(is_enabled).collect();
    let tip = match chosen.handles.len() {
        1 => "Let this handle pull its bone and the bones of its chain, in the Animate tab.",
        _ => "Let these handles pull their bones and the bones of their chains, in the Animate tab.",
    };
    let state = key_state::state(page.view.session, &chosen.channels(ENABLED));
    if let Some(enabled) =
        mixed_checkbox(&all, "Enable", |tick| value_row(ui, |ui| tick_ui(ui, state, tick, tip)))
    {
        let set = |handle: &usize| Command::set_handle(chosen.mesh.to_owned(), *handle, "enabled", enabled);
        let commands = chosen.handles.iter().filter(|handle| is_enabled(handle) != enabled);
        page.out.push(Request::Apply(commands.map(set).collect()));
    }
    all.contains(&true)
}
