//! `ossature check`: every finding about a file.

use super::output::{Output, summary};
use super::{CliError, args};
use crate::io::js3d;
use crate::io::report::{Finding, Severity};
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Exit status 1 if the file cannot be read or a finding is an error.

Examples:
  ossature check scene.js3d
  ossature check --json scene.js3d";

/// Say what is wrong with a scene file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d)
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Checked<'a> {
    file: String,
    /// False if the file was refused; `error` says why.
    readable: bool,
    error: Option<String>,
    findings: &'a [Finding],
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let read = js3d::read_file(&args.file);
    let file = args.file.display().to_string();
    let report = match read {
        Ok((_, report)) => report,
        Err(error) => {
            if args.json {
                output.json(&Checked {
                    file,
                    readable: false,
                    error: Some(error.to_string()),
                    findings: &[],
                })?;
            }
            return Err(args::unreadable(&args.file, error));
        }
    };
    if args.json {
        output.json(&Checked {
            file,
            readable: true,
            error: None,
            findings: &report.findings,
        })?;
    } else {
        for finding in &report.findings {
            output.line(finding)?;
        }
        if report.is_empty() {
            output.line(format_args!("{file}: nothing found"))?;
        }
    }
    if report.findings.iter().any(|f| f.severity == Severity::Error) {
        return Err(CliError::Findings {
            path: args.file.clone(),
            count: summary(&report),
        });
    }
    Ok(())
}
