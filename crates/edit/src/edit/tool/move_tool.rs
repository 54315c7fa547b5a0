//! Moving a handle's target, its pole, the base, a bone against its parent or a whole instance by arrows, or by dragging
//! the balls themselves.

use super::gizmo::{GizmoPart, GizmoShape};
use super::move_drag::{MoveDrag, Subject, grab_ball};
use super::placement::Placement;
use super::pull;
use super::target::MoveTarget;
use super::translate::{self, Constraint};
use super::{Click, Context, Grab, Press, Tool};
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{GizmoMode, Tab};

pub struct Move;

impl Move {
    fn subject(context: &Context) -> Option<Subject> {
        match context.part() {
            Some(Part::Bone(bone)) => {
                let rig = context.rig()?;
                let moves = rig.tab == Tab::Animate && rig.gizmo_of(bone) == GizmoMode::Move;
                let target = MoveTarget::for_translation(&rig, bone).filter(|_| moves)?;
                Some(Subject::part(context, target))
            }
            Some(part) => {
                let target = MoveTarget::from_part(&context.rig()?, part)?;
                Some(Subject::part(context, target))
            }
            None => {
                let placement = Placement::from_view(context.view);
                let placement = placement.filter(|_| context.view.settings.tools.gizmo == GizmoMode::Move);
                Some(Subject::Placed(placement?))
            }
        }
    }
}

impl Tool for Move {
    fn shape(&self, context: &Context) -> GizmoShape {
        let subject = Self::subject(context);
        subject.map_or_else(GizmoShape::default, |subject| {
            let (axes, origin) = subject.frame(context);
            translate::gizmo_shape(&axes, origin, context.viewport, None)
        })
    }

    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        if let Some(constraint) = press.part.and_then(Constraint::from_part) {
            let subject = Self::subject(context)?;
            return Grab::new(MoveDrag::new(context, subject, constraint, press.pixel)?, Click::Through);
        }
        let ball = press.targets.first()?;
        let (PickTarget::Handle(_) | PickTarget::Pole(_) | PickTarget::Tip(_) | PickTarget::Base) = ball
        else {
            return None;
        };
        if let (PickTarget::Base, Some(lead)) = (ball, pull::lead_hips(context, press)) {
            return Some(lead);
        }
        grab_ball(context, press, ball)
    }

    fn hint(&self, part: Option<GizmoPart>) -> String {
        part.map(translate::hint).unwrap_or_default()
    }
}
