//! The Lock in place dialog: the last frame, and how many frames it blends in and out.

use crate::edit::action::lock::{LockTimes, lock, lockable, out_of_reach};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::dialogs::bone_dialogs::{focus_and_select, number_row};
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::theme;
use egui::{Context, DragValue, Key, Layout, RichText};

/// The state of the dialog; the blend is kept for the next time.
pub struct LockDialog {
    open: bool,
    /// The last frame; it starts as the last of the play range that the locked bones can reach.
    until: Option<u32>,
    /// The first frame of the play range that they cannot reach, before which it starts.
    missed: Option<u32>,
    blend: u32,
    /// The times that were checked last, and the ranges of frames in which the locked bones are out of reach.
    unreachable: Option<(LockTimes, Vec<[u32; 2]>)>,
}

impl Default for LockDialog {
    fn default() -> Self {
        Self { open: false, until: None, missed: None, blend: 3, unreachable: None }
    }
}

impl LockDialog {
    pub fn open(&mut self) {
        (self.open, self.until, self.unreachable) = (true, None, None);
    }

    pub fn is_open(&self) -> bool {
        self.open
    }
}

pub fn lock_dialog_ui(ctx: &Context, view: &View, state: &mut LockDialog, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    let Ok((_, skinned, bones)) = lockable(view) else {
        state.open = false;
        return;
    };
    let clip = view.session.scene().animation.clip;
    let frame = view.session.frame();
    let opened = state.until.is_none();
    let current = frame.ceil() as u32;
    let mut until = state.until.unwrap_or_else(|| {
        let until = clip.play_range()[1].max(current);
        state.missed = first_missed(view, current, until, state.blend);
        state.missed.map_or(until, |missed| missed.saturating_sub(1).max(current))
    });
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let subject = match bones[..] {
        [only] => skinned.skeleton.bone_name(only),
        _ => format!("{} bones", bones.len()),
    };
    let mut locking = None;
    let shown = modal("lock dialog").show(ctx, |ui| {
        ui.set_width(340.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("Lock {subject} in place"));
        ui.add_space(theme::GAP);
        let last = DragValue::new(&mut until)
            .range(current..=clip.last_frame().max(current))
            .speed(0.2);
        let first = number_row(ui, "Until frame", last, "The last frame of the lock.");
        focus_and_select(!opened, &first);
        let blend = DragValue::new(&mut state.blend).range(1..=100).speed(0.1);
        number_row(
            ui,
            "Blend",
            blend,
            "The number of frames over which it blends in and out.",
        );
        let chosen = LockTimes {
            until,
            blend: state.blend,
        };
        let commands = lock(view, chosen);
        // Not in every frame of a drag, since it takes time.
        if let Ok(commands) = &commands
            && !ui.input(|i| i.pointer.any_down())
            && state.unreachable.as_ref().is_none_or(|(locking, _)| *locking != chosen)
        {
            state.unreachable = Some((chosen, out_of_reach(view, commands, chosen)));
        }
        let unreachable = state.unreachable.as_ref().filter(|(locking, _)| *locking == chosen);
        let unreachable = unreachable.map_or(&[][..], |(_, frames)| frames);
        let text = match &commands {
            Ok(_) if !unreachable.is_empty() => RichText::new(format!(
                "It cannot stay where it is at {}: it is out of reach there, and drifts. End the lock earlier, or move the body nearer.",
                ranges(unreachable)
            ))
            .color(theme::WARNING),
            Ok(_) => {
                let end = match state.missed {
                    Some(missed) if missed == until + 1 => format!(" At frame {missed} it is out of reach."),
                    _ => String::new(),
                };
                RichText::new(format!(
                    "It stays where it is at frame {frame}, whatever the body does, and blends in and out.{end}"
                ))
                .color(theme::TEXT_QUIET)
            }
            Err(reason) => RichText::new(reason.clone()).color(theme::WARNING),
        };
        ui.add_space(theme::SMALL_GAP);
        ui.label(text);
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add_enabled(commands.is_ok(), main_dialog_button("Lock")).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
        locking = commands.ok();
    });
    state.until = Some(until);
    if let Some(commands) = locking.filter(|_| accepted && !cancelled) {
        out.push(Request::Apply(commands));
        state.open = false;
    }
    if cancelled || is_dismissed(&shown) {
        state.open = false;
    }
}

/// Returns the first frame up to `until` at which the locked bones are out of reach.
fn first_missed(view: &View, current: u32, until: u32, blend: u32) -> Option<u32> {
    let times = LockTimes { until, blend };
    let unreachable = lock(view, times).map(|commands| out_of_reach(view, &commands, times)).ok()?;
    unreachable.first().map(|[first, _]| (*first).max(current))
}

/// Lists ranges of frames: “frames 5 to 9 and 12”.
fn ranges(frames: &[[u32; 2]]) -> String {
    let range = |[first, last]: &[u32; 2]| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let ranges: Vec<String> = frames.iter().map(range).collect();
    let word = match frames {
        [[first, last]] if first == last => "frame",
        _ => "frames",
    };
    format!("{word} {}", ranges.join(" and "))
}
