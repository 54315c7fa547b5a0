//! Handles placed where a limb is, so that nothing jumps when they are created, pinned, given a constraint or
//! enabled. This module only reads the visible pose; commands make the changes.

use crate::edit::command::Command;
use crate::edit::settings::view::{Tab, View};
use crate::rig::body::axes::BodyAxes;
use crate::rig::body::feet::{Foot, feet, feet_on_floor};
use crate::rig::body::joint::{is_in_middle, two_bones};
use crate::rig::body::limb::limb;
use crate::rig::body::middle::BothSides;
use crate::rig::body::roles::{self, Role};
use crate::rig::handle_space::{has_space, moved, skeleton_from_space, space_bone};
use crate::rig::ik::chain::chain;
use crate::rig::ik::pole::{bends_towards, limb_pole, pole_point};
use crate::rig::kinematics::{bind_pose, current_pose, rotation_part, tips};
use crate::rig::property::{HANDLE, Info, POSE, PropertyValue, SCALE, TRANSLATION};
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Skeleton};
use crate::scene::apply_animation::animate;
use crate::scene::solve::Posing;
use crate::scene::spaces::Space;
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// Returns the direction in which a bone looks, in the bind pose and skeleton space: the body's front for
/// heads and necks, along the bone for others.
pub fn look_axis(skeleton: &Skeleton, bone: usize) -> Vec3 {
    let this = &skeleton.bones[bone];
    match this.name.as_deref().and_then(roles::role) {
        Some(Role::Head | Role::Neck) => BodyAxes::new(skeleton).front.as_vec3(),
        None if is_top(skeleton, bone) => BodyAxes::new(skeleton).front.as_vec3(),
        _ => this.extent.normalize_or(Vec3::Y),
    }
}

/// Whether a body that stands on feet ends at the top with this bone, in the plane of symmetry: its head, whatever it is
/// called.
fn is_top(skeleton: &Skeleton, bone: usize) -> bool {
    let up = BodyAxes::new(skeleton).up;
    let height = |tip: &DVec3| tip.dot(up);
    let tips = tips(skeleton, &bind_pose(skeleton));
    let top = tips.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    height(&tips[bone]) == top && is_in_middle(skeleton, bone) && !feet(skeleton).is_empty()
}

/// A skeleton in its visible pose, and the matrices of its bones, in skeleton space.
#[derive(Clone, Debug)]
pub struct VisiblePose {
    mesh: String,
    /// The goals of its handles are in skeleton space.
    pub skeleton: Skeleton,
    skeleton_from_bone: Vec<DAffine3>,
    /// The matrices that map goals of each handle to skeleton space from where they are stored.
    skeleton_from_space: Vec<DAffine3>,
}

impl VisiblePose {
    /// Returns the visible pose of the skinned mesh called `mesh`: in the Rig tab the bind pose; otherwise
    /// the animated pose, solved for the handles if it has been evaluated. `None` if there is no such mesh.
    pub fn from_view(view: &View, mesh: &str) -> Option<Self> {
        let animated = &view.session.animated().skinned_meshes.get(mesh)?.skeleton;
        let mut skeleton = (**animated).clone();
        let posed = view.evaluated.skinned.get(mesh).map(|posed| &posed.skeleton);
        match (view.settings.tab, posed) {
            (Tab::Rig, _) => {
                skeleton.bones.iter_mut().for_each(Bone::reset_pose);
                skeleton.base_offset = Vec3::ZERO;
            }
            (Tab::Animate, Some(posed)) if posed.bones.len() == skeleton.bones.len() => {
                for (bone, posed) in skeleton.bones.iter_mut().zip(&posed.bones) {
                    bone.pose_deg = posed.pose_deg;
                    (bone.translation, bone.scale) = (posed.translation, posed.scale);
                }
                skeleton.base_offset = posed.base_offset;
            }
            _ => {}
        }
        let skeleton_from_bone = current_pose(&skeleton);
        let bind = bind_pose(&skeleton);
        let matrix = |handle: &Handle| match &handle.space_instance {
            Some(instance) => view.evaluated.skeleton_from_instance(mesh, instance, handle.space),
            None => skeleton_from_space(space_bone(&skeleton, handle), &bind, &skeleton_from_bone),
        };
        let skeleton_from_space: Vec<DAffine3> = skeleton.handles.iter().map(matrix).collect();
        for (handle, matrix) in skeleton.handles.iter_mut().zip(&skeleton_from_space) {
            if has_space(handle) {
                *handle = moved(handle.clone(), matrix);
            }
        }
        Some(Self { mesh: mesh.to_owned(), skeleton_from_bone, skeleton, skeleton_from_space })
    }

    /// Returns the pose of the skinned mesh called `mesh` that its keys give at another frame, solved for the handles. Values
    /// that have been changed without a key do not count. `None` if there is no such mesh.
    pub fn at_frame(view: &View, mesh: &str, frame: f32) -> Option<Self> {
        let driven = animate(view.session.scene(), frame);
        let options = view.ik();
        let posing = Posing::with_ik(options.as_ref());
        let pose = posing.pose(&driven, mesh)?;
        let handles = pose.skeleton.handles.iter();
        let matrix = |handle| posing.skeleton_from_space(&driven, mesh, &Space::from_handle(handle), &pose);
        let skeleton_from_space = handles.map(matrix).collect();
        Some(Self {
            mesh: mesh.to_owned(),
            skeleton: pose.skeleton,
            skeleton_from_bone: pose.current,
            skeleton_from_space,
        })
    }

    /// Returns the command that sets a property of a handle; goals are in skeleton space, and are stored in its space.
    fn set(&self, handle: usize, id: &'static str, value: impl Into<PropertyValue>) -> Command {
        let value = value.into();
        let stored = self.skeleton.handles.get(handle).and_then(|this| {
            let matrix = self.skeleton_from_space.get(handle).filter(|_| has_space(this))?;
            let row = HANDLE.iter().find(|row| row.info.id == id)?;
            let mut changed = this.clone();
            row.set(&mut changed, &value);
            row.get(&moved(changed, &matrix.inverse()))
        });
        Command::set_handle(self.mesh.clone(), handle, id, stored.unwrap_or(value))
    }

    /// Returns the target of a handle as it is stored, in the handle's space.
    pub fn stored_target(&self, handle: usize, target: Vec3) -> Vec3 {
        let this = self.skeleton.handles.get(handle).filter(|this| has_space(this));
        match this.zip(self.skeleton_from_space.get(handle)) {
            Some((this, matrix)) => moved(Handle { target, ..this.clone() }, &matrix.inverse()).target,
            None => target,
        }
    }

    /// Returns the tail of a bone.
    pub fn tip(&self, bone: usize) -> Option<Vec3> {
        let tips = tips(&self.skeleton, &self.skeleton_from_bone);
        tips.get(bone).map(|tip| tip.as_vec3())
    }

    /// Returns an orientation constraint for the current rotation of a handle's bone.
    pub fn orientation(&self, handle: &Handle, weight: f32) -> Option<Orientation> {
        let matrix = rotation_part(self.skeleton_from_bone.get(handle.bone as usize)?.matrix3);
        let rotation = DQuat::from_mat3(&matrix).normalize().as_quat();
        rotation.is_finite().then(|| Orientation::new(rotation, weight))
    }

    /// Returns a pole in front of the handle's joint: see [`pole_point`].
    pub fn pole(&self, handle: &Handle, weight: f32) -> Option<Pole> {
        let point = pole_point(&self.skeleton, handle)?;
        Some(Pole { point, weight })
    }

    /// Returns the commands that make a handle's bone look in its current direction: see [`look_axis`].
    pub fn look_at(&self, handle: usize) -> Vec<Command> {
        let this = self.skeleton.handles.get(handle);
        this.map_or(Vec::new(), |this| self.look_at_commands(handle, this))
    }

    fn look_at_commands(&self, handle: usize, this: &Handle) -> Vec<Command> {
        if self.skeleton.bones.get(this.bone as usize).is_none() {
            return Vec::new();
        }
        let axis = look_axis(&self.skeleton, this.bone as usize);
        let weight = this.look_at.map_or(1.0, |look_at| look_at.weight);
        let look_at = Some(LookAt { axis, weight });
        let set_look_at = self.set(handle, "look_at", look_at);
        [set_look_at].into_iter().chain(self.look_target(handle, this, axis)).collect()
    }

    /// Returns the command that moves a handle's target to the direction in which its bone looks with `axis`,
    /// at its current distance.
    fn look_target(&self, handle: usize, this: &Handle, axis: Vec3) -> Option<Command> {
        let bone = self.skeleton.bones.get(this.bone as usize)?;
        let matrix = self.skeleton_from_bone.get(this.bone as usize)?;
        let distance = this.target.as_dvec3().distance(matrix.translation);
        let distance = distance.max(4.0 * f64::from(bone.extent.length()));
        let target = (matrix.translation + (matrix.matrix3 * axis.as_dvec3()).normalize_or_zero() * distance)
            .as_vec3();
        target.is_finite().then(|| self.set(handle, "target", target))
    }

    /// Returns the commands that move all goals of a handle to the current pose of its limb, and enable it.
    pub fn enable_in_place(&self, handle: usize) -> Vec<Command> {
        let Some(this) = self.skeleton.handles.get(handle) else {
            return Vec::new();
        };
        let mesh = || self.mesh.clone();
        let mut commands = Vec::new();
        match this.look_at {
            Some(look_at) => commands.extend(self.look_target(handle, this, look_at.axis)),
            None => {
                commands.extend(self.tip(this.bone as usize).map(|target| self.set(handle, "target", target)))
            }
        }
        if let Some(orientation) = this.orientation.and_then(|old| self.orientation(this, old.weight)) {
            let orientation = Some(orientation);
            commands.push(self.set(handle, "orientation", orientation));
        }
        let pole = this.pole.filter(|pole| !bends_towards(&self.skeleton, this, pole.point));
        if let Some(pole) = pole.and_then(|old| self.pole(this, old.weight)) {
            let pole = Some(pole);
            commands.push(self.set(handle, "pole", pole));
        }
        if this.weight == 0.0 {
            commands.push(Command::set_handle(mesh(), handle, "weight", 1.0));
        }
        commands.push(Command::set_handle(mesh(), handle, "enabled", true));
        commands
    }

    /// Returns the commands that store how a handle has stretched its limb, and what hangs at the end of it.
    fn stretched<'b>(&'b self, handle: &Handle) -> impl Iterator<Item = Command> + 'b {
        let bones = &self.skeleton.bones;
        let ends = (0..bones.len()).filter({
            let end = Some(handle.bone);
            move |bone| bones[*bone].parent == end
        });
        let set =
            |bone: usize, row: &Info, value: Vec3| Command::set_bone(self.mesh.clone(), bone, row.id, value);
        chain(&self.skeleton, handle).chain(ends).filter(|bone| !bones[*bone].is_unmoved()).flat_map(
            move |bone| {
                let this = &bones[bone];
                [
                    set(bone, &POSE.info, this.pose_deg),
                    set(bone, &TRANSLATION.info, this.translation),
                    set(bone, &SCALE.info, this.scale),
                ]
            },
        )
    }

    /// Returns the commands that store the rotations that a handle causes in the pose of its bones, and
    /// disable it.
    pub fn release(&self, handle: usize) -> Vec<Command> {
        let Some(this) = self.skeleton.handles.get(handle) else {
            return Vec::new();
        };
        let mesh = || self.mesh.clone();
        let bones = chain(&self.skeleton, this).filter(|bone| !self.skeleton.bones[*bone].link);
        let mut commands: Vec<Command> = bones
            .map(|bone| Command::set_bone(mesh(), bone, "pose", self.skeleton.bones[bone].pose_deg))
            .collect();
        if this.stretch > 0.0 {
            commands.extend(self.stretched(this));
        }
        if self.skeleton.root_free {
            commands.push(Command::set_skeleton(mesh(), "base_offset", self.skeleton.base_offset));
        }
        commands.push(Command::set_handle(mesh(), handle, "enabled", false));
        commands
    }

    /// Returns the commands that add a handle to a bone; `index` is its future index. `holds`: whether it
    /// holds the tail in its current position.
    fn add(&self, bone: usize, index: usize, chain: Option<u32>, holds: bool) -> Vec<Command> {
        let mesh = || self.mesh.clone();
        let mut commands = vec![Command::AddHandle { mesh: mesh(), bone }];
        if let Some(chain) = chain.filter(|chain| *chain != limb(&self.skeleton, bone)) {
            commands.push(Command::set_handle(mesh(), index, "chain", Some(chain)));
        }
        if holds {
            commands
                .extend(self.tip(bone).map(|target| Command::set_handle(mesh(), index, "target", target)));
            commands.push(Command::set_handle(mesh(), index, "enabled", true));
        }
        commands
    }

    /// Returns the commands that add a handle which pulls the tail of a bone with its limb. See
    /// `VisiblePose::add`.
    pub fn add_handle(&self, bone: usize, index: usize, holds: bool) -> Vec<Command> {
        self.add(bone, index, None, holds)
    }

    /// Returns the commands that add a handle whose chain is the whole body.
    pub fn add_body(&self, bone: usize, index: usize) -> Vec<Command> {
        let mut commands = self.add(bone, index, None, true);
        commands.push(self.whole_chain(index));
        commands
    }

    /// Returns the command that makes the chain of a handle the whole body.
    pub fn whole_chain(&self, handle: usize) -> Command {
        let (mesh, chain) = (self.mesh.clone(), None::<u32>);
        Command::set_handle(mesh, handle, "chain", chain)
    }

    /// Returns the commands that add a handle which makes a bone look in its current direction.
    pub fn add_look_at(&self, bone: usize, index: usize, holds: bool) -> Vec<Command> {
        let template =
            Handle { bone: bone as u32, target: self.tip(bone).unwrap_or_default(), ..Handle::default() };
        let mut commands = self.add(bone, index, None, holds);
        commands.extend(self.look_at_commands(index, &template));
        commands
    }

    /// Returns the commands that add a handle to the lower one of the two long bones of the limb that `bone`
    /// belongs to, with a chain of these two bones and a pole in front of the joint. `None` for bones that
    /// are not part of such a limb.
    pub fn add_limb(&self, bone: usize, index: usize, holds: bool) -> Option<Vec<Command>> {
        let (lower, bones) = two_bones(&self.skeleton, bone)?;
        let template = Handle { bone: u32::try_from(lower).ok()?, chain: Some(bones), ..Handle::default() };
        let pole = Some(self.pole(&template, 1.0)?);
        let mut commands = self.add(lower, index, Some(bones), holds);
        commands.push(Command::set_handle(self.mesh.clone(), index, "pole", pole));
        Some(commands)
    }
}

/// Returns the feet on the floor without a bone in `pulled` (with symmetry on, nor one whose counterpart is), divided into
/// those with an active handle and those without.
pub fn standing_feet(view: &View, skeleton: &Skeleton, mut pulled: Vec<usize>) -> (Vec<Foot>, Vec<Foot>) {
    if view.session.symmetric() {
        let others = BothSides::new(skeleton).others;
        pulled.extend(pulled.clone().iter().filter_map(|&bone| others[bone]));
    }
    let mut feet = feet_on_floor(skeleton);
    feet.retain(|foot| foot.bones.iter().all(|bone| !pulled.contains(bone)));
    feet.into_iter().partition(|foot| has_handle(skeleton, foot))
}

/// Whether a handle pulls a bone of a foot.
pub(super) fn has_handle(skeleton: &Skeleton, foot: &Foot) -> bool {
    let mut handles = skeleton.handles.iter();
    handles.any(|handle| {
        let is_on = foot.bones.contains(&(handle.bone as usize));
        is_on && handle.look_at.is_none() && skeleton.pulls(handle)
    })
}

/// The way in which a handle pins its bone, in the order in which the P key cycles through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    Free,
    Position,
    PositionAndRotation,
}

impl Pin {
    pub fn from_handle(handle: &Handle) -> Self {
        match (handle.pinned, handle.orientation) {
            (false, _) => Self::Free,
            (true, None) => Self::Position,
            (true, Some(_)) => Self::PositionAndRotation,
        }
    }

    pub fn next(self) -> Self {
        match self {
            Self::Free => Self::Position,
            Self::Position => Self::PositionAndRotation,
            Self::PositionAndRotation => Self::Free,
        }
    }
}

impl VisiblePose {
    /// Returns the commands that pin a handle at the current position of its bone, with a pole if it is on a
    /// limb, or that unpin it. An unpinned handle keeps pulling from where it is.
    pub fn pin(&self, handle: usize, to: Pin) -> Vec<Command> {
        let Some(this) = self.skeleton.handles.get(handle) else {
            return Vec::new();
        };
        let mut commands = Vec::new();
        let orientation = match to {
            Pin::Free => None,
            // An existing orientation constraint stays.
            Pin::Position => this.orientation,
            Pin::PositionAndRotation => self.orientation(this, 1.0),
        };
        let pinned = to != Pin::Free;
        commands.push(Command::set_handle(self.mesh.clone(), handle, "pinned", pinned));
        if pinned && this.look_at.is_some() {
            commands.push(Command::set_handle(self.mesh.clone(), handle, "look_at", None::<LookAt>));
        }
        if orientation != this.orientation {
            commands.push(self.set(handle, "orientation", orientation));
        }
        if pinned {
            commands.extend(self.tip(this.bone as usize).map(|target| self.set(handle, "target", target)));
            let mesh = self.mesh.clone();
            commands.push(Command::set_handle(mesh, handle, "enabled", true));
            if this.pole.is_none() {
                commands.extend(self.limb_pole(this, handle));
            }
        }
        commands
    }

    /// Returns the command that adds a pole at the current direction of the elbow or knee, which a pin leaves
    /// free to point anywhere.
    fn limb_pole(&self, template: &Handle, handle: usize) -> Option<Command> {
        let pole = Some(limb_pole(&self.skeleton, template)?);
        Some(self.set(handle, "pole", pole))
    }

    /// Returns the commands that add a handle to a bone and pin it in place.
    pub fn pin_bone(&self, bone: usize, index: usize) -> Vec<Command> {
        let mut commands = self.add(bone, index, None, true);
        let pinned = true;
        commands.push(Command::set_handle(self.mesh.clone(), index, "pinned", pinned));
        let template =
            Handle { bone: bone as u32, chain: Some(limb(&self.skeleton, bone)), ..Handle::default() };
        commands.extend(self.limb_pole(&template, index));
        commands
    }

    /// Returns the commands that add a handle to a bone and pin it in place, with its current rotation and
    /// with the whole body as its chain.
    pub fn pin_flat(&self, bone: usize, index: usize) -> Vec<Command> {
        let mut commands = self.pin_bone(bone, index);
        commands.push(self.whole_chain(index));
        commands.push(self.keep_orientation(bone, index));
        commands
    }

    /// Returns a handle that holds a bone in place, with its orientation, as [`Self::pin_flat`] adds it.
    pub fn holding(&self, bone: usize) -> Option<Handle> {
        let bone_and_chain =
            Handle { bone: bone as u32, chain: Some(limb(&self.skeleton, bone)), ..Handle::default() };
        Some(Handle {
            target: self.tip(bone)?,
            enabled: true,
            pinned: true,
            chain: None,
            orientation: self.orientation(&bone_and_chain, 1.0),
            pole: limb_pole(&self.skeleton, &bone_and_chain),
            ..bone_and_chain
        })
    }

    /// Returns the command that makes the handle of a bone keep its current orientation.
    pub fn keep_orientation(&self, bone: usize, handle: usize) -> Command {
        let template = Handle { bone: bone as u32, ..Handle::default() };
        let orientation = self.orientation(&template, 1.0);
        self.set(handle, "orientation", orientation)
    }
}
