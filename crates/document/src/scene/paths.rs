//! Paths of objects through the world: a point per frame. Drawing them is not this module's concern.

use super::Scene;
use super::apply_animation::Animator;
use super::solve::Posing;
use super::world::world_matrices;
use crate::anim::channel_set::ChannelSet;
use crate::rig::skeleton::Skeleton;
use crate::rig::{ik, kinematics};
use glam::{DAffine3, Mat4, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object whose path is requested. `instance` names a skinned mesh instance; indices refer to its
/// skeleton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathSubject {
    /// The origin of a transform.
    Transform(String),
    Tip {
        instance: String,
        bone: usize,
    },
    Handle {
        instance: String,
        handle: usize,
    },
    /// The point where root bones start.
    Base {
        instance: String,
    },
}

/// Returns the world-space points of each subject at each of the frames: a path per subject, as long as
/// `frames`. Points of missing objects are `None`. Handles pull with `ik`, as they do in the evaluation of
/// that frame.
pub fn paths(
    scene: &Scene,
    unkeyed: &ChannelSet,
    ik: Option<&ik::Options>,
    subjects: &[PathSubject],
    frames: impl IntoIterator<Item = f32>,
) -> Vec<Vec<Option<Vec3>>> {
    let mut animator = Animator::default();
    let mut paths = vec![Vec::new(); subjects.len()];
    for frame in frames {
        let points = points(&animator.animate(scene, frame, unkeyed), ik, subjects);
        paths.iter_mut().zip(points).for_each(|(path, point)| path.push(point));
    }
    paths
}

/// Returns the world-space points of subjects in a scene to which the channels have been applied.
pub fn points(driven: &Scene, ik: Option<&ik::Options>, subjects: &[PathSubject]) -> Vec<Option<Vec3>> {
    points_with(driven, subjects, |mesh| Some(Posing::with_ik(ik).solve(driven, mesh)?.0))
}

/// Returns the same as [`points`], with the skeletons that `solve` returns for the names of skinned meshes; it is
/// called once for each.
pub fn points_with(
    driven: &Scene,
    subjects: &[PathSubject],
    mut solve: impl FnMut(&str) -> Option<Arc<Skeleton>>,
) -> Vec<Option<Vec3>> {
    let world = world_matrices(driven);
    let mut posed = BTreeMap::<&str, Pose>::new();
    let mut point = |subject: &PathSubject| match subject {
        PathSubject::Transform(name) => world.get(name).map(|matrix| matrix.transform_point3(Vec3::ZERO)),
        PathSubject::Tip { instance, .. }
        | PathSubject::Handle { instance, .. }
        | PathSubject::Base { instance } => {
            let placed = driven.instances.skinned_meshes.get(instance)?;
            let name = placed.resource.as_deref()?;
            if !posed.contains_key(name) {
                posed.insert(name, Pose::new(solve(name)?));
            }
            let pose = posed.get(name)?;
            let transform = placed.transform.as_deref().and_then(|name| world.get(name));
            let matrix = transform.copied().unwrap_or(Mat4::IDENTITY);
            Some(matrix.transform_point3(pose.point(subject)?))
        }
    };
    subjects.iter().map(&mut point).collect()
}

struct Pose {
    skeleton: Arc<Skeleton>,
    current: Vec<DAffine3>,
}

impl Pose {
    fn new(skeleton: Arc<Skeleton>) -> Self {
        Self { current: kinematics::current_pose(&skeleton), skeleton }
    }

    /// Returns the point of a subject, in skeleton space.
    fn point(&self, subject: &PathSubject) -> Option<Vec3> {
        let skeleton = &self.skeleton;
        match subject {
            PathSubject::Transform(_) => None,
            PathSubject::Tip { bone, .. } => {
                let extent = skeleton.bones.get(*bone)?.extent.as_dvec3();
                Some(self.current.get(*bone)?.transform_point3(extent).as_vec3())
            }
            PathSubject::Handle { handle, .. } => Some(skeleton.handles.get(*handle)?.target),
            PathSubject::Base { .. } => Some(skeleton.base + skeleton.base_offset),
        }
    }
}
