//! Labels, sizes, odd scenes, random events, the viewport.

use super::MESH;
use super::support::*;
use crate::random::Random;
use egui::{PointerButton, vec2};
use ossature::edit::action::{Action, Dialog};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::messages::Level;

#[test]
fn viewport_is_the_rest_and_feels_the_pointer() {
    let mut desk = Desk::new(Tab::Rig);
    let viewport = desk.rect("Viewport");
    assert!(viewport.left() >= 150.0 && viewport.right() <= 1024.0 - 272.0, "{viewport}");
    assert!(viewport.width() > 400.0 && viewport.height() > 500.0, "{viewport}");
    desk.press_button(viewport.center(), PointerButton::Middle);
    desk.hover(viewport.center() + vec2(20.0, 5.0));
    assert!(desk.state().viewport_dragged);
    desk.release_button(viewport.center() + vec2(20.0, 5.0), PointerButton::Middle);
    assert!(!desk.state().viewport_dragged);
}

#[test]
fn a_click_beside_an_open_menu_only_closes_it() {
    let mut desk = Desk::new(Tab::Rig);
    let middle = desk.center("Viewport");
    desk.click("Edit");
    assert!(desk.has("Edit > Redo") && desk.takes_keys());
    desk.click_at(middle);
    assert!(!desk.has("Edit > Redo"));
    assert_eq!(desk.state().viewport_clicks, 0);
    desk.click_at(middle);
    assert_eq!(desk.state().viewport_clicks, 1);
}

#[test]
fn every_label_is_unique() {
    let parts = [None, Some(Part::Base), Some(Part::Bone(1)), Some(Part::Handle(0))];
    for tab in [Tab::Rig, Tab::Animate] {
        for part in parts {
            for menu in [
                None,
                Some("File"),
                Some("Edit"),
                Some("Weights"),
                Some("Pose"),
                Some("Select"),
                Some("View"),
                Some("Help"),
            ] {
                let mut desk = Desk::with_part(tab, part);
                if let Some(menu) = menu {
                    desk.click(menu);
                }
                assert_eq!(desk.doubled_labels(), Vec::<String>::new(), "{tab:?} {part:?} {menu:?}");
            }
        }
    }
}

#[test]
fn nothing_sticks_out_of_the_window_at_the_smallest_size() {
    for tab in [Tab::Rig, Tab::Animate] {
        for part in [None, Some(Part::Base), Some(Part::Bone(1)), Some(Part::Handle(0))] {
            let desk = Desk::sized(vec2(1024.0, 700.0), tab, part);
            assert_eq!(desk.outside(), Vec::<String>::new(), "{tab:?} {part:?}");
        }
    }
}

#[test]
fn narrow_wide_and_sharp_windows() {
    for size in [vec2(120.0, 90.0), vec2(320.0, 200.0), vec2(640.0, 480.0), vec2(4000.0, 300.0)] {
        for scale in [1.0, 2.0] {
            for part in [None, Some(Part::Bone(1))] {
                let mut desk = Desk::sized(size, Tab::Rig, part);
                desk.scale(scale);
                desk.state_mut().panels.open(Dialog::Shortcuts);
                desk.state_mut().panels.messages.push(
                    Level::Warning,
                    "A warning ".repeat(50),
                    "x\n".repeat(900),
                );
                desk.frame();
                desk.state_mut().panels.open(Dialog::Messages);
                desk.frame();
            }
        }
    }
}

#[test]
fn a_thousand_bones() {
    let mut desk = Desk::new(Tab::Rig);
    desk.edit_scene(|scene| many_bones(scene, 1000));
    let selection = Selection::from_mesh(desk.session().scene(), MESH).with_part(Some(Part::Bone(999)));
    desk.session().select(selection);
    desk.frame();
    desk.frame();
    assert!(desk.has("Bone bone 999"), "the selected bone is scrolled to");
}

#[test]
fn odd_names_and_odd_numbers() {
    let long = "n".repeat(100_000);
    for name in ["", " ", "a\nb\tc", "日本語の骨", "🦴🦴", "\u{202e}reversed", "%s{}", long.as_str()]
    {
        for part in [None, Some(Part::Bone(1)), Some(Part::Handle(0))] {
            for tab in [Tab::Rig, Tab::Animate] {
                let mut desk = Desk::new(tab);
                desk.edit_scene(|scene| rename_everything(scene, name));
                desk.edit_scene(|scene| odd_numbers(scene, name));
                let selection = Selection::from_mesh(desk.session().scene(), name).with_part(part);
                desk.session().select(selection);
                desk.frame();
                desk.frame();
            }
        }
    }
}

#[test]
fn an_empty_scene() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::new(tab);
        desk.edit_scene(|scene| *scene = Default::default());
        assert!(desk.has("Click a skinned mesh to see its bones."));
        desk.with_view(|view| {
            for action in Action::all() {
                let _ = action.enabled(view);
            }
        });
    }
}

#[test]
fn thousands_of_random_events() {
    for seed in [1, 2, 3] {
        let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
        desk.edit_scene(super::sheet::animate);
        if seed == 3 {
            desk.state_mut().settings.tab = Tab::Animate;
        }
        let mut monkey = Monkey(Random::new(seed));
        for round in 0..1500 {
            monkey.event(&mut desk);
            if round % 100 == 99 {
                let size = vec2(200.0 + monkey.0.fraction() * 1200.0, 150.0 + monkey.0.fraction() * 800.0);
                desk.resize(size);
            }
        }
        // Any gesture in progress ends, and the panels still respond.
        desk.settle();
        assert!(!desk.state().panels.side.fields.dragging());
        let shown = desk.session().undo_label().map(str::to_owned);
        assert!(!desk.session().in_transaction(), "seed {seed}: {shown:?}");
    }
}
