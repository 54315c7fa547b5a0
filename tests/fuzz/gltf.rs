//! Damages glTF files that the program itself wrote: the content of the JSON, and bytes of the buffer.

use crate::damage;
use crate::editing::Random;
use crate::tree::Node;
use crate::values;
use base64::Engine;
use ossature::io::export::{ExportOptions, Influences, Interpolation};
use ossature::io::gltf::glb;
use ossature::io::gltf::write::export;
use ossature::scene::Scene;

/// A valid file, in its two parts.
pub struct Seed {
    json: Node,
    bin: Vec<u8>,
}

impl Seed {
    pub fn new(scene: &Scene, options: &ExportOptions) -> Self {
        let export = export(scene, options, &|_| Err(String::new())).expect("a seed can be exported");
        let bytes = export.glb().expect("a seed is small");
        let parts = glb::parse(&bytes).expect("a seed is valid");
        Self { json: Node::read(parts.json), bin: parts.bin.unwrap_or_default().to_vec() }
    }

    /// Exports a scene with three different sets of options.
    pub fn all(scene: &Scene) -> [Self; 3] {
        let plain = ExportOptions { scene: false, ..ExportOptions::default() };
        let other = ExportOptions {
            influences: Influences::All,
            interpolation: Interpolation::Cubic,
            tip_nodes: true,
            pose_in_nodes: true,
            ..plain.clone()
        };
        [ExportOptions::default(), plain, other].map(|options| Self::new(scene, &options))
    }
}

/// Returns the name and the bytes of a damaged file.
pub fn damaged(seeds: &[Seed], random: &mut Random) -> (&'static str, Vec<u8>) {
    let nodes: Vec<Node> = seeds.iter().map(|seed| seed.json.clone()).collect();
    let seed = random.pick(seeds);
    let (mut json, mut bin) = (seed.json.clone(), seed.bin.clone());
    for _ in 0..1 + random.below(4) {
        match random.below(12) {
            10 => copies(&mut json, random),
            11 => huge(&mut json, random),
            0..=2 => bytes(&mut bin, random),
            3..=5 => index(&mut json, random),
            _ => damage::any(&mut json, &nodes, random),
        }
    }
    if random.chance(30) {
        return ("case.gltf", as_text(json, &bin, random));
    }
    let mut text = String::new();
    json.write(&mut text);
    let mut glb = glb::write(text.as_bytes(), &bin).expect("a case is small");
    if random.chance(20) {
        bytes(&mut glb, random);
    }
    ("case.glb", glb)
}

/// Lets many nodes carry a mesh below another node, or a mesh have many primitives.
fn copies(json: &mut Node, random: &mut Random) {
    let count = *random.pick(&[2, 30, 300, 2000]);
    if random.chance(50) {
        let is_list = |node: &mut Node| match node {
            Node::Array(items) => items.iter_mut().any(|item| item.member("attributes").is_some()),
            _ => false,
        };
        if let Some(Node::Array(items)) = json.any(random, &is_list) {
            let one = items[0].clone();
            items.extend((0..count).map(|_| one.clone()));
        }
        return;
    }
    let Some(Node::Array(nodes)) = json.at(&["nodes"]) else {
        return;
    };
    let (parent, first) = (random.below(nodes.len()), nodes.len());
    let mesh = Node::Object(vec![("mesh".to_owned(), Node::word(0))]);
    nodes.extend((0..count).map(|_| mesh.clone()));
    if let Node::Object(members) = &mut nodes[parent] {
        members.retain(|(name, _)| name != "children");
        members.push(("children".to_owned(), Node::array(first..first + count)));
    }
}

/// Gives an accessor many elements and no bytes, or the last of its bounds and times another size.
fn huge(json: &mut Node, random: &mut Random) {
    let Some(Node::Array(accessors)) = json.at(&["accessors"]) else {
        return;
    };
    let at = random.below(accessors.len());
    if let Some(Node::Object(members)) = accessors.get_mut(at) {
        members.retain(|(name, _)| !["bufferView", "count", "byteOffset"].contains(&&**name));
        let count = *random.pick(&[100, 30_000, 1_000_000, 50_000_000]);
        members.push(("count".to_owned(), Node::word(count)));
    }
}

/// Changes a number of an item: mostly an index, an offset or a count.
fn index(json: &mut Node, random: &mut Random) {
    let lists = ["nodes", "meshes", "skins", "animations", "accessors", "bufferViews", "scenes", "materials"];
    let list = *random.pick(&lists);
    let is_number = |node: &mut Node| matches!(node, Node::Word(word) if word.parse::<f64>().is_ok());
    let Some(found) = json.at(&[list]).and_then(|list| list.any(random, &is_number)) else {
        return;
    };
    *found = match random.below(4) {
        0 => values::number(random),
        _ => Node::word(random.below(40)),
    };
}

fn bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] = random.below(256) as u8,
        2 => {
            // A NaN, an infinity, a large number, or many seconds.
            let bits = match random.chance(30) {
                true => 1000f32.to_bits(),
                false => values::odd_bits(random),
            };
            let bits = bits.to_le_bytes();
            let at = at / 4 * 4;
            bytes[at..].iter_mut().zip(bits).for_each(|(byte, new)| *byte = new);
        }
        3 => bytes.extend_from_within(..at),
        _ => {
            let end = (at + random.below(64)).min(bytes.len());
            bytes[at..end].fill(0xFF);
        }
    }
}

/// Writes the file as text, with its buffer in a data URI.
fn as_text(mut json: Node, bin: &[u8], random: &mut Random) -> Vec<u8> {
    let mut uri = base64::engine::general_purpose::STANDARD.encode(bin);
    if random.chance(20) {
        uri.truncate(random.below(uri.len() + 1));
    }
    let uri = format!("data:application/octet-stream;base64,{uri}");
    if let Some(Node::Array(buffers)) = json.at(&["buffers"])
        && let Some(Node::Object(members)) = buffers.first_mut()
    {
        members.push(("uri".to_owned(), Node::text(&uri)));
    }
    let mut text = String::new();
    json.write(&mut text);
    text.into_bytes()
}
