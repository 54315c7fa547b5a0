//! The coarse cage of leg and foot: rings of twelve from the groin to the ankle, then heel and forefoot.

use crate::{
    body::Body,
    quads::{Patch, QuadMesh},
};
use glam::{Vec3, vec3};

/// Height of each ring at the outer and at the inner side.
const LEG: [[f32; 2]; 15] = [
    [2.80, 2.53],
    [2.61, 2.40],
    [2.40, 2.24],
    [2.17, 2.06],
    [1.95, 1.89],
    [1.77, 1.75],
    [1.645, 1.64],
    [1.555, 1.555],
    [1.465, 1.465],
    [1.34, 1.34],
    [1.17, 1.17],
    [0.98, 0.98],
    [0.78, 0.78],
    [0.59, 0.59],
    [0.43, 0.43],
];
/// Distance in front of the ankle of the rings of the forefoot: top and bottom.
const FOOT: [[f32; 2]; 5] = [[0.18, 0.19], [0.29, 0.30], [0.40, 0.40], [0.515, 0.51], [0.64, 0.645]];
/// The places of the twelve vertices of such a ring: inwards, up; in half widths.
const ROUND: [[f32; 2]; 12] = [
    [-0.9, 0.6],
    [-0.55, 0.95],
    [0.0, 1.0],
    [0.55, 0.95],
    [0.9, 0.6],
    [1.0, 0.0],
    [0.85, -0.85],
    [0.45, -1.0],
    [0.0, -1.0],
    [-0.45, -1.0],
    [-0.85, -0.85],
    [-1.0, 0.0],
];

pub fn build(cage: &mut QuadMesh, body: &Body, socket: &[usize]) {
    let leg = &body.leg;
    let centre = |y: f32| leg.limb.centre((leg.limb.origin.y - y) / -leg.limb.axes[0].y);
    let around = |l: usize, [front, outer, back, inner]: [f32; 4]| {
        let (s, c) = ((l as f32 - 2.0) * 30.0).to_radians().sin_cos();
        let y = 0.25 * (front + outer + back + inner)
            + 0.5 * (outer - inner) * s
            + 0.5 * (front - back) * c
            + 0.25 * (front + back - outer - inner) * (c * c - s * s);
        body.cast(centre(y), vec3(s, 0.0, c))
    };
    let mut rings = vec![socket.to_vec()];
    for [outer, inner] in LEG {
        let middle = 0.5 * (outer + inner);
        let ring = (0..12).map(|l| around(l, [middle, outer, middle, inner]));
        let ring = cage.vertices(ring.collect::<Vec<_>>());
        rings.push(ring);
    }
    let ankle = cage.vertices((0..12).map(|l| around(l, [0.345, 0.28, 0.24, 0.28])));
    rings.push(ankle.clone());
    cage.tube(&rings, Patch([0.21, 0.005, 0.345, 0.60]));

    // Heel: a middle row around the back only, then the ring on the ground.
    let [forward, out, _] = leg.foot_axes;
    let at = |t: f32, u: f32, y: f32| leg.foot.origin + forward * t + out * u + Vec3::Y * y;
    let heel = |l: usize, low: f32| {
        let (s, c) = ((l as f32 - 2.0) * 30.0).to_radians().sin_cos();
        body.cast(at(-0.06, 0.0, 0.11), out * s + forward * c.min(0.35) - Vec3::Y * low)
    };
    let mut middle = vec![usize::MAX; 12];
    for l in [0, 4, 5, 6, 7, 8, 9, 10, 11] {
        middle[l] = cage.vertex(heel(l, if l == 0 || l == 4 { 0.1 } else { 0.0 }));
    }
    let ground: Vec<usize> = (0..12)
        .map(|l| match l {
            0..=4 => {
                cage.vertex(at(0.075, -0.075 + 0.0375 * l as f32, if l == 0 || l == 4 { 0.02 } else { 0.0 }))
            }
            _ => cage.vertex(heel(l, 0.85)),
        })
        .collect();
    let patch = Patch([0.21, 0.61, 0.345, 0.70]);
    for l in 4..12 {
        let k = (l + 1) % 12;
        let (a, b) = ((l - 4) as f32 / 8.0, (l - 3) as f32 / 8.0);
        for (r, (up, down)) in [(&ankle, &middle), (&middle, &ground)].into_iter().enumerate() {
            let (c, d) = (r as f32 * 0.5, (r + 1) as f32 * 0.5);
            cage.quad(
                [up[l], up[k], down[k], down[l]],
                [patch.at(a, c), patch.at(b, c), patch.at(b, d), patch.at(a, d)],
            );
        }
    }
    let sole = [-0.045f32, 0.0, 0.045].map(|u| at(-0.06, u, 0.0));
    lid(cage, &ground, sole, Patch([0.355, 0.61, 0.42, 0.70]));

    // Forefoot: from the hole in front of the ankle.
    let mut rings = vec![vec![
        ankle[0], ankle[1], ankle[2], ankle[3], ankle[4], middle[4], ground[4], ground[3], ground[2],
        ground[1], ground[0], middle[0],
    ]];
    for [top, bottom] in FOOT {
        let ring = ROUND.map(|[u, v]| {
            let t = bottom + (top - bottom) * 0.5 * (v + 1.0);
            let c = leg.foot.centre(t);
            body.cast(c, out * (u * 0.12) + Vec3::Y * (v * if v > 0.0 { 0.10 } else { 0.075 }))
        });
        let ring = cage.vertices(ring);
        rings.push(ring);
    }
    cage.tube(&rings, Patch([0.21, 0.71, 0.345, 0.90]));
    let tip = [-0.55f32, 0.0, 0.55].map(|u| body.cast(leg.foot.centre(0.60), forward + out * u * 0.9));
    lid(cage, &rings[FOOT.len()], tip, Patch([0.355, 0.71, 0.42, 0.80]));
}

/// Closes a ring of twelve (four edges, two, four, two) with three vertices between its long sides.
fn lid(cage: &mut QuadMesh, ring: &[usize], middle: [Vec3; 3], patch: Patch) {
    let [a, b, c] = middle.map(|p| cage.vertex(p));
    let rows = [
        ring[0..=4].to_vec(),
        vec![ring[11], a, b, c, ring[5]],
        vec![ring[10], ring[9], ring[8], ring[7], ring[6]],
    ];
    cage.grid(&rows, patch);
}
