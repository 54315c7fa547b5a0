//! Placing the joints of a skeleton that is being fitted.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Role};
use super::move_drag::{Joint, MoveDrag, Subject};
use super::translate::{Constraint, PARTS};
use super::{Button, Click, Context, Grab, Press, Tool};
use crate::edit::fitting::{Fitting, UNCERTAIN};
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::PickTarget;

/// The radius of the disc at a joint, in pixels.
const JOINT_PX: f32 = 6.0;

/// Drags the joints of a skeleton that is being fitted: the rest of it is fitted again.
pub struct FitJoints;

impl FitJoints {
    fn fitting<'a>(context: &'a Context<'a>) -> Option<(&'a Fitting, ActiveRig<'a>)> {
        let fitting = context.view.settings.fitting.as_deref()?;
        let rig = context.rig().filter(|rig| rig.mesh == fitting.mesh)?;
        // Fingers come after the bones of the template, and are placed by the surface alone.
        let joints = 1..=rig.skeleton.bones.len();
        joints.contains(&fitting.confidence.len()).then_some((fitting, rig))
    }
}

/// Returns the part for the tail of a bone; parts are numbered by bone, as far as a byte reaches.
fn part(bone: usize, role: Role) -> Option<GizmoPart> {
    let id = u8::try_from(usize::from(PARTS) + bone).ok()?;
    Some(GizmoPart::new(id, role, -1.0))
}

impl Tool for FitJoints {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        let (fitting, rig) = Self::fitting(context)?;
        let bone = usize::from(press.part?.id.checked_sub(PARTS)?);
        if press.button != Button::Primary || bone >= fitting.confidence.len() {
            return None;
        }
        let subject = Subject::Joint(Joint {
            bone,
            origin: rig.bone_tip(bone)?,
            skeleton: rig.skeleton.clone(),
            skeleton_from_world: Some(rig.world_from_skeleton.inverse())
                .filter(|matrix| matrix.is_finite())?,
        });
        let drag = MoveDrag::new(context, subject, Constraint::View, press.pixel)?;
        Grab::new(drag, Click::Grab(PickTarget::Bone(bone)))
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let Some((fitting, rig)) = Self::fitting(context) else { return shape };
        let joints = fitting.confidence.len();
        for bone in rig.drawn_bones().filter(|bone| *bone < joints) {
            let role = match (fitting.placed.get(bone), fitting.confidence[bone] < UNCERTAIN) {
                (Some(true), _) => Role::Snap,
                (_, true) => Role::Limit,
                (_, false) => Role::Y,
            };
            let (Some(part), Some(tail)) = (part(bone, role), rig.bone_tip(bone)) else { continue };
            shape.disc(part, tail, JOINT_PX, context.viewport);
            if let Some(start) = rig.bone_start(bone) {
                shape.line(part, GizmoStyle::Guide, vec![start, tail]);
            }
        }
        shape
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        "Drag the joint to where it belongs; the rest is fitted again · Enter accepts · Esc rejects".into()
    }
}
