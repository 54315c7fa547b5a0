//! How the view is drawn: smooth or fast, the floor, contact shadows, shading, and the gizmo of the axes.

use super::support::{LEFT_FOREARM, LEFT_UPPER_ARM, Person, RIGHT_UPPER_ARM, Shot};
use bevy_egui::egui::{Key, PointerButton, Rect, Vec2, pos2, vec2};
use ossature::edit::action::Action;
use ossature::edit::request::{Navigation, Request};
use ossature::edit::select::selection::Part;
use ossature::edit::settings::options::{Drawing, Theme};
use ossature::edit::settings::view::{BoneLook, Shading, Tab, ViewSettings};
use ossature::edit::settings::view_colors::{Rgb, ViewColors};
use ossature::editor::ui::theme;
use ossature::editor::ui::weight_colors;
use std::time::Instant;

/// Shows only the skin, and what is under it.
fn hide_all_but_skin(person: &mut Person) {
    let settings = &mut person.editor().settings;
    (settings.display.show_bones, settings.display.show_grid, settings.display.show_handles) =
        (false, false, false);
}

fn light([r, g, b, _]: [u8; 4]) -> f64 {
    0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b)
}

/// The standard deviation of the lightness of the pixels in an area, relative to its mean.
fn relief(shot: &Shot, area: Rect) -> f64 {
    let lights: Vec<f64> = shot.pixels(area).map(|(x, y)| light(shot.at(x, y))).collect();
    let mean = lights.iter().sum::<f64>() / lights.len() as f64;
    let variance = lights.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / lights.len() as f64;
    variance.sqrt() / mean
}

/// Returns a square around the head, which has no weight on the arms.
fn head(person: &mut Person) -> Rect {
    let (x, y) = person.shows(glam::Vec3::new(0.0, 5.55, 0.2));
    Rect::from_center_size(pos2(x, y), Vec2::splat(30.0))
}

#[test]
fn the_weights_view_keeps_the_form_of_the_body() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    hide_all_but_skin(&mut person);
    let head = head(&mut person);
    let plain = person.picture();
    let selection = person.selection().with_part(Some(Part::Bone(LEFT_FOREARM)));
    person.editor().session.select(selection);
    person.key(Key::H);
    let weights = person.picture();
    let (before, after) = (relief(&plain, head), relief(&weights, head));
    assert!(before > 0.05, "the head has no form: {before}");
    assert!(after > 0.85 * before, "{after} against {before}");
    // No weight is light, not a dark colour that is lost on the background.
    let middle = head.center();
    let no_weight = light(weights.at(middle.x as u32, middle.y as u32));
    let background = light(theme::viewport::BACKGROUND.to_array());
    assert!(no_weight > 3.0 * background, "{no_weight} on {background}");
}

#[test]
fn two_selected_bones_have_two_colours() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    hide_all_but_skin(&mut person);
    person.editor().settings.display.weights_view = true;
    let arms = [LEFT_UPPER_ARM, RIGHT_UPPER_ARM];
    let selection = person.selection().with_parts(arms.map(Part::Bone));
    person.editor().session.select(selection);
    let picture = person.picture();
    for (arm, color) in arms.into_iter().zip(weight_colors::selected_colors(&arms)) {
        let (x, y) = person.middle_of_bone(arm);
        let [r, _, b, _] = picture.at(x as u32, y as u32);
        assert_eq!(r > b, color.r() > color.b(), "{arm}: {r} {b} against {color:?}");
    }
    assert!(person.sees_text("Weights of 2 bones"));
    // With one of them it is the scale again.
    let selection = person.selection().with_part(Some(Part::Bone(LEFT_UPPER_ARM)));
    person.editor().session.select(selection);
    person.app.frames(2);
    assert!(person.sees_text("Weight of upper_arm.L"));
}

#[test]
fn characters_stand_on_the_floor_by_their_shadows() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    hide_all_but_skin(&mut person);
    let with_floor = person.picture();
    person.editor().settings.display.show_floor = false;
    let without = person.picture();
    // The floor is a step lighter than the background, and darker beside a foot.
    let (x, y) = person.shows(glam::Vec3::new(2.2, 0.0, 0.6));
    let (x, y) = (x as u32, y as u32);
    let (floor, background) = (light(with_floor.at(x, y)), light(without.at(x, y)));
    assert!(floor > background + 8.0, "{floor} on {background}");
    let (x, y) = person.shows(glam::Vec3::new(0.0, 0.0, 0.25));
    let between_feet = light(with_floor.at(x as u32, y as u32));
    assert!(between_feet < floor - 4.0, "{between_feet} against {floor}");
    // Seen from below, nothing hides the feet.
    person.app.editor().viewport.camera.pitch = -0.5;
    let below = person.picture();
    person.editor().settings.display.show_floor = true;
    let viewport = person.viewport().shrink(2.0);
    assert!(person.picture().changed(&below, viewport).is_empty());
}

#[test]
fn shadings_differ_and_weights_stay_visible() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    hide_all_but_skin(&mut person);
    let viewport = person.viewport().shrink(2.0);
    let mut pictures = vec![person.picture()];
    for shading in [Shading::Clay, Shading::Matcap] {
        person.key(Key::Z);
        assert_eq!(person.editor().settings.display.shading, shading);
        pictures.push(person.picture());
    }
    let body = {
        person.editor().settings.display.show_skin = false;
        let empty = person.picture();
        person.editor().settings.display.show_skin = true;
        pictures[0].changed(&empty, viewport).len()
    };
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let changed = pictures[a].changed_by(6, &pictures[b], viewport).len();
        assert!(changed > body / 2, "{a} and {b}: {changed} of {body} pixels");
    }
    person.editor().settings.display.weights_view = true;
    let polished = person.picture();
    person.key(Key::Z);
    assert_eq!(person.editor().settings.display.shading, Shading::Studio);
    assert!(person.picture().changed(&polished, viewport).is_empty());
}

#[test]
fn fast_drawing_has_no_smooth_edges_and_says_so() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    hide_all_but_skin(&mut person);
    person.editor().settings.display.show_floor = false;
    // Pictures are smooth, whatever draws them.
    assert!(!person.sees("Fast drawing"));
    let viewport = person.viewport().shrink(2.0);
    // Pixels of edges: well between those on both sides, which are far apart.
    let between = |shot: &Shot| {
        let all = shot.pixels(viewport.shrink(2.0));
        let is_between = |&(x, y): &(u32, u32)| {
            let [left, middle, right] = [x - 1, x, x + 1].map(|x| light(shot.at(x, y)));
            (right - left).abs() > 50.0 && (0.2..0.8).contains(&((middle - left) / (right - left)))
        };
        all.filter(is_between).count()
    };
    let smooth = person.picture();
    person.editor().settings.options.drawing = Drawing::Fast;
    person.app.frames(2);
    assert!(person.sees("Fast drawing"));
    let fast = person.picture();
    let (smooth, fast) = (between(&smooth), between(&fast));
    assert!(smooth > 100 && fast < smooth / 2, "{fast} against {smooth}");
}

#[test]
fn a_click_on_an_axis_looks_along_it_and_another_from_the_opposite_side() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    assert!(person.sees("View: Perspective"));
    let back = |person: &mut Person| person.editor().viewport.camera.axes()[2];
    person.click(Action::VIEW_RIGHT.text);
    assert!(back(&mut person).distance(glam::Vec3::X) < 1e-5);
    assert!(person.sees("View: Right, orthographic"));
    person.click(Action::VIEW_RIGHT.text);
    assert!(back(&mut person).distance(glam::Vec3::NEG_X) < 1e-5);
    assert!(person.sees("View: Left, orthographic"));
    person.click(Action::VIEW_TOP.text);
    assert!(back(&mut person).distance(glam::Vec3::Y) < 1e-5);
    // Dragging orbits, and leaves the view along the axis.
    let gizmo = person.rect("View: Top, orthographic");
    let from = gizmo.left_top() + vec2(12.0, 12.0);
    person.app.drag((from.x, from.y), (from.x + 30.0, from.y - 20.0), 3);
    assert!(person.sees("View: Perspective"));
    assert!(back(&mut person).y < 0.999);
    // Other buttons do what they do elsewhere in the view, and so does the wheel.
    let camera = |person: &mut Person| {
        let camera = &person.editor().viewport.camera;
        (camera.axes()[2], camera.target, camera.distance)
    };
    let before = camera(&mut person);
    person.app.drag_with(PointerButton::Secondary, (from.x, from.y), (from.x + 30.0, from.y), 3);
    let panned = camera(&mut person);
    assert!(panned.0 == before.0 && panned.1 != before.1);
    person.app.point_at(from.x, from.y);
    person.app.frames(1);
    person.app.wheel(2.0);
    let zoomed = camera(&mut person);
    assert!(zoomed.2 < panned.2);
    // Nothing was selected or moved.
    assert!(person.steps().is_empty());
}

/// Prints how long a frame takes while the view is orbited, for README.md: `cargo test --release --test app --
/// --ignored --nocapture drawing::`, with nothing else running.
#[test]
#[ignore = "measures: cargo test --release --test app -- --ignored --nocapture drawing::"]
fn frames_while_the_view_is_orbited() {
    let (scene, _) = ossature::editor::embedded_human().expect("the human can be read");
    let Some(mut person) = Person::with_scene(1280, 800, scene) else {
        return;
    };
    for tab in [Tab::Rig, Tab::Animate] {
        person.editor().settings.tab = tab;
        for drawing in [Drawing::Smooth, Drawing::Fast] {
            person.editor().settings.options.drawing = drawing;
            person.app.frames(2);
            person.app.draw_all(true);
            let mut orbit = |count: usize| {
                let start = Instant::now();
                for _ in 0..count {
                    person
                        .editor()
                        .requests
                        .push(Request::Navigate(Navigation::Orbit(glam::Vec2::new(4.0, 0.0))));
                    person.app.frames(1);
                }
                1e3 * start.elapsed().as_secs_f64() / count as f64
            };
            orbit(10);
            let ms = orbit(40);
            println!("{tab:?}, {drawing:?}: {ms:.1} ms a frame, {:.1} frames a second", 1e3 / ms);
            person.app.draw_all(false);
        }
    }
}

/// The colours of Edit > Preferences reach what is drawn, at once.
#[test]
fn the_view_has_the_colours_of_the_preferences() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let at = person.middle_of_bone(LEFT_FOREARM);
    person.click_at(at);
    let viewport = person.viewport();
    let near = |shot: &Shot, color: Rgb| {
        let is_near = |pixel: [u8; 4]| (0..3).all(|c| pixel[c].abs_diff(color[c]) < 6);
        shot.pixels(viewport).filter(|&(x, y)| is_near(shot.at(x, y))).count()
    };
    person.editor().settings.display.show_floor = false;
    person.editor().settings.options.colors.background = [10, 80, 20];
    person.app.frames(4);
    let before = person.picture();
    assert!(near(&before, [10, 80, 20]) > 20_000);
    for change in [
        (|colors| colors.grid = [250, 0, 250]) as fn(&mut ViewColors),
        |colors| colors.bones = [0, 0, 250],
        |colors| colors.selected = [0, 250, 250],
    ] {
        let before = person.picture();
        change(&mut person.editor().settings.options.colors);
        person.app.frames(4);
        assert!(person.picture().changed(&before, viewport).len() > 20);
    }
    // The light theme has a light view, unless colours were chosen.
    person.editor().settings.options.theme = Theme::Light;
    person.app.frames(4);
    assert!(near(&person.picture(), [10, 80, 20]) > 20_000);
    person.editor().settings.options.colors = ViewColors::default();
    person.app.frames(4);
    assert!(near(&person.picture(), ViewColors::LIGHT.background) > 20_000);
}

/// The lines of the grid have no gaps where the two triangles of its plane meet.
#[test]
fn the_lines_of_the_grid_are_whole() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.editor().settings.display.orthographic = true;
    for view in [Action::VIEW_RIGHT, Action::VIEW_FRONT, Action::VIEW_TOP] {
        person.editor().requests.push(Request::Act(view));
        let settings = &mut person.editor().settings;
        (settings.display.show_bones, settings.display.show_skin, settings.display.show_floor) =
            (false, false, false);
        person.app.frames(4);
        let shot = person.picture();
        // Below the bar, and beside the gizmo of the axes.
        let area = person.viewport().shrink2(vec2(4.0, 60.0));
        let area = area.with_min_x(area.left() + 200.0);
        let ground = ViewColors::DEFAULT.background;
        let is_line = |y: u32, x: u32| (0..3).any(|c| shot.at(x, y)[c].abs_diff(ground[c]) > 5);
        let (left, right) = (area.left().ceil() as u32, area.right() as u32);
        let rows: Vec<usize> = (area.top().ceil() as u32..area.bottom() as u32)
            .map(|y| (left..right).filter(|x| is_line(y, *x)).count())
            .filter(|count| 2 * count > (right - left) as usize)
            .collect();
        assert!(rows.len() > 3, "{view:?}: {rows:?}");
        let whole = (right - left) as usize;
        assert!(rows.iter().all(|count| *count == whole), "{view:?}: {rows:?} of {whole}");
    }
}

/// With many bones selected, only the active one shows its axes, and the weights view is not covered.
#[test]
fn many_selected_bones_hide_nothing() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let viewport = person.viewport();
    let count = person.skeleton().bones.len();
    // The number of pixels that change with a setting, while `bones` are selected.
    let mut changed = |bones: &[usize], weights: bool, change: fn(&mut ViewSettings, bool)| {
        let parts = bones.iter().map(|bone| Part::Bone(*bone));
        let selection = person.selection().with_parts(parts);
        person.editor().session.select(selection);
        person.editor().settings.display.weights_view = weights;
        let shots = [false, true].map(|on| {
            change(&mut person.editor().settings, on);
            person.app.frames(4);
            person.picture()
        });
        shots[0].changed_by(8, &shots[1], viewport).len()
    };
    let all: Vec<usize> =
        std::iter::once(LEFT_FOREARM).chain((0..count).filter(|bone| *bone != LEFT_FOREARM)).collect();
    let axes = |settings: &mut ViewSettings, on| settings.display.show_axes = on;
    let (one, many) = (changed(&[LEFT_FOREARM], false, axes), changed(&all, false, axes));
    assert!(one > 10 && many < 2 * one, "{one} and {many}");
    let bones = |settings: &mut ViewSettings, on| settings.display.show_bones = on;
    let (plain, over_weights) = (changed(&all, false, bones), changed(&all, true, bones));
    assert!(2 * over_weights < plain, "{plain} and {over_weights}");
}

/// Capsules have the colours of the sides of their bones.
#[test]
fn capsules_have_sides() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.editor().settings.display.show_skin = false;
    let viewport = person.viewport();
    let [sticks, capsules] = [BoneLook::Sticks, BoneLook::Capsules].map(|look| {
        person.editor().settings.display.bone_look = look;
        let shots = [[0x62, 0xb4, 0xc8], [0xff, 0x00, 0x00]].map(|color| {
            person.editor().settings.options.colors.left_bones = color;
            person.app.frames(4);
            person.picture()
        });
        shots[0].changed_by(4, &shots[1], viewport).len()
    });
    assert!(capsules > 3 * sticks, "{sticks} and {capsules}");
}
