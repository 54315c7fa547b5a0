//! Reads the parts of resources that property rows do not describe: cycles of transforms, live particles,
//! images.

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

/// Refuses transforms that are their own ancestor. Linear time, no recursion.
pub fn refuse_cycles(r: &mut Reader<'_>, transforms: &Table<Transform>) -> Result<(), ReadError> {
    let names: Vec<&str> = transforms.keys().map(String::as_str).collect();
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(i, name)| (*name, i)).collect();
    let parent_of = |transform: &Transform| transform.parent.as_deref().and_then(|p| index.get(p).copied());
    let parents: Vec<Option<usize>> = transforms.values().map(|transform| parent_of(transform)).collect();
    // The walk that first visited each transform. A walk that meets itself has found a cycle.
    let mut walk_of = vec![usize::MAX; parents.len()];
    for walk in 0..parents.len() {
        let mut current = Some(walk);
        while let Some(index) = current.filter(|index| walk_of[*index] == usize::MAX) {
            walk_of[index] = walk;
            current = parents[index];
        }
        if let Some(repeated) = current.filter(|repeated| walk_of[*repeated] == walk) {
            let problem = "the transform is its own ancestor, which hangs Scotty3D, as its parents show";
            let hint = "Set the parent of one transform of the cycle to null.";
            return Err(r.within(names[repeated], |r| r.within("parent", |r| r.refuse(problem, hint))));
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
    if let TextureKind::Image { sampler, image: target } = &mut texture.kind {
        let image = image(r, &mut m)?;
        if sampler == "trilinear" && blob::image_size(&image).is_ok_and(|(w, h)| w == 0 || h == 0) {
            let text = "Scotty3D ends when it samples an empty image trilinearly; it is kept";
            r.within("sampler", |r| r.note("empty-trilinear-image", text));
        }
        *target = image.into();
    }
    texture.extra = r.rest(m);
    Ok(texture)
}

/// Reads an image: inline pixels, or a path, which is not opened here.
fn image(r: &mut Reader<'_>, m: &mut Members<'_>) -> Result<String, ReadError> {
    let Some(node) = m.expect(r, "image", "an empty image") else {
        return Ok(blob::EMPTY_IMAGE.to_owned());
    };
    r.within("image", |r| {
        let found = values::text(r, &node)?;
        if found.starts_with("hdr64:")
            && let Err(reason) = blob::image_size(found)
        {
            let (image, action) = match blob::repaired_image(found) {
                Some((image, count)) => (image, format!("{count} of its characters are read as zero")),
                None => (blob::EMPTY_IMAGE.to_owned(), "an empty image is used".to_owned()),
            };
            let text = format!("the image cannot be read: {reason}; {action}");
            r.report_loss(Severity::Error, "bad-image", text);
            return Ok(image);
        }
        Ok(found.to_owned())
    })
}
