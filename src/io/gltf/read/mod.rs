//! glTF 2.0 as a scene: skins become skeletons with links and weights, animations become takes. What js3d cannot say
//! is measured and told.
//!
//! Everything is checked once, by index, before it is used (`check`); sizes are checked before memory is asked for; no
//! file is opened but those below the folder of the file.

mod accessor;
mod animate;
mod bones;
mod build;
mod check;
mod keys;
mod lights;
mod materials;
mod motion;
mod names;
mod nodes;
mod rig;
mod scene;
mod skins;
mod source;
mod surface;
mod weld;

use super::{glb, packed};
use crate::io::file::{self, ReadError};
use crate::io::js3d;
use crate::io::report::Report;
use crate::scene::Scene;
use source::Source;
use std::path::{Path, PathBuf};

const HINT: &str = "Export it again, or check it with the Khronos glTF validator";

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The one animation that is taken; all where none is named.
    pub take: Option<String>,
    /// Where images that lie in the file go; without it they are left out.
    pub textures: Option<PathBuf>,
    /// Frames per second; without it the least at which all keys fall on frames.
    pub rate: Option<f32>,
    /// Whether every frame becomes a key.
    pub all_frames: bool,
}

/// What a file holds.
pub struct Read {
    pub scene: Scene,
    pub report: Report,
    /// Images to write, where a folder for them was given.
    pub images: Vec<(PathBuf, Vec<u8>)>,
    /// Names of the animations of the file, whether they were taken or not. None of a scene that rides along.
    pub animations: Vec<String>,
    /// How many images lie in the file itself.
    pub embedded: usize,
}

/// Reads a file, binary or JSON. `folder`: that of the file, for buffers and images beside it.
///
/// # Errors
/// If it is not glTF 2.0, does not hold together, or needs an extension that is not known.
pub fn read(bytes: &[u8], folder: Option<&Path>, options: &Options) -> Result<Read, ReadError> {
    let mut report = Report::default();
    let source = Source::open(bytes, folder, &mut report)?;
    check::check(&source)?;
    if let Some(read) = whole(bytes, &source, options) {
        return Ok(read);
    }
    let built = scene::build(&source, options, &mut report)?;
    Ok(Read {
        scene: built.scene,
        report,
        images: built.images,
        animations: built.animations,
        embedded: built.embedded,
    })
}

/// As [`read`], with what [`file::read_watched`] says of progress.
///
/// # Errors
/// As [`read`] and [`file::read_watched`].
pub fn read_watched(
    path: &Path,
    options: &Options,
    progress: &dyn Fn(f32) -> bool,
) -> Result<Read, ReadError> {
    read(
        &file::read_watched(path, "glTF", progress)?,
        path.parent(),
        options,
    )
}

/// The scene that rides along in a file of our own that nobody has changed. Where one animation, pictures or frames
/// are asked for, the file is read as others are.
fn whole(bytes: &[u8], source: &Source, options: &Options) -> Option<Read> {
    let Options {
        take,
        textures,
        rate,
        all_frames,
    } = options;
    if take.is_some() || textures.is_some() || rate.is_some() || *all_frames {
        return None;
    }
    let json = glb::parse(bytes).map_or(bytes, |glb| glb.json);
    let js3d = packed::unpacked(json, &source.document, source.buffers.first()?)?;
    let (scene, report) = js3d::read(&js3d).ok()?;
    Some(Read {
        scene,
        report,
        images: Vec::new(),
        animations: Vec::new(),
        embedded: 0,
    })
}

fn refuse(at: impl Into<String>, what: impl Into<String>) -> ReadError {
    ReadError::Value {
        what: what.into(),
        at: at.into(),
        hint: HINT.into(),
    }
}
