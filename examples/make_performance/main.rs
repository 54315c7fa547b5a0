//! Makes a performance of three seconds: the human of this repository looks, picks a box up and waves with it.
//!
//! `cargo run --release --no-default-features --example make_performance FILE`
//!
//! It does what an animator does in the window, by the same functions: in each beat, tails of bones are pulled, the head is
//! turned, and everything is keyed; at the end the box is attached to the hand. The file contains nothing but keys.

#![allow(clippy::print_stdout)]

use glam::{DVec3, Vec3};
use ossature::anim::mode::Mode;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::command::{Command, Surface};
use ossature::edit::pose::pull::Pull;
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::attach::{Attachment, attach};
use ossature::edit::time::keying::character_channels;
use ossature::io::{durable, js3d};
use ossature::mesh::primitives::Primitive;
use ossature::rig::ik;
use ossature::rig::kinematics::tips;
use ossature::rig::skeleton::{Handle, LookAt, Skeleton};
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::PropertyValue;
use std::error::Error;
use std::path::{Path, PathBuf};

const HUMAN: &str = "media/js3d/A4-human.js3d";
const MESH: &str = "Human_skinned_mesh";
const INSTANCE: &str = "Human_instance";
const LAST_FRAME: u32 = 72;
/// The middle of the box, on the floor in front of the right foot.
const BOX: Vec3 = Vec3::new(-0.75, 0.25, 1.35);
const BOX_SIZE: f32 = 0.5;

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Done {
    let file = std::env::args_os().nth(1).map(PathBuf::from).ok_or("say which file to write")?;
    durable::save(&file, &make(Path::new(HUMAN))?)?;
    println!("wrote {}", file.display());
    Ok(())
}

fn make(human: &Path) -> Done<Vec<u8>> {
    let mut stage = Stage::new(human)?;
    let rest = |side: f32| Vec3::new(0.95 * side, 2.5, 0.25);
    stage.beat(0, |stage| {
        stage.pull("forearm.L", rest(1.0), false)?;
        stage.pull("forearm.R", rest(-1.0), false)
    })?;
    let standing = stage.skeleton();
    stage.beat(9, |stage| stage.look(BOX + Vec3::new(0.2, 1.4, 1.6)))?;
    // In between, so that feet stay.
    stage.beat(16, |stage| stage.pull("forearm.R", Vec3::new(-0.85, 1.75, 0.8), true))?;
    stage.beat(24, |stage| {
        stage.pull("forearm.R", BOX + Vec3::new(-0.1, 0.78, -0.2), true)?;
        stage.pull("forearm.L", Vec3::new(0.75, 1.75, 0.75), false)?;
        stage.look(BOX + Vec3::Z)
    })?;
    stage.beat(30, |_| Ok(()))?;
    stage.beat(37, |stage| {
        stage.set_poses(&standing)?;
        stage.pull("forearm.R", Vec3::new(-0.8, 1.75, 0.95), true)
    })?;
    stage.beat(44, |stage| {
        stage.set_poses(&standing)?;
        stage.pull("forearm.R", Vec3::new(-0.6, 3.7, 1.15), false)?;
        stage.look(Vec3::new(-0.4, 4.2, 1.6))
    })?;
    for (beat, frame) in (52..=LAST_FRAME).step_by(5).enumerate() {
        let x = if beat % 2 == 0 { -1.95 } else { -1.35 };
        stage.beat(frame, |stage| {
            stage.pull("forearm.R", Vec3::new(x, 4.95, 0.55), false)?;
            stage.look(Vec3::new(0.0, 5.3, 6.0))
        })?;
    }
    stage.attach_box([27, LAST_FRAME])?;
    Ok(js3d::write(stage.session.scene())?)
}

/// The scene as the window edits it.
struct Stage {
    session: Session,
    settings: ViewSettings,
    evaluated: Evaluated,
}

impl Stage {
    fn new(human: &Path) -> Done<Self> {
        let (mut scene, _) = js3d::read_file(human)?;
        let surface = Surface::Primitive(Primitive::Box { size: Vec3::splat(BOX_SIZE) });
        Command::AddMesh { name: "Box".into(), surface, skinned: false }.apply(&mut scene)?;
        let mut session = Session::new(scene, None);
        session.select(Selection::from_mesh(session.scene(), MESH));
        session.apply(&[Command::Keys(KeyCommand::SetLength { frames: LAST_FRAME + 1 })])?;
        let settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
        let mut stage = Self { session, settings, evaluated: Evaluated::default() };
        let transform = stage.box_transform()?;
        let object = ObjectRef { kind: Kind::Transform, name: transform };
        stage.apply(vec![Command::set(object, "translation", PropertyValue::Vec3(BOX))])?;
        Ok(stage)
    }

    fn box_transform(&self) -> Done<String> {
        let instances = &self.session.scene().instances;
        let instance = instances.meshes.values().next().ok_or("there is no box")?;
        Ok(instance.transform.clone().ok_or("the box has no transform")?)
    }

    fn apply(&mut self, commands: Vec<Command>) -> Done {
        self.session.apply(&commands)?;
        self.evaluated = Evaluator::default().evaluate(self.session.animated(), &Settings::default());
        Ok(())
    }

    /// Poses the character at a frame, and keys all of it.
    fn beat(&mut self, frame: u32, pose: impl FnOnce(&mut Self) -> Done) -> Done {
        self.session.set_frame(frame as f32);
        self.apply(Vec::new())?;
        pose(self)?;
        let channels = character_channels(self.session.scene(), MESH);
        self.apply(vec![Command::Keys(KeyCommand::Set {
            channels,
            frame: frame as f32,
            new_mode: Mode::Smooth,
        })])
    }

    /// Returns the skeleton in its visible pose.
    fn skeleton(&self) -> Skeleton {
        (*self.evaluated.skinned[MESH].skeleton).clone()
    }

    fn bone(&self, name: &str) -> Done<usize> {
        let skeleton = self.skeleton();
        let mut bones = 0..skeleton.bones.len();
        Ok(bones.find(|bone| skeleton.bone_name(*bone) == name).ok_or("the human lacks a bone")?)
    }

    /// Drags the tail of a bone to a point.
    fn pull(&mut self, bone: &str, to: Vec3, whole_body: bool) -> Done {
        let bone = self.bone(bone)?;
        let posed = &self.evaluated.skinned[MESH];
        let tail: DVec3 = tips(&posed.skeleton, &posed.current)[bone];
        let view = View { session: &self.session, evaluated: &self.evaluated, settings: &self.settings };
        let mut pull = Pull::new(&view, bone, whole_body).ok_or("nothing to pull")?;
        self.apply(pull.commands(to - tail.as_vec3()))
    }

    /// Turns neck and head towards a point.
    fn look(&mut self, at: Vec3) -> Done {
        let mut solved = self.skeleton();
        let (head, look_at) = (self.bone("head")?, Some(LookAt { axis: Vec3::Z, weight: 1.0 }));
        let handle = Handle {
            bone: head as u32,
            chain: Some(2),
            target: at,
            enabled: true,
            look_at,
            ..Handle::default()
        };
        solved.handles = vec![handle];
        ik::solve(&mut solved, &ik::Options::default());
        self.set_poses(&solved)
    }

    fn set_poses(&mut self, skeleton: &Skeleton) -> Done {
        let poses_deg = skeleton.bones.iter().map(|bone| bone.pose_deg).collect();
        let mesh = || MESH.to_owned();
        let base = Command::set_skeleton(mesh(), "base_offset", skeleton.base_offset);
        self.apply(vec![Command::SetPoses { mesh: mesh(), poses_deg }, base])
    }

    /// Attaches the box to the right hand.
    fn attach_box(&mut self, frames: [u32; 2]) -> Done {
        let scene = self.session.scene();
        let name = scene.instances.meshes.keys().next().ok_or("there is no box")?.clone();
        let instance = InstanceRef { kind: InstanceKind::Mesh, name };
        let attachment =
            Attachment { character: INSTANCE.into(), bone: self.bone("hand.R")?, frames, ik: None };
        let commands = attach(scene, &instance, &attachment)?;
        self.apply(commands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ossature::math::angles::angle;
    use ossature::math::segment::closest_parameter;
    use ossature::rig::kinematics::{current_pose, rotation_part};
    use ossature::scene::apply_animation::animate;
    use ossature::scene::world::world_matrix;

    const HEIGHT: f64 = 5.61;

    /// No bone turns faster than a person could, feet stay where they are, and the box stays in the hand.
    #[test]
    fn an_animator_would_keep_it() {
        let (scene, report) = js3d::read(&make(Path::new(HUMAN)).unwrap()).unwrap();
        assert!(report.is_empty());
        let (mut feet, mut grip, mut before) = (None, None, None::<Vec<_>>);
        for frame in 0..=LAST_FRAME {
            let driven = animate(&scene, frame as f32);
            let skeleton = &driven.skinned_meshes[MESH].skeleton;
            let bone = |name: &str| {
                (0..skeleton.bones.len()).find(|bone| skeleton.bone_name(*bone) == name).unwrap()
            };
            let pose = current_pose(skeleton);
            let tails = tips(skeleton, &pose);
            let now = [tails[bone("foot.L")], tails[bone("foot.R")]];
            let start = *feet.get_or_insert(now);
            for (foot, start) in now.iter().zip(start) {
                assert!(
                    foot.distance(start) < 0.015 * HEIGHT,
                    "frame {frame}: a foot slides by {}",
                    foot.distance(start)
                );
            }
            let turns: Vec<_> = pose.iter().map(|matrix| rotation_part(matrix.matrix3)).collect();
            if let Some(before) = before.replace(turns.clone()) {
                let fastest =
                    before.iter().zip(&turns).map(|(a, b)| angle(a, b).to_degrees()).fold(0.0, f64::max);
                assert!(fastest < 30.0, "frame {frame}: {fastest}");
            }
            if frame >= 27 {
                let transform = driven.instances.meshes.values().next().unwrap().transform.clone();
                let in_hand = pose[bone("hand.R")].inverse() * world_matrix(&driven, transform.as_deref());
                let start = *grip.get_or_insert(in_hand.translation);
                assert!(in_hand.translation.distance(start) < 0.005 * HEIGHT, "frame {frame}: the box slips");
                let (neck, crown) = (pose[bone("head")].translation, tails[bone("head")]);
                let middle = world_matrix(&driven, transform.as_deref()).translation;
                let t = closest_parameter(neck, crown, middle);
                let apart = neck.lerp(crown, t).distance(middle);
                assert!(apart > 0.18 * HEIGHT, "frame {frame}: the box is in the head, {apart}");
            }
        }
    }
}
