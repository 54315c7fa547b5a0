//! Properties of a bone: its shape in Rig, its pose in Animate.

use super::joint;
use super::selected::Selected;
use super::{Page, buttons, hint};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::pose::children::Children;
use crate::editor::ui::action::action_switch;
use crate::editor::ui::digits::display_number;
use crate::editor::ui::list::section_ui;
use crate::editor::ui::row::{fact_row, text_row, value_row};
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::property::{BONE, Info, POSE, Property, PropertyValue};
use crate::rig::skeleton::Bone;
use egui::{Id, RichText, Ui};
use glam::Vec3;

pub fn rig_ui(ui: &mut Ui, page: &mut Page, index: usize) {
    let skinned = page.skinned;
    let Some(bone) = skinned.skeleton.bones.get(index) else {
        return;
    };
    let chosen = Selected::<Bone>::new(page, index);
    if chosen.indices.len() == 1 {
        let name = bone.name.as_deref().unwrap_or("");
        text_row(ui, page.fields, "Name", &bone.number_name(), name, page.out, &|name| {
            vec![Command::SetBoneName { mesh: page.mesh.to_owned(), bone: index, name }]
        });
    }
    fact_row(ui, "Parent", chosen.parent());
    rows_ui(ui, page, &chosen, Place::Rig);
    ui.add_space(theme::SMALL_GAP);
    buttons(ui, page.view, &[Action::NEW_BONE, Action::ADD_IK], page.out);
    super::bone_actions::bone_actions_ui(ui, page);
    joint_ui(ui, page, &chosen);
}

pub fn animate_ui(ui: &mut Ui, page: &mut Page, index: usize) {
    let skinned = page.skinned;
    let Some(bone) = skinned.skeleton.bones.get(index) else {
        return;
    };
    let chosen = Selected::<Bone>::new(page, index);
    rows_ui(ui, page, &chosen, Place::Animate);
    let solved = page.view.evaluated.skinned.get(page.mesh);
    let solved = solved.and_then(|posed| posed.skeleton.bones.get(index)).map(|bone| bone.pose_deg);
    let solved = solved.filter(|_| chosen.indices.len() == 1);
    if let Some(pose) = solved.filter(|pose| page.view.settings.solve_ik && differs(*pose, bone.pose_deg)) {
        let angles = pose.to_array().map(|angle| display_number(f64::from(angle), 1)).join(", ");
        ui.label(RichText::new(format!("With IK {angles}")).color(theme::TEXT_QUIET))
            .tip("The angles that IK gives this bone, in degrees");
    }
    ui.add_space(theme::SMALL_GAP);
    buttons(ui, page.view, &[Action::RESET_BONE_POSE, Action::PIN], page.out);
    buttons(ui, page.view, &[Action::ADD_IK, Action::ADD_LIMB_IK], page.out);
    buttons(ui, page.view, &[Action::ADD_BODY_IK], page.out);
    joint_ui(ui, page, &chosen);
}

/// Whether two poses differ by more than rounding to one decimal, in degrees.
fn differs(a: Vec3, b: Vec3) -> bool {
    (a - b).abs().max_element() > 0.05
}

/// Draws the rows of the joint in a section, which is folded at first.
fn joint_ui(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>) {
    section_ui(ui, Id::new("joint section"), "Joint", false, |ui| {
        rows_ui(ui, page, chosen, Place::Joint);
    });
}

/// Where a row is drawn.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Rig,
    Animate,
    Joint,
    /// Where it is chosen: the other side by an action, a lock in the list of influences.
    Elsewhere,
}

impl Place {
    fn of_row(info: &Info) -> Self {
        match info.id {
            "limits" | "stiffness" | "preferred" => Self::Joint,
            "mirror_of" | "lock_weights" => Self::Elsewhere,
            "hidden" => Self::Joint,
            "lock_transform" => Self::Animate,
            _ if info.channel.is_some() => Self::Animate,
            _ => Self::Rig,
        }
    }
}

/// Draws the rows of a place in the order of the table.
fn rows_ui(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>, place: Place) {
    for row in BONE.iter().filter(|row| Place::of_row(&row.info) == place) {
        match row.info.id {
            "extent" => extent_rows(ui, page, chosen, row),
            "pose" => pose_rows(ui, page, chosen),
            "translation" | "scale"
                if chosen.parts().all(|bone| bone.lock_transform && bone.is_unmoved()) => {}
            "limits" => joint::limit_rows(ui, page, chosen),
            "preferred" => joint::preferred_rows(ui, page, chosen),
            _ => chosen.row_ui(ui, page, row),
        }
    }
}

fn extent_rows(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>, row: &'static Property<Bone>) {
    let children = page.view.settings.tools.children;
    let mut drawn = chosen.row(page, row);
    drawn.number.tooltip = match children {
        Children::Stay => "From the bone's head to its tail. The tails of its children stay.",
        Children::Along => "From the bone's head to its tail. Its children move along.",
    };
    drawn.ui(ui, page.euler, page.fields, page.out, &|i, extent| match extent {
        PropertyValue::Vec3(extent) => {
            vec![children.extent_command(chosen.mesh.to_owned(), chosen.indices[i], extent)]
        }
        _ => Vec::new(),
    });
    value_row(ui, |ui| action_switch(ui, page.view, Action::TOGGLE_CHILDREN, page.out));
}

fn pose_rows(ui: &mut Ui, page: &mut Page, chosen: &Selected<Bone>) {
    let mut drawn = chosen.row(page, POSE);
    // Several bones may have different limits; each is clamped to its own.
    if let [only] = chosen.indices[..] {
        let limits = chosen.now[only].limits_deg;
        drawn.number.ranges = limits.0.map(|range| range.map(|range| range.map(f64::from)));
    }
    drawn.ui(ui, page.euler, page.fields, page.out, &|i, pose| match pose {
        PropertyValue::Vec3(pose_deg) => {
            let limits = chosen.now[chosen.indices[i]].limits_deg;
            vec![chosen.set(i, POSE.info.id, limits.clamp(pose_deg))]
        }
        _ => Vec::new(),
    });
    let poses = chosen.values(|bone| bone.pose_deg);
    let [low, high] = chosen.now[chosen.indices[chosen.active]].limits_deg.bounds();
    let at_limit = |axis: &usize| {
        let angle = poses.current[poses.active][*axis];
        angle <= low[*axis] || angle >= high[*axis]
    };
    let ends = (0..3).filter(at_limit).filter(|axis| low[*axis] < high[*axis]);
    let ends = ends.map(|axis| {
        let angle = poses.current[poses.active][axis];
        let limit = if angle <= low[axis] { low[axis] } else { high[axis] };
        format!("{} {}°", theme::AXIS_NAMES[axis], display_number(f64::from(limit), 1))
    });
    let ends: Vec<String> = ends.collect();
    if !ends.is_empty() {
        ui.label(RichText::new(format!("At its limit: {}", ends.join(", "))).color(theme::WARNING));
    }
    let locked: Vec<_> = (0..3).filter(|axis| low[*axis] == high[*axis]).collect();
    if !locked.is_empty() {
        let names: Vec<_> = locked.iter().map(|axis| theme::AXIS_NAMES[*axis]).collect();
        hint(ui, &format!("Locked by its limits: {}", names.join(", ")));
    }
}
