//! Properties of a skinned mesh as a whole, and of the base of its skeleton.

use super::skinning::skinning_ui;
use super::{Page, buttons, hint, length};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::Tab;
use crate::edit::time::key_state;
use crate::edit::time::keying::part_channels;
use crate::editor::panels::status::counted;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, scalar_row, value_row, vector_row};
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::skeleton::Skeleton;
use egui::Ui;

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
                "This mesh has no bones yet. New bone draws them into it, one click after the other."
            }
            (Tab::Rig, false) => "Click a bone in the view or in the tree to shape it or to add IK.",
            (Tab::Animate, true) => "This mesh has no bones yet. They are added in the Rig tab.",
            (Tab::Animate, false) => "Click a bone to rotate it, or drag a handle to pull a limb.",
        },
    );
    if page.view.settings.tab == Tab::Rig {
        ui.add_space(theme::SMALL_GAP);
        buttons(ui, page.view, &[Action::NEW_BONE], page.out);
    }
}

/// Draws the IK options of the whole character: whether its root moves, and its balance.
pub fn root_ui(ui: &mut Ui, page: &mut Page) {
    let (mesh, skeleton) = (page.mesh, page.skeleton());
    let (mut free, mut balance) = (skeleton.root_free, skeleton.balance);
    if !has_ik(skeleton) {
        return;
    }
    let mut pulling = skeleton.handles.iter().filter(|handle| skeleton.pulls(handle));
    let can_balance = skeleton.root_free && pulling.any(|handle| handle.pinned);
    let set = |command| Request::Apply(vec![command]);
    let tip = "IK may move the base offset, so that the body follows hands and feet: then pull the pelvis by a handle, not by the base. When off, the base stays where you put it.";
    let tick = value_row(ui, |ui| ui.checkbox(&mut free, "Free root"));
    if tick.tip(tip).changed() {
        page.out.push(set(Command::set_skeleton(mesh.to_owned(), "root_free", free)));
    }
    let tip = "IK keeps the centre of mass over the pinned feet, or as near to it as in the animated pose, and the trunk as upright as the hands allow: a character that reaches for the floor bends its knees and does not fall over.";
    if can_balance {
        let tick = value_row(ui, |ui| ui.checkbox(&mut balance, "Balance"));
        if tick.tip(tip).changed() {
            page.out.push(set(Command::set_skeleton(mesh.to_owned(), "balance", balance)));
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
    let tip = "How strongly IK keeps the animated pose where handles leave a choice. 0: not at all; 1: normally; 10: most.";
    let number = Number {
        min: 0.0,
        max: f64::from(Skeleton::MAX_PRIOR / Skeleton::WEAK_PRIOR),
        default: 1.0,
        step: 0.1,
        decimals: 1,
        ..Number::new("Pose prior", tip)
    };
    let soft = Some([0.0, number.max]);
    let shown = skeleton.ik_prior / Skeleton::WEAK_PRIOR;
    scalar_row(ui, page.fields, &number, shown, soft, page.out, &|v: f32| {
        let prior = (v * Skeleton::WEAK_PRIOR).clamp(0.0, Skeleton::MAX_PRIOR);
        vec![Command::set_skeleton(mesh.to_owned(), "ik_prior", prior)]
    });
}

pub fn base_ui(ui: &mut Ui, page: &mut Page) {
    let mesh = page.mesh;
    let base = length(&page.facts, "Base", "Where the root bones start. The whole skeleton moves along.");
    vector_row(ui, page.fields, "Base", &base, page.skinned.skeleton.base, page.out, &|base| {
        vec![Command::set_skeleton(mesh.to_owned(), "base", base)]
    });
    ui.add_space(theme::SMALL_GAP);
    if page.view.session.selection().part.is_some() {
        buttons(ui, page.view, &[Action::NEW_BONE], page.out);
    }
}

pub fn offset_ui(ui: &mut Ui, page: &mut Page) {
    let mesh = page.mesh;
    let channels = part_channels(mesh, page.skeleton(), Part::Base);
    let offset = Number {
        keyed: key_state::state(page.view.session, &channels),
        muted: key_state::muted_components(page.view.session, &channels),
        ..length(&page.facts, "Offset", "Moves the whole skeleton in the current pose.")
    };
    let value = page.skinned.skeleton.base_offset;
    vector_row(ui, page.fields, "Offset", &offset, value, page.out, &|base_offset| {
        vec![Command::set_skeleton(mesh.to_owned(), "base_offset", base_offset)]
    });
    let skeleton = page.skeleton();
    if skeleton.root_free && skeleton.handles.iter().any(|handle| skeleton.pulls(handle)) {
        hint(
            ui,
            "Free root is on: IK moves the base back from where it is dragged. Pull the pelvis by a handle instead.",
        );
    }
}
