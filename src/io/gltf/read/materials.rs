//! Materials and their textures: what is seen of them here.

use super::super::schema::{Index, Material, TextureInfo};
use super::names::Names;
use super::source::{Source, short};
use crate::extra::array::{Array, Scalar};
use crate::extra::{Extra, Value};
use crate::io::embedded_picture::embed;
use crate::io::limits::FILE_BYTES;
use crate::io::picture_files::objection;
use crate::io::report::{Report, Severity};
use crate::scene::Scene;
use crate::scene::resource::{self, MaterialKind, Texture, TextureKind};
use glam::Vec3;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Most bytes of images of a file that are taken: many may name one view.
const MOST_BYTES: u64 = FILE_BYTES / 2;

/// Materials that were taken into the scene.
pub struct Materials<'a> {
    source: &'a Source<'a>,
    /// Whether images that lie in the file are left out.
    leaves_images: bool,
    taken: HashMap<Index, String>,
    images: HashMap<Index, Option<Arc<str>>>,
    /// Of the images that lie in the file.
    bytes: u64,
    left_out: usize,
    /// How many images lie in the file, whether they are taken or not.
    pub embedded: usize,
    double_sided: usize,
    transparent: usize,
}

impl<'a> Materials<'a> {
    pub fn new(source: &'a Source<'a>, leaves_images: bool) -> Self {
        Self {
            source,
            leaves_images,
            taken: HashMap::new(),
            images: HashMap::new(),
            bytes: 0,
            left_out: 0,
            embedded: 0,
            double_sided: 0,
            transparent: 0,
        }
    }

    /// The name of a material in the scene, which it is added to where it is not there yet.
    pub fn take(
        &mut self,
        index: Index,
        scene: &mut Scene,
        names: &mut Names,
        report: &mut Report,
    ) -> String {
        if let Some(name) = self.taken.get(&index) {
            return name.clone();
        }
        let source = self.source;
        let material = &source.document.materials[index];
        let wanted = material
            .name
            .as_deref()
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let name = names.unique(wanted.unwrap_or("Material"));
        self.taken.insert(index, name.clone());
        self.double_sided += usize::from(material.double_sided == Some(true));
        self.transparent += usize::from(
            material
                .alpha_mode
                .as_deref()
                .is_some_and(|mode| mode != "OPAQUE"),
        );
        let (kind, maps) = self.kind(material, &name, scene, names, report);
        self.left_out += maps;
        scene
            .materials
            .insert(name.clone(), Arc::new(resource::Material::from(kind)));
        name
    }

    /// Also how many of its maps are left out.
    fn kind(
        &mut self,
        material: &Material,
        name: &str,
        scene: &mut Scene,
        names: &mut Names,
        report: &mut Report,
    ) -> (MaterialKind, usize) {
        let pbr = material.pbr_metallic_roughness.clone().unwrap_or_default();
        let [r, g, b, _] = pbr.base_color_factor.unwrap_or([1.0; 4]).map(|part| part as f32);
        let base = Vec3::new(r, g, b);
        let extensions = material.extensions.clone().unwrap_or_default();
        let strength = extensions
            .emissive_strength
            .and_then(|of| of.emissive_strength)
            .unwrap_or(1.0) as f32;
        let glow = material.emissive_factor.unwrap_or_default().as_vec3() * strength;
        let maps = [
            &material.normal_texture,
            &material.occlusion_texture,
            &pbr.metallic_roughness_texture,
        ];
        let mut maps = maps.into_iter().filter(|map| map.is_some()).count();
        let mut texture = |this: &mut Self, info: Option<&TextureInfo>, factor: Vec3, what: &str| {
            let kind = this.texture(info, factor, report);
            let name = names.unique(&format!("{name} {what}"));
            scene.textures.insert(name.clone(), Arc::new(kind));
            Some(name)
        };
        let is_black = base == Vec3::ZERO && pbr.base_color_texture.is_none();
        let emissive = material.emissive_texture.as_ref();
        if glow != Vec3::ZERO && (is_black || extensions.unlit.is_some()) {
            let emissive = texture(self, emissive, glow, "emission");
            return (MaterialKind::Emissive { emissive }, maps);
        }
        maps += usize::from(emissive.is_some() && glow != Vec3::ZERO);
        let color = texture(self, pbr.base_color_texture.as_ref(), base, "color");
        let transmission = extensions
            .transmission
            .and_then(|of| of.transmission_factor)
            .unwrap_or(0.0);
        let metallic = pbr.metallic_factor.unwrap_or(1.0);
        let roughness = pbr.roughness_factor.unwrap_or(1.0);
        let kind = if transmission > 0.5 {
            let reflectance = texture(self, None, Vec3::ONE, "reflection");
            let ior = extensions
                .ior
                .and_then(|of| of.ior)
                .map_or(MaterialKind::IOR, |ior| ior as f32);
            MaterialKind::Glass {
                transmittance: color,
                reflectance,
                ior,
            }
        } else if metallic > 0.5 && roughness < 0.2 {
            MaterialKind::Mirror { reflectance: color }
        } else {
            MaterialKind::Lambertian { albedo: color }
        };
        (kind, maps)
    }

    fn texture(&mut self, info: Option<&TextureInfo>, factor: Vec3, report: &mut Report) -> Texture {
        let image = info.and_then(|info| {
            let texture = &self.source.document.textures[info.index];
            let nearest = texture
                .sampler
                .is_some_and(|at| self.source.document.samplers[at].mag_filter == Some(9728));
            Some((self.image(texture.source?, report)?, nearest))
        });
        let Some((image, nearest)) = image else {
            return TextureKind::Constant {
                color: factor,
                scale: 1.0,
            }
            .into();
        };
        let sampler = if nearest { "nearest" } else { "bilinear" };
        let mut extra = Extra::default();
        if factor != Vec3::ONE {
            let numbers = factor
                .to_array()
                .map(|part| Ok::<_, Value>(Scalar::Float(f64::from(part))));
            extra.set(
                "factor",
                Value::Array(numbers.into_iter().collect::<Array<Value>>()),
            );
        }
        Texture {
            kind: TextureKind::Image {
                sampler: sampler.into(),
                image,
            },
            extra,
        }
    }

    /// What names an image in the scene, or holds it; `None` where it is left out.
    fn image(&mut self, index: Index, report: &mut Report) -> Option<Arc<str>> {
        if let Some(image) = self.images.get(&index) {
            return image.clone();
        }
        let image = self.new_image(index, report).map(Arc::from);
        self.images.insert(index, image.clone());
        image
    }

    fn new_image(&mut self, index: Index, report: &mut Report) -> Option<String> {
        let image = &self.source.document.images[index];
        let mut warn = |code, text| {
            let text =
                format!("{text}; put that right, or choose another picture: a checker is shown in its place");
            report.add(Severity::Warning, code, format!("/images/{index}"), text);
        };
        let bytes = match (image.uri.as_deref(), image.buffer_view) {
            (Some(uri), _) if !uri.starts_with("data:") => {
                return Some(match self.source.picture_beside(uri) {
                    Ok(path) => {
                        if let Some(error) = objection(&path, self.source.folder) {
                            warn("missing-image", error.to_string());
                        }
                        path
                    }
                    Err(what) => {
                        warn("missing-image", what);
                        // Its name alone: what lies outside of the folder is not opened.
                        let name = uri.rsplit(['/', '\\']).next().unwrap_or_default();
                        short(name)
                    }
                });
            }
            (uri, view) => {
                self.embedded += 1;
                if self.leaves_images {
                    return None;
                }
                let at = format!("/images/{index}");
                match (uri, view) {
                    (Some(uri), _) => match self.source.resolve(uri, &at) {
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
        if self.bytes > MOST_BYTES {
            let text = format!(
                "the images hold more than {} MiB; it is left out",
                MOST_BYTES >> 20
            );
            report.add(
                Severity::Warning,
                "large-images",
                format!("/images/{index}"),
                text,
            );
            return None;
        }
        let plain = image
            .name
            .as_deref()
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let name = plain.map_or_else(|| format!("image {index}"), short);
        let text = embed(&name, image.mime_type.as_deref(), &bytes);
        if let (false, Some(error)) = (bytes.is_empty(), objection(&text, None)) {
            warn("bad-image", error.to_string());
        }
        Some(text)
    }

    /// What of the materials was left out.
    pub fn report(&self, report: &mut Report) {
        let mut note = |count: usize, severity, code, text: &str| {
            if count > 0 {
                report.add(severity, code, "/materials", format!("{count} {text}"));
            }
        };
        let text = "maps (normals, occlusion, roughness, emission) are left out";
        note(self.left_out, Severity::Note, "left-out", text);
        let text = match self.embedded {
            1 => "image lies in the file and is left out",
            _ => "images lie in the file and are left out",
        };
        let left = if self.leaves_images { self.embedded } else { 0 };
        note(left, Severity::Warning, "embedded-images", text);
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
