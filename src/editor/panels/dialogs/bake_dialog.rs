//! The Bake IK dialog: the frames to bake, and whether the handles stay enabled.

use crate::anim::clip::Clip;
use crate::edit::action::pose::can_bake;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::bake::Bake;
use crate::editor::panels::dialogs::bone_dialogs::{focus_and_select, number_row, row};
use crate::editor::panels::status::counted;
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::ik;
use egui::{Checkbox, Context, DragValue, Key, Layout, RichText};

/// The state of the dialog.
#[derive(Default)]
pub struct BakeDialog {
    open: bool,
    /// The first and the last frame; `None` stands for the played range until the dialog has been shown.
    frames: Option<[u32; 2]>,
    keep_handles: bool,
}

impl BakeDialog {
    pub fn open(&mut self) {
        (self.open, self.frames) = (true, None);
    }

    pub fn is_open(&self) -> bool {
        self.open
    }
}

pub fn bake_dialog_ui(ctx: &Context, view: &View, state: &mut BakeDialog, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    let Ok(mesh) = can_bake(view) else {
        state.open = false;
        return;
    };
    let clip = view.session.scene().animation.clip;
    let opened = state.frames.is_none();
    let mut frames = state.frames.unwrap_or(clip.play_range());
    // A number field keeps the keyboard until Enter, and then has its new value.
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let shown = modal("bake dialog").show(ctx, |ui| {
        ui.set_width(340.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("Bake IK of {}", shorten(&mesh)));
        ui.add_space(theme::GAP);
        let first = number_row(ui, "Start frame", frame_field(&mut frames[0], &clip), "The first frame that gets keys.");
        focus_and_select(!opened, &first);
        number_row(ui, "End frame", frame_field(&mut frames[1], &clip), "The last frame that gets keys.");
        row(ui, "", |ui| {
            let text = "Keep handles enabled";
            let tooltip = "When off, handles are disabled after baking, and the keys that enable them are deleted.";
            ui.add(Checkbox::new(&mut state.keep_handles, text))
                .tip(tooltip);
        });
        let text = if frames[0] <= frames[1] { RichText::new(format!(
                "Inserts a key at each of {} for the bones that handles move, and replaces the keys they have there.",
                counted((frames[1] - frames[0]) as usize + 1, "frame", "frames")
            ))
            .color(theme::TEXT_QUIET) } else { RichText::new("The first frame must not come after the last.").color(theme::WARNING) };
        ui.add_space(theme::SMALL_GAP);
        ui.label(text);
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add_enabled(frames[0] <= frames[1], main_dialog_button("Bake")).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
    });
    state.frames = Some(frames);
    if accepted && !cancelled && frames[0] <= frames[1] {
        out.push(Request::Bake(Bake {
            mesh,
            frames,
            ik: ik::Options { step: view.settings.ik_step, ..ik::Options::default() },
            disable_handles: !state.keep_handles,
        }));
        state.open = false;
    }
    if cancelled || is_dismissed(&shown) {
        state.open = false;
    }
}

fn frame_field<'a>(frame: &'a mut u32, clip: &Clip) -> DragValue<'a> {
    DragValue::new(frame).range(0..=clip.last_frame()).speed(0.2)
}
