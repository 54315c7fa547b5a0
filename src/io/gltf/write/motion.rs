//! What moves, and where it is at a frame. Poses are those of the evaluation: inverse kinematics included.

use super::super::schema::{Index, Node, Path};
use super::joints::Joints;
use super::options::ExportError;
use super::watch::{BATCH, Watch};
use crate::rig::ik;
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use crate::scene::evaluate::solved;
use crate::scene::resource::Transform;
use crate::scene::world;
use glam::{DQuat, DVec3, DVec4};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// Frames are divided into so many ticks.
pub const TICKS: i64 = 16;

/// What a transform consists of, in the order of its tracks.
pub const TRANSFORM: [Path; 3] = [Path::Translation, Path::Rotation, Path::Scale];

/// A value over time, and the nodes that have it.
pub struct Track {
    pub nodes: Vec<Index>,
    pub path: Path,
    /// That of the nodes themselves.
    pub rest: DVec4,
    /// Smaller differences do not count.
    pub tolerance: f64,
    /// Ticks at which its curve has knots; `None` where it has no curve of its own.
    pub knots: Option<Vec<i64>>,
}

impl Track {
    /// How far apart two values are: radians for rotations.
    pub fn distance(&self, a: DVec4, b: DVec4) -> f64 {
        match self.path {
            // The length of a short chord is a quarter of the angle's double.
            Path::Rotation => 2.0 * (a - b).length().min((a + b).length()),
            _ => (a - b).length(),
        }
    }

    /// `value`, or for a rotation the one of both spellings that is nearer to `near`.
    pub fn aligned(&self, value: DVec4, near: DVec4) -> DVec4 {
        match self.path {
            Path::Rotation if value.dot(near) < 0.0 => -value,
            _ => value,
        }
    }
}

/// Gives a node the value of a track.
pub fn set(node: &mut Node, path: Path, value: DVec4) {
    match path {
        Path::Translation => node.translation = Some(value.truncate()).filter(|t| *t != DVec3::ZERO),
        Path::Rotation => {
            node.rotation = Some(DQuat::from_vec4(value)).filter(|q| *q != DQuat::IDENTITY);
        }
        Path::Scale => node.scale = Some(value.truncate()).filter(|s| *s != DVec3::ONE),
        Path::Weights | Path::Other => {}
    }
}

/// What moves, in the order of its tracks.
pub struct Motion<'s> {
    pub scene: &'s Scene,
    /// Skinned meshes: the translation of the root, then the rotation of each joint.
    pub skins: Vec<(&'s str, &'s Joints)>,
    /// Translation, rotation, scale of each.
    pub transforms: Vec<&'s str>,
    /// The radius as a scale.
    pub shapes: Vec<&'s str>,
}

impl Motion<'_> {
    /// The values of all tracks in `scene`, which is the scene itself or driven.
    pub fn values(&self, scene: &Scene) -> Vec<DVec4> {
        let mut values = Vec::new();
        let options = ik::Options::default();
        for (name, joints) in &self.skins {
            let Some(mesh) = scene.skinned_meshes.get(*name) else {
                continue;
            };
            let (skeleton, _) = solved(&mesh.skeleton, &options);
            values.push(joints.root(skeleton.base_offset.as_dvec3()).extend(0.0));
            values.extend(joints.rotations(&skeleton).map(DVec4::from));
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

    /// As [`Self::values`] in the bind pose.
    pub fn rest(&self) -> Vec<DVec4> {
        let mut values = self.values(self.scene);
        let mut at = 0;
        for (_, joints) in &self.skins {
            values[at] = joints.root(DVec3::ZERO).extend(0.0);
            for joint in 0..joints.bones.len() {
                values[at + 1 + joint] = joints.rest_rotation(joint).into();
            }
            at += 1 + joints.bones.len();
        }
        values
    }
}

/// Translation, rotation and scale; a rotation that is not of unit length is made so, a zero one is none.
pub fn transform_values(transform: &Transform) -> [DVec4; 3] {
    let rotation = world::unit_rotation(transform.rotation);
    [
        transform.translation.as_dvec3().extend(0.0),
        rotation.into(),
        transform.scale.as_dvec3().extend(0.0),
    ]
}

/// Values of all tracks at ticks, worked out when they are first asked for, many at once.
pub struct Samples<'m, 'w> {
    motion: &'m Motion<'m>,
    watch: &'m mut Watch<'w>,
    at: HashMap<i64, Vec<DVec4>>,
}

impl<'m, 'w> Samples<'m, 'w> {
    pub fn new(motion: &'m Motion<'m>, watch: &'m mut Watch<'w>) -> Self {
        let at = HashMap::new();
        Self { motion, watch, at }
    }

    /// # Errors
    /// [`ExportError::Cancelled`].
    pub fn prepare(&mut self, ticks: impl IntoIterator<Item = i64>) -> Result<(), ExportError> {
        let ticks = ticks.into_iter().filter(|tick| !self.at.contains_key(tick));
        let missing: Vec<i64> = ticks.collect::<BTreeSet<_>>().into_iter().collect();
        let motion = self.motion;
        let sample = |driver: &mut Driver, tick: i64| {
            let frame = tick as f32 / TICKS as f32;
            let driven = driver.driven(motion.scene, frame, &Default::default());
            (tick, motion.values(&driven))
        };
        for ticks in missing.chunks(BATCH) {
            let found = ticks
                .par_iter()
                .map_init(Driver::default, |driver, tick| sample(driver, *tick));
            self.at.extend(found.collect::<Vec<_>>());
            self.watch.step(ticks.len())?;
        }
        Ok(())
    }

    /// The value of a track at a tick that was prepared.
    pub fn get(&self, tick: i64, track: usize) -> DVec4 {
        self.at[&tick][track]
    }
}
