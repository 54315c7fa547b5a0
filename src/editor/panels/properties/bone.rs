//! Properties of a bone: its shape and bind pose in Rig, its turn in Animate.

use super::{Page, buttons, heading, length};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::editor::ui::digits::shown;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, scalar_row, slider_rows, text_row, vector_row};
use crate::editor::ui::{icons, theme};
use egui::{RichText, Ui};
use glam::Vec3;

const TURN: [f64; 2] = [-180.0, 180.0];

pub fn rig_ui(ui: &mut Ui, page: &mut Page, at: usize) {
    let skinned = page.skinned;
    let Some(bone) = skinned.skeleton.bones.get(at) else {
        return;
    };
    let name = skinned.skeleton.bone_name(at);
    heading(ui, icons::BONE, &name, "Bone");

    let mesh = || page.mesh.to_owned();
    let facts = page.facts;
    let (fields, out) = (&mut *page.fields, &mut *page.out);
    let own = bone.name.as_deref().unwrap_or("");
    text_row(ui, fields, "Name", &format!("bone {at}"), own, out, &|name| {
        vec![Command::SetBoneName {
            mesh: mesh(),
            bone: at,
            name,
        }]
    });
    let parent = bone.parent.map(|p| skinned.skeleton.bone_name(p as usize));
    fact_row(
        ui,
        "Parent",
        theme::NAME_WIDTH,
        parent.unwrap_or_else(|| "None, starts at the base".into()),
    );

    let extent = length(
        &facts,
        "Extent",
        "From the bone's start to its tip. Its children move along.",
    );
    vector_row(ui, fields, "Extent", &extent, bone.extent, out, &|extent| {
        vec![Command::SetExtent {
            mesh: mesh(),
            bone: at,
            extent,
        }]
    });
    let roll = Number::degrees("Roll", "Turns the bone's own x and z axes about the bone.");
    scalar_row(ui, fields, &roll, bone.roll_deg, Some(TURN), out, &|roll_deg| {
        vec![Command::SetRoll {
            mesh: mesh(),
            bone: at,
            roll_deg,
        }]
    });
    let radius = Number {
        min: 0.0,
        default: 0.5,
        ..length(
            &facts,
            "Radius",
            "How far the bone reaches when weights are calculated.",
        )
    };
    let reach = round_up(facts.size / 4.0);
    scalar_row(
        ui,
        fields,
        &radius,
        bone.radius,
        Some([0.0, reach]),
        out,
        &|radius| {
            vec![Command::SetRadius {
                mesh: mesh(),
                bone: at,
                radius,
            }]
        },
    );
    pose_rows(
        ui,
        page,
        at,
        bone.pose_deg,
        "The bone's turn about its own axes. Seen in the Animate tab.",
    );
    ui.add_space(theme::SMALL_GAP);
    buttons(
        ui,
        page.view,
        &[Action::NewBone, Action::AddIk, Action::Delete],
        page.out,
    );
}

/// The next 1, 2 or 5 times a power of ten: a slider's end that does not creep.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * power)
        .into_iter()
        .find(|v| *v >= value)
        .unwrap_or(value)
}

pub fn animate_ui(ui: &mut Ui, page: &mut Page, at: usize) {
    let skinned = page.skinned;
    let Some(bone) = skinned.skeleton.bones.get(at) else {
        return;
    };
    heading(ui, icons::BONE, &skinned.skeleton.bone_name(at), "Bone");
    pose_rows(
        ui,
        page,
        at,
        bone.pose_deg,
        "The bone's turn about its own axes: first x, then y, then z.",
    );
    let solved = page.view.evaluated.skinned.get(page.mesh);
    let solved = solved
        .and_then(|posed| posed.skeleton.bones.get(at))
        .map(|bone| bone.pose_deg);
    if let Some(pose) = solved.filter(|pose| page.view.settings.solve_ik && differs(*pose, bone.pose_deg)) {
        let angles = pose.to_array().map(|angle| shown(f64::from(angle), 1)).join(", ");
        ui.label(RichText::new(format!("With IK {angles}")).color(theme::TEXT_QUIET))
            .on_hover_text("The angles that the handles turn this bone to, in degrees");
    }
    ui.add_space(theme::SMALL_GAP);
    buttons(ui, page.view, &[Action::ResetBonePose, Action::AddIk], page.out);
}

/// By more than what one decimal shows.
fn differs(a: Vec3, b: Vec3) -> bool {
    (a - b).abs().max_element() > 0.05
}

fn pose_rows(ui: &mut Ui, page: &mut Page, bone: usize, pose_deg: Vec3, tooltip: &str) {
    let mesh = page.mesh;
    let pose = Number::degrees("Pose", tooltip);
    slider_rows(
        ui,
        page.fields,
        "Pose",
        &pose,
        pose_deg,
        TURN,
        page.out,
        &|pose_deg| {
            vec![Command::SetPose {
                mesh: mesh.to_owned(),
                bone,
                pose_deg,
            }]
        },
    );
}

#[cfg(test)]
mod tests {
    use super::round_up;

    #[test]
    fn slider_ends_are_round() {
        assert_eq!(round_up(0.3), 0.5);
        assert_eq!(round_up(1.0), 1.0);
        assert!((round_up(0.07) - 0.1).abs() < 1e-12);
        assert_eq!(round_up(6.0), 10.0);
    }
}
