//! Moving keys to other frames or other values: a transaction that results in one undo step, or none if cancelled. Keys that
//! would be replaced are counted while dragging, and never lost silently.

use super::drag_pointer::DragPointer;
use crate::anim::blends::Blend;
use crate::anim::clip::Clip;
use crate::anim::filters::Filter;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, are_all, has_ranges, replaced};
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::time::timeline::KeySelection;
use crate::edit::time::{key_values, keying};
use crate::edit::tool::numeric::{DragKey, NumericInput};
use crate::io::count::counted;
use crate::scene::Scene;
use egui::CursorIcon;
use std::sync::Arc;

/// The last frame at which a key may be.
const LAST: f32 = (Clip::MAX_LENGTH - 1) as f32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Moves keys; the one at `grabbed` snaps to marks and whole frames, the others keep their distance.
    Move { grabbed: f32 },
    /// Moves copies of the keys; the keys themselves stay.
    Duplicate { grabbed: f32 },
    /// Scales frames about `pivot`, so that `grabbed` follows the pointer.
    Scale { pivot: f32, grabbed: f32 },
    /// Changes one component of the values by the same amount; Ctrl snaps the `grabbed` value to multiples of `step`.
    Value { component: usize, grabbed: f32, step: f32, unit: &'static str },
    /// Scales one component of the values about `pivot`, so that the value under the pointer follows it; with Ctrl by tenths.
    /// Nearer to the pivot than `step`, the distance of the pointer counts.
    ScaleValue { component: usize, pivot: f32, step: f32, unit: &'static str },
    /// Blends values, all components or one: by nothing up to all over the reach of the pointer.
    Blend { blend: Blend, component: Option<usize> },
}

impl Change {
    fn is_scale(self) -> bool {
        matches!(self, Self::Scale { .. } | Self::ScaleValue { .. })
    }
}

pub struct KeysDrag {
    pub(super) change: Change,
    /// The keys selected at the start of the drag.
    base: Arc<KeySelection>,
    /// The first and the last frame of the keys.
    span: [f32; 2],
    /// The frame and the value under the pointer at the start.
    start: [f32; 2],
    /// Whether it was started by a shortcut: no button is down, and a click ends it.
    pub by_key: bool,
    /// The offset in frames or of values, or the factor.
    pub(super) amount: f32,
    /// The frame at which keys stop, if they would move beyond it.
    pub(super) stop: Option<f32>,
    /// Whether snapping to whole frames is off.
    fine: bool,
    /// A typed number, which overrides the pointer.
    pub(super) typed: NumericInput,
    previewed: bool,
    /// The number of keys that the last preview replaces.
    pub replaced: usize,
    /// Whether it was cancelled or ended elsewhere; further input is ignored until the button is released.
    pub ended: bool,
}

impl KeysDrag {
    /// Starts a drag at a frame and value; `None` if no key is selected.
    pub fn new(change: Change, base: &Arc<KeySelection>, start: [f32; 2], by_key: bool) -> Option<Self> {
        Some(Self {
            span: base.span()?,
            amount: if change.is_scale() { 1.0 } else { 0.0 },
            stop: None,
            change,
            base: Arc::clone(base),
            start,
            by_key,
            fine: false,
            typed: NumericInput::new(1),
            previewed: false,
            replaced: 0,
            ended: false,
        })
    }

    /// The keys selected at the start.
    pub fn base(&self) -> Arc<KeySelection> {
        Arc::clone(&self.base)
    }

    /// The frames by which a drag in time has moved the keys.
    pub fn moved_frames(&self) -> f32 {
        match self.change {
            Change::Move { .. } if !self.ended => self.amount,
            _ => 0.0,
        }
    }

    pub fn changes_values(&self) -> bool {
        matches!(self.change, Change::Value { .. } | Change::ScaleValue { .. })
    }

    pub fn is_scale(&self) -> bool {
        self.change.is_scale()
    }

    pub fn is_blend(&self) -> bool {
        matches!(self.change, Change::Blend { .. })
    }

    /// The frame under the pointer at the start.
    pub fn start_frame(&self) -> f32 {
        self.start[0]
    }

    /// Changes keys in another way from the same start.
    pub fn turn_into(&mut self, change: Change, base: &Arc<KeySelection>) {
        if let Some(drag) = Self::new(change, base, self.start, self.by_key) {
            // Not a number differs from all amounts, so that what was previewed is replaced.
            let amount = if self.previewed { f32::NAN } else { drag.amount };
            *self = Self { amount, previewed: self.previewed, ended: self.ended, ..drag };
        }
    }

    fn is_idle(&self) -> bool {
        self.amount == if self.is_scale() { 1.0 } else { 0.0 }
    }

    fn command(&self, session: &Session) -> Option<KeyCommand> {
        let keys = self.base.keys();
        match self.change {
            Change::Move { .. } => Some(KeyCommand::Move { keys, offset: self.amount }),
            Change::Duplicate { .. } => keying::duplicate(session.animated_before(), &keys, self.amount),
            Change::Scale { pivot, .. } => {
                Some(KeyCommand::Scale { keys, about: pivot, factor: self.amount, snap: !self.fine })
            }
            Change::Value { component, .. } => {
                key_values::offset(session.animated_before(), &keys, component, self.amount)
            }
            Change::ScaleValue { component, pivot, .. } => {
                key_values::scale(session.animated_before(), &keys, component, pivot, self.amount)
            }
            Change::Blend { blend, component } => {
                let filter = Filter::Blend { blend, amount: self.amount, component };
                Some(KeyCommand::Filter { keys, filter })
            }
        }
    }

    /// Handles a key of numeric input.
    pub fn press(&mut self, key: DragKey) {
        self.typed.press(key);
    }

    /// The frame that stays while a bracket is dragged.
    pub fn bracket_pivot(&self) -> Option<f32> {
        match self.change {
            Change::Scale { pivot, .. } if !self.by_key => Some(pivot),
            _ => None,
        }
    }

    /// The cursor during the drag.
    pub fn cursor(&self) -> CursorIcon {
        match self.change {
            Change::Value { .. } | Change::ScaleValue { .. } => CursorIcon::ResizeVertical,
            _ => CursorIcon::ResizeHorizontal,
        }
    }

    /// Updates the preview for the pointer.
    pub fn follow(&mut self, session: &Session, pointer: &DragPointer, out: &mut Vec<Request>) {
        // The transaction may have been ended elsewhere.
        self.ended |= self.previewed && !session.in_transaction();
        let fine = pointer.fine;
        let wanted = self.wanted_amount(pointer);
        let amount = self.limited(wanted);
        self.stop = self.stop_at(wanted).filter(|_| amount != wanted);
        if self.ended || !amount.is_finite() || (amount, fine) == (self.amount, self.fine) {
            return;
        }
        (self.amount, self.fine) = (amount, fine);
        if self.is_idle() && !self.previewed {
            return;
        }
        if let Some(command) = self.command(session) {
            self.replaced = replaced(session.animated_before(), &command);
            self.previewed = true;
            out.push(Request::Preview(vec![Command::Keys(command)]));
        }
    }

    /// Returns the amount that the pointer or a typed number asks for.
    fn wanted_amount(&self, pointer: &DragPointer) -> f32 {
        let &DragPointer { frame, value, reach, fine, coarse, .. } = pointer;
        let offset = frame - self.start[0];
        match self.change {
            Change::Move { grabbed } | Change::Duplicate { grabbed } => match fine {
                _ if !self.typed.is_empty() => self.typed.value(0),
                true => (offset * 100.0).round() / 100.0,
                false => pointer.snapped(grabbed, grabbed + offset) - grabbed,
            },
            Change::Scale { pivot, grabbed } => {
                let lever = grabbed - pivot;
                let factor = match lever.abs() * 4.0 < reach {
                    _ if !self.typed.is_empty() => self.typed.value(0),
                    true => 1.0 + offset * lever.signum() / reach,
                    false if fine || self.by_key => (lever + offset) / lever,
                    false => (pointer.snapped(grabbed, grabbed + offset) - pivot) / lever,
                };
                (factor * 1000.0).round() / 1000.0
            }
            Change::Value { grabbed, step, .. } => {
                let offset = value - self.start[1];
                match coarse {
                    _ if !self.typed.is_empty() => self.typed.value(0),
                    true => ((grabbed + offset) / step).round() * step - grabbed,
                    false => (offset * 100.0 / step).round() * step / 100.0,
                }
            }
            Change::ScaleValue { pivot, step, .. } => {
                let (lever, offset) = (self.start[1] - pivot, value - self.start[1]);
                let factor = match lever.abs() < step {
                    _ if !self.typed.is_empty() => return self.typed.value(0),
                    true => 1.0 + offset / (20.0 * step),
                    false => (lever + offset) / lever,
                };
                let parts = if coarse { 10.0 } else { 1000.0 };
                (factor * parts).round() / parts
            }
            Change::Blend { .. } if !self.typed.is_empty() => self.typed.value(0) / 100.0,
            Change::Blend { .. } => {
                let parts = if coarse { 10.0 } else { 100.0 };
                (offset / reach * parts).round() / parts
            }
        }
    }

    /// Returns the amount nearest to the wanted one that keeps all keys between frame 0 and [`LAST`].
    pub(super) fn limited(&self, wanted: f32) -> f32 {
        let [low, high] = match self.change {
            Change::Move { .. } | Change::Duplicate { .. } => [-self.span[0], LAST - self.span[1]],
            Change::Scale { pivot, .. } => self.factor_range(pivot),
            Change::Value { .. } | Change::ScaleValue { .. } => return wanted,
            Change::Blend { .. } => [-1.0, 1.0],
        };
        wanted.clamp(low, high)
    }

    /// Returns the frame at which the keys stop if they would move beyond it.
    fn stop_at(&self, wanted: f32) -> Option<f32> {
        let moved = self.span.map(|key| match self.change {
            Change::Move { .. } | Change::Duplicate { .. } => key + wanted,
            Change::Scale { pivot, .. } => pivot + (key - pivot) * wanted,
            Change::Value { .. } | Change::ScaleValue { .. } | Change::Blend { .. } => key,
        });
        match moved {
            _ if moved.iter().any(|frame| *frame < 0.0) => Some(0.0),
            _ if moved.iter().any(|frame| *frame > LAST) => Some(LAST),
            _ => None,
        }
    }

    /// The range of factors that keep all keys between frame 0 and [`LAST`].
    fn factor_range(&self, pivot: f32) -> [f32; 2] {
        let mut limits = [-1000.0_f32, 1000.0];
        for key in self.span {
            let distance = key - pivot;
            let mut ends = [-pivot / distance, (LAST - pivot) / distance];
            if distance < 0.0 {
                ends.reverse();
            }
            if distance != 0.0 {
                limits = [limits[0].max(ends[0]), limits[1].min(ends[1])];
            }
        }
        // Rounding may put the limits in the wrong order, so include 1.
        [limits[0].min(1.0), limits[1].max(1.0)]
    }

    /// Commits the drag. Returns notices if keys were replaced, or play range and takes were not scaled along.
    pub fn commit(&mut self, session: &Session, out: &mut Vec<Request>) -> Vec<String> {
        if self.ended || !self.previewed {
            return Vec::new();
        }
        out.push(Request::Commit);
        self.ended = true;
        let command = self.command(session).filter(|_| self.replaced > 0);
        let replaced = command.map(|command| replaced_text(&command, session.animated_before()));
        let ranges = self.ranges_text(session).filter(|_| !self.takes_all(session));
        replaced.into_iter().chain(ranges.map(str::to_owned)).collect()
    }

    fn takes_all(&self, session: &Session) -> bool {
        are_all(&session.animated_before().animation, &self.base.keys())
    }

    /// Tells what a scale does to play range and takes, if there are any.
    pub fn ranges_text(&self, session: &Session) -> Option<&'static str> {
        let is_scale = matches!(self.change, Change::Scale { .. });
        let applies = is_scale && has_ranges(&session.animated_before().animation);
        applies.then(|| match self.takes_all(session) {
            true => "Play range and takes are scaled along",
            false => "Play range and takes stay: only with all keys selected are they scaled along",
        })
    }

    /// Cancels the drag.
    pub fn cancel(&mut self, out: &mut Vec<Request>) {
        if self.previewed && !self.ended {
            out.push(Request::Cancel);
        }
        self.ended = true;
    }
}

/// The notice after a step that replaced keys.
pub fn replaced_text(command: &KeyCommand, before: &Scene) -> String {
    let label = Command::Keys(command.clone()).label(before);
    format!("{label}. Undo restores the replaced keys")
}

/// Describes the number of replaced keys: "replaces 2 keys".
pub fn replaces_text(count: usize) -> Option<String> {
    match count {
        0 => None,
        _ => Some(format!("replaces {}", counted(count, "key", "keys"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::channel::ChannelRef;
    use crate::edit::command::keys::ChannelKeys;

    fn drag(change: Change, frames: &[f32], start: f32) -> KeysDrag {
        let keys = KeySelection::new([ChannelKeys {
            channel: ChannelRef::new("Body", "bone.0.pose"),
            frames: frames.to_vec(),
        }]);
        KeysDrag::new(change, &keys.into(), [start, 0.0], false).unwrap()
    }

    fn pointer(frame: f32, reach: f32, fine: bool) -> DragPointer<'static> {
        DragPointer { frame, value: 0.0, reach, fine, coarse: false, marks: &[], near: 0.0 }
    }

    impl KeysDrag {
        fn amount_at(&self, frame: f32, reach: f32, fine: bool) -> f32 {
            self.limited(self.wanted_amount(&pointer(frame, reach, fine)))
        }
    }

    #[test]
    fn the_grabbed_key_snaps_to_whole_frames_and_no_key_moves_before_frame_0() {
        let drag = drag(Change::Move { grabbed: 4.5 }, &[2.0, 4.5], 4.6);
        let amounts = [4.6, 5.0, 7.1, -9.0].map(|frame| drag.amount_at(frame, 10.0, false));
        assert_eq!(amounts, [0.5, 0.5, 2.5, -2.0]);
        assert_eq!(drag.amount_at(5.001, 10.0, true), 0.4);
        assert_eq!(drag.amount_at(1e9, 10.0, false), 999_994.5);
    }

    /// Where frames are narrow, so that the pointer passes several of them.
    #[test]
    fn the_grabbed_key_snaps_to_marks_that_are_near() {
        let drag = drag(Change::Move { grabbed: 4.0 }, &[4.0], 4.0);
        let amount = |frame: f32, fine: bool| {
            drag.wanted_amount(&DragPointer {
                marks: &[4.0, 12.0, 20.0],
                near: 3.0,
                ..pointer(frame, 10.0, fine)
            })
        };
        assert_eq!(
            [5.2, 9.2, 14.9, 15.4, 17.1].map(|frame| amount(frame, false)),
            [1.0, 8.0, 8.0, 11.0, 16.0]
        );
        assert_eq!(amount(14.9, true), 10.9, "snapping is off");
    }

    #[test]
    fn a_scale_follows_the_pointer_and_keeps_its_pivot() {
        let pivot = 4.0;
        let far = drag(Change::Scale { pivot, grabbed: 12.0 }, &[6.0, 12.0], 12.3);
        // The last key moves to frame 16, 1.5 times as far from the pivot.
        assert_eq!(far.amount_at(16.3, 10.0, false), 1.5);
        assert_eq!(far.amount_at(4.3, 10.0, false), 0.0);
        // No key moves before frame 0, where the last key would be at a factor of -0.5.
        assert_eq!(far.amount_at(-20.0, 10.0, false), -0.5);
        // Keys before the pivot.
        let near = drag(Change::Scale { pivot, grabbed: 0.0 }, &[0.0, 2.0], 0.0);
        assert_eq!(near.amount_at(2.0, 10.0, false), 0.5);
        assert_eq!(near.amount_at(-9.0, 10.0, false), 1.0);
        // Too near to the pivot: the distance of the pointer counts.
        let flat = drag(Change::Scale { pivot, grabbed: 4.5 }, &[5.0, 6.0], 4.5);
        assert_eq!(flat.amount_at(9.5, 10.0, false), 1.5);
    }

    /// What Enter will do, not what was typed.
    #[test]
    fn the_tip_says_where_keys_stop() {
        let session = Session::new(Scene::default(), None);
        let clip = Clip::default();
        let typed = |change: Change, digits: &str, frame: f32| {
            let mut drag = drag(change, &[2.0, 12.0], 6.0);
            digits.chars().for_each(|digit| drag.press(DragKey::Character(digit)));
            drag.follow(&session, &pointer(frame, 10.0, false), &mut Vec::new());
            (drag.amount, drag.text(&clip, false))
        };
        let pivot = 6.0;
        let scale = Change::Scale { pivot, grabbed: 12.0 };
        assert_eq!(typed(scale, "1", 6.0).1, "× 1| about 6");
        assert_eq!(typed(scale, "4", 6.0), (1.5, "× 1.5 about 6, stops at frame 0".to_owned()));
        assert_eq!(typed(scale, "", 40.0), (1.5, "× 1.5 about 6, stops at frame 0".to_owned()));
        assert_eq!(typed(Change::Move { grabbed: 2.0 }, "", -9.0).1, "-2 frames, stops at frame 0");
    }

    #[test]
    fn values_follow_the_pointer_and_snap_with_ctrl() {
        let change = Change::Value { component: 1, grabbed: 12.0, step: 5.0, unit: "°" };
        let drag = drag(change, &[2.0], 2.0);
        let amount = |value: f32, coarse: bool| {
            drag.wanted_amount(&DragPointer { value, coarse, ..pointer(9.0, 10.0, false) })
        };
        assert!((amount(7.21, false) - 7.2).abs() < 0.03);
        assert_eq!([amount(7.2, true), amount(-1.0, true)], [8.0, -2.0]);
        assert_eq!(drag.limited(-1e6), -1e6, "values have no ends");
    }

    #[test]
    fn replaced_keys_are_counted_in_words() {
        assert_eq!(replaces_text(0), None);
        assert_eq!(replaces_text(1).unwrap(), "replaces 1 key");
        assert_eq!(replaces_text(7).unwrap(), "replaces 7 keys");
    }
}
