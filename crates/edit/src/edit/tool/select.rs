//! Selecting by click or by drawing a box, which replaces the selection or adds to it. Accepts every press
//! that no other tool accepts. A press of any duration is a click if the button is released in place, so a
//! slow frame loses none.

use super::gizmo::Modifiers;
use super::{Change, Click, Context, Drag, DragInput, Grab, Press, Tool};
use crate::edit::request::Request;
use crate::edit::select::box_select::{self, PixelBox};
use crate::edit::select::hover::next_target;
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::Tab;
use crate::math::camera::Viewport;
use glam::Vec2;

/// The maximum movement of the pointer between the press and the release of a click, in pixels.
pub const CLICK_PX: f32 = 4.0;

pub(super) const IDLE_HINT: &str =
    "Click to select · Middle or Alt+drag to orbit · Right drag to pan · Wheel to zoom";

pub struct Select;

impl Tool for Select {
    fn press(&mut self, _: &Context, press: &Press) -> Option<Grab> {
        let click = Click::Select(press.targets.first().cloned());
        let drag = BoxDrag { press: press.pixel, to: press.pixel };
        Grab::new(drag, click)
    }
}

struct BoxDrag {
    press: Vec2,
    to: Vec2,
}

impl Drag for BoxDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        self.to = input.pixel();
        Change::NONE
    }

    fn release(&mut self, context: &Context, modifiers: Modifiers) -> Vec<Request> {
        let Some(rig) = context.rig() else {
            return Vec::new();
        };
        let (area, selection) =
            (PixelBox::from_corners(self.press, self.to), context.view.session.selection());
        let found = box_select::parts_in_box(&rig, context.view.settings, context.viewport, &area);
        // A drag that was meant for something else must not lose the selection; a click on nothing clears it.
        if found.is_empty() {
            return Vec::new();
        }
        let new = box_select::selection_after(selection, found, modifiers.adds());
        if_changed(context, new).into_iter().map(Request::Select).collect()
    }

    fn area(&self) -> Option<PixelBox> {
        Some(PixelBox::from_corners(self.press, self.to))
    }

    fn hint(&self) -> String {
        if self.press == self.to {
            String::new()
        } else {
            "Release to select · Shift adds · Esc or right click cancels".into()
        }
    }
}

/// The effect of the mouse on a target, for the status bar. `has_hips`: whether the base stands for hips.
pub(super) fn target_hint(target: &PickTarget, tab: Tab, has_hips: bool) -> &'static str {
    match target {
        PickTarget::Handle(_) => "Drag to move the target · Click to select the handle",
        PickTarget::Pole(_) => "Drag to move the pole, where the joint points · Click to select it",
        PickTarget::Tip(_) | PickTarget::Bone(_) if tab == Tab::Animate => {
            "Drag to pose the limb, with Shift the whole body · Click to select the bone"
        }
        PickTarget::Tip(_) => "Drag to move the tail · Click to select the bone",
        PickTarget::Base if tab == Tab::Animate && has_hips => {
            "Drag to move the whole skeleton, with Shift its hips, on feet that stay · Click to select the base"
        }
        PickTarget::Base => "Drag to move the whole skeleton · Click to select the base",
        PickTarget::Bone(_) => "Click to select the bone",
        PickTarget::Skin => "Click to select the mesh · Middle or Alt+drag to orbit",
        PickTarget::Instance(_) => "Click to select",
    }
}

/// The previous click, from which a repeated click continues.
#[derive(Clone, Debug)]
pub(super) struct LastClick {
    pixel: Vec2,
    view: Viewport,
    /// The target that it selected.
    target: PickTarget,
}

impl LastClick {
    /// Whether a click at `pixel` is in the same place, and what the previous click selected is still
    /// selected.
    fn repeats(&self, context: &Context, pixel: Vec2) -> bool {
        let selection = context.view.session.selection();
        let selected = match &self.target {
            PickTarget::Instance(instance) => {
                selection.part.is_none() && selection.instance.as_ref() == Some(instance)
            }
            target => selection.part == target.part(),
        };
        selected && self.view == *context.viewport && self.pixel.distance(pixel) < CLICK_PX
    }
}

/// Returns the selection after a click on `target`, if it changes. A repeated click continues with the
/// targets behind; with `adds`, the target is added to the selection.
pub(super) fn click(
    context: &Context,
    last: &mut Option<LastClick>,
    pixel: Vec2,
    target: Option<PickTarget>,
    adds: bool,
) -> Option<Selection> {
    let target = match (target, &last) {
        (Some(_), Some(last)) if !adds && last.repeats(context, pixel) => {
            next_target(context.pick(pixel), &last.target, context.view.session.selection())
        }
        (target, _) => target,
    };
    let selected = selection_after(context, target.as_ref(), adds);
    *last = target.filter(|_| !adds).map(|target| LastClick { pixel, view: *context.viewport, target });
    selected
}

/// Returns the selection after a click on `target`, if it changes. With `toggles`, the target is added to the
/// selection or removed from it. A click on nothing selects the parent level, or does nothing with `toggles`.
pub(super) fn selection_after(
    context: &Context,
    target: Option<&PickTarget>,
    toggles: bool,
) -> Option<Selection> {
    let (session, settings) = (context.view.session, context.view.settings);
    let selection = session.selection();
    let new = match target {
        Some(target) if toggles => selection.toggled(target.part()?),
        None if toggles => return None,
        None => selection.parent_level(settings.tab),
        Some(PickTarget::Instance(instance)) => Selection::from_instance(session.scene(), instance),
        // The skin of the active mesh selects the mesh, without a part.
        Some(target) => selection.with_part(target.part()),
    };
    if_changed(context, new)
}

fn if_changed(context: &Context, new: Selection) -> Option<Selection> {
    (new != *context.view.session.selection()).then_some(new)
}
