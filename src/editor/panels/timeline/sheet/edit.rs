//! What the sheet's actions do: to the selection of keys, to what is seen, to the document.

use super::action::SheetAction;
use super::drag::{Change, KeysDrag, replaced_text};
use super::lines::Line;
use super::time::Scale;
use super::{Hold, SheetState};
use crate::anim::mode::Mode;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, owner, replaced};
use crate::edit::keying;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::ui::list::short;
use crate::io::count::grouped;
use crate::scene::Scene;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Points that the pointer goes for a scale to double where it begins beside the frame it is about.
pub const REACH: f32 = 100.0;

impl SheetState {
    /// Why an action can do nothing now, if so.
    pub(super) fn why_not(&self, action: SheetAction) -> Option<&'static str> {
        let no_rows = self.lines.all().is_empty();
        match action {
            SheetAction::NextMode if self.keys.is_empty() => {
                Some("No key is selected. With the pointer over the view, this shortcut tweens the pose.")
            }
            _ if action.needs_keys() && self.keys.is_empty() => Some("No key is selected."),
            SheetAction::Paste if self.copied.is_empty() => Some("No keys were copied."),
            SheetAction::SelectAll | SheetAction::SelectAtFrame if no_rows => Some("There are no keys."),
            SheetAction::SelectNone if self.keys.is_empty() => Some("No key is selected."),
            _ => None,
        }
    }

    /// `at`: the frame under the pointer.
    pub(super) fn act(
        &mut self,
        view: &View,
        scale: &Scale,
        action: SheetAction,
        at: f32,
        out: &mut Vec<Request>,
    ) {
        let scene = view.session.scene();
        let frame = view.session.frame();
        if let Some(why) = self.why_not(action) {
            if action != SheetAction::SelectNone {
                self.notices.push(format!("{}: {why}", action.text()));
            }
            return;
        }
        let all = self.lines.all().first().map(|line| &line.row);
        match action {
            SheetAction::Move => self.grab(Change::Move { grabbed: 0.0 }, at, true, scale),
            SheetAction::Duplicate => self.grab(Change::Duplicate { grabbed: 0.0 }, at, true, scale),
            SheetAction::Scale => {
                let change = Change::Scale {
                    about: frame,
                    from: at,
                };
                self.grab(change, at, true, scale);
            }
            SheetAction::Snap => {
                let keys = self.keys.keys();
                self.apply(scene, KeyCommand::Snap { keys }, out);
            }
            SheetAction::Copy => self.copied = keying::copy(scene, &self.keys.keys()),
            SheetAction::Cut => {
                self.copied = keying::copy(scene, &self.keys.keys());
                self.delete(scene, out);
            }
            SheetAction::Delete => self.delete(scene, out),
            SheetAction::MakeSmooth => self.set_mode(scene, Mode::Smooth, out),
            SheetAction::MakeLinear => self.set_mode(scene, Mode::Linear, out),
            SheetAction::MakeHold => self.set_mode(scene, Mode::Hold, out),
            SheetAction::NextMode => self.set_mode(scene, self.next_mode(scene), out),
            SheetAction::Paste => self.paste(scene, frame, out),
            SheetAction::SelectAll => {
                let everywhere = f32::NEG_INFINITY..=f32::INFINITY;
                self.keys = self.keys.boxed(scene, as_slice(all), everywhere, false).into();
            }
            SheetAction::SelectAtFrame => {
                self.keys = self.keys.boxed(scene, as_slice(all), frame..=frame, false).into();
                if self.keys.is_empty() {
                    self.notices.push("No row has a key at this frame".into());
                }
            }
            SheetAction::SelectNone => self.keys = Arc::default(),
            SheetAction::SelectColumns => {
                if let Some(all) = all {
                    self.keys = self.keys.columns(scene, all).into();
                }
            }
            SheetAction::Fit => self.time.fit(),
            SheetAction::FitSelected => match self.keys.span() {
                Some(span) => self.time.show(scale, span),
                None => self.time.fit(),
            },
        }
    }

    /// Keys begin to move.
    pub(super) fn grab(&mut self, change: Change, start: f32, by_key: bool, scale: &Scale) {
        let Some(drag) = KeysDrag::new(change, &self.keys, start, by_key) else {
            return;
        };
        self.hold = Some(Hold::Keys(drag));
        self.hold_still(scale);
    }

    /// What is seen stays while something is held, though the clip may become longer.
    pub(super) fn hold_still(&mut self, scale: &Scale) {
        self.refit = self.time.is_fitted();
        self.time.hold(scale);
    }

    /// One step, and a word if it replaces keys.
    fn apply(&mut self, scene: &Scene, command: KeyCommand, out: &mut Vec<Request>) {
        if replaced(scene, &command) > 0 {
            self.notices.push(replaced_text(&command, scene));
        }
        out.push(Request::Apply(vec![Command::Keys(command)]));
    }

    fn set_mode(&mut self, scene: &Scene, mode: Mode, out: &mut Vec<Request>) {
        let keys = self.keys.keys();
        self.notices.push(match self.keys.count() {
            1 => format!("1 key made {}", mode.word()),
            count => format!("{count} keys made {}", mode.word()),
        });
        self.apply(scene, KeyCommand::SetMode { keys, mode }, out);
    }

    /// The one behind that of the selected keys; smooth where they differ.
    fn next_mode(&self, scene: &Scene) -> Mode {
        let keys = self.keys.keys();
        let modes = keys.iter().flat_map(|ChannelKeys { channel, frames }| {
            let found = scene.animation.get(channel);
            let mode = |frame: &f32| found.and_then(|keys| keys.key_mode(*frame));
            frames.iter().filter_map(mode).collect::<Vec<_>>()
        });
        let mut modes: Vec<Mode> = modes.collect();
        // Turns and switches that have no other mode say nothing.
        modes
            .iter_mut()
            .for_each(|mode| *mode = (*mode).max(Mode::Smooth));
        modes.dedup();
        match modes[..] {
            [one] => {
                let at = Mode::CHOICES.iter().position(|mode| *mode == one).unwrap_or(0);
                Mode::CHOICES[(at + 1) % Mode::CHOICES.len()]
            }
            _ => Mode::Smooth,
        }
    }

    fn delete(&mut self, scene: &Scene, out: &mut Vec<Request>) {
        let keys = self.keys.keys();
        self.apply(scene, KeyCommand::Delete { keys }, out);
    }

    fn paste(&mut self, scene: &Scene, frame: f32, out: &mut Vec<Request>) {
        let (command, left_out) = keying::paste(scene, &self.copied, frame);
        if !left_out.is_empty() {
            let names: BTreeSet<String> = left_out
                .iter()
                .map(|channel| short(&owner(channel, scene)))
                .collect();
            let names: Vec<_> = names.into_iter().take(6).collect();
            let count = match left_out.len() {
                1 => "Keys of 1 channel are".to_owned(),
                n => format!("Keys of {} channels are", grouped(n)),
            };
            let names = names.join(", ");
            self.notices.push(format!(
                "{count} left out: the scene does not have them ({names})"
            ));
        }
        let Some(command) = command else { return };
        self.apply(scene, command, out);
    }

    /// All keys of a row, with `extend` besides those that were selected.
    pub(super) fn select_row(&mut self, scene: &Scene, line: usize, extend: bool) {
        let row = self.lines.all().get(line).map(|line: &Line| &line.row);
        let everywhere = f32::NEG_INFINITY..=f32::INFINITY;
        self.keys = self.keys.boxed(scene, as_slice(row), everywhere, extend).into();
    }
}

fn as_slice<T>(one: Option<&T>) -> &[T] {
    one.map_or(&[], std::slice::from_ref)
}
