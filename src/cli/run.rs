//! `ossature run`: runs a script on a scene.

use super::CliError;
use super::input::ChangedScene;
use super::output::Output;
use crate::edit::journal::replay;
use crate::edit::session::Session;
use crate::io::count::counted;
use crate::io::file;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

const EXAMPLES: &str = "\
A script has one step per line, as JSON: commands, undo, the frame that is shown, what is selected. Each does what
the same action does in the window. docs/script.md shows every step and command. Empty lines, and lines that begin
with //, are ignored.

Examples:
  ossature run steps.jsonl scene.js3d -o changed.js3d
  ossature run - scene.js3d -o changed.js3d";

/// Carry out a script of commands, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Script with one step per line; `-` reads standard input
    script: PathBuf,
    #[command(flatten)]
    scene: ChangedScene,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (scene, target) = args.scene.load(output)?;
    let script = read(&args.script)?;
    let session = replay::run(&script, Session::new(scene, None)).map_err(|(line, error)| {
        CliError::Other(format!("{}, line {line}: {error}. Nothing was written", args.script.display()))
    })?;
    if !session.unkeyed().is_empty() {
        output.note(format_args!(
            "{} changed without new keys, so that the old keys count; the line \
             {{\"auto_key\":true}} before the changes keys them",
            counted(session.unkeyed().len(), "animated value was", "animated values were")
        ));
    }
    target.save(session.scene(), output)
}

fn read(path: &Path) -> Result<String, CliError> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map_err(|error| {
            CliError::Other(format!("cannot read the standard input: {error}. Name a file instead"))
        })?;
        bytes
    } else {
        file::read(path, "script").map_err(|error| CliError::Other(error.to_string()))?
    };
    let wrong = |error: FromUtf8Error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        CliError::Other(format!("{}, line {line}: not valid UTF-8; save the file as UTF-8", path.display()))
    };
    let mut text = String::from_utf8(bytes).map_err(wrong)?;
    // Some editors on Windows write a byte order mark.
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}
