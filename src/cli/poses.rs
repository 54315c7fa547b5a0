//! `ossature poses`: shows and changes the saved poses of a character, and transfers them to another.

use super::input::{ListedScene, MeshChoice};
use super::output::{Output, count};
use super::{CliError, args};
use crate::edit::command::{Command, PoseChange};
use crate::edit::pose::pose_library::{poses_for, poses_only};
use crate::rig::poses::SavedPose;
use crate::scene::skinned::SkinnedMesh;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Poses of another file go onto the bones of the same names; bones without a name are found by their channel
ids. A pose that is there already is left out; another one of the same name gets a number.

Examples:
  ossature poses scene.js3d
  ossature poses scene.js3d --save Crouch -o kept.js3d
  ossature poses scene.js3d --rename Crouch=Low --delete Wave -o fewer.js3d
  ossature poses scene.js3d --only -o poses.js3d
  ossature poses other.js3d --from poses.js3d -o both.js3d";

/// Show the saved poses of a character, or change them and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ListedScene,
    #[command(flatten)]
    mesh: MeshChoice,
    /// Delete a pose; this and the next two may be repeated
    #[arg(long, value_name = "NAME", requires = "output")]
    delete: Vec<String>,
    /// Rename a pose
    #[arg(long, value_name = "NAME=NEW", value_parser = args::rename, requires = "output")]
    rename: Vec<(String, String)>,
    /// Add the poses of another scene file
    #[arg(long, value_name = "FILE", requires = "output")]
    from: Vec<PathBuf>,
    /// Save the pose stored in the file under this name, replacing one of the same name
    #[arg(long, value_name = "NAME", requires = "output")]
    save: Option<String>,
    /// Write the poses with their skeleton, and nothing else of the scene
    #[arg(long, requires = "output")]
    only: bool,
}

/// A pose in JSON output.
#[derive(Serialize)]
struct Listed {
    name: String,
    /// The number of bones that it rotates.
    bones: usize,
    base_offset: Option<[f32; 3]>,
}

fn listed(skinned: &SkinnedMesh) -> Vec<Listed> {
    let listed = skinned.poses.iter().map(|pose| Listed {
        name: pose.name.clone(),
        bones: pose.bone_poses(&skinned.skeleton, false).len(),
        base_offset: pose.base_offset.map(|offset| offset.to_array()),
    });
    listed.collect()
}

impl Args {
    fn changes(&self, skinned: &SkinnedMesh, output: &mut Output) -> Result<Vec<PoseChange>, CliError> {
        let deleted = self.delete.iter().cloned();
        let renamed = self.rename.iter().cloned();
        let mut changes: Vec<PoseChange> = deleted.map(|pose| PoseChange::Delete { pose }).collect();
        changes.extend(renamed.map(|(pose, name)| PoseChange::Rename { pose, name }));
        for file in &self.from {
            let found = poses_for(&skinned.skeleton, &args::load(file, output)?);
            let found = found.map_err(|error| CliError::Other(format!("{}: {error}", file.display())))?;
            if !found.unmatched.is_empty() {
                let bones = found.unmatched.join(", ");
                output.note(format_args!("{}: not in this skeleton: {bones}", file.display()));
            }
            changes.push(PoseChange::Import(found.poses));
        }
        if let Some(name) = &self.save {
            let pose = SavedPose::new(name.clone(), &skinned.skeleton, &[], &[]);
            changes.push(PoseChange::Save(pose));
        }
        Ok(changes)
    }
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    let mesh = args.mesh.name(&scene)?;
    let changes = args.changes(args::skinned(&scene, &mesh)?, output)?;
    let commands = changes.into_iter().map(|change| {
        let mesh = mesh.clone();
        Command::Poses { mesh, change }
    });
    args::apply(&mut scene, &commands.collect::<Vec<_>>())?;
    let skinned = args::skinned(&scene, &mesh)?;
    let poses = listed(skinned);
    match &target {
        Some(target) if args.only => target.save(&poses_only(&mesh, skinned), output)?,
        Some(target) => target.save(&scene, output)?,
        None => {}
    }
    if args.scene.json {
        return output.json(&poses);
    }
    if poses.is_empty() {
        return output.line("no saved poses");
    }
    for pose in &poses {
        let base = if pose.base_offset.is_some() { " and the base" } else { "" };
        let bones = count(pose.bones, "bone", "bones");
        output.line(format_args!("{}: {bones}{base}", pose.name))?;
    }
    Ok(())
}
