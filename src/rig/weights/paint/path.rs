//! The way of a brush: points at equal steps along it, and where they touch the surface.

use crate::math::ray::Ray;
use crate::mesh::bvh::{Bvh, RayHit};
use crate::mesh::halfedge::HalfedgeMesh;
use glam::{DVec3, Mat4, Vec3};

/// A step along a way on the screen, in pixels.
pub const STEP_PX: f32 = 3.0;
/// A step along a way in space, as part of the largest side of the mesh.
pub const STEP: f32 = 0.005;
/// No jump of the pointer makes more steps.
const MOST_STEPS: f64 = 20_000.0;

/// Where the surface is touched: a triangle of its vertices, and barycentric coordinates in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub triangle: [u32; 3],
    pub weights: [f32; 3],
}

/// The surface as it is seen while it is painted: frozen, however the character moves on.
pub struct Target<'a> {
    pub world_from_mesh: Mat4,
    /// V: mesh space.
    pub positions: &'a [Vec3],
    /// Over the triangles of the surface at `positions`.
    pub tree: &'a Bvh,
}

impl Target<'_> {
    /// Where a world ray first meets the surface, or with `through` wherever it does.
    pub fn cast(&self, ray: &Ray, through: bool, contacts: &mut Vec<Contact>) {
        contacts.clear();
        if !through {
            contacts.extend(self.first(ray));
            return;
        }
        if let Some(ray) = self.in_mesh(ray) {
            let contact = |hit: RayHit| self.contact(hit.triangle, ray.at(hit.t));
            self.tree
                .each(self.positions, &ray, |hit| contacts.push(contact(hit)));
            // The first one first.
            let far = |contact: &Contact| {
                let [a, b, c] = contact.triangle.map(|vertex| self.positions[vertex as usize]);
                ray.triangle(a, b, c).unwrap_or(f32::INFINITY)
            };
            contacts.sort_unstable_by(|a, b| far(a).total_cmp(&far(b)).then(a.triangle.cmp(&b.triangle)));
        }
    }

    /// Where a world ray first meets the surface.
    pub fn first(&self, ray: &Ray) -> Option<Contact> {
        let ray = self.in_mesh(ray)?;
        let hit = self.tree.first(self.positions, &ray)?;
        Some(self.contact(hit.triangle, ray.at(hit.t)))
    }

    fn in_mesh(&self, ray: &Ray) -> Option<Ray> {
        let mesh_from_world = self.world_from_mesh.inverse();
        mesh_from_world
            .is_finite()
            .then(|| ray.transformed(&mesh_from_world))
    }

    /// What is nearest to a point of mesh space.
    pub fn closest(&self, point: Vec3) -> Option<Contact> {
        let near = self.tree.closest(self.positions, point)?;
        Some(Contact {
            triangle: near.triangle,
            weights: near.weights,
        })
    }

    /// Of a point in the plane of a triangle.
    fn contact(&self, triangle: [u32; 3], point: Vec3) -> Contact {
        let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize].as_dvec3());
        let (point, normal) = (point.as_dvec3(), (b - a).cross(c - a));
        let doubled = normal.length_squared();
        let part =
            |from: DVec3, to: DVec3| ((to - from).cross(point - from).dot(normal) / doubled).clamp(0.0, 1.0);
        let (first, second) = (part(b, c), part(c, a));
        let weights = match doubled > 0.0 {
            true => [first, second, (1.0 - first - second).max(0.0)],
            false => [1.0 / 3.0; 3],
        };
        Contact {
            triangle,
            weights: weights.map(|weight| weight as f32),
        }
    }
}

impl Contact {
    /// The place of it where the vertices, V, are at `positions`.
    pub fn place(&self, surface: &[Vec3]) -> Vec3 {
        let corners = self.triangle.iter().zip(self.weights);
        corners
            .map(|(&vertex, weight)| surface[vertex as usize] * weight)
            .sum()
    }
}

/// Points at equal steps along a way that becomes known bit by bit: where it begins, and after each step.
pub struct Sampler {
    step: f64,
    last: Option<(Vec3, f32)>,
    /// To the next point.
    left: f64,
}

impl Sampler {
    /// `step`: above 0.
    pub fn new(step: f32) -> Self {
        Self {
            step: f64::from(step),
            last: None,
            left: 0.0,
        }
    }

    /// The way goes straight on to `to`. `each`: gets the points, with the pressure there.
    pub fn go(&mut self, to: Vec3, pressure: f32, mut each: impl FnMut(Vec3, f32)) {
        if !to.is_finite() || !pressure.is_finite() {
            return;
        }
        let Some((from, before)) = self.last.replace((to, pressure)) else {
            self.left = self.step;
            return each(to, pressure);
        };
        let length = from.as_dvec3().distance(to.as_dvec3());
        let steps = ((length - self.left) / self.step).floor() + 1.0;
        if steps < 1.0 {
            self.left -= length;
            return;
        }
        if steps > MOST_STEPS {
            self.left = self.step;
            return each(to, pressure);
        }
        for step in 0..steps as u32 {
            let part = ((self.left + f64::from(step) * self.step) / length) as f32;
            each(from.lerp(to, part), before + (pressure - before) * part);
        }
        self.left += steps * self.step - length;
    }
}

/// P: see [`super::canvas::Canvas::normals`]; and where they are seen from.
pub struct Facing {
    pub normals: Vec<Vec3>,
    /// P: in the space of the normals.
    pub points: Vec<Vec3>,
    pub from: ViewPoint,
}

/// Where a surface is seen from, in its own space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewPoint {
    Eye(Vec3),
    /// From far away: the unit direction towards the viewer.
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

    /// 1 where a point faces the viewer, 0 where it faces away; between over the last 10 degrees.
    pub fn at(&self, point: u32) -> f64 {
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
