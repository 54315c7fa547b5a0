//! `ossature check`: lists all findings about a file and describes its surfaces.

use super::input::InspectedFile;
use super::output::{Output, summary};
use super::surfaces::{self, Described};
use super::{CliError, args};
use crate::io::damaged_pictures::damaged_pictures;
use crate::io::report::{Finding, Severity};
use serde::Serialize;

const EXAMPLES: &str = "\
The exit status is 1 if the file cannot be read or if a finding is an error, otherwise 0.

Examples:
  ossature check scene.js3d
  ossature check --json scene.js3d
  ossature check body.obj
  ossature check character.glb";

/// Check a scene file, a glTF file or an OBJ mesh, and list what is wrong with it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InspectedFile,
}

#[derive(Serialize)]
struct Checked<'a> {
    file: String,
    /// Whether the file could be read; `error` has the reason if not.
    readable: bool,
    error: Option<String>,
    findings: &'a [Finding],
    surfaces: &'a [Described],
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let read = surfaces::read(&args.input.file);
    let file = args.input.file.display().to_string();
    let (scene, mut report) = match read {
        Ok(read) => read,
        Err(error) => {
            if args.input.json {
                output.json(&Checked {
                    file,
                    readable: false,
                    error: Some(error.to_string()),
                    findings: &[],
                    surfaces: &[],
                })?;
            }
            return Err(args::unreadable(&args.input.file, error));
        }
    };
    let damaged = damaged_pictures(&scene, args.input.file.parent());
    report.findings.extend(damaged.findings);
    let surfaces = surfaces::describe(&scene, &report);
    if args.input.json {
        output.json(&Checked {
            file,
            readable: true,
            error: None,
            findings: &report.findings,
            surfaces: &surfaces,
        })?;
    } else {
        for finding in &report.findings {
            output.line(finding)?;
        }
        if report.is_empty() {
            output.line(format_args!("{file}: nothing found"))?;
        }
        for surface in &surfaces {
            surface.print(output)?;
        }
    }
    if report.findings.iter().any(|f| f.severity == Severity::Error) {
        return Err(CliError::Findings { path: args.input.file.clone(), count: summary(&report) });
    }
    Ok(())
}
