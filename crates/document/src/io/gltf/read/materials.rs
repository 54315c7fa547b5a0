//! Imports the visible parts of materials and their textures.

use super::super::schema::{Index, Material, Pbr, Texture as TextureData, TextureInfo};
use super::shorten;
use super::source::Source;
use crate::extra::array::{Array, Scalar};
use crate::extra::{Extra, Value};
use crate::io::embedded_picture::embed;
use crate::io::limits::FILE_BYTES;
use crate::io::picture_files::header_error;
use crate::io::report::{Report, Severity};
use crate::io::unique_names::UniqueNames;
use crate::scene::Scene;
use crate::scene::resource::{self, MaterialKind, Texture, TextureKind};
use glam::Vec3;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum size of all images of a file: many may refer to the same view.
const MAX_BYTES: u64 = FILE_BYTES / 2;

/// What a material becomes.
#[derive(Clone, Copy, PartialEq)]
pub enum Look {
    Emissive,
    Glass,
    Mirror,
    Matt,
}

impl Look {
    pub fn new(material: &Material) -> Self {
        let pbr = material.pbr_metallic_roughness.as_ref();
        let is_black = pbr.is_some_and(|pbr| {
            pbr.base_color_factor.is_some_and(|[r, g, b, _]| [r, g, b] == [0.0; 3])
                && pbr.base_color_texture.is_none()
        });
        let is_unlit = material.extensions.as_ref().is_some_and(|extensions| extensions.unlit.is_some());
        let (metallic, roughness) = gloss(material);
        if emission(material) != Vec3::ZERO && (is_black || is_unlit) {
            Self::Emissive
        } else if transmission(material) > 0.5 {
            Self::Glass
        } else if metallic > 0.5 && roughness < 0.2 {
            Self::Mirror
        } else {
            Self::Matt
        }
    }
}

/// Returns the linear colour that a material emits, above 1 if it is strong.
pub fn emission(material: &Material) -> Vec3 {
    let strength = material.extensions.as_ref().and_then(|extensions| extensions.emissive_strength.as_ref());
    let strength = strength.and_then(|extension| extension.emissive_strength).unwrap_or(1.0);
    material.emissive_factor.unwrap_or_default().as_vec3() * strength as f32
}

/// Returns the part of the light that a material lets through.
pub fn transmission(material: &Material) -> f64 {
    let transmission = material.extensions.as_ref().and_then(|extensions| extensions.transmission.as_ref());
    transmission.and_then(|extension| extension.transmission_factor).unwrap_or(0.0)
}

/// Returns metalness and roughness.
pub fn gloss(material: &Material) -> (f64, f64) {
    let pbr = material.pbr_metallic_roughness.as_ref();
    let factor = |factor: fn(&Pbr) -> Option<f64>| pbr.and_then(factor).unwrap_or(1.0);
    (factor(|pbr| pbr.metallic_factor), factor(|pbr| pbr.roughness_factor))
}

/// The materials that were added to the scene.
pub struct Materials<'a> {
    source: &'a Source<'a>,
    /// Whether images inside the file are left out.
    without_images: bool,
    names_by_index: HashMap<Index, String>,
    images: HashMap<Index, Option<Arc<str>>>,
    /// The size of the images inside the file.
    bytes: u64,
    left_out: usize,
    /// The number of images inside the file, whether they are imported or not.
    pub embedded: usize,
    double_sided: usize,
    transparent: usize,
}

impl<'a> Materials<'a> {
    pub fn new(source: &'a Source<'a>, without_images: bool) -> Self {
        Self {
            source,
            without_images,
            names_by_index: HashMap::new(),
            images: HashMap::new(),
            bytes: 0,
            left_out: 0,
            embedded: 0,
            double_sided: 0,
            transparent: 0,
        }
    }

    /// Returns the name of a material in the scene, and adds it if necessary.
    pub fn add(
        &mut self,
        index: Index,
        scene: &mut Scene,
        names: &mut UniqueNames,
        report: &mut Report,
    ) -> String {
        if let Some(name) = self.names_by_index.get(&index) {
            return name.clone();
        }
        let source = self.source;
        let material = &source.document.materials[index];
        let wanted = material.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let name = names.unique(wanted.unwrap_or("Material"));
        self.names_by_index.insert(index, name.clone());
        self.double_sided += usize::from(material.double_sided == Some(true));
        self.transparent += usize::from(material.alpha_mode.as_deref().is_some_and(|mode| mode != "OPAQUE"));
        let (kind, maps) = self.kind(material, &name, scene, names, report);
        self.left_out += maps;
        scene.materials.insert(name.clone(), Arc::new(resource::Material::from(kind)));
        name
    }

    /// Converts a material; also returns how many of its maps are left out.
    fn kind(
        &mut self,
        material: &Material,
        name: &str,
        scene: &mut Scene,
        names: &mut UniqueNames,
        report: &mut Report,
    ) -> (MaterialKind, usize) {
        let pbr = material.pbr_metallic_roughness.clone().unwrap_or_default();
        let [r, g, b, _] = pbr.base_color_factor.unwrap_or([1.0; 4]).map(|part| part as f32);
        let base = Vec3::new(r, g, b);
        let (look, glow) = (Look::new(material), emission(material));
        let maps = [&material.normal_texture, &material.occlusion_texture, &pbr.metallic_roughness_texture];
        let maps = maps.into_iter().filter(|map| map.is_some()).count();
        let mut texture = |materials: &mut Self, info: Option<&TextureInfo>, factor: Vec3, suffix: &str| {
            let kind = materials.texture(info, factor, report);
            let name = names.unique(&format!("{name} {suffix}"));
            scene.textures.insert(name.clone(), Arc::new(kind));
            Some(name)
        };
        if look == Look::Emissive {
            let emissive = texture(self, material.emissive_texture.as_ref(), glow, "emission");
            return (MaterialKind::Emissive { emissive }, maps);
        }
        let color = texture(self, pbr.base_color_texture.as_ref(), base, "color");
        let kind = match look {
            Look::Glass => {
                let reflectance = texture(self, None, Vec3::ONE, "reflection");
                let ior = material.extensions.as_ref().and_then(|extensions| extensions.ior.as_ref()?.ior);
                let ior = ior.map_or(MaterialKind::IOR, |ior| ior as f32);
                MaterialKind::Glass { transmittance: color, reflectance, ior }
            }
            Look::Mirror => MaterialKind::Mirror { reflectance: color },
            _ => MaterialKind::Lambertian { albedo: color },
        };
        (kind, maps)
    }

    /// Returns the image of a texture: for one of an extension alone, that one.
    fn picture(&self, texture: &TextureData) -> Option<Index> {
        let extensions = || texture.extensions.iter().filter_map(|extensions| extensions.as_object());
        let named = || {
            extensions().flat_map(|extensions| extensions.values()).find_map(|value| value["source"].as_u64())
        };
        let source = texture.source.or_else(|| named().map(|source| source as Index))?;
        (source < self.source.document.images.len()).then_some(source)
    }

    fn texture(&mut self, info: Option<&TextureInfo>, factor: Vec3, report: &mut Report) -> Texture {
        let image = info.and_then(|info| {
            let texture = &self.source.document.textures[info.index];
            let nearest = texture
                .sampler
                .is_some_and(|sampler| self.source.document.samplers[sampler].mag_filter == Some(9728));
            Some((self.image(self.picture(texture)?, report)?, nearest))
        });
        let Some((image, nearest)) = image else {
            return TextureKind::Constant { color: factor, scale: 1.0 }.into();
        };
        let sampler = if nearest { "nearest" } else { "bilinear" };
        let mut extra = Extra::default();
        if factor != Vec3::ONE {
            let numbers = factor.to_array().map(|part| Ok::<_, Value>(Scalar::Float(f64::from(part))));
            extra.set("factor", Value::Array(numbers.into_iter().collect::<Array<Value>>()));
        }
        Texture { kind: TextureKind::Image { sampler: sampler.into(), image }, extra }
    }

    /// Returns the path of an image, or its embedded bytes, as text; `None` if it is left out.
    fn image(&mut self, index: Index, report: &mut Report) -> Option<Arc<str>> {
        if let Some(image) = self.images.get(&index) {
            return image.clone();
        }
        let image = self.load_image(index, report).map(Arc::from);
        self.images.insert(index, image.clone());
        image
    }

    fn load_image(&mut self, index: Index, report: &mut Report) -> Option<String> {
        let image = &self.source.document.images[index];
        let mut warn = |code, text| {
            let text = format!("{text}; fix it, or choose another picture: a checker is shown in its place");
            report.add(Severity::Warning, code, format!("/images/{index}"), text);
        };
        let bytes = match (image.uri.as_deref(), image.buffer_view) {
            (Some(uri), _) if !uri.starts_with("data:") => {
                return Some(match self.source.picture_path(uri) {
                    Ok(path) => {
                        if let Some(error) = header_error(&path, self.source.folder) {
                            warn("missing-image", error.to_string());
                        }
                        path
                    }
                    Err(problem) => {
                        warn("missing-image", problem);
                        // Only its name: files outside the folder are not opened.
                        let name = uri.rsplit(['/', '\\']).next().unwrap_or_default();
                        shorten(name)
                    }
                });
            }
            (uri, view) => {
                self.embedded += 1;
                if self.without_images {
                    return None;
                }
                let pointer = format!("/images/{index}");
                match (uri, view) {
                    (Some(uri), _) => match self.source.resolve(uri, &pointer) {
                        Ok(bytes) => bytes,
                        Err(error) => {
                            warn("missing-image", error.to_string());
                            Cow::Borrowed(&[][..])
                        }
                    },
                    (None, view) => Cow::Borrowed(view.map_or(&[][..], |view| self.source.view(view, None))),
                }
            }
        };
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_BYTES {
            let text = format!("the images hold more than {} MiB; it is left out", MAX_BYTES >> 20);
            report.add(Severity::Warning, "large-images", format!("/images/{index}"), text);
            return None;
        }
        let given_name = image.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let name = given_name.map_or_else(|| format!("image {index}"), shorten);
        let text = embed(&name, image.mime_type.as_deref(), &bytes);
        if let (false, Some(error)) = (bytes.is_empty(), header_error(&text, None)) {
            warn("bad-image", error.to_string());
        }
        Some(text)
    }

    /// Reports what was left out of the materials.
    pub fn report(&self, report: &mut Report) {
        let mut note = |count: usize, severity, code, text: &str| {
            if count > 0 {
                report.add(severity, code, "/materials", format!("{count} {text}"));
            }
        };
        let text = "maps (normals, occlusion, roughness) are left out";
        note(self.left_out, Severity::Note, "left-out", text);
        let text = match self.embedded {
            1 => "image stored in the file is left out",
            _ => "images stored in the file are left out",
        };
        let omitted = if self.without_images { self.embedded } else { 0 };
        note(omitted, Severity::Warning, "embedded-images", text);
        note(
            self.double_sided,
            Severity::Note,
            "double-sided",
            match self.double_sided {
                1 => "material is double-sided, as all surfaces are here",
                _ => "materials are double-sided, as all surfaces are here",
            },
        );
        note(
            self.transparent,
            Severity::Note,
            "transparent",
            match self.transparent {
                1 => "material is transparent; it is shown opaque",
                _ => "materials are transparent; they are shown opaque",
            },
        );
    }
}
