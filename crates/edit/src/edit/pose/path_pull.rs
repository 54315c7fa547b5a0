//! Moving a point of a motion path: at the frame of the point, the tail, the handle or the base is elsewhere, by keys at
//! that frame. The current frame plays no part. What the keys give counts, not values that were changed without a key.

use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::{KeyShape, Mode};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::pose::limbs::VisiblePose;
use crate::edit::pose::pull::StartPose;
use crate::edit::session::first_keys::neighbour_frames;
use crate::edit::settings::view::View;
use crate::rig::property::{BASE_OFFSET, POSE, TARGET};
use crate::rig::skeleton::Skeleton;
use crate::scene::apply_animation::Animator;
use crate::scene::layers::writable_channel;
use crate::scene::paths::PathSubject;
use crate::scene::world::world_matrices;
use crate::scene::{Scene, channels};
use glam::{Mat3, Mat4, Vec3};

/// A point of a path that is moved. Every movement is solved from the pose at the press.
#[derive(Clone, Debug)]
pub struct PathPull {
    mesh: String,
    frame: f32,
    point: Point,
    skeleton_from_world: Mat3,
    /// At the press.
    scene: Scene,
    /// The nearest keyed frames around, whose poses stay.
    neighbours: Vec<f32>,
}

#[derive(Clone, Debug)]
enum Point {
    Tail {
        bone: usize,
        start: Box<StartPose>,
    },
    Target {
        handle: usize,
        pose: Box<VisiblePose>,
    },
    /// The base offset at the press.
    Base(Vec3),
}

impl PathPull {
    /// Begins to move the point of a path at a frame. Of a tail that a handle pulls, that is the handle's target; otherwise
    /// its limb follows, or with `whole_body` the body: see [`crate::edit::pose::pull::Pull`]. `None` if there is no such
    /// point, and for transforms.
    pub fn new(view: &View, subject: &PathSubject, frame: f32, whole_body: bool) -> Option<Self> {
        let (PathSubject::Tip { instance, .. }
        | PathSubject::Handle { instance, .. }
        | PathSubject::Base { instance }) = subject
        else {
            return None;
        };
        let scene = view.session.scene().clone();
        let placed = scene.instances.skinned_meshes.get(instance)?;
        let (mesh, transform) = (placed.resource.clone()?, placed.transform.clone());
        let pose = VisiblePose::at_frame(view, &mesh, frame)?;
        let point = match subject {
            PathSubject::Transform(_) => return None,
            PathSubject::Tip { bone, .. } => match pulling_handle(&pose.skeleton, *bone) {
                Some(handle) => Point::Target { handle, pose: Box::new(pose) },
                None => {
                    pose.skeleton.bones.get(*bone)?;
                    let start = Box::new(StartPose::at_key(view, &pose, *bone, whole_body));
                    Point::Tail { bone: *bone, start }
                }
            },
            PathSubject::Handle { handle, .. } => {
                pose.skeleton.handles.get(*handle)?;
                Point::Target { handle: *handle, pose: Box::new(pose) }
            }
            PathSubject::Base { .. } => Point::Base(pose.skeleton.base_offset),
        };
        let driven = Animator::default().animate(&scene, frame, view.session.unkeyed());
        let world = world_matrices(&driven);
        let matrix = transform.and_then(|name| world.get(name.as_str()).copied()).unwrap_or(Mat4::IDENTITY);
        let skeleton_from_world = Mat3::from_mat4(matrix).inverse();
        skeleton_from_world.is_finite().then(|| Self {
            neighbours: neighbour_frames(&scene, &mesh, frame),
            mesh,
            frame,
            point,
            skeleton_from_world,
            scene,
        })
    }

    /// Returns the command for a movement in world space since the press: keys at the frame, first that of what is dragged.
    pub fn command(&self, moved: Vec3) -> Option<Command> {
        let values = self.values(self.skeleton_from_world * moved);
        let keys = values.into_iter().filter_map(|(channel, value)| {
            let channel = ChannelRef::new(&self.mesh, channel);
            value.is_finite().then(|| self.keys(channel, Value::Vec3(value)))?
        });
        let (purpose, knots) = (Purpose::Path, keys.collect::<Vec<_>>());
        (!knots.is_empty()).then_some(Command::Keys(KeyCommand::Put { purpose, knots }))
    }

    /// Returns the new values after a movement in skeleton space.
    fn values(&self, moved: Vec3) -> Vec<(SkeletonChannel, Vec3)> {
        match &self.point {
            Point::Tail { bone: pulled, start } => {
                let (before, solved) = (&start.skeleton, start.solve(moved));
                let pose = |bone: usize| {
                    let bone = &solved.bones[bone];
                    (SkeletonChannel::Bone(bone.channel_id, POSE), bone.pose_deg)
                };
                let is_turned = |bone: &usize| solved.bones[*bone].pose_deg != before.bones[*bone].pose_deg;
                let others = (0..solved.bones.len()).filter(|bone| bone != pulled && is_turned(bone));
                let mut values: Vec<_> = [*pulled].into_iter().chain(others).map(pose).collect();
                if solved.base_offset != before.base_offset {
                    values.push((SkeletonChannel::Base(BASE_OFFSET), solved.base_offset));
                }
                values
            }
            Point::Target { handle, pose } => {
                let this = &pose.skeleton.handles[*handle];
                let target = pose.stored_target(*handle, this.target + moved);
                vec![(SkeletonChannel::Handle(this.channel_id, TARGET), target)]
            }
            Point::Base(start) => vec![(SkeletonChannel::Base(BASE_OFFSET), *start + moved)],
        }
    }

    /// Returns the key of a channel at the frame. A channel without keys also gets its old value at the frames around; an
    /// active layer fades.
    fn keys(&self, channel: ChannelRef, value: Value) -> Option<KeyframeValues> {
        let animation = &self.scene.animation;
        let target = writable_channel(animation, &channel);
        if animation.mute(&target.resource, &target.channel).is_whole() {
            return None;
        }
        let mut knots = vec![(self.frame, value)];
        let modes: Vec<KeyShape> = match animation.get(&target).filter(|keys| keys.key_count() > 0) {
            Some(keys) if keys.key(self.frame).is_some() => Vec::new(),
            Some(keys) => {
                let before = keys.key_before(self.frame).and_then(|frame| keys.key_shape(frame));
                let holds = before.is_some_and(|shape| shape.mode == Mode::Hold);
                vec![if holds { Mode::Hold } else { Mode::Clamped }.into()]
            }
            None if target != channel => vec![Mode::Clamped.into()],
            None => {
                let old = channels::value(&self.scene, &channel)?;
                knots.extend(self.neighbours.iter().map(|frame| (*frame, old)));
                vec![Mode::Clamped.into(); knots.len()]
            }
        };
        Some(KeyframeValues { channel, knots, modes })
    }
}

/// Returns the handle that pulls the tail of a bone.
fn pulling_handle(skeleton: &Skeleton, bone: usize) -> Option<usize> {
    skeleton
        .handles
        .iter()
        .position(|handle| handle.bone as usize == bone && handle.look_at.is_none() && skeleton.pulls(handle))
}
