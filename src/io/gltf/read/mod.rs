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
mod counts;
mod keys;
mod lights;
mod materials;
mod motion;
mod names;
mod nodes;
pub mod options;
mod pieces;
mod rig;
mod scene;
mod skins;
mod source;
mod surface;
mod values;
mod weld;

use super::schema::Image;
use super::{glb, packed};
use crate::io::embedded_picture::{embed, is_embedded};
use crate::io::file::{self, ReadError};
use crate::io::js3d;
use crate::io::picture_files::objection;
use crate::io::report::Report;
use crate::scene::resource::TextureKind;
pub use options::{Options, Read};
use source::Source;
use std::path::Path;
use std::sync::Arc;

const HINT: &str = "Export it again, or check it with the Khronos glTF validator";

/// Reads a file, binary or JSON. `folder`: that of the file, for buffers and images beside it.
///
/// # Errors
/// If it is not glTF 2.0, does not hold together, or needs an extension that is not known.
pub fn read(bytes: &[u8], folder: Option<&Path>, options: &Options) -> Result<Read, ReadError> {
    let mut report = Report::default();
    let source = Source::open(bytes, folder, &mut report)?;
    check::check(&source)?;
    if let Some(read) = whole(bytes, &source, folder, options) {
        return Ok(read);
    }
    values::check(&source.document, &mut report);
    let built = scene::build(&source, options, &mut report)?;
    Ok(Read {
        scene: built.scene,
        report,
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

/// The scene that rides along in a file of our own that nobody has changed. Where one animation or frames are asked for,
/// the file is read as others are. Pictures of other files that are not found are those that lie in this one.
fn whole(bytes: &[u8], source: &Source, folder: Option<&Path>, options: &Options) -> Option<Read> {
    let Options {
        take,
        without_images,
        rate,
        all_frames,
    } = options;
    if take.is_some() || rate.is_some() || *all_frames {
        return None;
    }
    let json = glb::parse(bytes).map_or(bytes, |glb| glb.json);
    let js3d = packed::unpacked(json, &source.document, source.buffers.first()?)?;
    let (mut scene, _) = js3d::read(&js3d).ok()?;
    let mut embedded = 0;
    for (name, texture) in scene.textures.iter_mut() {
        let is_named = |image: &&Image| image.name.as_ref() == Some(name);
        let mut images = source.document.images.iter().filter(is_named);
        let view = images.next().and_then(|image| image.buffer_view);
        if let (TextureKind::Image { image, .. }, Some(view)) = (&texture.kind, view)
            && !is_embedded(image)
            && objection(image, folder).is_some()
        {
            embedded += 1;
            if *without_images {
                continue;
            }
            let stem = Path::new(&**image).file_stem().unwrap_or_default();
            let held = embed(&stem.to_string_lossy(), None, source.view(view, None));
            if let TextureKind::Image { image, .. } = &mut Arc::make_mut(texture).kind {
                *image = held.into();
            }
        }
    }
    let report = js3d::missing_pictures(&scene, folder);
    Some(Read {
        scene,
        report,
        animations: Vec::new(),
        embedded,
    })
}

fn refuse(at: impl Into<String>, what: impl Into<String>) -> ReadError {
    ReadError::Value {
        what: what.into(),
        at: at.into(),
        hint: HINT.into(),
    }
}
