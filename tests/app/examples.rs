//! Example scenes, opened from the Help menu and from an empty view; widgets that a dialog hides.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use ossature::edit::select::selection::Selection;
use ossature::io::examples::Example;
use ossature::io::js3d;

#[test]
fn every_example_opens_as_a_scene_without_a_file() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    for example in [Example::Cylinder, Example::Walk] {
        person.click("Help");
        person.app.frames(2);
        person.click("Help > Open example");
        person.app.frames(2);
        for other in Example::ALL {
            assert!(person.sees(&format!("Help > {}", other.text())), "{other:?}");
        }
        person.click(&format!("Help > {}", example.text()));
        person.app.frames(3);
        let (scene, _) = example.read().unwrap();
        assert!(person.bytes() == js3d::write(&scene).unwrap(), "{example:?}");
        assert_eq!(person.editor().session.path(), None);
        assert!(!person.editor().session.is_modified());
        assert_eq!(person.messages(), Vec::<String>::new());
    }
    // Also from an empty view.
    person.app.key(Key::N, CTRL);
    person.app.frames(2);
    person.click("Example Bar");
    person.app.frames(3);
    let (bar, _) = Example::Bar.read().unwrap();
    assert!(person.bytes() == js3d::write(&bar).unwrap());
    assert!(!person.sees("This scene is empty"));
}

#[test]
fn no_tooltip_stays_over_a_dialog() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.rect("Calculate bone weights").center();
    person.app.point_at(at.x, at.y);
    person.app.frames(60);
    let tooltip = "Replace all weights with those";
    assert!(person.sees_text(tooltip), "the button says what it does");
    person.app.key(Key::O, CTRL);
    person.app.frames(4);
    assert!(person.sees("Open a scene"));
    assert!(!person.sees_text(tooltip));
}

#[test]
fn f_frames_selected_vertices() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let posed = person.posed();
    let highest = (0..posed.positions.len()).max_by(|a, b| {
        let height = |v: usize| posed.positions[v].y;
        height(*a).total_cmp(&height(*b))
    });
    let highest = highest.unwrap();
    let before = person.editor().viewport.camera;
    let selection = Selection::from_mesh(&person.scene(), MESH).with_vertices(vec![highest as u32]);
    person.editor().session.select(selection);
    person.app.key(Key::F, Modifiers::NONE);
    person.app.frames(3);
    let camera = person.editor().viewport.camera;
    assert!(camera.distance < 0.5 * before.distance, "{}", camera.distance);
    let shown = person.shows(posed.positions[highest]);
    let middle = person.editor().viewport.free().center();
    assert!((shown.0 - middle.x).abs() < 5.0 && (shown.1 - middle.y).abs() < 5.0, "{shown:?}");
}
