//! Reading whole files with care: only regular files, none too large, and errors that help. Knows no
//! format.

use super::limits::FILE_BYTES;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Why a file could not be read at all. Says what, where and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The file itself: missing, a folder, no permission, too large.
    #[error("cannot read the file: {what}. {hint}: {path}")]
    File {
        what: String,
        hint: String,
        path: String,
    },
    /// Not JSON, or not the JSON of a scene.
    #[error(
        "{what} at byte {offset} (line {line}, column {column}). {}",
        open_ended(hint)
    )]
    Syntax {
        what: String,
        offset: usize,
        line: usize,
        column: usize,
        hint: String,
    },
    /// JSON, but a value that no scene can have. `at` is a JSON pointer.
    #[error("{what} at {}. {}", if at.is_empty() { "the top of the file" } else { at }, open_ended(hint))]
    Value { what: String, at: String, hint: String },
    /// A line of text, counted from 1, that cannot be what it says it is.
    #[error("line {line}: {what}. {}", open_ended(hint))]
    Line { what: String, line: usize, hint: String },
    #[error("reading was cancelled; nothing was opened or changed")]
    Cancelled,
    /// Nothing in the file is of use.
    #[error("{what}. {}", open_ended(hint))]
    Content { what: String, hint: String },
}

/// Without its full stop: more may be said behind it.
fn open_ended(hint: &str) -> &str {
    hint.trim_end_matches('.')
}

/// Read between two calls of `progress`, in bytes.
const PIECE: u64 = 4 << 20;

/// The bytes of a regular file of at most [`FILE_BYTES`]. `kind` says of which kind it should be, for
/// hints: `js3d`.
///
/// # Errors
/// [`ReadError::File`].
pub fn read(path: &Path, kind: &str) -> Result<Vec<u8>, ReadError> {
    read_watched(path, kind, &|_| true)
}

/// As [`read`]. `progress` is told what part of the file has been read, from 0 to 1; false ends it.
///
/// # Errors
/// [`ReadError::File`], [`ReadError::Cancelled`].
pub fn read_watched(path: &Path, kind: &str, progress: &dyn Fn(f32) -> bool) -> Result<Vec<u8>, ReadError> {
    let refuse = |what: &str, hint: &str| ReadError::File {
        what: what.to_owned(),
        hint: hint.to_owned(),
        path: path.display().to_string(),
    };
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse(
            "there is no such file",
            "Check its name and folder; it may have been moved",
        ),
        std::io::ErrorKind::PermissionDenied => refuse(
            "you may not read it",
            "Ask its owner for permission, or copy it elsewhere",
        ),
        _ => refuse(
            &error.to_string(),
            "Check that the disk or the network folder is there",
        ),
    };
    let too_large = || {
        let what = format!("it is larger than {} MiB", FILE_BYTES >> 20);
        refuse(&what, &format!("Split it, or check that it is a {kind} file"))
    };
    // Looked at before it is opened: opening a pipe waits for a writer.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(refuse("it is a folder", "Choose a file in it"));
    }
    if !metadata.is_file() {
        return Err(refuse(
            "it is a pipe or a device",
            "Save its content to a file first",
        ));
    }
    if metadata.len() > FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let mut file = File::open(path).map_err(failed)?;
    loop {
        let piece = (&mut file).take(PIECE).read_to_end(&mut bytes).map_err(failed)?;
        // It may grow while it is read.
        let ended = piece == 0 || bytes.len() as u64 > FILE_BYTES;
        let part = bytes.len() as f32 / metadata.len().max(1) as f32;
        if !progress(if ended { 1.0 } else { part.min(0.999) }) {
            return Err(ReadError::Cancelled);
        }
        if ended {
            break;
        }
    }
    if bytes.len() as u64 > FILE_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}
