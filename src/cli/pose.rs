//! `ossature pose`: prints bone matrices, tails, energy and gradient of a pose.

use super::args::{self, BoneValue};
use super::input::MeshChoice;
use super::muting::Muting;
use super::output::{Output, count, number, numbers};
use super::{CliError, handles};
use crate::edit::command::{Command, PoseChange, PoseUse};
use crate::edit::pose;
use crate::rig::property::PropertyValue;
use crate::rig::skeleton::{Part, Skeleton};
use crate::rig::{ik, kinematics};
use crate::scene::apply_animation;
use crate::scene::evaluate::{Evaluator, Posed, Settings};
use glam::{DAffine3, DMat4, Vec3};
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Matrices map bone space to skeleton space and are printed column by column (16 numbers). Tails are in
skeleton space. The energy is half the squared distance from tail to target, summed over the enabled
handles; the gradient is taken by the pose angles x, y and z in radians. Handles do not pull here: see
`ossature ik`.

Examples:
  ossature pose scene.js3d
  ossature pose scene.js3d --set 17=40,0,0 --set 7=0,0,-25 --json
  ossature pose scene.js3d --set forearm.L=60,0,0 --mirror
  ossature pose scene.js3d --library Wave --blend 50 --flip
  ossature pose scene.js3d --mesh Human_skinned_mesh --frame 12.5";

/// Print the bind and current matrices, tails, energy and gradient of a pose
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d or glTF)
    file: PathBuf,
    #[command(flatten)]
    mesh: MeshChoice,
    /// Pose a bone (index or name), in degrees about its own x, y and z axes; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    set: Vec<BoneValue>,
    /// Move a bone against its parent, along the axes of the parent; may be repeated
    #[arg(long = "move", value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    moved: Vec<BoneValue>,
    /// Scale a bone and those below it along its own axes; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    scale: Vec<BoneValue>,
    /// Start from a pose saved in the file, by its name, before --set
    #[arg(long = "library", value_name = "POSE")]
    saved: Option<String>,
    /// How much of that pose: from 0 to 100 percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0, requires = "saved")]
    blend: f32,
    /// Apply it mirrored
    #[arg(long, requires = "saved")]
    flip: bool,
    /// Evaluate the animation at this frame [default: the pose stored in the file]
    #[arg(long, value_name = "T")]
    frame: Option<f32>,
    /// Copy the pose mirrored to the other side, after --set
    #[arg(long)]
    mirror: bool,
    #[command(flatten)]
    muting: Muting,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PoseOut {
    mesh: String,
    energy: f64,
    bones: Vec<BoneOut>,
    handles: Vec<handles::HandleOut>,
}

#[derive(Serialize)]
struct BoneOut {
    index: usize,
    name: String,
    parent: Option<u32>,
    pose_deg: [f32; 3],
    translation: [f32; 3],
    scale: [f32; 3],
    tip: [f64; 3],
    /// The bind matrix by columns.
    bind: [f64; 16],
    /// The current matrix by columns.
    current: [f64; 16],
    gradient: [f64; 3],
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let mut scene = args::load(&args.file, output)?;
    args.muting.apply(&mut scene)?;
    if let Some(frame) = args.frame {
        scene = apply_animation::animate(&scene, args::finite("--frame", frame)?);
    }
    let mesh = args.mesh.name(&scene)?;
    if let Some(pose) = &args.saved {
        let saved = &args::skinned(&scene, &mesh)?.poses;
        if !saved.iter().any(|saved| saved.name == *pose) {
            let names: Vec<&str> = saved.iter().map(|pose| pose.name.as_str()).collect();
            let names = if names.is_empty() {
                "it has no saved poses".to_owned()
            } else {
                format!("available: {}", names.join(", "))
            };
            return Err(CliError::Other(format!("{mesh} has no pose called {pose}; {names}")));
        }
        let pose_use = PoseUse {
            pose: pose.clone(),
            bones: Vec::new(),
            amount: args::finite("--blend", args.blend)? / 100.0,
            flipped: args.flip,
        };
        let (mesh, change) = (mesh.clone(), PoseChange::Apply(pose_use));
        args::apply(&mut scene, &[Command::Poses { mesh, change }])?;
    }
    let skeleton = &args::skinned(&scene, &mesh)?.skeleton;
    let rows = [("pose", &args.set), ("translation", &args.moved), ("scale", &args.scale)];
    let sets = rows.into_iter().flat_map(|(row, sets)| sets.iter().map(move |set| (row, set)));
    let commands = sets.map(|(row, set)| {
        Ok(Command::set_bone(mesh.clone(), args::find_bone(skeleton, &set.bone)?, row, set.value))
    });
    let commands = commands.collect::<Result<Vec<_>, CliError>>()?;
    note_limits(skeleton, &commands, output);
    args::apply(&mut scene, &commands)?;
    if args.mirror {
        let skeleton = &args::skinned(&scene, &mesh)?.skeleton;
        let mirrored = pose::copy(skeleton, &[], &[]).paste_mirrored(&mesh, skeleton);
        if !mirrored.unmatched.is_empty() {
            let bones = mirrored.unmatched.join(", ");
            output.note(format_args!("no bone on the other side: {bones}"));
        }
        args::apply(&mut scene, &mirrored.commands)?;
    }
    let settings = Settings { frame: None, ik: None, ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(&scene, &settings);
    let posed = args::posed(&evaluated, &mesh)?;
    let pose = pose_out(mesh, posed);
    if args.json { output.json(&pose) } else { print(&pose, output) }
}

/// Prints a note for each angle that is set beyond its joint limits. Like keys, such angles are not limited.
fn note_limits(skeleton: &Skeleton, commands: &[Command], output: &mut Output) {
    for command in commands {
        let Some((_, [Part::Bone(bone)], "pose", PropertyValue::Vec3(pose_deg))) = command.part_property()
        else {
            continue;
        };
        let limits = skeleton.bones[*bone].limits_deg;
        let within = limits.clamp(*pose_deg);
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if let Some([low, high]) = limits.0[axis].filter(|_| within[axis] != pose_deg[axis]) {
                let (bone, angle) = (skeleton.bone_name(*bone), pose_deg[axis]);
                output.note(format_args!(
                    "{bone} is set to {angle}° about {name}, beyond its limits of {low}° to {high}°"
                ));
            }
        }
    }
}

fn pose_out(mesh: String, posed: &Posed) -> PoseOut {
    let skeleton = &*posed.skeleton;
    let gradient = ik::gradient(skeleton);
    let tips = kinematics::tips(skeleton, &posed.current);
    let bone = |(index, bone): (usize, &crate::rig::skeleton::Bone)| BoneOut {
        index,
        name: skeleton.bone_name(index),
        parent: bone.parent,
        // Turns -0 of a mirrored pose into 0.
        pose_deg: (bone.pose_deg + Vec3::ZERO).to_array(),
        translation: (bone.translation + Vec3::ZERO).to_array(),
        scale: bone.scale.to_array(),
        tip: tips[index].to_array(),
        bind: columns(posed.bind[index]),
        current: columns(posed.current[index]),
        gradient: gradient[index].to_array(),
    };
    PoseOut {
        mesh,
        // Turns -0, the sum without handles, into 0.
        energy: ik::energy(skeleton) + 0.0,
        bones: skeleton.bones.iter().enumerate().map(bone).collect(),
        handles: handles::all(skeleton, &tips),
    }
}

fn columns(affine: DAffine3) -> [f64; 16] {
    DMat4::from(affine).to_cols_array()
}

fn print(pose: &PoseOut, output: &mut Output) -> Result<(), CliError> {
    let bones = count(pose.bones.len(), "bone", "bones");
    output.line(format_args!("{}: {bones}, energy {}", pose.mesh, number(pose.energy)))?;
    for bone in &pose.bones {
        output.line(format_args!("{} {}", bone.index, bone.name))?;
        if let Some(parent) = bone.parent {
            output.line(format_args!("  parent   {parent}"))?;
        }
        output.line(format_args!("  pose     {}", numbers(bone.pose_deg)))?;
        if bone.translation != [0.0; 3] {
            output.line(format_args!("  move     {}", numbers(bone.translation)))?;
        }
        if bone.scale != [1.0; 3] {
            output.line(format_args!("  scale    {}", numbers(bone.scale)))?;
        }
        output.line(format_args!("  tail     {}", numbers(bone.tip)))?;
        output.line(format_args!("  bind     {}", numbers(bone.bind)))?;
        output.line(format_args!("  current  {}", numbers(bone.current)))?;
        output.line(format_args!("  gradient {}", numbers(bone.gradient)))?;
    }
    handles::print(&pose.handles, &[], output)
}
