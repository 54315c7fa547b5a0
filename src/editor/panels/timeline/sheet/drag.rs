//! Keys on their way to other frames: a transaction that is one undo step, or none. Keys that would be
//! replaced are counted while they move, never lost without a word.

use super::time::frame_text;
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, replaced};
use crate::edit::keying;
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::timeline::KeySelection;
use crate::edit::tool::numeric::{DragKey, NumericInput};
use crate::io::count::counted;
use crate::scene::Scene;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The key at `grabbed` goes to whole frames, the others keep their distance.
    Move { grabbed: f32 },
    /// Copies move; the keys themselves stay.
    Duplicate { grabbed: f32 },
    /// What is at `from` goes with the pointer, what is at `about` stays.
    Scale { about: f32, from: f32 },
}

pub struct KeysDrag {
    change: Change,
    /// The keys as they were selected when it began.
    base: Arc<KeySelection>,
    span: [f32; 2],
    /// The frame under the pointer then.
    start: f32,
    /// Begun by a key: the pointer is free, and a click ends it.
    pub by_key: bool,
    /// Frames or factor.
    amount: f32,
    fine: bool,
    /// A number that counts instead of the pointer.
    typed: NumericInput,
    previewed: bool,
    /// How many keys the last preview replaces.
    pub replaced: usize,
    /// Cancelled, or ended by someone else; nothing more happens until the button is up.
    pub over: bool,
}

impl KeysDrag {
    /// `None` where no key is selected.
    pub fn new(change: Change, base: &Arc<KeySelection>, start: f32, by_key: bool) -> Option<Self> {
        Some(Self {
            span: base.span()?,
            amount: match change {
                Change::Scale { .. } => 1.0,
                _ => 0.0,
            },
            change,
            base: Arc::clone(base),
            start,
            by_key,
            fine: false,
            typed: NumericInput::new(1),
            previewed: false,
            replaced: 0,
            over: false,
        })
    }

    fn is_idle(&self) -> bool {
        match self.change {
            Change::Scale { .. } => self.amount == 1.0,
            _ => self.amount == 0.0,
        }
    }

    fn command(&self, session: &Session) -> Option<KeyCommand> {
        let keys = self.base.keys();
        match self.change {
            Change::Move { .. } => Some(KeyCommand::Move {
                keys,
                by: self.amount,
            }),
            Change::Duplicate { .. } => keying::duplicate(session.animated_before(), &keys, self.amount),
            Change::Scale { about, .. } => Some(KeyCommand::Scale {
                keys,
                about,
                factor: self.amount,
                snap: !self.fine,
            }),
        }
    }

    /// A digit and the like.
    pub fn press(&mut self, key: DragKey) {
        self.typed.press(key);
    }

    /// What the mouse and the keys do now.
    pub fn hint(&self) -> &'static str {
        match (self.change, self.by_key) {
            (Change::Scale { .. }, true) => {
                "Type a factor or move the pointer; click or Enter confirms. Shift turns snapping off. Esc or right click cancels"
            }
            (_, true) => {
                "Type a number of frames or move the pointer; click or Enter confirms. Shift turns snapping off. Esc or right click cancels"
            }
            (Change::Scale { .. }, false) => {
                "Type an exact factor. Shift turns snapping off. Esc or right click cancels"
            }
            (_, false) => "Type an exact number. Shift turns snapping off. Esc or right click cancels",
        }
    }

    /// The pointer is at `frame`; `reach` frames are as far as a scale without a lever goes to double.
    pub fn follow(&mut self, session: &Session, frame: f32, reach: f32, fine: bool, out: &mut Vec<Request>) {
        // Someone else may have ended it.
        self.over |= self.previewed && !session.in_transaction();
        let amount = self.amount_at(frame, reach, fine);
        if self.over || !amount.is_finite() || (amount, fine) == (self.amount, self.fine) {
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

    fn amount_at(&self, frame: f32, reach: f32, fine: bool) -> f32 {
        let by = frame - self.start;
        let most = (Clip::MAX_LENGTH - 1) as f32;
        match self.change {
            Change::Move { grabbed } | Change::Duplicate { grabbed } => {
                let by = match fine {
                    _ if !self.typed.is_empty() => self.typed.value(0),
                    true => (by * 100.0).round() / 100.0,
                    false => (grabbed + by).round() - grabbed,
                };
                by.clamp(-self.span[0], most - self.span[1])
            }
            Change::Scale { about, from } => {
                let lever = from - about;
                let factor = match lever.abs() * 4.0 < reach {
                    _ if !self.typed.is_empty() => self.typed.value(0),
                    true => 1.0 + by * lever.signum() / reach,
                    false if fine || self.by_key => (lever + by) / lever,
                    false => ((from + by).round() - about) / lever,
                };
                let [low, high] = self.limits(about, most);
                ((factor * 1000.0).round() / 1000.0).clamp(low, high)
            }
        }
    }

    /// Factors that keep all keys from frame 0 to `most`.
    fn limits(&self, about: f32, most: f32) -> [f32; 2] {
        let mut limits = [-1000.0_f32, 1000.0];
        for key in self.span {
            let distance = key - about;
            let mut ends = [-about / distance, (most - about) / distance];
            if distance < 0.0 {
                ends.reverse();
            }
            if distance != 0.0 {
                limits = [limits[0].max(ends[0]), limits[1].min(ends[1])];
            }
        }
        // About a frame behind all others they may be in the wrong order by rounding.
        [limits[0].min(1.0), limits[1].max(1.0)]
    }

    /// Ends it. What to say of it, if keys were replaced.
    pub fn commit(&mut self, session: &Session, out: &mut Vec<Request>) -> Option<String> {
        if self.over || !self.previewed {
            return None;
        }
        out.push(Request::Commit);
        self.over = true;
        let command = self.command(session).filter(|_| self.replaced > 0)?;
        Some(replaced_text(&command, session.animated_before()))
    }

    /// Cancels it.
    pub fn cancel(&mut self, out: &mut Vec<Request>) {
        if self.previewed && !self.over {
            out.push(Request::Cancel);
        }
        self.over = true;
    }

    /// What stands at the pointer.
    pub fn text(&self, clip: &Clip, seconds: bool) -> String {
        let by = |amount: f32| match seconds {
            true => format!("{:+.2} s", clip.seconds(amount)),
            false if amount.abs() == 1.0 => format!("{amount:+} frame"),
            false => format!("{amount:+} frames"),
        };
        let typed = (!self.typed.is_empty()).then(|| self.typed.shown(0));
        let by = || match &typed {
            Some(typed) => format!("{typed} frames"),
            None => by(self.amount),
        };
        match self.change {
            Change::Move { .. } => by(),
            Change::Duplicate { .. } => format!("Copies {}", by()),
            Change::Scale { about, .. } => {
                let factor = typed.clone().unwrap_or_else(|| self.amount.to_string());
                format!("× {factor} about {}", frame_text(about, clip, seconds))
            }
        }
    }
}

/// After a step that replaced keys.
pub fn replaced_text(command: &KeyCommand, before: &Scene) -> String {
    let label = Command::Keys(command.clone()).label(before);
    format!("{label}. Undo restores the replaced keys")
}

/// "replaces 2 keys".
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
        KeysDrag::new(change, &keys.into(), start, false).unwrap()
    }

    #[test]
    fn the_grabbed_key_goes_to_whole_frames_and_no_key_before_frame_0() {
        let drag = drag(Change::Move { grabbed: 4.5 }, &[2.0, 4.5], 4.6);
        let amounts = [4.6, 5.0, 7.1, -9.0].map(|frame| drag.amount_at(frame, 10.0, false));
        assert_eq!(amounts, [0.5, 0.5, 2.5, -2.0]);
        assert_eq!(drag.amount_at(5.001, 10.0, true), 0.4);
        assert_eq!(drag.amount_at(1e9, 10.0, false), 999_994.5);
    }

    #[test]
    fn a_scale_goes_with_the_pointer_and_keeps_what_it_is_about() {
        let about = 4.0;
        let far = drag(Change::Scale { about, from: 12.0 }, &[6.0, 12.0], 12.3);
        // The end goes to frame 16: half again as far.
        assert_eq!(far.amount_at(16.3, 10.0, false), 1.5);
        assert_eq!(far.amount_at(4.3, 10.0, false), 0.0);
        // Not farther than frame 0: the last key would be there at minus a half.
        assert_eq!(far.amount_at(-20.0, 10.0, false), -0.5);
        // Before the frame that it is about.
        let near = drag(Change::Scale { about, from: 0.0 }, &[0.0, 2.0], 0.0);
        assert_eq!(near.amount_at(2.0, 10.0, false), 0.5);
        assert_eq!(near.amount_at(-9.0, 10.0, false), 1.0);
        // Without a lever, by how far the pointer went.
        let flat = drag(Change::Scale { about, from: 4.5 }, &[5.0, 6.0], 4.5);
        assert_eq!(flat.amount_at(9.5, 10.0, false), 1.5);
    }

    #[test]
    fn replaced_keys_are_counted_in_words() {
        assert_eq!(replaces_text(0), None);
        assert_eq!(replaces_text(1).unwrap(), "replaces 1 key");
        assert_eq!(replaces_text(7).unwrap(), "replaces 7 keys");
    }
}
