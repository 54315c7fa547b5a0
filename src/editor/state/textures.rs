//! The pictures of textures that are shown, decoded once.

use crate::io::picture::Picture;
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A picture on a surface.
#[derive(Clone, Debug)]
pub struct Texture {
    pub picture: Arc<Picture>,
    /// Whether colours between pixels are interpolated.
    pub smooth: bool,
}

impl PartialEq for Texture {
    /// Whether both look the same, by the identity of the picture.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.picture, &other.picture) && self.smooth == other.smooth
    }
}

/// The pictures of textures; `None` for those without pixels. The key of a texture is the address of its
/// text, which may be long, and cannot move while it is stored here.
#[derive(Default)]
pub struct Textures {
    /// The folder of the scene's file, to which paths are relative.
    folder: Option<PathBuf>,
    pictures: HashMap<usize, Entry>,
    checker: Option<Arc<Picture>>,
}

/// The text of an image texture, and its picture.
type Entry = (Arc<str>, Option<Arc<Picture>>);

impl Textures {
    /// The number of pictures of earlier textures that are kept, since undo may bring them back.
    const SPARE: usize = 4;

    /// Sets the scene and its file, and drops most pictures that it does not use.
    pub fn set_scene(&mut self, scene: &Scene, path: Option<&Path>) {
        let folder = path.and_then(Path::parent);
        if self.folder.as_deref() != folder {
            self.folder = folder.map(Path::to_owned);
            self.pictures.clear();
        }
        if self.pictures.len() <= scene.textures.len() + Self::SPARE {
            return;
        }
        let used = scene.textures.values().filter_map(|texture| match &texture.kind {
            TextureKind::Image { image, .. } => Some(image.as_ptr().addr()),
            TextureKind::Constant { .. } => None,
        });
        let used: HashSet<usize> = used.collect();
        self.pictures.retain(|address, _| used.contains(address));
    }

    /// Returns the picture of an image texture, or a checker if it cannot be read, which reading the scene
    /// reports.
    pub fn get(&mut self, image: &Arc<str>, sampler: &str) -> Option<Texture> {
        let address = image.as_ptr().addr();
        let picture = match self.pictures.get(&address) {
            Some((_, known)) => known.clone(),
            None => {
                let read = Picture::from_texture(image, self.folder.as_deref());
                let picture = read.map_or_else(|_| Some(self.checker()), |picture| picture.map(Arc::new));
                self.pictures.insert(address, (image.clone(), picture.clone()));
                picture
            }
        }?;
        let is_checker = self.checker.as_ref().is_some_and(|checker| Arc::ptr_eq(checker, &picture));
        let smooth = sampler != "nearest" && !is_checker;
        Some(Texture { picture, smooth })
    }

    /// Decodes all pictures of a scene with its file at `path`. Returns whether any is replaced by a checker.
    pub fn load_all(&mut self, scene: &Scene, path: Option<&Path>) -> bool {
        self.set_scene(scene, path);
        for texture in scene.textures.values() {
            if let TextureKind::Image { sampler, image } = &texture.kind {
                self.get(image, sampler);
            }
        }
        self.checker.is_some()
    }

    fn checker(&mut self) -> Arc<Picture> {
        let checker = self.checker.get_or_insert_with(|| Arc::new(Picture::checker()));
        checker.clone()
    }
}
