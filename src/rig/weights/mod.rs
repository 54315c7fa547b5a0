//! Which bones move which vertices: weights, the methods that calculate them, and what is done to them afterwards.
//!
//! A method is a file of this folder and a row of [`METHODS`].

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
pub mod taken;
pub mod tube;
pub mod vertex_weights;

use method::{Descriptor, MOST_PARAMS, Method};
pub use stored::StoredMethod;
pub use vertex_weights::{VertexWeights, WeightsError};

/// All methods, in the order of menus.
pub static METHODS: [&Descriptor; 5] = [
    &capsule::DESCRIPTOR,
    &heat::DESCRIPTOR,
    &inverse_distance::DESCRIPTOR,
    &power::DESCRIPTOR,
    &tube::DESCRIPTOR,
];

impl Method {
    /// All methods with the default values of their parameters, in the order of menus.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        METHODS.iter().map(|descriptor| {
            let mut values = [0.0; MOST_PARAMS];
            for (value, param) in values.iter_mut().zip(descriptor.params) {
                *value = param.default;
            }
            Self::new(descriptor, values)
        })
    }

    /// The method of that name, with default values.
    pub fn named(id: &str) -> Option<Self> {
        Self::all().find(|method| method.id() == id)
    }
}
