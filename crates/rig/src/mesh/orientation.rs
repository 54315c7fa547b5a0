//! Which way up a body stands and which way it faces, guessed from its shape alone, and its likely unit.
//!
//! A body is taken to have a left and a right that mirror each other, and to stand on feet: its lower end
//! supports its centre and is open in the middle, between the legs; toes and head point forward. What has
//! no such shape is guessed with low confidence.

use crate::math::bounds::Bounds;
use glam::{Mat3, Vec2, Vec3};
use std::fmt;
use std::str::FromStr;

/// An axis with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// 0 to 2, for x, y and z.
    pub index: usize,
    pub negative: bool,
}

impl Axis {
    pub const X: Self = Self::new(0, false);
    pub const Y: Self = Self::new(1, false);
    pub const Z: Self = Self::new(2, false);
    pub const ALL: [Self; 6] =
        [Self::X, Self::Y, Self::Z, Self::new(0, true), Self::new(1, true), Self::new(2, true)];

    pub const fn new(index: usize, negative: bool) -> Self {
        Self { index, negative }
    }

    pub fn vector(self) -> Vec3 {
        if self.negative { -Vec3::AXES[self.index] } else { Vec3::AXES[self.index] }
    }

    /// Returns the axis along a vector that is parallel to one.
    fn along(vector: Vec3) -> Self {
        let index = vector.abs().max_position();
        Self::new(index, vector[index] < 0.0)
    }

    /// Returns this axis turned by a quarter about another one, counterclockwise seen from its tip.
    pub fn turned_about(self, about: Self) -> Self {
        if self.index == about.index { self } else { Self::along(about.vector().cross(self.vector())) }
    }
}

/// The axis as `x` or `-x`.
impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", ["x", "y", "z"][self.index])
    }
}

/// The directions of a body in its file. The two axes differ in index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    pub up: Axis,
    pub front: Axis,
}

impl Default for Orientation {
    /// That of the scene: y up, facing +z.
    fn default() -> Self {
        Self { up: Axis::Y, front: Axis::Z }
    }
}

impl Orientation {
    /// Returns the rotation to the axes of the scene; exact, since it only exchanges and negates them.
    pub fn rotation(self) -> Mat3 {
        let (up, front) = (self.up.vector(), self.front.vector());
        Mat3::from_cols(up.cross(front), up, front).transpose()
    }

    /// Returns the orientation with another up axis, keeping the front if that is possible.
    pub fn with_up(self, up: Axis) -> Self {
        let front = match self.front.index == up.index {
            false => self.front,
            true if self.up.index == up.index => self.front,
            // The body is tipped over: where its front goes up, what was below comes to the front.
            true => Axis::new(self.up.index, self.up.negative != (self.front == up)),
        };
        Self { up, front }
    }

    /// Returns the orientation of a body turned by a quarter to its left.
    pub fn turned(self) -> Self {
        let down = Axis::new(self.up.index, !self.up.negative);
        Self { front: self.front.turned_about(down), ..self }
    }
}

/// The axis written as in [`Axis`]'s display.
impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|axis| axis.to_string() == text);
        found.ok_or_else(|| "an axis is x, y, z, -x, -y or -z".to_owned())
    }
}

/// What the shape of a body says about its directions. What it does not tell is as in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Guess {
    pub orientation: Orientation,
    /// Whether the shape left little doubt which end is up.
    pub up_sure: bool,
    /// Whether it left little doubt which side is the front.
    pub front_sure: bool,
}

/// The number of points of a surface that are examined.
const SAMPLES: usize = 12_000;

/// The least thickness of a body, as a fraction of its longest side.
const THINNEST: f32 = 0.03;

/// Points on a surface, distributed evenly by area, relative to the centre of its bounds.
pub struct Samples {
    pub points: Vec<Vec3>,
    bounds: Bounds,
    /// The mean of the points.
    pub center: Vec3,
}

/// What is asked of the best choice.
struct Demand {
    /// How much asymmetry counts.
    symmetry: f32,
    /// The asymmetry of the sides above which there are none.
    most_asymmetric: f32,
    /// The least score, and by how much it must be better than the next one to be sure.
    score: f32,
    clear: f32,
}

/// First for bodies that are their own mirror images, then for those that hold something, which must stand more
/// clearly. Of 46 bodies, 40 have their up axis by the first; a man with a sword (0.28, 0.75 better than the next) has
/// it by the second, and an arm (0.36, 0.25 better) or a bust is left as it is.
const DEMANDS: [Demand; 2] = [
    Demand { symmetry: 4.0, most_asymmetric: 1.0, score: 0.4, clear: 0.25 },
    Demand { symmetry: 1.0, most_asymmetric: 0.6, score: 0.2, clear: 0.5 },
];

/// Guesses the orientation of a surface made of triangles.
pub fn guess(positions: &[Vec3], triangles: &[[u32; 3]]) -> Guess {
    let Some(samples) = Samples::new(positions, triangles) else {
        return Guess::default();
    };
    let mut guesses = DEMANDS.iter().map(|demand| samples.guess(demand));
    guesses.find(|guess| guess.up_sure).unwrap_or_default()
}

/// A unit of length that meshes are stored in, by name, in metres.
pub type Unit = (&'static str, f32);

pub const UNITS: [Unit; 5] = [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), ("foot", 0.3048)];

/// The logarithm of the ratio to a person's height within which a body may be in inches: 61 to 78 of them. Others
/// are a small body in centimetres more often.
const INCHES: f32 = 0.12;

/// The width of a body as a fraction of its height up to which it may be in inches: a person's arms span as much as he
/// is tall. A table 75 cm high is wider.
const SPAN: f32 = 1.2;

/// Guesses the unit of a body from its height and its larger width in the file: the one that makes it about as tall
/// as a person. Feet are never taken, since their bodies could as well be in metres.
pub fn guess_unit(height: f32, width: f32) -> Unit {
    let misfit = |(_, metres): &Unit| (height * metres / 1.75).ln().abs();
    let usual = UNITS[..4].iter();
    let usual = usual.filter(|unit| unit.0 != "inch" || (misfit(unit) < INCHES && width <= SPAN * height));
    let best = usual.min_by(|a, b| misfit(a).total_cmp(&misfit(b)));
    *best.filter(|_| height > 0.0 && height.is_finite()).unwrap_or(&UNITS[0])
}

/// Returns `count` points that are spread evenly over triangles by their area; none for triangles without any.
pub fn spread(positions: &[Vec3], triangles: &[[u32; 3]], count: usize) -> Vec<Vec3> {
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| positions[vertex as usize]);
    let area = |[a, b, c]: [Vec3; 3]| f64::from((b - a).cross(c - a).length());
    let total: f64 = triangles.iter().map(|triangle| area(corners(triangle))).sum();
    if !(total > 0.0 && total.is_finite()) {
        return Vec::new();
    }
    let (step, mut sum, mut points) = (total / count as f64, 0.0, Vec::with_capacity(count));
    for triangle in triangles {
        let [a, b, c] = corners(triangle);
        sum += area([a, b, c]);
        while (points.len() as f64 + 0.5) * step < sum && points.len() < count {
            // Low-discrepancy coordinates, folded into the triangle.
            let n = points.len() as f32;
            let (mut u, mut v) = ((n * 0.754_877_7).fract(), (n * 0.569_840_3).fract());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            points.push(a + (b - a) * u + (c - a) * v);
        }
    }
    points
}

impl Samples {
    /// `None` for a surface without area, and for a sheet or a rod: these have no legs to stand on.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let mut points = spread(positions, triangles, SAMPLES);
        if points.is_empty() {
            return None;
        }
        let middle = Bounds::from_points(points.iter().copied()).center();
        points.iter_mut().for_each(|point| *point -= middle);
        let bounds = Bounds::from_points(points.iter().copied());
        let center = points.iter().sum::<Vec3>() / points.len() as f32;
        let size = bounds.max - bounds.min;
        (size.min_element() > THINNEST * size.max_element()).then_some(Self { points, bounds, center })
    }

    fn guess(&self, demand: &Demand) -> Guess {
        let mut choices = Vec::with_capacity(12);
        for side in 0..3 {
            let asymmetry = self.asymmetry(side);
            if asymmetry > demand.most_asymmetric {
                continue;
            }
            let symmetry = -demand.symmetry * asymmetry;
            for (up, front) in [((side + 1) % 3, (side + 2) % 3), ((side + 2) % 3, (side + 1) % 3)] {
                for up in [Axis::new(up, false), Axis::new(up, true)] {
                    choices.push((symmetry + self.standing(up, side, front), up, front));
                }
            }
        }
        choices.sort_by(|a, b| b.0.total_cmp(&a.0));
        let Some(&(score, up, front)) = choices.first() else {
            return Guess::default();
        };
        let next = |differs: &dyn Fn(Axis, usize) -> bool| {
            let next = choices.iter().find(|(_, up, front)| differs(*up, *front));
            next.map_or(f32::MIN, |next| next.0)
        };
        if score < demand.score || score - next(&|other, _| other != up) < demand.clear {
            return Guess::default();
        }
        let facing = self.facing(up, front);
        let front_sure = facing.abs() > 0.03 && score - next(&|_, other| other != front) > demand.clear;
        let orientation = if front_sure {
            Orientation { up, front: Axis::new(front, facing < 0.0) }
        } else {
            Orientation::default().with_up(up)
        };
        Guess { orientation, up_sure: true, front_sure }
    }

    /// The diagonal of the bounds.
    pub fn diagonal(&self) -> f32 {
        self.bounds.diagonal()
    }

    fn extent(&self, axis: usize) -> f32 {
        (self.bounds.max - self.bounds.min)[axis]
    }

    /// How much the surface differs from its mirror image across an axis: 0 for a symmetric one, 1 for one
    /// that shares nothing with its image.
    fn asymmetry(&self, axis: usize) -> f32 {
        const CELLS: usize = 16;
        let cell = self.bounds.diagonal() / CELLS as f32;
        let mut counts = std::collections::HashMap::<[i32; 3], f32>::new();
        for point in &self.points {
            for (sign, weight) in [(1.0, 1.0), (-1.0, -1.0)] {
                let mut point = *point;
                point[axis] *= sign;
                // Distributed over the nearest cells, so that points near a border do not count as different.
                let place = point / cell;
                let low = place.floor();
                let part = place - low;
                for corner in 0..8 {
                    let offset =
                        Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32);
                    let share = (Vec3::ONE - part + offset * (2.0 * part - 1.0)).element_product();
                    let key = (low + offset).as_ivec3().to_array();
                    *counts.entry(key).or_default() += weight * share;
                }
            }
        }
        counts.values().map(|count| count.abs()).sum::<f32>() / (2 * self.points.len()) as f32
    }

    /// How much the surface looks as if it stood on feet with the given axis up: from about -1 to 3.
    fn standing(&self, up: Axis, side: usize, front: usize) -> f32 {
        let height = self.extent(up.index);
        let above = |point: &Vec3| point.dot(up.vector()) + height / 2.0;
        let flat = |point: &Vec3| Vec2::new(point[side], point[front]);
        let soles: Vec<Vec2> =
            self.points.iter().filter(|point| above(point) < 0.04 * height).map(flat).collect();
        let support = hull(soles);
        let size = Vec2::new(self.extent(side), self.extent(front));
        // The centre lies over the support, by this part of its width.
        let margin = distance_inside(&support, flat(&self.center)) / size.max_element().max(height);
        let stable = (margin / 0.02).clamp(-1.0, 1.0);
        // The middle, between the legs, is open below and full above.
        let legs = self.open(above, side, [0.0, 0.3]) - self.open(above, side, [0.7, 1.0]);
        // Tall bodies stand rather than lie.
        let tall = (height / size.max_element()).clamp(0.0, 1.5) - 1.0;
        let slender = (height / self.extent(front)).ln().clamp(-1.0, 1.0);
        stable + 1.5 * legs + 0.5 * tall + 0.3 * slender
    }

    /// The part of the slices across a range of heights (0 to 1) whose points leave a gap at the middle.
    fn open(&self, above: impl Fn(&Vec3) -> f32, side: usize, range: [f32; 2]) -> f32 {
        const SLICES: usize = 12;
        let height = self.points.iter().map(&above).fold(0.0, f32::max);
        let (mut nearest, mut widest) = ([f32::MAX; SLICES], [0.0f32; SLICES]);
        for point in &self.points {
            let at = (above(point) / height - range[0]) / (range[1] - range[0]) * SLICES as f32;
            if (0.0..SLICES as f32).contains(&at) {
                let distance = point[side].abs();
                nearest[at as usize] = nearest[at as usize].min(distance);
                widest[at as usize] = widest[at as usize].max(distance);
            }
        }
        let open = (0..SLICES).filter(|&i| widest[i] > 0.0 && nearest[i] > 0.08 * widest[i]);
        open.count() as f32 / SLICES as f32
    }

    /// Which way the surface faces along an axis: positive for the axis itself, about 0 if both ends look alike.
    fn facing(&self, up: Axis, front: usize) -> f32 {
        let height = self.extent(up.index);
        let mean = |from: f32, to: f32| {
            let (mut sum, mut count) = (0.0, 0.0f32);
            for point in &self.points {
                let at = (point.dot(up.vector()) + height / 2.0) / height;
                if at >= from && at < to {
                    (sum, count) = (sum + point[front], count + 1.0);
                }
            }
            if count > 0.0 { sum / count } else { 0.0 }
        };
        // Toes point forward of the ankles, and the head of an animal forward of its trunk.
        let toes = (mean(0.0, 0.05) - mean(0.06, 0.14)) / height;
        let head = (mean(0.8, 1.0) - self.center[front]) / height;
        let length = (self.extent(front) / height / 0.4).min(1.0).powi(3);
        4.0 * toes + head * length
    }
}

/// Returns the convex hull of points, counterclockwise (Andrew's monotone chain).
fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<Vec2> = Vec::new();
    let reversed: Vec<Vec2> = points.iter().rev().copied().collect();
    for chain in [points, reversed] {
        let start = hull.len();
        for point in chain {
            while hull.len() >= start + 2 {
                let [a, b] = [hull[hull.len() - 2], hull[hull.len() - 1]];
                if (b - a).perp_dot(point - b) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    }
    hull
}

/// Returns the distance of a point from the border of a convex polygon, negative outside.
fn distance_inside(polygon: &[Vec2], point: Vec2) -> f32 {
    if polygon.len() < 3 {
        return -f32::MAX;
    }
    let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
    edges.map(|(&a, &b)| (b - a).normalize_or_zero().perp_dot(point - a)).fold(f32::MAX, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::cuboid;
    use crate::mesh::soup::Polygons;

    #[test]
    fn every_orientation_turns_its_body_to_that_of_the_scene() {
        for up in Axis::ALL {
            for front in Axis::ALL.into_iter().filter(|front| front.index != up.index) {
                let orientation = Orientation { up, front };
                let rotation = orientation.rotation();
                assert_eq!(rotation * up.vector(), Vec3::Y);
                assert_eq!(rotation * front.vector(), Vec3::Z);
                assert_eq!(rotation.determinant(), 1.0);
                let turned = orientation.turned();
                assert_eq!(rotation * turned.front.vector(), Vec3::NEG_X, "{turned:?}");
                assert!(
                    Axis::ALL.map(|up| orientation.with_up(up)).iter().all(|o| o.up.index != o.front.index)
                );
            }
        }
        let blender = Orientation::default().with_up(Axis::Z);
        assert_eq!(blender.front, Axis::new(1, true));
    }

    #[test]
    fn units_follow_from_the_height() {
        assert_eq!(guess_unit(75.0, 120.0).0, "cm", "a table");
        for (height, unit) in [
            (1.8, "m"),
            (180.0, "cm"),
            (190.0, "cm"),
            (500.0, "cm"),
            (1750.0, "mm"),
            (70.0, "inch"),
            (5.6, "m"),
            (0.0, "m"),
        ] {
            assert_eq!(guess_unit(height, 0.9 * height).0, unit, "{height}");
        }
    }

    #[test]
    fn a_shape_that_is_no_body_is_left_as_it_is() {
        let cube = Polygons::new(&cuboid(Vec3::ONE).unwrap());
        let triangles: Vec<[u32; 3]> = cube.triangles();
        assert_eq!(guess(&cube.positions, &triangles), Guess::default());
    }
}
