//! Properties of the selection, by tab: bind pose and shape in Rig, current pose in Animate.

mod bone;
mod bone_actions;
mod brush;
mod euler;
mod handle;
mod handle_tasks;
mod heading;
mod instance;
mod joint;
mod motion;
mod resource;
mod rows;
mod selected;
mod skinned;
mod skinning;
mod surface;
mod transform;
mod vertices;
mod weights;
pub mod weights_panel;

use super::mesh_stats::{FactsCache, MeshFacts, ReportCache, length_decimals, length_step};
use super::progress::JobProgress;
use crate::edit::action::{Action, selected_surface};
use crate::edit::request::Request;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::edit::tool::ToolOptions;
use crate::editor::ui::action::{action_button, action_switch};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::digits::{display_number, parse};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::list::{advanced_ui, scroll};
use crate::editor::ui::number::{Number, name_ui};
use crate::editor::ui::row::value_row;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::ik;
use crate::rig::joints::Joint;
use crate::rig::skeleton::Skeleton;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::skinned::SkinnedMesh;
use egui::{DragValue, Margin, RichText, Ui, vec2};
use euler::Euler;
use std::ops::RangeInclusive;
use std::sync::Arc;
use surface::SurfaceState;

/// The context of a page of properties: the selected skinned mesh, and the output for requests.
struct Page<'a, 'v> {
    view: &'a View<'v>,
    /// The name of the skinned mesh.
    mesh: &'a str,
    skinned: &'a SkinnedMesh,
    facts: MeshFacts,
    euler: &'a Euler,
    fields: &'a mut Fields,
    out: &'a mut Vec<Request>,
}

impl Page<'_, '_> {
    fn skeleton(&self) -> &Skeleton {
        &self.skinned.skeleton
    }
}

/// Returns a number field for a length in mesh units, with a drag step that suits the size of the mesh.
fn length<'a>(facts: &MeshFacts, label: &'a str, tooltip: &'a str) -> Number<'a> {
    let step = length_step(facts.size);
    Number { step, decimals: length_decimals(step), ..Number::new(label, tooltip) }
}

/// The state of the panel between frames.
#[derive(Default)]
pub struct PropertiesState {
    euler: Euler,
    facts: FactsCache,
    pub(super) surface: SurfaceState,
    pub reports: ReportCache,
    /// The options of the active tool.
    pub tool: Option<ToolOptions>,
    /// The joints outside the surface, for the active skeleton in the Rig tab.
    pub outside_joints: Option<Arc<Vec<Joint>>>,
    /// The height of the controls for the whole mesh when they were last unfolded, in points, by tab.
    whole: [Option<f32>; 2],
    /// The height that the page of the selection needed in the last frame, in points.
    part: f32,
}

/// The largest share of the panel's height that the controls for the whole mesh take.
const WHOLE_SHARE: f32 = 0.45;

/// The height of those controls while they are folded, with their margins, in points.
const FOLDED: f32 = theme::ROW + 20.0;

/// The subject of the panel.
enum Subject<'a> {
    Resource(&'a ObjectRef),
    Mesh(&'a str, &'a SkinnedMesh),
    Instance(&'a InstanceRef),
    Nothing,
}

impl<'a> Subject<'a> {
    fn from_view(view: &View<'a>) -> Self {
        let (selection, scene) = (view.session.selection(), view.session.animated());
        let resource = selection.resource.as_ref().filter(|object| scene.contains(object));
        if let (Some(object), None) = (resource, selection.part)
            && (view.settings.tab == Tab::Animate || selection.mesh.is_none())
        {
            return Self::Resource(object);
        }
        let mesh = selection.mesh.as_ref();
        let mesh = mesh.and_then(|name| scene.skinned_meshes.get_key_value(name));
        match (mesh, &selection.instance) {
            (Some((name, skinned)), _) => Self::Mesh(name, skinned),
            (None, Some(instance)) => Self::Instance(instance),
            (None, None) => Self::Nothing,
        }
    }
}

/// Draws the heading, the page of the selection, and below it the controls for the whole mesh.
pub fn properties_ui(
    ui: &mut Ui,
    view: &View,
    fields: &mut Fields,
    state: &mut PropertiesState,
    job: Option<JobProgress>,
    out: &mut Vec<Request>,
) {
    let PropertiesState { euler, facts, surface, reports, tool, outside_joints, whole, part } = state;
    let selection = view.session.selection();
    let tab = view.settings.tab;
    fields.set_subject((
        (&selection.mesh, selection.part, &selection.others, tab == Tab::Rig),
        (&selection.instance, &selection.resource),
    ));
    let subject = Subject::from_view(view);
    let paints = matches!(tool, Some(ToolOptions::Brush(_)));
    heading::heading_ui(ui, view, &subject, paints, out);
    let (name, skinned) = match subject {
        Subject::Mesh(name, skinned) => (name, skinned),
        other => {
            let room = ui.available_height();
            page(ui, room, |ui| match other {
                Subject::Resource(object) => {
                    resource::resource_ui(ui, view, object, fields, euler, out);
                    plain_surface_ui(ui, view, fields, surface, out);
                }
                Subject::Instance(instance) => {
                    instance::instance_ui(ui, view, instance, fields, euler, out);
                    plain_surface_ui(ui, view, fields, surface, out);
                }
                _ => nothing_ui(ui, view),
            });
            return;
        }
    };
    let facts = facts.get(skinned);
    let mut page_of_mesh = Page { view, mesh: name, skinned, facts, euler, fields, out };
    if let Some(ToolOptions::Brush(note)) = tool {
        let room = ui.available_height();
        page(ui, room, |ui| brush::brush_ui(ui, &mut page_of_mesh, note));
        return;
    }
    // Neither the selection nor folding moves the controls for the whole mesh, except that folded ones leave the page
    // above the room that it needs.
    let most = ui.available_height() * WHOLE_SHARE;
    let whole = &mut whole[usize::from(tab == Tab::Animate)];
    let height = whole.unwrap_or(most).min(most);
    let height = match tab == Tab::Animate || weights::is_unfolded(ui) {
        true => height,
        false => height.min((ui.available_height() - *part).max(FOLDED)),
    };
    let is_unfolded = |ui: &Ui| tab == Tab::Animate || weights::is_unfolded(ui);
    let was_unfolded = is_unfolded(ui);
    let mut need = None;
    egui::Panel::bottom("whole mesh").frame(egui::Frame::new()).resizable(false).exact_size(height).show(
        ui,
        |ui| {
            need = Some(page(ui, height, |ui| match tab {
                Tab::Rig => {
                    let outside = outside_joints.as_ref().map(|joints| joints.as_slice());
                    weights::weights_ui(ui, &mut page_of_mesh, reports, outside, job);
                }
                Tab::Animate => character_ui(ui, &mut page_of_mesh),
            }));
        },
    );
    if need != *whole && was_unfolded && is_unfolded(ui) {
        *whole = need;
        ui.ctx().request_repaint();
    }
    let room = ui.available_height();
    let needed = page(ui, room, |ui| {
        if !selection.vertices.is_empty() {
            vertices::vertices_ui(ui, &mut page_of_mesh);
        }
        part_ui(ui, &mut page_of_mesh, surface);
    });
    if std::mem::replace(part, needed) != needed {
        ui.ctx().request_repaint();
    }
}

/// Draws the properties of the selected part of a skinned mesh, or of the mesh itself.
fn part_ui(ui: &mut Ui, page: &mut Page, surface: &mut SurfaceState) {
    let (view, selection) = (page.view, page.view.session.selection());
    let tab = view.settings.tab;
    match (selection.part, tab) {
        (Some(Part::Bone(index)), Tab::Rig) => bone::rig_ui(ui, page, index),
        (Some(Part::Bone(index)), Tab::Animate) => bone::animate_ui(ui, page, index),
        (Some(Part::Handle(index) | Part::Pole(index)), _) => handle::handle_ui(ui, page, index),
        (Some(Part::Base), Tab::Rig) => skinned::base_ui(ui, page),
        (Some(Part::Base), Tab::Animate) => skinned::offset_ui(ui, page),
        (None | Some(Part::Shape(_)), _) => {
            if let Some(instance) = selection.instance.as_ref().filter(|_| tab == Tab::Animate) {
                instance::instance_ui(ui, view, instance, page.fields, page.euler, page.out);
                ui.add_space(theme::GAP);
                skinned::mesh_ui(ui, page);
            } else {
                let object = ObjectRef::new(Kind::SkinnedMesh, page.mesh);
                resource::name_row(ui, page.fields, &object, page.out);
                skinned::mesh_ui(ui, page);
                ui.add_space(theme::SMALL_GAP);
                let mesh = (object, &page.skinned.surface);
                surface::surface_ui(ui, view, surface, mesh, page.fields, page.out);
            }
        }
    }
}

/// Draws the surface properties of the selected plain mesh.
fn plain_surface_ui(
    ui: &mut Ui,
    view: &View,
    fields: &mut Fields,
    state: &mut SurfaceState,
    out: &mut Vec<Request>,
) {
    let Ok(mesh) = selected_surface(view) else { return };
    if let Some(found) = view.session.scene().meshes.get(&mesh.name)
        && mesh.kind == Kind::Mesh
    {
        surface::surface_ui(ui, view, state, (mesh, &found.surface), fields, out);
    }
}

/// Draws rows with a margin, at most `room` points high, and returns the height that they need.
fn page(ui: &mut Ui, room: f32, add: impl FnOnce(&mut Ui)) -> f32 {
    ui.push_id("page", |ui| {
        scroll(ui, "properties", room, |ui| {
            let margin = Margin::symmetric(10, 8);
            egui::Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_width(ui.available_width());
                add(ui);
            });
        })
    })
    .inner
}

fn hint(ui: &mut Ui, text: &str) {
    ui.add_space(theme::SMALL_GAP);
    ui.label(RichText::new(text).color(theme::TEXT_QUIET));
}

/// Draws buttons of equal width side by side.
fn buttons(ui: &mut Ui, view: &View, actions: &[Action], out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        // Long texts in a narrow panel.
        ui.spacing_mut().button_padding.x = theme::SMALL_GAP;
        let gaps = ui.spacing().item_spacing.x * (actions.len() as f32 - 1.0);
        let width = (ui.available_width() - gaps) / actions.len() as f32;
        for action in actions {
            action_button(ui, view, *action, width, out);
        }
    });
}

/// Draws the controls for the motion of the whole character.
fn character_ui(ui: &mut Ui, page: &mut Page) {
    let view = page.view;
    skinning::skinning_ui(ui, page.mesh, page.skinned, page.fields, page.out);
    weights_panel::sliders(ui, page.mesh, page.skinned, page.fields, page.out);
    motion::motion_ui(ui, page);
    skinned::shapes_ui(ui, page);
    if view.settings.solve_ik {
        skinned::root_ui(ui, page);
    }
    let out = &mut *page.out;
    value_row(ui, |ui| action_switch(ui, view, Action::TOGGLE_SOLVE_IK, out));
    action_button(ui, view, Action::RESET_POSE, ui.available_width(), out);
    if view.settings.solve_ik {
        advanced_ui(ui, "IK", |ui| {
            skinned::prior_ui(ui, page);
            solver_ui(ui, view.settings.ik_step, page.out);
        });
    }
}

/// The range of the step length, in multiples of the gradient.
const FIXED_STEPS: RangeInclusive<f64> = 1e-6..=100.0;

fn solver_ui(ui: &mut Ui, chosen: ik::Step, out: &mut Vec<Request>) {
    let tooltip = "How the pose that handles pull to is found. Damped least squares takes few steps and \
                   supports all goals of handles; gradient descent only takes tails to their targets.";
    choice_row(ui, "solver", "Solver", tooltip, chosen.text(), |ui| {
        for step in ik::Step::KINDS {
            let selected = step.word() == chosen.word();
            if line_ui(ui, "Solver", step.text(), selected) && !selected {
                out.push(Request::Solve(step));
            }
        }
    });
    if let ik::Step::Fixed(length) = chosen {
        let tooltip = "Each step turns by this multiple of the gradient, in radians. The solver stops before a \
                       step that leads away from the targets: choose a smaller value then.";
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
            let id = ui.id().with("fixed step");
            name_ui(ui, id, "Step").tip(tooltip);
            let mut step = length;
            let number = DragValue::new(&mut step)
                .range(FIXED_STEPS)
                .speed(length * 0.02)
                .max_decimals(6)
                .custom_formatter(|step, _| display_number(step, 6))
                .custom_parser(parse);
            setting_ui(ui, "Step", tooltip, vec2(ui.available_width(), theme::ROW), number);
            if step != length {
                out.push(Request::Solve(ik::Step::Fixed(step)));
            }
        });
    }
}

fn nothing_ui(ui: &mut Ui, view: &View) {
    let scene = view.session.animated();
    if scene.instances.all().is_empty() && scene.meshes.is_empty() && scene.skinned_meshes.is_empty() {
        return hint(ui, "This scene is empty.");
    }
    hint(
        ui,
        match view.settings.tab {
            Tab::Rig => "Click a skinned mesh in the list at the left to work on its skeleton.",
            Tab::Animate => "Click a character in the view or in the list at the left to pose it.",
        },
    );
}
