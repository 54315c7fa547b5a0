//! The cursor of a brush: rings on the skin.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Role};
use crate::edit::active_rig::ActiveRig;
use crate::edit::paint::{Easel, Shown};
use crate::edit::view::View;
use crate::math::camera::Viewport;
use crate::math::ray::Ray;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::weights::paint::{Brush, Contact};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Points of the ring on the surface.
const RING: usize = 48;

/// What lies further from the brush in the bind pose than so many radii is another part of the body that came near.
const ELSEWHERE: f32 = 1.15;

/// Where the pointer is on the skin.
#[derive(Clone)]
pub(super) struct Over {
    pub(super) at: Vec2,
    pub(super) contact: Contact,
    pub(super) shown: Shown,
}

/// The rings of a brush: its radius, and inside of it its strength.
pub(super) struct Ring {
    surface: Arc<HalfedgeMesh>,
    /// Mesh units.
    radius: f32,
    strength: f32,
}

impl Ring {
    pub(super) fn new(easel: &Easel, brush: &Brush) -> Self {
        Self {
            surface: easel.surface.clone(),
            radius: brush.radius * easel.canvas.size,
            strength: brush.strength,
        }
    }

    pub(super) fn shape(&self, over: &Over, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        self.shape_into(over, viewport, &mut shape);
        shape
    }

    /// As [`Self::shape`], in the memory of `shape`. How many lines it has.
    pub(super) fn shape_into(&self, over: &Over, viewport: &Viewport, shape: &mut GizmoShape) -> usize {
        const OUTER: GizmoPart = GizmoPart::new(0, Role::View, 0.0);
        const INNER: GizmoPart = GizmoPart::new(1, Role::Snap, 0.0);
        shape.faces.clear();
        let outer = shape.line_at(0, OUTER, GizmoStyle::Mark);
        self.around(over, viewport, self.radius, outer);
        if self.strength <= 0.0 {
            return 1;
        }
        let inner = shape.line_at(1, INNER, GizmoStyle::Guide);
        self.around(over, viewport, self.radius * self.strength * 0.9, inner);
        2
    }

    /// A ring that lies on the surface, in the world: points around, each where a ray along the normal meets the surface near
    /// the plane of the triangle, else in that plane.
    fn around(&self, over: &Over, viewport: &Viewport, radius: f32, ring: &mut Vec<Vec3>) {
        let positions = &over.shown.posed.positions;
        let [a, b, c] = over.contact.triangle.map(|vertex| positions[vertex as usize]);
        let place = over.contact.place(positions);
        let mesh_from_world = over.shown.world_from_mesh.inverse();
        let back = mesh_from_world.transform_vector3(viewport.camera.axes()[2]);
        let normal = (b - a).cross(c - a).normalize_or(back.normalize_or(Vec3::Z));
        let normal = if normal.dot(back) < 0.0 { -normal } else { normal };
        let (u, v) = normal.any_orthonormal_pair();
        let bind = self.surface.positions();
        let center = over.contact.place(bind);
        // Triangles may be larger than the brush.
        let [a, b, c] = over.contact.triangle.map(|vertex| bind[vertex as usize]);
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        let is_near =
            |vertex: u32| bind[vertex as usize].distance(center) <= ELSEWHERE * self.radius + longest;
        // Above the surface, lest the skin covers it.
        let lift = 0.02 * radius;
        let point = |i: usize| {
            let (sin, cos) = (TAU * i as f32 / RING as f32).sin_cos();
            let flat = place + (u * cos + v * sin) * radius;
            let ray = Ray::new(flat + normal * radius, -normal);
            let hit = over
                .shown
                .tree
                .first(positions, &ray)
                .filter(|hit| hit.t <= 2.0 * radius && is_near(hit.triangle[0]));
            let on = hit.map_or(flat, |hit| ray.at(hit.t));
            over.shown.world_from_mesh.transform_point3(on + normal * lift)
        };
        ring.extend((0..=RING).map(point));
    }
}

/// The character as the viewport shows it.
pub(super) fn shown(view: &View, mesh: &str) -> Option<Shown> {
    let stage = ActiveRig::from_view(view)?;
    if stage.mesh != mesh {
        return None;
    }
    Shown::new(view.evaluated, mesh, stage.world_from_skeleton)
}
