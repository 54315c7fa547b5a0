//! Properties of an IK handle: its name, where it pulls to, how far up, how much, whether at all.

use super::chosen_handles::Chosen;
use super::handle_tasks::tasks_ui;
use super::{Page, hint, length};
use crate::anim::handle_channel::HandleChannel;
use crate::edit::command::Command;
use crate::edit::key_state;
use crate::edit::request::Request;
use crate::edit::view::Tab;
use crate::editor::panels::status::tip_distance;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::digits::shown;
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::mixed_value::{scalar_row_of, tick_of, vector_rows_of};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, text_row};
use crate::editor::ui::theme;
use crate::rig::ik::chain::{chain, depth, limb};
use egui::Ui;

pub fn handle_ui(ui: &mut Ui, page: &mut Page, at: usize) {
    let (mesh, skeleton) = (page.mesh, &*page.skinned.skeleton);
    let Some(handle) = skeleton.handles.get(at) else {
        return;
    };
    let chosen = Chosen::new(page, at);
    let several = chosen.handles.len() > 1;
    if !several {
        let own = handle.name.as_deref().unwrap_or("");
        let hint = skeleton.default_handle_name(at);
        text_row(ui, page.fields, "Name", &hint, own, page.out, &|name| {
            vec![Command::SetHandleName {
                mesh: mesh.to_owned(),
                handle: at,
                name,
            }]
        });
        fact_row(
            ui,
            "Pulls tail of",
            theme::FACT_WIDTH,
            skeleton.bone_name(handle.bone as usize),
        );
    }
    target_row(ui, page, &chosen);
    chain_rows(ui, page, &chosen);
    weight_row(ui, page, &chosen);
    let any = enabled_row(ui, page, &chosen);
    tasks_ui(ui, page, &chosen);
    let animate = page.view.settings.tab == Tab::Animate;
    let posed = page.view.evaluated.skinned.get(mesh);
    let posed = posed.filter(|_| animate && !several);
    if let Some(distance) = posed.and_then(|posed| tip_distance(posed, at)) {
        let decimals = length(&page.facts, "", "").decimals;
        fact_row(ui, "Tail to target", theme::FACT_WIDTH, shown(distance, decimals));
    }
    if animate && any && !page.view.settings.solve_ik {
        hint(ui, "Solve IK is off, so nothing is pulled.");
    }
}

fn target_row(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let channels = chosen.channels(HandleChannel::Target);
    let target = Number {
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted(page.view.session, &channels),
        ..length(
            &page.facts,
            "Target",
            "Where the tail of the bone is pulled to, in the mesh's space.",
        )
    };
    let values = chosen.several(|_, handle| handle.target);
    let set = |i: usize, target| Command::SetHandleTarget {
        mesh: chosen.mesh.to_owned(),
        handle: chosen.handles[i],
        target,
    };
    vector_rows_of(ui, page.fields, "Target", &target, &values, None, page.out, &set);
}

/// How far up the handle reaches: by a word, and by the number of bones.
fn chain_rows(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let skeleton = chosen.skeleton;
    let on = |i: usize| &skeleton.handles[chosen.handles[i]];
    let limb_of = |i: usize| Some(limb(skeleton, on(i).bone as usize));
    let set = |i: usize, chain| Command::SetHandleChain {
        mesh: chosen.mesh.to_owned(),
        handle: chosen.handles[i],
        chain,
    };
    let all = 0..chosen.handles.len();
    let every = |is: &dyn Fn(usize) -> bool| all.clone().all(is);
    let word = match () {
        () if every(&|i| on(i).chain.is_none()) => "Whole body",
        () if every(&|i| on(i).chain == limb_of(i)) => "Limb",
        () if every(&|i| on(i).chain.is_some()) => "Number of bones",
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
        ..Number::new(
            "Bones",
            "How many bones the handle turns, counted upwards from the one it pulls.",
        )
    };
    let values = chosen.several(|skeleton, handle| chain(skeleton, handle).count() as f32);
    let set_bones = |i: usize, bones: f32| {
        let most = depth(skeleton, on(i).bone as usize).max(1) as f32;
        set(i, Some(bones.round().clamp(1.0, most) as u32))
    };
    scalar_row_of(ui, page.fields, &bones, &values, None, page.out, &set_bones);
}

fn weight_row(ui: &mut Ui, page: &mut Page, chosen: &Chosen) {
    let tip = "0: no pull. 1: full pull. In between, part of the way from the pose without it, so that keys can \
               blend it in and out.";
    let weight = Number {
        min: 0.0,
        max: 1.0,
        default: 1.0,
        keyed: key_state::state(page.view.session, &chosen.channels(HandleChannel::Weight)),
        ..Number::new("Weight", tip)
    };
    let values = chosen.several(|_, handle| handle.weight);
    let set = |i: usize, weight| Command::SetHandleWeight {
        mesh: chosen.mesh.to_owned(),
        handle: chosen.handles[i],
        weight,
    };
    scalar_row_of(
        ui,
        page.fields,
        &weight,
        &values,
        Some([0.0, 1.0]),
        page.out,
        &set,
    );
}

/// Whether any of them is enabled.
fn enabled_row(ui: &mut Ui, page: &mut Page, chosen: &Chosen) -> bool {
    let on = |handle: &usize| chosen.skeleton.handles[*handle].enabled;
    let all: Vec<bool> = chosen.handles.iter().map(on).collect();
    let tip = match chosen.handles.len() {
        1 => "Let this handle pull its bone and the bones of its chain, in the Animate tab.",
        _ => "Let these handles pull their bones and the bones of their chains, in the Animate tab.",
    };
    let state = key_state::state(page.view.session, &chosen.channels(HandleChannel::Enabled));
    if let Some(enabled) = tick_of(&all, "Enable", |tick| tick_ui(ui, state, tick, tip)) {
        let set = |handle: &usize| Command::SetHandleEnabled {
            mesh: chosen.mesh.to_owned(),
            handle: *handle,
            enabled,
        };
        let commands = chosen.handles.iter().filter(|handle| on(handle) != enabled);
        page.out.push(Request::Apply(commands.map(set).collect()));
    }
    all.contains(&true)
}
