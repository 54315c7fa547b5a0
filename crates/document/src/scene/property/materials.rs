//! Rows of textures and materials. For their members, see docs/js3d.md, section 5.5. The pixels of an image
//! have no row.

use super::resources::resource;
use super::{Property, Resource};
use crate::extra::Extra;
use crate::rig::property::variant_member;
use crate::scene::names::Kind;
use crate::scene::resource::{Material, MaterialKind, Texture, TextureKind};

type T = Property<Texture>;
#[rustfmt::skip]
const TEXTURE: &[T] = &[
    // Fixed, because the image would be lost.
    T::kind("Image: pixels from the file. Constant: one colour.", texture_type, set_texture_type, &["Image", "Constant"]).fixed(),
    T::choice(["sampler", "Sampler", "How colours between pixels are found."], variant_member!(TextureKind::Image { sampler, .. } => sampler), &["nearest", "bilinear", "trilinear"]),
    T::color(["color", "Colour", "Its one colour."], variant_member!(TextureKind::Constant { color, .. } => color)).keyable(),
    T::float(["scale", "Brightness", "A factor for the colour."], variant_member!(TextureKind::Constant { scale, .. } => scale)).not_negative().keyable(),
];

fn texture_type(texture: &Texture) -> &'static str {
    match texture.kind {
        TextureKind::Image { .. } => "Image",
        TextureKind::Constant { .. } => "Constant",
    }
}

fn set_texture_type(texture: &mut Texture, name: &str) {
    texture.kind = match name {
        "Constant" => TextureKind::default(),
        _ => TextureKind::Image { sampler: "nearest".into(), image: Default::default() },
    };
}

type M = Property<Material>;
#[rustfmt::skip]
const MATERIAL: &[M] = &[
    M::kind("Lambertian: matte. Mirror: reflects. Refract: lets light through. Glass: both. Emissive: shines.", material_type, set_material_type, &["Lambertian", "Mirror", "Refract", "Glass", "Emissive"]),
    M::reference(["albedo", "Albedo", "The texture that sets how much light it scatters."], variant_member!(MaterialKind::Lambertian { albedo } => albedo), Kind::Texture),
    M::reference(["transmittance", "Transmittance", "The texture that sets how much light it lets through."], variant_member!(MaterialKind::Refract { transmittance, .. } | MaterialKind::Glass { transmittance, .. } => transmittance), Kind::Texture),
    M::reference(["reflectance", "Reflectance", "The texture that sets how much light it reflects."], variant_member!(MaterialKind::Mirror { reflectance } | MaterialKind::Glass { reflectance, .. } => reflectance), Kind::Texture),
    M::reference(["emissive", "Emission", "The texture that sets how much light it emits."], variant_member!(MaterialKind::Emissive { emissive } => emissive), Kind::Texture),
    M::float(["ior", "IOR", "Index of refraction: 1 is air, 1.33 water, 1.5 glass."], variant_member!(MaterialKind::Refract { ior, .. } | MaterialKind::Glass { ior, .. } => ior)).within(0.01, 100.0).slider(1.0, 3.0).keyable(),
];

fn material_type(material: &Material) -> &'static str {
    match material.kind {
        MaterialKind::Lambertian { .. } => "Lambertian",
        MaterialKind::Mirror { .. } => "Mirror",
        MaterialKind::Refract { .. } => "Refract",
        MaterialKind::Glass { .. } => "Glass",
        MaterialKind::Emissive { .. } => "Emissive",
    }
}

/// Changes the type, keeping the texture and the index of refraction.
fn set_material_type(material: &mut Material, name: &str) {
    let (texture, ior) = match std::mem::take(&mut material.kind) {
        MaterialKind::Lambertian { albedo: texture }
        | MaterialKind::Mirror { reflectance: texture }
        | MaterialKind::Emissive { emissive: texture } => (texture, MaterialKind::IOR),
        MaterialKind::Refract { transmittance, ior } | MaterialKind::Glass { transmittance, ior, .. } => {
            (transmittance, ior)
        }
    };
    material.kind = match name {
        "Mirror" => MaterialKind::Mirror { reflectance: texture },
        "Refract" => MaterialKind::Refract { transmittance: texture, ior },
        "Glass" => MaterialKind::Glass { transmittance: texture.clone(), reflectance: texture, ior },
        "Emissive" => MaterialKind::Emissive { emissive: texture },
        _ => MaterialKind::Lambertian { albedo: texture },
    };
}

resource!(Texture, TEXTURE);
resource!(Material, MATERIAL);
