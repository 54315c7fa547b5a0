//! `ossature convert`: reads a scene and writes it again.

use super::output::Output;
use super::{CliError, args};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Members that this program does not know are kept. Both files may be the same.

Examples:
  ossature convert old.js3d new.js3d";

/// Read a scene and write it again (js3d to js3d)
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file to read (js3d)
    input: PathBuf,
    /// Scene file to write (.js3d)
    output: PathBuf,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let scene = args::load(&args.input, output)?;
    args::save(&args.output, &scene)
}
