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
    /// Colours between pixels are blended.
    pub smooth: bool,
}

impl PartialEq for Texture {
    /// Whether both look the same, by identity of the picture.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.picture, &other.picture) && self.smooth == other.smooth
    }
}

/// The pictures of textures; `None` for those without pixels. Textures are told apart by where their text lies, which
/// may be long, and stays where it is while it is kept here.
#[derive(Default)]
pub struct Textures {
    /// Of the scene's file: where paths begin.
    folder: Option<PathBuf>,
    pictures: HashMap<usize, Known>,
    checker: Option<Arc<Picture>>,
}

type Known = (Arc<str>, Option<Arc<Picture>>);

impl Textures {
    /// Pictures of earlier textures that may be kept, since an undo brings them back.
    const SPARE: usize = 4;

    /// The scene is now in `path`, and has these textures: most others are forgotten.
    pub fn of_scene(&mut self, scene: &Scene, path: Option<&Path>) {
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
        self.pictures.retain(|place, _| used.contains(place));
    }

    /// What an image texture looks like; a checker where it cannot be read, which reading the scene has told.
    pub fn get(&mut self, image: &Arc<str>, sampler: &str) -> Option<Texture> {
        let place = image.as_ptr().addr();
        let picture = match self.pictures.get(&place) {
            Some((_, known)) => known.clone(),
            None => {
                let read = Picture::of_texture(image, self.folder.as_deref());
                let picture = read.map_or_else(|_| Some(self.checker()), |picture| picture.map(Arc::new));
                self.pictures.insert(place, (image.clone(), picture.clone()));
                picture
            }
        }?;
        let is_checker = self.checker.as_ref().is_some_and(|of| Arc::ptr_eq(of, &picture));
        let smooth = sampler != "nearest" && !is_checker;
        Some(Texture { picture, smooth })
    }

    /// Decodes all pictures of a scene from its file at `path`. Whether one of them is a checker.
    pub fn warm(&mut self, scene: &Scene, path: Option<&Path>) -> bool {
        self.of_scene(scene, path);
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
