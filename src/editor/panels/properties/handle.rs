//! Properties of an IK handle: where it pulls to, whether it pulls, how far the tip is from there.

use super::{Page, buttons, heading, hint, length};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::view::Tab;
use crate::editor::panels::status::tip_distance;
use crate::editor::ui::digits::shown;
use crate::editor::ui::row::{fact_row, vector_row};
use crate::editor::ui::{icons, theme};
use egui::{Checkbox, Ui};

pub fn handle_ui(ui: &mut Ui, page: &mut Page, at: usize) {
    let skinned = page.skinned;
    let Some(handle) = skinned.skeleton.handles.get(at) else {
        return;
    };
    heading(ui, icons::HANDLE, &skinned.skeleton.handle_name(at), "IK handle");
    fact_row(
        ui,
        "Pulls tip of",
        theme::FACT_WIDTH,
        skinned.skeleton.bone_name(handle.bone as usize),
    );

    let mesh = page.mesh;
    let target = length(
        &page.facts,
        "Target",
        "Where the tip of the bone is pulled to, in the mesh's space.",
    );
    vector_row(
        ui,
        page.fields,
        "Target",
        &target,
        handle.target,
        page.out,
        &|target| {
            vec![Command::SetHandleTarget {
                mesh: mesh.to_owned(),
                handle: at,
                target,
            }]
        },
    );
    let mut enabled = handle.enabled;
    let tick = ui.add(Checkbox::new(&mut enabled, "Enable"));
    if tick
        .on_hover_text("Let this handle pull its bone and the bones above it, in the Animate tab.")
        .changed()
    {
        let command = Command::SetHandleEnabled {
            mesh: mesh.to_owned(),
            handle: at,
            enabled,
        };
        page.out.push(Request::Apply(vec![command]));
    }
    let animate = page.view.settings.tab == Tab::Animate;
    let posed = page.view.evaluated.skinned.get(mesh).filter(|_| animate);
    if let Some(distance) = posed.and_then(|posed| tip_distance(posed, at)) {
        fact_row(
            ui,
            "Tip to target",
            theme::FACT_WIDTH,
            shown(distance, target.decimals),
        );
    }
    if animate && handle.enabled && !page.view.settings.solve_ik {
        hint(ui, "Solve IK is off, so nothing is pulled.");
    }
    ui.add_space(theme::SMALL_GAP);
    buttons(ui, page.view, &[Action::Delete], page.out);
}
