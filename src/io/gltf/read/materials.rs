//! Materials and their textures: what is seen of them here.

use super::super::schema::{Index, Material, TextureInfo};
use super::names::Names;
use super::source::{Source, short};
use crate::extra::array::{Array, Scalar};
use crate::extra::{Extra, Value};
use crate::io::report::{Report, Severity};
use crate::scene::Scene;
use crate::scene::resource::{self, MaterialKind, Texture, TextureKind};
use glam::Vec3;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Materials that were taken into the scene.
pub struct Materials<'a> {
    source: &'a Source<'a>,
    /// Where images that lie in the file are to be written; else they are left out.
    folder: Option<&'a Path>,
    taken: HashMap<Index, String>,
    images: HashMap<Index, Option<PathBuf>>,
    /// To be written.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    left_out: usize,
    /// How many images lie in the file, whether they are written or not.
    pub embedded: usize,
    double_sided: usize,
    transparent: usize,
}

impl<'a> Materials<'a> {
    pub fn new(source: &'a Source<'a>, folder: Option<&'a Path>) -> Self {
        Self {
            source,
            folder,
            taken: HashMap::new(),
            images: HashMap::new(),
            files: Vec::new(),
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
        let path = info.and_then(|info| {
            let texture = &self.source.document.textures[info.index];
            let nearest = texture
                .sampler
                .is_some_and(|at| self.source.document.samplers[at].mag_filter == Some(9728));
            Some((self.image(texture.source?, report)?, nearest))
        });
        let Some((path, nearest)) = path else {
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
        let image = path.to_string_lossy().as_ref().into();
        Texture {
            kind: TextureKind::Image {
                sampler: sampler.into(),
                image,
            },
            extra,
        }
    }

    /// The path of an image, if it has or gets one.
    fn image(&mut self, index: Index, report: &mut Report) -> Option<PathBuf> {
        if let Some(path) = self.images.get(&index) {
            return path.clone();
        }
        let path = self.new_image(index, report);
        self.images.insert(index, path.clone());
        path
    }

    fn new_image(&mut self, index: Index, report: &mut Report) -> Option<PathBuf> {
        let image = &self.source.document.images[index];
        let at = format!("/images/{index}");
        if let Some(uri) = image.uri.as_deref().filter(|uri| !uri.starts_with("data:")) {
            return match self.source.beside(uri) {
                Ok(path) if path.is_file() => Some(std::path::absolute(&path).unwrap_or(path)),
                Ok(_) => {
                    let text = format!("there is no image “{}”; its colour is taken alone", short(uri));
                    report.add(Severity::Warning, "missing-image", at, text);
                    None
                }
                Err(what) => {
                    report.add(Severity::Warning, "missing-image", at, what);
                    None
                }
            };
        }
        self.embedded += 1;
        let folder = self.folder?;
        let bytes = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match self.source.resolve(uri, &at) {
                Ok(bytes) => bytes.into_owned(),
                Err(error) => {
                    report.add(Severity::Warning, "missing-image", at, error.to_string());
                    return None;
                }
            },
            (None, Some(view)) => self.source.view(view, None).to_vec(),
            (None, None) => return None,
        };
        let ending = match &bytes[..] {
            [0x89, b'P', b'N', b'G', ..] => "png",
            [0xff, 0xd8, ..] => "jpg",
            _ => {
                report.add(
                    Severity::Warning,
                    "bad-image",
                    at,
                    "the image is neither PNG nor JPEG; it is left out",
                );
                return None;
            }
        };
        let plain: String = image
            .name
            .as_deref()
            .unwrap_or_default()
            .chars()
            .take(60)
            .map(|c| {
                if c.is_alphanumeric() || "-_ ".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let stem = if plain.trim().is_empty() {
            format!("image {index}")
        } else {
            format!("{} {index}", plain.trim())
        };
        let path = folder.join(format!("{stem}.{ending}"));
        self.files.push((path.clone(), bytes));
        Some(std::path::absolute(&path).unwrap_or(path))
    }

    /// What of the materials was left out.
    pub fn say(&self, report: &mut Report) {
        let mut note = |count: usize, severity, code, text: &str| {
            if count > 0 {
                report.add(severity, code, "/materials", format!("{count} {text}"));
            }
        };
        let text = "maps (normals, occlusion, roughness, emission) are left out";
        note(self.left_out, Severity::Note, "left-out", text);
        let text = match self.embedded {
            1 => {
                "image lies in the file and is left out; textures, when it is imported, writes it into a folder"
            }
            _ => {
                "images lie in the file and are left out; textures, when it is imported, writes them into a folder"
            }
        };
        let left = if self.folder.is_none() { self.embedded } else { 0 };
        note(left, Severity::Warning, "embedded-images", text);
        note(
            self.double_sided,
            Severity::Note,
            "double-sided",
            "materials are double-sided, as all surfaces are here",
        );
        note(
            self.transparent,
            Severity::Note,
            "transparent",
            "materials are transparent; they are shown opaque",
        );
    }
}
