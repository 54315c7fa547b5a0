//! Reads whole files safely: only regular files, limited in size, with helpful errors. Independent of any
//! format.

use super::limits::FILE_BYTES;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Why a file could not be read at all: the problem, its place and a hint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadError {
    /// The file itself: missing, a folder, not permitted, too large.
    #[error("cannot read the file: {problem}. {hint}: {path}")]
    File { problem: String, hint: String, path: String },
    /// Not JSON, or not the JSON of a scene.
    #[error("{problem} at byte {offset} (line {line}, column {column}). {}", open_ended(hint))]
    Syntax { problem: String, offset: usize, line: usize, column: usize, hint: String },
    /// JSON, but with a value that no scene can have. `pointer` is a JSON pointer.
    #[error("{problem} at {}. {}", if pointer.is_empty() { "the top of the file" } else { pointer }, open_ended(hint))]
    Value { problem: String, pointer: String, hint: String },
    /// A line of text, counted from 1, that is not a valid statement.
    #[error("line {line}: {problem}. {}", open_ended(hint))]
    Line { problem: String, line: usize, hint: String },
    #[error("reading was cancelled; nothing was opened or changed")]
    Cancelled,
    /// The file contains nothing usable.
    #[error("{problem}. {}", open_ended(hint))]
    Content { problem: String, hint: String },
}

/// Removes the full stop: more text may follow.
fn open_ended(hint: &str) -> &str {
    hint.trim_end_matches('.')
}

/// How many bytes are read between two calls of `progress`.
const CHUNK_BYTES: u64 = 4 << 20;

/// Reads a regular file of at most [`FILE_BYTES`]. `kind` is the expected kind of file, for hints: `js3d`.
///
/// # Errors
/// [`ReadError::File`].
pub fn read(path: &Path, kind: &str) -> Result<Vec<u8>, ReadError> {
    read_with_progress(path, kind, &|_| true)
}

/// Reads a file like [`read`]. `progress` receives the fraction read so far, from 0 to 1, and returns whether
/// to continue.
///
/// # Errors
/// [`ReadError::File`], [`ReadError::Cancelled`].
pub fn read_with_progress(
    path: &Path,
    kind: &str,
    progress: &dyn Fn(f32) -> bool,
) -> Result<Vec<u8>, ReadError> {
    let file_error = |problem: &str, hint: &str| ReadError::File {
        problem: problem.to_owned(),
        hint: hint.to_owned(),
        path: path.display().to_string(),
    };
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            file_error("there is no such file", "Check its name and folder; it may have been moved")
        }
        std::io::ErrorKind::PermissionDenied => file_error(
            "you do not have permission to read it",
            "Ask its owner for permission, or copy it elsewhere",
        ),
        _ => file_error(&error.to_string(), "Check that the disk or the network folder is there"),
    };
    let too_large = || {
        let problem = format!("it is larger than {} MiB", FILE_BYTES >> 20);
        file_error(&problem, &format!("Split it, or check that it is a {kind} file"))
    };
    // Checked before the file is opened: opening a pipe waits for a writer.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(file_error("it is a folder", "Choose a file in it"));
    }
    if !metadata.is_file() {
        return Err(file_error("it is a pipe or a device", "Save its content to a file first"));
    }
    if metadata.len() > FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let mut file = File::open(path).map_err(failed)?;
    loop {
        let read = (&mut file).take(CHUNK_BYTES).read_to_end(&mut bytes).map_err(failed)?;
        // The file may grow while it is read.
        let ended = read == 0 || bytes.len() as u64 > FILE_BYTES;
        let fraction = bytes.len() as f32 / metadata.len().max(1) as f32;
        if !progress(if ended { 1.0 } else { fraction.min(0.999) }) {
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
