//! `ossature walk`: a bare body becomes a character that moves.

use super::output::{Output, count};
use super::{CliError, args, fit};
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
    let commands = match args.basic_set {
        true => add_basic_set(&rigged.scene, &rigged.mesh, &choice),
        false => add(&rigged.scene, &rigged.mesh, &choice).map(|(commands, _)| commands),
    };
    // A body that cannot walk gets its skeleton all the same.
    let failed = commands
        .and_then(|commands| args::apply(&mut rigged.scene, &commands).map_err(|error| error.to_string()));
    rigged.save(&args.fit, output)?;
    fit::print(&args.fit, &rigged, output)?;
    if let Err(why) = failed {
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
