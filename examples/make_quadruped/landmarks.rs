//! The positions of the joints, shared by solid and skeleton. Left side only (x > 0).

use glam::{Vec3, vec3};

/// The start of both roots: the spine forwards, the pelvis backwards.
pub const MIDDLE: Vec3 = vec3(0.0, 2.36, -0.12);
pub const PELVIS: Vec3 = vec3(0.0, 2.42, -0.52);
pub const RIBS: Vec3 = vec3(0.0, 2.44, 0.22);
pub const WITHERS: Vec3 = vec3(0.0, 2.62, 0.54);
/// From the withers to the skull.
pub const NECK: [Vec3; 5] = [
    vec3(0.0, 3.02, 0.74),
    vec3(0.0, 3.42, 0.91),
    vec3(0.0, 3.82, 1.08),
    vec3(0.0, 4.22, 1.24),
    vec3(0.0, 4.60, 1.40),
];
pub const MUZZLE: Vec3 = vec3(0.0, 4.36, 2.0);
/// From its root to its end.
pub const TAIL: [Vec3; 4] =
    [vec3(0.0, 2.46, -0.80), vec3(0.0, 2.08, -0.95), vec3(0.0, 1.68, -1.00), vec3(0.0, 1.28, -1.02)];
/// Shoulder, knee (a wrist), fetlock, toe.
pub const FRONT: [Vec3; 4] =
    [vec3(0.25, 2.18, 0.46), vec3(0.255, 1.18, 0.50), vec3(0.255, 0.26, 0.48), vec3(0.255, 0.06, 0.58)];
/// Hip, stifle (the knee), hock (the heel), fetlock, toe.
pub const BACK: [Vec3; 5] = [
    vec3(0.25, 2.20, -0.50),
    vec3(0.275, 1.62, -0.36),
    vec3(0.265, 1.02, -0.66),
    vec3(0.265, 0.26, -0.60),
    vec3(0.265, 0.06, -0.50),
];
