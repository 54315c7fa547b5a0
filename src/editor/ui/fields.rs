//! What fields remember between frames: the drag under way and the text being typed.
//!
//! A field says what becomes of its value as [`Edit`]s. A drag and a typed text survive that the field vanishes under
//! them (another selection, another tab, a closed section): [`Fields::end_frame`] then ends the drag and sets the
//! text, each for what it was meant for, because the value was made while the field was there.

use crate::edit::command::Command;
use crate::edit::request::Request;
use egui::{Id, Key, PointerButton, Response, Ui};

/// What a field asks for. `T` is what its number means to the panel: commands, or a value of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit<T> {
    /// The pointer drags it there: the whole way from where it began.
    Dragging(T),
    /// Typed, pasted or reset.
    Set(T),
    /// A drag has ended.
    Done,
    /// A drag was cancelled: as before it.
    Cancelled,
}

impl From<Edit<Vec<Command>>> for Request {
    fn from(edit: Edit<Vec<Command>>) -> Self {
        match edit {
            Edit::Dragging(commands) => Request::Preview(commands),
            Edit::Set(commands) => Request::Apply(commands),
            Edit::Done => Request::Commit,
            Edit::Cancelled => Request::Cancel,
        }
    }
}

/// What a number means.
pub type Meaning<'a, T> = &'a dyn Fn(f64) -> T;

/// What a number means that is set, and one that the field is dragged to.
pub struct Meanings<'a, T> {
    pub set: Meaning<'a, T>,
    pub drag: Meaning<'a, T>,
}

impl<T> Clone for Meanings<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Meanings<'_, T> {}

impl<'a, T> Meanings<'a, T> {
    /// The same either way.
    pub fn both(make: Meaning<'a, T>) -> Self {
        Self {
            set: make,
            drag: make,
        }
    }
}

/// State of all fields of a window: one pointer, one keyboard, so at most one drag and one text.
pub struct Fields<T = Vec<Command>> {
    subject: Option<Id>,
    drag: Option<Drag>,
    entry: Option<Entry<T>>,
    /// By the menus' Copy.
    pub(super) copied: Vec<f64>,
    /// The last press on a slider moved its knob.
    jumped: bool,
}

impl<T> Default for Fields<T> {
    fn default() -> Self {
        Self {
            subject: None,
            drag: None,
            entry: None,
            copied: Vec::new(),
            jumped: false,
        }
    }
}

struct Drag {
    id: Id,
    /// The value that the drag began with, and how far it has gone from there.
    start: f64,
    travelled: f64,
    last: f64,
    previewed: bool,
    /// Cancelled; nothing happens until the button is released.
    cancelled: bool,
    /// The press before this one moved the knob: together they are no double-click.
    after_jump: bool,
    seen: bool,
}

struct Entry<T> {
    id: Id,
    text: String,
    /// What the text would set.
    pending: Option<T>,
    seen: bool,
}

/// How far the pointer has dragged a field, in the field's unit.
pub(super) struct Travel<'a> {
    /// The change of value in this frame.
    pub delta: f64,
    /// From the value reached to the one that is set: limits, rounding.
    pub settle: &'a dyn Fn(f64) -> f64,
}

impl<T> Fields<T> {
    /// What the fields drawn from now on belong to; part of their identity, so that a text typed for
    /// one bone never reaches another.
    pub fn set_subject(&mut self, subject: impl std::hash::Hash + std::fmt::Debug) {
        self.subject = Some(Id::new(subject));
    }

    pub(super) fn id(&self, label: &str) -> Id {
        self.subject.unwrap_or(Id::NULL).with(label)
    }

    /// Whether a drag is under way (also a cancelled one whose button is still down).
    pub fn dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Whether text is being typed.
    pub fn typing(&self) -> bool {
        self.entry.is_some()
    }

    pub(super) fn types_in(&self, id: Id) -> bool {
        self.entry.as_ref().is_some_and(|e| e.id == id)
    }

    pub(super) fn drags(&self, id: Id) -> bool {
        self.drag.as_ref().is_some_and(|d| d.id == id)
    }

    /// The value that the drag of `id` began with.
    pub(super) fn drag_start(&self, id: Id) -> Option<f64> {
        self.drag.as_ref().filter(|d| d.id == id).map(|d| d.start)
    }

    /// Whether the drag of `id` has moved nothing, nor has the press before it.
    pub(super) fn is_still(&self, id: Id) -> bool {
        let drag = self.drag.as_ref().filter(|d| d.id == id);
        drag.is_some_and(|d| !d.previewed && !d.after_jump)
    }

    /// Starts a drag at `value`; `jump`: the press itself moves it. A drag that still runs elsewhere
    /// (a lost release) is ended first.
    pub(super) fn begin_drag<R: From<Edit<T>>>(&mut self, id: Id, value: f64, jump: bool, out: &mut Vec<R>) {
        self.end_drag(out);
        let after_jump = std::mem::replace(&mut self.jumped, jump);
        self.drag = Some(Drag {
            id,
            start: value,
            travelled: 0.0,
            last: value,
            previewed: false,
            cancelled: false,
            after_jump,
            seen: true,
        });
    }

    /// Carries a drag on by this frame's travel; ends it when the button is up; cancels it on Esc or
    /// the right button.
    pub(super) fn drag<R: From<Edit<T>>>(
        &mut self,
        ui: &Ui,
        response: &Response,
        travel: &Travel,
        out: &mut Vec<R>,
        meaning: Meaning<'_, T>,
    ) {
        let Some(drag) = self.drag.as_mut().filter(|d| d.id == response.id) else {
            return;
        };
        drag.seen = true;
        let cancels =
            ui.input(|i| i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary));
        if cancels && !drag.cancelled {
            drag.cancelled = true;
            if drag.previewed {
                out.push(Edit::Cancelled.into());
            }
        } else if !drag.cancelled && response.dragged() && travel.delta != 0.0 {
            let value = (travel.settle)(drag.start + drag.travelled + travel.delta);
            drag.travelled += travel.delta;
            if value != drag.last && value.is_finite() {
                drag.last = value;
                drag.previewed = true;
                out.push(Edit::Dragging(meaning(value)).into());
            }
        }
        if !response.dragged() {
            self.end_drag(out);
        }
    }

    fn end_drag<R: From<Edit<T>>>(&mut self, out: &mut Vec<R>) {
        if let Some(drag) = self.drag.take()
            && drag.previewed
            && !drag.cancelled
        {
            out.push(Edit::Done.into());
        }
    }

    /// The text of the field `id`, which has the keyboard; `text` gives it when typing begins.
    pub(super) fn entry<R: From<Edit<T>>>(
        &mut self,
        id: Id,
        text: impl FnOnce() -> String,
        out: &mut Vec<R>,
    ) -> &mut String {
        if self.entry.as_ref().is_none_or(|e| e.id != id) {
            self.apply_entry(out);
        }
        let entry = self.entry.get_or_insert_with(|| Entry {
            id,
            text: text(),
            pending: None,
            seen: true,
        });
        entry.seen = true;
        &mut entry.text
    }

    /// What the typed text would set; nothing while it means no change or makes no sense.
    pub(super) fn set_pending(&mut self, id: Id, pending: Option<T>) {
        if let Some(entry) = self.entry.as_mut().filter(|e| e.id == id) {
            entry.pending = pending;
        }
    }

    fn apply_entry<R: From<Edit<T>>>(&mut self, out: &mut Vec<R>) {
        let pending = self.entry.take().and_then(|entry| entry.pending);
        out.extend(pending.map(|value| Edit::Set(value).into()));
    }

    /// Ends what lost its field or the keyboard. Once per frame, after all fields.
    pub fn end_frame<R: From<Edit<T>>>(&mut self, ctx: &egui::Context, out: &mut Vec<R>) {
        if self.drag.as_ref().is_some_and(|d| !d.seen) {
            self.end_drag(out);
        }
        if let Some(drag) = &mut self.drag {
            drag.seen = false;
        }
        let done = self
            .entry
            .as_ref()
            .is_some_and(|e| !e.seen || !ctx.memory(|m| m.has_focus(e.id)));
        if done {
            // Esc takes the keyboard from the field and means: not this.
            if ctx.input(|i| i.key_pressed(Key::Escape)) {
                self.entry = None;
            }
            self.apply_entry(out);
        }
        if let Some(entry) = &mut self.entry {
            entry.seen = false;
        }
    }
}
