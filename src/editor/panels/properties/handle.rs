//! Properties of an IK handle: where it pulls to, whether it pulls, how far the tip is from there.

use super::{Page, hint, length};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::edit::command::Command;
use crate::edit::keyed;
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::Tab;
use crate::editor::panels::status::tip_distance;
use crate::editor::ui::digits::shown;
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::fact_row;
use crate::editor::ui::several::{Several, vector_rows_of};
use crate::editor::ui::theme;
use crate::scene::skinned::SkinnedMesh;
use egui::{Checkbox, Ui};
use glam::Vec3;

pub fn handle_ui(ui: &mut Ui, page: &mut Page, at: usize) {
    let skinned = page.skinned;
    let Some(handle) = skinned.skeleton.handles.get(at) else {
        return;
    };
    let selection = page.view.session.selection();
    let selected = |handle: &usize| *handle == at || selection.is_selected(Part::Handle(*handle));
    let handles: Vec<usize> = (0..skinned.skeleton.handles.len()).filter(selected).collect();
    let several = handles.len() > 1;
    if !several {
        fact_row(
            ui,
            "Pulls tip of",
            theme::FACT_WIDTH,
            skinned.skeleton.bone_name(handle.bone as usize),
        );
    }

    let mesh = page.mesh;
    let session = page.view.session;
    let channels = |channel: fn(u32) -> SkeletonChannel| -> Vec<ChannelRef> {
        let ids = handles.iter().map(|h| skinned.skeleton.handles[*h].channel_id);
        ids.map(|id| ChannelRef::new(mesh, channel(id))).collect()
    };
    let of_target = channels(SkeletonChannel::HandleTarget);
    let target = Number {
        keyed: keyed::state(session, &of_target),
        muted: keyed::muted(session, &of_target),
        ..length(
            &page.facts,
            "Target",
            "Where the tip of the bone is pulled to, in the mesh's space.",
        )
    };
    let before = page.view.session.seen_before().skinned_meshes.get(mesh);
    let before = before.map_or(skinned, |skinned| skinned);
    let targets = |skinned: &SkinnedMesh| {
        let of = |handle: &usize| {
            skinned
                .skeleton
                .handles
                .get(*handle)
                .map_or(Vec3::ZERO, |h| h.target)
        };
        handles.iter().map(of).collect()
    };
    let values = Several {
        now: targets(skinned),
        before: targets(before),
        active: handles.iter().position(|handle| *handle == at).unwrap_or(0),
    };
    let set = |i: usize, target| Command::SetHandleTarget {
        mesh: mesh.to_owned(),
        handle: handles[i],
        target,
    };
    vector_rows_of(ui, page.fields, "Target", &target, &values, None, page.out, &set);
    let on = |handle: &usize| skinned.skeleton.handles[*handle].enabled;
    let (all, any) = (handles.iter().all(on), handles.iter().any(on));
    let mut enabled = all;
    let tick = Checkbox::new(&mut enabled, "Enable").indeterminate(any && !all);
    let tip = match several {
        false => "Let this handle pull its bone and the bones above it, in the Animate tab.",
        true => "Let these handles pull their bones and the bones above them, in the Animate tab.",
    };
    let state = keyed::state(session, &channels(SkeletonChannel::HandleEnabled));
    if tick_ui(ui, state, tick, tip).changed() {
        let set = |handle: &usize| Command::SetHandleEnabled {
            mesh: mesh.to_owned(),
            handle: *handle,
            enabled,
        };
        let commands = handles.iter().filter(|handle| on(handle) != enabled).map(set);
        page.out.push(Request::Apply(commands.collect()));
    }
    let animate = page.view.settings.tab == Tab::Animate;
    let posed = page
        .view
        .evaluated
        .skinned
        .get(mesh)
        .filter(|_| animate && !several);
    if let Some(distance) = posed.and_then(|posed| tip_distance(posed, at)) {
        fact_row(
            ui,
            "Tip to target",
            theme::FACT_WIDTH,
            shown(distance, target.decimals),
        );
    }
    if animate && any && !page.view.settings.solve_ik {
        hint(ui, "Solve IK is off, so nothing is pulled.");
    }
}
