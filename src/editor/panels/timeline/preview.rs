//! A drag in the ruler or in the strip of the sound: previews while the button is down, then one undo step, or none if Esc or
//! the right button cancels it.

use super::pointer::cancels;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::session::Session;
use egui::{Pos2, Ui};

/// A drag, with what it began with.
pub struct PreviewDrag<T> {
    pub start: T,
    pub previewed: bool,
    /// Whether it was cancelled or ended elsewhere; further input is ignored until the button is released.
    ended: bool,
}

impl<T> PreviewDrag<T> {
    pub fn new(start: T) -> Self {
        Self { start, previewed: false, ended: false }
    }

    /// Continues a drag, or ends it with the button. Returns it with the position of the pointer while that counts.
    pub fn follow<'a>(
        drag: &'a mut Option<Self>,
        ui: &Ui,
        session: &Session,
        out: &mut Vec<Request>,
    ) -> Option<(&'a mut Self, Pos2)> {
        let this = drag.as_mut()?;
        this.ended |= this.previewed && !session.in_transaction();
        if cancels(ui) && !this.ended {
            this.ended = true;
            if this.previewed {
                out.push(Request::Cancel);
            }
        }
        let (down, pointer) = ui.input(|i| (i.pointer.primary_down(), i.pointer.latest_pos()));
        if !down {
            Self::leave(drag, out);
        }
        drag.as_mut().filter(|drag| !drag.ended).zip(pointer)
    }

    /// Shows what the drag comes to.
    pub fn preview(&mut self, command: Command, out: &mut Vec<Request>) {
        self.previewed = true;
        out.push(Request::Preview(vec![command]));
    }

    /// Commits a drag, if there is one.
    pub fn leave(drag: &mut Option<Self>, out: &mut Vec<Request>) {
        if drag.take().is_some_and(|drag| drag.previewed && !drag.ended) {
            out.push(Request::Commit);
        }
    }
}
