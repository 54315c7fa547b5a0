//! The command that changes the images of textures.

use super::effects::Edit;
use super::{CommandError, Result};
use crate::scene::resource::TextureKind;
use std::collections::BTreeMap;

pub fn set(edit: &mut Edit, images: &BTreeMap<String, String>) -> Result {
    for (name, path) in images {
        let texture = edit.scene.textures.get(name);
        if !texture.is_some_and(|texture| texture.is_image()) {
            return Err(CommandError::NoSuch { kind: "image texture", name: name.clone() });
        }
        edit.change_texture(name, |texture| {
            if let TextureKind::Image { image, .. } = &mut texture.kind
                && **image != **path
            {
                *image = path.as_str().into();
            }
        });
    }
    Ok(())
}
