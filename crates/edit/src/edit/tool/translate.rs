//! The move gizmo: three arrows, three squares for planes and a disc for the view plane; and the movement
//! that they start. Independent of the moved object.

use super::DragInput;
use super::gizmo::{
    Axis, END_ON, GRAB_PX, GizmoPart, GizmoShape, GizmoStyle, Modifiers, PrecisionDrag, Role,
};
use super::gizmo::{circle, format_number, size_px};
use super::numeric::NumericInput;
use crate::math::camera::Viewport;
use glam::{Mat3, Vec2, Vec3};

/// The first numbers of the arrows and of the squares.
const ARROWS: u8 = 0;
const PLANES: u8 = 3;
/// Moves in the view plane.
pub const CENTER: GizmoPart = GizmoPart::new(6, Role::View, -1.0);
/// The first free number for gizmos that include the move gizmo.
pub(super) const PARTS: u8 = 7;

/// Moves along an axis.
pub fn arrow(axis: Axis) -> GizmoPart {
    GizmoPart::for_axis(ARROWS, axis, 0.0)
}

/// Moves in the plane perpendicular to an axis.
pub fn plane(axis: Axis) -> GizmoPart {
    GizmoPart::for_axis(PLANES, axis, 0.5 * GRAB_PX)
}

/// The constraint of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    Axis(Axis),
    /// The plane perpendicular to an axis.
    Plane(Axis),
    /// The view plane.
    View,
}

impl Constraint {
    pub fn from_part(part: GizmoPart) -> Option<Self> {
        let axis = part.axis(ARROWS).map(Self::Axis);
        let plane = || part.axis(PLANES).map(Self::Plane);
        axis.or_else(plane).or((part == CENTER).then_some(Self::View))
    }

    /// The axes of the movement, in the order in which numbers are typed.
    pub(super) fn directions(self) -> Vec<Axis> {
        match self {
            Self::Axis(axis) => vec![axis],
            Self::Plane(across) => Axis::ALL.into_iter().filter(|axis| *axis != across).collect(),
            Self::View => Axis::ALL.to_vec(),
        }
    }
}

/// The effect of dragging a part of the move gizmo.
pub(super) fn hint(part: GizmoPart) -> String {
    let direction = match Constraint::from_part(part) {
        Some(Constraint::Axis(axis)) => format!("along {}", axis.name()),
        Some(Constraint::Plane(axis)) => {
            let [a, b] = axis.others().map(Axis::name);
            format!("along {} and {}", a.min(b), a.max(b))
        }
        _ => "across the view".into(),
    };
    format!("Drag to move {direction} · Ctrl snaps · Shift fine")
}

/// The radius of the disc in the middle, in pixels.
const CENTER_PX: f32 = 10.0;
/// Where shafts begin and where the squares lie, as parts of an arrow's length: around the middle, what is moved
/// stays visible, though it may be a bone of a few pixels.
const SHAFT: f32 = 0.3;
const PLANE: (f32, f32) = (0.36, 0.54);
/// A square seen at less than this angle (its sine) is hidden.
const EDGE_ON: f32 = 0.15;
/// The minimum size of a snap step, in pixels.
const SNAP_PX: f32 = 8.0;
/// Points farther away than this many camera distances do not follow the pointer towards the horizon.
const HORIZON: f32 = 10.0;

/// Returns the gizmo around `origin`, along unit axes that need not be orthogonal. During a drag, only the
/// part of the `active` constraint and its guides.
pub(super) fn gizmo_shape(
    axes: &[Vec3; 3],
    origin: Vec3,
    viewport: &Viewport,
    active: Option<Constraint>,
) -> GizmoShape {
    let mut shape = GizmoShape::default();
    if viewport.project(origin).is_none() {
        return shape;
    }
    let unit = viewport.world_per_pixel(origin) * size_px(viewport, origin);
    let toward = viewport.towards_camera(origin);
    let is_visible = |constraint| active.is_none_or(|active| active == constraint);
    for axis in Axis::ALL {
        let end_on = axes[axis.index()].dot(toward).abs();
        if is_visible(Constraint::Axis(axis)) && (end_on < END_ON || active.is_some()) {
            draw_arrow(&mut shape, origin, axis, axes, unit);
        }
        let facing = normal(axes, axis).dot(toward).abs();
        if is_visible(Constraint::Plane(axis)) && (facing > EDGE_ON || active.is_some()) {
            let [u, v] = axis.others().map(|other| axes[other.index()] * unit);
            let (near, far) = PLANE;
            let corners = [(near, near), (far, near), (far, far), (near, far)];
            let points: Vec<Vec3> = corners.map(|(a, b)| origin + u * a + v * b).into();
            let outline = points.iter().chain(points.first()).copied().collect();
            shape.face(plane(axis), GizmoStyle::Clear, points);
            shape.line(plane(axis), GizmoStyle::Soft, outline);
        }
    }
    if is_visible(Constraint::View) {
        shape.disc(CENTER, origin, CENTER_PX, viewport);
    }
    let guides: &[Axis] = match active {
        Some(Constraint::Axis(axis)) => &[axis],
        Some(Constraint::Plane(axis)) => &axis.others(),
        _ => &[],
    };
    for axis in guides {
        let reach = axes[axis.index()] * (viewport.camera.distance.abs() * 10.0 + unit);
        let points = vec![origin - reach, origin, origin + reach];
        shape.line(arrow(*axis), GizmoStyle::Guide, points);
    }
    shape
}

/// The normal of the plane perpendicular to an axis; zero if the two other axes coincide.
fn normal(axes: &[Vec3; 3], axis: Axis) -> Vec3 {
    let [u, v] = axis.others().map(|other| axes[other.index()]);
    u.cross(v).normalize_or_zero()
}

/// Draws a shaft with a cone that looks round at gizmo size.
fn draw_arrow(shape: &mut GizmoShape, origin: Vec3, axis: Axis, axes: &[Vec3; 3], unit: f32) {
    let part = arrow(axis);
    let along = axes[axis.index()] * unit;
    let [u, v] =
        <[Vec3; 2]>::from(along.normalize_or_zero().any_orthonormal_pair()).map(|side| side * unit * 0.055);
    let (neck, tip) = (origin + along * 0.8, origin + along);
    shape.line(part, GizmoStyle::Plain, vec![origin + along * SHAFT, tip]);
    for edge in circle(neck, u, v, 12).windows(2) {
        shape.face(part, GizmoStyle::Plain, vec![edge[0], edge[1], tip]);
    }
}

/// A movement along a line or in a plane. Totals are measured from the press; nothing accumulates.
#[derive(Clone, Debug)]
pub(super) struct TranslateDrag {
    pub(super) constraint: Constraint,
    /// The constraint at the press.
    initial: Constraint,
    pub(super) axes: [Vec3; 3],
    origin: Vec3,
    /// The direction towards the camera at the press: the normal of the view plane.
    view_normal: Vec3,
    press: Vec2,
    /// The grabbed point on the line or plane.
    grabbed: Vec3,
    /// The last raw total, which stays the same while the pointer misses the line or plane.
    raw: Vec3,
    fine: PrecisionDrag<Vec3>,
    pub(super) total: Vec3,
}

impl TranslateDrag {
    /// Starts a movement along unit axes that need not be orthogonal. Returns `None` if the pointer misses
    /// the line or plane.
    pub(super) fn new(
        axes: [Vec3; 3],
        origin: Vec3,
        constraint: Constraint,
        viewport: &Viewport,
        press: Vec2,
    ) -> Option<Self> {
        let mut drag = Self {
            constraint,
            initial: constraint,
            axes,
            origin,
            view_normal: viewport.camera.axes()[2],
            press,
            grabbed: Vec3::ZERO,
            raw: Vec3::ZERO,
            fine: PrecisionDrag::default(),
            total: Vec3::ZERO,
        };
        drag.grabbed = drag.point_under(viewport, press)?;
        Some(drag)
    }

    /// Returns the world-space movement since the press. Finite.
    pub(super) fn drag(&mut self, input: &DragInput) -> Vec3 {
        let Modifiers { snap, fine } = input.modifiers;
        if let Some(point) = self.point_under(input.viewport, input.pixel()) {
            self.raw = point - self.grabbed;
        }
        let mut total = self.fine.total(self.raw, fine);
        if !input.numbers.is_empty() {
            let along = self.constraint.directions().into_iter().enumerate();
            total = along.map(|(i, axis)| self.axes[axis.index()] * input.numbers.value(i)).sum();
        } else if snap {
            let step = snap_step(input.viewport.world_per_pixel(self.origin));
            let step = if fine { step * 0.1 } else { step };
            let world_from_axes = Mat3::from_cols(self.axes[0], self.axes[1], self.axes[2]);
            total = world_from_axes * ((world_from_axes.inverse() * total / step).round() * step);
        }
        if total.is_finite() {
            self.total = total;
        }
        self.total
    }

    /// Constrains the movement to an axis; the same axis again restores the constraint of the press.
    pub(super) fn toggle_axis(&mut self, axis: Axis, viewport: &Viewport) {
        let along = Constraint::Axis(axis);
        let next = if self.constraint == along { self.initial } else { along };
        let before = std::mem::replace(&mut self.constraint, next);
        match self.point_under(viewport, self.press) {
            Some(grabbed) => {
                self.grabbed = grabbed;
                self.raw = Vec3::ZERO;
                self.fine = PrecisionDrag::default();
            }
            // The axis points at the viewer.
            None => self.constraint = before,
        }
    }

    /// The movement so far, such as `Δ 0.1, 0, 0`, or the typed numbers, such as `x 0.5  y 2|`.
    pub(super) fn readout(&self, numbers: &NumericInput) -> String {
        if !numbers.is_empty() {
            let along = self.constraint.directions().into_iter().enumerate();
            let numbers: Vec<String> =
                along.map(|(i, axis)| format!("{} {}", axis.name(), numbers.text(i))).collect();
            return numbers.join("  ");
        }
        let [x, y, z] = self.total.to_array().map(|value| format_number(value, 3));
        format!("Δ {x}, {y}, {z}")
    }

    /// Returns the point of the line or plane under the pointer, in front of the camera and within the
    /// horizon.
    fn point_under(&self, viewport: &Viewport, pixel: Vec2) -> Option<Vec3> {
        let ray = viewport.ray(pixel);
        let (t, point) = match self.constraint {
            Constraint::Axis(axis) => {
                let along = self.axes[axis.index()];
                let (t, s) = ray.nearest_to_line(self.origin, along)?;
                (t, self.origin + along * s)
            }
            Constraint::Plane(axis) => {
                let t = ray.intersect_plane(self.origin, normal(&self.axes, axis))?;
                (t, ray.point_at(t))
            }
            Constraint::View => {
                let t = ray.intersect_plane(self.origin, self.view_normal)?;
                (t, ray.point_at(t))
            }
        };
        let distance = viewport.camera.distance.max(self.origin.distance(viewport.camera.eye()));
        (t <= distance * HORIZON && point.is_finite()).then_some(point)
    }
}

/// Returns a power of ten that is at least [`SNAP_PX`] on the screen: 0.1 for a human that fills the view.
pub(super) fn snap_step(world_per_pixel: f32) -> f32 {
    10f32.powi((world_per_pixel * SNAP_PX).max(1e-30).log10().ceil() as i32)
}
