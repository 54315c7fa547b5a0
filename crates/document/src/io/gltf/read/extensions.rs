//! What becomes of extensions and extras: one table, and one finding for each extension that is not read, with the
//! number of places that use it.

use super::super::extras::OURS;
use super::{refuse, shorten};
use crate::io::count::counted;
use crate::io::file::ReadError;
use crate::io::report::{Report, Severity};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What becomes of an extension.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    /// It is read, or does not affect the result; or is reported where it is read.
    Read,
    /// Nothing can be read without it where it is required; the command that removes it.
    Packed(&'static str),
    /// The rest is read without it; what differs then.
    LeftOut(Severity, &'static str),
}

use Fate::{LeftOut, Packed, Read};
use Severity::{Note, Warning};

const COPY: &str = "`gltf-transform copy in.glb out.glb`";
const LOOK: &str = "materials look plainer";
const PICTURE: &str = "pictures are shown if they are PNG or JPEG";

/// Beginnings of the names of extensions; the first that fits counts.
const FATES: [(&str, Fate); 28] = [
    ("KHR_draco_mesh_compression", Packed(COPY)),
    ("EXT_meshopt_compression", Packed(COPY)),
    ("KHR_meshopt_compression", Packed(COPY)),
    ("KHR_mesh_quantization", Read),
    ("KHR_texture_transform", Read),
    ("KHR_lights_punctual", Read),
    ("KHR_materials_transmission", Read),
    ("KHR_materials_ior", Read),
    ("KHR_materials_emissive_strength", Read),
    ("KHR_node_visibility", Read),
    ("KHR_animation_pointer", Read),
    ("EXT_mesh_gpu_instancing", Read),
    ("KHR_materials_unlit", LeftOut(Note, "these materials are shown with light and shadow")),
    ("KHR_materials_variants", LeftOut(Warning, "surfaces have the materials that they name themselves")),
    ("KHR_materials_", LeftOut(Note, LOOK)),
    ("EXT_materials_", LeftOut(Note, LOOK)),
    ("ADOBE_materials_", LeftOut(Note, LOOK)),
    ("FB_material_", LeftOut(Note, LOOK)),
    ("MSFT_packing_", LeftOut(Note, LOOK)),
    ("KHR_texture_", LeftOut(Note, PICTURE)),
    ("EXT_texture_", LeftOut(Note, PICTURE)),
    ("MSFT_texture_", LeftOut(Note, PICTURE)),
    (
        "VRM",
        LeftOut(
            Warning,
            "human roles of bones, springs, expressions, constraints, toon looks and licence are lost",
        ),
    ),
    ("KHR_xmp", LeftOut(Note, "facts about the file are lost")),
    ("MSFT_lod", LeftOut(Note, "the finest level of detail is shown")),
    ("EXT_lights_", LeftOut(Warning, "light of the surroundings is lost")),
    ("EXT_structural_metadata", LeftOut(Note, "facts about parts are lost")),
    ("EXT_mesh_features", LeftOut(Note, "facts about parts are lost")),
];

fn fate(name: &str) -> Option<Fate> {
    FATES.iter().find(|(start, _)| name.starts_with(start)).map(|(_, fate)| *fate)
}

/// Refuses a file that requires extensions without which nothing can be read.
///
/// # Errors
/// For packed files, with the command that unpacks them, and for unknown extensions.
pub fn check_required(required: &[String]) -> Result<(), ReadError> {
    for (index, name) in required.iter().enumerate() {
        let pointer = format!("/extensionsRequired/{index}");
        match fate(name) {
            Some(Read | LeftOut(..)) => {}
            Some(Packed(tool)) => {
                return Err(ReadError::Value {
                    problem: format!("the file is packed with {name}, which cannot be unpacked here"),
                    pointer,
                    hint: format!("Unpack it with glTF Transform: {tool}, or export it without compression"),
                });
            }
            None => {
                let problem =
                    format!("the file requires the extension {}, which is not known here", shorten(name));
                return Err(refuse(pointer, problem));
            }
        }
    }
    Ok(())
}

/// The parts of a file that may have extensions and extras. Those with the bulk of the numbers are not among them.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Parts {
    asset: Value,
    scenes: Value,
    nodes: Value,
    meshes: Value,
    skins: Value,
    animations: Value,
    cameras: Value,
    materials: Value,
    textures: Value,
    samplers: Value,
    extensions: Option<Map<String, Value>>,
    extras: Option<Value>,
}

/// Places, and a pointer to the first.
#[derive(Default)]
struct Places {
    count: usize,
    first: String,
}

impl Places {
    fn append(&mut self, places: Self) {
        if self.count == 0 {
            self.first = places.first;
        }
        self.count += places.count;
    }

    fn add(&mut self, pointer: &str) {
        if self.count == 0 {
            pointer.clone_into(&mut self.first);
        }
        self.count += 1;
    }
}

#[derive(Default)]
struct Found<'j> {
    extensions: BTreeMap<&'j str, Places>,
    extras: Places,
}

/// Reports the extensions and extras of a file that are not read.
pub fn report(json: &[u8], required: &[String], report: &mut Report) {
    let Ok(parts) = serde_json::from_slice::<Parts>(json) else { return };
    let mut found = Found::default();
    for (index, name) in required.iter().enumerate() {
        let first = format!("/extensionsRequired/{index}");
        found.extensions.insert(name, Places { count: 0, first });
    }
    let lists = [
        ("/asset", &parts.asset),
        ("/scenes", &parts.scenes),
        ("/nodes", &parts.nodes),
        ("/meshes", &parts.meshes),
        ("/skins", &parts.skins),
        ("/animations", &parts.animations),
        ("/cameras", &parts.cameras),
        ("/materials", &parts.materials),
        ("/textures", &parts.textures),
        ("/samplers", &parts.samplers),
    ];
    lists.into_iter().for_each(|(pointer, list)| found.search(list, pointer));
    // What the whole file has of an extension is what its other places refer to.
    let mut document = Found::default();
    parts.extensions.iter().for_each(|extensions| document.add_extensions(extensions, ""));
    found.extras.append(document.extras);
    for (name, places) in document.extensions {
        let known = found.extensions.entry(name).or_default();
        if known.count == 0 {
            *known = places;
        }
    }
    parts.extras.iter().for_each(|extras| found.add_extras(extras, "/extras"));
    for (name, Places { count, first }) in found.extensions {
        let (severity, effect) = match fate(name) {
            Some(Read | Packed(_)) => continue,
            Some(LeftOut(severity, effect)) => (severity, effect),
            None => (Warning, "it is not known here"),
        };
        let places = match count {
            0 => "required by the file".to_owned(),
            _ => format!("used in {}", counted(count, "place", "places")),
        };
        let text = format!("the extension {}, {places}, is left out: {effect}", shorten(name));
        report.add(severity, "left-out", first, text);
    }
    if found.extras.count > 0 {
        let (places, verb) = (found.extras.count, if found.extras.count == 1 { "is" } else { "are" });
        let places = counted(places, "place", "places");
        let text = format!("custom properties (extras) in {places} {verb} left out");
        report.add(Note, "extras", found.extras.first, text);
    }
}

fn is_animation(pointer: &str) -> bool {
    pointer.strip_prefix("/animations/").is_some_and(|index| !index.contains('/'))
}

impl<'j> Found<'j> {
    fn search(&mut self, value: &'j Value, pointer: &str) {
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate().filter(|(_, item)| !item.is_number()) {
                    self.search(item, &format!("{pointer}/{index}"));
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    match (&**name, member) {
                        ("extensions", Value::Object(extensions)) => self.add_extensions(extensions, pointer),
                        // Those of animations become members of takes.
                        ("extras", _) if is_animation(pointer) => {}
                        ("extras", extras) => self.add_extras(extras, &format!("{pointer}/extras")),
                        (_, Value::Array(_) | Value::Object(_)) => {
                            self.search(member, &format!("{pointer}/{name}"));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds extensions of an object; those that are read may have others inside.
    fn add_extensions(&mut self, extensions: &'j Map<String, Value>, pointer: &str) {
        for (name, value) in extensions {
            let pointer = format!("{pointer}/extensions/{name}");
            let places = self.extensions.entry(name).or_default();
            places.add(&pointer);
            if fate(name) == Some(Read) {
                self.search(value, &pointer);
            }
        }
    }

    /// Adds extras, unless only our own or names of morph targets are in them.
    fn add_extras(&mut self, extras: &Value, pointer: &str) {
        let is_read = match extras {
            Value::Object(members) => members.keys().all(|name| [OURS, "targetNames"].contains(&&**name)),
            value => value.is_null(),
        };
        if !is_read {
            self.extras.add(pointer);
        }
    }
}
