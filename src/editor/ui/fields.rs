//! The state of fields between frames: the drag in progress and the text being typed.
//!
//! A field reports changes of its value as [`Edit`]s. A drag and a typed text are not lost if the field
//! disappears (another selection, another tab, a closed section): [`Fields::end_frame`] then ends the drag
//! and sets the text for the original subject, because the value was made while the field existed.

use crate::edit::command::Command;
use crate::edit::request::Request;
use egui::{Id, Key, PointerButton, Response, Ui};

/// A change that a field requests. `T` is what the panel converts its number to: commands, or a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit<T> {
    /// The value that the pointer drags it to: the whole change since the drag began.
    Dragging(T),
    /// A value that was typed, pasted or reset.
    Set(T),
    /// The end of a drag.
    Done,
    /// A cancelled drag, which restores the value before it.
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

/// Converts the number of a field to the value of an [`Edit`].
pub type Converter<'a, T> = &'a dyn Fn(f64) -> T;

/// The conversions of a number that is set, and of one that the field is dragged to.
pub struct Converters<'a, T> {
    pub set: Converter<'a, T>,
    pub drag: Converter<'a, T>,
}

impl<T> Clone for Converters<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Converters<'_, T> {}

impl<'a, T> Converters<'a, T> {
    /// Uses the same conversion for both.
    pub fn both(make: Converter<'a, T>) -> Self {
        Self { set: make, drag: make }
    }
}

/// The state of all fields of a window: with one pointer and one keyboard, there is at most one drag and one
/// text.
pub struct Fields<T = Vec<Command>> {
    subject: Option<Id>,
    drag: Option<Drag>,
    entry: Option<Entry<T>>,
    /// The numbers copied by a menu.
    pub(super) copied: Vec<f64>,
    /// Whether the last press on a slider moved its knob.
    jumped: bool,
    /// Whether the right button is down that has cancelled a drag: it opens no menu, whatever is under the pointer.
    cancelling: bool,
}

impl<T> Default for Fields<T> {
    fn default() -> Self {
        Self { subject: None, drag: None, entry: None, copied: Vec::new(), jumped: false, cancelling: false }
    }
}

struct Drag {
    id: Id,
    /// The value at the start of the drag.
    start: f64,
    /// The change since then, before limits and rounding.
    travelled: f64,
    last: f64,
    previewed: bool,
    /// Whether it was cancelled; then nothing happens until the button is released.
    cancelled: bool,
    /// Whether the previous press moved the knob, so that both are not a double-click.
    after_jump: bool,
    /// Whether its field was drawn in this frame.
    drawn: bool,
}

struct Entry<T> {
    id: Id,
    text: String,
    /// The value that the text would set.
    pending: Option<T>,
    /// Whether its field was drawn in this frame.
    drawn: bool,
}

/// The movement of the pointer that drags a field, in the field's unit.
pub(super) struct Travel<'a> {
    /// The change of value in this frame.
    pub delta: f64,
    /// Applies limits and rounding to the value that was reached.
    pub settle: &'a dyn Fn(f64) -> f64,
}

impl<T> Fields<T> {
    /// Sets the subject of the fields drawn from now on. It is part of their identity, so that a text typed
    /// for one bone never reaches another.
    pub fn set_subject(&mut self, subject: impl std::hash::Hash + std::fmt::Debug) {
        self.subject = Some(Id::new(subject));
    }

    pub(super) fn id(&self, label: &str) -> Id {
        self.subject.unwrap_or(Id::NULL).with(label)
    }

    /// Whether a drag is in progress (or cancelled, while its button is still down).
    pub fn dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Whether a right click may open a menu: not while it cancels a drag.
    pub(super) fn allows_menus(&self) -> bool {
        !self.cancelling && self.drag.is_none()
    }

    /// Whether text is being typed.
    pub fn typing(&self) -> bool {
        self.entry.is_some()
    }

    pub(super) fn is_typing_in(&self, id: Id) -> bool {
        self.entry.as_ref().is_some_and(|e| e.id == id)
    }

    pub(super) fn is_dragging(&self, id: Id) -> bool {
        self.drag.as_ref().is_some_and(|d| d.id == id)
    }

    /// Returns the value at the start of the drag of `id`.
    pub(super) fn drag_start(&self, id: Id) -> Option<f64> {
        self.drag.as_ref().filter(|d| d.id == id).map(|d| d.start)
    }

    /// Whether neither the drag of `id` nor the previous press has moved anything.
    pub(super) fn is_unmoved(&self, id: Id) -> bool {
        let drag = self.drag.as_ref().filter(|d| d.id == id);
        drag.is_some_and(|d| !d.previewed && !d.after_jump)
    }

    /// Starts a drag at `value`. `jump`: whether the press itself moves the value. A drag that is still in
    /// progress elsewhere (after a lost release) is ended first.
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
            drawn: true,
        });
    }

    /// Continues a drag by this frame's travel; ends it when the button is released; cancels it on Esc or the
    /// right button.
    pub(super) fn drag<R: From<Edit<T>>>(
        &mut self,
        ui: &Ui,
        response: &Response,
        travel: &Travel,
        out: &mut Vec<R>,
        convert: Converter<'_, T>,
    ) {
        let Some(drag) = self.drag.as_mut().filter(|d| d.id == response.id) else {
            return;
        };
        drag.drawn = true;
        let cancels =
            ui.input(|i| i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary));
        if cancels && !drag.cancelled {
            drag.cancelled = true;
            self.cancelling = ui.input(|i| i.pointer.secondary_down());
            if drag.previewed {
                out.push(Edit::Cancelled.into());
            }
        } else if !drag.cancelled && response.dragged() && travel.delta != 0.0 {
            let value = (travel.settle)(drag.start + drag.travelled + travel.delta);
            drag.travelled += travel.delta;
            if value != drag.last && value.is_finite() {
                drag.last = value;
                drag.previewed = true;
                out.push(Edit::Dragging(convert(value)).into());
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

    /// Returns the text of the field `id`, which has the keyboard focus. `text`: the text when typing begins.
    pub(super) fn entry<R: From<Edit<T>>>(
        &mut self,
        id: Id,
        text: impl FnOnce() -> String,
        out: &mut Vec<R>,
    ) -> &mut String {
        if self.entry.as_ref().is_none_or(|e| e.id != id) {
            self.apply_entry(out);
        }
        let entry = self.entry.get_or_insert_with(|| Entry { id, text: text(), pending: None, drawn: true });
        entry.drawn = true;
        &mut entry.text
    }

    /// Sets the value that the typed text would set; none while it is unchanged or invalid.
    pub(super) fn set_pending(&mut self, id: Id, pending: Option<T>) {
        if let Some(entry) = self.entry.as_mut().filter(|e| e.id == id) {
            entry.pending = pending;
        }
    }

    fn apply_entry<R: From<Edit<T>>>(&mut self, out: &mut Vec<R>) {
        let pending = self.entry.take().and_then(|entry| entry.pending);
        out.extend(pending.map(|value| Edit::Set(value).into()));
    }

    /// Ends a drag or text that has lost its field or the keyboard focus. Called once per frame, after all
    /// fields.
    pub fn end_frame<R: From<Edit<T>>>(&mut self, ctx: &egui::Context, out: &mut Vec<R>) {
        if self.drag.as_ref().is_some_and(|d| !d.drawn) {
            self.end_drag(out);
        }
        if let Some(drag) = &mut self.drag {
            drag.drawn = false;
        }
        // Menus open in the frame of the release.
        let button = PointerButton::Secondary;
        self.cancelling &= ctx.input(|i| i.pointer.button_down(button) || i.pointer.button_released(button));
        let done = self.entry.as_ref().is_some_and(|e| !e.drawn || !ctx.memory(|m| m.has_focus(e.id)));
        if done {
            // Esc removes the focus from the field, and discards the text.
            if ctx.input(|i| i.key_pressed(Key::Escape)) {
                self.entry = None;
            }
            self.apply_entry(out);
        }
        if let Some(entry) = &mut self.entry {
            entry.drawn = false;
        }
    }
}
