//! The dialog of Export glTF.

use super::support::*;
use egui::Key;
use ossature::edit::action::Dialog;
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::io::export::{Influences, Interpolation};

fn asking() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.state_mut().panels.open(Dialog::ExportGltf);
    desk.frame();
    desk.frame();
    desk
}

#[test]
fn what_will_differ_is_said_before_the_file_is_asked_for() {
    let mut desk = asking();
    assert!(desk.state().panels.is_modal());
    assert!(desk.has_containing("What will differ"));
    assert_eq!(desk.click("Export…"), [Request::AskExport]);
    assert!(!desk.state().panels.is_modal());
    let mut desk = asking();
    assert!(desk.click("Cancel").is_empty() && !desk.state().panels.is_modal());
    let mut desk = asking();
    assert!(desk.key(Key::Escape).is_empty() && !desk.state().panels.is_modal());
}

/// A document with a file, or that began with one, is written beside it in one press.
#[test]
fn a_known_file_is_written_without_asking_for_it() {
    let known = || {
        let mut desk = asking();
        desk.state_mut().panels.export.target = Some("body.glb".into());
        desk.frame();
        desk
    };
    let written = Request::ExportScene("body.glb".into());
    assert_eq!(known().click("Export"), *std::slice::from_ref(&written));
    let mut desk = known();
    assert_eq!(desk.key(Key::Enter), [written]);
    assert!(!desk.state().panels.is_modal());
    assert_eq!(known().click("Export to…"), [Request::AskExport]);
}

#[test]
fn every_option_is_taken_and_kept() {
    let mut desk = asking();
    for name in ["All bones", "Cubic", "Tip nodes", "Pose in nodes", "Embed scene"] {
        assert!(desk.click(name).is_empty());
    }
    let options = &desk.state().panels.export.options;
    assert_eq!(options.influences, Influences::All);
    assert_eq!(options.interpolation, Interpolation::Cubic);
    assert!(options.tip_nodes && options.pose_in_nodes && !options.scene);
    desk.click("Export…");
    desk.state_mut().panels.open(Dialog::ExportGltf);
    desk.frame();
    assert!(desk.state().panels.export.options.tip_nodes);
}

#[test]
fn nothing_is_exported_before_it_is_known_what_will_differ() {
    let mut desk = Desk::new(Tab::Animate);
    desk.state_mut().waits = true;
    desk.state_mut().panels.open(Dialog::ExportGltf);
    desk.frame();
    desk.state_mut().panels.export.progress = 0.42;
    desk.frame();
    assert!(desk.has_containing("Checking for differences, 42 %"));
    assert!(desk.click("Export…").is_empty() && desk.state().panels.is_modal());
    desk.state_mut().waits = false;
    desk.frame();
    desk.frame();
    assert!(!desk.has_containing("Checking for differences"));
    assert_eq!(desk.click("Export…"), [Request::AskExport]);
}
