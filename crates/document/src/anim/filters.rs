//! Filters of curves: Euler angles without jumps.

use super::spline::Spline;
use glam::Vec3;

impl Spline<Vec3> {
    /// Returns the keys that change so that Euler angles, in degrees, turn least from key to key: x, y, z are the same rotation as
    /// x + 180, 180 - y, z + 180, and as those with full turns added. The first key stays.
    pub fn without_flips(&self) -> Vec<(f32, Vec3)> {
        let mut changed = Vec::new();
        let Some(&(_, mut before)) = self.knots.first() else { return changed };
        for &(frame, angles) in &self.knots[1..] {
            let near = |angles: Vec3| angles + 360.0 * ((before - angles) / 360.0).round();
            let same = near(angles);
            let other = near(Vec3::new(angles.x + 180.0, 180.0 - angles.y, angles.z + 180.0));
            let turn = |angles: Vec3| (angles - before).abs().element_sum();
            // The half turns count only if they are clearly nearer, or angles around ±90° would wander.
            before = if turn(other) < turn(same) - 1e-3 { other } else { same };
            if before != angles && before.is_finite() {
                changed.push((frame, before));
            } else {
                before = angles;
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use glam::{EulerRot, Quat};

    #[test]
    fn flips_are_undone_and_rotations_stay() {
        let rotation = |angles: Vec3| {
            let [x, y, z] = angles.to_array().map(f32::to_radians);
            Quat::from_euler(EulerRot::ZYX, z, y, x)
        };
        let mut random = Random::new(5);
        for _ in 0..200 {
            // A slow motion, with flips anywhere.
            let mut angles = Vec3::from_array(std::array::from_fn(|_| random.below(160) as f32 - 80.0));
            let knots: Vec<(f32, Vec3)> = (0..30)
                .map(|frame| {
                    angles += Vec3::from_array(std::array::from_fn(|_| random.below(20) as f32 - 10.0));
                    let turns =
                        Vec3::from_array(std::array::from_fn(|_| 360.0 * random.below(3) as f32 - 360.0));
                    let flipped = Vec3::new(angles.x + 180.0, 180.0 - angles.y, angles.z - 180.0);
                    (frame as f32, if random.chance(30) { flipped } else { angles } + turns)
                })
                .collect();
            let before = Spline::from_knots(knots);
            let mut after = before.clone();
            for (frame, angles) in before.without_flips() {
                after.insert(frame, angles);
            }
            for (one, other) in before.knots.iter().zip(&after.knots) {
                assert!(rotation(one.1).dot(rotation(other.1)).abs() > 1.0 - 1e-5, "{one:?} {other:?}");
            }
            for pair in after.knots.windows(2) {
                assert!((pair[1].1 - pair[0].1).abs().max_element() < 40.0, "{pair:?}");
            }
            assert_eq!(after.without_flips(), []);
        }
    }
}
