//! Converts materials, textures, lights and cameras to the closest equivalents in glTF.

use super::super::extras::{CameraExtras, extras};
use super::super::schema::{
    Camera, EmissiveStrength, Image, Index, Ior, Light, LightKind, Material, MaterialExtensions, Pbr,
    Perspective, Spot, Texture, TextureInfo, Transmission,
};
use super::binary::Binary;
use super::error::{ExportError, finite};
use super::images;
use crate::io::export::Images;
use crate::io::report::{Report, Severity};
use crate::scene::Scene;
use crate::scene::resource::{self, DeltaLightKind, MaterialKind, TextureKind};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// The materials, textures and images used so far.
#[derive(Default)]
pub struct Materials<'s> {
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    material_indices: BTreeMap<&'s str, Index>,
    texture_indices: BTreeMap<&'s str, Option<Index>>,
}

/// The equivalent of a texture: a colour, and a picture that it is multiplied with.
struct Color {
    factor: DVec3,
    texture: Option<TextureInfo>,
}

impl<'s> Materials<'s> {
    /// Returns the index of the material called `name`; `None` if it does not exist.
    ///
    /// # Errors
    /// [`ExportError::NotFinite`].
    pub fn material(
        &mut self,
        scene: &'s Scene,
        name: Option<&str>,
        binary: &mut Binary,
        images: Images,
        report: &mut Report,
    ) -> Result<Option<Index>, ExportError> {
        let Some((name, material)) = name.and_then(|name| scene.materials.get_key_value(name)) else {
            return Ok(None);
        };
        if let Some(&index) = self.material_indices.get(name.as_str()) {
            return Ok(Some(index));
        }
        let mut color =
            |texture: &Option<String>| self.color(scene, texture.as_deref(), binary, images, report);
        let mut pbr = Pbr { metallic_factor: Some(0.0), roughness_factor: Some(0.0), ..Pbr::default() };
        let mut converted = Material::default();
        let mut base_color = None;
        let transparent = |ior: f32| -> Result<MaterialExtensions, ExportError> {
            let ior = finite(ior, || format!("the ior of “{name}”"))?;
            Ok(MaterialExtensions {
                transmission: Some(Transmission { transmission_factor: Some(1.0) }),
                // Values below 1 are not physical; 0 has a special meaning.
                ior: Some(Ior { ior: Some(ior.max(1.0)) }),
                ..MaterialExtensions::default()
            })
        };
        match &material.kind {
            MaterialKind::Lambertian { albedo } => {
                pbr.roughness_factor = Some(1.0);
                base_color = Some(color(albedo)?);
            }
            MaterialKind::Mirror { reflectance } => {
                pbr.metallic_factor = Some(1.0);
                base_color = Some(color(reflectance)?);
            }
            MaterialKind::Refract { transmittance, ior } | MaterialKind::Glass { transmittance, ior, .. } => {
                base_color = Some(color(transmittance)?);
                converted.extensions = Some(transparent(*ior)?);
            }
            MaterialKind::Emissive { emissive } => {
                let Color { factor, texture } = color(emissive)?;
                let strength = factor.max_element().max(1.0);
                pbr.base_color_factor = Some([0.0, 0.0, 0.0, 1.0]);
                pbr.roughness_factor = Some(1.0);
                converted.emissive_factor = Some(factor / strength);
                converted.emissive_texture = texture;
                converted.extensions = (strength > 1.0).then(|| MaterialExtensions {
                    emissive_strength: Some(EmissiveStrength { emissive_strength: Some(strength) }),
                    ..MaterialExtensions::default()
                });
            }
        }
        if let Some(Color { factor, texture }) = base_color {
            let [r, g, b] = factor.min(DVec3::ONE).to_array();
            pbr.base_color_factor = Some([r, g, b, 1.0]);
            pbr.base_color_texture = texture;
        }
        converted.name = Some(name.clone());
        converted.pbr_metallic_roughness = Some(pbr);
        self.materials.push(converted);
        let index = self.materials.len() - 1;
        self.material_indices.insert(name, index);
        Ok(Some(index))
    }

    /// Converts the colour of a texture, without negative values. Pictures are white; a missing texture has
    /// the colour of a new one.
    fn color(
        &mut self,
        scene: &'s Scene,
        texture: Option<&str>,
        binary: &mut Binary,
        images: Images,
        report: &mut Report,
    ) -> Result<Color, ExportError> {
        let found = texture.and_then(|name| scene.textures.get_key_value(name));
        let kind = found.map_or(TextureKind::default(), |(_, texture)| texture.kind.clone());
        let (color, scale) = match (kind, found) {
            (TextureKind::Constant { color, scale }, _) => (color, scale),
            (TextureKind::Image { sampler: _, image }, Some((name, _))) => {
                let cached = self.texture_indices.get(name.as_str()).copied();
                let index = cached.unwrap_or_else(|| {
                    let index = self.add_picture(name, &image, binary, images, report);
                    self.texture_indices.insert(name, index);
                    index
                });
                let texture = index.map(|index| TextureInfo { index, ..TextureInfo::default() });
                let factor = found.map_or(Vec3::ONE, |(_, texture)| texture.factor());
                return Ok(Color { factor: factor.as_dvec3(), texture });
            }
            (TextureKind::Image { .. }, None) => Default::default(),
        };
        let place = || format!("the colour of texture “{}”", texture.unwrap_or_default());
        let factor = color.as_dvec3() * f64::from(scale);
        finite(factor.element_sum(), place)?;
        Ok(Color { factor: factor.max(DVec3::ZERO), texture: None })
    }

    fn add_picture(
        &mut self,
        name: &str,
        image: &str,
        binary: &mut Binary,
        images: Images,
        report: &mut Report,
    ) -> Option<Index> {
        let place = format!("texture “{name}”");
        match images::encode(image, images) {
            Ok(found) => {
                if let Some(note) = found.note {
                    report.add(Severity::Note, "image-changed", place, note);
                }
                let view = binary.add_view(&found.bytes, None);
                self.images.push(Image {
                    name: Some(name.to_owned()),
                    mime_type: Some(found.mime_type.to_owned()),
                    buffer_view: Some(view),
                    ..Image::default()
                });
                self.textures.push(Texture {
                    name: Some(name.to_owned()),
                    source: Some(self.images.len() - 1),
                    ..Texture::default()
                });
                Some(self.textures.len() - 1)
            }
            Err(reason) => {
                let text = format!("{reason}; it is left out, and the material is white");
                report.add(Severity::Warning, "image-lost", place, text);
                None
            }
        }
    }
}

/// Converts a camera.
///
/// # Errors
/// [`ExportError::NotFinite`].
pub fn camera(name: &str, camera: &resource::Camera) -> Result<Camera, ExportError> {
    let number = |value: f32, property: &str| finite(value, || format!("the {property} of camera “{name}”"));
    let aspect = number(camera.aspect_ratio, "aspect ratio")?;
    let near = number(camera.near_plane, "near plane")?;
    let field_of_view = number(camera.vertical_fov, "field of view")?.clamp(1e-3, 179.9);
    number(camera.aperture_size, "aperture")?;
    number(camera.focal_dist, "focal distance")?;
    Ok(Camera {
        name: Some(name.to_owned()),
        kind: "perspective".to_owned(),
        perspective: Some(Perspective {
            aspect_ratio: Some(aspect).filter(|aspect| *aspect > 0.0),
            yfov: field_of_view.to_radians(),
            zfar: None,
            znear: near.max(1e-6),
        }),
        orthographic: None,
        extras: extras(CameraExtras::new(camera)),
    })
}

/// Converts a light.
///
/// # Errors
/// [`ExportError::NotFinite`].
pub fn light(name: &str, light: &resource::DeltaLight) -> Result<Light, ExportError> {
    let place = || format!("a number of light “{name}”");
    let color = light.color.as_dvec3().max(DVec3::ZERO);
    finite(color.element_sum(), place)?;
    let intensity = finite(light.intensity, place)?.max(0.0);
    // Colours are limited to 1; the excess goes to the intensity.
    let excess = color.max_element().max(1.0);
    let (kind, spot) = match light.kind {
        DeltaLightKind::Point => (LightKind::Point, None),
        DeltaLightKind::Directional => (LightKind::Directional, None),
        DeltaLightKind::Spot { inner_angle, outer_angle } => {
            let [inner, outer] =
                [finite(inner_angle, place)?, finite(outer_angle, place)?].map(|full_angle| full_angle / 2.0);
            let outer = outer.to_radians().clamp(1e-3, FRAC_PI_2);
            let spot = Spot {
                inner_cone_angle: Some(inner.to_radians().clamp(0.0, outer - 1e-4)),
                outer_cone_angle: Some(outer),
            };
            (LightKind::Spot, Some(spot))
        }
    };
    Ok(Light {
        name: Some(name.to_owned()),
        kind,
        color: Some(color / excess),
        intensity: Some(intensity * excess),
        range: None,
        spot,
        extras: None,
    })
}
