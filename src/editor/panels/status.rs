//! The status bar: mouse controls, selection, state of IK, and number of vertices and bones.

use super::messages::{Level, Messages};
use super::progress::{JobProgress, job_ui};
use crate::edit::request::Request;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::options::Drawing;
use crate::edit::settings::view::{Tab, View};
use crate::editor::ui::digits::display_number;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, list, theme};
pub use crate::io::count::{counted, grouped};
use crate::rig::ik::chain::chain;
use crate::rig::ik::{End, TaskKind, TaskResult};
use crate::rig::skeleton::Skeleton;
use crate::scene::evaluate::Posed;
use egui::{Align, Button, Label, Layout, RichText, Ui, WidgetInfo, WidgetType};

pub fn status_ui(
    ui: &mut Ui,
    view: &View,
    hint: &str,
    job: Option<JobProgress>,
    fast_drawing: bool,
    messages: &mut Messages,
    out: &mut Vec<Request>,
) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP * 2.0;
            ui.label(quiet_text(&counts(view)));
            if fast_drawing {
                fast_drawing_ui(ui, view);
            }
            messages_button(ui, messages);
            if let Some(job) = job {
                job_ui(ui, job, out);
            }
            if let Some((text, reached)) = ik_state(view) {
                let color = if reached { theme::TEXT_QUIET } else { theme::WARNING };
                ui.label(RichText::new(text).color(color).small());
            }
            if let Some(text) = selection_summary(view) {
                ui.add(Label::new(RichText::new(text).small()).truncate());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(quiet_text(hint)).truncate());
            });
        });
    });
}

/// Says that edges are not smooth, and why.
fn fast_drawing_ui(ui: &mut Ui, view: &View) {
    let why = match view.settings.options.drawing {
        Drawing::Automatic => "There is no graphics card: the processor draws, without smooth edges.",
        _ => "Edges are not smoothed.",
    };
    let label = ui.label(quiet_text("Fast drawing"));
    label.on_hover_text(format!("{why} Edit > Preferences > Drawing changes that."));
}

fn quiet_text(text: &str) -> RichText {
    RichText::new(text).color(theme::TEXT_QUIET).small()
}

fn messages_button(ui: &mut Ui, messages: &mut Messages) {
    let worst = messages.worst_unseen();
    let Some(level) = worst else { return };
    let (icon, color) = level.icon_and_color();
    let text = match messages.unseen_problems() {
        0 => icon.to_owned(),
        count => format!("{icon} {}", grouped(count)),
    };
    let text = RichText::new(text).color(color).small();
    let response = ui.add(Button::new(text).frame(false));
    let label = if level == Level::Info { "New messages" } else { "New warnings" };
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label));
    let count = grouped(messages.unseen_problems());
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(count));
    if response.tip("Show messages").clicked() {
        messages.open = true;
    }
}

/// The icon and name of the selection: "Hand.L", "Hand.L and 2 more" or "Human_instance"; `None` if nothing
/// is selected.
pub fn selection_summary(view: &View) -> Option<String> {
    let selection = view.session.selection();
    let scene = view.session.animated();
    if let (Some(name), Some(part)) = (&selection.mesh, selection.part) {
        let skeleton = &scene.skinned_meshes.get(name)?.skeleton;
        let count = 1 + selection.others.len();
        let name = match part {
            Part::Bone(bone) if count > 1 => {
                format!("{} and {} more", skeleton.bone_name(bone), grouped(count - 1))
            }
            Part::Bone(bone) => skeleton.bone_name(bone),
            Part::Handle(handle) => skeleton.handle_name(handle),
            Part::Pole(handle) => skeleton.pole_name(handle),
            Part::Base => "Base".into(),
            Part::Shape(shape) => skeleton.shape_name(shape),
        };
        return Some(format!("{} {}", icons::for_part(part), list::shorten(&name)));
    }
    match (view.settings.tab, &selection.instance, &selection.mesh) {
        (Tab::Animate, Some(instance), _) | (Tab::Rig, Some(instance), None) => {
            Some(format!("{} {}", icons::for_kind(instance.kind), list::shorten(&instance.name)))
        }
        (_, _, Some(mesh)) => Some(format!("{} {}", icons::SKINNED_MESH, list::shorten(mesh))),
        _ => None,
    }
}

/// The distance between the tip of a handle's bone and its target in the current pose, in skeleton units;
/// `None` for look-at handles.
pub fn tip_distance(posed: &Posed, handle: usize) -> Option<f64> {
    let handle = posed.skeleton.handles.get(handle)?;
    if handle.look_at.is_some() {
        return None;
    }
    let bone = posed.skeleton.bones.get(handle.bone as usize)?;
    let tip = posed.current.get(handle.bone as usize)?.transform_point3(bone.extent.as_dvec3());
    Some(tip.distance(handle.target.as_dvec3()))
}

/// The result of IK for the selected mesh, and whether every enabled handle reaches its target.
pub fn ik_state(view: &View) -> Option<(String, bool)> {
    if view.settings.tab != Tab::Animate {
        return None;
    }
    let posed = view.evaluated.skinned.get(view.session.selection().mesh.as_ref()?)?;
    let skeleton = &posed.skeleton;
    if !skeleton.handles.iter().any(|handle| skeleton.pulls(handle)) {
        return None;
    }
    if !view.settings.solve_ik {
        return Some(("IK is off".into(), true));
    }
    let outcome = posed.ik.as_ref()?;
    let errors = || errors_text(skeleton, view.session.selection(), &outcome.tasks);
    Some(match outcome.end {
        End::Reached => ("IK reached".into(), true),
        End::OutOfReach => (format!("IK {}", errors()), false),
        End::Unfinished => (format!("IK not finished, {}", errors()), false),
    })
}

/// An error of the selection that is at least this part of the worst one is named instead of it. With symmetry, the two
/// sides are equally far off, but for what is left by the solver.
const AS_BAD: f64 = 0.9;

/// Describes the remaining errors of unfinished tasks, the worst of each kind: "hand.L 0.25 short, head
/// turned 12° off". What is selected comes before others that are as bad.
fn errors_text(skeleton: &Skeleton, selection: &Selection, tasks: &[TaskResult]) -> String {
    let is_active = |task: &&TaskResult| {
        let turns = |bone| chain(skeleton, &skeleton.handles[task.handle]).any(|turned| turned == bone);
        selection.handle() == Some(task.handle) || selection.bone().is_some_and(turns)
    };
    let worst = TaskKind::ALL.into_iter().filter_map(|kind| {
        let [before, after] = kind.words().brief;
        let unfinished = || {
            let of_handles = tasks.iter().filter(|task| task.handle < skeleton.handles.len());
            of_handles.filter(|task| task.task == kind && !task.reached)
        };
        let by_error = |a: &&TaskResult, b: &&TaskResult| a.error.total_cmp(&b.error);
        let worst = unfinished().max_by(by_error)?;
        let active = unfinished().filter(is_active).max_by(by_error);
        let worst = active.filter(|active| active.error >= AS_BAD * worst.error).unwrap_or(worst);
        let bone = skeleton.handles.get(worst.handle)?.bone;
        let name = list::shorten(&skeleton.bone_name(bone as usize));
        let decimals = if kind == TaskKind::Position { 3 } else { 1 };
        let error = display_number(worst.error, decimals);
        // A limb that is out of reach misses its pole by next to nothing.
        (kind == TaskKind::Position || error != "0").then(|| format!("{name} {before}{error}{after}"))
    });
    let worst: Vec<String> = worst.collect();
    if worst.is_empty() { "0 short".into() } else { worst.join(", ") }
}

fn counts(view: &View) -> String {
    let scene = view.session.animated();
    let chosen = view.session.selection().mesh.as_ref();
    let chosen = chosen.and_then(|name| scene.skinned_meshes.get(name));
    let (vertices, bones) = match chosen {
        Some(mesh) => (mesh.surface.vertex_count(), mesh.skeleton.shown_bones().count()),
        None => {
            let skinned = scene.skinned_meshes.values();
            let of_skinned: usize = skinned.clone().map(|mesh| mesh.surface.vertex_count()).sum();
            let others = scene.meshes.values();
            let of_others: usize = others.map(|mesh| mesh.surface.vertex_count()).sum();
            let bones = skinned.map(|mesh| mesh.skeleton.shown_bones().count()).sum();
            (of_skinned + of_others, bones)
        }
    };
    let vertices = counted(vertices, "vertex", "vertices");
    format!("{vertices}, {}", counted(bones, "bone", "bones"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Handle};

    #[test]
    fn of_two_sides_that_are_equally_short_the_active_one_is_named() {
        let bone = |name: &str, parent| Bone { name: Some(name.into()), parent, ..Bone::default() };
        let handle = |bone| Handle { bone, ..Handle::default() };
        let skeleton = Skeleton {
            bones: vec![bone("trunk", None), bone("hand.L", Some(0)), bone("hand.R", Some(0))],
            handles: vec![handle(1), handle(2)],
            ..Skeleton::default()
        };
        let text = |part, errors: [f64; 2]| {
            let task =
                |(handle, error)| TaskResult { handle, task: TaskKind::Position, error, reached: false };
            let tasks: Vec<_> = errors.into_iter().enumerate().map(task).collect();
            errors_text(&skeleton, &Selection { part, ..Selection::default() }, &tasks)
        };
        let equal = [0.25, 0.2501];
        for part in [Part::Handle(0), Part::Pole(0), Part::Bone(1)] {
            assert_eq!(text(Some(part), equal), "hand.L 0.25 short", "{part:?}");
        }
        for part in [Some(Part::Handle(1)), Some(Part::Bone(2)), Some(Part::Bone(0)), None] {
            assert_eq!(text(part, equal), "hand.R 0.25 short", "{part:?}");
        }
        assert_eq!(text(Some(Part::Handle(0)), [0.01, 0.3]), "hand.R 0.3 short", "others that are worse");
    }
}
