//! A drag that moves something: a part of a skeleton, a whole instance, the tail of a bone that is pulled, or a point of a
//! motion path.

use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role};
use super::numeric::NumericInput;
use super::placement::Placement;
use super::snap::{SnapHit, SnapTargets};
use super::target::MoveTarget;
use super::translate::{self, Constraint, PARTS, TranslateDrag};
use super::{Change, Click, Context, Drag, DragInput, Grab, Press, drag_hint};
use crate::edit::command::Command;
use crate::edit::fitting::{FitRequest, in_bind_pose};
use crate::edit::pose::children::Children;
use crate::edit::pose::path_pull::PathPull;
use crate::edit::pose::pull::Pull;
use crate::edit::request::Request;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::Part;
use crate::math::camera::Viewport;
use crate::rig::skeleton::Skeleton;
use glam::{Mat3, Mat4, Vec2, Vec3};

/// The object that is moved.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    Part(MoveTarget, Children),
    Placed(Placement),
    /// The tail of a bone, whose limb or body follows.
    Pulled(Box<Pulled>),
    /// A point of a motion path, at its frame.
    Path(Box<PathPoint>),
    /// A joint of a skeleton that is being fitted, which is fitted again on the way.
    Joint(Joint),
}

/// The tail of a bone that is being fitted.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub bone: usize,
    /// World space.
    pub origin: Vec3,
    /// In the pose at the press; `None` if no skeleton was found yet.
    pub skeleton: Option<Skeleton>,
    pub skeleton_from_world: Mat4,
}

impl Joint {
    /// Returns where the joint is in the bind pose, after a movement in world space.
    fn tail(&self, moved: Vec3) -> Option<Vec3> {
        let point = self.skeleton_from_world.transform_point3(self.origin + moved);
        match &self.skeleton {
            Some(skeleton) => in_bind_pose(skeleton, self.bone, point),
            None => Some(point),
        }
    }
}

/// A tail that is pulled.
#[derive(Clone, Debug)]
pub(super) struct Pulled {
    pub pull: Pull,
    /// World space.
    pub origin: Vec3,
    pub axes: [Vec3; 3],
    pub skeleton_from_world: Mat3,
}

/// A point of a motion path that is moved.
#[derive(Clone, Debug)]
pub(super) struct PathPoint {
    pub pull: PathPull,
    /// World space.
    pub origin: Vec3,
}

impl Subject {
    pub(super) fn part(context: &Context, target: MoveTarget) -> Self {
        Self::Part(target, context.view.settings.tools.children)
    }

    /// The ball that represents a part.
    pub(super) fn ball(context: &Context, part: Part) -> Option<Self> {
        let target = MoveTarget::from_part(&context.rig()?, part)?;
        Some(Self::part(context, target))
    }

    /// The unit directions of the arrows and their origin, world space.
    pub(super) fn frame(&self, context: &Context) -> ([Vec3; 3], Vec3) {
        match self {
            Self::Part(target, _) => (target.axes, target.origin),
            Self::Placed(placement) => {
                (placement.directions(context.view.settings.tools.axes), placement.origin())
            }
            Self::Pulled(pulled) => (pulled.axes, pulled.origin),
            Self::Path(point) => (Vec3::AXES, point.origin),
            Self::Joint(joint) => (Vec3::AXES, joint.origin),
        }
    }

    /// Returns the commands for a movement in world space.
    fn commands(&mut self, moved: Vec3) -> Vec<Command> {
        match self {
            Self::Part(target, children) => children.apply_to(target.commands(moved)),
            Self::Placed(placement) => placement.move_commands(moved),
            Self::Pulled(pulled) => pulled.pull.commands(pulled.skeleton_from_world * moved),
            Self::Path(point) => point.pull.command(moved).into_iter().collect(),
            Self::Joint(_) => Vec::new(),
        }
    }

    fn snap_targets(&self, rig: &ActiveRig) -> Option<SnapTargets> {
        match self {
            Self::Part(target, _) => target.moving_parts(rig).map(|moving| SnapTargets::new(rig, &moving)),
            Self::Placed(_) | Self::Pulled(_) | Self::Path(_) | Self::Joint(_) => None,
        }
    }
}

/// A drag that moves something.
pub(super) struct MoveDrag {
    subject: Subject,
    drag: TranslateDrag,
    origin: Vec3,
    /// World space.
    moved: Vec3,
    /// The snap targets of free movement.
    targets: Option<SnapTargets>,
    hit: Option<SnapHit>,
    /// Whether Shift was held at the press, where it chose the whole body: it does not make the movement finer then.
    with_shift: bool,
}

impl MoveDrag {
    /// Returns `None` if the pointer does not hit the line or plane of the constraint.
    pub(super) fn new(
        context: &Context,
        subject: Subject,
        constraint: Constraint,
        pixel: Vec2,
    ) -> Option<Self> {
        let (axes, origin) = subject.frame(context);
        let targets = context.rig().and_then(|rig| subject.snap_targets(&rig));
        Some(Self {
            drag: TranslateDrag::new(axes, origin, constraint, context.viewport, pixel)?,
            subject,
            origin,
            moved: Vec3::ZERO,
            targets,
            hit: None,
            with_shift: false,
        })
    }

    /// The same for a press where Shift chose the whole body.
    pub(super) fn with_shift(self, with_shift: bool) -> Self {
        Self { with_shift, ..self }
    }
}

impl Drag for MoveDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        let fine = input.modifiers.fine && !self.with_shift;
        let input = &DragInput { modifiers: Modifiers { fine, ..input.modifiers }, ..*input };
        self.moved = self.drag.drag(input);
        self.hit = None;
        let free = self.drag.constraint == Constraint::View && input.numbers.is_empty();
        if let Some(targets) = self.targets.as_ref().filter(|_| free && !input.modifiers.snap) {
            let (snapped, hit) = targets.snap(input.viewport, self.origin + self.moved, input.modifiers);
            if hit.is_some() {
                self.moved = snapped - self.origin;
                self.drag.total = self.moved;
            }
            self.hit = hit;
        }
        match &self.subject {
            // Where there is no skeleton yet, there is nothing to show on the way.
            Subject::Joint(joint) if joint.skeleton.is_some() => {
                let tail = joint.tail(self.moved);
                let request = tail.map(|tail| Request::Fit(FitRequest::Drag { bone: joint.bone, tail }));
                request.map_or(Change::NONE, |request| Change::Request(Box::new(request)))
            }
            _ => Change::Commands(self.subject.commands(self.moved)),
        }
    }

    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        match &self.subject {
            Subject::Joint(joint) => {
                let tail = joint.tail(self.moved);
                let place = |tail| Request::Fit(FitRequest::Place { bone: joint.bone, tail });
                tail.map(place).into_iter().collect()
            }
            Subject::Part(..) | Subject::Placed(_) | Subject::Pulled(_) | Subject::Path(_) => Vec::new(),
        }
    }

    fn cancelled(&mut self) -> Option<Request> {
        matches!(self.subject, Subject::Joint(_)).then_some(Request::Fit(FitRequest::Undrag))
    }

    fn number_count(&self) -> usize {
        self.drag.constraint.directions().len()
    }

    fn toggle_axis(&mut self, axis: Axis, viewport: &Viewport) {
        self.drag.toggle_axis(axis, viewport);
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let position = self.origin + self.moved;
        let mut shape =
            translate::gizmo_shape(&self.drag.axes, position, viewport, Some(self.drag.constraint));
        let part = GizmoPart::new(PARTS, Role::Bone, 0.0);
        for marks in self.hit.iter().flat_map(|hit| hit.marks(viewport, position)) {
            shape.line(part, GizmoStyle::Plain, marks);
        }
        shape
    }

    fn readout(&self, numbers: &NumericInput) -> String {
        let readout = self.drag.readout(numbers);
        match &self.hit {
            Some(hit) => format!("{readout} · {}", hit.text()),
            None => readout,
        }
    }

    fn hint(&self) -> String {
        drag_hint("x y z along an axis · Ctrl snaps · Shift fine")
    }
}

/// Grabs the ball that represents a part.
pub(super) fn grab_ball(context: &Context, press: &Press, ball: &PickTarget) -> Option<Grab> {
    let subject = Subject::ball(context, ball.part()?)?;
    let drag = MoveDrag::new(context, subject, Constraint::View, press.pixel)?;
    Grab::new(drag, Click::Grab(ball.clone()))
}
