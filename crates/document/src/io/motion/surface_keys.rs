//! The keys of a skeleton: as few as hold the surface. Errors of rotations add up along a chain and grow with what hangs on
//! it, so what is limited is how far the surface is off at every frame, not each angle.

use super::keys::{FileKeys, Samples};
use crate::anim::spline::Spline;
use crate::math::angles::is_same_rotation;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::{bind_pose, current_pose_into, parent_of};
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use glam::{DAffine3, DVec3, Vec3};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// How far the surface may be off at any frame, as a fraction of its size: keys within it are omitted.
pub const SURFACE_TOLERANCE: f64 = 1e-4;
/// The same in takes that tell when feet stand: from one frame of a contact to another, these are off by twice as much at most,
/// which is to be a ten-thousandth of the height.
pub const STANDING_TOLERANCE: f64 = 3e-5;
/// The part of the tolerance that each channel may use at first; what adds up to more gets further keys.
const SHARE: f64 = 0.5;
/// The maximum error of the angles of a bone that moves no surface, in degrees.
const MAX_ANGLE_DEG: f64 = 0.25;
/// The rounds of adding keys, each where the surface is off the most, before every frame that is off gets one.
const ROUNDS: usize = 12;

/// The poses of a bone at the samples.
#[derive(Clone, Default)]
pub struct BoneSamples {
    pub angles_deg: Vec<Vec3>,
    pub translations: Vec<Vec3>,
    pub scales: Vec<Vec3>,
}

/// The splines of a bone, where it changes; `None` where the value is that of the first sample.
#[derive(Default)]
pub struct BoneSplines {
    pub angles: Option<Spline<Vec3>>,
    pub translations: Option<Spline<Vec3>>,
    pub scales: Option<Spline<Vec3>>,
}

/// What is sampled.
pub struct Sampled<'a> {
    pub skeleton: &'a Skeleton,
    pub samples: &'a Samples,
    /// The samples of each bone; `None` for one that stays at rest, such as a link.
    pub bones: Vec<Option<&'a BoneSamples>>,
    /// The base offset at each sample.
    pub offsets: &'a [Vec3],
    /// The keys of the file, per bone, and last of the base offset's translations; may be shorter.
    pub file_keys: Vec<FileKeys>,
    /// The box around the surface that each bone moves, in the bind pose, if any.
    pub boxes: Vec<Option<[Vec3; 2]>>,
    /// How far the surface may be off, in skeleton units.
    pub tolerance: f64,
}

/// The splines of all bones, and of the base offset if it changes.
pub struct Keyed {
    pub bones: Vec<BoneSplines>,
    pub offsets: Option<Spline<Vec3>>,
}

/// Returns the box around the vertices that each of `count` bones moves, in the bind pose.
pub fn boxes(weights: &VertexWeights, surface: &HalfedgeMesh, count: usize) -> Vec<Option<[Vec3; 2]>> {
    let mut boxes: Vec<Option<[Vec3; 2]>> = vec![None; count];
    for (vertex, position) in surface.positions().iter().enumerate().take(weights.vertex_count()) {
        for (bone, weight) in weights.influences(vertex) {
            if weight > 0.0
                && let Some(bounds) = boxes.get_mut(usize::from(bone))
            {
                let [low, high] = bounds.unwrap_or([*position; 2]);
                *bounds = Some([low.min(*position), high.max(*position)]);
            }
        }
    }
    boxes
}

/// Returns the keys of a skeleton.
pub fn keyed(sampled: &Sampled) -> Keyed {
    let count = sampled.skeleton.bones.len();
    let heads: Vec<DVec3> = bind_pose(sampled.skeleton).iter().map(|bind| bind.translation).collect();
    let corners: Vec<Vec<DVec3>> = sampled.boxes.iter().map(corners).collect();
    let levers = levers(sampled.skeleton, &heads, &corners);
    let ends: BTreeSet<usize> = sampled.samples.ends.iter().copied().collect();
    let samples = 0..sampled.samples.frames.len();
    let whole: Vec<usize> = samples.filter(|sample| sampled.samples.is_whole(*sample)).collect();
    // The samples that have keys in any case, per bone and last for the base offset.
    let mut fixed = vec![ends; count + 1];
    let mut stale = vec![true; count + 1];
    let mut keyed = Keyed { bones: (0..count).map(|_| BoneSplines::default()).collect(), offsets: None };
    for round in 0..=ROUNDS {
        let renewed: Vec<Option<BoneSplines>> = (0..count)
            .into_par_iter()
            .map(|bone| stale[bone].then(|| sampled.splines(bone, levers[bone], &fixed[bone])))
            .collect();
        for (splines, renewed) in keyed.bones.iter_mut().zip(renewed) {
            if let Some(renewed) = renewed {
                *splines = renewed;
            }
        }
        if stale[count] {
            let keys = sampled.file_keys.get(count).and_then(|keys| keys.translations.as_deref());
            let tolerance = SHARE * sampled.tolerance;
            keyed.offsets = sampled.points(sampled.offsets, tolerance, &fixed[count], keys);
        }
        stale.fill(false);
        if sampled.samples.all_frames {
            break;
        }
        let errors = sampled.errors(&keyed, (&heads, &corners), &whole);
        for bone in 0..count {
            let off = |place: usize| errors[place][bone];
            let places = (0..errors.len()).filter(|&place| off(place) > sampled.tolerance);
            // A key at the worst frame mends its neighbours too.
            let is_worst = |&place: &usize| {
                let [before, after] = [place.saturating_sub(1), (place + 1).min(errors.len() - 1)].map(off);
                round == ROUNDS || (off(place) >= before && off(place) >= after)
            };
            for sample in places.filter(is_worst).map(|place| whole[place]) {
                let above = std::iter::successors(Some(bone), |bone| parent_of(sampled.skeleton, *bone));
                for index in above.chain([count]) {
                    stale[index] |= fixed[index].insert(sample);
                }
            }
        }
        if !stale.contains(&true) {
            break;
        }
    }
    keyed
}

/// Returns the corners of a box, if there is one.
pub fn corners(bounds: &Option<[Vec3; 2]>) -> Vec<DVec3> {
    let Some(bounds) = bounds else { return Vec::new() };
    let corner = |i: usize| {
        DVec3::new(bounds[i & 1].x.into(), bounds[i >> 1 & 1].y.into(), bounds[i >> 2 & 1].z.into())
    };
    (0..8).map(corner).collect()
}

/// Returns the greatest distance of each bone from the surface that it and the bones below it move.
fn levers(skeleton: &Skeleton, heads: &[DVec3], corners: &[Vec<DVec3>]) -> Vec<f64> {
    let mut levers = vec![0.0; heads.len()];
    for (bone, corners) in corners.iter().enumerate() {
        for above in std::iter::successors(Some(bone), |bone| parent_of(skeleton, *bone)) {
            let distances = corners.iter().map(|corner| corner.distance(heads[above]));
            levers[above] = distances.fold(levers[above], f64::max);
        }
    }
    levers
}

impl Sampled<'_> {
    fn splines(&self, bone: usize, lever: f64, fixed: &BTreeSet<usize>) -> BoneSplines {
        let Some(samples) = self.bones[bone] else {
            return BoneSplines::default();
        };
        let share = SHARE * self.tolerance;
        let part = if lever > 0.0 { share / lever } else { f64::INFINITY };
        let fixed_samples: Vec<usize> = fixed.iter().copied().collect();
        let radians = |angles: Vec3| angles.as_dvec3().map(f64::to_radians);
        let first = samples.angles_deg.first().copied().unwrap_or_default();
        let turns =
            samples.angles_deg.iter().any(|angles| !is_same_rotation(radians(first), radians(*angles)));
        let tolerance_deg = part.to_degrees().min(MAX_ANGLE_DEG);
        let keys = self.file_keys.get(bone);
        BoneSplines {
            angles: turns.then(|| {
                let keys = keys.and_then(|keys| keys.rotations.as_deref());
                self.samples.angles(&samples.angles_deg, tolerance_deg, &fixed_samples, keys)
            }),
            translations: {
                let keys = keys.and_then(|keys| keys.translations.as_deref());
                self.points(&samples.translations, share, fixed, keys)
            },
            scales: {
                let keys = keys.and_then(|keys| keys.scales.as_deref());
                self.points(&samples.scales, part.min(1e-3), fixed, keys)
            },
        }
    }

    /// Returns the spline through points; `None` if they are one.
    fn points(
        &self,
        points: &[Vec3],
        tolerance: f64,
        fixed: &BTreeSet<usize>,
        file_keys: Option<&[usize]>,
    ) -> Option<Spline<Vec3>> {
        let first = *points.first()?;
        let moves = points.iter().any(|point| f64::from(point.distance(first)) > 1e-2 * tolerance);
        let fixed: Vec<usize> = fixed.iter().copied().collect();
        moves.then(|| self.samples.points(points, tolerance, &fixed, file_keys))
    }

    /// Returns how far the surface of each bone is off at each of some samples.
    fn errors(
        &self,
        keyed: &Keyed,
        (heads, corners): (&[DVec3], &[Vec<DVec3>]),
        samples: &[usize],
    ) -> Vec<Vec<f64>> {
        let error = |buffers: &mut (Skeleton, [Vec<DAffine3>; 2]), &sample: &usize| {
            let (skeleton, [exact, found]) = buffers;
            self.pose(skeleton, sample, None);
            current_pose_into(skeleton, exact);
            self.pose(skeleton, sample, Some(keyed));
            current_pose_into(skeleton, found);
            let off = |(bone, corners): (usize, &Vec<DVec3>)| {
                let places = corners.iter().map(|corner| *corner - heads[bone]);
                let distances = places.map(|place| {
                    exact[bone].transform_point3(place).distance(found[bone].transform_point3(place))
                });
                distances.fold(0.0, f64::max)
            };
            corners.iter().enumerate().map(off).collect()
        };
        let buffers = || (self.skeleton.clone(), Default::default());
        samples.par_iter().map_init(buffers, error).collect()
    }

    /// Sets the pose at a sample: as it was sampled, or as keyed.
    fn pose(&self, skeleton: &mut Skeleton, sample: usize, keyed: Option<&Keyed>) {
        let frame = self.samples.frames[sample];
        let value = |values: &[Vec3], spline: Option<&Option<Spline<Vec3>>>, rest: Vec3| match spline {
            None => values.get(sample).copied().unwrap_or(rest),
            Some(Some(spline)) => spline.at(frame).unwrap_or(rest),
            Some(None) => values.first().copied().unwrap_or(rest),
        };
        let rest = Bone::default();
        for (index, bone) in skeleton.bones.iter_mut().enumerate() {
            let Some(samples) = self.bones[index] else { continue };
            let splines = keyed.map(|keyed| &keyed.bones[index]);
            bone.pose_deg = value(&samples.angles_deg, splines.map(|splines| &splines.angles), rest.pose_deg);
            bone.translation =
                value(&samples.translations, splines.map(|splines| &splines.translations), rest.translation);
            bone.scale = value(&samples.scales, splines.map(|splines| &splines.scales), rest.scale);
        }
        skeleton.base_offset = value(self.offsets, keyed.map(|keyed| &keyed.offsets), Vec3::ZERO);
    }
}
