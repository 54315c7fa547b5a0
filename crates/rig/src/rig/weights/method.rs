//! Methods of calculating weights. Panels, the command line, files, the Compare view and background work know
//! no particular method; they read its [`Descriptor`].

use super::progress::Progress;
use super::vertex_weights::VertexWeights;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::skeleton::Skeleton;
use std::fmt;

/// The largest number of parameters of any method.
pub(super) const MOST_PARAMS: usize = 2;

/// The properties of a method.
#[derive(Debug)]
pub struct Descriptor {
    /// The name in files and on the command line.
    pub id: &'static str,
    /// The name in menus and in the history.
    pub label: &'static str,
    /// A sentence or two for tooltips and the command line's help.
    pub about: &'static str,
    pub params: &'static [Param],
    /// Whether the weights depend on bone radii.
    pub depends_on_radius: bool,
    /// Whether the method may report findings, so that even an instant calculation deserves a message.
    pub has_findings: bool,
    /// The time per vertex and bone, relative to a distance test.
    pub cost: usize,
    /// Fails for skeletons that the method does not support.
    pub needs: fn(&Skeleton) -> Result<(), MethodError>,
    /// Calculates the weights of all vertices of a surface in skeleton space. The parameter values are in the
    /// order of `params` and within their ranges.
    pub calculate: fn(&[f32], &Skeleton, &HalfedgeMesh, &Progress<'_>) -> Result<Calculated, MethodError>,
}

/// A numeric parameter of a method.
#[derive(Debug)]
pub struct Param {
    /// The name in files and, after two dashes, on the command line.
    pub id: &'static str,
    pub label: &'static str,
    pub about: &'static str,
    pub min: f32,
    pub max: f32,
    pub default: f32,
    /// Whether only whole numbers are valid.
    pub whole: bool,
    /// The value that a file means by omitting it; it is never written.
    pub unwritten: Option<f32>,
    /// Formats a value as text that follows the method's label and a comma.
    pub text: fn(f32) -> String,
}

impl Param {
    pub(super) fn check(&self, value: f32) -> Result<(), MethodError> {
        let (label, min, max) = (self.label, self.min, self.max);
        if (min..=max).contains(&value) && (!self.whole || value.fract() == 0.0) {
            Ok(())
        } else {
            Err(MethodError::Parameter { label, min, max })
        }
    }
}

/// A method with the values of its parameters. The default is [`Method::CAPSULE`], as in files that store
/// none.
#[derive(Clone, Copy)]
pub struct Method {
    descriptor: &'static Descriptor,
    /// Values in the order of the parameters, padded with zeros.
    pub(super) values: [f32; MOST_PARAMS],
}

/// Weights and any findings about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calculated {
    pub weights: VertexWeights,
    /// Problems to report to the user, as sentences.
    pub findings: Vec<String>,
}

impl From<VertexWeights> for Calculated {
    fn from(weights: VertexWeights) -> Self {
        let findings = Vec::new();
        Self { weights, findings }
    }
}

/// The reason why weights could not be calculated.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MethodError {
    #[error("{} must be a number from {min} to {max}", label.to_lowercase())]
    Parameter { label: &'static str, min: f32, max: f32 },
    #[error(
        "no method of calculating weights that is known here; choose capsule, inverse-distance, power, tube or heat"
    )]
    Unknown,
    #[error(
        "tube weights are for a skeleton of two bones in a row, the second a child of the first; choose \
             another method"
    )]
    NoTube,
    #[error("the surface is too badly shaped for heat diffusion; choose another method, or repair the mesh")]
    Singular,
    #[error("calculating weights was cancelled; they are unchanged")]
    Cancelled,
}

impl MethodError {
    /// Returns the message with a capital letter and a full stop.
    pub fn sentence(&self) -> String {
        let text = self.to_string();
        let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        format!("{}{rest}.", first.to_uppercase())
    }
}

impl Method {
    /// Creates a method with the values of its parameters, padded with zeros.
    pub(super) const fn new(descriptor: &'static Descriptor, values: [f32; MOST_PARAMS]) -> Self {
        Self { descriptor, values }
    }

    pub fn descriptor(&self) -> &'static Descriptor {
        self.descriptor
    }

    /// The name on the command line: `capsule`, `inverse-distance`, `power`, `tube`, `heat`.
    pub fn id(&self) -> &'static str {
        self.descriptor.id
    }

    /// The name in menus and in the history.
    pub fn label(&self) -> &'static str {
        self.descriptor.label
    }

    /// The parameters with their values.
    pub fn params(&self) -> impl Iterator<Item = (&'static Param, f32)> {
        self.descriptor.params.iter().zip(self.values)
    }

    /// The most bones per vertex; 0 for no limit.
    pub fn most_bones(&self) -> usize {
        let mut params = self.params();
        let most = params.find(|(param, _)| param.id == "largest");
        most.map_or(0, |(_, value)| value as usize)
    }

    /// The most bones per vertex where `chosen` is asked for; 0 asks for what the method says. The result is 0 for no
    /// limit.
    pub fn bone_limit(&self, chosen: usize) -> usize {
        match chosen {
            0 => self.most_bones(),
            most => most,
        }
    }

    /// Returns the method with another value of the parameter `id`; unchanged if it has no such parameter.
    pub fn with(mut self, id: &str, value: f32) -> Self {
        let params = self.descriptor.params.iter();
        for (old, _) in self.values.iter_mut().zip(params).filter(|(_, param)| param.id == id) {
            *old = value;
        }
        self
    }

    /// The label and parameters, such as `Power kernel, exponent 3`.
    pub fn description(&self) -> String {
        let params = self.params().filter(|(param, value)| Some(*value) != param.unwritten);
        let params = params.map(|(param, value)| format!(", {}", (param.text)(value)));
        format!("{}{}", self.label(), params.collect::<String>())
    }

    /// Checks that all parameters are valid.
    ///
    /// # Errors
    /// Fails if a parameter is out of its range.
    pub fn check(&self) -> Result<(), MethodError> {
        self.params().try_for_each(|(param, value)| param.check(value))
    }

    /// Calculates the weights of all vertices of `surface`, which is in skeleton space.
    ///
    /// # Errors
    /// Fails if a parameter is out of its range, the method does not support the skeleton, or `progress`
    /// cancelled the calculation.
    ///
    /// # Examples
    /// ```
    /// use glam::Vec3;
    /// use ossature_rig::mesh::primitives::tube;
    /// use ossature_rig::rig::skeleton::{Bone, Skeleton};
    /// use ossature_rig::rig::weights::method::Method;
    ///
    /// let bone = |parent| Bone { extent: Vec3::Y, parent, ..Bone::default() };
    /// let base = -Vec3::Y;
    /// let skeleton = Skeleton { base, bones: vec![bone(None), bone(Some(0))], ..Skeleton::default() };
    /// let heat = Method::named("heat").unwrap();
    /// let calculated = heat.calculate(&skeleton, &tube(0.3, 2.0, 12, 8)?, &|_| true)?;
    /// for (_, weights) in calculated.weights.rows() {
    ///     assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calculate(
        &self,
        skeleton: &Skeleton,
        surface: &HalfedgeMesh,
        progress: &Progress<'_>,
    ) -> Result<Calculated, MethodError> {
        self.check()?;
        (self.descriptor.needs)(skeleton)?;
        let calculated = (self.descriptor.calculate)(&self.values, skeleton, surface, progress)?;
        if progress(1.0) { Ok(calculated) } else { Err(MethodError::Cancelled) }
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id() && self.values == other.values
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.description())
    }
}
