//! What rows of properties do not say of resources: transforms in circles, the particles that are alive, images.

use super::ReadError;
use super::blob;
use super::properties::{Exists, read};
use super::reader::{Members, Reader};
use super::skeleton::list;
use super::values;
use crate::io::report::Severity;
use crate::scene::Table;
use crate::scene::names::Kind;
use crate::scene::resource::{Particle, Particles, Texture, TextureKind, Transform};
use glam::Vec3;
use std::collections::BTreeMap;

/// Refuses transforms that are their own ancestor. Takes time linear in their number, and no recursion.
pub fn refuse_cycles(r: &mut Reader<'_>, transforms: &Table<Transform>) -> Result<(), ReadError> {
    let names: Vec<&str> = transforms.keys().map(String::as_str).collect();
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(i, name)| (*name, i)).collect();
    let parent_of = |transform: &Transform| transform.parent.as_deref().and_then(|p| index.get(p).copied());
    let parents: Vec<Option<usize>> = transforms
        .values()
        .map(|transform| parent_of(transform))
        .collect();
    // The walk that first came past each transform. Meeting one's own walk again closes a cycle.
    let mut walk_of = vec![usize::MAX; parents.len()];
    for walk in 0..parents.len() {
        let mut at = Some(walk);
        while let Some(this) = at.filter(|this| walk_of[*this] == usize::MAX) {
            walk_of[this] = walk;
            at = parents[this];
        }
        if let Some(again) = at.filter(|again| walk_of[*again] == walk) {
            let what = "the transform is its own ancestor, which hangs Scotty3D, as its parents show";
            let hint = "Set the parent of one transform of the cycle to null.";
            return Err(r.at(names[again], |r| r.at("parent", |r| r.refuse(what, hint))));
        }
    }
    Ok(())
}

pub fn particles(r: &mut Reader<'_>, mut m: Members<'_>, exists: Exists<'_>) -> Result<Particles, ReadError> {
    let known = read(r, &mut m, Kind::Particles, exists)?;
    Ok(Particles {
        particles: list(r, &mut m, "particles", |r, _, m| particle(r, m))?,
        extra: r.rest(m),
        ..known
    })
}

fn particle(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Particle, ReadError> {
    Ok(Particle {
        position: m.vec3(r, "position", Vec3::ZERO)?,
        velocity: m.vec3(r, "velocity", Vec3::ZERO)?,
        age: m.float(r, "age", 0.0)?,
        extra: r.rest(m),
    })
}

pub fn texture(r: &mut Reader<'_>, mut m: Members<'_>, exists: Exists<'_>) -> Result<Texture, ReadError> {
    let mut texture: Texture = read(r, &mut m, Kind::Texture, exists)?;
    if let TextureKind::Image {
        sampler,
        image: found,
    } = &mut texture.kind
    {
        let image = image(r, &mut m)?;
        if sampler == "trilinear" && blob::image_size(&image).is_ok_and(|(w, h)| w == 0 || h == 0) {
            let text = "Scotty3D ends when it samples an empty image trilinearly; it is kept";
            r.at("sampler", |r| r.note("empty-trilinear-image", text));
        }
        *found = image.into();
    }
    texture.extra = r.rest(m);
    Ok(texture)
}

/// Inline pixels, or a path, which is not opened here.
fn image(r: &mut Reader<'_>, m: &mut Members<'_>) -> Result<String, ReadError> {
    let Some(node) = m.expect(r, "image", "an empty image") else {
        return Ok(blob::EMPTY_IMAGE.to_owned());
    };
    r.at("image", |r| {
        let found = values::text(r, &node)?;
        if found.starts_with("hdr64:")
            && let Err(what) = blob::image_size(found)
        {
            let (image, done) = match blob::mended_image(found) {
                Some((image, lost)) => (image, format!("{lost} of its characters are read as zero")),
                None => (blob::EMPTY_IMAGE.to_owned(), "an empty image is used".to_owned()),
            };
            let text = format!("the image cannot be read: {what}; {done}");
            r.lose(Severity::Error, "bad-image", text);
            return Ok(image);
        }
        Ok(found.to_owned())
    })
}
