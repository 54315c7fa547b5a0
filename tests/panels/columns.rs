//! The column of names and that of values in the properties, the advanced rows, and the fixed place of *Weights*.

use super::support::*;
use egui::vec2;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::Tab;
use ossature::edit::tool::ToolOptions;
use ossature::scene::instance::{InstanceKind, InstanceRef};

const WINDOWS: [egui::Vec2; 3] = [vec2(1024.0, 700.0), vec2(1280.0, 800.0), vec2(1920.0, 1080.0)];

/// Returns the distance of the left edge of controls from the edge of the panel.
fn columns(desk: &Desk, labels: &[&str]) -> Vec<f32> {
    let edge = desk.rect("Properties divider").right();
    let column = |label: &&str| (desk.rect(label).left() - edge).round();
    labels.iter().map(column).collect()
}

#[test]
fn values_stand_in_one_column_in_all_properties() {
    let mut found = Vec::new();
    for window in WINDOWS {
        let mut desk = Desk::sized(window, Tab::Rig, Some(Part::Bone(1)));
        desk.click("Joint section");
        found.extend(columns(&desk, &["Name", "Roll slider", "Radius slider", "Stiffness x", "Method"]));
        desk.select(&[Part::Handle(0)]);
        found.extend(columns(&desk, &["Name", "Target x", "Chain", "Bones", "Weight slider", "Enable"]));
        let person = InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Person".into() };
        let mut desk = Desk::sized(window, Tab::Animate, None);
        let selection = Selection::from_instance(desk.session().scene(), &person);
        desk.session().select(selection);
        desk.frame();
        found.extend(columns(&desk, &["Material", "Visible", "Draw as", "Skinning"]));
        assert_eq!(desk.outside(), Vec::<String>::new(), "{window}");
    }
    assert!(found.iter().all(|left| *left == found[0]), "{found:?}");
}

#[test]
fn rarely_used_rows_are_folded_until_they_are_wanted() {
    let mut desk = Desk::with_part(Tab::Animate, None);
    let select = |desk: &mut Desk, kind, name: &str| {
        let name = name.into();
        let selection = Selection::from_instance(desk.session().scene(), &InstanceRef { kind, name });
        desk.session().select(selection);
        desk.frame();
    };
    select(&mut desk, InstanceKind::Mesh, "Box");
    let rare = ["Collides", "Blend", "Depth test"];
    assert!(rare.iter().all(|label| !desk.has(label)));
    desk.click("Advanced instance section");
    desk.frame();
    assert!(rare.iter().all(|label| desk.has(label)));
    select(&mut desk, InstanceKind::Shape, "Ball");
    assert!(rare.iter().all(|label| desk.has(label)), "it stays open");

    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.edit_scene(|scene| {
        let body = scene.skinned_meshes.get_mut("Body").unwrap();
        let body = std::sync::Arc::make_mut(body);
        std::sync::Arc::make_mut(&mut body.skeleton).handles[0].enabled = true;
    });
    assert!(!desk.has("Solver") && !desk.has("Pose prior"));
    desk.click("Advanced IK section");
    desk.frame();
    assert!(desk.has("Solver") && desk.has("Pose prior"));
}

#[test]
fn weights_keep_their_place() {
    for window in WINDOWS {
        let mut desk = Desk::sized(window, Tab::Rig, Some(Part::Bone(1)));
        desk.frame();
        let top = desk.rect("Weights section").top();
        for parts in [&[][..], &[Part::Base], &[Part::Handle(0)], &[Part::Bone(0), Part::Bone(1)]] {
            desk.select(parts);
            desk.frame();
            assert_eq!(desk.rect("Weights section").top(), top, "{parts:?}");
        }
        desk.click("Weights section");
        desk.frame();
        for _ in 0..6 {
            desk.frame();
            let folded = desk.rect("Weights section").top();
            // In the smallest window the page above needs more room, which is not left empty below.
            let is_cramped = window == WINDOWS[0];
            assert!(folded == top || is_cramped && folded > top, "{window:?}: {folded}, {top}");
            assert!(desk.rect("Joint section").bottom() < folded - 8.0, "{window:?}");
        }
        assert!(!desk.has("Calculate weights"));
        desk.click("Weights section");
        desk.frame();
        assert_eq!(desk.rect("Weights section").top(), top, "unfolded again");
    }
}

#[test]
fn the_brush_has_the_panel_to_itself() {
    for window in WINDOWS {
        for tab in [Tab::Rig, Tab::Animate] {
            let mut desk = Desk::sized(window, tab, Some(Part::Bone(1)));
            let lit = |desk: &Desk| {
                let modes = ["Move", "Rotate", "Scale"].iter().filter(|mode| desk.has(mode));
                modes.filter(|mode| desk.toggled(mode) == Some(true) || !desk.is_disabled(mode)).count()
            };
            assert!(tab == Tab::Animate || lit(&desk) > 0, "{window}");
            desk.state_mut().panels.side.properties.tool = Some(ToolOptions::Brush(String::new()));
            desk.frame();
            for other in ["Weights section", "Name", "Joint section", "Pose x", "Skinning"] {
                assert!(!desk.has(other), "{other}");
            }
            assert_eq!(desk.toggled("Paint weights"), Some(true));
            assert_eq!(lit(&desk), 0, "{window} {tab:?}");
            assert_eq!(desk.outside(), Vec::<String>::new());
            let bottom = desk.rect(HINT).top();
            for (label, rect) in desk.controls() {
                assert!(!label.starts_with("Brush ") || rect.bottom() <= bottom, "{label} {rect}");
            }
            let strength = |desk: &Desk| desk.with_view(|view| view.settings.tools.brush.strength);
            let before = strength(&desk);
            desk.drag("Brush strength slider", vec2(-40.0, 0.0));
            assert!(strength(&desk) < before);
        }
    }
}
