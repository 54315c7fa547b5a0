//! Skin weights: the methods that calculate them, and tools that refine, paint and transfer them.
//!
//! Each method is a file in this folder and an entry in [`METHODS`].

pub mod bind_snapshot;
mod bone_capsule;
mod broad_phase;
pub mod calculate;
pub mod capsule;
pub mod heat;
pub mod inverse_distance;
pub mod method;
pub mod paint;
pub mod power;
pub mod progress;
pub mod refine;
pub mod report;
mod segments;
mod stored;
pub mod transfer;
pub mod tube;
pub mod vertex_weights;

use method::{Descriptor, MOST_PARAMS, Method};
pub use stored::StoredMethod;
pub use vertex_weights::{VertexWeights, WeightsError};

/// All methods, in menu order.
pub static METHODS: [&Descriptor; 5] = [
    &capsule::DESCRIPTOR,
    &heat::DESCRIPTOR,
    &inverse_distance::DESCRIPTOR,
    &power::DESCRIPTOR,
    &tube::DESCRIPTOR,
];

impl Method {
    /// Returns all methods with default parameters, in menu order.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        METHODS.iter().map(|descriptor| {
            let mut values = [0.0; MOST_PARAMS];
            for (value, param) in values.iter_mut().zip(descriptor.params) {
                *value = param.default;
            }
            Self::new(descriptor, values)
        })
    }

    /// Returns the method with the given id, with default parameters.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|method| method.id() == id)
    }
}
