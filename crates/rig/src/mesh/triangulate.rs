//! Triangles of polygons: a fan about the first corner where that covers the polygon, else ears that are cut off one by one
//! (Meisters 1975). Corners may share a place, as in a polygon whose hole is joined to its border by a bridge.

use super::halfedge::HalfedgeMesh;
use glam::{DVec2, DVec3};

/// Polygons with more corners are fans: cutting ears takes time that grows with the square of their number.
const MOST_CORNERS: usize = 10_000;

/// The share of a polygon's area by which rounding may turn a triangle over.
const ROUNDING: f64 = 1e-12;

/// Triangulates polygons one after the other, reusing memory.
#[derive(Clone, Debug, Default)]
pub struct Triangulator {
    points: Vec<DVec3>,
    flat: Vec<DVec2>,
    /// The corners that are not cut off yet.
    ring: Vec<usize>,
    /// For each corner, whether the ring does not turn left there: only such corners lie within ears.
    is_reflex: Vec<bool>,
    triangles: Vec<[usize; 3]>,
}

impl Triangulator {
    /// Returns the N - 2 triangles of a polygon with N corners at `points`, as indices of corners, wound as the polygon.
    /// Together they cover what the polygon encloses, seen along its mean normal; where it crosses itself, or has no
    /// normal, they are some triangles between its corners. Triangles without area are among them.
    pub fn triangles(&mut self, points: impl Iterator<Item = DVec3>) -> &[[usize; 3]] {
        self.triangles.clear();
        self.points.clear();
        self.points.extend(points);
        let count = self.points.len();
        self.triangles.extend((2..count).map(|at| [0, at - 1, at]));
        if (4..=MOST_CORNERS).contains(&count) && !self.is_fan() {
            self.cut_ears();
        }
        &self.triangles
    }

    /// Whether a polygon of four corners is convex, so that either diagonal parts it.
    pub fn is_convex_quad(points: [DVec3; 4]) -> bool {
        let normal = newell_normal(&points);
        let least = -ROUNDING * normal.length_squared();
        (0..4).all(|at| {
            let [a, b, c] = [points[at], points[(at + 1) % 4], points[(at + 2) % 4]];
            (b - a).cross(c - b).dot(normal) >= least
        })
    }

    /// Whether no triangle of the fan is turned over. Also for polygons without a normal.
    fn is_fan(&self) -> bool {
        let (first, normal) = (self.points[0], newell_normal(&self.points));
        let doubled = normal.length();
        let least = -ROUNDING * doubled * doubled;
        let mut pairs = self.points[1..].windows(2);
        !(doubled.is_finite() && doubled > 0.0)
            || pairs.all(|pair| (pair[0] - first).cross(pair[1] - first).dot(normal) >= least)
    }

    fn cut_ears(&mut self) {
        let normal = newell_normal(&self.points).normalize();
        let (across, up) = normal.any_orthonormal_pair();
        let first = self.points[0];
        self.flat.clear();
        self.flat.extend(self.points.iter().map(|point| {
            let offset = *point - first;
            DVec2::new(offset.dot(across), offset.dot(up))
        }));
        self.triangles.clear();
        self.ring.clear();
        self.ring.extend(0..self.points.len());
        self.is_reflex.clear();
        self.is_reflex.resize(self.points.len(), false);
        (0..self.ring.len()).for_each(|at| self.update_reflex(at));
        let mut start = 0;
        while self.ring.len() > 3 {
            let at = self.next_ear(start);
            self.triangles.push(self.corner(at));
            self.ring.remove(at);
            let count = self.ring.len();
            [at + count - 1, at].into_iter().for_each(|at| self.update_reflex(at % count));
            // Going on behind the ear spreads the cuts around the polygon instead of making a fan of slivers.
            start = if at < self.ring.len() { at + 1 } else { 0 };
        }
        self.triangles.push([self.ring[0], self.ring[1], self.ring[2]]);
    }

    /// The corner at a place of the ring, between its neighbours.
    fn corner(&self, at: usize) -> [usize; 3] {
        let count = self.ring.len();
        [self.ring[(at + count - 1) % count], self.ring[at], self.ring[(at + 1) % count]]
    }

    fn update_reflex(&mut self, at: usize) {
        let [a, b, c] = self.corner(at).map(|corner| self.flat[corner]);
        self.is_reflex[self.ring[at]] = (b - a).perp_dot(c - b) <= 0.0;
    }

    /// Returns the place of the next ear: the first with an area, else one without, else, where the polygon crosses
    /// itself, the least bad corner.
    fn next_ear(&self, start: usize) -> usize {
        let count = self.ring.len();
        let (mut flat, mut widest) = (None, (f64::NEG_INFINITY, start % count));
        for at in (start..start + count).map(|at| at % count) {
            let [a, b, c] = self.corner(at).map(|corner| self.flat[corner]);
            let area = (b - a).perp_dot(c - b);
            if area > widest.0 {
                widest = (area, at);
            }
            if area > 0.0 && self.is_empty([a, b, c]) {
                return at;
            }
            // A spike, or a point on the way from one corner to the next.
            if area == 0.0 && flat.is_none() {
                flat = Some(at);
            }
        }
        flat.unwrap_or(widest.1)
    }

    /// Whether no corner of the ring is within a triangle or on its border, other than at its corners.
    fn is_empty(&self, [a, b, c]: [DVec2; 3]) -> bool {
        let is_outside = |corner: &usize| {
            let p = self.flat[*corner];
            [a, b, c].contains(&p)
                || (b - a).perp_dot(p - a) < 0.0
                || (c - b).perp_dot(p - b) < 0.0
                || (a - c).perp_dot(p - c) < 0.0
        };
        self.ring.iter().filter(|corner| self.is_reflex[**corner]).all(is_outside)
    }
}

impl HalfedgeMesh {
    /// Calls `add` with the face and the three corners (half-edges) of every triangle of the surface, in the order of faces.
    /// Boundary faces are skipped.
    pub fn for_each_triangle(&self, mut add: impl FnMut(u32, [u32; 3])) {
        let mut triangulator = Triangulator::default();
        let mut corners: Vec<u32> = Vec::new();
        for face in (0..self.face_count() as u32).filter(|&face| !self.is_boundary(face)) {
            corners.clear();
            corners.extend(self.face_corners(face));
            let points = corners.iter().map(|&h| self.positions()[self.vertex_of(h) as usize].as_dvec3());
            for triangle in triangulator.triangles(points) {
                add(face, triangle.map(|corner| corners[corner]));
            }
        }
    }

    /// Returns the vertices of every triangle of the surface, in the order of faces. Boundary faces are skipped.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        self.for_each_triangle(|_, corners| triangles.push(corners.map(|h| self.vertex_of(h))));
        triangles
    }
}

/// Returns the normal of a polygon, as long as twice its area (Newell's method), relative to its first corner.
fn newell_normal(points: &[DVec3]) -> DVec3 {
    let first = points[0];
    points[1..].windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn shoelace(points: &[DVec3]) -> f64 {
        newell_normal(points).length() / 2.0
    }

    /// Checks that the triangles cover the polygon exactly: areas are positive and add up to its own.
    fn assert_covered(points: &[DVec3]) {
        let mut triangulator = Triangulator::default();
        let triangles = triangulator.triangles(points.iter().copied()).to_vec();
        assert_eq!(triangles.len(), points.len() - 2);
        let normal = newell_normal(points).normalize();
        let mut sum = 0.0;
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|corner| points[corner]);
            let area = (b - a).cross(c - a).dot(normal) / 2.0;
            assert!(area >= -1e-9, "{triangle:?} of {points:?} is turned over");
            sum += area;
        }
        let all = shoelace(points);
        assert!((sum - all).abs() <= 1e-9 * all, "{sum} is not {all}");
    }

    fn flat(points: &[[f64; 2]]) -> Vec<DVec3> {
        points.iter().map(|[x, y]| DVec3::new(*x, *y, 1.0)).collect()
    }

    #[test]
    fn polygons_that_a_fan_covers_are_fans() {
        let mut triangulator = Triangulator::default();
        let hexagon: Vec<DVec3> = (0..6).map(|at| DVec2::from_angle(f64::from(at)).extend(0.0)).collect();
        let triangles = triangulator.triangles(hexagon.into_iter());
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
        assert!(triangulator.triangles(std::iter::empty()).is_empty());
    }

    #[test]
    fn concave_polygons_are_covered_from_every_corner() {
        let dart = flat(&[[0.0, 0.0], [1.0, 1.0], [0.0, 0.5], [-1.0, 1.0]]);
        let ell = flat(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]);
        // With points on its edges, and one twice.
        let comb = flat(&[
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [3.0, 0.0],
            [3.0, 2.0],
            [2.5, 0.5],
            [2.0, 2.0],
            [1.5, 0.5],
            [1.0, 2.0],
            [1.0, 2.0],
            [0.5, 0.5],
            [0.0, 2.0],
        ]);
        for mut polygon in [dart, ell, comb] {
            for _ in 0..polygon.len() {
                assert_covered(&polygon);
                polygon.rotate_left(1);
            }
            polygon.reverse();
            assert_covered(&polygon);
        }
    }

    #[test]
    fn holes_that_are_bridged_stay() {
        let mut one = flat(&[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ]);
        let mut two = flat(&[
            [0.0, 0.0],
            [8.0, 0.0],
            [8.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [5.0, 1.0],
            [5.0, 3.0],
            [7.0, 3.0],
            [7.0, 1.0],
            [5.0, 1.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ]);
        assert!((shoelace(&one) - 12.0).abs() < 1e-12 && (shoelace(&two) - 24.0).abs() < 1e-12);
        for polygon in [&mut one, &mut two] {
            for _ in 0..polygon.len() {
                assert_covered(polygon);
                polygon.rotate_left(1);
            }
        }
    }

    /// Stars about a point, in random planes, and spirals.
    #[test]
    fn random_polygons_are_covered() {
        let mut random = Random::new(7);
        for round in 0..300 {
            let count = 4 + random.below(40);
            let normal = random.direction().as_dvec3();
            let (across, up) = normal.any_orthonormal_pair();
            let mut points: Vec<DVec3> = (0..count)
                .map(|at| {
                    let angle = std::f64::consts::TAU * at as f64 / count as f64;
                    let radius = f64::from(random.range(0.05, 3.0));
                    (across * angle.cos() + up * angle.sin()) * radius + normal * 5.0
                })
                .collect();
            points.rotate_left(round % count);
            assert_covered(&points);
        }
        for turns in 1..5 {
            let count = 24 * turns;
            let arm = |at: usize, radius: f64| {
                let angle = std::f64::consts::TAU * at as f64 / 24.0;
                DVec3::new(angle.cos(), 0.0, angle.sin()) * (radius + 0.1 * at as f64)
            };
            let outwards = (0..count).map(|at| arm(at, 1.0));
            let back = (0..count).rev().map(|at| arm(at, 1.0 + 0.8));
            assert_covered(&outwards.chain(back).collect::<Vec<_>>());
        }
    }
}
