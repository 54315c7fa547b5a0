//! A line of points, measured along itself.

use glam::Vec3;

/// A polyline with the distance of each point from its start.
#[derive(Clone, Debug)]
pub struct Line {
    points: Vec<Vec3>,
    distances: Vec<f32>,
}

impl Line {
    /// A line through at least one point.
    pub fn new(points: Vec<Vec3>) -> Self {
        let mut distances = vec![0.0];
        for pair in points.windows(2) {
            distances.push(distances[distances.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { points, distances }
    }

    /// The length of the line.
    pub fn length(&self) -> f32 {
        self.distances[self.points.len() - 1]
    }

    /// The distance of a point from the start.
    pub fn distance(&self, index: usize) -> f32 {
        self.distances[index]
    }

    /// The point at a distance from the start; the ends beyond them.
    pub fn at(&self, distance: f32) -> Vec3 {
        let next = self.distances.partition_point(|d| *d < distance).clamp(1, self.points.len().max(2) - 1);
        let Some(&end) = self.points.get(next) else { return self.points[0] };
        let (from, to) = (self.distances[next - 1], self.distances[next]);
        let t = if to > from { ((distance - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        self.points[next - 1].lerp(end, t)
    }

    /// The distance from the start of the nearest point of the line.
    pub fn nearest(&self, point: Vec3) -> f32 {
        let mut best = (f32::INFINITY, 0.0);
        for (index, pair) in self.points.windows(2).enumerate() {
            let step = pair[1] - pair[0];
            let t =
                ((point - pair[0]).dot(step) / step.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            let squared = point.distance_squared(pair[0] + t * step);
            if squared < best.0 {
                best = (squared, self.distances[index] + t * step.length());
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_distances_belong_together() {
        let line = Line::new(vec![Vec3::ZERO, Vec3::X, Vec3::X, Vec3::new(1.0, 2.0, 0.0)]);
        assert_eq!(line.length(), 3.0);
        for (distance, point) in [(-1.0, Vec3::ZERO), (0.5, 0.5 * Vec3::X), (2.0, Vec3::new(1.0, 1.0, 0.0))] {
            assert_eq!(line.at(distance), point);
        }
        assert_eq!(line.at(9.0), Vec3::new(1.0, 2.0, 0.0));
        assert_eq!(line.nearest(Vec3::new(3.0, 1.5, 0.0)), 2.5);
        assert_eq!(Line::new(vec![Vec3::Y]).at(1.0), Vec3::Y);
    }
}
