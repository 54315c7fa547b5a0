//! Everything that moves, and its values at a frame. Poses are those of the evaluation, including inverse
//! kinematics.

use super::super::schema::{Index, Node, Path};
use super::error::ExportError;
use super::joints::Joints;
use super::progress::{BATCH, IkWork, Progress};
use crate::anim::channel::Channel;
use crate::io::limits::TAKE_VALUES;
use crate::rig::ik;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::resource::Transform;
use crate::scene::solve::Posing;
use crate::scene::world;
use glam::{DMat3, DQuat, DVec3, DVec4};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The number of ticks per frame.
pub const TICKS: i64 = 16;

/// The properties of a transform, in the order of its tracks.
pub const TRANSFORM: [Path; 3] = [Path::Translation, Path::Rotation, Path::Scale];

/// A value over time, and the nodes that it drives.
pub struct Track {
    pub nodes: Vec<Index>,
    pub path: Path,
    /// The value of the nodes themselves.
    pub rest: DVec4,
    /// The tolerance for the value; smaller differences are ignored.
    pub tolerance: f64,
    /// The ticks of the knots of its curve; `None` if it has no curve.
    pub knots: Option<Vec<i64>>,
    /// The channel that it follows, unless something else has an effect too.
    pub source: Option<Source>,
    /// Whether it moves a joint, and with it a surface.
    pub is_joint: bool,
}

/// The channel of a track, and the rotation from its values to those of the nodes, apart from a shift.
pub struct Source {
    pub channel: Arc<Channel>,
    pub turn: DMat3,
}

impl Track {
    /// Returns the distance between two values, in radians for rotations.
    pub fn distance(&self, a: DVec4, b: DVec4) -> f64 {
        match self.path {
            // The angle is about twice the length of a short chord.
            Path::Rotation => 2.0 * (a - b).length().min((a + b).length()),
            _ => (a - b).length(),
        }
    }

    /// Returns `value`; for a rotation, the sign of the quaternion that is closer to `reference`.
    pub fn aligned(&self, value: DVec4, reference: DVec4) -> DVec4 {
        match self.path {
            Path::Rotation if value.dot(reference) < 0.0 => -value,
            _ => value,
        }
    }
}

/// Sets a property of a node.
pub fn set_property(node: &mut Node, path: Path, value: DVec4) {
    match path {
        Path::Translation => node.translation = Some(value.truncate()).filter(|t| *t != DVec3::ZERO),
        Path::Rotation => {
            node.rotation = Some(DQuat::from_vec4(value)).filter(|q| *q != DQuat::IDENTITY);
        }
        Path::Scale => node.scale = Some(value.truncate()).filter(|s| *s != DVec3::ONE),
        Path::Weights | Path::Other => {}
    }
}

/// Everything that moves, in the order of its tracks.
pub struct Motion<'s> {
    pub scene: &'s Scene,
    /// Skinned meshes, each with the translation of the root, then the rotation of each joint, then the translations of
    /// joints that move, then the scales of those that are scaled.
    pub skins: Vec<(&'s str, &'s Joints)>,
    /// Transforms, each with translation, rotation and scale.
    pub transforms: Vec<&'s str>,
    /// Shapes, each with the radius as a scale.
    pub shapes: Vec<&'s str>,
}

impl Motion<'_> {
    /// Returns the values of all tracks in `scene`, which is the original scene or an animated copy.
    pub fn values(&self, scene: &Scene, ik: &IkWork) -> Vec<DVec4> {
        let mut values = Vec::new();
        let options = ik::Options::default();
        for (name, joints) in &self.skins {
            let Some((skeleton, outcome)) = Posing::with_ik(Some(&options)).solve(scene, name) else {
                continue;
            };
            ik.add(outcome.as_ref());
            values.push(joints.root(&skeleton).extend(0.0));
            values.extend(joints.rotations(&skeleton).map(DVec4::from));
            values.extend(joints.translations(&skeleton).map(|translation| translation.extend(0.0)));
            values.extend(joints.scales(&skeleton).map(|scale| scale.extend(0.0)));
        }
        for name in &self.transforms {
            if let Some(transform) = scene.transforms.get(*name) {
                values.extend(transform_values(transform));
            }
        }
        for name in &self.shapes {
            if let Some(shape) = scene.shapes.get(*name) {
                values.push(DVec3::splat(shape.radius.into()).extend(0.0));
            }
        }
        values
    }

    /// Returns the values of all tracks in the bind pose, see [`Self::values`].
    pub fn rest(&self, ik: &IkWork) -> Vec<DVec4> {
        let mut values = self.values(self.scene, ik);
        let mut offset = 0;
        for (_, joints) in &self.skins {
            let rotations = (0..joints.bones.len()).map(|joint| joints.rest_rotation(joint).into());
            let translations = joints.moved.iter().map(|joint| joints.rest_translation(*joint).extend(0.0));
            let scales = joints.scaled.iter().map(|_| DVec3::ONE.extend(0.0));
            let root = [joints.rest_root().extend(0.0)].into_iter();
            for value in root.chain(rotations).chain(translations).chain(scales) {
                values[offset] = value;
                offset += 1;
            }
        }
        values
    }
}

/// Returns translation, rotation and scale; the rotation is normalised, a zero one becomes the identity.
pub fn transform_values(transform: &Transform) -> [DVec4; 3] {
    let rotation = world::unit_rotation(transform.rotation);
    [transform.translation.as_dvec3().extend(0.0), rotation.into(), transform.scale.as_dvec3().extend(0.0)]
}

/// A cache of the values of all tracks at ticks, computed in batches on demand.
pub struct Samples<'m, 'w> {
    motion: &'m Motion<'m>,
    progress: &'m mut Progress<'w>,
    values: HashMap<i64, Vec<DVec4>>,
}

impl<'m, 'w> Samples<'m, 'w> {
    pub fn new(motion: &'m Motion<'m>, progress: &'m mut Progress<'w>) -> Self {
        let values = HashMap::new();
        Self { motion, progress, values }
    }

    /// Computes the missing values at some ticks.
    ///
    /// # Errors
    /// [`ExportError::Cancelled`].
    pub fn prepare(&mut self, ticks: impl IntoIterator<Item = i64>) -> Result<(), ExportError> {
        let ticks = ticks.into_iter().filter(|tick| !self.values.contains_key(tick));
        let missing: Vec<i64> = ticks.collect::<BTreeSet<_>>().into_iter().collect();
        let motion = self.motion;
        let sample = |animator: &mut Animator, ik: &IkWork, tick: i64| {
            if ik.is_exceeded() {
                return (tick, Vec::new());
            }
            let frame = tick as f32 / TICKS as f32;
            let driven = animator.animate(motion.scene, frame, &Default::default());
            (tick, motion.values(&driven, ik))
        };
        for ticks in missing.chunks(BATCH) {
            let ik = &self.progress.ik;
            let found =
                ticks.par_iter().map_init(Animator::default, |animator, tick| sample(animator, ik, *tick));
            self.values.extend(found.collect::<Vec<_>>());
            self.progress.advance(ticks.len())?;
        }
        Ok(())
    }

    /// Forgets all values if there are too many of them for memory. `tracks` is the number of tracks.
    pub fn limit(&mut self, tracks: usize) {
        if self.values.len().saturating_mul(tracks) > TAKE_VALUES {
            self.values.clear();
        }
    }

    /// Returns the value of a track at a prepared tick.
    pub fn get(&self, tick: i64, track: usize) -> DVec4 {
        self.values[&tick][track]
    }
}
