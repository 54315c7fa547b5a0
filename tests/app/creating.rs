//! Cameras and lights added in the window, a camera that takes the view, and undo of both.

use crate::support::*;
use glam::{Mat4, Vec3};
use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::math::bounds::Bounds;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::resource::{DeltaLightKind, EnvLightKind};

impl Person {
    fn act(&mut self, action: Action) {
        self.editor().requests.push(Request::Act(action));
        self.app.frames(3);
    }

    /// Returns the transform of the selected instance, `world_from_local`.
    fn place(&mut self) -> Mat4 {
        let instance = self.selection().instance.expect("an instance is selected");
        let evaluated = &self.shown().evaluated;
        let placed = evaluated.scene.instances.get(&instance).expect("it is there");
        evaluated.world(placed.transform)
    }
}

#[test]
fn cameras_and_lights_are_added_where_they_make_sense() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.act(Action::ADD_CAMERA);
    assert!(person.scene().cameras.is_empty(), "not in the Rig tab");
    assert!(person.messages().iter().any(|text| text.contains("Animate tab")));
    person.click("Animate");
    assert_eq!(person.editor().settings.tab, Tab::Animate);
    person.app.frames(4);
    let start = person.bytes();

    // Use the menu.
    person.click("Add");
    person.click("Add > Camera");
    let chosen = person.selection().instance;
    let camera = InstanceRef { kind: InstanceKind::Camera, name: "Camera_instance".into() };
    assert_eq!(chosen, Some(camera));
    assert_eq!(person.steps(), ["Add Camera"]);
    let (eye, view) = (person.editor().viewport.camera, person.place());
    assert!(view.w_axis.truncate().distance(eye.eye()) < 1e-4);
    assert!(view.abs_diff_eq(eye.world_from_camera(), 1e-4));
    let fov = person.scene().cameras["Camera"].vertical_fov;
    assert!((fov - eye.vertical_fov.to_degrees()).abs() < 1e-3);
    // The panel has its rows, and the view through the camera is the same.
    assert!(person.sees("Field of view"));
    person.act(Action::LOOK_THROUGH_CAMERA);
    assert_eq!(person.editor().settings.display.camera.as_deref(), Some("Camera_instance"));
    let through = person.editor().viewport.camera;
    assert!(through.eye().distance(eye.eye()) < 1e-3);

    // Orbit away; the camera follows the view only on request.
    person.act(Action::VIEW_FRONT);
    let eye = person.editor().viewport.camera;
    assert!(eye.eye().distance(through.eye()) > 0.5);
    person.act(Action::CAMERA_TO_VIEW);
    let view = person.place();
    assert!(view.abs_diff_eq(eye.world_from_camera(), 1e-3), "{view} {}", eye.world_from_camera());
    assert_eq!(person.steps(), ["Add Camera", "Change Camera_transform"]);

    let (posed, transform) =
        (person.posed(), person.scene().instances.skinned_meshes[INSTANCE].transform.clone());
    let world = person.shown().evaluated.world(transform.as_deref());
    let human = Bounds::from_points(posed.positions.iter().copied()).transformed(&world);
    let middle = human.center();
    for (action, name) in [
        (Action::ADD_POINT_LIGHT, "Point_light"),
        (Action::ADD_DIRECTIONAL_LIGHT, "Directional_light"),
        (Action::ADD_SPOT_LIGHT, "Spot_light"),
        (Action::ADD_HEMISPHERE_LIGHT, "Hemisphere_light"),
        (Action::ADD_SPHERE_LIGHT, "Sphere_light"),
    ] {
        person.act(action);
        let at = person.place();
        assert!(at.w_axis.y > human.max.y, "{name} stands above the scene");
        let aim = at.transform_vector3(Vec3::Y);
        if [Action::ADD_DIRECTIONAL_LIGHT, Action::ADD_SPOT_LIGHT].contains(&action) {
            let to_middle = (middle - at.w_axis.truncate()).normalize();
            assert!(aim.dot(to_middle) > 0.99, "{name} shines at the scene");
        } else {
            assert!(aim.abs_diff_eq(Vec3::Y, 1e-6), "{name}");
        }
        let selected = person.selection().instance.unwrap();
        assert_eq!(selected.name, format!("{name}_instance"));
        assert_eq!(person.steps().pop(), Some(format!("Add {name}")));
    }
    let scene = person.scene();
    assert_eq!(scene.delta_lights["Spot_light"].kind, DeltaLightKind::SPOT);
    assert_eq!(scene.env_lights["Sphere_light"].kind, EnvLightKind::Sphere);
    let radiance = scene.env_lights["Sphere_light"].radiance.as_deref().unwrap();
    assert!(scene.textures.contains_key(radiance));

    person.act(Action::DELETE);
    assert!(person.scene().instances.env_lights.len() == 1);
    while person.editor().session.undo().is_some() {}
    assert!(person.bytes() == start);
}
