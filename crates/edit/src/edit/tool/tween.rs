//! The tools that blend poses: a horizontal drag, or a typed percentage, blends towards neighbouring keys or
//! the bind pose.
//!
//! Each tool lasts for one drag.

use super::numeric::NumericInput;
use super::{
    Button, Change, Click, Context, Drag, DragInput, Grab, NoDrag, Press, Tool, ToolDisplay, drag_hint,
};
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::tween::{Tween, TweenKind};
use crate::edit::tool::gizmo::{GizmoPart, Modifiers, PrecisionDrag};

/// The distance from one key to the other, in pixels.
const KEY_DISTANCE_PX: f32 = 300.0;
/// The fraction by which the pointer can go beyond the keys; typed numbers can go further.
const OVERSHOOT: f32 = 0.25;

pub(super) fn begin_between(view: &View) -> Option<Box<dyn Tool>> {
    begin(view, TweenKind::Between)
}

pub(super) fn begin_neighbors(view: &View) -> Option<Box<dyn Tool>> {
    begin(view, TweenKind::Neighbors)
}

pub(super) fn begin_push_relax(view: &View) -> Option<Box<dyn Tool>> {
    begin(view, TweenKind::PushRelax)
}

pub(super) fn begin_rest(view: &View) -> Option<Box<dyn Tool>> {
    begin(view, TweenKind::Rest)
}

/// Starts a tool if there is something to blend.
fn begin(view: &View, kind: TweenKind) -> Option<Box<dyn Tool>> {
    let blend = Blend { kind };
    blend.is_usable(view).then(|| Box::new(blend) as Box<dyn Tool>)
}

struct Blend {
    kind: TweenKind,
}

impl Tool for Blend {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        if press.button != Button::Primary {
            // A click of another button ends the tool.
            return Grab::new(NoDrag, Click::Nothing);
        }
        let tween = Tween::begin(context.view, self.kind).ok()?;
        let drag =
            BlendDrag { part: tween.factor, tween, press: press.pixel.x, fine: PrecisionDrag::default() };
        Grab::new(drag, Click::Nothing)
    }

    fn takes_numbers(&self) -> bool {
        true
    }

    fn display(&self) -> ToolDisplay {
        ToolDisplay { drags_anywhere: true, ..ToolDisplay::default() }
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        format!("{} · Esc or right click ends", self.prompt())
    }

    fn prompt(&self) -> &str {
        match self.kind {
            TweenKind::Between | TweenKind::Neighbors => {
                "Drag to the left towards the previous key, to the right towards the next, or type a percentage"
            }
            TweenKind::PushRelax => {
                "Drag to the right to push the pose, to the left to relax it, or type a percentage"
            }
            TweenKind::Rest => "Drag to the right towards the bind pose, or type a percentage",
        }
    }

    fn is_usable(&self, view: &View) -> bool {
        Tween::begin(view, self.kind).is_ok()
    }
}

struct BlendDrag {
    tween: Tween,
    press: f32,
    fine: PrecisionDrag<f32>,
    /// The fraction of the way from the previous key to the next.
    part: f32,
}

impl Drag for BlendDrag {
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change {
        let distance =
            self.fine.total((input.pixel().x - self.press) / KEY_DISTANCE_PX, input.modifiers.fine);
        let start = self.tween.factor;
        let ends = match self.tween.kind() {
            TweenKind::Between => [-OVERSHOOT, 1.0 + OVERSHOOT],
            TweenKind::Neighbors | TweenKind::PushRelax => [-1.0, 1.0],
            TweenKind::Rest => [0.0, 1.0],
        };
        let (least, most) = (start.min(ends[0]), start.max(ends[1]));
        let percent = input.modifiers.snapped((start + distance).clamp(least, most) * 100.0, 10.0);
        self.part = input.numbers.number().unwrap_or(percent) / 100.0;
        let scene = context.view.session.animated_before();
        let mesh = context.view.session.selection().mesh.as_ref();
        let skinned = mesh.and_then(|mesh| scene.skinned_meshes.get(mesh));
        let commands =
            skinned.map_or(Vec::new(), |skinned| self.tween.commands(&skinned.skeleton, self.part));
        Change::Commands(commands)
    }

    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        let action = match self.tween.kind() {
            TweenKind::Between => Action::TWEEN,
            TweenKind::Neighbors => Action::BLEND_TO_NEIGHBORS,
            TweenKind::PushRelax => Action::PUSH_RELAX,
            TweenKind::Rest => Action::BLEND_TO_REST,
        };
        vec![Request::Act(action)]
    }

    fn number_count(&self) -> usize {
        1
    }

    fn readout(&self, numbers: &NumericInput) -> String {
        format!("{} %", numbers.text_or(self.part * 100.0, 0))
    }

    fn hint(&self) -> String {
        drag_hint("Ctrl snaps to tens · Shift fine")
    }
}
