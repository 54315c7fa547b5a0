//! Posing by dragging: the tail of a bone is pulled, and its limb or the whole body follows. Bones can be dragged at any
//! time; with the tool in hand, any place on the skin.

use super::gizmo::{GizmoPart, GizmoShape, Modifiers, Role};
use super::move_drag::{MoveDrag, Pulled, Subject, grab_ball};
use super::translate::{Constraint, PARTS};
use super::{Button, Click, Context, Grab, Press, Tool, ToolOptions};
use crate::edit::pose::pull::Pull;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::{PickTarget, TIP_PX};
use crate::edit::select::probe::{influences, vertex_under};
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::rig::body::feet::hips;
use glam::{Mat3, Vec2};

const TAIL: GizmoPart = GizmoPart::new(PARTS, Role::Bone, -0.75);

/// Returns a disc at the tail of a bone that a drag would pull, highlighted.
pub(super) fn tail_shape(context: &Context, bone: usize) -> Option<(GizmoShape, Option<GizmoPart>)> {
    let mut shape = GizmoShape::default();
    shape.disc(TAIL, context.rig()?.bone_tip(bone)?, TIP_PX, context.viewport);
    Some((shape, Some(TAIL)))
}

/// Pulls the tails of bones in the Animate tab, grabbed there or anywhere on the bone.
pub struct PullBones;

impl Tool for PullBones {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        match press.targets.first()? {
            PickTarget::Tip(bone) | PickTarget::Bone(bone) => pull(context, press, *bone),
            _ => None,
        }
    }
}

/// Begins to lead the whole body by its hips, if that is what a press on the base means.
pub(super) fn lead_hips(context: &Context, press: &Press) -> Option<Grab> {
    if with_body(context, press) { lead(context, press) } else { None }
}

/// Begins to lead the body by its hips; without hips, the whole skeleton moves.
fn lead(context: &Context, press: &Press) -> Option<Grab> {
    if let Some(hips) = hips_of(context) {
        return pull(context, press, hips);
    }
    context.rig().filter(|rig| is_posing(rig, press))?;
    let subject = Subject::ball(context, Part::Base)?;
    let drag = MoveDrag::new(context, subject, Constraint::View, press.pixel)?;
    Grab::new(drag.with_shift(press.modifiers.fine), Click::Grab(PickTarget::Base))
}

fn is_posing(rig: &ActiveRig, press: &Press) -> bool {
    rig.tab == Tab::Animate && press.button == Button::Primary
}

/// Whether the whole body is to follow.
pub(super) fn with_body(context: &Context, press: &Press) -> bool {
    context.view.settings.tools.whole_body || press.modifiers.fine
}

/// The bone that the base stands for.
pub(super) fn hips_of(context: &Context) -> Option<usize> {
    hips(context.rig()?.skeleton)
}

/// Begins to pull the tail of a bone; or to move its handle, if it has one that pulls it.
fn pull(context: &Context, press: &Press, bone: usize) -> Option<Grab> {
    let rig = context.rig().filter(|rig| is_posing(rig, press))?;
    let handles = rig.skeleton.handles.iter();
    let mut handles = handles.map(|handle| {
        (handle.bone as usize == bone) && handle.look_at.is_none() && rig.skeleton.pulls(handle)
    });
    let click = Click::Grab(PickTarget::Bone(bone));
    let subject = match handles.position(|pulls| pulls) {
        Some(handle) => Subject::ball(context, Part::Handle(handle))?,
        None => {
            let skeleton_from_world = Mat3::from_mat4(rig.world_from_skeleton).inverse();
            Subject::Pulled(Box::new(Pulled {
                pull: Pull::new(context.view, bone, with_body(context, press))?,
                origin: rig.bone_tip(bone)?,
                axes: rig.axes_of(Part::Bone(bone)),
                skeleton_from_world: Some(skeleton_from_world).filter(|matrix| matrix.is_finite())?,
            }))
        }
    };
    // A ball of a handle is moved alone: there, Shift is fine as ever.
    let with_shift = press.modifiers.fine && matches!(subject, Subject::Pulled(_));
    let drag = MoveDrag::new(context, subject, Constraint::View, press.pixel)?;
    Grab::new(drag.with_shift(with_shift), click)
}

pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let tool = PoseByDragging { bone: None };
    tool.is_usable(view).then(|| Box::new(tool) as Box<dyn Tool>)
}

/// Pulls the bone under the pointer wherever the skin is grabbed.
struct PoseByDragging {
    /// The bone that a press would pull.
    bone: Option<usize>,
}

impl PoseByDragging {
    /// Returns the bone of the tail or the body under the pointer, or that which moves the skin there most.
    fn bone_at(context: &Context, targets: &[PickTarget], pixel: Vec2) -> Option<usize> {
        let first = targets.first()?;
        if let PickTarget::Tip(bone) = first {
            return Some(*bone);
        }
        let rig = context.rig()?;
        let skin = vertex_under(context.view, context.viewport, pixel).and_then(|vertex| {
            let weights = &context.view.evaluated.shown_mesh(rig.mesh)?.weights;
            influences(weights, vertex).into_iter().map(|(bone, _)| bone).find(|bone| rig.is_drawn(*bone))
        });
        skin.or(match first {
            PickTarget::Bone(bone) => Some(*bone),
            _ => None,
        })
    }
}

impl Tool for PoseByDragging {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        let ball = press.targets.first();
        match ball {
            Some(ball @ (PickTarget::Handle(_) | PickTarget::Pole(_))) => {
                return grab_ball(context, press, ball);
            }
            Some(PickTarget::Base) => return lead(context, press),
            _ => {}
        }
        let bone = Self::bone_at(context, press.targets, press.pixel)?;
        pull(context, press, bone)
    }

    fn hover(&mut self, context: &Context, pointer: Option<Vec2>, _: Modifiers) {
        self.bone = pointer.and_then(|pixel| Self::bone_at(context, &context.pick(pixel), pixel));
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let tail = self.bone.and_then(|bone| tail_shape(context, bone));
        tail.map_or_else(GizmoShape::default, |(shape, _)| shape)
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        format!("{} · Esc or right click ends", self.prompt())
    }

    fn prompt(&self) -> &str {
        "Drag any part of the body · Shift: the whole body follows"
    }

    fn options(&self, _: &View) -> Option<ToolOptions> {
        Some(ToolOptions::Pull)
    }

    fn is_usable(&self, view: &View) -> bool {
        view.settings.tab == Tab::Animate && ActiveRig::from_view(view).is_some()
    }
}
