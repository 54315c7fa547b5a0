//! Channels: a spline of one of the file's types, under (resource name, channel name).

use super::spline::Spline;
use crate::extra::Extra;
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A spline of one of the types of the format. `Spectrum` is linear r, g, b.
#[derive(Clone, Debug, PartialEq)]
pub enum Channel {
    Bool(Spline<bool>),
    Float(Spline<f32>),
    Vec2(Spline<Vec2>),
    Vec3(Spline<Vec3>),
    Vec4(Spline<Vec4>),
    Quat(Spline<Quat>),
    Spectrum(Spline<Vec3>),
    Mat4(Spline<Mat4>),
}

/// All channels: resource or instance name -> channel name (`bone.3.pose`, `translation`, ...).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    pub channels: BTreeMap<String, BTreeMap<String, Arc<Channel>>>,
    /// Unknown members of spline objects, by resource and channel name. Where `channels` has no such
    /// channel and there is a member `type`, it is a whole spline that this program does not understand:
    /// it has no effect and is written back.
    pub spline_extra: BTreeMap<String, BTreeMap<String, Extra>>,
    /// Unknown members of the `animator` object.
    pub extra: Extra,
}
