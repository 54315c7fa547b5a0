//! Where an instance, or a transform that was chosen itself, stands at the press, in its parent and in the world, and the
//! commands that place it elsewhere. World = P * T * R * S, where P is the matrix of the parent and may be skewed.

use super::gizmo::Axis;
use crate::edit::command::{Command, transform_name};
use crate::edit::view::{Axes, Tab, View};
use crate::math::decompose::polar_factor;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::PropertyValue;
use crate::scene::resource::Transform;
use crate::scene::world::world_of;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// What is scaled, without what it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalable {
    /// World space.
    pub origin: Vec3,
    /// Its own axes, unit, world space.
    pub directions: [Vec3; 3],
    /// The axes that it has a size along.
    pub along: &'static [Axis],
    /// At the press.
    pub scale: Vec3,
}

/// A transform, or an instance that has none yet and gets one when it is moved.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Name of the transform.
    transform: String,
    /// The instance that gets it first.
    new_for: Option<InstanceRef>,
    translation: DVec3,
    /// Unit.
    rotation: DQuat,
    scale: Vec3,
    world_from_parent: DAffine3,
    /// Orthogonal part of it.
    turn_of_parent: DMat3,
    parent_from_world: DMat3,
}

impl Placement {
    /// The placement of what is selected. `None` in the Rig tab, while a part of a skeleton is selected, for what is hidden, and under
    /// parents that are flat or not finite.
    pub fn from_view(view: &View) -> Option<Self> {
        let selection = view.session.selection();
        if view.settings.tab != Tab::Animate || selection.part.is_some() {
            return None;
        }
        // As it was before the drag under way: the gizmo of the next press starts from the scene.
        let scene = view.session.animated();
        let (transform, new_for) = match (&selection.instance, &selection.resource) {
            (Some(chosen), _) => {
                let instance = scene.instances.get(chosen)?;
                if instance.visible == Some(false) {
                    return None;
                }
                match instance
                    .transform
                    .filter(|name| scene.transforms.contains_key(*name))
                {
                    Some(name) => (name.to_owned(), None),
                    None => (transform_name(scene, &chosen.name), Some(chosen.clone())),
                }
            }
            (None, Some(thing)) if thing.kind == Kind::Transform => (thing.name.clone(), None),
            _ => return None,
        };
        let own = scene.transforms.get(&transform);
        let parent = own.and_then(|own| own.parent.as_deref());
        let default = Transform::default();
        Self::new(
            transform.clone(),
            new_for,
            own.map_or(&default, |own| own),
            world_of(scene, parent),
        )
    }

    /// `None` for a parent that is flat or not finite, and for values that are not finite.
    pub(super) fn new(
        transform: String,
        new_for: Option<InstanceRef>,
        own: &Transform,
        world_from_parent: DAffine3,
    ) -> Option<Self> {
        let turn_of_parent = polar_factor(world_from_parent.matrix3)?;
        let parent_from_world = world_from_parent.matrix3.inverse();
        let rotation = own.rotation.as_dquat();
        let rotation = if rotation.length() > 0.0 {
            rotation.normalize()
        } else {
            DQuat::IDENTITY
        };
        let placement = Self {
            transform,
            new_for,
            translation: own.translation.as_dvec3(),
            rotation,
            scale: own.scale,
            world_from_parent,
            turn_of_parent,
            parent_from_world,
        };
        let usable = parent_from_world.is_finite()
            && rotation.is_finite()
            && own.scale.is_finite()
            && placement.origin().is_finite();
        usable.then_some(placement)
    }

    /// World space.
    pub fn origin(&self) -> Vec3 {
        self.world_from_parent
            .transform_point3(self.translation)
            .as_vec3()
    }

    pub(super) fn scalable(&self) -> Scalable {
        Scalable {
            origin: self.origin(),
            directions: self.directions(Axes::Local),
            along: &Axis::ALL,
            scale: self.scale,
        }
    }

    /// Unit directions in world space; under a skewed parent not square to each other.
    pub(super) fn directions(&self, axes: Axes) -> [Vec3; 3] {
        let world = match axes {
            Axes::World => DMat3::IDENTITY,
            Axes::Parent => self.world_from_parent.matrix3,
            Axes::Local => self.world_from_parent.matrix3 * DMat3::from_quat(self.rotation),
        };
        [world.x_axis, world.y_axis, world.z_axis].map(|axis| axis.normalize_or_zero().as_vec3())
    }

    /// Linear `world_from_ring` and the unit ring axes in ring space, which is that of the parent, or for
    /// the world's axes the parent's without its skew, so that those rings are round.
    pub(super) fn ring_frame(&self, axes: Axes) -> (DMat3, [DVec3; 3]) {
        let columns = |m: DMat3| [m.x_axis, m.y_axis, m.z_axis];
        match axes {
            Axes::World => (self.turn_of_parent, columns(self.turn_of_parent.transpose())),
            Axes::Parent => (self.world_from_parent.matrix3, DVec3::AXES),
            Axes::Local => (
                self.world_from_parent.matrix3,
                columns(DMat3::from_quat(self.rotation)),
            ),
        }
    }

    /// For a movement in world space since the press. Nothing if a number would overflow.
    pub(super) fn moved(&self, moved_in_world: Vec3) -> Vec<Command> {
        let translation = (self.translation + self.parent_from_world * moved_in_world.as_dvec3()).as_vec3();
        if !translation.is_finite() {
            return Vec::new();
        }
        self.commands("translation", PropertyValue::Vec3(translation))
    }

    /// For a turn about a unit axis of the parent's space, radians.
    pub(super) fn turned(&self, axis: DVec3, angle: f64) -> Vec<Command> {
        let rotation = (DQuat::from_axis_angle(axis, angle) * self.rotation).normalize();
        if !rotation.is_finite() {
            return Vec::new();
        }
        self.commands("rotation", PropertyValue::Rotation(rotation.as_quat()))
    }

    pub(super) fn scaled(&self, scale: Vec3) -> Vec<Command> {
        if !scale.is_finite() {
            return Vec::new();
        }
        self.commands("scale", PropertyValue::Vec3(scale))
    }

    fn commands(&self, property: &str, value: PropertyValue) -> Vec<Command> {
        let transform = ObjectRef::new(Kind::Transform, self.transform.clone());
        let first = self
            .new_for
            .clone()
            .map(|instance| Command::AddTransform { instance });
        let set = Command::set(transform, property, value);
        first.into_iter().chain([set]).collect()
    }
}
