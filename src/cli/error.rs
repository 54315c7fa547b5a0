//! Errors of headless commands.

use crate::edit::command::CommandError;
use crate::io::durable::SaveError;
use crate::io::file::ReadError;
use crate::io::format::WriteError;
use crate::io::limits::LimitError;
use std::io;
use std::path::PathBuf;

/// The reason why a headless command failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A file could not be read. [`ReadError::File`] already names the path.
    #[error("{}", read_message(path, error))]
    Read { path: PathBuf, error: ReadError },
    #[error("{0}")]
    Write(#[from] WriteError),
    #[error("{0}")]
    Limit(#[from] LimitError),
    #[error("{0}")]
    Save(#[from] SaveError),
    #[error("{0}")]
    Command(#[from] CommandError),
    #[error("cannot write the output: {0}; check where it goes to")]
    Output(#[from] io::Error),
    #[error("{}: {count} found; each states where it is and how it was handled", path.display())]
    Findings { path: PathBuf, count: String },
    #[error(
        "this build has no window: it was made without the feature `editor`. \
         Build with `cargo build --release`, or use a headless command (see `ossature --help`)"
    )]
    NoWindow,
    #[error(
        "the system cannot start another thread, which the window needs; close other programs and try again"
    )]
    NoThreads,
    #[error("{0}")]
    Other(String),
}

impl CliError {
    /// Whether the reader of the output closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn read_message(path: &std::path::Path, error: &ReadError) -> String {
    match error {
        ReadError::File { .. } => error.to_string(),
        _ => format!("{}: {error}", path.display()),
    }
}
