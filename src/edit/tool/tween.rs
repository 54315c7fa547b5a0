//! The Tween tool: a drag to the side blends the pose between the keys before and after the frame.
//!
//! For one drag: its end ends the tool.

use super::numeric::NumericInput;
use super::{Button, Change, Click, Context, Drag, DragInput, Hold, Press, Tool, drag_hint};
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::tool::gizmo::{GizmoPart, Modifiers, PrecisionDrag};
use crate::edit::tween::Tween;
use crate::edit::view::View;

/// From one key to the other, in pixels.
const WAY_PX: f32 = 300.0;
/// How far the pointer goes beyond the keys; typed numbers go on.
const BEYOND: f32 = 0.25;

/// Begins where there is something to blend.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    Tween::from_view(view)
        .ok()
        .map(|_| Box::new(Blend) as Box<dyn Tool>)
}

struct Blend;

impl Tool for Blend {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold> {
        if press.button != Button::Primary {
            return Hold::new(Nothing, Click::Nothing);
        }
        let tween = Tween::from_view(context.view).ok()?;
        let drag = BlendDrag {
            part: tween.part,
            tween,
            press: press.at.x,
            fine: PrecisionDrag::default(),
        };
        Hold::new(drag, Click::Nothing)
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        format!("{} · Esc or right click ends", self.prompt())
    }

    fn prompt(&self) -> &str {
        "Drag to the left towards the key before, to the right towards the next"
    }

    fn is_usable(&self, view: &View) -> bool {
        Tween::from_view(view).is_ok()
    }
}

/// Another button: a click of it ends the tool.
struct Nothing;

impl Drag for Nothing {
    fn drag(&mut self, _: &Context, _: &DragInput) -> Change {
        Change::NONE
    }
}

struct BlendDrag {
    tween: Tween,
    press: f32,
    fine: PrecisionDrag<f32>,
    /// The part of the way from the key before to the one after.
    part: f32,
}

impl Drag for BlendDrag {
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change {
        let way = self
            .fine
            .total((input.at().x - self.press) / WAY_PX, input.modifiers.fine);
        let start = self.tween.part;
        let least = start.min(-BEYOND);
        let most = start.max(1.0 + BEYOND);
        let percent = input
            .modifiers
            .snapped((start + way).clamp(least, most) * 100.0, 10.0);
        self.part = input.numbers.number().unwrap_or(percent) / 100.0;
        let scene = context.view.session.animated_before();
        let mesh = context.view.session.selection().mesh.as_ref();
        let skinned = mesh.and_then(|mesh| scene.skinned_meshes.get(mesh));
        let commands = skinned.map_or(Vec::new(), |skinned| {
            self.tween.commands(&skinned.skeleton, self.part)
        });
        Change::Commands(commands)
    }

    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        vec![Request::Act(Action::TWEEN)]
    }

    fn numbers(&self) -> usize {
        1
    }

    fn readout(&self, numbers: &NumericInput) -> String {
        format!("{} %", numbers.shown_or(self.part * 100.0, 0))
    }

    fn hint(&self) -> String {
        drag_hint("Ctrl snaps to tens · Shift fine")
    }
}
