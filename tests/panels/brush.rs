//! The brush in the panel while weights are painted, and locks in the tree.

use super::support::*;
use egui::{Key, vec2};
use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::edit::tool::ToolOptions;
use ossature::rig::weights::paint::{Brush, Falloff, Mode, Reach};

fn painting(tab: Tab) -> Desk {
    let mut desk = Desk::with_part(tab, Some(Part::Bone(1)));
    desk.state_mut().panels.side.properties.tool =
        Some(ToolOptions::Brush("Other side: 8 points by position".into()));
    desk.frame();
    desk
}

fn brush(desk: &Desk) -> Brush {
    desk.with_view(|view| view.settings.tools.brush)
}

#[test]
fn the_brush_has_a_row_for_each_of_its_options() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = painting(tab);
        assert!(desk.has("Other side: 8 points by position"));
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
        for (field, typed) in [("Brush radius", "12"), ("Brush strength", "0.5"), ("Brush value", "0.25")] {
            desk.click(field);
            desk.type_text(typed);
            let asked = desk.key(Key::Enter);
            assert!(matches!(asked.last(), Some(Request::Brush(_))), "{field}: {asked:?}");
        }
        let set = brush(&desk);
        assert!((set.radius - 0.12).abs() < 1e-6 && (set.strength, set.value) == (0.5, 0.25), "{set:?}");
        for (list, line) in [
            ("Brush mode", "Brush mode: Scale"),
            ("Brush falloff", "Brush falloff: Sharp"),
            ("Brush reach", "Brush reach: Through"),
        ] {
            desk.click(list);
            desk.click(line);
        }
        desk.click("Accumulate");
        desk.click("Pressure: radius");
        let set = brush(&desk);
        assert_eq!(
            (set.mode, set.falloff, set.reach, set.accumulate, set.pressure_radius),
            (Mode::Scale, Falloff::Sharp, Reach::Through, true, true)
        );
        desk.click("Brush mode");
        desk.click("Brush mode: Gradient");
        assert!(desk.has("Brush radius") && desk.has("Brush value"), "it has a width");
        desk.click("Brush mode");
        desk.click("Brush mode: Smooth");
        assert!(!desk.has("Brush value"), "all bones are smoothed");
        desk.state_mut().panels.side.properties.tool = None;
        desk.frame();
        assert!(!desk.has("Brush mode"));
    }
}

#[test]
fn a_falloff_of_ones_own_is_drawn() {
    let mut desk = painting(Tab::Animate);
    assert!(!desk.has("Brush curve"));
    desk.click("Brush falloff");
    desk.click("Brush falloff: Custom curve");
    let before = brush(&desk);
    assert_eq!(before.falloff, Falloff::Custom);
    // Only the curve's value at the rim changes.
    let at = desk.rect("Brush curve");
    desk.click_at(at.right_center() - vec2(1.0, 0.0));
    let after = brush(&desk);
    assert!((after.curve[7] - 0.5).abs() < 0.05, "{:?}", after.curve);
    assert_eq!(before.curve[..7], after.curve[..7]);
    // To the ends of the range.
    desk.click_at(at.left_top() + vec2(1.0, 1.0));
    assert_eq!(brush(&desk).curve[0], 1.0);
    desk.click_at(at.left_bottom() + vec2(1.0, -1.0));
    assert_eq!(brush(&desk).curve[0], 0.0);
}

#[test]
fn locked_bones_show_it_in_the_tree() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    let name = desk.with_view(|view| view.session.scene().skinned_meshes["Body"].skeleton.bone_name(1));
    let row = format!("Bone {name}");
    let said = |desk: &Desk| desk.description(&row).unwrap_or_default();
    let before = said(&desk);
    let menu_says = |desk: &mut Desk, line: &str| {
        desk.right_click(&row);
        let says = desk.has(&format!("Tree > {line}"));
        desk.key(Key::Escape);
        says
    };
    assert!(menu_says(&mut desk, "Lock weights") && !menu_says(&mut desk, "Unlock weights"));
    desk.state_mut().act(Action::LOCK_WEIGHTS);
    desk.frame();
    assert!(menu_says(&mut desk, "Unlock weights") && !menu_says(&mut desk, "Lock weights"));
    let skeleton = desk.session().scene().skinned_meshes["Body"].skeleton.clone();
    assert!(skeleton.bones[1].lock_weights);
    desk.state_mut().act(Action::UNLOCK_ALL_WEIGHTS);
    desk.frame();
    assert_eq!(said(&desk), before);
    assert!(!desk.session().scene().skinned_meshes["Body"].skeleton.bones[1].lock_weights);
}

/// However long the message about the other side below is.
#[test]
fn locks_and_filling_are_in_sight_in_a_small_window() {
    let mut desk = Desk::sized(vec2(1280.0, 800.0), Tab::Rig, Some(Part::Bone(1)));
    let said = "7 pairs of bones by position, 5 bones in the plane x = 0. Other side: 7,000 points by position, 800 by faces, 138 by nearest point, 12 without";
    desk.state_mut().panels.side.properties.tool = Some(ToolOptions::Brush(said.into()));
    for _ in 0..3 {
        desk.frame();
    }
    let page = desk.rect("Brush mode");
    for label in ["Lock weights", "Fill with the brush"] {
        let button = desk.rect(label);
        assert!(button.bottom() <= page.top() + 1.0 && button.top() > 0.0, "{label}: {button:?}");
    }
    assert_eq!(desk.outside(), Vec::<String>::new());
}
