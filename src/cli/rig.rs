//! `ossature rig`: changes a skeleton like the window's Bone menu.

use super::args::BoneValue;
use super::input::{ChangedScene, MeshChoice};
use super::output::{Output, count};
use super::{CliError, args};
use crate::edit::command::Command;
use crate::edit::pose::children::Children;
use crate::math::axis::Axis;
use crate::math::rotation::from_euler;
use crate::rig::body::middle::mirror_plane;
use crate::rig::edits::mirror::Effect;
use crate::rig::kinematics::with_descendants;
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use clap::ValueEnum;
use glam::DQuat;
use serde::Serialize;

const EXAMPLES: &str = "\
The changes are made in this order: extent, rotate, scale bones, mirror, align, fit, scale radii. A bone is given by
its index or its name, and its descendants are changed with it.

Examples:
  ossature rig scene.js3d --fit-radius -o fitted.js3d
  ossature rig scene.js3d --mirror Shoulder.L --mirror Hip.L -o whole.js3d
  ossature rig scene.js3d --extent Hand.L=0.2,-0.1,0 --children along -o longer.js3d
  ossature rig scene.js3d --mirror 6 --align-roll 6 --json -o whole.js3d
  ossature rig scene.js3d --rotate UpperArm.L=0,0,45 --rotate UpperArm.R=0,0,-45 -o t-pose.js3d";

/// Rotate, scale and mirror bones, align their rolls, fit their radii to the mesh, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ChangedScene,
    #[command(flatten)]
    mesh: MeshChoice,
    /// Rotate this bone about its head, with all its descendants, in the bind pose: degrees about the x, then y, then z
    /// axis of the mesh; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    rotate: Vec<args::BoneValue>,
    /// Multiply the length of this bone; its descendants move along; may be repeated
    #[arg(long, value_name = "BONE=FACTOR", value_parser = args::bone_factor)]
    scale_bone: Vec<(String, f32)>,
    /// Mirror this bone and its descendants, adding or updating the bones of the other side; may be repeated
    #[arg(long, value_name = "BONE")]
    mirror: Vec<String>,
    /// Axis to mirror along, through the origin; without it, across the plane of symmetry
    #[arg(long, value_enum, value_name = "AXIS")]
    across: Option<Across>,
    /// Align the rolls of this bone and its descendants to the plane in which they bend; may be repeated
    #[arg(long, value_name = "BONE")]
    align_roll: Vec<String>,
    /// Set the extent of a bone, the vector from its head to its tail; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value, allow_hyphen_values = true)]
    extent: Vec<BoneValue>,
    /// What the children do then: their tails stay, or they move along
    #[arg(long, value_enum, value_name = "MODE", default_value = "stay", requires = "extent")]
    children: ChildrenDo,
    /// Fit all radii to the surface around the bones
    #[arg(long)]
    fit_radius: bool,
    /// Multiply all radii by this factor
    #[arg(long, value_name = "FACTOR")]
    scale_radius: Option<f32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Across {
    X,
    Y,
    Z,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ChildrenDo {
    Stay,
    Along,
}

#[derive(Serialize)]
struct Rigged {
    mesh: String,
    bones: Vec<RiggedBone>,
}

#[derive(Serialize)]
struct RiggedBone {
    name: String,
    parent: Option<u32>,
    extent: [f32; 3],
    roll_deg: f32,
    radius: f32,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    let mesh = args.mesh.name(&scene)?;
    let before = args::skinned(&scene, &mesh)?.skeleton.bones.len();
    let mirrored = change(args, &mut scene, &mesh)?;
    target.save(&scene, output)?;
    let skeleton = &args::skinned(&scene, &mesh)?.skeleton;
    let bones = skeleton.bones.len();
    if args.json {
        let bones = (0..bones).map(|bone| rigged(skeleton, bone)).collect();
        return output.json(&Rigged { mesh, bones });
    }
    let new = bones - before;
    output.line(format_args!("{mesh}: {}, {new} of them new", count(bones, "bone", "bones")))?;
    if let Some(mirrored) = mirrored {
        output.line(format_args!("  mirrored: {mirrored}"))?;
    }
    Ok(())
}

fn rigged(skeleton: &Skeleton, bone: usize) -> RiggedBone {
    let name = skeleton.bone_name(bone);
    let bone = &skeleton.bones[bone];
    RiggedBone {
        name,
        parent: bone.parent,
        extent: bone.extent.to_array(),
        roll_deg: bone.roll_deg,
        radius: bone.radius,
    }
}

/// Applies the changes one after the other, since each may change the indices of bones. Returns a description
/// of what was mirrored, if anything.
fn change(args: &Args, scene: &mut Scene, mesh: &str) -> Result<Option<String>, CliError> {
    let mut mirrored = None;
    let mesh = || mesh.to_owned();
    let axis = args.across.map(|across| match across {
        Across::X => Axis::X,
        Across::Y => Axis::Y,
        Across::Z => Axis::Z,
    });
    let children = match args.children {
        ChildrenDo::Stay => Children::Stay,
        ChildrenDo::Along => Children::Along,
    };
    for set in &args.extent {
        let bone = args::find_bone(&args::skinned(scene, &mesh())?.skeleton, &set.bone)?;
        args::apply(scene, &[children.extent_command(mesh(), bone, set.value)])?;
    }
    for BoneValue { bone, value } in &args.rotate {
        let bones = vec![args::find_bone(&args::skinned(scene, &mesh())?.skeleton, bone)?];
        let euler = from_euler(value.as_dvec3().map(f64::to_radians));
        let (mesh, rotation) = (mesh(), DQuat::from_mat3(&euler).as_quat());
        args::apply(scene, &[Command::RotateBones { mesh, bones, rotation }])?;
    }
    for (bone, factor) in &args.scale_bone {
        let bones = vec![args::find_bone(&args::skinned(scene, &mesh())?.skeleton, bone)?];
        let (mesh, factor) = (mesh(), *factor);
        args::apply(scene, &[Command::ScaleBones { mesh, bones, factor }])?;
    }
    if !args.mirror.is_empty() {
        let bones = limbs(scene, &mesh(), &args.mirror)?;
        let mesh = mesh();
        let skeleton = &args::skinned(scene, &mesh)?.skeleton;
        let plane = mirror_plane(skeleton, axis);
        mirrored = Some(Effect::new(skeleton, &bones, &plane).text(&plane));
        args::apply(scene, &[Command::MirrorBones { mesh, bones, axis }])?;
    }
    if !args.align_roll.is_empty() {
        let bones = limbs(scene, &mesh(), &args.align_roll)?;
        let (mesh, to) = (mesh(), crate::rig::edits::roll::RollTo::BendPlane);
        args::apply(scene, &[Command::AlignRoll { mesh, bones, to }])?;
    }
    let all: Vec<usize> = (0..args::skinned(scene, &mesh())?.skeleton.bones.len()).collect();
    let mut commands = Vec::new();
    if args.fit_radius {
        let (mesh, bones) = (mesh(), all.clone());
        commands.push(Command::FitRadius { mesh, bones });
    }
    if let Some(factor) = args.scale_radius {
        let (mesh, bones) = (mesh(), all);
        commands.push(Command::ScaleRadius { mesh, bones, factor });
    }
    args::apply(scene, &commands)?;
    Ok(mirrored)
}

/// Finds bones by index or name, and returns them with all their descendants.
fn limbs(scene: &Scene, mesh: &str, names: &[String]) -> Result<Vec<usize>, CliError> {
    let skeleton = &args::skinned(scene, mesh)?.skeleton;
    let roots: Result<Vec<usize>, CliError> =
        names.iter().map(|name| args::find_bone(skeleton, name)).collect();
    let inside = with_descendants(skeleton, &roots?);
    Ok((0..inside.len()).filter(|&bone| inside[bone]).collect())
}
