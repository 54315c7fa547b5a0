//! Reports values that the specification forbids but that are accepted: each with what is done about it.
//! Inconsistent files are refused (`check`).

use super::super::schema::{
    Accessor, Animation, BufferView, Camera, Document, Light, LightKind, Material, Node, Path,
};
use super::shorten;
use crate::io::count::counted;
use crate::io::report::{Report, Severity};
use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use std::ops::RangeInclusive;

/// The tolerance for the length of rotations.
const UNIT: f64 = 1e-3;

pub fn check(document: &Document, report: &mut Report) {
    let mut checker = Checker { report, pointer: String::new() };
    let lights = document.extensions.as_ref();
    let lights = lights.and_then(|extension| extension.lights_punctual.as_ref());
    let lights = lights.map_or(&[][..], |extension| &extension.lights[..]);
    checker.check_each("/bufferViews", &document.buffer_views, Checker::check_view);
    checker.check_each("/accessors", &document.accessors, Checker::check_accessor);
    checker.check_each("/cameras", &document.cameras, Checker::check_camera);
    checker.check_each("/extensions/KHR_lights_punctual/lights", lights, Checker::check_light);
    checker.check_each("/materials", &document.materials, Checker::check_material);
    checker.check_each("/nodes", &document.nodes, |checker, node| checker.check_node(document, node));
    checker.check_each("/animations", &document.animations, |checker, animation| {
        checker.check_animation(document, animation);
    });
    checker.check_textures(document);
    checker.check_attributes(document);
    checker.check_morphs(document);
    checker.check_joints(document);
}

struct Checker<'r> {
    report: &'r mut Report,
    /// The JSON pointer of the item being checked.
    pointer: String,
}

impl Checker<'_> {
    fn check_each<T>(&mut self, list: &str, items: &[T], mut check: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            self.pointer = format!("{list}/{index}");
            check(self, item);
        }
    }

    fn warn(&mut self, text: String) {
        self.report.add(Severity::Warning, "forbidden-value", self.pointer.clone(), text);
    }

    /// Warns of a value outside its range.
    fn check_range(&mut self, name: &str, value: Option<f64>, range: RangeInclusive<f64>, action: &str) {
        if let Some(value) = value.filter(|value| !range.contains(value)) {
            let (min, max) = (range.start(), range.end());
            let rule = if max.is_finite() {
                format!("lies between {min} and {max:.4}")
            } else {
                format!("is at least {min}")
            };
            self.warn(format!("{name} {rule}, and is {value}; {action}"));
        }
    }

    /// Warns of a value that is not positive and finite.
    fn check_positive(&mut self, name: &str, value: Option<f64>, action: &str) {
        if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
            self.warn(format!("{name} is above 0, and is {value}; {action}"));
        }
    }

    fn check_view(&mut self, view: &BufferView) {
        // The target of indices, which must be contiguous, unlike vertex data.
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

    fn check_accessor(&mut self, accessor: &Accessor) {
        if let (Some(offset), None) = (accessor.byte_offset, accessor.buffer_view) {
            self.warn(format!("it begins at byte {offset} of no buffer view; its numbers are 0"));
        }
    }

    fn check_camera(&mut self, camera: &Camera) {
        let is_ambiguous = camera.perspective.is_some() == camera.orthographic.is_some();
        let kinds = ["perspective", "orthographic"];
        let stated = kinds.into_iter().zip([camera.perspective.is_some(), camera.orthographic.is_some()]);
        let is_named = stated.filter(|(_, exists)| *exists).any(|(kind, _)| kind == camera.kind);
        if is_ambiguous || !is_named {
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
            self.check_positive("aspectRatio", perspective.aspect_ratio, "that of a new camera is taken");
            self.check_positive("znear", Some(perspective.znear), "that of a new camera is taken");
            if perspective.zfar.is_some_and(|far| far <= perspective.znear) {
                self.warn("zfar is not behind znear; it is left out".into());
            }
        }
        if let Some(orthographic) = &camera.orthographic {
            if orthographic.xmag == 0.0 || orthographic.ymag == 0.0 {
                self.warn("the width or height of the orthographic camera (xmag, ymag) is 0".into());
            }
            if orthographic.zfar <= orthographic.znear {
                self.warn("zfar is not behind znear; it is left out".into());
            }
        }
    }

    fn check_light(&mut self, light: &Light) {
        self.check_range("intensity", light.intensity, 0.0..=f64::INFINITY, "0 is taken");
        if light.color.is_some_and(|color| color.min_element() < 0.0 || color.max_element() > 1.0) {
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
        let action = "the nearest that is possible is taken";
        self.check_range("innerConeAngle", Some(inner), 0.0..=FRAC_PI_2, action);
        self.check_range("outerConeAngle", Some(outer), 0.0..=FRAC_PI_2, action);
        if inner >= outer {
            self.warn(format!("the inner cone of {inner} is not within the outer one of {outer}; the outer one is taken for both"));
        }
    }

    fn check_material(&mut self, material: &Material) {
        let pbr = material.pbr_metallic_roughness.clone().unwrap_or_default();
        let action = "it is taken as it is";
        let factor = pbr.base_color_factor.into_iter().flatten();
        factor.for_each(|part| self.check_range("baseColorFactor", Some(part), 0.0..=1.0, action));
        self.check_range("metallicFactor", pbr.metallic_factor, 0.0..=1.0, action);
        self.check_range("roughnessFactor", pbr.roughness_factor, 0.0..=1.0, action);
        let emission = material.emissive_factor.map(|emission| emission.to_array());
        let emission = emission.into_iter().flatten();
        emission.for_each(|part| self.check_range("emissiveFactor", Some(part), 0.0..=1.0, action));
        let extensions = material.extensions.clone().unwrap_or_default();
        let strength = extensions.emissive_strength.and_then(|extension| extension.emissive_strength);
        self.check_range("emissiveStrength", strength, 0.0..=f64::INFINITY, action);
        let transmission = extensions.transmission.and_then(|extension| extension.transmission_factor);
        self.check_range("transmissionFactor", transmission, 0.0..=1.0, action);
        let ior = extensions.ior.and_then(|extension| extension.ior).filter(|ior| *ior != 0.0);
        self.check_range("ior", ior, 1.0..=f64::INFINITY, action);
    }

    fn check_node(&mut self, document: &Document, node: &Node) {
        if node.scale.is_some_and(|scale| scale.abs().min_element() == 0.0) {
            self.warn("a scale of 0 makes it flat; it has no rotation here".into());
        }
        let rotation = node.rotation.map(|rotation| rotation.length());
        if let Some(length) = rotation.filter(|length| (length - 1.0).abs() > UNIT) {
            self.warn(format!("the rotation has length {length:.4} instead of 1; it is normalised"));
        }
        if node.mesh.is_none() && !node.weights.is_empty() {
            self.warn("it has weights of morph targets, but no mesh; they are left out".into());
        }
        if let (Some(mesh), Some(_)) = (node.mesh, node.skin) {
            let mut primitives = document.meshes[mesh].primitives.iter();
            if !primitives.any(|primitive| primitive.attributes.contains_key("JOINTS_0")) {
                self.warn("it has a skin, but its mesh names no joints; nothing moves its vertices".into());
            }
        }
    }

    /// Warns of animated nodes that have a matrix, of which a part is animated.
    fn check_animation(&mut self, document: &Document, animation: &Animation) {
        let driven = animation.channels.iter().filter(|channel| channel.target.path != Path::Weights);
        let driven: BTreeSet<usize> = driven.filter_map(|channel| channel.target.node).collect();
        let count = driven.iter().filter(|node| document.nodes[**node].matrix.is_some()).count();
        if count > 0 {
            let nodes = counted(count, "node that it moves has", "nodes that it moves have");
            self.warn(format!("{nodes} a matrix; it is split into translation, rotation and scale"));
        }
    }

    /// Warns of surfaces with a picture but no texture coordinates for it.
    fn check_textures(&mut self, document: &Document) {
        self.check_each("/meshes", &document.meshes, |checker, mesh| {
            let missing = mesh.primitives.iter().filter(|primitive| {
                let material = primitive.material.map(|index| &document.materials[index]);
                let pbr = material.and_then(|index| index.pbr_metallic_roughness.as_ref());
                let Some(info) = pbr.and_then(|index| index.base_color_texture.as_ref()) else {
                    return false;
                };
                let transform = info.extensions.as_ref().and_then(|index| index.texture_transform.as_ref());
                let set = transform.and_then(|index| index.tex_coord).or(info.tex_coord).unwrap_or(0);
                !primitive.attributes.contains_key(&format!("TEXCOORD_{set}"))
            });
            let missing = missing.count();
            if missing > 0 {
                checker.warn(format!(
                    "{} a picture and no texture coordinates for it; it is not where it belongs",
                    counted(missing, "of its primitives has", "of its primitives have")
                ));
            }
        });
    }

    /// Warns of attribute names that are not in the specification and do not begin with an underscore, and of
    /// targets for missing attributes.
    fn check_attributes(&mut self, document: &Document) {
        self.check_each("/meshes", &document.meshes, |checker, mesh| {
            let all_attributes = || {
                mesh.primitives
                    .iter()
                    .flat_map(|primitive| primitive.targets.iter().chain([&primitive.attributes]))
            };
            let unknown: BTreeSet<&str> = all_attributes()
                .flat_map(|attributes| attributes.keys())
                .map(String::as_str)
                .filter(|name| !is_attribute(name))
                .collect();
            if let Some(first) = unknown.first() {
                let (count, first) = (unknown.len(), shorten(first));
                checker.warn(format!(
                    "attributes with invalid names are left out ({count}, for example “{first}”)"
                ));
            }
            let is_missing = mesh.primitives.iter().any(|primitive| {
                let mut changed = primitive.targets.iter().flat_map(|target| target.keys());
                changed.any(|name| !primitive.attributes.contains_key(name))
            });
            if is_missing {
                checker.warn(
                    "a morph target changes an attribute that its primitive lacks; the change is left out"
                        .into(),
                );
            }
        });
    }

    /// Warns of sets of joints without weights, or weights without joints.
    fn check_joints(&mut self, document: &Document) {
        self.check_each("/meshes", &document.meshes, |checker, mesh| {
            let unpaired = mesh.primitives.iter().filter(|primitive| {
                let sets = |prefix: &str| -> Vec<&str> {
                    let names = primitive.attributes.keys();
                    names.filter_map(|name| name.strip_prefix(prefix)).collect()
                };
                sets("JOINTS_") != sets("WEIGHTS_")
            });
            let unpaired = unpaired.count();
            if unpaired > 0 {
                checker.warn(format!(
                    "{unpaired} of its primitives have joints without weights or weights without joints; these are left out"
                ));
            }
        });
    }

    /// Warns of different numbers of morph targets and weights.
    fn check_morphs(&mut self, document: &Document) {
        self.check_each("/meshes", &document.meshes, |checker, mesh| {
            let counts: Vec<usize> = mesh.primitives.iter().map(|primitive| primitive.targets.len()).collect();
            let uneven = counts.iter().any(|count| *count != counts[0]);
            let weights = mesh.weights.len();
            if uneven || weights > 0 && weights != counts[0] {
                checker.warn(
                    "its primitives do not have one number of morph targets, with a weight each; those without count as 0".into(),
                );
            }
        });
    }
}

/// Whether an attribute has an allowed name.
fn is_attribute(name: &str) -> bool {
    let set = |prefix| name.strip_prefix(prefix).is_some_and(is_number);
    ["POSITION", "NORMAL", "TANGENT"].contains(&name)
        || name.starts_with('_')
        || ["TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"].into_iter().any(set)
}

/// Whether text is a number without leading zeros.
fn is_number(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
        && !digits.is_empty()
}
