//! Reads glTF 2.0 as a scene: skins become skeletons with links and weights, animations become takes. What
//! js3d cannot represent is measured and reported.
//!
//! Everything is checked once (`check`) before it is used; sizes are checked before memory is allocated; only
//! files below the folder of the file are opened.

mod accessor;
mod animate;
mod build;
mod check;
mod counts;
mod empties;
mod extensions;
mod file_keys;
mod instancing;
mod lights;
mod losses;
mod materials;
mod motion;
mod moving_nodes;
mod nodes;
mod pieces;
mod range;
mod rig;
mod scene;
mod shapes;
mod skins;
mod source;
mod surface;
mod values;
mod weights;
mod weld;

use super::packed;
use super::schema::Image;
use crate::io::embedded_picture::{embed, is_embedded};
use crate::io::file::{self, ReadError};
use crate::io::import::{ImportOptions, SceneImport};
use crate::io::js3d;
use crate::io::picture_files::header_error;
use crate::io::report::Report;
use crate::scene::resource::TextureKind;
use source::Source;
use std::path::Path;
use std::sync::Arc;

const HINT: &str = "Export it again, or check it with the Khronos glTF validator";

/// Reads a file, binary or JSON. `folder` is the folder of the file, for separate buffers and images.
///
/// # Errors
/// If the file is not glTF 2.0, is inconsistent, or needs an unknown extension.
pub fn read(bytes: &[u8], folder: Option<&Path>, options: &ImportOptions) -> Result<SceneImport, ReadError> {
    let mut report = Report::default();
    let mut source = Source::open(bytes, folder, &mut report)?;
    check::check(&source)?;
    if let Some(read) = original_scene(&source, folder, options) {
        return Ok(read);
    }
    moving_nodes::add_skin(&mut source, &mut report)?;
    values::check(&source.document, &mut report);
    extensions::report(source.json, &source.document.extensions_required, &mut report);
    losses::report(&source.document, &mut report);
    let built = scene::build(&source, options, &mut report)?;
    Ok(SceneImport { scene: built.scene, report, animations: built.animations, embedded: built.embedded })
}

/// Reads a file like [`read`], with the progress of [`file::read_with_progress`].
///
/// # Errors
/// The errors of [`read`] and [`file::read_with_progress`].
pub fn read_with_progress(
    path: &Path,
    options: &ImportOptions,
    progress: &dyn Fn(f32) -> bool,
) -> Result<SceneImport, ReadError> {
    read(&file::read_with_progress(path, "glTF", progress)?, path.parent(), options)
}

/// Returns the original scene in a file of ours that was not changed since. If one animation or a frame rate
/// is requested, the file is read like others. Missing picture files are replaced by the copies in the file.
fn original_scene(source: &Source, folder: Option<&Path>, options: &ImportOptions) -> Option<SceneImport> {
    let ImportOptions { take, without_images, rate, all_frames } = options;
    if take.is_some() || rate.is_some() || *all_frames {
        return None;
    }
    let js3d = packed::unpack(source.json, &source.document, source.buffers.first()?)?;
    let (mut scene, _) = js3d::read(&js3d).ok()?;
    let mut embedded = 0;
    for (name, texture) in scene.textures.iter_mut() {
        let is_named = |image: &&Image| image.name.as_ref() == Some(name);
        let mut images = source.document.images.iter().filter(is_named);
        let view = images.next().and_then(|image| image.buffer_view);
        if let (TextureKind::Image { image, .. }, Some(view)) = (&texture.kind, view)
            && !is_embedded(image)
            && header_error(image, folder).is_some()
        {
            embedded += 1;
            if *without_images {
                continue;
            }
            let stem = Path::new(&**image).file_stem().unwrap_or_default();
            let embedded_text = embed(&stem.to_string_lossy(), None, source.view(view, None));
            if let TextureKind::Image { image, .. } = &mut Arc::make_mut(texture).kind {
                *image = embedded_text.into();
            }
        }
    }
    let mut report = js3d::missing_pictures(&scene, folder);
    report.findings.extend(js3d::missing_sound(&scene, folder).findings);
    Some(SceneImport { scene, report, animations: Vec::new(), embedded })
}

fn refuse(pointer: impl Into<String>, problem: impl Into<String>) -> ReadError {
    ReadError::Value { problem: problem.into(), pointer: pointer.into(), hint: HINT.into() }
}

/// Shortens text from a file for a message.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
