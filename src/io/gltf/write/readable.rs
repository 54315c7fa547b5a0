//! Checks that the reader would take what is written: the limits are the same.

use super::super::schema::{Document, Index};
use crate::io::limits::{GLTF_CORNERS, GLTF_NUMBERS, LimitError};
use std::collections::BTreeSet;

/// Checks the number of numbers that are read from the accessors of a document, and the sizes of its surfaces.
/// `size` is the size of the buffer.
///
/// # Errors
/// [`LimitError::Numbers`], [`LimitError::Corners`].
pub fn check(document: &Document, size: usize) -> Result<(), LimitError> {
    let count = |accessor: Index| document.accessors[accessor].count;
    let numbers_of = |accessor: Index| count(accessor) * document.accessors[accessor].kind.components();
    // Each skin reads its meshes; other meshes are read once.
    let meshes = document
        .nodes
        .iter()
        .filter_map(|node| Some((node.mesh?, node.skin)));
    let meshes: BTreeSet<(Index, Option<Index>)> = meshes.collect();
    let (mut numbers, mut corners) = (0, 0);
    for (mesh, _) in meshes {
        let mut known = BTreeSet::new();
        for primitive in &document.meshes[mesh].primitives {
            let indices = primitive.indices.into_iter();
            numbers += indices.clone().map(numbers_of).sum::<usize>();
            corners += indices.map(count).sum::<usize>();
            if known.insert(&primitive.attributes) {
                numbers += primitive
                    .attributes
                    .values()
                    .copied()
                    .map(numbers_of)
                    .sum::<usize>();
                corners += primitive
                    .attributes
                    .get("POSITION")
                    .map_or(0, |&positions| count(positions));
            }
        }
    }
    let binds = document
        .skins
        .iter()
        .filter_map(|skin| skin.inverse_bind_matrices);
    let samplers = document.animations.iter().flat_map(|animation| {
        let sampler = |index: Index| &animation.samplers[index];
        let channels = animation
            .channels
            .iter()
            .map(move |channel| sampler(channel.sampler));
        channels.flat_map(|sampler| [sampler.input, sampler.output])
    });
    numbers += binds.chain(samplers).map(numbers_of).sum::<usize>();
    if numbers > GLTF_NUMBERS.limit(size) {
        return Err(LimitError::Numbers { numbers });
    }
    match corners > GLTF_CORNERS.limit(size) {
        true => Err(LimitError::Corners { corners }),
        false => Ok(()),
    }
}
