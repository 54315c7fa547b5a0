//! `ossature fit`: fits a skeleton into a bare body and gives it weights.

use super::args::{self, BoneValue};
use super::convert::Saving;
use super::motion::Listed;
use super::output::{Output, count};
use super::target::Force;
use super::{CliError, surfaces};
use crate::anim::channel::SkeletonChannel;
use crate::edit::command::effects::Edit;
use crate::edit::command::{Command, Surface};
use crate::edit::fitting::{Rigging, axis_names, rigging};
use crate::edit::standing::standing_from_mesh;
use crate::io::import::FileImport;
use crate::io::report::{Report, Severity};
use crate::mesh::orientation::Axis;
use crate::rig::fit::{self, Body, Fit, FitError, Options, Template, UNSURE};
use crate::rig::kinematics::{bind_tips, parent_of};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::join::join_meshes;
use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const EXAMPLES: &str = "\
The body may have any pose in which its limbs are apart, any size and any facing. Joints are called as `--json` prints
them: hips, shoulder.L, elbow.L, wrist.L, hip.L, knee.L, ankle.L, or like the bone that ends there. Coordinates are those
of the mesh.

Examples:
  ossature fit body.obj -o rigged.js3d
  ossature fit body.obj -o rigged.glb --at wrist.L=0.62,0.9,0.05 --at wrist.R=-0.62,0.9,0.05
  ossature fit horse.obj -o horse.js3d --template four-legged
  ossature fit body.obj -o rigged.js3d --template other-character.js3d
  ossature fit walker.glb -o again.glb --replace-skeleton
  ossature fit scan.obj -o rigged.js3d --up z --front=-y --json";

/// Fit a skeleton into a bare body, with weights, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Mesh (OBJ) or scene (js3d, glTF) with the body
    body: PathBuf,
    /// File to write (.js3d, .glb or .gltf)
    #[arg(short, long, value_name = "RIGGED")]
    output: PathBuf,
    /// The mesh of the body [default: all visible ones, joined]
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    /// What is fitted: humanoid, four-legged, or the skeleton of a scene file [default: what fits best]
    #[arg(long, value_name = "TEMPLATE")]
    template: Option<String>,
    /// Where a joint is; may be repeated
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = args::bone_value, allow_hyphen_values = true)]
    at: Vec<BoneValue>,
    /// Remove the skeleton that the mesh has, with its weights and animation, before one is fitted
    #[arg(long)]
    replace_skeleton: bool,
    /// Axis that points up: x, y, z, -x, -y or -z [default: as the body suggests]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Axis that the body faces [default: as the body suggests]
    #[arg(long, visible_alias = "facing", value_name = "AXIS", allow_hyphen_values = true)]
    front: Option<Axis>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    force: Force,
}

#[derive(Serialize)]
struct Fitted {
    mesh: String,
    template: String,
    up: [f32; 3],
    front: [f32; 3],
    /// 0 for the template itself; below 0.3 for most bodies of its kind.
    penalty: f32,
    milliseconds: u128,
    joints: Vec<FittedJoint>,
    /// Bones that leave the body.
    outside: Vec<String>,
    /// What it makes, if it moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    takes: Vec<Listed>,
}

#[derive(Serialize)]
struct FittedJoint {
    name: String,
    position: [f32; 3],
    confidence: f32,
    /// The bone that ends there.
    bone: Option<String>,
}

/// A body with the skeleton that was fitted into it, and where it is to be saved.
pub struct Rigged<'a> {
    pub scene: Scene,
    pub mesh: String,
    found: Fit,
    /// What made the body stand.
    standing: Affine3A,
    milliseconds: u128,
    saving: Saving<'a>,
}

impl Rigged<'_> {
    pub fn save(&self, args: &Args, output: &mut Output) -> Result<(), CliError> {
        self.saving.write(self.scene.clone(), &args.body, output)
    }
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let rigged = rig(args, output)?;
    rigged.save(args, output)?;
    print(args, &rigged, Vec::new(), output)
}

/// Fits a skeleton into the body, and gives it weights.
pub fn rig<'a>(args: &'a Args, output: &mut Output) -> Result<Rigged<'a>, CliError> {
    let saving = Saving::new(&args.output, args.force)?;
    let template = args.template.as_deref().map(|name| template(name, output)).transpose()?;
    let (mut scene, mesh, joined) = read(args, &saving, output)?;
    let surface = Arc::clone(&args::skinned(&scene, &mesh)?.surface);
    let start = Instant::now();
    let options = Options {
        up: args.up.map(direction),
        front: args.front.map(direction),
        pins: args.at.iter().map(|pin| (pin.bone.clone(), pin.value)).collect(),
    };
    let found = Body::from_surface(&surface).and_then(|body| match template {
        Some(template) => fit::fit(&body, &template, &options),
        None => fit::fit_best(&body, &options),
    });
    let found = found.map_err(|error| {
        let file = args.body.display();
        CliError::Other(match (&error, error.missing()) {
            (_, [first, ..]) => format!("{file}: {error}. --at says it, as in --at {first}=X,Y,Z"),
            (FitError::Several(_), _) if !joined.is_empty() => {
                format!("{file}: {error}, or choose with --mesh: {}", joined.join(", "))
            }
            (FitError::UnknownJoint { .. }, _) => error.to_string(),
            _ => format!("{file}: {error}"),
        })
    })?;
    let milliseconds = start.elapsed().as_millis();
    let standing = standing_from_mesh(&scene, &mesh, found.axes()).unwrap_or_default();
    let Rigging { commands, findings } =
        rigging(&scene, &mesh, &found, &|_| true).map_err(CliError::Other)?;
    args::apply(&mut scene, &commands)?;
    let mut report = Report::default();
    for text in findings {
        report.add(Severity::Warning, "no-bone-in-sight", mesh.clone(), text);
    }
    output.findings(&args.body, &report);
    Ok(Rigged { scene, mesh, found, standing, milliseconds, saving })
}

fn direction(axis: Axis) -> Vec3 {
    let sign = if axis.negative { -1.0 } else { 1.0 };
    sign * Vec3::AXES[axis.index]
}

/// Returns the template with this name, or one made from the skeleton of a scene file.
fn template(name: &str, output: &mut Output) -> Result<Template, CliError> {
    if let Some(template) = Template::named(name) {
        return Ok(template);
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<&str> = Template::names().collect();
        let text = format!("there is no template “{name}”; there are {}, and scene files", names.join(", "));
        return Err(CliError::Other(text));
    }
    let scene = args::load(path, output)?;
    let mesh = args::one_mesh_or(&scene, None, "a template needs a file with one of them")?;
    Ok(Template::from_skeleton(name, &args::skinned(&scene, &mesh)?.skeleton))
}

/// Reads the body as a skinned mesh without bones. Returns the names of the meshes that were joined, too.
fn read(args: &Args, saving: &Saving, output: &mut Output) -> Result<(Scene, String, Vec<String>), CliError> {
    let mut scene = Scene::default();
    match saving.read(&args.body, output)? {
        FileImport::Mesh(import) => {
            let surface = Surface::Built(Arc::new(import.surface));
            args::apply(&mut scene, &[Command::AddMesh { name: import.name, surface, skinned: true }])?;
        }
        FileImport::Scene(read, _) => scene = read,
    }
    let mut names = Vec::new();
    let mut wanted = args.mesh.clone();
    if args.mesh.is_none() && scene.skinned_meshes.is_empty() {
        let all: Vec<String> = scene.meshes.keys().cloned().collect();
        let joined = join_meshes(&mut scene).map_err(|error| CliError::Other(error.to_string()))?;
        let mut report = Report::default();
        for text in joined.messages() {
            report.add(Severity::Warning, "joined-meshes", "", text);
        }
        output.findings(&args.body, &report);
        if joined.count > 1 {
            names = all;
        }
        if !joined.left_out.is_empty() {
            wanted = Some(joined.body);
        }
    }
    let name = surfaces::one(&scene, wanted.as_deref())?.name.to_owned();
    let Some(skinned) = scene.skinned_meshes.get(&name) else {
        args::apply(&mut scene, &[Command::MakeSkinned { mesh: name.clone() }])?;
        return Ok((scene, name, names));
    };
    let bones = skinned.skeleton.bones.len();
    if bones > 0 && !args.replace_skeleton {
        return Err(CliError::Other(format!(
            "“{name}” has a skeleton ({}) already; --replace-skeleton removes it, with all that moves it",
            count(bones, "bone", "bones")
        )));
    }
    if bones > 0 {
        let text = format!("{} removed, for a new skeleton", remove_skeleton(&mut scene, &name)?);
        let mut report = Report::default();
        report.add(Severity::Warning, "skeleton-replaced", name.clone(), text);
        output.findings(&args.body, &report);
    }
    Ok((scene, name, names))
}

/// Removes the skeleton of a mesh with its weights, handles, saved poses and keys, and the takes if no keys are left. Returns
/// what was removed.
fn remove_skeleton(scene: &mut Scene, mesh: &str) -> Result<String, CliError> {
    let old = args::skinned(scene, mesh)?.clone();
    let bones: Vec<usize> = (0..old.skeleton.bones.len()).collect();
    let mut removed = vec![count(bones.len(), "bone", "bones")];
    let mut others = vec![
        (old.skeleton.handles.len(), ["IK handle", "IK handles"]),
        (old.poses.len(), ["saved pose", "saved poses"]),
    ];
    let is_keyed = scene.animation.channels.contains_key(mesh);
    args::apply(scene, &[Command::DeleteSubtrees { mesh: mesh.to_owned(), bones }])?;
    Edit::new(scene).change_skinned(mesh, |mesh| mesh.poses = Arc::default());
    let animation = Arc::make_mut(&mut scene.animation);
    if let Some(channels) = animation.channels.get_mut(mesh) {
        channels.retain(|name, _| matches!(SkeletonChannel::parse(name), Some(SkeletonChannel::Shape(..))));
    }
    animation.channels.retain(|_, channels| !channels.is_empty());
    if is_keyed && animation.channels.is_empty() {
        others.push((animation.takes.list.len(), ["take", "takes"]));
        animation.takes.list.clear();
        animation.clip.range = None;
    }
    removed.extend(
        others
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, [one, many])| count(*number, one, many)),
    );
    if is_keyed {
        removed.push("all keys".into());
    }
    Ok(removed.join(", "))
}

/// Prints what was fitted; as JSON, with the takes that were added.
pub fn print(args: &Args, rigged: &Rigged, takes: Vec<Listed>, output: &mut Output) -> Result<(), CliError> {
    let Rigged { scene, mesh, found, standing, milliseconds, .. } = rigged;
    let skeleton = &args::skinned(scene, mesh)?.skeleton;
    let [up, front] = found.axes();
    let outside: Vec<String> =
        found.bones_outside().into_iter().map(|bone| skeleton.bone_name(bone)).collect();
    if args.json {
        return output.json(&Fitted {
            mesh: mesh.clone(),
            template: found.template().name.clone(),
            up: up.to_array(),
            front: front.to_array(),
            penalty: found.penalty(),
            milliseconds: *milliseconds,
            joints: joints(found, skeleton, standing),
            outside,
            takes,
        });
    }
    let bones = count(skeleton.bones.len(), "bone", "bones");
    let name = &found.template().name;
    output
        .line(format_args!("{mesh}: {name}, {bones} in {milliseconds} ms, penalty {:.2}", found.penalty()))?;
    let [up, front] = axis_names([up, front]);
    let moved = match (standing.matrix3 != Mat3A::IDENTITY, standing.translation != Vec3A::ZERO) {
        (true, _) => "; turned so that it stands",
        (false, true) => "; put on the floor",
        _ => "",
    };
    output.line(format_args!("  up is {up}, the body faces {front}{moved}"))?;
    let unsure: Vec<String> = found
        .joints()
        .into_iter()
        .filter(|joint| joint.confidence < UNSURE)
        .map(|joint| joint.name)
        .collect();
    if !unsure.is_empty() {
        output.line(format_args!("  unsure: {}; --at says where they are", unsure.join(", ")))?;
    }
    if !outside.is_empty() {
        output.line(format_args!("  bones that leave the body: {}", outside.join(", ")))?;
    }
    Ok(())
}

/// All joints in the space of the mesh: those that were fitted, and then those of further fingers, which have the name of their bone
/// and are as sure as what they are on.
fn joints(found: &Fit, skeleton: &Skeleton, standing: &Affine3A) -> Vec<FittedJoint> {
    let mesh_from_skeleton = standing.inverse();
    let tips = bind_tips(skeleton);
    let mut joints: Vec<FittedJoint> = Vec::with_capacity(tips.len() + 1);
    for joint in found.joints() {
        // Fingers that the surface shows are elsewhere than those of the template.
        let tip = joint.bone.map(|bone| mesh_from_skeleton.transform_point3(tips[bone].as_vec3()));
        joints.push(FittedJoint {
            name: joint.name,
            position: tip.unwrap_or(joint.position).to_array(),
            confidence: joint.confidence,
            bone: joint.bone.map(|bone| skeleton.bone_name(bone)),
        });
    }
    for (bone, tip) in tips.iter().enumerate().skip(joints.len() - 1) {
        let parent = parent_of(skeleton, bone).map_or(0, |parent| parent + 1);
        joints.push(FittedJoint {
            name: skeleton.bone_name(bone),
            position: mesh_from_skeleton.transform_point3(tip.as_vec3()).to_array(),
            confidence: if found.is_pinned(&skeleton.bone_name(bone)) {
                1.0
            } else {
                joints[parent].confidence
            },
            bone: Some(skeleton.bone_name(bone)),
        });
    }
    joints
}
