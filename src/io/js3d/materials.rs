//! Textures, materials and lights: the resources whose `type` decides their members.

use super::ReadError;
use super::blob;
use super::reader::{Members, Reader};
use super::values;
use crate::io::report::Severity;
use crate::scene::resource::{
    DeltaLight, DeltaLightKind, EnvLight, EnvLightKind, Material, MaterialKind, Texture, TextureKind,
};
use glam::Vec3;

pub const SAMPLERS: [&str; 3] = ["nearest", "bilinear", "trilinear"];
pub const TEXTURE_KINDS: [&str; 2] = ["Image", "Constant"];
pub const MATERIAL_KINDS: [&str; 5] = ["Lambertian", "Mirror", "Refract", "Glass", "Emissive"];
pub const DELTA_LIGHT_KINDS: [&str; 3] = ["Point", "Directional", "Spot"];
pub const ENV_LIGHT_KINDS: [&str; 2] = ["Hemisphere", "Sphere"];

pub fn texture(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<Texture, ReadError> {
    let kind = match m.kind(r, &TEXTURE_KINDS, "Constant")? {
        "Image" => {
            let sampler = m.choice(r, "sampler", &SAMPLERS, SAMPLERS[0])?.to_owned();
            let image = image(r, &mut m)?;
            if sampler == "trilinear" && blob::image_size(&image).is_ok_and(|(w, h)| w == 0 || h == 0) {
                let text = "Scotty3D ends when it samples an empty image trilinearly; it is kept";
                r.at("sampler", |r| r.note("empty-trilinear-image", text));
            }
            TextureKind::Image {
                sampler,
                image: image.into(),
            }
        }
        _ => TextureKind::Constant {
            color: m.vec3(r, "color", Vec3::splat(0.75))?,
            scale: m.float(r, "scale", 1.0)?,
        },
    };
    Ok(Texture {
        kind,
        extra: r.rest(m),
    })
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

/// `texture` knows the names of the textures.
pub fn material(
    r: &mut Reader<'_>,
    mut m: Members<'_>,
    texture: impl Fn(&str) -> bool,
) -> Result<Material, ReadError> {
    let kind = m.kind(r, &MATERIAL_KINDS, "Lambertian")?;
    let texture = |r: &mut Reader<'_>, m: &mut Members<'_>, name| m.reference(r, name, "textures", &texture);
    let kind = match kind {
        "Mirror" => MaterialKind::Mirror {
            reflectance: texture(r, &mut m, "reflectance")?,
        },
        "Refract" => MaterialKind::Refract {
            transmittance: texture(r, &mut m, "transmittance")?,
            ior: m.float(r, "ior", 1.5)?,
        },
        "Glass" => MaterialKind::Glass {
            transmittance: texture(r, &mut m, "transmittance")?,
            reflectance: texture(r, &mut m, "reflectance")?,
            ior: m.float(r, "ior", 1.5)?,
        },
        "Emissive" => MaterialKind::Emissive {
            emissive: texture(r, &mut m, "emissive")?,
        },
        _ => MaterialKind::Lambertian {
            albedo: texture(r, &mut m, "albedo")?,
        },
    };
    Ok(Material {
        kind,
        extra: r.rest(m),
    })
}

pub fn delta_light(r: &mut Reader<'_>, mut m: Members<'_>) -> Result<DeltaLight, ReadError> {
    let kind = match m.kind(r, &DELTA_LIGHT_KINDS, "Point")? {
        "Directional" => DeltaLightKind::Directional,
        "Spot" => DeltaLightKind::Spot {
            inner_angle: m.float(r, "inner_angle", 30.0)?,
            outer_angle: m.float(r, "outer_angle", 45.0)?,
        },
        _ => DeltaLightKind::Point,
    };
    Ok(DeltaLight {
        kind,
        color: m.vec3(r, "color", Vec3::ONE)?,
        intensity: m.float(r, "intensity", 1.0)?,
        extra: r.rest(m),
    })
}

/// `texture` knows the names of the textures.
pub fn env_light(
    r: &mut Reader<'_>,
    mut m: Members<'_>,
    texture: impl Fn(&str) -> bool,
) -> Result<EnvLight, ReadError> {
    let kind = match m.kind(r, &ENV_LIGHT_KINDS, "Hemisphere")? {
        "Sphere" => EnvLightKind::Sphere,
        _ => EnvLightKind::Hemisphere,
    };
    Ok(EnvLight {
        kind,
        intensity: m.float(r, "intensity", 1.0)?,
        radiance: m.reference(r, "radiance", "textures", texture)?,
        extra: r.rest(m),
    })
}
