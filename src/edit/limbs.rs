//! Handles that are put where a limb is: so that nothing jumps when they are made, pinned, given a task or switched on.
//! Everything here is read from what is seen; commands do the rest.

use super::command::{Command, Posing};
use super::view::{Tab, View};
use crate::rig::ik::chain::{chain, limb};
use crate::rig::ik::pole::{is_toward, of_limb, pole_point, two_bones};
use crate::rig::kinematics::{current_pose, parent_of, tips};
use crate::rig::limits::humanoid::{self, Role};
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Skeleton};
use glam::{DAffine3, DQuat, Vec3};

/// What of a bone looks: of heads and necks the body's front, others look along themselves. A direction in the bind pose,
/// skeleton space.
pub fn look_axis(bone: &Bone) -> Vec3 {
    match bone.name.as_deref().and_then(humanoid::role) {
        Some(Role::Head | Role::Neck) => Vec3::Z,
        _ => bone.extent.normalize_or(Vec3::Y),
    }
}

/// The bone that is pinned where this one is clicked: of the joints of a foot, its ankle (the tail of the shin) and its
/// toes, the foot, which is to stay flat.
pub fn pinned_bone(skeleton: &Skeleton, bone: usize) -> usize {
    let role = |bone: usize| skeleton.bones[bone].name.as_deref().and_then(humanoid::role);
    let is_foot = |bone: &usize| role(*bone) == Some(Role::Foot);
    let found = match role(bone) {
        Some(Role::Toes) => parent_of(skeleton, bone).filter(is_foot),
        Some(Role::Shin) => {
            let mut next = (bone + 1..skeleton.bones.len()).filter(|b| parent_of(skeleton, *b) == Some(bone));
            next.find(is_foot)
        }
        _ => None,
    };
    found.unwrap_or(bone)
}

/// A skeleton as it is seen, and where its bones are; skeleton space.
#[derive(Clone, Debug)]
pub struct SeenPose {
    mesh: String,
    pub skeleton: Skeleton,
    skeleton_from_bone: Vec<DAffine3>,
}

impl SeenPose {
    /// The pose of the skinned mesh called `mesh`: in the bind pose in the Rig tab; else driven, and pulled by handles
    /// where that has been worked out. `None` where there is no such mesh.
    pub fn from_view(view: &View, mesh: &str) -> Option<Self> {
        let now = &view.session.animated().skinned_meshes.get(mesh)?.skeleton;
        let mut skeleton = (**now).clone();
        let posed = view.evaluated.skinned.get(mesh).map(|posed| &posed.skeleton);
        match (view.settings.tab, posed) {
            (Tab::Rig, _) => {
                skeleton
                    .bones
                    .iter_mut()
                    .for_each(|bone| bone.pose_deg = Vec3::ZERO);
                skeleton.base_offset = Vec3::ZERO;
            }
            (Tab::Animate, Some(posed)) if posed.bones.len() == skeleton.bones.len() => {
                for (bone, seen) in skeleton.bones.iter_mut().zip(&posed.bones) {
                    bone.pose_deg = seen.pose_deg;
                }
                skeleton.base_offset = posed.base_offset;
            }
            _ => {}
        }
        Some(Self {
            mesh: mesh.to_owned(),
            skeleton_from_bone: current_pose(&skeleton),
            skeleton,
        })
    }

    fn posing(&self, value: Posing) -> Command {
        let mesh = self.mesh.clone();
        Command::SetPosing { mesh, value }
    }

    /// Where the tip of a bone is.
    pub fn tip(&self, bone: usize) -> Option<Vec3> {
        let tips = tips(&self.skeleton, &self.skeleton_from_bone);
        tips.get(bone).map(|tip| tip.as_vec3())
    }

    /// How the bone of a handle is turned, to be kept so.
    pub fn orientation(&self, handle: &Handle, weight: f32) -> Option<Orientation> {
        let matrix = self.skeleton_from_bone.get(handle.bone as usize)?.matrix3;
        let rotation = DQuat::from_mat3(&matrix).normalize().as_quat();
        rotation.is_finite().then(|| Orientation::new(rotation, weight))
    }

    /// See [`pole_point`].
    pub fn pole(&self, handle: &Handle, weight: f32) -> Option<Pole> {
        let point = pole_point(&self.skeleton, handle)?;
        Some(Pole { point, weight })
    }

    /// Commands that make the handle's bone look where it looks now: see [`look_axis`].
    pub fn look_at(&self, handle: usize) -> Vec<Command> {
        let this = self.skeleton.handles.get(handle);
        this.map_or(Vec::new(), |this| self.look_at_commands(handle, this))
    }

    fn look_at_commands(&self, handle: usize, this: &Handle) -> Vec<Command> {
        let Some(bone) = self.skeleton.bones.get(this.bone as usize) else {
            return Vec::new();
        };
        let axis = look_axis(bone);
        let weight = this.look_at.map_or(1.0, |look| look.weight);
        let look_at = Some(LookAt { axis, weight });
        let looks = self.posing(Posing::LookAt { handle, look_at });
        [looks]
            .into_iter()
            .chain(self.look_target(handle, this, axis))
            .collect()
    }

    /// Puts the target of a handle where its bone looks with `axis`, as far away as it is.
    fn look_target(&self, handle: usize, this: &Handle, axis: Vec3) -> Option<Command> {
        let bone = self.skeleton.bones.get(this.bone as usize)?;
        let at = self.skeleton_from_bone.get(this.bone as usize)?;
        let far = this.target.as_dvec3().distance(at.translation);
        let far = far.max(4.0 * f64::from(bone.extent.length()));
        let target = (at.translation + (at.matrix3 * axis.as_dvec3()).normalize_or_zero() * far).as_vec3();
        let mesh = self.mesh.clone();
        target
            .is_finite()
            .then_some(Command::SetHandleTarget { mesh, handle, target })
    }

    /// Puts everything that a handle asks for where its limb is, and switches it on.
    pub fn hold(&self, handle: usize) -> Vec<Command> {
        let Some(this) = self.skeleton.handles.get(handle) else {
            return Vec::new();
        };
        let mesh = || self.mesh.clone();
        let mut commands = Vec::new();
        match this.look_at {
            Some(look) => commands.extend(self.look_target(handle, this, look.axis)),
            None => commands.extend(
                self.tip(this.bone as usize)
                    .map(|target| Command::SetHandleTarget {
                        mesh: mesh(),
                        handle,
                        target,
                    }),
            ),
        }
        if let Some(orientation) = this
            .orientation
            .and_then(|was| self.orientation(this, was.weight))
        {
            let orientation = Some(orientation);
            commands.push(self.posing(Posing::Orientation { handle, orientation }));
        }
        let pole = this
            .pole
            .filter(|pole| !is_toward(&self.skeleton, this, pole.point));
        if let Some(pole) = pole.and_then(|was| self.pole(this, was.weight)) {
            let pole = Some(pole);
            commands.push(self.posing(Posing::Pole { handle, pole }));
        }
        if this.weight == 0.0 {
            commands.push(Command::SetHandleWeight {
                mesh: mesh(),
                handle,
                weight: 1.0,
            });
        }
        commands.push(Command::SetHandleEnabled {
            mesh: mesh(),
            handle,
            enabled: true,
        });
        commands
    }

    /// Writes what the handle turns its bones to into their pose, and switches it off.
    pub fn release(&self, handle: usize) -> Vec<Command> {
        let Some(this) = self.skeleton.handles.get(handle) else {
            return Vec::new();
        };
        let mesh = || self.mesh.clone();
        let bones = chain(&self.skeleton, this).filter(|bone| !self.skeleton.bones[*bone].link);
        let mut commands: Vec<Command> = bones
            .map(|bone| Command::SetPose {
                mesh: mesh(),
                bone,
                pose_deg: self.skeleton.bones[bone].pose_deg,
            })
            .collect();
        if self.skeleton.root_free {
            commands.push(Command::SetBaseOffset {
                mesh: mesh(),
                base_offset: self.skeleton.base_offset,
            });
        }
        commands.push(Command::SetHandleEnabled {
            mesh: mesh(),
            handle,
            enabled: false,
        });
        commands
    }

    /// Commands that add a handle to a bone; `at` is the index that it gets. `holds`: it holds the tip where it is.
    fn add(&self, bone: usize, at: usize, chain: Option<u32>, holds: bool) -> Vec<Command> {
        let mesh = || self.mesh.clone();
        let mut commands = vec![Command::AddHandle { mesh: mesh(), bone }];
        if let Some(chain) = chain.filter(|chain| *chain != limb(&self.skeleton, bone)) {
            commands.push(Command::SetHandleChain {
                mesh: mesh(),
                handle: at,
                chain: Some(chain),
            });
        }
        if holds {
            commands.extend(self.tip(bone).map(|target| Command::SetHandleTarget {
                mesh: mesh(),
                handle: at,
                target,
            }));
            commands.push(Command::SetHandleEnabled {
                mesh: mesh(),
                handle: at,
                enabled: true,
            });
        }
        commands
    }

    /// A handle that pulls the tip of a bone with its limb. See [`SeenPose::add`].
    pub fn add_handle(&self, bone: usize, at: usize, holds: bool) -> Vec<Command> {
        self.add(bone, at, None, holds)
    }

    /// A handle whose chain is the whole body.
    pub fn add_body(&self, bone: usize, at: usize) -> Vec<Command> {
        let mut commands = self.add(bone, at, None, true);
        commands.push(self.whole_chain(at));
        commands
    }

    /// Makes the chain of a handle the whole body.
    pub fn whole_chain(&self, handle: usize) -> Command {
        let (mesh, chain) = (self.mesh.clone(), None);
        Command::SetHandleChain { mesh, handle, chain }
    }

    /// A handle that makes a bone look where it looks now.
    pub fn add_look_at(&self, bone: usize, at: usize, holds: bool) -> Vec<Command> {
        let like = Handle {
            bone: bone as u32,
            target: self.tip(bone).unwrap_or_default(),
            ..Handle::default()
        };
        let mut commands = self.add(bone, at, None, holds);
        commands.extend(self.look_at_commands(at, &like));
        commands
    }

    /// A handle on the lower one of the two long bones of the limb that `bone` belongs to, with a chain of these two and a
    /// pole in front of the joint. `None` for what is no part of such a limb.
    pub fn add_limb(&self, bone: usize, at: usize, holds: bool) -> Option<Vec<Command>> {
        let (lower, bones) = two_bones(&self.skeleton, bone)?;
        let like = Handle {
            bone: u32::try_from(lower).ok()?,
            chain: Some(bones),
            ..Handle::default()
        };
        let pole = Some(self.pole(&like, 1.0)?);
        let mut commands = self.add(lower, at, Some(bones), holds);
        commands.push(self.posing(Posing::Pole { handle: at, pole }));
        Some(commands)
    }
}

/// How a handle holds its bone where it is: what P goes through, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    Free,
    Position,
    PositionAndTurn,
}

impl Pin {
    pub fn from_handle(handle: &Handle) -> Self {
        match (handle.pinned, handle.orientation) {
            (false, _) => Self::Free,
            (true, None) => Self::Position,
            (true, Some(_)) => Self::PositionAndTurn,
        }
    }

    pub fn next(self) -> Self {
        match self {
            Self::Free => Self::Position,
            Self::Position => Self::PositionAndTurn,
            Self::PositionAndTurn => Self::Free,
        }
    }
}

impl SeenPose {
    /// Commands that pin a handle where its bone is, with a pole if it is on a limb, or free it. A handle that is let go
    /// pulls on, from where it is.
    pub fn pin(&self, handle: usize, to: Pin) -> Vec<Command> {
        let Some(this) = self.skeleton.handles.get(handle) else {
            return Vec::new();
        };
        let mut commands = Vec::new();
        let orientation = match to {
            Pin::Free => None,
            // What was keeping its turn goes on doing so.
            Pin::Position => this.orientation,
            Pin::PositionAndTurn => self.orientation(this, 1.0),
        };
        let pinned = to != Pin::Free;
        commands.push(self.posing(Posing::Pinned { handle, pinned }));
        if pinned && this.look_at.is_some() {
            let look_at = None;
            commands.push(self.posing(Posing::LookAt { handle, look_at }));
        }
        if orientation != this.orientation {
            commands.push(self.posing(Posing::Orientation { handle, orientation }));
        }
        if pinned {
            let mesh = self.mesh.clone();
            let target = self
                .tip(this.bone as usize)
                .map(|target| Command::SetHandleTarget { mesh, handle, target });
            commands.extend(target);
            let mesh = self.mesh.clone();
            commands.push(Command::SetHandleEnabled {
                mesh,
                handle,
                enabled: true,
            });
            if this.pole.is_none() {
                commands.extend(self.limb_pole(this, handle));
            }
        }
        commands
    }

    /// What is pinned leaves its elbow or knee free to point anywhere: a pole says where, as it is now.
    fn limb_pole(&self, like: &Handle, handle: usize) -> Option<Command> {
        let pole = Some(of_limb(&self.skeleton, like)?);
        Some(self.posing(Posing::Pole { handle, pole }))
    }

    /// Commands that add a handle to a bone and pin it there.
    pub fn pin_bone(&self, bone: usize, at: usize) -> Vec<Command> {
        let mut commands = self.add(bone, at, None, true);
        let pinned = true;
        commands.push(self.posing(Posing::Pinned { handle: at, pinned }));
        let like = Handle {
            bone: bone as u32,
            chain: Some(limb(&self.skeleton, bone)),
            ..Handle::default()
        };
        commands.extend(self.limb_pole(&like, at));
        commands
    }

    /// Commands that add a handle to a bone and pin it there, turned as it is, with a chain that is the whole body.
    pub fn pin_flat(&self, bone: usize, at: usize) -> Vec<Command> {
        let mut commands = self.pin_bone(bone, at);
        commands.push(self.whole_chain(at));
        commands.push(self.keep_orientation(bone, at));
        commands
    }

    /// Makes the handle of a bone keep it oriented as it is.
    pub fn keep_orientation(&self, bone: usize, handle: usize) -> Command {
        let like = Handle {
            bone: bone as u32,
            ..Handle::default()
        };
        let orientation = self.orientation(&like, 1.0);
        self.posing(Posing::Orientation { handle, orientation })
    }
}
