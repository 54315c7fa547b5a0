//! Actions that add cameras and lights, and that put a camera where the view is: what they do depends on the view
//! and on what it shows, so that the window asks for their commands.

use super::Action;
use crate::edit::command::{Command, transform_name};
use crate::edit::view::{Tab, View};
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::math::decompose::decompose;
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, Thing};
use crate::scene::property::PropertyValue;
use crate::scene::resource::Camera;
use crate::scene::world::world_of;
use glam::{DAffine3, DVec3, Quat, Vec3};

/// The kind of light that an action adds: its kind, its type, its name.
fn light(action: Action) -> Option<(Kind, &'static str, &'static str)> {
    Some(match action {
        Action::AddPointLight => (Kind::DeltaLight, "Point", "Point_light"),
        Action::AddDirectionalLight => (Kind::DeltaLight, "Directional", "Directional_light"),
        Action::AddSpotLight => (Kind::DeltaLight, "Spot", "Spot_light"),
        Action::AddHemisphereLight => (Kind::EnvLight, "Hemisphere", "Hemisphere_light"),
        Action::AddSphereLight => (Kind::EnvLight, "Sphere", "Sphere_light"),
        _ => return None,
    })
}

/// Whether the commands of an action come from here.
pub fn is_of_view(action: Action) -> bool {
    matches!(action, Action::AddCamera | Action::CameraToView) || light(action).is_some()
}

/// Whether it can be done now, or why not.
pub fn enabled(action: Action, view: &View) -> Result<(), String> {
    if view.settings.tab == Tab::Rig {
        return Err("Cameras and lights stand in the Animate tab.".into());
    }
    match action {
        Action::CameraToView => camera(view).map(drop),
        _ => Ok(()),
    }
}

/// The commands of an action, for the view of `eye` on a scene whose surfaces fill `bounds`.
///
/// # Errors
/// The reason why it cannot be done.
pub fn commands(
    action: Action,
    view: &View,
    eye: &ViewCamera,
    bounds: &Bounds,
) -> Result<Vec<Command>, String> {
    enabled(action, view)?;
    match light(action) {
        Some(light) => Ok(vec![add_light(light, bounds)]),
        None if action == Action::CameraToView => camera_to_view(view, eye),
        None => Ok(vec![add_camera(eye)]),
    }
}

/// It sees what the view sees, and is in focus at what the view turns about.
fn add_camera(eye: &ViewCamera) -> Command {
    let fov = eye.vertical_fov.to_degrees().clamp(1.0, 179.0);
    let distance = eye.eye().distance(eye.target);
    let near = Camera::default().near_plane.min(eye.near()).max(1e-6);
    let property = |id: &str, value: f32| (id.to_owned(), PropertyValue::Float(value));
    Command::AddResource {
        kind: Kind::Camera,
        name: "Camera".into(),
        properties: vec![
            property("vertical_fov", fov),
            property("near_plane", near),
            property("focal_dist", distance),
        ],
        translation: eye.eye(),
        rotation: eye.rotation(),
    }
}

/// Above the scene, to the side and in front of it; what shines in a direction shines at its middle.
fn add_light((kind, of_type, name): (Kind, &str, &str), bounds: &Bounds) -> Command {
    let bounds = match bounds.is_empty() {
        true => Bounds::of_sphere(Vec3::ZERO, 1.0),
        false => *bounds,
    };
    let (center, radius) = (bounds.center(), (0.5 * bounds.diagonal()).max(1e-3));
    let aside = if kind == Kind::EnvLight { 0.0 } else { 0.6 * radius };
    let above = bounds.max.y - center.y + 0.2 * radius;
    let offset = Vec3::new(aside, above, aside);
    // Lights shine along local y; an environment's half lies there.
    let rotation = match of_type {
        "Directional" | "Spot" => Quat::from_rotation_arc(Vec3::Y, -offset.normalize()),
        _ => Quat::IDENTITY,
    };
    Command::AddResource {
        kind,
        name: name.to_owned(),
        properties: vec![("type".to_owned(), PropertyValue::Choice(of_type.to_owned()))],
        translation: center + offset,
        rotation,
    }
}

/// The instance of a camera that takes the view: the selected one, the one that is looked through, or the only one.
fn camera(view: &View) -> Result<String, String> {
    let cameras = &view.session.seen().instances.cameras;
    let selected = view.session.selection().instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::Camera);
    let chosen = selected
        .map(|instance| &instance.name)
        .or(view.settings.camera.as_ref());
    let only = cameras.keys().next().filter(|_| cameras.len() == 1);
    let name = chosen.or(only).filter(|name| cameras.contains_key(*name));
    name.cloned().ok_or_else(|| match cameras.is_empty() {
        true => "The scene has no camera; add one first.".into(),
        false => "Select a camera first.".into(),
    })
}

/// Its lens stays as it is. A transform that others share takes them along.
fn camera_to_view(view: &View, eye: &ViewCamera) -> Result<Vec<Command>, String> {
    let scene = view.session.seen();
    let name = camera(view)?;
    let placed = scene.instances.cameras.get(&name);
    let transform = placed.and_then(|placed| placed.transform.as_ref());
    let transform = transform.and_then(|name| scene.transforms.get_key_value(name));
    let (first, transform, parent) = match transform {
        Some((name, transform)) => (None, name.clone(), transform.parent.clone()),
        None => {
            let instance = Thing::new(Kind::Instance(InstanceKind::Camera), name.clone()).instance();
            let add = instance.map(|instance| Command::AddTransform { instance });
            (add, transform_name(scene, &name), None)
        }
    };
    let world = DAffine3::from_rotation_translation(eye.rotation().as_dquat(), eye.eye().as_dvec3());
    let local = world_of(scene, parent.as_deref()).inverse() * world;
    let (translation, rotation, _) =
        decompose(local, DVec3::ONE).ok_or("The camera hangs on something that is flat.")?;
    let set = |property: &str, value| Command::set(Thing::new(Kind::Transform, &*transform), property, value);
    let place = [
        set("translation", PropertyValue::Vec3(translation.as_vec3())),
        set("rotation", PropertyValue::Rotation(rotation.as_quat())),
    ];
    Ok(first.into_iter().chain(place).collect())
}
