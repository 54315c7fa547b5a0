//! The giraffe as a solid: ellipsoids and round cones joined smoothly, folded over x = 0.
//!
//! The unit is such that the horns end near 5; feet on y = 0, facing +z.

use crate::landmarks::*;
use crate::shape::{Solid, carve, ellipsoid, ellipsoid_in, join, round_cone};
use glam::{Vec3, vec3};

pub struct Giraffe;

impl Solid for Giraffe {
    fn distance(&self, p: Vec3) -> f32 {
        // Rounds the crease that folding leaves.
        let p = vec3(p.x.hypot(0.01), p.y, p.z);
        let mut d = trunk(p);
        d = join(d, neck(p), 0.30);
        d = join(d, head(p), 0.08);
        d = join(d, tail(p), 0.07);
        d = join(d, front_leg(p), 0.16);
        d = join(d, back_leg(p), 0.16);
        carve(d, p.y, 0.02)
    }
}

fn trunk(p: Vec3) -> f32 {
    let mut d = ellipsoid(p, vec3(0.0, 2.36, 0.36), vec3(0.40, 0.54, 0.48));
    d = join(d, ellipsoid(p, vec3(0.0, 2.24, -0.08), vec3(0.42, 0.46, 0.62)), 0.25);
    d = join(d, ellipsoid(p, vec3(0.0, 2.30, -0.48), vec3(0.38, 0.44, 0.38)), 0.25);
    // Withers: the back falls from here.
    join(d, ellipsoid(p, vec3(0.0, 2.72, 0.42), vec3(0.17, 0.26, 0.30)), 0.25)
}

fn neck(p: Vec3) -> f32 {
    let mut d = round_cone(p, vec3(0.0, 2.62, 0.56), NECK[2], 0.33, 0.205);
    d = join(d, round_cone(p, NECK[2], NECK[4], 0.205, 0.15), 0.10);
    // The mane's crest.
    join(d, round_cone(p, vec3(0.0, 3.05, 0.52), vec3(0.0, 4.50, 1.20), 0.07, 0.05), 0.10)
}

fn head(p: Vec3) -> f32 {
    let mut d = ellipsoid(p, vec3(0.0, 4.62, 1.46), vec3(0.185, 0.19, 0.22));
    d = join(d, round_cone(p, vec3(0.0, 4.56, 1.55), MUZZLE + vec3(0.0, 0.03, -0.08), 0.155, 0.105), 0.10);
    d = join(d, ellipsoid(p, MUZZLE + vec3(0.0, 0.0, -0.06), vec3(0.115, 0.095, 0.12)), 0.06);
    // Brow over the eye, horn, ear.
    d = join(d, ellipsoid(p, vec3(0.135, 4.66, 1.58), vec3(0.06, 0.06, 0.08)), 0.05);
    d = join(d, round_cone(p, vec3(0.08, 4.72, 1.42), vec3(0.105, 4.98, 1.36), 0.062, 0.052), 0.04);
    d = join(d, ellipsoid(p, vec3(0.107, 5.0, 1.357), vec3(0.072, 0.062, 0.072)), 0.03);
    let out = vec3(0.88, 0.16, -0.44).normalize();
    let up = (Vec3::Y - out * out.y).normalize();
    join(d, ellipsoid_in(p, vec3(0.30, 4.70, 1.27), [out, up, out.cross(up)], vec3(0.21, 0.11, 0.08)), 0.05)
}

fn tail(p: Vec3) -> f32 {
    let mut d = round_cone(p, TAIL[0] + vec3(0.0, 0.0, 0.08), TAIL[1], 0.10, 0.075);
    d = join(d, round_cone(p, TAIL[1], TAIL[2], 0.075, 0.07), 0.03);
    d = join(d, round_cone(p, TAIL[2], TAIL[3], 0.07, 0.09), 0.03);
    join(d, ellipsoid(p, TAIL[3] + vec3(0.0, 0.06, 0.0), vec3(0.105, 0.24, 0.105)), 0.06)
}

fn front_leg(p: Vec3) -> f32 {
    let [shoulder, knee, fetlock, toe] = FRONT;
    let mut d = ellipsoid(p, shoulder + vec3(-0.04, 0.05, -0.02), vec3(0.20, 0.46, 0.25));
    d = join(d, round_cone(p, shoulder, knee, 0.185, 0.105), 0.10);
    d = join(d, ellipsoid(p, knee, vec3(0.115, 0.14, 0.125)), 0.05);
    d = join(d, round_cone(p, knee, fetlock, 0.10, 0.085), 0.05);
    join(d, hoof(p, fetlock, toe), 0.04)
}

fn back_leg(p: Vec3) -> f32 {
    let [hip, stifle, hock, fetlock, toe] = BACK;
    let mut d = ellipsoid(p, hip + vec3(-0.05, -0.08, 0.02), vec3(0.22, 0.44, 0.30));
    d = join(d, round_cone(p, hip, stifle, 0.24, 0.18), 0.12);
    d = join(d, round_cone(p, stifle, hock, 0.175, 0.105), 0.10);
    d = join(d, ellipsoid(p, hock + vec3(0.0, 0.0, -0.02), vec3(0.105, 0.13, 0.12)), 0.05);
    d = join(d, round_cone(p, hock, fetlock, 0.10, 0.085), 0.05);
    join(d, hoof(p, fetlock, toe), 0.04)
}

/// From the fetlock to the ground, wider below.
fn hoof(p: Vec3, fetlock: Vec3, toe: Vec3) -> f32 {
    let d = round_cone(p, fetlock, toe + vec3(0.0, 0.06, -0.04), 0.10, 0.115);
    join(d, round_cone(p, toe + vec3(0.0, 0.02, -0.05), toe + vec3(0.0, 0.0, 0.02), 0.125, 0.12), 0.04)
}
