//! The path of a brush: points at equal steps along it, and their contacts with the surface.

use crate::math::ray::Ray;
use crate::mesh::bvh::{Bvh, RayHit};
use crate::mesh::halfedge::HalfedgeMesh;
use glam::{DVec3, Mat4, Vec3};

/// The step along a path on the screen, in pixels.
pub const STEP_PX: f32 = 3.0;
/// The step along a path in space, as a fraction of the largest side of the mesh.
pub const STEP: f32 = 0.005;
/// The most steps that a jump of the pointer may make.
const MOST_STEPS: f64 = 20_000.0;

/// A point on the surface: the vertices of a triangle and barycentric coordinates in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub triangle: [u32; 3],
    pub weights: [f32; 3],
}

/// The posed surface that a stroke paints on, frozen while the character keeps moving.
pub struct Target<'a> {
    pub world_from_mesh: Mat4,
    /// V: positions in mesh space.
    pub positions: &'a [Vec3],
    /// The triangles of the surface at `positions`.
    pub tree: &'a Bvh,
}

impl Target<'_> {
    /// Finds the first contact of a world ray with the surface, or all of them with `through`, nearest first.
    pub fn cast(&self, ray: &Ray, through: bool, contacts: &mut Vec<Contact>) {
        contacts.clear();
        if !through {
            contacts.extend(self.first(ray));
            return;
        }
        if let Some(ray) = self.in_mesh(ray) {
            let contact = |hit: RayHit| self.contact(hit.triangle, ray.point_at(hit.t));
            self.tree.for_each_hit(self.positions, &ray, |hit| contacts.push(contact(hit)));
            let distance = |contact: &Contact| {
                let [a, b, c] = contact.triangle.map(|vertex| self.positions[vertex as usize]);
                ray.intersect_triangle(a, b, c).unwrap_or(f32::INFINITY)
            };
            contacts.sort_unstable_by(|a, b| {
                distance(a).total_cmp(&distance(b)).then(a.triangle.cmp(&b.triangle))
            });
        }
    }

    /// Finds the first contact of a world ray with the surface.
    pub fn first(&self, ray: &Ray) -> Option<Contact> {
        let ray = self.in_mesh(ray)?;
        let hit = self.tree.first_hit(self.positions, &ray)?;
        Some(self.contact(hit.triangle, ray.point_at(hit.t)))
    }

    fn in_mesh(&self, ray: &Ray) -> Option<Ray> {
        let mesh_from_world = self.world_from_mesh.inverse();
        mesh_from_world.is_finite().then(|| ray.transformed(&mesh_from_world))
    }

    /// Finds the contact that is nearest to a point in mesh space.
    pub fn closest(&self, point: Vec3) -> Option<Contact> {
        let near = self.tree.closest(self.positions, point)?;
        Some(Contact { triangle: near.triangle, weights: near.weights })
    }

    /// Returns the contact for a point in the plane of a triangle.
    fn contact(&self, triangle: [u32; 3], point: Vec3) -> Contact {
        let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize].as_dvec3());
        let (point, normal) = (point.as_dvec3(), (b - a).cross(c - a));
        let doubled = normal.length_squared();
        let part =
            |from: DVec3, to: DVec3| ((to - from).cross(point - from).dot(normal) / doubled).clamp(0.0, 1.0);
        let (first, second) = (part(b, c), part(c, a));
        let weights =
            if doubled > 0.0 { [first, second, (1.0 - first - second).max(0.0)] } else { [1.0 / 3.0; 3] };
        Contact { triangle, weights: weights.map(|weight| weight as f32) }
    }
}

impl Contact {
    /// Returns the position of the contact. `positions`: V, those of the vertices.
    pub fn position(&self, positions: &[Vec3]) -> Vec3 {
        let corners = self.triangle.iter().zip(self.weights);
        corners.map(|(&vertex, weight)| positions[vertex as usize] * weight).sum()
    }
}

/// Samples a path at equal steps as it grows: at its start and after each step.
pub struct Sampler {
    step: f64,
    last: Option<(Vec3, f32)>,
    /// The distance to the next sample.
    remaining: f64,
}

impl Sampler {
    /// Creates a sampler with a `step` above 0.
    pub fn new(step: f32) -> Self {
        Self { step: f64::from(step), last: None, remaining: 0.0 }
    }

    /// Extends the path straight to `to`. Calls `visit` with each sample and its interpolated pressure.
    pub fn advance(&mut self, to: Vec3, pressure: f32, mut visit: impl FnMut(Vec3, f32)) {
        if !to.is_finite() || !pressure.is_finite() {
            return;
        }
        let Some((from, before)) = self.last.replace((to, pressure)) else {
            self.remaining = self.step;
            return visit(to, pressure);
        };
        let length = from.as_dvec3().distance(to.as_dvec3());
        let steps = ((length - self.remaining) / self.step).floor() + 1.0;
        if steps < 1.0 {
            self.remaining -= length;
            return;
        }
        if steps > MOST_STEPS {
            self.remaining = self.step;
            return visit(to, pressure);
        }
        for step in 0..steps as u32 {
            let part = ((self.remaining + f64::from(step) * self.step) / length) as f32;
            visit(from.lerp(to, part), before + (pressure - before) * part);
        }
        self.remaining += steps * self.step - length;
    }
}

/// The orientation of the points of a surface relative to the viewer.
pub struct Facing {
    /// P: see [`super::canvas::Canvas::normals`].
    pub normals: Vec<Vec3>,
    /// P: positions in the space of the normals.
    pub points: Vec<Vec3>,
    pub from: ViewPoint,
}

/// The viewpoint of a surface, in its own space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewPoint {
    Eye(Vec3),
    /// A distant viewpoint: the unit direction towards the viewer.
    Direction(Vec3),
}

impl Facing {
    pub fn new(canvas: &super::Canvas, surface: &HalfedgeMesh, positions: &[Vec3], from: ViewPoint) -> Self {
        let first = |point: u32| positions[canvas.vertices(point)[0] as usize];
        Self {
            normals: canvas.normals(surface, positions),
            points: (0..canvas.points.len() as u32).map(first).collect(),
            from,
        }
    }

    /// Returns 1 for a point that faces the viewer and 0 for one that faces away, with a smooth transition
    /// over the last 10 degrees.
    pub fn factor(&self, point: u32) -> f64 {
        const FULL: f32 = 0.173_648_18;
        let point = point as usize;
        let towards = match self.from {
            ViewPoint::Eye(eye) => (eye - self.points[point]).normalize_or_zero(),
            ViewPoint::Direction(direction) => direction,
        };
        let part = f64::from((self.normals[point].dot(towards) / FULL).clamp(0.0, 1.0));
        part * part * (3.0 - 2.0 * part)
    }
}
