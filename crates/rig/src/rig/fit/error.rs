//! Why no skeleton was fitted.

use crate::math::bounds::Bounds;
use glam::Vec3;

/// Why no skeleton was fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    #[error(
        "the surface is flat or open, so that nothing is inside it; a body needs a surface that is closed but for small holes"
    )]
    Empty,
    /// The middles of the bodies, in mesh space.
    #[error("{} bodies stand apart in the mesh, {}; a skeleton is fitted into one, so give each a file of its own", .0.len(), places(.0))]
    Several(Vec<Vec3>),
    #[error("the template has no limbs")]
    NoLimbs,
    #[error("the skeleton has no joint “{name}”; there are {}", available.join(", "))]
    UnknownJoint { name: String, available: Vec<String> },
    /// A pin that is a mistake, in mesh space as the bounds of the body are.
    #[error(
        "“{name}” is pinned at {}, far from the body, which lies between {}; give a place in the body or near it, in the coordinates of the mesh",
        places(&[*point]),
        places(&[body.min, body.max])
    )]
    Far { name: String, point: Vec3, body: Bounds },
    /// These joints have to be pinned.
    #[error("some limbs are not to be seen; say where these joints are: {}", .0.join(", "))]
    Unclear(Vec<String>),
    /// Most bones are not in the body.
    #[error("{outside} of {bones} bones leave the body; say where these joints are: {}", joints.join(", "))]
    Outside { outside: usize, bones: usize, joints: Vec<String> },
}

impl FitError {
    /// The joints that have to be pinned.
    pub fn missing(&self) -> &[String] {
        match self {
            Self::Unclear(joints) | Self::Outside { joints, .. } => joints,
            _ => &[],
        }
    }
}

/// Places to three digits, as in `about 0 2.7 0.1 and about 6 2.7 0.1`.
fn places(middles: &[Vec3]) -> String {
    let most = middles.iter().map(|middle| middle.abs().max_element()).fold(f32::MIN_POSITIVE, f32::max);
    let unit = 10f64.powf(f64::from(most).log10().floor() - 2.0);
    let rounded = |value: f32| ((f64::from(value) / unit).round() * unit) as f32 + 0.0;
    let place = |middle: &Vec3| {
        let [x, y, z] = middle.to_array().map(rounded);
        format!("about {x} {y} {z}")
    };
    middles.iter().map(place).collect::<Vec<String>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_says_where_the_bodies_are() {
        let error = FitError::Several(vec![Vec3::new(0.001, 2.709, -0.002), Vec3::new(6.0, 2.7, 0.0)]);
        let text = error.to_string();
        assert!(text.contains("2 bodies") && text.contains("about 0 2.71 0 and about 6 2.7 0;"), "{text}");
        assert!(places(&[Vec3::splat(3e-5)]).contains("0.00003"));
    }
}
