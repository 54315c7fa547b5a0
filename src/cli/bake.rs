//! `ossature bake`: bakes inverse kinematics, or moves and scales of bones, into keyframes.

use super::input::ChangedScene;
use super::output::{Output, count};
use super::{CliError, args};
use crate::anim::channel_set::ChannelSet;
use crate::edit::time::bake::{Bake, BakeError, bake};
use crate::edit::time::bake_moves::bake_moves;
use crate::rig::ik;

const EXAMPLES: &str = "\
Every bone that an enabled handle can move gets a keyframe at every whole frame. Afterwards the handles are
disabled, and keyframes that would enable them are deleted.

Examples:
  ossature bake scene.js3d -o baked.js3d
  ossature bake scene.js3d --frames 10..40 --keep-handles -o baked.js3d
  ossature bake scene.js3d --take Walk -o baked.js3d
  ossature bake knight.js3d --moves -o rotations.js3d";

/// Bake inverse kinematics into keyframes, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ChangedScene,
    /// First and last frame, at most 10,000 of them [default: the play range]
    #[arg(long, value_name = "FIRST..LAST", value_parser = args::frames_at_once)]
    frames: Option<[u32; 2]>,
    /// The frames of this take
    #[arg(long, value_name = "NAME", conflicts_with = "frames")]
    take: Option<String>,
    /// Only this skinned mesh [default: all that have enabled handles]
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    /// Leave the handles as they are
    #[arg(long)]
    keep_handles: bool,
    /// Bake moves and scales of bones instead: the base carries the body, at every frame of the clip
    #[arg(long, conflicts_with_all = ["frames", "take", "keep_handles"])]
    moves: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    if args.moves {
        let mut lines = Vec::new();
        for mesh in args::meshes(&scene, args.mesh.as_deref())? {
            let baked =
                bake_moves(&scene, &mesh).map_err(|error| CliError::Other(format!("{mesh}: {error}")))?;
            args::apply(&mut scene, &baked.commands)?;
            let bones = count(baked.bones, "bone", "bones");
            let share = baked.distance * 100.0;
            lines
                .push(format!("{mesh}: moves of {bones}, joints at most {share:.2} % of the size elsewhere"));
        }
        target.save(&scene, output)?;
        return lines.into_iter().try_for_each(|line| output.line(format_args!("{line}")));
    }
    let frames = match args.frames {
        Some(frames) => frames,
        None => args::played_at_once(&scene, args.take.as_deref(), 1)?,
    };
    let (mut baked, mut idle) = (Vec::new(), 0);
    for mesh in args::meshes(&scene, args.mesh.as_deref())? {
        let options = Bake { mesh, frames, ik: ik::Options::default(), disable_handles: !args.keep_handles };
        match bake(&scene, &ChannelSet::default(), &options, |_, _| true) {
            Ok(commands) => {
                args::apply(&mut scene, &commands)?;
                baked.push(options.mesh);
            }
            Err(BakeError::NoHandle) => idle += 1,
            Err(error) => return Err(CliError::Other(format!("{}: {error}", options.mesh))),
        }
    }
    if baked.is_empty() {
        let meshes = count(idle, "skinned mesh", "skinned meshes");
        return Err(CliError::Other(format!("{} ({meshes} looked at)", BakeError::NoHandle)));
    }
    target.save(&scene, output)?;
    let [first, last] = frames;
    for mesh in baked {
        output.line(format_args!("{mesh}: frames {first} to {last}"))?;
    }
    Ok(())
}
