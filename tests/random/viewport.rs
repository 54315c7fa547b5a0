//! Random views, for the tests of the crates.

use super::Random;
use crate::math::camera::{ViewCamera, Viewport};
use glam::Vec2;
use std::f32::consts::{FRAC_PI_2, PI};

pub fn random_viewport(random: &mut Random) -> Viewport {
    Viewport {
        camera: ViewCamera {
            target: random.vec3(3.0),
            yaw: random.range(-PI, PI),
            pitch: random.range(-FRAC_PI_2, FRAC_PI_2),
            roll: 0.0,
            distance: random.range(0.5, 20.0),
            orthographic: random.next() & 1 == 0,
            vertical_fov: random.range(0.3, 1.5),
        },
        size: Vec2::new(random.range(200.0, 2000.0), random.range(200.0, 1500.0)),
        covered_top: 0.0,
    }
}
