//! `ossature history`: writes the steps of a session as a script.

use super::output::Output;
use super::target::Force;
use super::{CliError, recover};
use crate::edit::journal::replay;
use crate::edit::session::Session;
use crate::io::{durable, js3d};
use std::path::PathBuf;

const EXAMPLES: &str = "\
The script begins with the document as it was when the session opened it: --base writes that. `ossature run`
carries the script out, on this document or on another that has the same bones.

Examples:
  ossature history 1700000000-Ab3dE6gH
  ossature history 1700000000-Ab3dE6gH -o steps.jsonl --base before.js3d";

/// Write what was done in a session as a script
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The session, as `ossature recover` names it
    session: String,
    /// Script to write (.jsonl) [default: it is printed]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Scene file to write (.js3d): the document that the script begins with
    #[arg(long, value_name = "BASE")]
    base: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    if let Some(path) = args.output.as_ref().filter(|path| path.exists() && !args.force.force) {
        let text = format!("{} is there already; --force replaces it", path.display());
        return Err(CliError::Other(text));
    }
    let (found, _folder) = recover::find(&recover::store()?, &args.session)?;
    let recovered = recover::recover(&found, output)?;
    let script = replay::script(&recovered.steps, Session::new(recovered.base.clone(), None));
    let script = script.map_err(|(step, error)| CliError::Other(format!("step {step}: {error}")))?;
    if let Some(base) = &args.base {
        args.force.target(base, &js3d::KIND)?.save(&recovered.base, output)?;
    }
    match &args.output {
        Some(path) => durable::save(path, script.as_bytes()).map(drop).map_err(CliError::from),
        None => script.lines().try_for_each(|line| output.line(line)),
    }
}
