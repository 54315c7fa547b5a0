//! All methods of calculating weights behind one type: what the command carries, the headless command and
//! the menu name.

use super::VertexWeights;
use super::capsule::weigh_all;
use super::heat::{self, heat_weights};
use super::inverse_distance::inverse_distance_weights;
use super::power::power_weights;
use super::tube::tube_weights;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What the exponents of kernels may be.
pub const EXPONENTS: RangeInclusive<f32> = 0.5..=10.0;
pub const DEFAULT_EXPONENT: f32 = 3.0;

/// How weights are calculated from bones and surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Method {
    /// [`super::capsule`].
    #[default]
    Capsule,
    /// [`super::inverse_distance`].
    InverseDistance,
    /// [`super::power`]; the exponent within [`EXPONENTS`].
    Power { exponent: f32 },
    /// [`super::tube`]; the exponent within [`EXPONENTS`].
    Tube { exponent: f32 },
    /// [`super::heat`]; `largest`: how many bones a vertex keeps at most (`None`: all).
    Heat { largest: Option<u8> },
}

/// Weights, and what a person should know about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calculated {
    pub weights: VertexWeights,
    /// Sentences.
    pub findings: Vec<String>,
}

/// Why there are no weights.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MethodError {
    #[error("the exponent must be a number from 0.5 to 10")]
    Exponent,
    #[error("a vertex must keep at least one bone")]
    Largest,
    #[error("tube weights are for a skeleton of two bones in a row, the second going on from the first")]
    NoTube,
    #[error("the surface is too badly shaped for heat diffusion")]
    Singular,
    #[error("cancelled")]
    Cancelled,
}

/// Is told how far the work is, from 0 to 1; false ends it.
pub type Progress<'a> = dyn Fn(f32) -> bool + Sync + 'a;

impl Method {
    /// With usual parameters, in the order of menus.
    pub const ALL: [Self; 5] = [
        Self::Capsule,
        Self::FOR_NEW_MESHES,
        Self::InverseDistance,
        Self::Power {
            exponent: DEFAULT_EXPONENT,
        },
        Self::Tube {
            exponent: DEFAULT_EXPONENT,
        },
    ];

    /// For meshes that come in or are made here. Files that say nothing mean the default, [`Method::Capsule`].
    pub const FOR_NEW_MESHES: Self = Self::Heat { largest: Some(4) };

    /// Whether weights depend on the radii of bones.
    pub fn depends_on_radius(&self) -> bool {
        matches!(self, Self::Capsule | Self::InverseDistance)
    }

    /// As on the command line: `capsule`, `inverse-distance`, `power`, `tube`, `heat`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Capsule => "capsule",
            Self::InverseDistance => "inverse-distance",
            Self::Power { .. } => "power",
            Self::Tube { .. } => "tube",
            Self::Heat { .. } => "heat",
        }
    }

    /// In menus and in the history.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Capsule => "Capsule radius",
            Self::InverseDistance => "Inverse distance",
            Self::Power { .. } => "Power kernel",
            Self::Tube { .. } => "Tube",
            Self::Heat { .. } => "Heat diffusion",
        }
    }

    /// # Errors
    /// If a parameter is out of its range.
    pub fn check(&self) -> Result<(), MethodError> {
        match self {
            Self::Power { exponent } | Self::Tube { exponent } if !EXPONENTS.contains(exponent) => {
                Err(MethodError::Exponent)
            }
            Self::Heat { largest: Some(0) } => Err(MethodError::Largest),
            _ => Ok(()),
        }
    }

    /// Weights of all vertices of `surface`, which is in skeleton space.
    ///
    /// # Errors
    /// If a parameter is out of its range, the skeleton is not one for the method, or `progress` ended the
    /// work.
    pub fn calculate(
        &self,
        skeleton: &Skeleton,
        surface: &HalfedgeMesh,
        progress: &Progress<'_>,
    ) -> Result<Calculated, MethodError> {
        self.check()?;
        let positions = surface.positions();
        let weights = match *self {
            Self::Capsule => weigh_all(skeleton, positions, progress).ok_or(MethodError::Cancelled)?,
            Self::InverseDistance => inverse_distance_weights(skeleton, positions),
            Self::Power { exponent } => power_weights(skeleton, positions, exponent),
            Self::Tube { exponent } => {
                tube_weights(skeleton, positions, exponent).ok_or(MethodError::NoTube)?
            }
            Self::Heat { largest } => {
                let options = heat::Options {
                    largest: largest.map(usize::from),
                };
                return heat_weights(skeleton, surface, &options, progress);
            }
        };
        match progress(1.0) {
            true => Ok(Calculated {
                weights,
                findings: Vec::new(),
            }),
            false => Err(MethodError::Cancelled),
        }
    }
}
