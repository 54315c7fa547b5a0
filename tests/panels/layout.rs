//! The layout: the panels and their dividers, stable positions, and nothing that moves under the pointer.

use super::support::*;
use super::{MESH, mesh};
use egui::{Pos2, Rect, Vec2, pos2, vec2};
use ossature::edit::action::{Action, Menu};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::scene::Scene;

const WINDOWS: [Vec2; 3] = [vec2(1280.0, 800.0), vec2(1280.0, 720.0), vec2(1920.0, 1080.0)];
const PARTS: [Option<Part>; 4] = [None, Some(Part::Base), Some(Part::Bone(1)), Some(Part::Handle(0))];

/// Drags the pointer and returns the requests.
fn drag(desk: &mut Desk, from: Pos2, by: Vec2) -> Vec<Request> {
    desk.hover(from);
    desk.press(from);
    for step in 1..=6 {
        desk.hover(from + by * (step as f32 / 6.0));
    }
    desk.release_and_run(from + by)
}

#[test]
fn lists_stand_at_the_left_and_properties_at_the_right_in_full_height() {
    for window in WINDOWS {
        for tab in [Tab::Rig, Tab::Animate] {
            let desk = Desk::sized(window, tab, Some(Part::Bone(1)));
            let [lists, properties] = ["Lists divider", "Properties divider"].map(|label| desk.rect(label));
            let (viewport, status) = (desk.rect("Viewport"), desk.rect(HINT));
            assert!(
                lists.center().x < viewport.left() + 4.0 && properties.center().x > viewport.right() - 4.0
            );
            assert!(properties.bottom() > status.top() - 14.0 && properties.top() <= viewport.top());
            assert!(desk.rect("Bone Arm").right() < viewport.left());
            assert!(desk.rect("Add IK").left() > viewport.right());
            assert!(viewport.width() > 0.55 * window.x, "{tab:?} {window}: {viewport}");
            assert_eq!(desk.outside(), Vec::<String>::new());
        }
    }
}

#[test]
fn a_drag_that_begins_at_a_divider_moves_no_bone() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    let row = desk.rect("Bone bone 2");
    let before = desk.session().scene().clone();
    // From inside the row's empty end to the other side of the divider.
    for offset in -24..=6 {
        let from = pos2(desk.rect("Lists divider").center().x + offset as f32, row.center().y);
        for by in [vec2(0.0, -22.0), vec2(-40.0, -22.0), vec2(30.0, 40.0)] {
            let asked = drag(&mut desk, from, by);
            let changes = asked.iter().any(|r| matches!(r, Request::Apply(_) | Request::Preview(_)));
            assert!(!changes, "{offset} {by}: {asked:?}");
        }
    }
    assert!(*desk.session().scene() == before);
}

#[test]
fn a_bone_is_dragged_by_its_text_and_some_way() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Base));
    let (bone, arm) = (desk.rect("Bone bone 2"), desk.rect("Bone Arm"));
    let text = bone.left_center() + vec2(75.0, 0.0);
    let reparents = |asked: &[Request]| asked.iter().any(|request| matches!(request, Request::Apply(_)));
    // A trembling hand at the border of two rows.
    let border = pos2(text.x, bone.top() + 1.0);
    assert!(!reparents(&drag(&mut desk, border, vec2(0.0, -7.0))));
    // From next to the name.
    let beside = pos2(bone.right() - 12.0, bone.center().y);
    let up = vec2(0.0, arm.center().y - bone.center().y);
    assert!(!reparents(&drag(&mut desk, beside, up)));
    assert!(reparents(&drag(&mut desk, text, up)));
}

#[test]
fn panels_keep_the_size_that_a_person_gave_them() {
    let mut desk = Desk::sized(vec2(1280.0, 800.0), Tab::Rig, Some(Part::Bone(1)));
    let wide = |desk: &mut Desk, label: &str, by: Vec2| {
        let from = desk.rect(label).center();
        drag(desk, from, by);
    };
    wide(&mut desk, "Lists divider", vec2(57.0, 0.0));
    wide(&mut desk, "Properties divider", vec2(-31.0, 0.0));
    let given = desk.rect("Viewport").x_range();
    let check = |desk: &Desk, when: &str| {
        let now = desk.rect("Viewport").x_range();
        assert_eq!(now, given, "{when}");
    };
    for tab in ["Animate", "Rig"] {
        desk.click(tab);
        for part in PARTS {
            desk.select(part.as_slice());
            check(&desk, &format!("{tab} {part:?}"));
        }
    }
    for text in ["a", "ar", "x", ""] {
        desk.click("Filter bones");
        desk.type_text(text);
        desk.frame();
        check(&desk, &format!("searching “{text}”"));
    }
    desk.edit_scene(|scene| rename_everything(scene, &"long name ".repeat(12)));
    check(&desk, "long names");
    // Making the window small for a while does not change them.
    desk.resize(vec2(700.0, 500.0));
    desk.frame();
    desk.resize(vec2(1280.0, 800.0));
    desk.frame();
    check(&desk, "small and large again");
    // Likewise the height of the timeline.
    desk.click("Animate");
    let before = desk.rect("Viewport").bottom();
    wide(&mut desk, "Timeline divider", vec2(0.0, -40.0));
    assert_eq!(desk.rect("Viewport").bottom(), before - 40.0);
    for part in PARTS {
        desk.select(part.as_slice());
        assert_eq!(desk.rect("Viewport").bottom(), before - 40.0, "{part:?}");
    }
    desk.double_click("Timeline divider");
    assert_eq!(desk.rect("Viewport").bottom(), before);
}

/// Pressed, moved and released between two frames, as in a slow window.
#[test]
fn edges_follow_the_quickest_drag() {
    let by_label = [
        ("Lists divider", vec2(57.0, 0.0)),
        ("Properties divider", vec2(-31.0, 0.0)),
        ("Timeline divider", vec2(0.0, -40.0)),
        ("Width of row names", vec2(60.0, 0.0)),
    ];
    for (label, by) in by_label {
        let mut desk = Desk::sized(vec2(1280.0, 800.0), Tab::Animate, Some(Part::Bone(1)));
        let from = desk.rect(label).center();
        let requests = desk.quick_drag(from, from + by);
        let moved = desk.rect(label).center() - from;
        let along = moved * by.normalized().abs();
        assert!((along - by).length() < 2.0, "{label}: {moved}");
        assert!(requests.is_empty(), "{label}: {requests:?}");
    }
}

#[test]
fn no_click_brings_a_delete_button_under_the_pointer() {
    for tab in [Tab::Rig, Tab::Animate] {
        for part in PARTS {
            let desk = Desk::sized(vec2(1280.0, 800.0), tab, part);
            let viewport = desk.rect("Viewport");
            let buttons = desk.controls().into_iter().filter(|(label, rect)| {
                rect.left() > viewport.right() && !label.starts_with("Delete") && !label.contains("divider")
            });
            for (label, rect) in buttons {
                let mut desk = Desk::sized(vec2(1280.0, 800.0), tab, part);
                desk.click_at(rect.center());
                desk.frame();
                let below = desk
                    .controls()
                    .into_iter()
                    .find(|(label, place)| label.starts_with("Delete") && place.contains(rect.center()));
                assert_eq!(below, None, "{tab:?} {part:?}: after a click on “{label}”");
            }
        }
    }
}

#[test]
fn weights_are_always_in_sight_in_rig_and_poses_are_not_there() {
    for window in WINDOWS {
        for part in PARTS {
            let desk = Desk::sized(window, Tab::Rig, part);
            let bottom = desk.rect("Viewport").bottom();
            for label in ["Weights section", "Method", "Calculate bone weights", "Weights view"] {
                let rect = desk.rect(label);
                assert!(rect.bottom() <= bottom, "{window} {part:?}: {label} at {rect}");
            }
            assert!(!desk.has_containing("Pose "), "{part:?}");
        }
    }
}

#[test]
fn every_row_of_a_bone_is_seen_at_once_in_usual_windows() {
    for window in WINDOWS {
        let desk = Desk::sized(window, Tab::Rig, Some(Part::Bone(1)));
        let weights = desk.rect("Weights section").top();
        for label in ["Extent x", "Roll", "Radius", "New bone", "Add IK", "Scale radius…"] {
            assert!(desk.rect(label).bottom() <= weights, "{window}: {label}");
        }
    }
}

#[test]
fn an_empty_scene_says_in_the_middle_what_to_do() {
    for window in WINDOWS {
        for tab in [Tab::Rig, Tab::Animate] {
            let mut desk = Desk::sized(window, tab, None);
            assert!(!desk.has("This scene is empty"));
            desk.edit_scene(|scene| *scene = Scene::default());
            let viewport = desk.rect("Viewport");
            let title = desk.rect("This scene is empty");
            assert!((title.center().x - viewport.center().x).abs() < 2.0);
            for label in
                ["Example Human", "Example Bar", "Open…", "Import OBJ…", "Import glTF…", "Add a mesh"]
            {
                assert!(viewport.contains_rect(desk.rect(label)), "{label}");
            }
            assert_eq!(desk.doubled_labels(), Vec::<String>::new());
            desk.click("Add a mesh");
            assert_eq!(desk.click("Add > Box…").len(), 2, "the action, and its preview");
        }
    }
}

#[test]
fn menus_fit_a_window_of_720_pixels() {
    for menu in Menu::ALL {
        let mut desk = Desk::sized(vec2(1280.0, 720.0), Tab::Rig, Some(Part::Bone(1)));
        desk.click(menu.text);
        let name = format!("{} > ", menu.text);
        let lines = desk.controls().into_iter().filter(|(label, _)| label.starts_with(&name));
        let bottom = lines.map(|(_, rect)| rect.bottom()).fold(0.0, f32::max);
        assert!(bottom > 30.0 && bottom < 710.0, "{}: {bottom}", menu.text);
    }
}

/// The height of the lines of a menu with the submenu that is open, if all of it is in the window.
fn menu_height(desk: &Desk, menu: &str) -> f32 {
    let lines = desk.controls().into_iter().filter(|(label, _)| label.starts_with(menu));
    let all = lines.map(|(_, rect)| rect).reduce(|a, b| a.union(b)).unwrap_or_else(|| panic!("{menu}"));
    assert!(all.top() >= 0.0 && all.bottom() <= 720.0, "{menu}: {all}");
    all.height()
}

#[test]
fn menus_of_the_timeline_fit_a_window_of_720_pixels() {
    let new_desk = |curves: bool| {
        let mut desk = Desk::sized(vec2(1280.0, 720.0), Tab::Animate, Some(Part::Bone(1)));
        desk.session().set_auto_key(true);
        desk.session().apply(&[Command::set_bone(mesh(), 1, "pose", glam::Vec3::X)]).unwrap();
        desk.session().set_auto_key(false);
        desk.state_mut().act(Action::NEW_TAKE);
        desk.frame();
        // A document that is opened with keys shows its rows.
        desk.edit_scene(|_| ());
        if curves {
            desk.click("Curves");
        }
        desk
    };
    for (curves, key) in [(false, "Key Arm 0"), (true, "Arm x, frame 0, 1°")] {
        let submenus = [
            ("", "Mirror in time"),
            ("Interpolation", "Make hold"),
            ("Ease", "Ease back out"),
            ("Slopes", "Free slopes"),
            ("Fewer keys", "Simplify"),
            ("Select", "Select columns"),
            ("Curves", "Stack"),
        ];
        for (submenu, line) in submenus {
            let mut desk = new_desk(curves);
            desk.right_click(key);
            desk.frame();
            if !submenu.is_empty() {
                desk.click(&format!("Keys > {submenu}"));
                desk.frame();
            }
            assert!(desk.has(&format!("Keys > {line}")), "{submenu}");
            assert!(menu_height(&desk, "Keys > ") <= 710.0, "{submenu}");
        }
    }
    for (menu, label) in [("Row > ", "Row Arm"), ("Ruler > ", "Ruler of frames"), ("Span > ", "Span of Take")]
    {
        let mut desk = new_desk(false);
        desk.right_click(label);
        desk.frame();
        assert!(menu_height(&desk, menu) <= 710.0, "{menu}");
    }
}

#[test]
fn a_tooltip_of_a_menu_covers_no_other_line() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("File");
    let line = desk.center("File > Save as…");
    desk.hover(line);
    for _ in 0..4 {
        desk.frame();
    }
    let tooltip = desk.rect("Save the scene under another name.");
    for (label, rect) in desk.controls() {
        assert!(!label.starts_with("File > ") || !rect.intersects(tooltip), "{label} under {tooltip}");
    }
}

/// Returns a chain of bones that is too long for any window.
fn long() -> Desk {
    let mut desk = Desk::sized(vec2(1280.0, 800.0), Tab::Rig, Some(Part::Bone(70)));
    desk.edit_scene(|scene| many_bones(scene, 80));
    desk
}

fn in_sight(desk: &Desk, label: &str) -> bool {
    let list = Rect::everything_above(desk.rect("Resources section").top() + 0.5);
    let list = list.intersect(Rect::everything_below(desk.rect("Filter bones").bottom()));
    desk.has(label) && list.contains_rect(desk.rect(label))
}

#[test]
fn the_tree_scrolls_to_the_selection_after_searches_and_in_another_tab() {
    let mut desk = long();
    desk.select(&[Part::Bone(70)]);
    desk.frame();
    let skeleton = desk.session().scene().skinned_meshes[MESH].skeleton.clone();
    let label = format!("Bone {}", skeleton.bone_name(70));
    assert!(in_sight(&desk, &label), "selected elsewhere");
    let wheel = |desk: &mut Desk| {
        let at = desk.center("Filter bones") + vec2(0.0, 120.0);
        desk.hover(at);
        for _ in 0..40 {
            desk.event(egui::Event::MouseWheel {
                unit: egui::MouseWheelUnit::Line,
                delta: vec2(0.0, 5.0),
                phase: egui::TouchPhase::Move,
                modifiers: egui::Modifiers::NONE,
            });
        }
        desk.frame();
        assert!(!in_sight(desk, &label), "scrolled away");
    };
    wheel(&mut desk);
    desk.click("Animate");
    for _ in 0..6 {
        desk.frame();
    }
    let rects = [&label[..], "Filter bones", "Resources section"].map(|label| desk.rect(label));
    assert!(in_sight(&desk, &label), "in the other tab: {rects:?}");
    wheel(&mut desk);
    desk.click("Filter bones");
    desk.type_text("zzz");
    desk.frame();
    desk.type_text("");
    for _ in 0..6 {
        desk.frame();
    }
    assert!(in_sight(&desk, &label), "after a search");
}

#[test]
fn lists_share_the_height_by_need() {
    let mut desk = Desk::sized(vec2(1280.0, 800.0), Tab::Animate, None);
    desk.edit_scene(|scene| many_bones(scene, 80));
    desk.frame();
    for label in ["Scene section", "Skinned meshes section", "Bones section", "Resources section"] {
        let rect = desk.rect(label);
        let lists = desk.rect("Lists divider");
        assert!(rect.bottom() <= lists.bottom(), "{label} at {rect}");
    }
    // The scene needs little space and is shown whole; the bones get the rest.
    let last = all_instances().map(|(_, name)| desk.rect(&format!("Instance {name}")).bottom());
    let last = last.into_iter().fold(0.0, f32::max);
    assert!(last <= desk.rect("Skinned meshes section").top());
    let bones = desk.rect("Resources section").top() - desk.rect("Bones section").bottom();
    assert!(bones > 150.0, "{bones}");
}
