//! Properties of a bone: its shape in Rig, its pose in Animate.

use super::joint::joint_ui;
use super::selected_bones::SelectedBones;
use super::{Page, buttons, hint, length};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::pose::children::Children;
use crate::edit::select::selection::Part;
use crate::edit::time::key_state;
use crate::edit::time::keying::part_channels;
use crate::editor::ui::action::action_switch;
use crate::editor::ui::digits::{display_number, round_step};
use crate::editor::ui::mixed_value::{mixed_scalar_row, mixed_vector_rows};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, text_row, value_row};
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::limits::Limits;
use egui::{RichText, Ui};
use glam::Vec3;

/// The range of the angle sliders, in degrees.
const ANGLE_RANGE: [f64; 2] = [-180.0, 180.0];

pub fn rig_ui(ui: &mut Ui, page: &mut Page, index: usize) {
    let skinned = page.skinned;
    let Some(bone) = skinned.skeleton.bones.get(index) else {
        return;
    };
    let chosen = SelectedBones::new(page, index);

    let mesh = || page.mesh.to_owned();
    let facts = page.facts;
    let (fields, out) = (&mut *page.fields, &mut *page.out);
    if chosen.bones.len() == 1 {
        let name = bone.name.as_deref().unwrap_or("");
        text_row(ui, fields, "Name", &bone.number_name(), name, out, &|name| {
            vec![Command::SetBoneName { mesh: mesh(), bone: index, name }]
        });
    }
    fact_row(ui, "Parent", chosen.parent());

    let extent = length(
        &facts,
        "Extent",
        match page.view.settings.children {
            Children::Stay => "From the bone's head to its tail. The tails of its children stay.",
            Children::Along => "From the bone's head to its tail. Its children move along.",
        },
    );
    let children = page.view.settings.children;
    let extents = chosen.values(|b| b.extent);
    mixed_vector_rows(ui, fields, "Extent", &extent, &extents, None, out, &|i, extent| {
        let (mesh, bone) = (mesh(), chosen.bones[i]);
        children.extent_command(mesh, bone, extent)
    });
    value_row(ui, |ui| action_switch(ui, page.view, Action::TOGGLE_CHILDREN, out));
    let roll = Number::degrees("Roll", "Turns the bone's own x and z axes about the bone.");
    let rolls = chosen.values(|b| b.roll_deg);
    mixed_scalar_row(ui, fields, &roll, &rolls, Some(ANGLE_RANGE), out, &|i, roll_deg| {
        let (mesh, bone) = (mesh(), chosen.bones[i]);
        Command::set_bone(mesh, bone, "roll", roll_deg)
    });
    let radius = Number {
        min: 0.0,
        default: 0.5,
        ..length(&facts, "Radius", "How far the bone reaches when weights are calculated.")
    };
    let soft = Some([0.0, round_step(facts.size / 4.0)]);
    let radii = chosen.values(|b| b.radius);
    mixed_scalar_row(ui, fields, &radius, &radii, soft, out, &|i, radius| {
        let (mesh, bone) = (mesh(), chosen.bones[i]);
        Command::set_bone(mesh, bone, "radius", radius)
    });
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
    let chosen = SelectedBones::new(page, index);
    let tooltip = "The bone's rotation about its own axes: first x, then y, then z.";
    pose_rows(ui, page, &chosen, tooltip);
    let solved = page.view.evaluated.skinned.get(page.mesh);
    let solved = solved.and_then(|posed| posed.skeleton.bones.get(index)).map(|bone| bone.pose_deg);
    let solved = solved.filter(|_| chosen.bones.len() == 1);
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

fn pose_rows(ui: &mut Ui, page: &mut Page, chosen: &SelectedBones, tooltip: &str) {
    let mesh = page.mesh;
    let parts = chosen.bones.iter().map(|bone| Part::Bone(*bone));
    let channels = parts.flat_map(|part| part_channels(mesh, chosen.skeleton, part));
    let channels: Vec<_> = channels.collect();
    // Several bones may have different limits; `set` clamps each to its own.
    let limits = match chosen.bones[..] {
        [only] => chosen.skeleton.bones[only].limits_deg,
        _ => Limits::default(),
    };
    let pose = Number {
        ranges: limits.0.map(|range| range.map(|range| range.map(f64::from))),
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted_components(page.view.session, &channels),
        ..Number::degrees("Pose", tooltip)
    };
    let poses = chosen.values(|b| b.pose_deg);
    let set = |i: usize, pose_deg| {
        let bone = chosen.bones[i];
        Command::set_bone(
            mesh.to_owned(),
            bone,
            "pose",
            chosen.skeleton.bones[bone].limits_deg.clamp(pose_deg),
        )
    };
    mixed_vector_rows(ui, page.fields, "Pose", &pose, &poses, Some(ANGLE_RANGE), page.out, &set);
    let [low, high] = chosen.skeleton.bones[chosen.bones[chosen.active]].limits_deg.bounds();
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
