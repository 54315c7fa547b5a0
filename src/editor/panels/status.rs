//! The bar at the bottom: what the mouse does now, what is selected, how IK fares, how much there is.

use super::messages::{Level, Messages};
use super::progress::{Working, working_ui};
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::{Tab, View};
use crate::editor::ui::digits::shown;
use crate::editor::ui::{icons, list, theme};
pub use crate::io::count::{counted, grouped};
use crate::rig::ik::{End, TaskKind, TaskResult};
use crate::rig::skeleton::Skeleton;
use crate::scene::evaluate::Posed;
use egui::{Align, Button, Label, Layout, RichText, Ui, WidgetInfo, WidgetType};

pub fn status_ui(
    ui: &mut Ui,
    view: &View,
    hint: &str,
    working: Option<Working>,
    messages: &mut Messages,
    out: &mut Vec<Request>,
) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP * 2.0;
            ui.label(quiet(&counts(view)));
            messages_button(ui, messages);
            if let Some(working) = working {
                working_ui(ui, working, out);
            }
            if let Some((text, reached)) = ik_state(view) {
                let color = if reached {
                    theme::TEXT_QUIET
                } else {
                    theme::WARNING
                };
                ui.label(RichText::new(text).color(color).small());
            }
            if let Some(text) = selection_summary(view) {
                ui.add(Label::new(RichText::new(text).small()).truncate());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(quiet(hint)).truncate());
            });
        });
    });
}

fn quiet(text: &str) -> RichText {
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
    let label = if level == Level::Info {
        "New messages"
    } else {
        "New warnings"
    };
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label));
    let count = grouped(messages.unseen_problems());
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_value(count));
    if response.on_hover_text("Show messages").clicked() {
        messages.open = true;
    }
}

/// "Hand.L of Human", "Human_instance", or nothing.
pub fn selection_summary(view: &View) -> Option<String> {
    let selection = view.session.selection();
    let scene = view.session.animated();
    if let (Some(name), Some(part)) = (&selection.mesh, selection.part) {
        let skeleton = &scene.skinned_meshes.get(name)?.skeleton;
        let count = 1 + selection.others.len();
        let what = match part {
            Part::Bone(bone) if count > 1 => {
                format!("{} and {} more", skeleton.bone_name(bone), grouped(count - 1))
            }
            Part::Bone(bone) => skeleton.bone_name(bone),
            Part::Handle(handle) => skeleton.handle_name(handle),
            Part::Pole(handle) => skeleton.pole_name(handle),
            Part::Base => "Base".into(),
        };
        return Some(format!("{} {}", icons::of_part(part), list::short(&what)));
    }
    match (view.settings.tab, &selection.instance, &selection.mesh) {
        (Tab::Animate, Some(instance), _) | (Tab::Rig, Some(instance), None) => Some(format!(
            "{} {}",
            icons::of_kind(instance.kind),
            list::short(&instance.name)
        )),
        (_, _, Some(mesh)) => Some(format!("{} {}", icons::SKINNED_MESH, list::short(mesh))),
        _ => None,
    }
}

/// How far the tip of the bone of a handle that pulls to a place is from its target, in skeleton units, as seen.
pub fn tip_distance(posed: &Posed, handle: usize) -> Option<f64> {
    let handle = posed.skeleton.handles.get(handle)?;
    if handle.look_at.is_some() {
        return None;
    }
    let bone = posed.skeleton.bones.get(handle.bone as usize)?;
    let tip = posed
        .current
        .get(handle.bone as usize)?
        .transform_point3(bone.extent.as_dvec3());
    Some(tip.distance(handle.target.as_dvec3()))
}

/// What IK makes of the chosen mesh, and whether every enabled handle is reached.
pub fn ik_state(view: &View) -> Option<(String, bool)> {
    if view.settings.tab != Tab::Animate {
        return None;
    }
    let posed = view
        .evaluated
        .skinned
        .get(view.session.selection().mesh.as_ref()?)?;
    let skeleton = &posed.skeleton;
    if !skeleton.handles.iter().any(|handle| skeleton.pulls(handle)) {
        return None;
    }
    if !view.settings.solve_ik {
        return Some(("IK is off".into(), true));
    }
    let outcome = posed.ik.as_ref()?;
    Some(match outcome.end {
        End::Reached => ("IK reached".into(), true),
        End::OutOfReach => (format!("IK {}", missed(skeleton, &outcome.tasks)), false),
        End::Unfinished => (
            format!("IK not finished, {}", missed(skeleton, &outcome.tasks)),
            false,
        ),
    })
}

/// What is left of the tasks that are not done, the worst of each kind: "hand.L 0.25 short, head turned 12° off".
fn missed(skeleton: &Skeleton, tasks: &[TaskResult]) -> String {
    let kinds = [
        (TaskKind::Position, "", " short"),
        (TaskKind::Orientation, "turned ", "° off"),
        (TaskKind::LookAt, "looks ", "° past"),
        (TaskKind::Pole, "bent ", "° off its pole"),
    ];
    let worst = kinds.into_iter().filter_map(|(kind, before, after)| {
        let missed = tasks.iter().filter(|task| task.task == kind && !task.reached);
        let worst = missed.max_by(|a, b| a.error.total_cmp(&b.error))?;
        let bone = skeleton.handles.get(worst.handle)?.bone;
        let name = list::short(&skeleton.bone_name(bone as usize));
        let decimals = if kind == TaskKind::Position { 3 } else { 1 };
        Some(format!("{name} {before}{}{after}", shown(worst.error, decimals)))
    });
    let worst: Vec<String> = worst.collect();
    match worst.is_empty() {
        true => "0 short".into(),
        false => worst.join(", "),
    }
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
