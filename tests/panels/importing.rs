//! The dialog of Import glTF.

use super::support::*;
use egui::Key;
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::dialogs::import_scene::OfferedScene;
use ossature::io::import::{ImportOptions, SceneImport};
use ossature::io::report::{Report, Severity};
use std::path::Path;

/// Returns the import dialog for a file with two animations and an embedded image.
fn asking() -> Desk {
    let mut report = Report::default();
    report.add(Severity::Warning, "scales", "/skins/0", "Spine is scaled to 0.8");
    let read =
        SceneImport { scene: scene(), report, animations: vec!["Idle".into(), "Walk".into()], embedded: 1 };
    let path = "/files/hero.glb".into();
    let picture = egui::ColorImage::filled([4, 3], egui::Color32::RED);
    let size = glam::Vec3::new(1.5, 1.75, 0.4);
    let mut desk = Desk::new(Tab::Animate);
    desk.state_mut().panels.import_scene =
        Some(OfferedScene::new(path, ImportOptions::default(), read, picture, size));
    desk.frame();
    desk.frame();
    desk
}

/// Returns the requested options, if there is no other request.
fn asked(requests: &[Request]) -> ImportOptions {
    match requests {
        [Request::ImportAgain { path, options }] => {
            assert_eq!(path, Path::new("/files/hero.glb"));
            options.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_file_holds_is_added_once_it_is_asked_for() {
    let mut desk = asking();
    assert!(desk.has("Import hero.glb") && desk.has_containing("Spine is scaled to 0.8"));
    assert!(desk.has("1.50 wide, 1.75 tall, 0.40 deep") && desk.has("Picture of the scene"));
    assert!(matches!(&desk.click("Import")[..], [Request::AddImported(added)] if *added.0 == scene()));
    assert!(!desk.state().panels.is_modal());
    assert!(matches!(asking().key(Key::Enter)[..], [Request::AddImported(_)]));
    for close in [|desk: &mut Desk| desk.click("Cancel"), |desk: &mut Desk| desk.key(Key::Escape)] {
        let mut desk = asking();
        assert_eq!(close(&mut desk), []);
        assert!(!desk.state().panels.is_modal());
    }
}

#[test]
fn a_file_is_read_again_as_it_is_wanted() {
    let mut desk = asking();
    desk.click("Takes");
    let take = Some("Walk".to_owned());
    assert_eq!(asked(&desk.click("Takes: Walk")).take, take);
    // Until the file has been read again, it cannot be imported.
    assert_eq!(desk.click("Import"), []);
    assert_eq!(desk.key(Key::Enter), []);
    assert!(desk.state().panels.is_modal());
    assert!(asked(&asking().click("At every frame")).all_frames);
    let mut desk = asking();
    assert!(asked(&desk.click("Import 1 image")).without_images);
    assert_eq!(asked(&desk.click("Import 1 image")), ImportOptions::default());
    assert!(matches!(desk.click("Import")[..], [Request::AddImported(_)]));
}
