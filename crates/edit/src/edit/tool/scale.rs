//! Scaling: a box at the end of each of the own axes of an instance, or of a bone in the pose, and one in the middle for
//! all three. For a bone in the bind pose, a box at the end of the line along it and one at its head.

use super::gizmo::{
    Axis, END_ON, GizmoPart, GizmoShape, GizmoStyle, NEAR_PX, PrecisionDrag, Role, SIZE_PX, size_px,
};
use super::numeric::NumericInput;
use super::placement::{Placement, Scalable};
use super::{Change, Click, Context, Drag, DragInput, Grab, Press, Tool, drag_hint};
use crate::edit::command::Command;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{GizmoMode, Tab};
use crate::math::camera::Viewport;
use crate::rig::kinematics::{rotation_part, scale_axes};
use crate::rig::property::SCALE;
use glam::{DVec3, Vec2, Vec3};

/// Scales along an axis.
pub fn axis_box(axis: Axis) -> GizmoPart {
    GizmoPart::for_axis(0, axis, 0.0)
}

/// Scales along all axes.
pub const ALL_AXES: GizmoPart = GizmoPart::new(3, Role::View, -1.0);
/// Makes a bone longer or shorter.
pub const LENGTH: GizmoPart = GizmoPart::new(4, Role::Bone, 0.0);

pub struct Scale;

impl Tool for Scale {
    fn shape(&self, context: &Context) -> GizmoShape {
        let target = Target::new(context);
        target.map_or_else(GizmoShape::default, |target| target.shape(context.viewport, None))
    }

    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        press.part?;
        let target = Target::new(context)?;
        let shape = shape(&target.scalable, context.viewport, None);
        let part = shape.hit_within(context.viewport, press.pixel, NEAR_PX)?;
        let drag = BoxDrag::new(target, part.axis(0), context.viewport, press.pixel)?;
        Grab::new(drag, Click::Through)
    }

    fn hint(&self, part: Option<GizmoPart>) -> String {
        let action = match part.and_then(|part| part.axis(0)) {
            _ if part == Some(LENGTH) => "make the bone longer or shorter".into(),
            Some(axis) => format!("scale along {}", axis.name()),
            None => "scale along all axes".into(),
        };
        format!("Drag to {action} · Ctrl snaps to tenths · Shift fine")
    }
}

enum Subject {
    Bones {
        mesh: String,
        bones: Vec<usize>,
    },
    /// A bone in the pose.
    Posed {
        mesh: String,
        bone: usize,
    },
    Placed(Box<Placement>),
}

/// The selected object that can be scaled.
struct Target {
    subject: Subject,
    scalable: Scalable,
}

impl Target {
    fn new(context: &Context) -> Option<Self> {
        let settings = context.view.settings;
        let mode = match (context.part(), settings.tab) {
            (Some(Part::Bone(bone)), Tab::Animate) => context.rig()?.gizmo_of(bone),
            _ => settings.tools.gizmo,
        };
        if mode != GizmoMode::Scale {
            return None;
        }
        match (context.part(), settings.tab) {
            (Some(Part::Bone(bone)), Tab::Animate) => {
                let rig = context.rig()?;
                let this = rig.skeleton.bones.get(bone)?;
                let axes = rotation_part(rig.skeleton_from_bone.get(bone)?.matrix3) * scale_axes(this);
                let direction = |axis: DVec3| {
                    rig.world_from_skeleton.transform_vector3(axis.as_vec3()).normalize_or_zero()
                };
                let scalable = Scalable {
                    origin: rig.bone_start(bone)?,
                    directions: [axes.x_axis, axes.y_axis, axes.z_axis].map(direction),
                    axes: &Axis::ALL,
                    scale: this.scale,
                };
                let subject = Subject::Posed { mesh: rig.mesh.to_owned(), bone };
                scalable.origin.is_finite().then_some(Self { subject, scalable })
            }
            (Some(Part::Bone(bone)), Tab::Rig) => {
                let rig = context.rig()?;
                let (origin, tip) = (rig.bone_start(bone)?, rig.bone_tip(bone)?);
                let along = (tip - origin).try_normalize()?;
                let scalable = Scalable {
                    origin,
                    directions: [Vec3::ZERO, along, Vec3::ZERO],
                    axes: &[Axis::Y],
                    scale: Vec3::ONE,
                };
                let mut bones = context.bone_group();
                if bones.is_empty() {
                    bones.push(bone);
                }
                let mesh = rig.mesh.to_owned();
                let subject = Subject::Bones { mesh, bones };
                origin.is_finite().then_some(Self { subject, scalable })
            }
            (Some(_), _) => None,
            (None, _) => {
                let placement = Placement::from_view(context.view)?;
                let scalable = placement.scalable();
                let subject = Subject::Placed(Box::new(placement));
                Some(Self { subject, scalable })
            }
        }
    }

    /// For a bone, all elements form a single part.
    fn shape(&self, viewport: &Viewport, drag: Option<&BoxDrag>) -> GizmoShape {
        let mut shape = shape(&self.scalable, viewport, drag);
        if let Subject::Bones { .. } = self.subject {
            for element in shape.lines.iter_mut().chain(&mut shape.faces) {
                element.part = LENGTH;
            }
        }
        shape
    }

    /// Returns the commands for a scale; none if bones would have no length.
    fn commands(&self, scale: Vec3) -> Vec<Command> {
        match &self.subject {
            Subject::Placed(placement) => placement.scale_commands(scale),
            Subject::Posed { .. } if !scale.is_finite() => Vec::new(),
            Subject::Posed { mesh, bone } => {
                vec![Command::set_bone(mesh.clone(), *bone, SCALE.info.id, scale)]
            }
            Subject::Bones { .. } if !(scale.y.is_finite() && scale.y > 0.0) => Vec::new(),
            Subject::Bones { mesh, bones } => {
                vec![Command::ScaleBones { mesh: mesh.clone(), bones: bones.clone(), factor: scale.y }]
            }
        }
    }
}

/// Half the side of a box, relative to [`SIZE_PX`].
const BOX: f32 = 0.06;

fn shape(scalable: &Scalable, viewport: &Viewport, drag: Option<&BoxDrag>) -> GizmoShape {
    let mut shape = GizmoShape::default();
    let origin = scalable.origin;
    if viewport.project(origin).is_none() {
        return shape;
    }
    let unit = viewport.world_per_pixel(origin) * size_px(viewport, origin);
    let toward = viewport.towards_camera(origin);
    for &axis in scalable.axes {
        let direction = scalable.directions[axis.index()];
        let part = axis_box(axis);
        let is_dragged = drag.is_some_and(|drag| drag.axis == Some(axis));
        let reach = match drag {
            Some(drag) if is_dragged || drag.axis.is_none() => drag.factor,
            Some(_) => continue,
            None if direction.dot(toward).abs() > END_ON => continue,
            None => 1.0,
        };
        let end = origin + direction * unit * reach;
        shape.line(part, GizmoStyle::Plain, vec![origin, end]);
        draw_box(&mut shape, part, end, viewport, unit * BOX);
    }
    if drag.is_none_or(|drag| drag.axis.is_none()) {
        draw_box(&mut shape, ALL_AXES, origin, viewport, unit * BOX * 1.3);
    }
    shape
}

/// Draws a box as a square that faces the camera, which is indistinguishable at a few pixels.
fn draw_box(shape: &mut GizmoShape, part: GizmoPart, middle: Vec3, viewport: &Viewport, half: f32) {
    let [right, up, _] = viewport.camera.axes();
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| middle + (right * x + up * y) * half);
    shape.face(part, GizmoStyle::Plain, corners.to_vec());
}

/// A drag of a box. Totals are measured from the press.
struct BoxDrag {
    target: Target,
    /// `None` for all axes: the box in the middle.
    axis: Option<Axis>,
    /// The axis at the press.
    grabbed_axis: Option<Axis>,
    /// The direction of `grabbed_axis`, world space; zero for all axes.
    direction: Vec3,
    /// The grabbed position along the axis, from the origin.
    grabbed: f32,
    press: Vec2,
    /// The last raw factor, minus one.
    raw: f32,
    fine: PrecisionDrag<f32>,
    factor: f32,
}

impl BoxDrag {
    /// Returns `None` so close to the origin that a pixel would be a large factor.
    fn new(target: Target, axis: Option<Axis>, viewport: &Viewport, press: Vec2) -> Option<Self> {
        let scalable = &target.scalable;
        let least = viewport.world_per_pixel(scalable.origin) * SIZE_PX * 0.1;
        let mut drag = Self {
            axis,
            grabbed_axis: axis,
            direction: axis.map_or(Vec3::ZERO, |axis| scalable.directions[axis.index()]),
            grabbed: 1.0,
            press,
            raw: 0.0,
            fine: PrecisionDrag::default(),
            factor: 1.0,
            target,
        };
        if axis.is_some() {
            drag.grabbed = drag.along(viewport, press).filter(|position| *position > least)?;
        }
        Some(drag)
    }

    fn along(&self, viewport: &Viewport, pixel: Vec2) -> Option<f32> {
        let origin = self.target.scalable.origin;
        let (_, along) = viewport.ray(pixel).nearest_to_line(origin, self.direction)?;
        along.is_finite().then_some(along)
    }

    /// The factor minus one; `None` if the pointer does not hit the axis.
    fn raw_factor(&self, input: &DragInput) -> Option<f32> {
        let moved = input.pixel() - self.press;
        let raw = match self.grabbed_axis {
            // Doubles for every arrow length to the right or up: never flat, never mirrored.
            None => ((moved.x - moved.y) / SIZE_PX).clamp(-60.0, 60.0).exp2() - 1.0,
            Some(_) => self.along(input.viewport, input.pixel())? / self.grabbed - 1.0,
        };
        raw.is_finite().then_some(raw)
    }

    /// An axis of zero scale grows from zero.
    fn scale(&self) -> Vec3 {
        let mut scale = self.target.scalable.scale;
        let Some(axis) = self.axis else {
            return scale * self.factor;
        };
        let size = &mut scale[axis.index()];
        *size = if *size == 0.0 { self.factor - 1.0 } else { *size * self.factor };
        scale
    }
}

impl Drag for BoxDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        self.raw = self.raw_factor(input).unwrap_or(self.raw);
        let factor = 1.0 + self.fine.total(self.raw, input.modifiers.fine);
        self.factor = input.typed_or_snapped(factor, 0.1);
        if self.grabbed_axis.is_none() && input.modifiers.snap && input.numbers.is_empty() {
            let least = if input.modifiers.fine { 0.01 } else { 0.1 };
            self.factor = self.factor.max(least);
        }
        Change::Commands(self.target.commands(self.scale()))
    }

    fn number_count(&self) -> usize {
        1
    }

    /// Applies to instances only; a bone has a single axis. The pointer is still measured along the grabbed
    /// axis.
    fn toggle_axis(&mut self, axis: Axis, _: &Viewport) {
        if let Subject::Placed(_) | Subject::Posed { .. } = self.target.subject {
            self.axis = if self.axis == Some(axis) { self.grabbed_axis } else { Some(axis) };
        }
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        self.target.shape(viewport, Some(self))
    }

    /// The factor, such as `x × 1.5`.
    fn readout(&self, numbers: &NumericInput) -> String {
        let factor = numbers.text_or(self.factor, 3);
        match self.axis {
            Some(axis) => format!("{} × {factor}", axis.name()),
            None => format!("× {factor}"),
        }
    }

    fn hint(&self) -> String {
        match self.target.subject {
            Subject::Bones { .. } => drag_hint("Ctrl snaps to tenths · Shift fine"),
            Subject::Placed(_) | Subject::Posed { .. } => {
                drag_hint("x y z along an axis · Ctrl snaps to tenths · Shift fine")
            }
        }
    }
}
