//! The positions of the joints: the one set of numbers shared by the surface, the cage and the skeleton.
//!
//! Left side only (x > 0); units such that the figure is about 5.6 high, feet on y = 0, facing +z.
//! Proportions follow the usual adult figure of seven and a half heads.

use glam::{Vec3, vec3};

pub const PELVIS: Vec3 = vec3(0.0, 2.80, -0.02);
pub const LUMBAR: Vec3 = vec3(0.0, 3.04, -0.03);
pub const WAIST: Vec3 = vec3(0.0, 3.42, 0.0);
pub const THORAX: Vec3 = vec3(0.0, 3.84, -0.01);
pub const NECK: Vec3 = vec3(0.0, 4.50, -0.08);
pub const SKULL: Vec3 = vec3(0.0, 4.96, -0.02);
pub const CROWN: Vec3 = vec3(0.0, 5.54, -0.02);

pub const SHOULDER: Vec3 = vec3(0.58, 4.41, -0.05);
pub const ELBOW: Vec3 = vec3(1.285, 3.655, -0.09);
pub const WRIST: Vec3 = vec3(1.83, 3.06, 0.05);

pub const HIP: Vec3 = vec3(0.27, 2.88, -0.01);
pub const KNEE: Vec3 = vec3(0.325, 1.56, 0.035);
pub const ANKLE: Vec3 = vec3(0.38, 0.25, -0.085);
pub const BALL: Vec3 = vec3(0.425, 0.075, 0.34);
pub const TOE: Vec3 = vec3(0.45, 0.065, 0.56);

/// Axes of the arm seen as one straight piece: along it, towards the back of the hand, towards the thumb.
pub fn arm_axes() -> [Vec3; 3] {
    frame(WRIST - SHOULDER)
}

/// Axes of the hand: along the middle finger, towards its back, towards the thumb.
pub fn hand_axes() -> [Vec3; 3] {
    frame(vec3(0.66, -0.735, 0.16))
}

/// Axes of the leg: down, outwards, forwards.
pub fn leg_axes() -> [Vec3; 3] {
    frame(ANKLE - HIP)
}

fn frame(along: Vec3) -> [Vec3; 3] {
    let a = along.normalize();
    let v = (Vec3::Z - a * a.z).normalize();
    [a, v.cross(a), v]
}
