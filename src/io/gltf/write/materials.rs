//! Materials, textures, lights and cameras as the nearest that glTF has.

use super::super::extras::{CameraExtras, extras};
use super::super::schema::{
    Camera, EmissiveStrength, Image, Index, Ior, Light, LightKind, Material, MaterialExtensions, Pbr,
    Perspective, Spot, Texture, TextureInfo, Transmission,
};
use super::binary::Binary;
use super::images;
use super::options::{ExportError, Images, finite};
use crate::io::report::{Report, Severity};
use crate::scene::Scene;
use crate::scene::resource::{self, DeltaLightKind, MaterialKind, TextureKind};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// Those that are used so far.
#[derive(Default)]
pub struct Materials<'s> {
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    of_material: BTreeMap<&'s str, Index>,
    of_texture: BTreeMap<&'s str, Option<Index>>,
}

/// What a texture comes to: a colour, and a picture that it is multiplied with.
struct Color {
    factor: DVec3,
    texture: Option<TextureInfo>,
}

impl<'s> Materials<'s> {
    /// The material called `name`; `None` where there is none.
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
        if let Some(&index) = self.of_material.get(name.as_str()) {
            return Ok(Some(index));
        }
        let mut color =
            |texture: &Option<String>| self.color(scene, texture.as_deref(), binary, images, report);
        let mut pbr = Pbr {
            metallic_factor: Some(0.0),
            roughness_factor: Some(0.0),
            ..Pbr::default()
        };
        let mut written = Material::default();
        let mut base = None;
        let see_through = |ior: f32| -> Result<MaterialExtensions, ExportError> {
            let ior = finite(ior, || format!("the ior of “{name}”"))?;
            Ok(MaterialExtensions {
                transmission: Some(Transmission {
                    transmission_factor: Some(1.0),
                }),
                // Less than 1 is no medium; 0 means something else.
                ior: Some(Ior {
                    ior: Some(ior.max(1.0)),
                }),
                ..MaterialExtensions::default()
            })
        };
        match &material.kind {
            MaterialKind::Lambertian { albedo } => {
                pbr.roughness_factor = Some(1.0);
                base = Some(color(albedo)?);
            }
            MaterialKind::Mirror { reflectance } => {
                pbr.metallic_factor = Some(1.0);
                base = Some(color(reflectance)?);
            }
            MaterialKind::Refract { transmittance, ior }
            | MaterialKind::Glass {
                transmittance, ior, ..
            } => {
                base = Some(color(transmittance)?);
                written.extensions = Some(see_through(*ior)?);
            }
            MaterialKind::Emissive { emissive } => {
                let Color { factor, texture } = color(emissive)?;
                let strength = factor.max_element().max(1.0);
                pbr.base_color_factor = Some([0.0, 0.0, 0.0, 1.0]);
                pbr.roughness_factor = Some(1.0);
                written.emissive_factor = Some(factor / strength);
                written.emissive_texture = texture;
                written.extensions = (strength > 1.0).then(|| MaterialExtensions {
                    emissive_strength: Some(EmissiveStrength {
                        emissive_strength: Some(strength),
                    }),
                    ..MaterialExtensions::default()
                });
            }
        }
        if let Some(Color { factor, texture }) = base {
            let [r, g, b] = factor.min(DVec3::ONE).to_array();
            pbr.base_color_factor = Some([r, g, b, 1.0]);
            pbr.base_color_texture = texture;
        }
        written.name = Some(name.clone());
        written.pbr_metallic_roughness = Some(pbr);
        self.materials.push(written);
        let index = self.materials.len() - 1;
        self.of_material.insert(name, index);
        Ok(Some(index))
    }

    /// Not negative; white for a picture, and where there is no texture the colour of a new one.
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
                let known = self.of_texture.get(name.as_str()).copied();
                let index = known.unwrap_or_else(|| {
                    let index = self.picture(name, &image, binary, images, report);
                    self.of_texture.insert(name, index);
                    index
                });
                let texture = index.map(|index| TextureInfo {
                    index,
                    ..TextureInfo::default()
                });
                let factor = found.map_or(Vec3::ONE, |(_, texture)| texture.factor());
                return Ok(Color {
                    factor: factor.as_dvec3(),
                    texture,
                });
            }
            (TextureKind::Image { .. }, None) => Default::default(),
        };
        let at = || format!("the colour of texture “{}”", texture.unwrap_or_default());
        let factor = color.as_dvec3() * f64::from(scale);
        finite(factor.element_sum(), at)?;
        Ok(Color {
            factor: factor.max(DVec3::ZERO),
            texture: None,
        })
    }

    fn picture(
        &mut self,
        name: &str,
        image: &str,
        binary: &mut Binary,
        images: Images,
        report: &mut Report,
    ) -> Option<Index> {
        let at = format!("texture “{name}”");
        match images::embedded(image, images) {
            Ok(found) => {
                if let Some(note) = found.note {
                    report.add(Severity::Note, "image-changed", at, note);
                }
                let view = binary.view(&found.bytes, None);
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
            Err(why) => {
                let text = format!("{why}; it is left out, and the material is white");
                report.add(Severity::Warning, "image-lost", at, text);
                None
            }
        }
    }
}

/// # Errors
/// [`ExportError::NotFinite`].
pub fn camera(name: &str, camera: &resource::Camera) -> Result<Camera, ExportError> {
    let number = |value: f32, what: &str| finite(value, || format!("the {what} of camera “{name}”"));
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

/// # Errors
/// [`ExportError::NotFinite`].
pub fn light(name: &str, light: &resource::DeltaLight) -> Result<Light, ExportError> {
    let at = || format!("a number of light “{name}”");
    let color = light.color.as_dvec3().max(DVec3::ZERO);
    finite(color.element_sum(), at)?;
    let intensity = finite(light.intensity, at)?.max(0.0);
    // Colours end at 1; what is above goes to the intensity.
    let excess = color.max_element().max(1.0);
    let (kind, spot) = match light.kind {
        DeltaLightKind::Point => (LightKind::Point, None),
        DeltaLightKind::Directional => (LightKind::Directional, None),
        DeltaLightKind::Spot {
            inner_angle,
            outer_angle,
        } => {
            let [inner, outer] =
                [finite(inner_angle, at)?, finite(outer_angle, at)?].map(|whole| whole / 2.0);
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
