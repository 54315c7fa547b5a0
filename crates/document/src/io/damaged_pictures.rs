//! Finds pictures that begin correctly but are damaged further on, which `js3d::missing_pictures` does not
//! detect.

use super::js3d;
use super::picture::Picture;
use super::picture_files::header_error;
use super::report::Report;
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
use std::collections::BTreeSet;
use std::path::Path;

/// Decodes each picture that textures embed or name, relative to `folder`, once, and reports the damaged
/// ones.
pub fn damaged_pictures(scene: &Scene, folder: Option<&Path>) -> Report {
    let mut report = Report::default();
    let mut checked = BTreeSet::new();
    for (name, texture) in &scene.textures {
        if let TextureKind::Image { image, .. } = &texture.kind
            && checked.insert(image)
            && header_error(image, folder).is_none()
            && let Err(error) = Picture::from_texture(image, folder)
        {
            js3d::add_picture_error(&mut report, "damaged-picture", name, &error);
        }
    }
    report
}
