//! What a body is made of, before anything is known about its kind: voxels, extremities and the limbs that lead to them.

use super::apart::{Apart, take_apart};
use super::extremities::{self, Extremity};
use super::limb::Limb;
use super::side_by_side;
use super::tuning::*;
use super::voxels::{FAR, Triangles, Voxels};
use crate::math::bounds::Bounds;
use glam::Vec3;
use rayon::prelude::*;

/// The body as voxels, and its limbs.
#[derive(Clone, Debug)]
pub struct Anatomy {
    pub voxels: Voxels,
    /// The distance of each voxel from the outside, in voxels.
    pub depths: Vec<f32>,
    pub limbs: Vec<Candidate>,
    /// The share of the body that is in one piece; the rest is ignored.
    pub share: f32,
    /// The boxes of the bodies that stand apart.
    pub bodies: Vec<Bounds>,
}

/// A limb that may be one of the template.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub limb: Limb,
    /// The limbs of a group are ways to the tips of one: ears and muzzle of a head.
    pub group: usize,
    /// The point farthest out.
    pub tip: Vec3,
}

impl Candidate {
    /// A limb of which nothing is known but a pinned joint.
    pub fn only_pin(point: Vec3, group: usize) -> Self {
        let limb = Limb { middles: vec![point], areas: vec![0.0], root: 0, contrast: 1.0 };
        Self { limb, group, tip: point }
    }

    /// Whether nothing is known but a pinned joint.
    pub fn is_only_pin(&self) -> bool {
        self.limb.middles.len() < 2
    }
}

impl Anatomy {
    /// Analyses a body; `None` if nothing is inside it.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], apart: Apart) -> Option<Self> {
        let body = Triangles::new(positions, triangles);
        let bounds = body.bounds();
        if bounds.is_empty() {
            return None;
        }
        let coarse = Voxels::new(&body, bounds, COARSE).filled().count().max(1);
        let finer = (MOST_VOXELS as f32 / coarse as f32).cbrt() * COARSE as f32;
        let mut voxels = Voxels::new(&body, bounds, RESOLUTION.min(finer as usize).max(COARSE));
        let depths = voxels.depths();
        let bodies = side_by_side::bodies(voxels.boxes());
        let share = take_apart(&mut voxels, &depths, apart);
        let (count, sum) =
            voxels.filled().fold((0, Vec3::ZERO), |(n, sum), i| (n + 1, sum + voxels.center(i)));
        let centroid = voxels.nearest(sum / count.max(1) as f32)?;
        let first = extremities::find(&voxels, &voxels.distances(&[centroid]), LEAST_EXTREMITY);
        let middle = middle(&voxels, &first).unwrap_or(centroid);
        let distances = voxels.distances(&[middle]);
        let mut found = extremities::find(&voxels, &distances, LEAST_EXTREMITY);
        found.truncate(MOST_EXTREMITIES);
        let branches = branches(&found, &distances);
        let candidate = |(extremity, (group, length)): (&Extremity, (usize, f32))| Candidate {
            limb: Limb::new(&voxels, extremity.tip, LEAST_LIMB * length * voxels.cell, middle),
            group,
            tip: voxels.center(extremity.tip),
        };
        let limbs = found.par_iter().zip(branches).map(candidate).collect();
        Some(Self { voxels, depths, limbs, share, bodies })
    }

    /// Whether a point is inside.
    pub fn contains(&self, point: Vec3) -> bool {
        self.voxels.at(point).is_some_and(|voxel| self.depths[voxel] > 0.0)
    }
}

/// Returns the voxel with the least sum of squared distances from the long extremities: in the trunk, even of a body whose
/// centre is in its large head.
fn middle(voxels: &Voxels, extremities: &[Extremity]) -> Option<usize> {
    let second = extremities.get(1)?.length;
    let long = extremities.iter().filter(|extremity| extremity.length >= LONG_EXTREMITY * second);
    let fields: Vec<Vec<u32>> = long
        .take(8)
        .collect::<Vec<_>>()
        .par_iter()
        .map(|extremity| voxels.distances(&[extremity.tip]))
        .collect();
    let sum = |&index: &usize| fields.iter().map(|field| u64::from(field[index]).pow(2)).sum::<u64>();
    voxels.filled().filter(|&index| fields[0][index] != FAR).min_by_key(sum)
}

/// Returns the group of each extremity and the length of the limb that leads to it, in voxels. A short extremity at the end
/// of a long one is another end of it.
fn branches(extremities: &[Extremity], distances: &[u32]) -> Vec<(usize, f32)> {
    let distance = |voxel: usize| distances[voxel] as f32 / super::voxels::STEP as f32;
    let mut branches: Vec<(usize, f32)> = Vec::new();
    for (index, extremity) in extremities.iter().enumerate() {
        let host = extremity.joins.filter(|&host| host < index).filter(|&host| {
            let main = &extremities[branches[host].0];
            let is_short = extremity.length < SHORT_BRANCH * main.length;
            is_short && distance(extremity.saddle) > distance(main.tip) - OUTER_PART * main.length
        });
        branches.push(match host {
            Some(host) => {
                let main = branches[host].0;
                (main, distance(extremity.tip) - distance(extremities[main].saddle))
            }
            None => (index, extremity.length),
        });
    }
    branches
}
