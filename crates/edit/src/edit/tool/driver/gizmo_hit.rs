//! Which part of a gizmo is under the pointer, in view of what else is there.

use super::super::gizmo::{GRAB_PX, GizmoPart, NEAR_PX, SEEN_PX};
use super::super::{Context, Tool};
use super::ToolController;
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{GizmoMode, Tab};
use glam::Vec2;

/// How the gizmos of all tools are hit at a pixel.
pub(super) struct GizmoHit {
    pixel: Vec2,
    /// The distance within which lines are hit, in pixels.
    reach_px: f32,
    /// Whether something is there that is dragged itself: see [`is_over_grip`].
    over_grip: bool,
}

impl GizmoHit {
    /// Returns the part of a tool's gizmo under the pointer. A ball is in front of arrows, squares and rings,
    /// between which it could not be grabbed, and so is a bone of its rings, but not of the gizmo's middle.
    pub(super) fn part(&self, context: &Context, tool: &dyn Tool) -> Option<GizmoPart> {
        let shape = tool.shape(context);
        let part = shape.hit_within(context.viewport, self.pixel, self.reach_px);
        part.filter(|part| !self.over_grip || part.rank < 0.0)
    }
}

impl ToolController {
    /// `target` is the best one under the pointer, apart from gizmos. Lines are hit from farther away where no line
    /// is close and no part of a skeleton is meant.
    pub(super) fn gizmo_hit(&self, context: &Context, pixel: Vec2, target: Option<&PickTarget>) -> GizmoHit {
        let is_part = target.is_some_and(|target| target.part().is_some());
        let mut shapes = self.selection_tools.iter().map(|tool| tool.shape(context));
        let is_exact =
            is_part || self.is_chosen() || shapes.any(|shape| shape.hit(context.viewport, pixel).is_some());
        let is_body =
            matches!(target, Some(PickTarget::Bone(_))) && context.view.settings.tab == Tab::Animate;
        GizmoHit {
            pixel,
            reach_px: match is_exact {
                // A bone is dragged itself: only what is seen of a line is in front of it.
                true if is_body => SEEN_PX,
                true => GRAB_PX,
                false => NEAR_PX,
            },
            over_grip: is_over_grip(context, target),
        }
    }
}

/// Whether the first target under the pointer is the ball of a handle or pole that is not selected; or, in the Animate tab,
/// the tail of a bone, which poses its limb, or the base, which leads the hips: the rings of a bone often pass them, and the
/// gizmo of a whole character stands between its feet. So do rings pass their own bone, which is to be posed again and again
/// by dragging it; most of their way is beside it.
fn is_over_grip(context: &Context, target: Option<&PickTarget>) -> bool {
    match target {
        Some(ball @ (PickTarget::Handle(_) | PickTarget::Pole(_))) => {
            ball.part().is_some_and(|part| !context.view.session.selection().is_selected(part))
        }
        Some(PickTarget::Tip(_) | PickTarget::Base) => {
            let part = context.view.session.selection().part;
            context.view.settings.tab == Tab::Animate && matches!(part, None | Some(Part::Bone(_)))
        }
        Some(PickTarget::Bone(bone)) => context
            .rig()
            .is_some_and(|rig| rig.posed_bone == Some(*bone) && rig.gizmo_of(*bone) == GizmoMode::Rotate),
        _ => false,
    }
}
