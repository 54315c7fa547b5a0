//! Rotating by rings: the angle of a drag, its limits, and the command that applies it.

use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, PrecisionDrag, format_number};
use super::numeric::NumericInput;
use super::placement::Placement;
use super::rings::{EDGE_ON, Rings, SEGMENTS, SNAP_DEG, Subject};
use super::{Change, Click, Context, Drag, DragInput, Grab, Press, Tool, drag_hint};
use crate::edit::command::Command;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{GizmoMode, Tab};
use crate::math::camera::Viewport;
use crate::rig::skeleton::Orientation;
use glam::{Quat, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

pub struct Rotate;

impl Rotate {
    fn rings(context: &Context) -> Option<Rings> {
        let settings = context.view.settings;
        match (context.part(), settings.tab) {
            (Some(Part::Bone(bone)), Tab::Animate) => {
                let rig = context.rig()?;
                if rig.gizmo_of(bone) == GizmoMode::Rotate { Rings::for_pose(&rig, bone) } else { None }
            }
            (Some(Part::Handle(handle)), _) => Rings::for_orientation(&context.rig()?, handle),
            _ if settings.tools.gizmo != GizmoMode::Rotate => None,
            (Some(Part::Bone(bone)), Tab::Rig) => {
                Rings::for_bind_pose(&context.rig()?, bone, context.bone_group())
            }
            (Some(_), _) => None,
            (None, _) => Rings::for_placement(Placement::from_view(context.view)?, settings.tools.axes),
        }
    }
}

impl Tool for Rotate {
    fn shape(&self, context: &Context) -> GizmoShape {
        Self::rings(context).map_or_else(GizmoShape::default, |rings| rings.shape(context.viewport))
    }

    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        let axis = press.part?.axis(0)?;
        let drag = RingDrag::new(Self::rings(context)?, axis, context.viewport, press.pixel)?;
        Grab::new(drag, Click::Through)
    }

    fn hint(&self, part: Option<GizmoPart>) -> String {
        let axis = part.and_then(|part| part.axis(0)).map_or("", Axis::name);
        format!("Drag to rotate about {axis} · Ctrl snaps to 15° · Shift fine")
    }
}

/// How the pointer rotates the ring.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motion {
    /// The point of the ring plane under the pointer follows it. `last` is the last angle under the pointer,
    /// in radians.
    Plane { last: f32 },
    /// Edge-on: movement along the screen, in pixels per radian.
    Screen { velocity: Vec2 },
}

/// A drag of one ring. The rings stay as they were at the press; angles continue past 180 degrees.
#[derive(Clone, Debug)]
pub struct RingDrag {
    rings: Rings,
    axis: Axis,
    motion: Motion,
    press: Vec2,
    /// The grabbed angle of the ring in radians, where the swept angle starts.
    grabbed: f32,
    /// The rotation since the press, before slowing and snapping, in degrees.
    raw_deg: f32,
    fine: PrecisionDrag<f32>,
    turned_deg: f32,
}

impl RingDrag {
    /// Returns `None` if the ring cannot be seen.
    pub fn new(rings: Rings, axis: Axis, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        viewport.project(rings.origin)?;
        let open = rings.openness(viewport, axis) >= EDGE_ON;
        let (motion, grabbed) = match rings.angle_under(viewport, axis, pixel).filter(|_| open) {
            Some(last) => (Motion::Plane { last }, last),
            None => {
                let velocity = rings.front_velocity(viewport, axis)?;
                let grabbed = rings.nearest_angle(viewport, axis, pixel);
                (Motion::Screen { velocity }, grabbed)
            }
        };
        Some(Self {
            rings,
            axis,
            motion,
            press: pixel,
            grabbed,
            raw_deg: 0.0,
            fine: PrecisionDrag::default(),
            turned_deg: 0.0,
        })
    }

    /// Returns the whole change since the press.
    pub fn commands(&mut self, input: &DragInput) -> Vec<Command> {
        // Follow the whole path, so that a fast pointer goes around the ring the right way.
        for sample in input.path {
            self.rotate_to(input.viewport, sample.pixel);
        }
        let turned = self.fine.total(self.raw_deg, input.modifiers.fine);
        self.turned_deg = input.typed_or_snapped(turned, SNAP_DEG);
        if let Subject::Pose { pose_deg, joint, .. } = &self.rings.subject {
            let before = pose_deg[self.axis.index()];
            let angle = before + self.turned_deg;
            let clamped = joint.clamp(self.axis, angle);
            if clamped != angle {
                self.turned_deg = clamped - before;
            }
        }
        vec![match self.rings.subject.clone() {
            Subject::Pose { mesh, bone, mut pose_deg, joint } => {
                let angle = &mut pose_deg[self.axis.index()];
                // Clamp again, to be exact: before + (limit - before) need not equal the limit.
                *angle = joint.clamp(self.axis, *angle + self.turned_deg);
                Command::set_bone(mesh, bone, "pose", pose_deg)
            }
            Subject::Orientation { mesh, handle, orientation, space_from_skeleton } => {
                let rotation = space_from_skeleton * self.rotation() * orientation.rotation;
                let orientation = Some(Orientation { rotation: rotation.normalize(), ..orientation });
                Command::set_handle(mesh, handle, "orientation", orientation)
            }
            Subject::Roll { mesh, bone, roll_deg } => {
                Command::set_bone(mesh, bone, "roll", self.rolled(roll_deg))
            }
            Subject::Bind { mesh, bones } => {
                let rotation = self.rotation();
                Command::RotateBones { mesh, bones, rotation }
            }
            Subject::Placed(placement, axes) => {
                let angle = f64::from(self.turned_deg).to_radians();
                return placement.rotate_commands(axes[self.axis.index()], angle);
            }
        }]
    }

    fn rotate_to(&mut self, viewport: &Viewport, pixel: Vec2) {
        match &mut self.motion {
            Motion::Plane { last } => {
                if let Some(angle) = self.rings.angle_under(viewport, self.axis, pixel) {
                    // The shorter way around: increments add up past half a turn.
                    let step = (angle - *last + PI).rem_euclid(TAU) - PI;
                    *last = angle;
                    self.raw_deg += step.to_degrees();
                }
            }
            Motion::Screen { velocity } => {
                let radians = (pixel - self.press).dot(*velocity) / velocity.length_squared();
                if radians.is_finite() {
                    self.raw_deg = radians.to_degrees();
                }
            }
        }
    }

    /// Ring space.
    fn rotation(&self) -> Quat {
        let about = self.rings.axes[self.axis.index()];
        Quat::from_axis_angle(about, self.turned_deg.to_radians())
    }

    /// The roll angle, wrapped to a full turn.
    fn rolled(&self, roll_deg: f32) -> f32 {
        if self.turned_deg == 0.0 {
            roll_deg
        } else {
            (roll_deg + self.turned_deg + 180.0).rem_euclid(360.0) - 180.0
        }
    }
}

impl Drag for RingDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        Change::Commands(self.commands(input))
    }

    fn number_count(&self) -> usize {
        1
    }

    /// Returns the dragged ring and the swept angle.
    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let rings = &self.rings;
        if viewport.project(rings.origin).is_none() {
            return shape;
        }
        let sweep = self.turned_deg.clamp(-360.0, 360.0).to_radians();
        let slices = (sweep.abs() / (TAU / SEGMENTS as f32)).ceil() as usize;
        let radius = rings.radius(viewport, self.axis);
        let swept = rings.arc(self.axis, radius, self.grabbed, sweep, slices.max(1));
        let swept: Vec<Vec3> = swept.collect();
        let part = rings.part(self.axis);
        if slices > 0 {
            for edge in swept.windows(2) {
                shape.face(part, GizmoStyle::Guide, vec![rings.origin, edge[0], edge[1]]);
            }
        }
        let sides = vec![swept[0], rings.origin, swept[swept.len() - 1]];
        shape.line(part, GizmoStyle::Guide, sides);
        rings.draw_ring(&mut shape, viewport, self.axis);
        rings.draw_limits(&mut shape, viewport, self.axis, self.turned_deg);
        shape
    }

    /// The angle and the rotation, such as `x 57.5° (+12.5°)`, or the rotation alone.
    fn readout(&self, numbers: &NumericInput) -> String {
        let turned = numbers.text_or(self.turned_deg, 1);
        let sign = if turned.starts_with('−') || turned == "0" { "" } else { "+" };
        let mut at_limit = false;
        let (name, angle) = match &self.rings.subject {
            Subject::Bind { .. } | Subject::Orientation { .. } | Subject::Placed(..) => {
                return format!("{} {sign}{turned}°", self.axis.name());
            }
            Subject::Pose { pose_deg, joint, .. } => {
                let angle = pose_deg[self.axis.index()] + self.turned_deg;
                at_limit = joint.is_at_limit(self.axis, angle);
                (self.axis.name(), angle)
            }
            Subject::Roll { roll_deg, .. } => ("Roll", self.rolled(*roll_deg)),
        };
        let suffix = if at_limit { " · at its limit" } else { "" };
        format!("{name} {}° ({sign}{turned}°){suffix}", format_number(angle, 1)).replace('-', "−")
    }

    fn hint(&self) -> String {
        drag_hint("Ctrl snaps to 15° · Shift fine")
    }
}
