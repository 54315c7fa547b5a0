//! The command line: headless commands, which share their code with the window, and the start of the window
//! itself. No computation happens here.
//!
//! The exit status is 0, or 1 if a command failed or its arguments are invalid; a message on standard error
//! explains why.

mod args;
mod bake;
mod check;
mod convert;
mod drag;
mod error;
mod escape;
mod fit;
mod handles;
mod history;
mod ik;
mod info;
mod input;
mod keys;
mod measure;
mod motion;
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
mod walk;
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
    Drag(drag::Args),
    Fit(fit::Args),
    Walk(walk::Args),
    Rig(rig::Args),
    Bake(bake::Args),
    Takes(takes::Args),
    Keys(keys::Args),
    Motion(motion::Args),
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

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    #[cfg(unix)]
    handle_file_size_limit();
    // Not locked, because the window's threads may write too.
    let (mut out, mut err) = (std::io::BufWriter::new(std::io::stdout()), std::io::stderr());
    ExitCode::from(run(std::env::args_os(), &mut out, &mut err))
}

/// Runs the program and returns its exit status. The first argument is the program's name. Results go to
/// `out`, messages to `err`.
pub fn run(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let mut output = Output::new(out, err);
    let result = match Cli::try_parse_from(args::with_numbers_joined(arguments)) {
        Ok(cli) => match (has_threads(), &cli.command) {
            (false, None) => Err(CliError::NoThreads),
            (true, _) => run_command(cli, &mut output),
            (false, Some(_)) => {
                output.note("the system cannot start another thread; all work is done in one");
                run_command(cli, &mut output)
            }
        }
        .and_then(|()| output.flush()),
        Err(error) => {
            // Help and version are not failures.
            let status = u8::from(error.use_stderr());
            output.usage(error);
            let _ = output.flush();
            return status;
        }
    };
    match result {
        // The reader closed the pipe on purpose.
        Err(error) if error.is_broken_pipe() => 0,
        Err(error) => {
            // Keeps earlier output in front of the error.
            let _ = output.flush();
            output.error(&error);
            1
        }
        Ok(()) => 0,
    }
}

/// Turns writing beyond the file size limit of the process into an ordinary write error. By default the
/// system kills the process.
#[cfg(unix)]
fn handle_file_size_limit() {
    use signal_hook::consts::signal::SIGXFSZ;
    // Only the handler matters, not its flag. If registering fails, the default behaviour stays.
    let _ = signal_hook::flag::register(SIGXFSZ, Default::default());
}

/// Returns whether threads can be created. If not, sets up rayon, which would otherwise panic, to work in the
/// current thread; this must be the thread that runs the command.
fn has_threads() -> bool {
    // A temporary pool, because rayon's global pool can be built only once.
    if rayon::ThreadPoolBuilder::new().build().is_ok() {
        return true;
    }
    let current_thread = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    // Fails if there is a global pool after all.
    let _ = current_thread.build_global();
    false
}

fn run_command(cli: Cli, output: &mut Output) -> Result<(), CliError> {
    match cli.command {
        None => open_window(cli.file, cli.no_preferences),
        Some(Headless::Info(args)) => info::run(&args, output),
        Some(Headless::Check(args)) => check::run(&args, output),
        Some(Headless::Convert(args)) => convert::run(&args, output),
        Some(Headless::Pose(args)) => pose::run(&args, output),
        Some(Headless::Poses(args)) => poses::run(&args, output),
        Some(Headless::Ik(args)) => ik::run(&args, output),
        Some(Headless::Drag(args)) => drag::run(&args, output),
        Some(Headless::Fit(args)) => fit::run(&args, output),
        Some(Headless::Walk(args)) => walk::run(&args, output),
        Some(Headless::Rig(args)) => rig::run(&args, output),
        Some(Headless::Bake(args)) => bake::run(&args, output),
        Some(Headless::Keys(args)) => keys::run(&args, output),
        Some(Headless::Takes(args)) => takes::run(&args, output),
        Some(Headless::Motion(args)) => motion::run(&args, output),
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
fn open_window(file: Option<PathBuf>, no_preferences: bool) -> Result<(), CliError> {
    let preferences = if no_preferences {
        None
    } else {
        crate::edit::settings::preferences::file_in(|name| std::env::var_os(name))
    };
    crate::editor::run(file, preferences).map_err(|error| CliError::Other(error.to_string()))
}

#[cfg(not(feature = "editor"))]
fn open_window(_file: Option<PathBuf>, _no_preferences: bool) -> Result<(), CliError> {
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
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("ossature {name} ")), "{name}: {help}");
        }
    }

    /// All examples in help texts must be valid command lines.
    #[test]
    fn examples_parse() {
        let mut texts = vec![EXAMPLES.to_owned()];
        let command = Cli::command();
        texts.extend(command.get_subcommands().filter_map(|c| c.get_after_help()).map(|h| h.to_string()));
        let lines = texts.iter().flat_map(|text| text.lines().map(str::trim));
        let mut parsed = 0;
        for line in lines.filter(|line| line.starts_with("ossature")) {
            // Two spaces separate the command from its explanation.
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
