//! The paths of pictures, and of the sound, when a scene moves to another folder: embedded pictures become files, relative paths
//! are adjusted.

use super::embedded_picture::{EmbeddedPicture, decode_embedded};
use super::picture_files::find;
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The changes that a scene needs before it is saved, so that its pictures are found afterwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PicturePaths {
    /// New paths by texture; unchanged ones are omitted.
    pub images: BTreeMap<String, String>,
    /// The new path of the sound, if it changes.
    pub sound: Option<String>,
    /// Files to write. None of them replaces another file.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl PicturePaths {
    /// Plans the paths of a scene whose paths are relative to `from` (`None` if it has no file yet) and which
    /// will be saved to `file`. Embedded pictures go into `folder`, or else into one next to the file and
    /// named after it.
    pub fn new(scene: &Scene, from: Option<&Path>, file: &Path, folder: Option<&Path>) -> Self {
        let home = canonical(file.parent().unwrap_or(Path::new("")));
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let folder = folder.map_or_else(|| home.join(format!("{stem} textures")), canonical);
        let sound = scene.animation.sound.as_ref();
        let sound = sound.and_then(|sound| relocated(&sound.path, from, Some(&home)));
        let mut new = Self { sound, ..Self::default() };
        // Textures may share a picture.
        let mut assigned: BTreeMap<&str, String> = BTreeMap::new();
        for (name, texture) in &scene.textures {
            let TextureKind::Image { image, .. } = &texture.kind else {
                continue;
            };
            let path = match (assigned.get(&**image), decode_embedded(image)) {
                (Some(path), _) => Some(path.clone()),
                (None, Some(Ok(picture))) => Some(relative(&home, &new.file(&folder, picture))),
                (None, Some(Err(_))) => None,
                (None, None) => relocated(image, from, Some(&home)),
            };
            if let Some(path) = path {
                assigned.insert(image, path.clone());
                new.images.insert(name.clone(), path);
            }
        }
        new
    }

    /// Returns the file of a picture: an existing one with this content, or else one with an unused name.
    fn file(&mut self, folder: &Path, picture: EmbeddedPicture) -> PathBuf {
        let EmbeddedPicture { name, extension, bytes } = picture;
        let mut number = 1;
        loop {
            let path = folder.join(match number {
                1 => format!("{name}.{extension}"),
                _ => format!("{name} {number}.{extension}"),
            });
            let planned = self.files.iter().find(|(planned, _)| *planned == path);
            if planned.is_some_and(|(_, planned)| *planned == bytes) {
                return path;
            }
            if planned.is_none() {
                match std::fs::read(&path) {
                    Ok(content) if content == bytes => return path,
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                        self.files.push((path.clone(), bytes));
                        return path;
                    }
                    _ => {}
                }
            }
            number += 1;
        }
    }
}

/// Changes the paths of a scene from relative to `from` into relative to `to`, or absolute without `to`.
pub fn rebase(scene: &mut Scene, from: Option<&Path>, to: Option<&Path>) {
    let to = to.map(canonical);
    for texture in scene.textures.values_mut() {
        let TextureKind::Image { image, .. } = &texture.kind else {
            continue;
        };
        let relocated = relocated(image, from, to.as_deref());
        if let Some(path) = relocated
            && let TextureKind::Image { image, .. } = &mut Arc::make_mut(texture).kind
        {
            *image = path.into();
        }
    }
    let sound = scene.animation.sound.as_ref();
    if let Some(path) = sound.and_then(|sound| relocated(&sound.path, from, to.as_deref()))
        && let Some(sound) = &mut Arc::make_mut(&mut scene.animation).sound
    {
        sound.path = path;
    }
}

/// Returns the path that a scene in `folder` uses for a file; the absolute path for a scene without a folder.
pub fn path_from(folder: Option<&Path>, file: &Path) -> String {
    let file = canonical_file(file);
    folder.map_or_else(|| file.to_string_lossy().into_owned(), |folder| relative(&canonical(folder), &file))
}

/// Returns the path to use relative to `to` for `image`, which is relative to `from`; `None` if it is
/// unchanged. A missing file stays missing at its old place: another file of the same name is a different
/// one.
fn relocated(image: &str, from: Option<&Path>, to: Option<&Path>) -> Option<String> {
    if image.starts_with("hdr64:") || decode_embedded(image).is_some() {
        return None;
    }
    let Some(found) = find(image, from) else {
        return relocated_missing(image, from, to);
    };
    let found = canonical_file(&found);
    let is_absolute = Path::new(image).is_absolute();
    let Some(to) = to else {
        return (!is_absolute).then(|| found.to_string_lossy().into_owned());
    };
    let is_unchanged = find(image, Some(to)).is_some_and(|path| canonical_file(&path) == found);
    let shortens = is_absolute && found.starts_with(to) && from.is_none_or(|from| canonical(from) != to);
    (shortens || !is_unchanged).then(|| relative(to, &found))
}

/// Relocates the path of a missing file. Paths of other systems and URLs are left unchanged.
fn relocated_missing(image: &str, from: Option<&Path>, to: Option<&Path>) -> Option<String> {
    if image.contains(['\\', ':']) {
        return None;
    }
    let is_absolute = Path::new(image).is_absolute();
    let from = from.map(canonical);
    let missing = match (&from, is_absolute) {
        (_, true) => normalized(Path::new(image)),
        (Some(from), false) => normalized(&from.join(image)),
        (None, false) => return None,
    };
    match to {
        None => (!is_absolute).then(|| missing.to_string_lossy().into_owned()),
        Some(to) => {
            let moves = from.as_deref() != Some(to) && (!is_absolute || missing.starts_with(to));
            moves.then(|| relative(to, &missing))
        }
    }
}

/// Resolves `.` and `..` in the absolute path of a missing file.
fn normalized(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(result.pop()),
            part => result.push(part),
        }
    }
    result
}

/// Returns the canonical path; the absolute path if it does not exist.
fn canonical(path: &Path) -> PathBuf {
    let is_current = path.as_os_str().is_empty();
    let path = if is_current { Path::new(".") } else { path };
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| absolute())
}

/// Returns the path of a file in the canonical form of its folder; the file itself may be a link.
fn canonical_file(path: &Path) -> PathBuf {
    let folder = canonical(path.parent().unwrap_or(Path::new("")));
    path.file_name().map_or(folder.clone(), |name| folder.join(name))
}

/// Returns the path from a folder to a file, with slashes; the absolute path if they have nothing in common.
fn relative(folder: &Path, file: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), file.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let shares = from[..common].iter().any(|part| matches!(part, Component::Normal(_)));
    if !shares && common < from.len() {
        return file.to_string_lossy().into_owned();
    }
    let up = from[common..].iter().map(|_| "..".to_owned());
    let down = to[common..].iter();
    let down = down.map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::super::embedded_picture::embed;
    use super::super::picture_files::write;
    use super::*;
    use crate::scene::resource::Texture;

    fn scene(images: &[&str]) -> Scene {
        let mut scene = Scene::default();
        for (index, image) in images.iter().enumerate() {
            let texture =
                Texture::from(TextureKind::Image { sampler: "bilinear".into(), image: (*image).into() });
            scene.textures.insert(index.to_string(), Arc::new(texture));
        }
        scene
    }

    fn images(paths: &PicturePaths) -> Vec<(&str, &str)> {
        let images = paths.images.iter();
        images.map(|(name, path)| (name.as_str(), path.as_str())).collect()
    }

    #[test]
    fn embedded_pictures_become_files_that_replace_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hero.js3d");
        let (one, two) = (embed("skin", None, b"one"), embed("skin", None, b"two"));
        let scene = scene(&[&one, &two, &one, "data:damaged", "gone.png"]);
        let new = PicturePaths::new(&scene, None, &file, None);
        let expected = [
            ("0", "hero textures/skin.bin"),
            ("1", "hero textures/skin 2.bin"),
            ("2", "hero textures/skin.bin"),
        ];
        assert_eq!(images(&new), expected);
        assert_eq!(new.files.len(), 2);
        write(&new.files).unwrap();
        // Existing files are reused; those whose content has changed are left alone.
        let second = PicturePaths::new(&scene, None, &file, None);
        assert_eq!((images(&second), second.files.len()), (images(&new), 0));
        std::fs::write(folder.path().join("hero textures/skin.bin"), b"painted").unwrap();
        let second = PicturePaths::new(&scene, None, &file, None);
        assert_eq!(second.images["0"], "hero textures/skin 3.bin");
        assert_eq!(second.files.len(), 1);
        let chosen = PicturePaths::new(&scene, None, &file, Some(&folder.path().join("maps")));
        assert_eq!(chosen.images["0"], "maps/skin.bin");
    }

    #[test]
    fn paths_lead_to_the_same_files_from_another_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path_of = |name: &str| folder.path().join(name);
        for name in ["a/maps/skin.png", "b/other.png", "b/maps/none.png"] {
            write(&[(path_of(name), name.into())]).unwrap();
        }
        let whole = path_of("b/other.png").display().to_string();
        let scene = scene(&["maps/skin.png", &whole, "gone.png", "hdr64:AAAA"]);
        let from = path_of("a");
        // Saved in the same folder, nothing changes.
        let unchanged = PicturePaths::new(&scene, Some(&from), &path_of("a/new.js3d"), None);
        assert_eq!(unchanged, PicturePaths::default());
        let new = PicturePaths::new(&scene, Some(&from), &path_of("b/new.js3d"), None);
        let expected = [("0", "../a/maps/skin.png"), ("1", "other.png"), ("2", "../a/gone.png")];
        assert_eq!(images(&new), expected);
        // Other files with the same names are different pictures.
        write(&[(path_of("b/maps/skin.png"), b"another".into()), (path_of("b/gone.png"), b"another".into())])
            .unwrap();
        assert_eq!(PicturePaths::new(&scene, Some(&from), &path_of("b/new.js3d"), None), new);
        let mut relocated = scene.clone();
        rebase(&mut relocated, Some(&from), None);
        let TextureKind::Image { image, .. } = &relocated.textures["0"].kind else {
            panic!("it stays an image")
        };
        assert_eq!(Path::new(&**image), canonical_file(&path_of("a/maps/skin.png")));
        rebase(&mut relocated, None, Some(&from));
        for _ in 0..2 {
            let [existing, missing] = ["0", "2"].map(|name| match &relocated.textures[name].kind {
                TextureKind::Image { image, .. } => image.to_string(),
                _ => panic!("it stays an image"),
            });
            assert_eq!(missing, "gone.png");
            let found = find(&existing, Some(&from)).unwrap();
            assert_eq!(canonical_file(&found), canonical_file(&path_of("a/maps/skin.png")));
            rebase(&mut relocated, Some(&from), Some(&path_of("b")));
            rebase(&mut relocated, Some(&path_of("b")), Some(&from));
        }
    }

    #[test]
    fn what_has_nothing_in_common_keeps_its_whole_path() {
        assert_eq!(relative(Path::new("/a/b"), Path::new("/a/c/d.png")), "../c/d.png");
        assert_eq!(relative(Path::new("/a/b"), Path::new("/c/d.png")), "/c/d.png");
        assert_eq!(relative(Path::new("/"), Path::new("/c/d.png")), "c/d.png");
    }
}
