//! Properties that a file states and a scene has no place for: one table, with a finding for each that occurs.

use super::super::schema::{Document, Material};
use super::materials::{Look, emission, gloss, transmission};
use crate::io::count::counted;
use crate::io::report::{Report, Severity};
use glam::Vec3;

/// The wrapping of textures that repeat, as an OpenGL constant.
const REPEAT: u32 = 10497;

/// A property: the code and the place of its finding, how many items have it, and what the finding says about one and
/// about several of them.
type Loss = (&'static str, &'static str, fn(&Document) -> usize, &'static str, &'static str);

const LOSSES: [Loss; 7] = [
    (
        "far-plane",
        "/cameras",
        |document| {
            let planes = document.cameras.iter().filter_map(|camera| camera.perspective.as_ref()?.zfar);
            planes.count()
        },
        "camera has a far plane, which is left out: it sees any distance",
        "cameras have far planes, which are left out: they see any distance",
    ),
    (
        "light-range",
        "/extensions/KHR_lights_punctual/lights",
        |document| {
            let lights = document.extensions.iter().filter_map(|all| all.lights_punctual.as_ref());
            lights.flat_map(|lights| &lights.lights).filter(|light| light.range.is_some()).count()
        },
        "light has a range, which is left out: it reaches any distance",
        "lights have ranges, which are left out: they reach any distance",
    ),
    (
        "texture-edges",
        "/textures",
        |document| {
            let samplers = document.textures.iter().filter_map(|texture| texture.sampler);
            let wraps =
                samplers.map(|sampler| &document.samplers[sampler]).map(|all| [all.wrap_s, all.wrap_t]);
            wraps.filter(|wraps| wraps.iter().flatten().any(|wrap| *wrap != REPEAT)).count()
        },
        "texture is clamped or mirrored beyond its edges, where it repeats now",
        "textures are clamped or mirrored beyond their edges, where they repeat now",
    ),
    (
        "emission",
        "/materials",
        |document| {
            count(document, |material, look| look != Look::Emissive && emission(material) != Vec3::ZERO)
        },
        "material also emits light, which is left out",
        "materials also emit light, which is left out",
    ),
    (
        "gloss",
        "/materials",
        |document| {
            count(document, |material, look| {
                let (metallic, roughness) = gloss(material);
                match look {
                    Look::Matt => metallic > 0.0 || roughness < 1.0,
                    Look::Mirror => metallic < 1.0 || roughness > 0.0,
                    Look::Glass | Look::Emissive => false,
                }
            })
        },
        "material is partly metallic or glossy; it is matt, or a perfect mirror",
        "materials are partly metallic or glossy; they are matt, or perfect mirrors",
    ),
    (
        "transmission",
        "/materials",
        |document| {
            count(document, |material, _| {
                let transmission = transmission(material);
                transmission > 0.0 && transmission < 1.0
            })
        },
        "material lets a part of the light through; it is clear from 0.5 on, and else opaque",
        "materials let a part of the light through; they are clear from 0.5 on, and else opaque",
    ),
    (
        "copyright",
        "/asset/copyright",
        |document| usize::from(document.asset.copyright.is_some()),
        "copyright notice is left out",
        "copyright notices are left out",
    ),
];

fn count(document: &Document, has: fn(&Material, Look) -> bool) -> usize {
    document.materials.iter().filter(|material| has(material, Look::new(material))).count()
}

pub fn report(document: &Document, report: &mut Report) {
    for (code, pointer, count, one, several) in LOSSES {
        let count = count(document);
        if count > 0 {
            report.add(Severity::Note, code, pointer, counted(count, one, several));
        }
    }
}
