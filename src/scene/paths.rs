//! Paths that things take through the world: a point per frame. What is drawn of them is not decided here.

use super::apply_animation::Driver;
use super::evaluate::solved;
use super::world::world_matrices;
use super::{Scene, skinned::SkinnedMesh};
use crate::anim::channel_set::ChannelSet;
use crate::rig::skeleton::Skeleton;
use crate::rig::{ik, kinematics};
use glam::{DAffine3, Mat4, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something whose path is wanted. `instance` names a skinned mesh instance; indices are of its skeleton.
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
    /// Where root bones start.
    Base {
        instance: String,
    },
}

/// World-space points of each subject at each of the frames: a path per subject, as long as `frames`. Points of
/// what is not there are `None`. Handles pull with `ik`, as they do in the evaluation of that frame.
pub fn paths(
    scene: &Scene,
    unkeyed: &ChannelSet,
    ik: Option<&ik::Options>,
    subjects: &[PathSubject],
    frames: impl IntoIterator<Item = f32>,
) -> Vec<Vec<Option<Vec3>>> {
    let mut driver = Driver::default();
    let mut paths = vec![Vec::new(); subjects.len()];
    for frame in frames {
        let points = points(&driver.driven(scene, frame, unkeyed), ik, subjects);
        paths
            .iter_mut()
            .zip(points)
            .for_each(|(path, point)| path.push(point));
    }
    paths
}

/// World-space points of subjects in a scene whose channels have been driven.
pub fn points(driven: &Scene, ik: Option<&ik::Options>, subjects: &[PathSubject]) -> Vec<Option<Vec3>> {
    points_by(driven, subjects, |mesh| match ik {
        Some(options) => solved(&mesh.skeleton, options).0,
        None => mesh.skeleton.clone(),
    })
}

/// The same, with the skeletons that `solve` makes of skinned meshes; each is asked for once.
pub fn points_by(
    driven: &Scene,
    subjects: &[PathSubject],
    mut solve: impl FnMut(&SkinnedMesh) -> Arc<Skeleton>,
) -> Vec<Option<Vec3>> {
    let world = world_matrices(driven);
    let mut posed = BTreeMap::<&str, Pose>::new();
    let mut point = |subject: &PathSubject| match subject {
        PathSubject::Transform(name) => world.get(name).map(|matrix| matrix.transform_point3(Vec3::ZERO)),
        PathSubject::Tip { instance, .. }
        | PathSubject::Handle { instance, .. }
        | PathSubject::Base { instance } => {
            let placed = driven.instances.skinned_meshes.get(instance)?;
            let name = placed.of.as_deref()?;
            let mesh = driven.skinned_meshes.get(name)?;
            let pose = posed.entry(name).or_insert_with(|| Pose::new(solve(mesh)));
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
        Self {
            current: kinematics::current_pose(&skeleton),
            skeleton,
        }
    }

    /// In skeleton space.
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
