//! Values that the specification forbids and that are read all the same: each is told, with what is made of it. Refused
//! is what does not hold together (`check`).

use super::super::schema::{Accessor, BufferView, Camera, Document, Light, LightKind, Material, Node};
use super::source::short;
use crate::io::count::counted;
use crate::io::report::{Report, Severity};
use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use std::ops::RangeInclusive;

/// Rotations are of unit length, as nearly as this.
const UNIT: f64 = 1e-3;

pub fn check(document: &Document, report: &mut Report) {
    let mut values = Values {
        report,
        at: String::new(),
    };
    let lights = document.extensions.as_ref();
    let lights = lights.and_then(|of| of.lights_punctual.as_ref());
    let lights = lights.map_or(&[][..], |of| &of.lights[..]);
    values.each("/bufferViews", &document.buffer_views, Values::view);
    values.each("/accessors", &document.accessors, Values::accessor);
    values.each("/cameras", &document.cameras, Values::camera);
    values.each("/extensions/KHR_lights_punctual/lights", lights, Values::light);
    values.each("/materials", &document.materials, Values::material);
    values.each("/nodes", &document.nodes, |values, node| {
        values.node(document, node)
    });
    values.textures(document);
    values.attributes(document);
    values.morphs(document);
    values.joints(document);
}

struct Values<'r> {
    report: &'r mut Report,
    /// What is looked at.
    at: String,
}

impl Values<'_> {
    fn each<T>(&mut self, list: &str, of: &[T], mut look: impl FnMut(&mut Self, &T)) {
        for (index, item) in of.iter().enumerate() {
            self.at = format!("{list}/{index}");
            look(self, item);
        }
    }

    fn warn(&mut self, text: String) {
        self.report
            .add(Severity::Warning, "forbidden-value", self.at.clone(), text);
    }

    /// Says of a number that is stated where it lies out of its range.
    fn range(&mut self, what: &str, value: Option<f64>, range: RangeInclusive<f64>, done: &str) {
        if let Some(value) = value.filter(|value| !range.contains(value)) {
            let (least, most) = (range.start(), range.end());
            let rule = match most.is_finite() {
                true => format!("lies between {least} and {most:.4}"),
                false => format!("is at least {least}"),
            };
            self.warn(format!("{what} {rule}, and is {value}; {done}"));
        }
    }

    /// The same of one that is above zero.
    fn positive(&mut self, what: &str, value: Option<f64>, done: &str) {
        if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
            self.warn(format!("{what} is above 0, and is {value}; {done}"));
        }
    }

    fn view(&mut self, view: &BufferView) {
        // That of indices: numbers for vertices may lie apart, these may not.
        const INDICES: u32 = 34963;
        let Some(stride) = view.byte_stride else { return };
        if stride > view.byte_length {
            let length = view.byte_length;
            self.warn(format!(
                "its {length} bytes are less than its stride of {stride}; it holds one element at most"
            ));
        }
        if view.target == Some(INDICES) {
            self.warn("a view of indices has a stride; it counts as stated".into());
        }
    }

    fn accessor(&mut self, accessor: &Accessor) {
        if let (Some(offset), None) = (accessor.byte_offset, accessor.buffer_view) {
            self.warn(format!(
                "it begins at byte {offset} of no buffer view; its numbers are 0"
            ));
        }
    }

    fn camera(&mut self, camera: &Camera) {
        let both = camera.perspective.is_some() == camera.orthographic.is_some();
        let kinds = ["perspective", "orthographic"];
        let named = kinds
            .into_iter()
            .zip([camera.perspective.is_some(), camera.orthographic.is_some()]);
        let is_named = named
            .filter(|(_, is_there)| *is_there)
            .any(|(kind, _)| kind == camera.kind);
        if both || !is_named {
            self.warn(
                "the camera is either perspective or orthographic, as its type says; what it sees is a guess"
                    .into(),
            );
        }
        if let Some(perspective) = &camera.perspective {
            let fov = perspective.yfov;
            if !(fov > 0.0 && fov < PI) {
                self.warn(format!(
                    "yfov lies between 0 and 3.1416, and is {fov}; the nearest of 1 to 179 degrees is taken"
                ));
            }
            self.positive(
                "aspectRatio",
                perspective.aspect_ratio,
                "that of a new camera is taken",
            );
            self.positive("znear", Some(perspective.znear), "that of a new camera is taken");
            if perspective.zfar.is_some_and(|far| far <= perspective.znear) {
                self.warn("zfar is not behind znear; it is left out".into());
            }
        }
        if let Some(seen) = &camera.orthographic {
            if seen.xmag == 0.0 || seen.ymag == 0.0 {
                self.warn("what an orthographic camera sees has a width and a height (xmag, ymag), and here one is 0".into());
            }
            if seen.zfar <= seen.znear {
                self.warn("zfar is not behind znear; it is left out".into());
            }
        }
    }

    fn light(&mut self, light: &Light) {
        self.range("intensity", light.intensity, 0.0..=f64::INFINITY, "0 is taken");
        if light
            .color
            .is_some_and(|color| color.min_element() < 0.0 || color.max_element() > 1.0)
        {
            self.warn("a colour has parts from 0 to 1; this one is taken as it is".into());
        }
        if light.kind != LightKind::Spot {
            return;
        }
        let Some(spot) = &light.spot else {
            return self.warn("a spot light has no angles; 0 and 45 degrees are taken".into());
        };
        let inner = spot.inner_cone_angle.unwrap_or(0.0);
        let outer = spot.outer_cone_angle.unwrap_or(FRAC_PI_4);
        let done = "the nearest that is possible is taken";
        self.range("innerConeAngle", Some(inner), 0.0..=FRAC_PI_2, done);
        self.range("outerConeAngle", Some(outer), 0.0..=FRAC_PI_2, done);
        if inner >= outer {
            self.warn(format!("the inner cone of {inner} is not within the outer one of {outer}; the outer one is taken for both"));
        }
    }

    fn material(&mut self, material: &Material) {
        let pbr = material.pbr_metallic_roughness.clone().unwrap_or_default();
        let as_it_is = "it is taken as it is";
        let factor = pbr.base_color_factor.into_iter().flatten();
        factor.for_each(|part| self.range("baseColorFactor", Some(part), 0.0..=1.0, as_it_is));
        self.range("metallicFactor", pbr.metallic_factor, 0.0..=1.0, as_it_is);
        self.range("roughnessFactor", pbr.roughness_factor, 0.0..=1.0, as_it_is);
        let glow = material.emissive_factor.map(|glow| glow.to_array());
        let glow = glow.into_iter().flatten();
        glow.for_each(|part| self.range("emissiveFactor", Some(part), 0.0..=1.0, as_it_is));
        let extensions = material.extensions.clone().unwrap_or_default();
        let strength = extensions.emissive_strength.and_then(|of| of.emissive_strength);
        self.range("emissiveStrength", strength, 0.0..=f64::INFINITY, as_it_is);
        let transmission = extensions.transmission.and_then(|of| of.transmission_factor);
        self.range("transmissionFactor", transmission, 0.0..=1.0, as_it_is);
        let ior = extensions.ior.and_then(|of| of.ior).filter(|ior| *ior != 0.0);
        self.range("ior", ior, 1.0..=f64::INFINITY, as_it_is);
    }

    fn node(&mut self, document: &Document, node: &Node) {
        if node.scale.is_some_and(|scale| scale.abs().min_element() == 0.0) {
            self.warn("a scale of 0 makes it flat; it has no rotation here".into());
        }
        let turn = node.rotation.map(|turn| turn.length());
        if let Some(length) = turn.filter(|length| (length - 1.0).abs() > UNIT) {
            self.warn(format!(
                "the rotation is of length {length:.4} instead of 1; it is made so"
            ));
        }
        if node.mesh.is_none() && !node.weights.is_empty() {
            self.warn("it has weights of morph targets, but no mesh; they are left out".into());
        }
        if let (Some(mesh), Some(_)) = (node.mesh, node.skin) {
            let mut primitives = document.meshes[mesh].primitives.iter();
            if !primitives.any(|of| of.attributes.contains_key("JOINTS_0")) {
                self.warn("it has a skin, but its mesh names no joints; nothing moves its vertices".into());
            }
        }
    }

    /// Surfaces with a picture have texture coordinates for it.
    fn textures(&mut self, document: &Document) {
        self.each("/meshes", &document.meshes, |values, mesh| {
            let without = mesh.primitives.iter().filter(|primitive| {
                let material = primitive.material.map(|of| &document.materials[of]);
                let pbr = material.and_then(|of| of.pbr_metallic_roughness.as_ref());
                let Some(info) = pbr.and_then(|of| of.base_color_texture.as_ref()) else {
                    return false;
                };
                let moved = info
                    .extensions
                    .as_ref()
                    .and_then(|of| of.texture_transform.as_ref());
                let set = moved.and_then(|of| of.tex_coord).or(info.tex_coord).unwrap_or(0);
                !primitive.attributes.contains_key(&format!("TEXCOORD_{set}"))
            });
            let without = without.count();
            if without > 0 {
                values.warn(format!(
                    "{} a picture and no texture coordinates for it; it is not where it belongs",
                    counted(without, "of its primitives has", "of its primitives have")
                ));
            }
        });
    }

    /// Attributes have the names of the specification, or begin with an underscore; targets change what is there.
    fn attributes(&mut self, document: &Document) {
        self.each("/meshes", &document.meshes, |values, mesh| {
            let all = || {
                mesh.primitives
                    .iter()
                    .flat_map(|of| of.targets.iter().chain([&of.attributes]))
            };
            let odd: BTreeSet<&str> = all()
                .flat_map(|attributes| attributes.keys())
                .map(String::as_str)
                .filter(|name| !is_attribute(name))
                .collect();
            if let Some(first) = odd.first() {
                let (count, first) = (odd.len(), short(first));
                values.warn(format!(
                    "attributes cannot be called so ({count}, “{first}” among them); they are left out"
                ));
            }
            let without = mesh.primitives.iter().any(|of| {
                let mut changed = of.targets.iter().flat_map(|target| target.keys());
                changed.any(|name| !of.attributes.contains_key(name))
            });
            if without {
                values.warn(
                    "a morph target changes an attribute that its primitive has not; that is left out".into(),
                );
            }
        });
    }

    /// Joints have weights, set by set.
    fn joints(&mut self, document: &Document) {
        self.each("/meshes", &document.meshes, |values, mesh| {
            let unpaired = mesh.primitives.iter().filter(|primitive| {
                let sets = |prefix: &str| -> Vec<&str> {
                    let names = primitive.attributes.keys();
                    names.filter_map(|name| name.strip_prefix(prefix)).collect()
                };
                sets("JOINTS_") != sets("WEIGHTS_")
            });
            let unpaired = unpaired.count();
            if unpaired > 0 {
                values.warn(format!(
                    "{unpaired} of its primitives have joints without weights or weights without joints; these are left out"
                ));
            }
        });
    }

    /// Morph targets have as many weights as they are, in all primitives.
    fn morphs(&mut self, document: &Document) {
        self.each("/meshes", &document.meshes, |values, mesh| {
            let counts: Vec<usize> = mesh.primitives.iter().map(|of| of.targets.len()).collect();
            let uneven = counts.iter().any(|count| *count != counts[0]);
            let weights = mesh.weights.len();
            if uneven || weights > 0 && weights != counts[0] {
                values.warn(
                    "its primitives do not have one number of morph targets, with a weight each; those without count as 0".into(),
                );
            }
        });
    }
}

/// Whether an attribute may have that name.
fn is_attribute(name: &str) -> bool {
    let set = |prefix| name.strip_prefix(prefix).is_some_and(is_number);
    ["POSITION", "NORMAL", "TANGENT"].contains(&name)
        || name.starts_with('_')
        || ["TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"]
            .into_iter()
            .any(set)
}

/// A number without zeros before it.
fn is_number(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
        && !digits.is_empty()
}
