//! Nothing moves by itself.

use crate::support::*;
use bevy::camera::visibility::RenderLayers;
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use ossature::edit::settings::view::Tab;

#[test]
fn after_settling_nothing_is_evaluated() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.add_ik(LEFT_FOREARM);
    person.click("Enable");
    let ball = person.ball_of_handle(0);
    // Drag the target out of reach, where the solver never gets.
    person.app.drag(ball, (ball.0 + 60.0, ball.1 - 90.0), 3);
    for tab in ["Rig", "Animate"] {
        person.click(tab);
        person.app.draw_all(true);
        person.app.frames(6);
        let (evaluations, bytes) = (person.shown().evaluations, person.bytes());
        assert!(evaluations > 0);
        person.app.frames(12);
        assert_eq!(person.shown().evaluations, evaluations, "{tab}");
        assert!(person.bytes() == bytes);
        person.app.draw_all(false);
        // Check that the counter does count.
        person.click(if tab == "Rig" { "Animate" } else { "Rig" });
        assert_eq!(person.shown().evaluations, evaluations + 1);
    }
    assert_eq!(person.editor().settings.tab, Tab::Rig);
}

/// Returns what systems wrote since a tick, if it has a cost: written components are copied to the render
/// world, written meshes to the graphics card.
fn written(person: &mut Person, since: Tick) -> Vec<String> {
    fn of<T: Component>(world: &mut World, since: Tick, now: Tick) -> Option<String> {
        let mut all = world.query::<Ref<T>>();
        let written = all.iter(world).filter(|c| c.last_changed().is_newer_than(since, now));
        let count = written.count();
        (count > 0).then(|| format!("{count} of {}", std::any::type_name::<T>()))
    }
    let world = person.app.world();
    let now = world.change_tick();
    let meshes = world.resource_ref::<Assets<Mesh>>().last_changed();
    let components = [
        of::<Transform>,
        of::<Visibility>,
        of::<Mesh3d>,
        of::<RenderLayers>,
        of::<bevy::camera::Projection>,
        of::<Camera>,
    ];
    let mut written: Vec<String> = components.iter().filter_map(|of| of(world, since, now)).collect();
    if meshes.is_newer_than(since, now) {
        written.push("meshes".into());
    }
    written
}

#[test]
fn a_pointer_over_panels_moves_nothing_in_the_viewport() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.add_ik(LEFT_FOREARM);
    for (tab, selects) in [("Rig", false), ("Animate", true)] {
        person.click(tab);
        if selects {
            let bone = person.middle_of_bone(LEFT_UPPER_ARM);
            person.click_at(bone);
        }
        let viewport = person.viewport();
        let panel = |x: f32| (viewport.left() * x, viewport.center().y);
        let (x, y) = panel(0.5);
        person.app.point_at(x, y);
        person.app.frames(8);
        let (evaluations, since) = (person.shown().evaluations, person.app.world().change_tick());
        for step in 0..10 {
            let (x, y) = panel(0.2 + 0.06 * step as f32);
            person.app.point_at(x, y + 3.0 * step as f32);
        }
        assert_eq!(written(&mut person, since), [""; 0], "{tab}");
        assert_eq!(person.shown().evaluations, evaluations);
        // Check that writes are detected: a bone is highlighted under the pointer, where there is no gizmo.
        let (x, y) = person.middle_of_bone(RIGHT_UPPER_ARM);
        person.app.point_at(x, y);
        person.app.frames(1);
        assert!(!written(&mut person, since).is_empty(), "{tab}");
    }
}
