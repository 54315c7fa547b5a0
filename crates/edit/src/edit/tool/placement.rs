//! The placement of an instance, or of a selected transform, at the press: its transform relative to its
//! parent and to the world, and the commands that change it. World = P * T * R * S, where P is the matrix of
//! the parent and may be skewed.

use super::gizmo::Axis;
use crate::edit::command::{Command, transform_name};
use crate::edit::settings::view::{Axes, Tab, View};
use crate::math::decompose::polar_factor;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::PropertyValue;
use crate::scene::resource::Transform;
use crate::scene::world::world_matrix;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// The geometry of the scale gizmo, independent of the scaled object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalable {
    /// World space.
    pub origin: Vec3,
    /// The object's own axes, unit, world space.
    pub directions: [Vec3; 3],
    /// The axes along which it can be scaled.
    pub axes: &'static [Axis],
    /// The scale at the press.
    pub scale: Vec3,
}

/// The placement of a transform, or of an instance that gets one when it is first moved.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The name of the transform.
    transform: String,
    /// The instance that needs the transform added first.
    new_for: Option<InstanceRef>,
    translation: DVec3,
    /// Unit length.
    rotation: DQuat,
    scale: Vec3,
    world_from_parent: DAffine3,
    /// The rotation of `world_from_parent`: its orthogonal factor.
    parent_rotation: DMat3,
    parent_from_world: DMat3,
}

impl Placement {
    /// Returns the placement of the selection. `None` in the Rig tab, while a part of a skeleton is selected,
    /// for hidden instances, and under parents that are flat or not finite.
    pub fn from_view(view: &View) -> Option<Self> {
        let selection = view.session.selection();
        if view.settings.tab != Tab::Animate || selection.part.is_some() {
            return None;
        }
        // The scene before the drag in progress: the next press starts from the stored scene.
        let scene = view.session.animated();
        let (transform, new_for) = match (&selection.instance, &selection.resource) {
            (Some(instance_ref), _) => {
                let instance = scene.instances.get(instance_ref)?;
                if instance.visible == Some(false) {
                    return None;
                }
                match instance.transform.filter(|name| scene.transforms.contains_key(*name)) {
                    Some(name) => (name.to_owned(), None),
                    None => (transform_name(scene, &instance_ref.name), Some(instance_ref.clone())),
                }
            }
            (None, Some(object)) if object.kind == Kind::Transform => (object.name.clone(), None),
            _ => return None,
        };
        let local = scene.transforms.get(&transform);
        let parent = local.and_then(|local| local.parent.as_deref());
        let default = Transform::default();
        Self::new(
            transform.clone(),
            new_for,
            local.map_or(&default, |local| local),
            world_matrix(scene, parent),
        )
    }

    /// Returns `None` for a parent that is flat or not finite, and for values that are not finite.
    pub(super) fn new(
        transform: String,
        new_for: Option<InstanceRef>,
        local: &Transform,
        world_from_parent: DAffine3,
    ) -> Option<Self> {
        let parent_rotation = polar_factor(world_from_parent.matrix3)?;
        let parent_from_world = world_from_parent.matrix3.inverse();
        let rotation = local.rotation.as_dquat();
        let rotation = if rotation.length() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
        let placement = Self {
            transform,
            new_for,
            translation: local.translation.as_dvec3(),
            rotation,
            scale: local.scale,
            world_from_parent,
            parent_rotation,
            parent_from_world,
        };
        let usable = parent_from_world.is_finite()
            && rotation.is_finite()
            && local.scale.is_finite()
            && placement.origin().is_finite();
        usable.then_some(placement)
    }

    /// World space.
    pub fn origin(&self) -> Vec3 {
        self.world_from_parent.transform_point3(self.translation).as_vec3()
    }

    pub(super) fn scalable(&self) -> Scalable {
        Scalable {
            origin: self.origin(),
            directions: self.directions(Axes::Local),
            axes: &Axis::ALL,
            scale: self.scale,
        }
    }

    /// Unit directions in world space; not orthogonal under a skewed parent.
    pub(super) fn directions(&self, axes: Axes) -> [Vec3; 3] {
        let world = match axes {
            Axes::World => DMat3::IDENTITY,
            Axes::Parent => self.world_from_parent.matrix3,
            Axes::Local => self.world_from_parent.matrix3 * DMat3::from_quat(self.rotation),
        };
        [world.x_axis, world.y_axis, world.z_axis].map(|axis| axis.normalize_or_zero().as_vec3())
    }

    /// Linear `world_from_ring`, and the unit axes of the rings in ring space. Ring space is the space of the
    /// parent; for world axes it excludes the parent's skew, so that the rings are round.
    pub(super) fn ring_frame(&self, axes: Axes) -> (DMat3, [DVec3; 3]) {
        let columns = |m: DMat3| [m.x_axis, m.y_axis, m.z_axis];
        match axes {
            Axes::World => (self.parent_rotation, columns(self.parent_rotation.transpose())),
            Axes::Parent => (self.world_from_parent.matrix3, DVec3::AXES),
            Axes::Local => (self.world_from_parent.matrix3, columns(DMat3::from_quat(self.rotation))),
        }
    }

    /// Returns the commands for a movement in world space since the press; none if a number would overflow.
    pub(super) fn move_commands(&self, moved_in_world: Vec3) -> Vec<Command> {
        let translation = (self.translation + self.parent_from_world * moved_in_world.as_dvec3()).as_vec3();
        if !translation.is_finite() {
            return Vec::new();
        }
        self.commands("translation", PropertyValue::Vec3(translation))
    }

    /// Returns the commands for a rotation about a unit axis of the parent's space, in radians.
    pub(super) fn rotate_commands(&self, axis: DVec3, angle: f64) -> Vec<Command> {
        let rotation = (DQuat::from_axis_angle(axis, angle) * self.rotation).normalize();
        if !rotation.is_finite() {
            return Vec::new();
        }
        self.commands("rotation", PropertyValue::Rotation(rotation.as_quat()))
    }

    pub(super) fn scale_commands(&self, scale: Vec3) -> Vec<Command> {
        if !scale.is_finite() {
            return Vec::new();
        }
        self.commands("scale", PropertyValue::Vec3(scale))
    }

    fn commands(&self, property: &str, value: PropertyValue) -> Vec<Command> {
        let transform = ObjectRef::new(Kind::Transform, self.transform.clone());
        let first = self.new_for.clone().map(|instance| Command::AddTransform { instance });
        let set = Command::set(transform, property, value);
        first.into_iter().chain([set]).collect()
    }
}
