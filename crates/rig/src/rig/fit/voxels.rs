//! A body as voxels: the union of its shells, whatever their orientation, on a regular grid. Distances through the inside
//! of the body are measured along the 26 neighbours of each voxel. Makes no claim about parts thinner than a voxel.

use crate::math::bounds::Bounds;
use crate::mesh::weld::weld;
use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// The distance to a neighbour that shares a face, in the integer units of [`Voxels::distances`]; 14 and 17 are those to
/// neighbours that share an edge or a corner.
pub const STEP: u32 = 10;
/// The distance of what cannot be reached.
pub const FAR: u32 = u32::MAX;
/// The offset of the columns that are tested against the surface from the centres of the voxels, in voxels: columns then
/// do not meet the edges of regular surfaces.
const JITTER: [f64; 2] = [0.001_37, 0.002_11];
/// The length of the sum of the area vectors of a closed shell, relative to its area: 0 but for rounding.
const CLOSED: f64 = 1e-4;

/// Triangles whose shells all face outwards, as far as they are closed.
pub struct Triangles {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// Joins vertices at the same position and turns closed shells that are inside out.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (points, point_of_vertex) = weld(positions);
        let mut triangles: Vec<[u32; 3]> =
            triangles.iter().map(|t| t.map(|vertex| point_of_vertex[vertex as usize])).collect();
        triangles.retain(|t| t.iter().all(|&point| points[point as usize].is_finite()));
        let mut shells = Partition::new(points.len());
        for [a, b, c] in &triangles {
            shells.join(*a, *b);
            shells.join(*b, *c);
        }
        // Area vector, area and volume of each shell.
        let mut sums = vec![(Vec3::ZERO.as_dvec3(), 0.0, 0.0); points.len()];
        for t in &triangles {
            let shell = shells.find(t[0]) as usize;
            let origin = points[shell].as_dvec3();
            let [a, b, c] = t.map(|point| points[point as usize].as_dvec3() - origin);
            let area = (b - a).cross(c - a);
            let sum = &mut sums[shell];
            (sum.0, sum.1, sum.2) = (sum.0 + area, sum.1 + area.length(), sum.2 + a.dot(b.cross(c)));
        }
        for t in &mut triangles {
            let (area, size, volume) = sums[shells.find(t[0]) as usize];
            if volume < 0.0 && area.length() < CLOSED * size {
                t.swap(1, 2);
            }
        }
        Self { positions: points, triangles }
    }

    /// The bounding box.
    pub fn bounds(&self) -> Bounds {
        Bounds::from_points(self.triangles.iter().flatten().map(|&point| self.positions[point as usize]))
    }
}

/// A forest in which the parts of a set are trees (union-find with halved paths).
pub struct Partition(Vec<u32>);

impl Partition {
    /// Every element is a part.
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The representative of the part of an element.
    pub fn find(&mut self, mut element: u32) -> u32 {
        while self.0[element as usize] != element {
            self.0[element as usize] = self.0[self.0[element as usize] as usize];
            element = self.0[element as usize];
        }
        element
    }

    /// Joins two parts; the representative of the first stays.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[b as usize] = a;
    }
}

/// The voxels of a box around a body, with a border of empty ones.
#[derive(Clone, Debug)]
pub struct Voxels {
    /// The centre of the first voxel.
    origin: Vec3,
    /// The side of a voxel.
    pub cell: f32,
    size: [usize; 3],
    pub inside: Vec<bool>,
}

impl Voxels {
    /// Fills the voxels of `bounds` that are inside the body, with `resolution` voxels along the longest side. A voxel is
    /// inside if most of the three lines through it along the axes say so; a line that leaves the body less often than it
    /// enters it, or more often, says nothing.
    pub fn new(body: &Triangles, bounds: Bounds, resolution: usize) -> Self {
        let extent = bounds.max - bounds.min;
        let cell = (extent.max_element() / resolution as f32).max(f32::MIN_POSITIVE);
        let size = extent.to_array().map(|side| (side / cell).ceil() as usize + 3);
        let span = Vec3::from_array(size.map(|count| (count - 1) as f32 * cell));
        let origin = bounds.center() - 0.5 * span;
        let mut voxels = Self { origin, cell, size, inside: Vec::new() };
        let votes: Vec<Vec<i8>> = (0..3).into_par_iter().map(|axis| voxels.votes(body, axis)).collect();
        let count = votes[0].len();
        voxels.inside =
            (0..count).map(|i| votes.iter().map(|votes| i32::from(votes[i])).sum::<i32>() > 0).collect();
        for (index, inside) in voxels.inside.iter_mut().enumerate() {
            let at = coordinates(size, index);
            *inside &= (0..3).all(|axis| at[axis] > 0 && at[axis] + 1 < size[axis]);
        }
        voxels
    }

    /// What the lines along an axis say about each voxel: 1 inside, -1 outside, 0 nothing.
    fn votes(&self, body: &Triangles, axis: usize) -> Vec<i8> {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let origin = self.origin.as_dvec3();
        let cell = f64::from(self.cell);
        let mut crossings: Vec<(u32, f32, i8)> = Vec::new();
        for t in &body.triangles {
            // In voxels, such that the lines are at whole numbers.
            let corners = t.map(|point| (body.positions[point as usize].as_dvec3() - origin) / cell);
            let flat = corners.map(|p| [p[u] - JITTER[0], p[v] - JITTER[1]]);
            let range = |k: usize, count: usize| {
                let low = flat.iter().fold(f64::INFINITY, |low, p| low.min(p[k])).ceil().max(0.0);
                let high = flat.iter().fold(f64::NEG_INFINITY, |high, p| high.max(p[k])).floor();
                (low as usize, (high.min(count as f64 - 1.0) + 1.0).max(0.0) as usize)
            };
            let ((u0, u1), (v0, v1)) = (range(0, self.size[u]), range(1, self.size[v]));
            let edge = |a: [f64; 2], b: [f64; 2], p: [f64; 2]| {
                (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
            };
            let doubled = edge(flat[0], flat[1], flat[2]);
            if doubled == 0.0 {
                continue;
            }
            for i in u0..u1 {
                for k in v0..v1 {
                    let p = [i as f64, k as f64];
                    let weights = [
                        edge(flat[1], flat[2], p) / doubled,
                        edge(flat[2], flat[0], p) / doubled,
                        edge(flat[0], flat[1], p) / doubled,
                    ];
                    if weights.iter().all(|weight| *weight >= 0.0) {
                        let depth: f64 = (0..3).map(|corner| weights[corner] * corners[corner][axis]).sum();
                        let turn = if doubled > 0.0 { 1 } else { -1 };
                        crossings.push(((i * self.size[v] + k) as u32, depth as f32, turn));
                    }
                }
            }
        }
        crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut votes = vec![-1; self.size.iter().product()];
        for column in crossings.chunk_by(|a, b| a.0 == b.0) {
            let (i, k) = (column[0].0 as usize / self.size[v], column[0].0 as usize % self.size[v]);
            let is_open = column.iter().map(|crossing| i32::from(crossing.2)).sum::<i32>() != 0;
            let (mut winding, mut next) = (0, 0);
            for w in 0..self.size[axis] {
                while next < column.len() && column[next].1 <= w as f32 {
                    winding += i32::from(column[next].2);
                    next += 1;
                }
                let mut at = [0; 3];
                (at[axis], at[u], at[v]) = (w, i, k);
                votes[self.index(at)] = match (is_open, winding) {
                    (true, _) => 0,
                    (false, 0) => -1,
                    (false, _) => 1,
                };
            }
        }
        votes
    }

    fn index(&self, at: [usize; 3]) -> usize {
        (at[0] * self.size[1] + at[1]) * self.size[2] + at[2]
    }

    /// The centre of a voxel.
    pub fn center(&self, index: usize) -> Vec3 {
        let at = coordinates(self.size, index).map(|count| count as f32);
        self.origin + Vec3::from_array(at) * self.cell
    }

    /// The voxel around a point; `None` outside the grid.
    pub fn at(&self, point: Vec3) -> Option<usize> {
        let at = ((point - self.origin) / self.cell).round().to_array();
        let within = (0..3).all(|axis| at[axis] >= 0.0 && at[axis] < self.size[axis] as f32);
        within.then(|| self.index(at.map(|count| count as usize)))
    }

    /// Whether a point is in a voxel that is inside.
    pub fn contains(&self, point: Vec3) -> bool {
        self.at(point).is_some_and(|index| self.inside[index])
    }

    /// The number of voxels along the longest side of the grid.
    pub fn longest_side(&self) -> usize {
        self.size.into_iter().max().unwrap_or_default()
    }

    /// The indices of the voxels that are inside.
    pub fn filled(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.inside.len()).filter(|&index| self.inside[index])
    }

    /// The voxel inside that is nearest to a point; `None` if the body is empty.
    pub fn nearest(&self, point: Vec3) -> Option<usize> {
        let squared = |index: &usize| self.center(*index).distance_squared(point);
        self.filled().min_by(|a, b| squared(a).total_cmp(&squared(b)))
    }

    /// The offsets of the 26 neighbours of a voxel, with their distances.
    pub fn neighbours(&self) -> [(isize, u32); 26] {
        let mut neighbours = [(0, 0); 26];
        let mut count = 0;
        for x in -1..=1 {
            for y in -1..=1 {
                for z in -1..=1 {
                    let at = IVec3::new(x, y, z);
                    let offset = (x as isize * self.size[1] as isize + y as isize) * self.size[2] as isize
                        + z as isize;
                    let length = [0, STEP, 14, 17][at.length_squared() as usize];
                    if length > 0 {
                        neighbours[count] = (offset, length);
                        count += 1;
                    }
                }
            }
        }
        neighbours
    }

    /// The distance of each voxel from the nearest of some voxels through the inside, in tenths of a voxel; [`FAR`] outside
    /// and where nothing leads. Dijkstra's search with a ring of buckets (Dial 1969).
    pub fn distances(&self, from: &[usize]) -> Vec<u32> {
        const RING: usize = 18;
        let neighbours = self.neighbours();
        let mut distances = vec![FAR; self.inside.len()];
        let mut ring: [Vec<u32>; RING] = Default::default();
        for &index in from.iter().filter(|&&index| self.inside[index]) {
            distances[index] = 0;
            ring[0].push(index as u32);
        }
        let mut current = 0;
        while ring.iter().any(|bucket| !bucket.is_empty()) {
            let mut bucket = std::mem::take(&mut ring[current as usize % RING]);
            for &index in &bucket {
                let index = index as usize;
                if distances[index] != current {
                    continue;
                }
                for (offset, length) in neighbours {
                    let next = index.wrapping_add_signed(offset);
                    let distance = current + length;
                    if self.inside[next] && distance < distances[next] {
                        distances[next] = distance;
                        ring[distance as usize % RING].push(next as u32);
                    }
                }
            }
            bucket.clear();
            ring[current as usize % RING] = bucket;
            current += 1;
        }
        distances
    }

    /// The number of the piece of each voxel, from 1 on, and the number of voxels of each piece; 0 is outside.
    fn pieces(&self) -> (Vec<u32>, Vec<usize>) {
        let neighbours = self.neighbours();
        let mut piece = vec![0u32; self.inside.len()];
        let mut sizes = vec![0usize];
        for start in 0..self.inside.len() {
            if !self.inside[start] || piece[start] != 0 {
                continue;
            }
            let number = sizes.len() as u32;
            sizes.push(0);
            piece[start] = number;
            let mut stack = vec![start];
            while let Some(index) = stack.pop() {
                sizes[number as usize] += 1;
                for (offset, _) in neighbours {
                    let next = index.wrapping_add_signed(offset);
                    if self.inside[next] && piece[next] == 0 {
                        piece[next] = number;
                        stack.push(next);
                    }
                }
            }
        }
        (piece, sizes)
    }

    /// The boxes around the middles of the voxels of each piece, the largest piece first.
    pub fn boxes(&self) -> Vec<Bounds> {
        let (piece, sizes) = self.pieces();
        let mut boxes = vec![Bounds::EMPTY; sizes.len()];
        for index in self.filled() {
            boxes[piece[index] as usize].include(self.center(index));
        }
        let mut order: Vec<usize> = (1..sizes.len()).collect();
        order.sort_by_key(|&number| (std::cmp::Reverse(sizes[number]), number));
        order.into_iter().map(|number| boxes[number]).collect()
    }

    /// Removes everything but the largest piece. Returns the share of the voxels that it has.
    pub fn retain_largest(&mut self) -> f32 {
        let (piece, sizes) = self.pieces();
        let all: usize = sizes.iter().sum();
        let largest =
            (1..sizes.len()).max_by_key(|&number| (sizes[number], usize::MAX - number)).unwrap_or(0);
        for (inside, piece) in self.inside.iter_mut().zip(&piece) {
            *inside &= *piece as usize == largest;
        }
        sizes[largest] as f32 / all.max(1) as f32
    }

    /// The distance of each voxel from the outside in voxels: exact between the centres of voxels (Felzenszwalb and
    /// Huttenlocher 2012, "Distance transforms of sampled functions").
    pub fn depths(&self) -> Vec<f32> {
        let far = self.size.iter().map(|count| count * count).sum::<usize>() as f32;
        let mut squared: Vec<f32> =
            self.inside.iter().map(|inside| if *inside { far } else { 0.0 }).collect();
        for axis in 0..3 {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            let count = self.size[axis];
            let (mut line, mut hull) = (vec![0.0; count], Vec::with_capacity(count));
            for i in 0..self.size[u] {
                for k in 0..self.size[v] {
                    let index = |w: usize| {
                        let mut at = [0; 3];
                        (at[axis], at[u], at[v]) = (w, i, k);
                        self.index(at)
                    };
                    (0..count).for_each(|w| line[w] = squared[index(w)]);
                    lower_envelope(&line, &mut hull);
                    let mut part = 0;
                    for w in 0..count {
                        while part + 1 < hull.len() && hull[part + 1].1 <= w as f32 {
                            part += 1;
                        }
                        let apex: usize = hull[part].0;
                        squared[index(w)] = line[apex] + (w as f32 - apex as f32).powi(2);
                    }
                }
            }
        }
        squared.into_iter().map(f32::sqrt).collect()
    }
}

/// The parabolas `line[i] + (x - i)²` that are lowest somewhere, each with the x from which on it is.
fn lower_envelope(line: &[f32], hull: &mut Vec<(usize, f32)>) {
    hull.clear();
    for (i, height) in line.iter().enumerate() {
        let meets = |k: usize| {
            let (i, k) = (i as f32, k as f32);
            ((height + i * i) - (line[k as usize] + k * k)) / (2.0 * (i - k))
        };
        while hull.last().is_some_and(|&(k, from)| meets(k) <= from) {
            hull.pop();
        }
        let from = hull.last().map_or(f32::NEG_INFINITY, |&(k, _)| meets(k));
        hull.push((i, from));
    }
}

fn coordinates(size: [usize; 3], index: usize) -> [usize; 3] {
    [index / (size[1] * size[2]), index / size[2] % size[1], index % size[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::halfedge::HalfedgeMesh;
    use crate::mesh::primitives;

    fn voxels(surface: &HalfedgeMesh, resolution: usize) -> Voxels {
        let body = Triangles::new(surface.positions(), &surface.triangles());
        Voxels::new(&body, body.bounds(), resolution)
    }

    #[test]
    fn balls_of_either_orientation_are_filled() {
        let ball = primitives::uv_sphere(1.0, 64, 32).unwrap();
        for surface in [ball.flipped(), ball] {
            let voxels = voxels(&surface, 40);
            let volume = voxels.filled().count() as f32 * voxels.cell.powi(3);
            assert!((volume / 4.18 - 1.0).abs() < 0.03, "{volume}");
            for index in 0..voxels.inside.len() {
                let depth = 1.0 - voxels.center(index).length();
                if depth.abs() > 0.05 {
                    assert_eq!(voxels.inside[index], depth > 0.0, "{depth}");
                }
            }
        }
    }

    /// Compared with every voxel outside.
    #[test]
    fn depths_are_distances_to_the_outside() {
        let voxels = voxels(&primitives::cuboid(Vec3::new(1.0, 0.7, 0.4)).unwrap(), 12);
        let outside: Vec<Vec3> =
            (0..voxels.inside.len()).filter(|&i| !voxels.inside[i]).map(|i| voxels.center(i)).collect();
        for (index, depth) in voxels.depths().into_iter().enumerate() {
            let center = voxels.center(index);
            let least = outside.iter().map(|other| other.distance(center)).fold(f32::INFINITY, f32::min);
            assert!((depth - least / voxels.cell).abs() < 1e-3, "{center}");
        }
    }

    #[test]
    fn distances_lead_through_the_inside() {
        let bar = voxels(&primitives::cuboid(Vec3::new(2.0, 0.1, 0.1)).unwrap(), 80);
        let from = bar.at(Vec3::new(-0.9, 0.0, 0.0)).unwrap();
        let distances = bar.distances(&[from]);
        let to = bar.at(Vec3::new(0.9, 0.0, 0.0)).unwrap();
        assert_eq!(distances[to], 10 * (1.8f32 / bar.cell).round() as u32);
        assert!(bar.inside.iter().zip(&distances).all(|(inside, distance)| *inside == (*distance != FAR)));
    }

    #[test]
    fn only_the_largest_piece_stays() {
        let mut positions = primitives::cuboid(Vec3::ONE).unwrap().positions().to_vec();
        let triangles = primitives::cuboid(Vec3::ONE).unwrap().triangles();
        let count = positions.len() as u32;
        positions.extend(positions.clone().iter().map(|position| 0.5 * *position + 2.0 * Vec3::X));
        let both: Vec<[u32; 3]> = triangles
            .iter()
            .copied()
            .chain(triangles.iter().map(|t| t.map(|vertex| vertex + count)))
            .collect();
        let body = Triangles::new(&positions, &both);
        let mut voxels = Voxels::new(&body, body.bounds(), 60);
        assert!((voxels.retain_largest() - 8.0 / 9.0).abs() < 0.02);
        assert!(voxels.contains(Vec3::ZERO) && !voxels.contains(2.0 * Vec3::X));
    }
}
