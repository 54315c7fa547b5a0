//! The Add menu: primitives, cameras and lights. New cameras and lights depend on the position of the view
//! and on what it shows; the editor knows both and gets the commands from [`create_commands`].

use super::selected::in_animate;
use super::{AppRequest, Dialog, Prepared, Reason, row, rows};
use crate::edit::command::{Command, transform_name};
use crate::edit::settings::view::View;
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::math::decompose::decompose;
use crate::mesh::primitives::Primitive;
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::PropertyValue;
use crate::scene::resource::Camera;
use crate::scene::world::world_matrix;
use glam::{DAffine3, DVec3, Quat, Vec3};

/// Creates a row with a dialog for the dimensions of a primitive.
macro_rules! primitive {
    ($text:literal, $tooltip:literal, $keywords:literal, $index:literal) => {
        row($text, $tooltip, |_| Prepared::dialog(Dialog::Primitive(Primitive::DEFAULTS[$index])))
            .keywords($keywords)
    };
}

/// Creates a row that adds a light of the given kind and type with the given name.
macro_rules! light {
    ($text:literal, $tooltip:literal, $kind:expr, $type:literal, $name:literal) => {
        row($text, $tooltip, |view| create(view, Create::Light($kind, $type, $name))).in_submenu("Light")
    };
}

rows!(
    ADD_BOX = primitive!("Box…", "Add a box.", "cube, shape, mesh, primitive", 0),
    ADD_SPHERE = primitive!("Sphere…", "Add a UV sphere.", "ball, shape, mesh, primitive", 1),
    ADD_CYLINDER = primitive!(
        "Cylinder…",
        "Add a cylinder that stands on the origin.",
        "pipe, pillar, shape, mesh, primitive",
        2
    ),
    ADD_BAR = primitive!(
        "Bar…",
        "Add a box cut into cells, which can bend, standing on the origin.",
        "beam, shape, mesh, primitive",
        3
    ),
    ADD_CAPSULE = primitive!(
        "Capsule…",
        "Add a cylinder with round ends, standing on the origin.",
        "pill, shape, mesh, primitive",
        4
    ),
    ADD_PLANE =
        primitive!("Plane…", "Add a flat grid on the ground.", "ground, quad, shape, mesh, primitive", 5),
    ADD_TORUS =
        primitive!("Torus…", "Add a ring around the y axis.", "ring, donut, shape, mesh, primitive", 6),
    ADD_CAMERA =
        row("Camera", "Add a camera that sees what the view shows.", |view| { create(view, Create::Camera) })
            .separated(),
    ADD_POINT_LIGHT = light!(
        "Point light",
        "Add a light above the scene that shines in all directions.",
        Kind::DeltaLight,
        "Point",
        "Point_light"
    ),
    ADD_DIRECTIONAL_LIGHT = light!(
        "Directional light",
        "Add a light like the sun, which shines in one direction from everywhere.",
        Kind::DeltaLight,
        "Directional",
        "Directional_light"
    ),
    ADD_SPOT_LIGHT = light!(
        "Spot light",
        "Add a light above the scene that casts a cone of light at its middle.",
        Kind::DeltaLight,
        "Spot",
        "Spot_light"
    ),
    ADD_HEMISPHERE_LIGHT = light!(
        "Hemisphere light",
        "Add light from above, like that of the sky, with its own texture.",
        Kind::EnvLight,
        "Hemisphere",
        "Hemisphere_light"
    ),
    ADD_SPHERE_LIGHT = light!(
        "Sphere light",
        "Add light from all directions, with its own texture.",
        Kind::EnvLight,
        "Sphere",
        "Sphere_light"
    ),
);

/// An object to create, or to move, according to the view.
#[derive(Clone, Debug, PartialEq)]
pub enum Create {
    /// A new camera at the position of the view.
    Camera,
    /// Moves the camera of this instance to the view.
    CameraToView(String),
    /// A new light of a kind and a type, with a name based on the given one.
    Light(Kind, &'static str, &'static str),
}

const ANIMATE_ONLY: &str = "Cameras and lights are added in the Animate tab.";

fn create(view: &View, object: Create) -> Result<Prepared, Reason> {
    in_animate(view, ANIMATE_ONLY)?;
    Ok(Prepared::App(AppRequest::Create(object)))
}

/// Moves the selected camera, the active one, or the only one to the view.
pub fn camera_to_view(view: &View) -> Result<Prepared, Reason> {
    in_animate(view, ANIMATE_ONLY)?;
    create(view, Create::CameraToView(camera_to_move(view)?))
}

/// Returns the commands that create an object, for the view of `eye` on a scene whose surfaces fill `bounds`.
///
/// # Errors
/// The reason why that cannot be done.
pub fn create_commands(
    object: &Create,
    view: &View,
    eye: &ViewCamera,
    bounds: &Bounds,
) -> Result<Vec<Command>, Reason> {
    match object {
        Create::Camera => Ok(vec![add_camera(eye)]),
        Create::CameraToView(camera) => move_camera(view, camera, eye),
        Create::Light(kind, light_type, name) => Ok(vec![add_light(*kind, light_type, name, bounds)]),
    }
}

/// Adds a camera with the view's field of view, focused on the point that the view orbits.
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

/// Adds a light above the scene, to the side and in front of it; directional and spot lights point at its
/// centre.
fn add_light(kind: Kind, light_type: &str, name: &str, bounds: &Bounds) -> Command {
    let bounds = if bounds.is_empty() { Bounds::from_sphere(Vec3::ZERO, 1.0) } else { *bounds };
    let (center, radius) = (bounds.center(), (0.5 * bounds.diagonal()).max(1e-3));
    let aside = if kind == Kind::EnvLight { 0.0 } else { 0.6 * radius };
    let above = bounds.max.y - center.y + 0.2 * radius;
    let offset = Vec3::new(aside, above, aside);
    // Lights shine along local y; the hemisphere of an environment light is on that side.
    let rotation = match light_type {
        "Directional" | "Spot" => Quat::from_rotation_arc(Vec3::Y, -offset.normalize()),
        _ => Quat::IDENTITY,
    };
    Command::AddResource {
        kind,
        name: name.to_owned(),
        properties: vec![("type".to_owned(), PropertyValue::Choice(light_type.to_owned()))],
        translation: center + offset,
        rotation,
    }
}

/// Returns the name of the camera instance to move to the view.
fn camera_to_move(view: &View) -> Result<String, Reason> {
    let cameras = &view.session.animated().instances.cameras;
    let selected = view.session.selection().instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::Camera);
    let chosen = selected.map(|instance| &instance.name).or(view.settings.display.camera.as_ref());
    let only = cameras.keys().next().filter(|_| cameras.len() == 1);
    let name = chosen.or(only).filter(|name| cameras.contains_key(*name));
    name.cloned().ok_or(if cameras.is_empty() {
        "The scene has no camera; add one first.".into()
    } else {
        "Select a camera first.".into()
    })
}

/// Moves a camera to the view without changing its lens. Other objects that share its transform move along.
fn move_camera(view: &View, name: &str, eye: &ViewCamera) -> Result<Vec<Command>, Reason> {
    let scene = view.session.animated();
    let instance = scene.instances.cameras.get(name);
    let transform = instance.and_then(|instance| instance.transform.as_ref());
    let transform = transform.and_then(|name| scene.transforms.get_key_value(name));
    let (first, transform, parent) = match transform {
        Some((name, transform)) => (None, name.clone(), transform.parent.clone()),
        None => {
            let instance = ObjectRef::new(Kind::Instance(InstanceKind::Camera), name).instance();
            let add = instance.map(|instance| Command::AddTransform { instance });
            (add, transform_name(scene, name), None)
        }
    };
    let world = DAffine3::from_rotation_translation(eye.rotation().as_dquat(), eye.eye().as_dvec3());
    let local = world_matrix(scene, parent.as_deref()).inverse() * world;
    let (translation, rotation, _) =
        decompose(local, DVec3::ONE).ok_or("The camera's parent is scaled to zero along an axis.")?;
    let set =
        |property: &str, value| Command::set(ObjectRef::new(Kind::Transform, &*transform), property, value);
    let placement = [
        set("translation", PropertyValue::Vec3(translation.as_vec3())),
        set("rotation", PropertyValue::Rotation(rotation.as_quat())),
    ];
    Ok(first.into_iter().chain(placement).collect())
}
