//! Measures capsule weights against the textbook, and heat weights against capsule weights.

#![allow(clippy::needless_range_loop, clippy::manual_clamp, reason = "the baseline follows the textbook")]

use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, subject, with_threads};
use crate::random::Random;
use glam::Vec3;
use ossature::math::simd::Path;
use ossature::rig::kinematics::bind_pose;
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;
use ossature::rig::weights::method::Method;

const BONES: usize = 64;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let (skeleton, positions) = limbs(scale.vertices);
    let mut lines = Vec::new();
    with_threads(1, || lines.extend(one_core(scale, &skeleton, &positions)));
    lines.extend(heat(scale));
    lines
}

/// Measures heat weights of a tube with twenty bones on all cores.
fn heat(scale: &Scale) -> Option<Line> {
    let tube = subject::tube(scale.vertices as u32)?;
    let calculate = |method: Method| method.calculate(&tube.skeleton, &tube.surface, &|_| true);
    let (mut heat, mut capsule) = (None, None);
    let times = in_turns(
        1,
        &mut [&mut || heat = calculate(Method::heat(Some(4))).ok(), &mut || {
            capsule = calculate(Method::CAPSULE).ok()
        }],
    );
    let bones = tube.skeleton.bones.len();
    let vertices = tube.surface.vertex_count();
    (heat.is_some() && capsule.is_some()).then(|| {
        Line::new(
            format!("heat weights, {vertices} vertices x {bones} bones, all cores, against capsule weights"),
            times.ratio(0, 1),
            "times as long",
        )
        .note(format!("{} against {}", seconds(times.get(0)), seconds(times.get(1))))
    })
}

/// Returns limbs of chained bones, and points around them in the order of the bones, as in a model.
fn limbs(vertices: usize) -> (Skeleton, Vec<Vec3>) {
    let mut random = Random::new(7);
    let bones = (0..BONES as u32).map(|i| Bone {
        extent: (random.direction() * 0.4 + Vec3::Y * [0.6, -0.6][i as usize / 16 % 2]) * 0.8,
        radius: 0.5,
        parent: (i % 16 != 0).then(|| i - 1),
        channel_id: i,
        ..Bone::default()
    });
    let skeleton = Skeleton { bones: bones.collect(), ..Skeleton::default() };
    let bind = bind_pose(&skeleton);
    let positions = (0..vertices).map(|v| {
        let slot = v * BONES * 8 / vertices;
        let bone = slot / 8;
        let along = (slot % 8) as f32 / 8.0 + 0.06 * random.unit();
        let start = bind[bone].translation.as_vec3();
        start + skeleton.bones[bone].extent * along + random.direction() * 0.3
    });
    let positions = positions.collect();
    (skeleton, positions)
}

/// A bone of the textbook.
struct Capsule {
    start: [f32; 3],
    tip: [f32; 3],
    radius: f32,
}

/// Tests every vertex against every bone.
#[inline(never)]
fn textbook(capsules: &[Capsule], positions: &[[f32; 3]]) -> VertexWeights {
    let mut weights = VertexWeights::default();
    for p in positions {
        let first = weights.weights.len();
        let mut sum = 0.0;
        for (bone, capsule) in capsules.iter().enumerate() {
            let weight = influence(capsule, p);
            if weight > 0.0 {
                weights.bones.push(bone as u16);
                weights.weights.push(weight);
                sum += weight;
            }
        }
        for weight in &mut weights.weights[first..] {
            *weight /= sum;
        }
        weights.ends.push(weights.weights.len() as u32);
    }
    weights
}

fn influence(capsule: &Capsule, p: &[f32; 3]) -> f32 {
    let (mut along, mut squared) = (0.0, 0.0);
    for i in 0..3 {
        let axis = capsule.tip[i] - capsule.start[i];
        along += (p[i] - capsule.start[i]) * axis;
        squared += axis * axis;
    }
    let t = if squared > 0.0 { along / squared } else { 0.0 };
    let t = if t < 0.0 {
        0.0
    } else if t > 1.0 {
        1.0
    } else {
        t
    };
    let mut distance = 0.0;
    for i in 0..3 {
        let nearest = capsule.start[i] + t * (capsule.tip[i] - capsule.start[i]);
        distance += (p[i] - nearest) * (p[i] - nearest);
    }
    let distance = distance.sqrt();
    if distance < capsule.radius { (capsule.radius - distance) / capsule.radius } else { 0.0 }
}

fn one_core(scale: &Scale, skeleton: &Skeleton, positions: &[Vec3]) -> Vec<Line> {
    let bind = bind_pose(skeleton);
    let capsules: Vec<Capsule> = skeleton
        .bones
        .iter()
        .zip(&bind)
        .map(|(bone, from_bone)| {
            let start = from_bone.translation.as_vec3();
            Capsule { start: start.to_array(), tip: (start + bone.extent).to_array(), radius: bone.radius }
        })
        .collect();
    let plain: Vec<[f32; 3]> = positions.iter().map(|p| p.to_array()).collect();
    let (mut expected, mut ours) = (VertexWeights::default(), VertexWeights::default());
    let times = in_turns(
        scale.rounds.min(15),
        &mut [&mut || expected = textbook(&capsules, &plain), &mut || {
            ours = capsule_weights(skeleton, positions)
        }],
    );
    let vertices = positions.len() as f64;
    let (mut different_rows, mut largest) = (0, 0.0f32);
    for v in 0..positions.len() {
        let (a, b) = (expected.row(v), ours.row(v));
        if a.0 == b.0 {
            largest = a.1.iter().zip(b.1).fold(largest, |largest, (a, b)| largest.max((a - b).abs()));
        } else {
            different_rows += 1;
        }
    }
    let label = format!("capsule weights, {} x {BONES} bones, one core", scale.size());
    let per_vertex = |index: usize| seconds(times.get(index) / vertices);
    vec![
        Line::new(format!("{label}, against the textbook"), times.ratio(0, 1), "times as fast")
            .at_least(5.0, 8.9)
            .note(format!(
                "{}; {} against {} a vertex; {:.2} bones a vertex",
                Path::best().name(),
                per_vertex(1),
                per_vertex(0),
                ours.bones.len() as f64 / vertices
            )),
        // At the radius, the textbook's rounding decides.
        Line::new(
            format!("{label}: vertices with other bones than the textbook's"),
            f64::from(different_rows),
            "",
        )
        .note(format!("largest difference of weights {largest:.1e}")),
    ]
}
