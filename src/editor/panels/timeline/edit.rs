//! The effects of the actions on keys on the selection of keys, the visible frames and the document.

use super::action::{NO_KEYS, SheetAction};
use super::drag::{Change, KeysDrag, replaced_text};
use super::graph::state::Fit;
use super::graph::value::Heights;
use super::lines::Line;
use super::time::Scale;
use super::{ActiveDrag, KeysState, KeysView};
use crate::anim::blends::Blend;
use crate::anim::channel::ChannelRef;
use crate::anim::filters::Filter;
use crate::anim::mode::Mode;
use crate::edit::action::time::mirrored_text;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, owner, replaced};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::filters::{STEEP_TEXT, euler_filter, steep};
use crate::edit::time::mirror_keys::paste_mirrored;
use crate::edit::time::timeline::KeySelection;
use crate::edit::time::{key_values, keying};
use crate::editor::ui::list::shorten;
use crate::io::count::{counted, grouped};
use crate::scene::Scene;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The distance of the pointer over which a scale that starts near its pivot doubles, in points.
pub const REACH: f32 = 100.0;

impl KeysState {
    /// The reason why an action is disabled; `None` if it is not.
    pub(super) fn disabled_reason(&self, action: SheetAction) -> Option<&'static str> {
        let no_rows = self.lines.all().is_empty();
        match action {
            SheetAction::NextMode if self.keys.is_empty() => {
                Some("Select keys first. With the pointer over the view, this shortcut tweens the pose.")
            }
            SheetAction::Normalize | SheetAction::Stack | SheetAction::Speeds
                if self.shown != KeysView::Curves =>
            {
                Some("Show curves first.")
            }
            _ if action.row().needs_selection && self.keys.is_empty() => Some(NO_KEYS),
            SheetAction::BlendMean if self.keys.keys().iter().all(|of| of.frames.len() < 2) => {
                Some("Select at least two keys of a channel: one is its own mean.")
            }
            SheetAction::Paste | SheetAction::PasteMirrored if self.copied.is_empty() => {
                Some("No keys were copied.")
            }
            SheetAction::SelectAll | SheetAction::SelectAtFrame if no_rows => Some("There are no keys."),
            SheetAction::SelectNone if self.keys.is_empty() => Some("No key is selected."),
            _ => None,
        }
    }

    /// Performs an action; `pointer_frame` is the frame under the pointer.
    pub(super) fn act(
        &mut self,
        view: &View,
        scale: &Scale,
        action: SheetAction,
        pointer_frame: f32,
        out: &mut Vec<Request>,
    ) {
        let scene = view.session.scene();
        let frame = view.session.frame();
        if let Some(reason) = self.disabled_reason(action) {
            if action != SheetAction::SelectNone {
                self.notices.push(format!("{}: {reason}", action.row().text));
            }
            return;
        }
        let all = self.lines.all().first().map(|line| &line.row);
        let start = [pointer_frame, self.graph.pointer_value];
        match action {
            SheetAction::Move => self.grab(Change::Move { grabbed: 0.0 }, start, true, scale),
            SheetAction::Duplicate => self.grab(Change::Duplicate { grabbed: 0.0 }, start, true, scale),
            SheetAction::Scale => {
                let change = Change::Scale { pivot: frame, grabbed: pointer_frame };
                self.grab(change, start, true, scale);
            }
            SheetAction::BlendNeighbors
            | SheetAction::BlendLine
            | SheetAction::BlendMean
            | SheetAction::BlendBefore
            | SheetAction::BlendBehind
            | SheetAction::BlendEase
            | SheetAction::BlendTime => {
                if let Some(blend) = action.blend() {
                    self.blend(blend, start, scale);
                }
            }
            SheetAction::Simplify => self.make_fewer(scene, self.fewer.simplify(), out),
            SheetAction::PlaceEvenly => self.make_fewer(scene, self.fewer.every(), out),
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
            SheetAction::Make(mode) => self.set_mode(scene, mode, out),
            SheetAction::NextMode => self.set_mode(scene, self.next_mode(scene), out),
            SheetAction::Slopes(change) => match key_values::set_slopes(scene, &self.keys.keys(), change) {
                Some(command) => self.apply(scene, command, out),
                None => self.notices.push(
                    "The curve has no slopes there: it is straight, an ease, a hold, a rotation or a switch"
                        .into(),
                ),
            },
            SheetAction::EulerFilter => {
                let channels: Vec<ChannelRef> =
                    self.keys.keys().into_iter().map(|keys| keys.channel).collect();
                match euler_filter(scene, &channels) {
                    Some(command) => self.apply(scene, command, out),
                    None => self.notices.push("No angle jumps".into()),
                }
                let names =
                    steep(scene, &channels).into_iter().map(|channel| shorten(&owner(channel, scene)));
                let names: BTreeSet<String> = names.collect();
                if let Some(first) = names.first() {
                    let others = if names.len() > 1 {
                        format!(" and {} more", names.len() - 1)
                    } else {
                        String::new()
                    };
                    self.notices.push(format!("{first}{others}: {STEEP_TEXT}"));
                }
            }
            SheetAction::Smooth => self.filter(scene, Filter::Smooth, out),
            SheetAction::MirrorInTime => {
                let keys = self.keys.keys();
                self.notices.push(mirrored_text(self.keys.count()));
                self.apply(scene, KeyCommand::Reverse { keys }, out);
            }
            SheetAction::Paste => {
                let (keys, left_out) = keying::paste(scene, &self.copied, frame);
                let keys = keys.map(Command::Keys).into_iter().collect();
                self.paste(scene, keys, (&left_out, "the scene does not have them"), out);
            }
            SheetAction::PasteMirrored => {
                let (keys, left_out) = paste_mirrored(scene, &self.copied, frame);
                self.paste(scene, keys, (&left_out, "they have no other side"), out);
            }
            SheetAction::SelectAll => {
                let all_frames = f32::NEG_INFINITY..=f32::INFINITY;
                self.keys = self.keys.boxed(scene, as_slice(all), all_frames, false).into();
            }
            SheetAction::SelectAtFrame => {
                self.keys = self.keys.boxed(scene, as_slice(all), frame..=frame, false).into();
                if self.keys.is_empty() {
                    self.notices.push("No row has a key at this frame".into());
                }
            }
            SheetAction::SelectNone => self.keys = Arc::default(),
            SheetAction::Search => self.toggle_search(),
            SheetAction::DeleteKeeping => self.filter(scene, Filter::Dissolve, out),
            SheetAction::Normalize => self.graph.toggle_heights(Heights::Normalized),
            SheetAction::Stack => self.graph.toggle_heights(Heights::Stacked),
            SheetAction::Speeds => self.graph.toggle_heights(Heights::Speeds),
            SheetAction::SelectColumns => {
                if let Some(all) = all {
                    self.keys = self.keys.columns(scene, all).into();
                }
            }
            SheetAction::Fit => {
                self.time.fit();
                self.graph.fit(Fit::All);
            }
            SheetAction::FitSelected => {
                let all = all.filter(|_| self.shown == KeysView::Curves);
                let all = all.and_then(|row| Some([*row.keys.first()?, *row.keys.last()?]));
                match self.keys.span().or(all) {
                    Some(span) => self.time.zoom_to(scale, span),
                    None => self.time.fit(),
                }
                self.graph.fit(Fit::Selected);
            }
            SheetAction::SwitchView => self.show(match self.shown {
                KeysView::Sheet => KeysView::Curves,
                KeysView::Curves => KeysView::Sheet,
            }),
        }
    }

    /// Starts blending the selected keys by the pointer: in the curves, the component that was clicked last, of those of the same
    /// kind.
    fn blend(&mut self, blend: Blend, start: [f32; 2], scale: &Scale) {
        let active = self.graph.active_key(&self.keys).filter(|_| self.shown == KeysView::Curves);
        let active = active.filter(|dot| {
            let samples = self.graph.curves.find(dot).and_then(|curve| self.graph.curves.samples(curve));
            samples.is_some_and(|samples| samples.can_change())
        });
        let base = match &active {
            Some(dot) => KeySelection::new(key_values::of_property(&self.keys.keys(), &dot.channel)).into(),
            None => Arc::clone(&self.keys),
        };
        let component = active.map(|dot| dot.component);
        self.grab_keys(Change::Blend { blend, component }, &base, start, true, scale);
    }

    /// Applies a filter that makes keys fewer, and tells how many are left.
    pub(super) fn make_fewer(&mut self, scene: &Scene, filter: Filter, out: &mut Vec<Request>) {
        let (count, left) = (self.keys.count(), self.fewer.left(scene, filter, || self.keys.keys()));
        self.notices.push(format!("{} of {} left", grouped(left), counted(count, "key", "keys")));
        self.filter(scene, filter, out);
    }

    /// Starts dragging the selected keys from a frame and value.
    pub(super) fn grab(&mut self, change: Change, start: [f32; 2], by_key: bool, scale: &Scale) {
        let base = Arc::clone(&self.keys);
        self.grab_keys(change, &base, start, by_key, scale);
    }

    fn grab_keys(
        &mut self,
        change: Change,
        base: &Arc<KeySelection>,
        start: [f32; 2],
        by_key: bool,
        scale: &Scale,
    ) {
        if let Some(drag) = KeysDrag::new(change, base, start, by_key) {
            self.drag = Some(ActiveDrag::Keys(drag));
            self.freeze_view(scale);
        }
    }

    /// Keeps the visible frames during a drag, even if the clip becomes longer.
    pub(super) fn freeze_view(&mut self, scale: &Scale) {
        self.refit = self.time.is_fitted();
        self.time.freeze(scale);
    }

    /// Applies a command as one undo step, with a notice if it replaces keys.
    fn apply(&mut self, scene: &Scene, command: KeyCommand, out: &mut Vec<Request>) {
        self.note_replaced(scene, &command);
        out.push(Request::Apply(vec![Command::Keys(command)]));
    }

    /// Adds a notice if a command replaces keys.
    fn note_replaced(&mut self, scene: &Scene, command: &KeyCommand) {
        if replaced(scene, command) > 0 {
            self.notices.push(replaced_text(command, scene));
        }
    }

    pub(super) fn set_mode(&mut self, scene: &Scene, mode: Mode, out: &mut Vec<Request>) {
        let keys = self.keys.keys();
        if keys.is_empty() {
            self.notices.push("These keys are locked".into());
            return;
        }
        let name = mode.text();
        self.notices.push(match self.keys.count() {
            1 => format!("1 key made {name}"),
            count => format!("{count} keys made {name}"),
        });
        self.apply(scene, KeyCommand::SetMode { keys, mode }, out);
    }

    pub(super) fn filter(&mut self, scene: &Scene, filter: Filter, out: &mut Vec<Request>) {
        let keys = self.keys.keys();
        self.apply(scene, KeyCommand::Filter { keys, filter }, out);
    }

    /// The mode of the selected keys; `None` if they differ.
    pub(super) fn common_mode(&self, scene: &Scene) -> Option<Mode> {
        let keys = self.keys.keys();
        let modes = keys.iter().flat_map(|ChannelKeys { channel, frames }| {
            let found = scene.animation.get(channel);
            let mode = |frame: &f32| found.and_then(|keys| keys.key_mode(*frame));
            frames.iter().filter_map(mode).collect::<Vec<_>>()
        });
        // Rotations and switches that support no other mode do not count.
        let mut modes: Vec<Mode> =
            modes.map(|mode| if mode == Mode::Auto { Mode::Clamped } else { mode }).collect();
        modes.dedup();
        match modes[..] {
            [current] => Some(current),
            _ => None,
        }
    }

    /// The mode after that of the selected keys; clamped if they differ.
    fn next_mode(&self, scene: &Scene) -> Mode {
        self.common_mode(scene).map_or(Mode::Clamped, |current| {
            let index = Mode::CHOICES.iter().position(|mode| *mode == current).unwrap_or(0);
            Mode::CHOICES[(index + 1) % Mode::CHOICES.len()]
        })
    }

    fn delete(&mut self, scene: &Scene, out: &mut Vec<Request>) {
        let keys = self.keys.keys();
        self.apply(scene, KeyCommand::Delete { keys }, out);
    }

    /// Pastes keys as one undo step, by commands the first of which is that on keys that the scene may have already. Names
    /// the channels whose keys are left out, and the reason.
    fn paste(
        &mut self,
        scene: &Scene,
        commands: Vec<Command>,
        (left_out, reason): (&[ChannelRef], &str),
        out: &mut Vec<Request>,
    ) {
        if !left_out.is_empty() {
            let names: BTreeSet<String> =
                left_out.iter().map(|channel| shorten(&owner(channel, scene))).collect();
            let names: Vec<_> = names.into_iter().take(6).collect();
            let count = match left_out.len() {
                1 => "Keys of 1 channel are".to_owned(),
                n => format!("Keys of {} channels are", grouped(n)),
            };
            let names = names.join(", ");
            self.notices.push(format!("{count} left out: {reason} ({names})"));
        }
        if let Some(Command::Keys(keys)) = commands.first() {
            self.note_replaced(scene, keys);
        }
        if !commands.is_empty() {
            out.push(Request::Apply(commands));
        }
    }

    /// Selects all keys of a row; with `extend`, in addition to the selected ones.
    pub(super) fn select_row(&mut self, scene: &Scene, line: usize, extend: bool) {
        let row = self.lines.all().get(line).map(|line: &Line| &line.row);
        let all_frames = f32::NEG_INFINITY..=f32::INFINITY;
        self.keys = self.keys.boxed(scene, as_slice(row), all_frames, extend).into();
    }
}

fn as_slice<T>(item: Option<&T>) -> &[T] {
    item.map_or(&[], std::slice::from_ref)
}
