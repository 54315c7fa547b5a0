//! Properties of what is selected, by tab: bind pose and shape in Rig, current pose in Animate.

mod bone;
mod bone_actions;
mod handle;
mod instance;
mod place;
mod resource;
mod skinned;
mod skinning;
mod surface;
pub mod weighing;
mod weights;

use super::facts::{FactsCache, MeshFacts, ReportCache, length_decimals, length_step};
use super::working::Working;
use crate::edit::action::{Action, chosen_surface};
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::{Tab, View};
use crate::editor::ui::action::{action_button, action_switch};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::list::short;
use crate::editor::ui::number::Number;
use crate::editor::ui::theme;
use crate::rig::ik;
use crate::rig::skeleton::Skeleton;
use crate::scene::names::{Kind, Thing};
use crate::scene::skinned::SkinnedMesh;
use egui::{Margin, RichText, ScrollArea, Ui};
pub use place::Euler;
pub use surface::SurfaceState;

/// What every page of properties gets: the chosen skinned mesh and where requests go.
struct Page<'a, 'v> {
    view: &'a View<'v>,
    /// Name of the skinned mesh.
    mesh: &'a str,
    skinned: &'a SkinnedMesh,
    facts: MeshFacts,
    fields: &'a mut Fields,
    out: &'a mut Vec<Request>,
}

impl Page<'_, '_> {
    fn skeleton(&self) -> &Skeleton {
        &self.skinned.skeleton
    }
}

/// A length in mesh units, with a drag step that suits the mesh.
fn length<'a>(facts: &MeshFacts, label: &'a str, tooltip: &'a str) -> Number<'a> {
    let step = length_step(facts.size);
    Number {
        step,
        decimals: length_decimals(step),
        ..Number::new(label, tooltip)
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "parts of the panel's state, borrowed apart"
)]
/// Properties and, below them, what is done to the whole mesh.
pub fn properties_ui(
    ui: &mut Ui,
    view: &View,
    fields: &mut Fields,
    cache: &mut FactsCache,
    euler: &mut Euler,
    reports: &mut ReportCache,
    working: Option<Working>,
    out: &mut Vec<Request>,
) {
    let selection = view.session.selection();
    let scene = view.session.seen();
    let tab = view.settings.tab;
    fields.set_subject((
        (&selection.mesh, selection.part, &selection.also, tab == Tab::Rig),
        (&selection.instance, &selection.resource),
    ));
    let resource = selection.resource.as_ref().filter(|thing| scene.holds(thing));
    if let (Some(thing), None) = (resource, selection.part)
        && (tab == Tab::Animate || selection.mesh.is_none())
    {
        scroll(ui, |ui| {
            resource::resource_ui(ui, view, thing, fields, euler, out);
            plain_surface_ui(ui, view, fields, cache, out);
        });
        return;
    }
    let chosen = selection
        .mesh
        .as_ref()
        .and_then(|name| scene.skinned_meshes.get_key_value(name));
    let Some((name, skinned)) = chosen else {
        scroll(ui, |ui| match &selection.instance {
            Some(instance) => {
                instance::instance_ui(ui, view, instance, fields, euler, out);
                plain_surface_ui(ui, view, fields, cache, out);
            }
            None => nothing_ui(ui, view, out),
        });
        return;
    };
    let facts = cache.of(skinned);
    egui::Panel::bottom("whole mesh")
        .frame(egui::Frame::new().inner_margin(Margin::symmetric(10, 8)))
        .show(ui, |ui| match tab {
            Tab::Rig => weighing::calculate_ui(ui, view, name, skinned, &facts, fields, working, out),
            Tab::Animate => {
                skinning::skinning_ui(ui, name, skinned, fields, out);
                pose_ui(ui, view, out);
            }
        });
    let mut page = Page {
        view,
        mesh: name,
        skinned,
        facts,
        fields,
        out,
    };
    scroll(ui, |ui| {
        match (selection.part, tab) {
            (Some(Part::Bone(at)), Tab::Rig) => bone::rig_ui(ui, &mut page, at),
            (Some(Part::Bone(at)), Tab::Animate) => bone::animate_ui(ui, &mut page, at),
            (Some(Part::Handle(at)), _) => handle::handle_ui(ui, &mut page, at),
            (Some(Part::Base), Tab::Rig) => skinned::base_ui(ui, &mut page),
            (Some(Part::Base), Tab::Animate) => skinned::offset_ui(ui, &mut page),
            (None, _) => {
                if let Some(instance) = selection.instance.as_ref().filter(|_| tab == Tab::Animate) {
                    instance::instance_ui(ui, view, instance, page.fields, euler, page.out);
                    ui.add_space(theme::GAP);
                    skinned::mesh_ui(ui, &mut page);
                } else {
                    skinned::mesh_ui(ui, &mut page);
                    ui.add_space(theme::SMALL_GAP);
                    resource::name_row(
                        ui,
                        page.fields,
                        &Thing::new(Kind::SkinnedMesh, page.mesh),
                        page.out,
                    );
                    let mesh = (Thing::new(Kind::SkinnedMesh, page.mesh), &page.skinned.surface);
                    surface::surface_ui(ui, view, &mut cache.surface, mesh, page.fields, page.out);
                }
            }
        }
        if tab == Tab::Rig {
            weights::section(ui, &mut page, reports);
        }
    });
}

/// The surface of a plain mesh that is selected.
fn plain_surface_ui(
    ui: &mut Ui,
    view: &View,
    fields: &mut Fields,
    cache: &mut FactsCache,
    out: &mut Vec<Request>,
) {
    let Ok(mesh) = chosen_surface(view) else { return };
    if let Some(found) = view.session.scene().meshes.get(&mesh.name)
        && mesh.kind == Kind::Mesh
    {
        surface::surface_ui(ui, view, &mut cache.surface, (mesh, &found.surface), fields, out);
    }
}

fn scroll(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical()
        .id_salt("properties")
        .auto_shrink(false)
        .show(ui, |ui| {
            egui::Frame::new()
                .inner_margin(Margin {
                    left: 10,
                    right: 10,
                    top: 8,
                    bottom: 8,
                })
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    add(ui);
                });
        });
}

/// Icon and name of what the page is about, over the whole width.
fn heading(ui: &mut Ui, icon: &str, text: &str, kind: &str) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(icon).color(theme::ACCENT).size(theme::HEADING));
        let label = egui::Label::new(RichText::new(short(text)).strong().size(theme::HEADING)).truncate();
        ui.add(label).on_hover_text(kind);
    });
    ui.add_space(theme::SMALL_GAP);
}

fn hint(ui: &mut Ui, text: &str) {
    ui.add_space(theme::SMALL_GAP);
    ui.label(RichText::new(text).color(theme::TEXT_QUIET));
}

/// Buttons side by side, of one width.
fn buttons(ui: &mut Ui, view: &View, actions: &[Action], out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        let gaps = ui.spacing().item_spacing.x * (actions.len() as f32 - 1.0);
        let width = (ui.available_width() - gaps) / actions.len() as f32;
        for action in actions {
            action_button(ui, view, *action, width, out);
        }
    });
}

fn pose_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        action_switch(ui, view, Action::ToggleSolveIk, out);
        let width = ui.available_width();
        action_button(ui, view, Action::ResetPose, width, out);
    });
    if view.settings.solve_ik {
        solver_ui(ui, view.settings.ik_step, out);
    }
}

/// Multiples of the gradient to choose from.
const FIXED_STEPS: [f64; 7] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0];

fn solver_ui(ui: &mut Ui, chosen: ik::Step, out: &mut Vec<Request>) {
    let tooltip = "How the pose that handles pull to is found. Damped least squares take few steps; L-BFGS \
                   follows the gradient of the squared distances and learns its curvature; descent \
                   follows the gradient alone.";
    choice_row(ui, "solver", "Solver", tooltip, chosen.text(), |ui| {
        for step in ik::Step::KINDS {
            let here = step.word() == chosen.word();
            if line_ui(ui, "Solver", step.text(), here) && !here {
                out.push(Request::Solve(step));
            }
        }
    });
    if let ik::Step::Fixed(length) = chosen {
        let tooltip = "Each step turns by this multiple of the gradient, in radians. The solver stops before a \
                       step that leads away from the targets: choose a smaller one then.";
        choice_row(ui, "fixed step", "Step", tooltip, &length.to_string(), |ui| {
            for step in FIXED_STEPS {
                if line_ui(ui, "Step", &step.to_string(), step == length) && step != length {
                    out.push(Request::Solve(ik::Step::Fixed(step)));
                }
            }
        });
    }
}

fn nothing_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    if view.session.scene().skinned_meshes.is_empty() {
        if view.session.scene().meshes.is_empty() {
            hint(
                ui,
                "There is nothing to rig in this scene yet. Import a mesh, or make one with the Add menu.",
            );
            ui.add_space(theme::SMALL_GAP);
            buttons(ui, view, &[Action::Import, Action::Open], out);
        } else {
            hint(
                ui,
                "This scene has no skinned mesh yet. Select one of its meshes under Scene or Resources and give \
                 it a skeleton.",
            );
            ui.add_space(theme::SMALL_GAP);
            buttons(ui, view, &[Action::MakeSkinned, Action::Import], out);
        }
        return;
    }
    hint(
        ui,
        match view.settings.tab {
            Tab::Rig => "Click a skinned mesh in the view or in the list above to work on its skeleton.",
            Tab::Animate => "Click a character in the view or in the list above to pose it.",
        },
    );
}
