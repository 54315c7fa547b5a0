//! Dialogs of the Bone menu, for actions that need a number or a choice. They emit requests and change
//! nothing themselves.

use crate::edit::action::limits::{self, Poses};
use crate::edit::action::{Dialog, Reason, bone};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::choice::option_ui;
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::io::count::counted;
use crate::math::axis::Axis;
use crate::rig::edits::roll::RollTo;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, DragValue, Key, Layout, Response, RichText, Ui, vec2};

/// The dialog that is open, and the values that were chosen last.
pub struct BoneDialogs {
    /// [`Dialog::SplitBones`], [`Dialog::ScaleRadius`], [`Dialog::AlignRoll`] or [`Dialog::LimitsFromPose`].
    open: Option<Dialog>,
    /// Whether the number field has been given the keyboard focus.
    focused: bool,
    pieces: usize,
    factor: f32,
    own_axis: OwnAxis,
    axis: Axis,
    poses: Poses,
    /// Degrees.
    margin: f32,
}

#[derive(Clone, Copy, PartialEq)]
enum OwnAxis {
    X,
    Z,
}

impl Default for BoneDialogs {
    fn default() -> Self {
        Self {
            open: None,
            focused: false,
            pieces: 2,
            factor: 1.25,
            own_axis: OwnAxis::Z,
            axis: Axis::Z,
            poses: Poses::Current,
            margin: 5.0,
        }
    }
}

impl BoneDialogs {
    pub fn open(&mut self, dialog: Dialog) {
        (self.open, self.focused) = (Some(dialog), false);
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

pub fn bone_dialogs_ui(ctx: &Context, view: &View, state: &mut BoneDialogs, out: &mut Vec<Request>) {
    let Some(dialog) = state.open else { return };
    let count = bone::count(dialog, view);
    let subject = match count {
        1 => "bone".to_owned(),
        _ => counted(count, "bone", "bones"),
    };
    let (title, verb) = match dialog {
        Dialog::SplitBones => (format!("Split {subject}"), "Split"),
        Dialog::ScaleRadius => (format!("Scale radius of {subject}"), "Scale"),
        Dialog::LimitsFromPose => (format!("Set limits of {subject}"), "Set"),
        _ => (format!("Align roll of {subject}"), "Align"),
    };
    let limits = match dialog {
        Dialog::LimitsFromPose => limits::from_poses(view, state.poses, state.margin),
        _ => Ok(Vec::new()),
    };
    // The number field keeps the keyboard until Enter, and then has its new value.
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let shown = modal("bone dialog").show(ctx, |ui| {
        ui.set_width(300.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(title);
        ui.add_space(theme::GAP);
        match dialog {
            Dialog::SplitBones => pieces_ui(ui, state),
            Dialog::ScaleRadius => factor_ui(ui, state),
            Dialog::LimitsFromPose => limits_ui(ui, state, &limits),
            _ => axes_ui(ui, state),
        }
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add(main_dialog_button(verb)).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
    });
    if accepted && !cancelled {
        let commands = match dialog {
            Dialog::SplitBones => bone::split(view, state.pieces),
            Dialog::ScaleRadius => bone::scale_radius(view, state.factor),
            Dialog::LimitsFromPose => limits::from_poses(view, state.poses, state.margin),
            _ => bone::align_roll(
                view,
                match state.own_axis {
                    OwnAxis::X => RollTo::X(state.axis),
                    OwnAxis::Z => RollTo::Z(state.axis),
                },
            ),
        };
        // The dialog is modal, so the selection is the same as when it opened.
        let commands = commands.unwrap_or_default();
        if !commands.is_empty() {
            out.push(Request::Apply(commands));
        }
    }
    if accepted || cancelled || is_dismissed(&shown) {
        state.open = None;
    }
}

fn pieces_ui(ui: &mut Ui, state: &mut BoneDialogs) {
    let number = DragValue::new(&mut state.pieces).range(2..=64).speed(0.05);
    let response = number_row(ui, "Pieces", number, "Number of pieces per bone, 2 to 64.");
    focus_and_select(state.focused, &response);
    state.focused = true;
    quiet_label(ui, "Children and handles stay on the last piece.");
}

fn factor_ui(ui: &mut Ui, state: &mut BoneDialogs) {
    let number = DragValue::new(&mut state.factor).range(0.01..=100.0).speed(0.005).max_decimals(3);
    let response = number_row(ui, "Factor", number, "The factor for each radius.");
    focus_and_select(state.focused, &response);
    state.focused = true;
    quiet_label(ui, "Weights change when they are calculated again.");
}

fn limits_ui(ui: &mut Ui, state: &mut BoneDialogs, limits: &Result<Vec<Command>, Reason>) {
    row(ui, "From", |ui| {
        for (poses, text, tip) in [
            (
                Poses::Current,
                "Current pose",
                "The pose as it is now. Existing limits grow to include it, so that poses can be added one after \
                 the other.",
            ),
            (Poses::Keys, "Keys", "All keyed poses of the bones, replacing the limits they have."),
        ] {
            if option_ui(ui, state.poses == poses, text, &format!("From {text}"), tip, 96.0) {
                state.poses = poses;
            }
        }
    });
    let number = DragValue::new(&mut state.margin).range(0.0..=90.0).speed(0.1).max_decimals(1).suffix("°");
    let tip = "How far the bones may turn beyond these poses and the bind pose.";
    let response = number_row(ui, "Margin", number, tip);
    focus_and_select(state.focused, &response);
    state.focused = true;
    let bones = |commands: &Vec<Command>| {
        let set = counted(commands.len(), "bone gets", "bones get");
        format!("{set} new limits.")
    };
    quiet_label(ui, &limits.as_ref().map_or_else(ToString::to_string, bones));
}

fn axes_ui(ui: &mut Ui, state: &mut BoneDialogs) {
    row(ui, "Own axis", |ui| {
        for (axis, text) in [(OwnAxis::X, "x"), (OwnAxis::Z, "z")] {
            let tip = "The bone's own axis to align.";
            if option_ui(ui, state.own_axis == axis, text, &format!("Own {text}"), tip, 48.0) {
                state.own_axis = axis;
            }
        }
    });
    row(ui, "Points along", |ui| {
        for axis in Axis::ALL {
            let (text, tip) = (axis.name(), "The axis of the mesh to align it with.");
            if option_ui(ui, state.axis == axis, text, &format!("Along {text}"), tip, 48.0) {
                state.axis = axis;
            }
        }
    });
    quiet_label(ui, "Approximate: the axis stays perpendicular to the bone.");
}

pub(in crate::editor::panels) fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.allocate_ui(vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.label(name);
        });
        add(ui);
    });
}

pub(in crate::editor::panels) fn number_row(
    ui: &mut Ui,
    name: &str,
    number: DragValue,
    tooltip: &str,
) -> Response {
    let mut shown = None;
    row(ui, name, |ui| {
        let size = vec2(ui.available_width(), theme::ROW);
        shown = Some(setting_ui(ui, &format!("{name} field"), tooltip, size, number));
    });
    shown.unwrap_or_else(|| ui.response())
}

/// Focuses the number field and selects its text, so that typing replaces it; does nothing if `focused`.
pub(in crate::editor::panels) fn focus_and_select(focused: bool, response: &Response) {
    if focused {
        return;
    }
    response.request_focus();
    let (ctx, id) = (&response.ctx, response.id);
    let mut edit = TextEditState::load(ctx, id).unwrap_or_default();
    // Longer than any number here; positions beyond the end are ignored.
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(32));
    edit.cursor.set_char_range(Some(all));
    edit.store(ctx, id);
}

fn quiet_label(ui: &mut Ui, text: &str) {
    ui.add_space(theme::SMALL_GAP);
    ui.label(RichText::new(text).color(theme::TEXT_QUIET));
}
