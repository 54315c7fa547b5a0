//! The Add menu: primitives, cameras and lights. What cameras and lights become depends on where the view is and on
//! what it shows: the window knows both, and asks [`created`] for the commands.

use super::selected::in_animate;
use super::{AppRequest, Dialog, Prepared, Reason, row, rows};
use crate::edit::command::{Command, transform_name};
use crate::edit::view::View;
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::math::decompose::decompose;
use crate::mesh::primitives::Primitive;
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::PropertyValue;
use crate::scene::resource::Camera;
use crate::scene::world::world_of;
use glam::{DAffine3, DVec3, Quat, Vec3};

/// A row whose dialog asks for the numbers of a primitive.
macro_rules! primitive {
    ($text:literal, $tooltip:literal, $place:literal) => {
        row($text, $tooltip, |_| {
            Prepared::dialog(Dialog::Primitive(Primitive::DEFAULTS[$place]))
        })
    };
}

/// A row that adds a light of a kind and a type under a name.
macro_rules! light {
    ($text:literal, $tooltip:literal, $kind:expr, $type:literal, $name:literal) => {
        row($text, $tooltip, |view| {
            create(view, Create::Light($kind, $type, $name))
        })
        .within("Light")
    };
}

rows!(
    ADD_BOX = primitive!("Box…", "Add a box.", 0),
    ADD_SPHERE = primitive!("Sphere…", "Add a UV sphere.", 1),
    ADD_CYLINDER = primitive!("Cylinder…", "Add a cylinder that stands on the origin.", 2),
    ADD_BAR = primitive!(
        "Bar…",
        "Add a box cut into cells, which can bend, standing on the origin.",
        3
    ),
    ADD_CAPSULE = primitive!(
        "Capsule…",
        "Add a cylinder with round ends, standing on the origin.",
        4
    ),
    ADD_PLANE = primitive!("Plane…", "Add a flat grid on the ground.", 5),
    ADD_TORUS = primitive!("Torus…", "Add a ring around the y axis.", 6),
    ADD_CAMERA = row("Camera", "Add a camera that sees what the view shows.", |view| {
        create(view, Create::Camera)
    })
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

/// What is created, or put somewhere else, by what the view shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Create {
    /// A camera where the view is.
    Camera,
    /// The camera of this instance goes where the view is.
    CameraToView(String),
    /// A light of a kind and a type, under a name like this.
    Light(Kind, &'static str, &'static str),
}

const STAND_IN_ANIMATE: &str = "Cameras and lights are added in the Animate tab.";

fn create(view: &View, what: Create) -> Result<Prepared, Reason> {
    in_animate(view, STAND_IN_ANIMATE)?;
    Ok(Prepared::App(AppRequest::Create(what)))
}

/// The selected camera, the one that is looked through, or the only one takes the view.
pub fn camera_to_view(view: &View) -> Result<Prepared, Reason> {
    in_animate(view, STAND_IN_ANIMATE)?;
    create(view, Create::CameraToView(camera(view)?))
}

/// The commands that create it, for the view of `eye` on a scene whose surfaces fill `bounds`.
///
/// # Errors
/// The reason why it cannot be done.
pub fn created(
    what: &Create,
    view: &View,
    eye: &ViewCamera,
    bounds: &Bounds,
) -> Result<Vec<Command>, Reason> {
    match what {
        Create::Camera => Ok(vec![add_camera(eye)]),
        Create::CameraToView(camera) => move_camera(view, camera, eye),
        Create::Light(kind, of_type, name) => Ok(vec![add_light(*kind, of_type, name, bounds)]),
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
fn add_light(kind: Kind, of_type: &str, name: &str, bounds: &Bounds) -> Command {
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

/// The instance of a camera that takes the view.
fn camera(view: &View) -> Result<String, Reason> {
    let cameras = &view.session.animated().instances.cameras;
    let selected = view.session.selection().instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::Camera);
    let chosen = selected
        .map(|instance| &instance.name)
        .or(view.settings.camera.as_ref());
    let only = cameras.keys().next().filter(|_| cameras.len() == 1);
    let name = chosen.or(only).filter(|name| cameras.contains_key(*name));
    name.cloned().ok_or(match cameras.is_empty() {
        true => "The scene has no camera; add one first.".into(),
        false => "Select a camera first.".into(),
    })
}

/// Its lens stays as it is. A transform that others share takes them along.
fn move_camera(view: &View, name: &str, eye: &ViewCamera) -> Result<Vec<Command>, Reason> {
    let scene = view.session.animated();
    let placed = scene.instances.cameras.get(name);
    let transform = placed.and_then(|placed| placed.transform.as_ref());
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
    let local = world_of(scene, parent.as_deref()).inverse() * world;
    let (translation, rotation, _) =
        decompose(local, DVec3::ONE).ok_or("The camera's parent is scaled to zero along an axis.")?;
    let set =
        |property: &str, value| Command::set(ObjectRef::new(Kind::Transform, &*transform), property, value);
    let place = [
        set("translation", PropertyValue::Vec3(translation.as_vec3())),
        set("rotation", PropertyValue::Rotation(rotation.as_quat())),
    ];
    Ok(first.into_iter().chain(place).collect())
}
