//! Checks that the reader would take what is written: the limits are the same.

use super::super::read;
use super::super::schema::{Document, Index, Node};
use super::{Export, ExportError};
use crate::io::file::ReadError;
use crate::io::limits::{GLTF_CORNERS, GLTF_NUMBERS, LimitError};
use serde_json::Value;
use std::collections::BTreeSet;

/// The size of numbers above which their products are tried: with less, a chain of three nodes and a mesh are in the
/// range of the reader.
const LARGE: f64 = 1e4;

/// Checks that the products of the numbers of an export are in the range of the reader, by reading it, if any number is
/// large. `largest`: the largest of the binary data.
///
/// # Errors
/// [`ExportError::TooLarge`], and those of [`Export::glb`].
pub fn check_products(export: &Export, largest: f32) -> Result<(), ExportError> {
    let size = |node: &Node| {
        let vectors = node.translation.into_iter().chain(node.scale);
        let vectors = vectors.flat_map(|vector| vector.to_array());
        let matrix = node.matrix.into_iter().flat_map(|matrix| matrix.to_cols_array());
        // Lengths of bones among them.
        let extras = node.extras.as_ref().map_or(0.0, largest_in);
        vectors.chain(matrix).fold(extras, |most, number| most.max(number.abs()))
    };
    let document = &export.document;
    let lights = document.extensions.iter().flat_map(|extensions| &extensions.lights_punctual);
    let intensities = lights.flat_map(|lights| &lights.lights).filter_map(|light| light.intensity);
    let mut sizes = document.nodes.iter().map(size).chain(intensities);
    if f64::from(largest) <= LARGE && sizes.all(|size| size <= LARGE) {
        return Ok(());
    }
    let options = crate::io::import::ImportOptions {
        without_images: true,
        ..crate::io::import::ImportOptions::default()
    };
    match read::read(&export.glb()?, None, &options) {
        Ok(_) | Err(ReadError::Content { .. }) => Ok(()),
        Err(ReadError::Value { problem, .. }) => Err(ExportError::TooLarge(problem)),
        Err(error) => Err(ExportError::TooLarge(error.to_string())),
    }
}

/// Returns the absolute value of the largest number in a JSON value.
fn largest_in(value: &Value) -> f64 {
    let most = |sizes: &mut dyn Iterator<Item = f64>| sizes.fold(0.0, f64::max);
    match value {
        Value::Number(number) => number.as_f64().map_or(0.0, f64::abs),
        Value::Array(values) => most(&mut values.iter().map(largest_in)),
        Value::Object(members) => most(&mut members.values().map(largest_in)),
        Value::Null | Value::Bool(_) | Value::String(_) => 0.0,
    }
}

/// Checks the number of numbers that are read from the accessors of a document, and the sizes of its surfaces.
/// `size` is the size of the buffer.
///
/// # Errors
/// [`LimitError::Numbers`], [`LimitError::Corners`].
pub fn check(document: &Document, size: usize) -> Result<(), LimitError> {
    let count = |accessor: Index| document.accessors[accessor].count;
    let numbers_of = |accessor: Index| count(accessor) * document.accessors[accessor].kind.components();
    // Each skin reads its meshes; other meshes are read once.
    let meshes = document.nodes.iter().filter_map(|node| Some((node.mesh?, node.skin)));
    let meshes: BTreeSet<(Index, Option<Index>)> = meshes.collect();
    let (mut numbers, mut corners) = (0, 0);
    for (mesh, _) in meshes {
        let mut known = BTreeSet::new();
        for primitive in &document.meshes[mesh].primitives {
            let indices = primitive.indices.into_iter();
            numbers += indices.clone().map(numbers_of).sum::<usize>();
            corners += indices.map(count).sum::<usize>();
            if known.insert(&primitive.attributes) {
                numbers += primitive.attributes.values().copied().map(numbers_of).sum::<usize>();
                corners += primitive.attributes.get("POSITION").map_or(0, |&positions| count(positions));
            }
        }
    }
    let binds = document.skins.iter().filter_map(|skin| skin.inverse_bind_matrices);
    let samplers = document.animations.iter().flat_map(|animation| {
        let sampler = |index: Index| &animation.samplers[index];
        let channels = animation.channels.iter().map(move |channel| sampler(channel.sampler));
        channels.flat_map(|sampler| [sampler.input, sampler.output])
    });
    numbers += binds.chain(samplers).map(numbers_of).sum::<usize>();
    if numbers > GLTF_NUMBERS.limit(size) {
        return Err(LimitError::Numbers { numbers });
    }
    if corners > GLTF_CORNERS.limit(size) { Err(LimitError::Corners { corners }) } else { Ok(()) }
}
