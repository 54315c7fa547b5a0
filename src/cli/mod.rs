//! The command line: headless commands, which use the same code as the window, and the way into the
//! window itself. Nothing is computed here.
//!
//! Exit status: 0; 1 if something could not be done or the arguments make no sense (a message says what, on
//! the standard error stream).

mod args;
mod bake;
mod check;
mod convert;
mod error;
mod escape;
mod handles;
mod history;
mod ik;
mod info;
mod input;
mod measure;
mod muting;
mod output;
mod paint;
mod pose;
mod poses;
mod recover;
pub mod render;
mod rig;
mod run;
pub mod screenshot;
mod skin;
mod surfaces;
mod takes;
mod target;
mod tasks;
mod weights;

use clap::{Parser, Subcommand};
pub use error::CliError;
use output::Output;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  ossature                                        open the human that comes with the program
  ossature scene.js3d                             open a scene in the window
  ossature info scene.js3d                        show what it contains
  ossature convert body.obj body.js3d             make a scene from an OBJ mesh
  ossature pose scene.js3d --set 17=40,0,0        print the matrices of a pose
  ossature weights scene.js3d -o bound.js3d       calculate bone weights
  ossature skin scene.js3d --frame 12 -o f12.obj  write the deformed surface at a frame
  ossature render scene.js3d -o walk.gif          render the animation to a GIF";

/// Rig and animate characters.
#[derive(Debug, Parser)]
#[command(name = "ossature", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    /// Scene to open in the window (js3d or glTF) [default: the human that comes with the program]
    file: Option<PathBuf>,
    /// Open the window with its default settings, and save no preferences
    #[arg(long)]
    no_preferences: bool,
    #[command(subcommand)]
    command: Option<Headless>,
}

#[derive(Debug, Subcommand)]
enum Headless {
    Info(info::Args),
    Check(check::Args),
    Convert(convert::Args),
    Pose(pose::Args),
    Poses(poses::Args),
    Ik(ik::Args),
    Rig(rig::Args),
    Bake(bake::Args),
    Takes(takes::Args),
    Run(run::Args),
    Recover(recover::Args),
    History(history::Args),
    Weights(weights::Args),
    Paint(paint::Args),
    Skin(skin::Args),
    Measure(measure::Args),
    Screenshot(screenshot::ScreenshotArgs),
    Render(render::Args),
}

/// Reads the arguments of the process and does what they say.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    outlive_file_limits();
    // Not locked: the window's threads may write too.
    let (mut out, mut err) = (std::io::BufWriter::new(std::io::stdout()), std::io::stderr());
    ExitCode::from(run(std::env::args_os(), &mut out, &mut err))
}

/// Does what the arguments say, of which the first is the name of the program, and returns the exit status.
/// Results go to `out`, messages to `err`.
pub fn run(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let mut output = Output::new(out, err);
    let done = match Cli::try_parse_from(arguments) {
        Ok(cli) => match (has_threads(), &cli.command) {
            (false, None) => Err(CliError::NoThreads),
            (true, _) => carry_out(cli, &mut output),
            (false, Some(_)) => {
                output.note("the system has no thread to spare, so that all work is done in one");
                carry_out(cli, &mut output)
            }
        }
        .and_then(|()| output.flush()),
        Err(error) => {
            // Help and version are no errors.
            let status = u8::from(error.use_stderr());
            output.usage(error);
            let _ = output.flush();
            return status;
        }
    };
    match done {
        // Whoever read the output has seen enough.
        Err(error) if error.is_broken_pipe() => 0,
        Err(error) => {
            // What was printed before the error stays in front of it.
            let _ = output.flush();
            output.error(&error);
            1
        }
        Ok(()) => 0,
    }
}

/// A file that grows beyond the limit of the process is an error of whoever writes it. By default the system
/// ends the program.
#[cfg(unix)]
fn outlive_file_limits() {
    use signal_hook::consts::signal::SIGXFSZ;
    // Nobody asks for the flag: the error is enough. Without a handler it is as it was.
    let _ = signal_hook::flag::register(SIGXFSZ, Default::default());
}

/// Whether threads can be had. Where none can, rayon would panic at its first use: it then works in this
/// thread, which must be the one that runs the command.
fn has_threads() -> bool {
    // A pool that is dropped at once: rayon's own can be made only once.
    if rayon::ThreadPoolBuilder::new().build().is_ok() {
        return true;
    }
    let here = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread();
    // It fails if there is a pool after all.
    let _ = here.build_global();
    false
}

fn carry_out(cli: Cli, output: &mut Output) -> Result<(), CliError> {
    match cli.command {
        None => window(cli.file, cli.no_preferences),
        Some(Headless::Info(args)) => info::run(&args, output),
        Some(Headless::Check(args)) => check::run(&args, output),
        Some(Headless::Convert(args)) => convert::run(&args, output),
        Some(Headless::Pose(args)) => pose::run(&args, output),
        Some(Headless::Poses(args)) => poses::run(&args, output),
        Some(Headless::Ik(args)) => ik::run(&args, output),
        Some(Headless::Rig(args)) => rig::run(&args, output),
        Some(Headless::Bake(args)) => bake::run(&args, output),
        Some(Headless::Takes(args)) => takes::run(&args, output),
        Some(Headless::Run(args)) => run::run(&args, output),
        Some(Headless::Recover(args)) => recover::run(&args, output),
        Some(Headless::History(args)) => history::run(&args, output),
        Some(Headless::Weights(args)) => weights::run(&args, output),
        Some(Headless::Paint(args)) => paint::run(&args, output),
        Some(Headless::Skin(args)) => skin::run(&args, output),
        Some(Headless::Measure(args)) => measure::run(&args, output),
        Some(Headless::Screenshot(args)) => screenshot::run(args, output),
        Some(Headless::Render(args)) => render::run(&args, output),
    }
}

#[cfg(feature = "editor")]
fn window(file: Option<PathBuf>, no_preferences: bool) -> Result<(), CliError> {
    let preferences = match no_preferences {
        true => None,
        false => crate::edit::preferences::file_in(|name| std::env::var_os(name)),
    };
    crate::editor::run(file, preferences).map_err(|error| CliError::Other(error.to_string()))
}

#[cfg(not(feature = "editor"))]
fn window(_file: Option<PathBuf>, _no_preferences: bool) -> Result<(), CliError> {
    Err(CliError::NoWindow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples_of_itself() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(help.contains(&format!("ossature {name} ")), "{name}: {help}");
        }
    }

    /// Examples that do not parse would be worse than none.
    #[test]
    fn examples_parse() {
        let mut texts = vec![EXAMPLES.to_owned()];
        let command = Cli::command();
        texts.extend(
            command
                .get_subcommands()
                .filter_map(|c| c.get_after_help())
                .map(|h| h.to_string()),
        );
        let lines = texts.iter().flat_map(|text| text.lines().map(str::trim));
        let mut parsed = 0;
        for line in lines.filter(|line| line.starts_with("ossature")) {
            // An explanation follows after two spaces.
            let words = line.split("  ").next().unwrap_or_default().split_whitespace();
            let words = words.map(|word| word.trim_matches('\''));
            if let Err(error) = Cli::try_parse_from(words) {
                panic!("{line}: {error}");
            }
            parsed += 1;
        }
        assert!(parsed > 10, "only {parsed} examples found");
    }
}
