//! Heat diffusion: each bone warms the part of the surface that lies next to it and in its sight, the heat
//! spreads over the surface, and the weights are the temperatures at rest. Weights follow the surface, not
//! the space: what is near but on another limb gets nothing.
//!
//! I. Baran and J. Popović, "Automatic rigging and animation of 3D characters", ACM Transactions on Graphics
//! 26(3), 2007, section 4; the way of Blender's automatic weights. Per bone b, with the stiffness matrix L
//! of the surface (cotangents), the areas M of its vertices, and H = k/d² for a vertex that sees the k
//! nearest bones at distance d (0 for one that does not): (L + M H) w_b = M H p_b, where p_b is 1/k for
//! these bones and 0 for the others. One factorisation, one solve per bone. The matrix has no positive entry off its
//! diagonal, so weights lie between 0 and 1, and they sum to 1 because the p_b do.
//!
//! The heat of a left limb ends where the right side begins, and that of a right one likewise ([`sides`]). Then
//! parts below 0.1 fade to nothing at 0.025, and a vertex keeps its largest bones if that is asked for
//! ([`largest`]).
//!
//! What differs. Baran and Popović do not fade, and keep all bones of a vertex; Blender fades from 0.05, keeps
//! all, and gives no weights where the solution fails. Neither parts the sides: there a thigh pulls at the other
//! one, since heat goes through the crotch.
//!
//! Nothing depends on the size of the mesh. It knows no radii.

mod diffusion;
mod laplacian;
pub(in crate::rig::weights) mod largest;
mod pairs;
mod sides;
mod sources;

use super::method::{Calculated, Descriptor, Method, MethodError, Param};
use super::progress::Progress;
use super::segments::{Segment, push_normalized};
use super::vertex_weights::VertexWeights;
use crate::math::bounds::Bounds;
use crate::math::ray::Ray;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use diffusion::Diffusion;
use glam::{DVec3, Vec3};
use laplacian::Stiffness;
use rayon::prelude::*;
use sides::Sides;
use sources::Source;

/// A ray that ends this near a vertex, in diagonals of the mesh, has reached it.
const REACHED: f32 = 5e-4;
/// Part of the work, for the progress: looking for bones.
const LOOKED: f32 = 0.2;

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    id: "heat",
    label: "Heat diffusion",
    about: "Heat spreads over the surface from the bones it can see. Radii do not matter; close limbs stay apart.",
    params: &[Param {
        id: "largest",
        label: "Bones per vertex",
        about: "The largest weights are kept; 0 keeps all.",
        min: 0.0,
        max: 255.0,
        default: 4.0,
        whole: true,
        unwritten: Some(0.0),
        text: |value| match value as usize {
            0 => "all bones per vertex".into(),
            1 => "1 bone per vertex".into(),
            most => format!("{most} bones per vertex"),
        },
    }],
    depends_on_radius: false,
    has_findings: true,
    // It also factorises and solves.
    cost: 50,
    needs: |_| Ok(()),
    calculate: |values, skeleton, surface, progress| {
        let largest = Some(values[0] as usize).filter(|&largest| largest > 0);
        heat_weights(skeleton, surface, largest, progress)
    },
};

impl Method {
    /// For meshes that are imported or made here.
    pub const FOR_NEW_MESHES: Self = Self::heat(Some(4));

    /// `largest`: how many bones a vertex keeps at most, at least 1; `None`: all.
    pub const fn heat(largest: Option<u8>) -> Self {
        let largest = match largest {
            Some(largest) => largest,
            None => 0,
        };
        Self::new(&DESCRIPTOR, [largest as f32, 0.0])
    }
}

/// Weights of all vertices of `surface`, in skeleton space. A vertex's bones ascend. Vertices at one place
/// count as one, so that seams do not stop the heat. Pieces of the surface of which no vertex sees a bone
/// take their nearest bones, with a finding. Without bones nothing has weights.
///
/// `largest`: how many bones a vertex keeps at most; `None`: all. What the first bone beyond has is taken from all:
/// continuous, unlike cutting off the rest, but where all are equal.
///
/// # Errors
/// [`MethodError::Cancelled`]; [`MethodError::Singular`] where numbers are too far apart to calculate with
/// (no mesh is known that does that).
pub fn heat_weights(
    skeleton: &Skeleton,
    surface: &HalfedgeMesh,
    largest: Option<usize>,
    progress: &Progress<'_>,
) -> Result<Calculated, MethodError> {
    let bones = Segment::all(skeleton);
    if bones.iter().all(|bone| bone.link) || surface.vertex_count() == 0 {
        return Ok(VertexWeights::none(surface.vertex_count()).into());
    }
    let (positions, bones) = unit_size(surface.positions(), bones);
    let tree = Bvh::new(&positions, &surface.triangles());
    let visible = |from: Vec3, to: Vec3| {
        let way = to - from;
        let hit = tree.first(&positions, &Ray::new(from, way));
        hit.is_none_or(|hit| (1.0 - hit.t) * way.length() < REACHED)
    };
    let stiffness = Stiffness::new(surface, &positions);
    let look = |part: f32| progress(part * LOOKED);
    let sources = sources::find(&stiffness.points, &bones, visible, &look).ok_or(MethodError::Cancelled)?;
    let (sources, findings) = with_blind_shells(&stiffness, sources, &bones);
    let sides = Sides::new(skeleton, &bones);
    let diffusion = Diffusion {
        stiffness: &stiffness,
        sources: &sources,
        bones: bones.len(),
    };
    let rows = sides.parted(&diffusion, &|part| progress(LOOKED + part * (1.0 - LOOKED)))?;
    let mut weights = VertexWeights::none(0);
    let parents: Vec<_> = (0..bones.len()).map(|bone| parent_of(skeleton, bone)).collect();
    let done: Vec<_> = rows
        .into_par_iter()
        .map(|row| largest::largest(largest::faded(row), largest, &parents))
        .collect();
    for &point in &stiffness.point_of_vertex {
        push_normalized(&mut weights, &done[point as usize]);
    }
    Ok(Calculated { weights, findings })
}

/// Everything moved and scaled so that the mesh's box is around the origin and has a diagonal of 1.
fn unit_size(positions: &[Vec3], bones: Vec<Segment>) -> (Vec<Vec3>, Vec<Segment>) {
    let bounds = Bounds::of_points(positions.iter().copied());
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let size = low.distance(high);
    let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
    let placed = |p: DVec3| (p - 0.5 * (low + high)) * scale;
    let segment = |s: Segment| Segment {
        start: placed(s.start),
        tip: placed(s.tip),
        link: s.link,
    };
    let positions = positions.iter().map(|p| placed(p.as_dvec3()).as_vec3()).collect();
    (positions, bones.into_iter().map(segment).collect())
}

/// Lets the vertices of pieces that see no bone see their nearest ones, as if nothing were in between.
fn with_blind_shells(
    stiffness: &Stiffness,
    mut sources: Vec<Source>,
    bones: &[Segment],
) -> (Vec<Source>, Vec<String>) {
    let mut sees = vec![false; stiffness.shells];
    for (source, &shell) in sources.iter().zip(&stiffness.shell_of_point) {
        sees[shell as usize] |= !source.bones.is_empty();
    }
    let is_blind = |point: usize| !sees[stiffness.shell_of_point[point] as usize];
    for point in (0..sources.len()).filter(|&point| is_blind(point)) {
        sources[point] = Source::nearest(stiffness.points[point].as_dvec3(), bones);
    }
    let points = stiffness.point_of_vertex.iter();
    let vertices = points.filter(|&&point| is_blind(point as usize)).count();
    let findings = match sees.iter().filter(|sees| !**sees).count() {
        0 => Vec::new(),
        1 => vec![format!(
            "One separate piece of the surface ({vertices} vertices) sees no bone: it follows its nearest bones."
        )],
        count => vec![format!(
            "{count} separate pieces of the surface ({vertices} vertices) see no bone: they follow their nearest bones."
        )],
    };
    (sources, findings)
}
