//! How bones are drawn: octahedra, capsules and sticks, sides, locks and names.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, Pos2, Rect};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::settings::view::BoneLook;
use ossature::rig::weights::method::Method;

/// Returns the look, and the picture with it.
fn drawn_as(person: &mut Person, look: BoneLook) -> (BoneLook, Shot) {
    person.editor().settings.display.bone_look = look;
    person.app.frames(4);
    let editor = person.editor();
    let radius_counts = ActiveRig::from_view(&editor.view()).is_some_and(|rig| rig.radius_counts);
    let shown = editor.settings.display.shown_bone_look(radius_counts);
    (shown, person.picture())
}

#[test]
fn bones_are_octahedra_capsules_or_sticks() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    assert_eq!(person.editor().settings.display.bone_look, BoneLook::Octahedra);
    for tab in ["Animate", "Rig"] {
        person.click(tab);
        person.app.frames(4);
        let viewport = person.viewport();
        let looks = [BoneLook::Octahedra, BoneLook::Capsules, BoneLook::Sticks];
        let [octahedra, capsules, sticks] = looks.map(|look| {
            let (shown, picture) = drawn_as(&mut person, look);
            assert_eq!(shown, look, "{tab}");
            picture
        });
        assert!(octahedra.changed(&sticks, viewport).len() > 2000, "{tab}");
        assert!(capsules.changed(&sticks, viewport).len() > 8000, "{tab}");
    }
}

/// Nothing hides the colours of the weights, and capsules appear only where radii matter.
#[test]
fn capsules_are_drawn_only_where_radii_matter() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    person.key(Key::H);
    let viewport = person.viewport();
    let (shown, sticks) = drawn_as(&mut person, BoneLook::Sticks);
    assert_eq!(shown, BoneLook::Sticks);
    for look in [BoneLook::Capsules, BoneLook::Octahedra] {
        let (shown, picture) = drawn_as(&mut person, look);
        assert_eq!(shown, BoneLook::Sticks, "over the weights");
        assert_eq!(picture.changed_by(2, &sticks, viewport).len(), 0, "{look:?}");
    }
    person.key(Key::H);
    let by_heat =
        Command::SetWeightMethod { mesh: MESH.into(), method: Method::named("heat").expect("a method") };
    let radius = Action::BONES_AS_CAPSULES;
    assert!(radius.enabled(&person.editor().view()).is_ok());
    person.editor().session.apply(&[by_heat]).expect("method set");
    let (shown, _) = drawn_as(&mut person, BoneLook::Capsules);
    assert_eq!(shown, BoneLook::Octahedra);
    let why = radius.enabled(&person.editor().view()).expect_err("no radii");
    assert!(why.contains("Heat"), "{why}");
}

/// With all bones selected the skin can still be seen.
#[test]
fn selected_bones_do_not_cover_the_body() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.app.key(Key::A, CTRL);
    let (_, all) = drawn_as(&mut person, BoneLook::Octahedra);
    person.editor().settings.display.show_bones = false;
    person.app.frames(4);
    let viewport = person.viewport();
    let none = person.picture();
    let bones = all.changed(&none, viewport).len();
    person.editor().settings.display.show_skin = false;
    person.app.frames(4);
    let body = person.picture().changed(&none, viewport).len();
    assert!(5 * bones < 3 * body, "{bones} of {body} pixels");
}

/// Sides and locks are seen by shape, too, and names are beside their bones.
#[test]
fn sides_locks_and_names_of_bones_are_seen() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.middle_of_bone(LEFT_FOREARM);
    let area = Rect::from_center_size(Pos2::new(at.0, at.1), bevy_egui::egui::vec2(60.0, 60.0));
    let viewport = person.viewport();
    let before = person.picture();
    let lock = Command::lock_weights(MESH.into(), &[LEFT_FOREARM], true);
    person.editor().session.apply(&[lock]).expect("locked");
    person.app.frames(4);
    let locked = person.picture();
    let changed = locked.changed_by(2, &before, viewport).len();
    assert!(changed > 20, "{changed}");
    assert_eq!(locked.changed_by(2, &before, area).len(), changed, "elsewhere, too");

    // The human has no names with sides, but a left and a right half.
    let right = person.middle_of_bone(RIGHT_UPPER_ARM);
    let left = person.middle_of_bone(LEFT_UPPER_ARM);
    let redness = |(x, y): (f32, f32)| {
        let near = Rect::from_center_size(Pos2::new(x, y), bevy_egui::egui::vec2(24.0, 24.0));
        let pixels = before.pixels(near).map(|(x, y)| before.at(x, y));
        pixels.map(|[r, _, b, _]| i32::from(r) - i32::from(b)).sum::<i32>()
    };
    assert!(redness(right) > redness(left) + 2000, "{} {}", redness(right), redness(left));

    person.app.key(Key::N, Modifiers::ALT);
    assert!(person.editor().settings.display.show_names);
    assert!(person.picture().changed(&locked, viewport).len() > 1000);
}

/// A radius that is dragged is shown as a capsule, whatever else bones look like.
#[test]
fn a_dragged_radius_is_seen() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.middle_of_bone(LEFT_UPPER_ARM);
    person.click_at(at);
    person.app.frames(4);
    let viewport = person.viewport();
    let radius = |person: &mut Person, bone, radius| {
        let mesh = MESH.to_owned();
        let set = Command::set_bone(mesh, bone, "radius", radius);
        person.editor().session.preview(&[set]).expect("previewed");
        person.app.frames(4);
        person.picture()
    };
    let before = person.picture();
    let [thin, thick] = [0.2, 0.6].map(|value| radius(&mut person, LEFT_UPPER_ARM, value));
    assert!(thick.changed(&thin, viewport).len() > 300);
    assert!(thin.changed(&before, viewport).len() > 100);
    person.editor().session.commit();
    person.app.frames(4);
    let after = person.picture();
    assert!(after.changed(&thick, viewport).len() > 300, "the capsule has gone");
    // It would hide the weights. That of a bone without the gizmo, which follows the radius.
    let shown = |person: &mut Person| {
        let [thin, thick] = [0.2, 0.6].map(|value| radius(person, LEFT_FOREARM, value));
        let above_legend = viewport.with_max_y(viewport.bottom() - 100.0);
        thick.changed(&thin, above_legend).len()
    };
    assert!(shown(&mut person) > 100);
    person.editor().settings.display.weights_view = true;
    assert_eq!(shown(&mut person), 0);
}
