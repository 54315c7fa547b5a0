//! Selecting: a click, a click that adds, a box drawn over what is to be selected. Takes every press that nothing else
//! has taken. However long a press lasts, it is a click if the button comes up in place: a busy machine loses none.

use super::gizmo::Modifiers;
use super::{Change, Click, Context, Drag, DragInput, Hold, Press, Tool};
use crate::edit::box_select::{self, PixelBox};
use crate::edit::hover::next_under;
use crate::edit::pick::PickTarget;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::math::camera::Viewport;
use glam::Vec2;

/// How far the pointer may go, in pixels, for a press and a release to be a click.
pub const CLICK_PX: f32 = 4.0;

pub(super) const IDLE_HINT: &str =
    "Click to select · Middle or Alt+drag to orbit · Right drag to pan · Wheel to zoom";

pub struct Select;

impl Tool for Select {
    fn press(&mut self, _: &Context, press: &Press) -> Option<Hold> {
        let (press_at, to) = (press.at, press.at);
        let click = Click::Selects(press.over.first().cloned());
        Hold::new(BoxDrag { press: press_at, to }, click)
    }
}

struct BoxDrag {
    press: Vec2,
    to: Vec2,
}

impl Drag for BoxDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        self.to = input.at();
        Change::NONE
    }

    fn release(&mut self, context: &Context, modifiers: Modifiers) -> Vec<Request> {
        let Some(stage) = context.stage() else {
            return Vec::new();
        };
        let (area, selection) = (
            PixelBox::of_corners(self.press, self.to),
            context.view.session.selection(),
        );
        let found = box_select::in_box(&stage, context.view.settings, context.viewport, &area);
        let new = box_select::selected(selection, found, modifiers.adds());
        changed(context, new).into_iter().map(Request::Select).collect()
    }

    fn area(&self) -> Option<PixelBox> {
        Some(PixelBox::of_corners(self.press, self.to))
    }

    fn hint(&self) -> String {
        match self.press == self.to {
            true => String::new(),
            false => "Release to select · Shift adds · Esc or right click cancels".into(),
        }
    }
}

/// What a target under the pointer is there for.
pub(super) fn target_hint(target: &PickTarget) -> &'static str {
    match target {
        PickTarget::Handle(_) => "Drag to move the target · Click to select the handle",
        PickTarget::Pole(_) => "Drag to move the pole, where the joint points · Click to select it",
        PickTarget::Tip(_) => "Drag to move the tail · Click to select the bone",
        PickTarget::Base => "Drag to move the whole skeleton · Click to select the base",
        PickTarget::Bone(_) => "Click to select the bone",
        PickTarget::Skin => "Click to select the mesh · Middle or Alt+drag to orbit",
        PickTarget::Instance(_) => "Click to select",
    }
}

/// The click before, which a repeated click goes on from.
#[derive(Clone, Debug)]
pub(super) struct LastClick {
    at: Vec2,
    view: Viewport,
    /// What it selected.
    target: PickTarget,
}

impl LastClick {
    /// Whether a click at `at` is in the same place, and what this one selected is selected still.
    fn repeats(&self, context: &Context, at: Vec2) -> bool {
        let selection = context.view.session.selection();
        let selected = match &self.target {
            PickTarget::Instance(instance) => {
                selection.part.is_none() && selection.instance.as_ref() == Some(instance)
            }
            target => selection.part == target.part(),
        };
        selected && self.view == *context.viewport && self.at.distance(at) < CLICK_PX
    }
}

/// The selection after a click on `target`, if it is another one. Repeated, a click goes on to what lies behind; with
/// `adds` it selects beside what is selected.
pub(super) fn click(
    context: &Context,
    last: &mut Option<LastClick>,
    at: Vec2,
    target: Option<PickTarget>,
    adds: bool,
) -> Option<Selection> {
    let target = match (target, &last) {
        (Some(_), Some(last)) if !adds && last.repeats(context, at) => {
            next_under(context.pick(at), &last.target, context.view.session.selection())
        }
        (target, _) => target,
    };
    let selected = selected_by(context, target.as_ref(), adds);
    *last = target.filter(|_| !adds).map(|target| LastClick {
        at,
        view: *context.viewport,
        target,
    });
    selected
}

/// The selection after `target` was clicked, if it is another one; with `toggles` beside what is selected, or no longer.
/// A click on nothing goes one level up, or does nothing where it toggles.
pub(super) fn selected_by(
    context: &Context,
    target: Option<&PickTarget>,
    toggles: bool,
) -> Option<Selection> {
    let (session, settings) = (context.view.session, context.view.settings);
    let selection = session.selection();
    let new = match target {
        Some(target) if toggles => selection.toggled(target.part()?),
        None if toggles => return None,
        None => selection.outer(settings.tab),
        Some(PickTarget::Instance(instance)) => Selection::of_instance(session.scene(), instance),
        // The skin of the mesh that is worked on: the mesh, no part of it.
        Some(target) => selection.with_part(target.part()),
    };
    changed(context, new)
}

fn changed(context: &Context, new: Selection) -> Option<Selection> {
    (new != *context.view.session.selection()).then_some(new)
}
