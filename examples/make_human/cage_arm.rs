//! The coarse cage of arm and hand: rings of twelve from the shoulder to the knuckles, four fingers of six
//! sides, a thumb of eight.

use crate::{
    body::Body,
    hand::Finger,
    quads::{Patch, QuadMesh},
};
use glam::Vec3;

/// Distance from the shoulder of each ring, and how much farther its top lies than its middle.
const ARM: [[f32; 2]; 13] = [
    [0.17, -0.12],
    [0.31, -0.06],
    [0.46, -0.02],
    [0.62, 0.0],
    [0.78, 0.0],
    [0.90, 0.0],
    [0.975, 0.0],
    [1.05, 0.0],
    [1.16, 0.0],
    [1.31, 0.0],
    [1.47, 0.0],
    [1.63, 0.0],
    [1.76, 0.0],
];
/// Distance from the wrist of each ring of the palm.
const PALM: [f32; 5] = [0.01, 0.08, 0.15, 0.22, 0.285];
/// The places of the twelve vertices of such a ring: towards the thumb, towards the back of the hand.
const FLAT: [[f32; 2]; 12] = [
    [0.0, 0.06],
    [-0.065, 0.06],
    [-0.12, 0.045],
    [-0.14, 0.0],
    [-0.12, -0.045],
    [-0.065, -0.06],
    [0.0, -0.06],
    [0.065, -0.06],
    [0.12, -0.045],
    [0.14, 0.0],
    [0.12, 0.045],
    [0.065, 0.06],
];

pub fn build(cage: &mut QuadMesh, body: &Body, socket: &[usize]) {
    let limb = &body.arm.limb;
    let mut rings = vec![socket.to_vec()];
    for [t, lean] in ARM {
        let ring: Vec<Vec3> = (0..12)
            .map(|a| {
                let (s, c) = (a as f32 * 30.0).to_radians().sin_cos();
                body.cast(limb.centre(t + lean * c), limb.axes[1] * c - limb.axes[2] * s)
            })
            .collect();
        let ring = cage.vertices(ring);
        rings.push(ring);
    }
    let palm = &body.hand.palm;
    let first = rings.len();
    for t in PALM {
        let ring = FLAT.map(|[v, u]| body.cast(palm.centre(t), palm.axes[2] * v + palm.axes[1] * u));
        let ring = cage.vertices(ring);
        rings.push(ring);
    }
    cage.tube(&rings[..=first], Patch([0.355, 0.005, 0.495, 0.40]));
    // Palm: all but the four quads on the thumb's side, between the rings 1 and 3.
    let patch = Patch([0.355, 0.41, 0.495, 0.52]);
    let palm_rings = &rings[first..];
    for r in 0..4 {
        for i in 0..12 {
            if (1..3).contains(&r) && (8..10).contains(&i) {
                continue;
            }
            let k = (i + 1) % 12;
            let (a, b) = (i as f32 / 12.0, (i + 1) as f32 / 12.0);
            let (c, d) = (r as f32 / 4.0, (r + 1) as f32 / 4.0);
            cage.quad(
                [palm_rings[r][i], palm_rings[r][k], palm_rings[r + 1][k], palm_rings[r + 1][i]],
                [patch.at(a, c), patch.at(b, c), patch.at(b, d), patch.at(a, d)],
            );
        }
    }
    let knuckles = palm_rings[4].clone();
    let [p1, p2, p3] = [1, 2, 3].map(|r| palm_rings[r].clone());
    fingers(cage, body, &knuckles);
    thumb(cage, &body.hand.thumb, [p1[10], p1[9], p1[8], p2[8], p3[8], p3[9], p3[10], p2[10]]);
}

fn fingers(cage: &mut QuadMesh, body: &Body, knuckles: &[usize]) {
    let hand = &body.hand;
    // The lines between the fingers, from the thumb's side: back of the hand, middle, palm.
    let web = |k: usize, cage: &mut QuadMesh| {
        let (back, front) = (knuckles[(10 + k) % 12], knuckles[8 - k]);
        let middle = match k {
            0 => knuckles[9],
            4 => knuckles[3],
            _ => {
                let p = (cage.positions[back] + cage.positions[front]) * 0.5;
                cage.vertex(p + hand.palm.axes[0] * 0.01)
            }
        };
        [back, middle, front]
    };
    let webs: Vec<[usize; 3]> = (0..5).map(|k| web(k, cage)).collect();
    for (f, finger) in hand.fingers.iter().enumerate() {
        let ([b0, m0, p0], [b1, m1, p1]) = (webs[f], webs[f + 1]);
        let mut rings = vec![vec![b0, b1, m1, p1, p0, m0]];
        for s in [0.22, 0.44, 0.68, 0.89, 1.0] {
            let ring = [50.0f32, 130.0, 180.0, 230.0, 310.0, 360.0].map(|angle| finger.around(s, angle));
            let ring = cage.vertices(ring);
            rings.push(ring);
        }
        let v = 0.53 + 0.115 * f as f32;
        cage.tube(&rings, Patch([0.355, v, 0.45, v + 0.06]));
        let tip = &rings[5];
        let rows = [vec![tip[0], tip[1]], vec![tip[5], tip[2]], vec![tip[4], tip[3]]];
        cage.grid(&rows, Patch([0.455, v, 0.495, v + 0.06]));
    }
}

fn thumb(cage: &mut QuadMesh, thumb: &Finger, socket: [usize; 8]) {
    let mut rings = vec![socket.to_vec()];
    for s in [0.30, 0.46, 0.66, 0.86, 1.0] {
        // From the back and the wrist's side over the palm to the fingers' side.
        let ring =
            [45.0f32, 0.0, -45.0, -90.0, -135.0, 180.0, 135.0, 90.0].map(|angle| thumb.around(s, angle));
        let ring = cage.vertices(ring);
        rings.push(ring);
    }
    cage.tube(&rings, Patch([0.355, 0.935, 0.45, 0.995]));
    let t = &rings[5];
    let middle = cage.vertex(thumb.around(1.0, 0.0).midpoint(thumb.around(1.0, 180.0)));
    let rows = [vec![t[0], t[1], t[2]], vec![t[7], middle, t[3]], vec![t[6], t[5], t[4]]];
    cage.grid(&rows, Patch([0.455, 0.935, 0.495, 0.995]));
}
