//! `ossature walk`: a bare body becomes a character that moves.

use super::output::{Output, count};
use super::{CliError, args, fit, motion};
use crate::edit::motions::{Choice, add, add_basic_set};
use std::time::Instant;

const EXAMPLES: &str = "\
A skeleton is fitted into the body, with weights, and walks on the spot; see `ossature fit` for bodies that need a hint, and
`ossature motion` for other motions and their numbers.

Examples:
  ossature walk body.obj -o walker.glb
  ossature walk body.obj -o walker.glb --basic-set
  ossature walk body.obj -o walker.js3d --at wrist.L=0.62,0.9,0.05 --travel";

/// Fit a skeleton into a bare body, and make it walk
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    fit: fit::Args,
    /// All motions that a game needs first, a take each
    #[arg(long)]
    basic_set: bool,
    /// Move over the ground instead of on the spot
    #[arg(long)]
    travel: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let start = Instant::now();
    let mut rigged = fit::rig(&args.fit, output)?;
    let choice = Choice { motion: "walk", travels: args.travel, ..Choice::default() };
    let added = match args.basic_set {
        true => add_basic_set(&rigged.scene, &rigged.mesh, &choice),
        false => add(&rigged.scene, &rigged.mesh, &choice),
    };
    // A body that cannot walk gets its skeleton all the same.
    let added = added.and_then(|(commands, added)| {
        args::apply(&mut rigged.scene, &commands).map_err(|error| error.to_string())?;
        Ok(added)
    });
    rigged.save(&args.fit, output)?;
    let skeleton = &args::skinned(&rigged.scene, &rigged.mesh)?.skeleton;
    let (takes, failed) = match added {
        Ok(added) => (motion::listed(added, skeleton), None),
        Err(why) => (Vec::new(), Some(why)),
    };
    fit::print(&args.fit, &rigged, takes, output)?;
    if let Some(why) = failed {
        let text = format!("the skeleton is saved, but there is no walk. {why}");
        return Err(CliError::Other(text));
    }
    if !args.fit.json {
        let takes = rigged.scene.animation.takes.list.len();
        let takes = count(takes, "take", "takes");
        output.line(format_args!("  {takes}; {} ms in all", start.elapsed().as_millis()))?;
    }
    Ok(())
}
