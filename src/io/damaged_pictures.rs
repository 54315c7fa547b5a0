//! Pictures of a scene that begin well and are damaged behind that: what `js3d::missing_pictures` does not see.

use super::js3d;
use super::picture::Picture;
use super::picture_files::objection;
use super::report::Report;
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
use std::collections::BTreeSet;
use std::path::Path;

/// Decodes all pictures that textures name, from `folder` on, or hold; each once.
pub fn damaged_pictures(scene: &Scene, folder: Option<&Path>) -> Report {
    let mut report = Report::default();
    let mut seen = BTreeSet::new();
    for (name, texture) in &scene.textures {
        if let TextureKind::Image { image, .. } = &texture.kind
            && seen.insert(image)
            && objection(image, folder).is_none()
            && let Err(error) = Picture::of_texture(image, folder)
        {
            js3d::add_picture(&mut report, "damaged-picture", name, &error);
        }
    }
    report
}
