//! Where the pictures of a scene are when it goes into another folder: embedded ones become files, paths begin again.

use super::embedded_picture::{EmbeddedPicture, embedded};
use super::picture_files::find;
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What a scene needs before it is saved, so that its pictures are found afterwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewPaths {
    /// By texture; those that stay as they are not among them.
    pub images: BTreeMap<String, String>,
    /// To be written. None of them replaces another file.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl NewPaths {
    /// Of a scene whose paths begin in `from` (`None`: it has no file yet) and which is saved to `file`. Embedded pictures
    /// go into `folder`, else into one beside the file that is called after it.
    pub fn new(scene: &Scene, from: Option<&Path>, file: &Path, folder: Option<&Path>) -> Self {
        let home = real(file.parent().unwrap_or(Path::new("")));
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let folder = folder.map_or_else(|| home.join(format!("{stem} textures")), real);
        let mut new = Self::default();
        // Textures may share a picture.
        let mut known: BTreeMap<&str, String> = BTreeMap::new();
        for (name, texture) in &scene.textures {
            let TextureKind::Image { image, .. } = &texture.kind else {
                continue;
            };
            let path = match (known.get(&**image), embedded(image)) {
                (Some(path), _) => Some(path.clone()),
                (None, Some(Ok(picture))) => Some(relative(&home, &new.file(&folder, picture))),
                (None, Some(Err(_))) => None,
                (None, None) => moved(image, from, Some(&home)),
            };
            if let Some(path) = path {
                known.insert(image, path.clone());
                new.images.insert(name.clone(), path);
            }
        }
        new
    }

    /// The file of a picture: one that is there already with this content, else one of a name that is free.
    fn file(&mut self, folder: &Path, picture: EmbeddedPicture) -> PathBuf {
        let EmbeddedPicture {
            name,
            extension,
            bytes,
        } = picture;
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
                    Ok(there) if there == bytes => return path,
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

/// Lets the paths of a scene that begin in `from` begin in `to`, or nowhere.
pub fn rebase(scene: &mut Scene, from: Option<&Path>, to: Option<&Path>) {
    let to = to.map(real);
    for texture in scene.textures.values_mut() {
        let TextureKind::Image { image, .. } = &texture.kind else {
            continue;
        };
        let moved = moved(image, from, to.as_deref());
        if let Some(path) = moved
            && let TextureKind::Image { image, .. } = &mut Arc::make_mut(texture).kind
        {
            *image = path.into();
        }
    }
}

/// The path by which `image`, found from `from`, is found from `to`; `None` where it stays as it is. One that is missing is
/// missing in the same place: another file of its name is not the one.
fn moved(image: &str, from: Option<&Path>, to: Option<&Path>) -> Option<String> {
    if image.starts_with("hdr64:") || embedded(image).is_some() {
        return None;
    }
    let Some(found) = find(image, from) else {
        return moved_missing(image, from, to);
    };
    let found = real_file(&found);
    let is_whole = Path::new(image).is_absolute();
    let Some(to) = to else {
        return (!is_whole).then(|| found.to_string_lossy().into_owned());
    };
    let stays = find(image, Some(to)).is_some_and(|path| real_file(&path) == found);
    let shorter = is_whole && found.starts_with(to) && from.is_none_or(|from| real(from) != to);
    (shorter || !stays).then(|| relative(to, &found))
}

/// The same of a file that is not there. What may be a path of another system or an address stays as it is.
fn moved_missing(image: &str, from: Option<&Path>, to: Option<&Path>) -> Option<String> {
    if image.contains(['\\', ':']) {
        return None;
    }
    let is_whole = Path::new(image).is_absolute();
    let from = from.map(real);
    let missing = match (&from, is_whole) {
        (_, true) => without_detours(Path::new(image)),
        (Some(from), false) => without_detours(&from.join(image)),
        (None, false) => return None,
    };
    match to {
        None => (!is_whole).then(|| missing.to_string_lossy().into_owned()),
        Some(to) => {
            let moves = from.as_deref() != Some(to) && (!is_whole || missing.starts_with(to));
            moves.then(|| relative(to, &missing))
        }
    }
}

/// A whole path of a file that is not there without what leads back in it.
fn without_detours(path: &Path) -> PathBuf {
    let mut without = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(without.pop()),
            part => without.push(part),
        }
    }
    without
}

/// Without links and detours, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let here = path.as_os_str().is_empty();
    let path = if here { Path::new(".") } else { path };
    let whole = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| whole())
}

/// The same of a file, which may itself be a link.
fn real_file(path: &Path) -> PathBuf {
    let folder = real(path.parent().unwrap_or(Path::new("")));
    path.file_name().map_or(folder.clone(), |name| folder.join(name))
}

/// The way from a folder to a file, with slashes; the whole path where they have nothing in common.
fn relative(folder: &Path, file: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), file.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let shares = from[..common]
        .iter()
        .any(|part| matches!(part, Component::Normal(_)));
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
        for (at, image) in images.iter().enumerate() {
            let texture = Texture::from(TextureKind::Image {
                sampler: "bilinear".into(),
                image: (*image).into(),
            });
            scene.textures.insert(at.to_string(), Arc::new(texture));
        }
        scene
    }

    fn images(of: &NewPaths) -> Vec<(&str, &str)> {
        let images = of.images.iter();
        images
            .map(|(name, path)| (name.as_str(), path.as_str()))
            .collect()
    }

    #[test]
    fn embedded_pictures_become_files_that_replace_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hero.js3d");
        let (one, two) = (embed("skin", None, b"one"), embed("skin", None, b"two"));
        let scene = scene(&[&one, &two, &one, "data:damaged", "gone.png"]);
        let new = NewPaths::new(&scene, None, &file, None);
        let expected = [
            ("0", "hero textures/skin.bin"),
            ("1", "hero textures/skin 2.bin"),
            ("2", "hero textures/skin.bin"),
        ];
        assert_eq!(images(&new), expected);
        assert_eq!(new.files.len(), 2);
        write(&new.files).unwrap();
        // What is there is used again; what has become another file is let alone.
        let again = NewPaths::new(&scene, None, &file, None);
        assert_eq!((images(&again), again.files.len()), (images(&new), 0));
        std::fs::write(folder.path().join("hero textures/skin.bin"), b"painted").unwrap();
        let again = NewPaths::new(&scene, None, &file, None);
        assert_eq!(again.images["0"], "hero textures/skin 3.bin");
        assert_eq!(again.files.len(), 1);
        let chosen = NewPaths::new(&scene, None, &file, Some(&folder.path().join("maps")));
        assert_eq!(chosen.images["0"], "maps/skin.bin");
    }

    #[test]
    fn paths_lead_to_the_same_files_from_another_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a/maps/skin.png", "b/other.png", "b/maps/none.png"] {
            write(&[(at(name), name.into())]).unwrap();
        }
        let whole = at("b/other.png").display().to_string();
        let scene = scene(&["maps/skin.png", &whole, "gone.png", "hdr64:AAAA"]);
        let from = at("a");
        // Saved where it is, all stays.
        let stays = NewPaths::new(&scene, Some(&from), &at("a/new.js3d"), None);
        assert_eq!(stays, NewPaths::default());
        let new = NewPaths::new(&scene, Some(&from), &at("b/new.js3d"), None);
        let expected = [
            ("0", "../a/maps/skin.png"),
            ("1", "other.png"),
            ("2", "../a/gone.png"),
        ];
        assert_eq!(images(&new), expected);
        // Other files of those names are not the ones.
        write(&[
            (at("b/maps/skin.png"), b"another".into()),
            (at("b/gone.png"), b"another".into()),
        ])
        .unwrap();
        assert_eq!(NewPaths::new(&scene, Some(&from), &at("b/new.js3d"), None), new);
        let mut moved = scene.clone();
        rebase(&mut moved, Some(&from), None);
        let TextureKind::Image { image, .. } = &moved.textures["0"].kind else {
            panic!("it stays an image")
        };
        assert_eq!(Path::new(&**image), real_file(&at("a/maps/skin.png")));
        rebase(&mut moved, None, Some(&from));
        for _ in 0..2 {
            let [there, missing] = ["0", "2"].map(|name| match &moved.textures[name].kind {
                TextureKind::Image { image, .. } => image.to_string(),
                _ => panic!("it stays an image"),
            });
            assert_eq!(missing, "gone.png");
            let found = find(&there, Some(&from)).unwrap();
            assert_eq!(real_file(&found), real_file(&at("a/maps/skin.png")));
            rebase(&mut moved, Some(&from), Some(&at("b")));
            rebase(&mut moved, Some(&at("b")), Some(&from));
        }
    }

    #[test]
    fn what_has_nothing_in_common_keeps_its_whole_path() {
        assert_eq!(relative(Path::new("/a/b"), Path::new("/a/c/d.png")), "../c/d.png");
        assert_eq!(relative(Path::new("/a/b"), Path::new("/c/d.png")), "/c/d.png");
        assert_eq!(relative(Path::new("/"), Path::new("/c/d.png")), "c/d.png");
    }
}
