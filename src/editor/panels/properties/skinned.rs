//! Properties of a skinned mesh as a whole, and of the base of its skeleton.

use super::selected::Selected;
use super::skinning::skinning_ui;
use super::{Page, buttons, hint};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::settings::view::Tab;
use crate::editor::panels::status::counted;
use crate::editor::ui::list::section_ui;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, scalar_row};
use crate::editor::ui::theme;
use crate::rig::property::{BASE, BASE_OFFSET, SKELETON};
use crate::rig::skeleton::{Shape, Skeleton};
use egui::{Id, Ui};

pub fn mesh_ui(ui: &mut Ui, page: &mut Page) {
    let facts = &page.facts;
    let skeleton = page.skeleton();
    fact_row(ui, "Surface", counted(facts.vertices, "vertex", "vertices"));
    fact_row(
        ui,
        "",
        format!("{}, {}", counted(facts.edges, "edge", "edges"), counted(facts.faces, "face", "faces")),
    );
    fact_row(ui, "Skeleton", counted(skeleton.shown_bones().count(), "bone", "bones"));
    fact_row(ui, "", counted(skeleton.handles.len(), "IK handle", "IK handles"));
    if page.view.settings.tab == Tab::Rig {
        skinning_ui(ui, page.mesh, page.skinned, page.fields, page.out);
    }
    let skeleton = page.skeleton();
    hint(
        ui,
        match (page.view.settings.tab, skeleton.bones.is_empty()) {
            (Tab::Rig, true) => {
                "This mesh has no bones yet. Fit skeleton finds them in a body; New bone draws them, one click after the other."
            }
            (Tab::Rig, false) => "Click a bone in the view or in the tree to shape it or to add IK.",
            (Tab::Animate, true) => {
                "This mesh has no bones yet. Fit skeleton finds them in a body; the Rig tab draws them."
            }
            (Tab::Animate, false) => {
                "Drag the ball at the end of a bone to pose its limb; with Shift, the whole body follows."
            }
        },
    );
    let draws = page.view.settings.tab == Tab::Rig;
    let mut actions = Vec::new();
    if skeleton.bones.is_empty() {
        actions.push(Action::FIT_SKELETON);
    }
    if draws {
        actions.push(Action::NEW_BONE);
    }
    if !actions.is_empty() {
        ui.add_space(theme::SMALL_GAP);
        buttons(ui, page.view, &actions, page.out);
    }
}

/// More shapes are folded at first.
const OPEN_SHAPES: usize = 8;

/// Draws the weights of all shapes of the surface.
pub fn shapes_ui(ui: &mut Ui, page: &mut Page) {
    let count = page.skeleton().shapes.len();
    if count == 0 {
        return;
    }
    section_ui(ui, Id::new("shape keys section"), "Shape keys", count <= OPEN_SHAPES, |ui| {
        for shape in 0..count {
            Selected::<Shape>::new(page, shape).shape_ui(ui, page);
        }
    });
}

/// Draws the IK options of the whole character: whether its root moves, and its balance.
pub fn root_ui(ui: &mut Ui, page: &mut Page) {
    let skeleton = page.skeleton();
    if !has_ik(skeleton) {
        return;
    }
    let mut pulling = skeleton.handles.iter().filter(|handle| skeleton.pulls(handle));
    let can_balance = skeleton.root_free && pulling.any(|handle| handle.pinned);
    let chosen = Selected::<Skeleton>::new(page, 0);
    for row in SKELETON {
        match row.info.id {
            "base" | "base_offset" | "ik_prior" => {}
            "balance" if !can_balance => {}
            _ => chosen.row_ui(ui, page, row),
        }
    }
}

fn has_ik(skeleton: &Skeleton) -> bool {
    skeleton.root_free || skeleton.handles.iter().any(|handle| skeleton.pulls(handle))
}

/// Draws how strongly IK keeps the animated pose, if the character has IK.
pub fn prior_ui(ui: &mut Ui, page: &mut Page) {
    let (mesh, skeleton) = (page.mesh, page.skeleton());
    if !has_ik(skeleton) {
        return;
    }
    let number = Number {
        min: 0.0,
        max: f64::from(Skeleton::MAX_PRIOR / Skeleton::WEAK_PRIOR),
        default: 1.0,
        step: 0.1,
        decimals: 1,
        ..Number::new(
            "Pose prior",
            "How strongly IK keeps the animated pose where handles leave a choice. 0: not at all; 1: normally; 10: most.",
        )
    };
    let soft = Some([0.0, number.max]);
    let shown = skeleton.ik_prior / Skeleton::WEAK_PRIOR;
    scalar_row(ui, page.fields, &number, shown, soft, page.out, &|v: f32| {
        let prior = (v * Skeleton::WEAK_PRIOR).clamp(0.0, Skeleton::MAX_PRIOR);
        vec![Command::set_skeleton(mesh.to_owned(), "ik_prior", prior)]
    });
}

pub fn base_ui(ui: &mut Ui, page: &mut Page) {
    Selected::new(page, 0).row_ui(ui, page, BASE);
    ui.add_space(theme::SMALL_GAP);
    if page.view.session.selection().part.is_some() {
        buttons(ui, page.view, &[Action::NEW_BONE], page.out);
    }
}

pub fn offset_ui(ui: &mut Ui, page: &mut Page) {
    Selected::new(page, 0).row_ui(ui, page, BASE_OFFSET);
    let skeleton = page.skeleton();
    if skeleton.root_free && skeleton.handles.iter().any(|handle| skeleton.pulls(handle)) {
        hint(
            ui,
            "Free root is on: IK moves the base back from where it is dragged. Pull the pelvis by a handle instead.",
        );
    }
}
