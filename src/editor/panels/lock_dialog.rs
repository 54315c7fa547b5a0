//! The dialog of Lock in place: up to which frame, and how softly.

use super::bone_dialogs::{number_row, take_keys};
use crate::edit::action::lock::{LockTimes, lock, lockable, out_of_reach};
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::ui::dialog::{accented, modal, tall};
use crate::editor::ui::theme;
use egui::{Context, DragValue, Key, Layout, RichText};

/// What it holds while it is open, and the blend that was chosen last.
pub struct LockDialog {
    open: bool,
    /// The last frame; when it opens, the last of the play range up to which it can stay.
    until: Option<u32>,
    blend: u32,
    /// For how long it would be locked, and when it cannot stay then.
    missed: Option<(LockTimes, Vec<[u32; 2]>)>,
}

impl Default for LockDialog {
    fn default() -> Self {
        Self {
            open: false,
            until: None,
            blend: 3,
            missed: None,
        }
    }
}

impl LockDialog {
    pub fn ask(&mut self) {
        (self.open, self.until, self.missed) = (true, None, None);
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
    let here = frame.ceil() as u32;
    let mut until = state.until.unwrap_or_else(|| {
        let until = clip.played()[1].max(here);
        reachable(view, here, until, state.blend)
    });
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter));
    let mut cancelled = false;
    let what = match bones[..] {
        [only] => skinned.skeleton.bone_name(only),
        _ => format!("{} bones", bones.len()),
    };
    let mut times = None;
    let shown = modal("lock dialog").show(ctx, |ui| {
        ui.set_width(340.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("Lock {what} in place"));
        ui.add_space(theme::GAP);
        let last = DragValue::new(&mut until)
            .range(here..=clip.last_frame().max(here))
            .speed(0.2);
        let first = number_row(ui, "Until frame", last, "The last frame at which it is held.");
        take_keys(!opened, &first);
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
        // Not in each frame of a drag.
        if let Ok(commands) = &commands
            && !ui.input(|i| i.pointer.any_down())
            && state.missed.as_ref().is_none_or(|(times, _)| *times != chosen)
        {
            state.missed = Some((chosen, out_of_reach(view, commands, chosen)));
        }
        let missed = state.missed.as_ref().filter(|(times, _)| *times == chosen);
        let missed = missed.map_or(&[][..], |(_, missed)| missed);
        let text = match &commands {
            Ok(_) if !missed.is_empty() => RichText::new(format!(
                "It cannot stay where it is at {}: it is out of reach there, and drifts. End the lock earlier, or move the body nearer.",
                ranges(missed)
            ))
            .color(theme::WARNING),
            Ok(_) => RichText::new(format!(
                "It stays where it is at frame {frame}, whatever the body does, and blends in and out."
            ))
            .color(theme::TEXT_QUIET),
            Err(why_not) => RichText::new(why_not.clone()).color(theme::WARNING),
        };
        ui.add_space(theme::SMALL_GAP);
        ui.label(text);
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add_enabled(commands.is_ok(), accented("Lock")).clicked();
            cancelled = ui.add(tall("Cancel")).clicked();
        });
        times = commands.ok();
    });
    state.until = Some(until);
    if let Some(commands) = times.filter(|_| accepted && !cancelled) {
        out.push(Request::Apply(commands));
        state.open = false;
    }
    if cancelled || shown.should_close() {
        state.open = false;
    }
}

/// The last frame up to which it can stay where it is, or this one.
fn reachable(view: &View, here: u32, until: u32, blend: u32) -> u32 {
    let times = LockTimes { until, blend };
    let missed = lock(view, times).map(|commands| out_of_reach(view, &commands, times));
    match missed.as_deref() {
        Ok([[first, _], ..]) => first.saturating_sub(1).max(here),
        _ => until,
    }
}

/// “frames 5 to 9 and 12”.
fn ranges(frames: &[[u32; 2]]) -> String {
    let range = |[first, last]: &[u32; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let ranges: Vec<String> = frames.iter().map(range).collect();
    let word = match frames {
        [[first, last]] if first == last => "frame",
        _ => "frames",
    };
    format!("{word} {}", ranges.join(" and "))
}
