//! Adding meshes: the dialog after reading an OBJ file, primitives, the surface in the properties.

use super::support::*;
use egui::Key;
use glam::{Mat4, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::{Command, Surface};
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::dialogs::file_dialog::FileMode;
use ossature::editor::panels::dialogs::import::ImportState;
use ossature::io::import::MeshImport;
use ossature::io::obj;
use ossature::io::report::Report;
use ossature::math::bounds::Bounds;
use ossature::mesh::primitives::Primitive;
use ossature::mesh::soup::Polygons;
use ossature::scene::names::{Kind, ObjectRef};
use std::f32::consts::FRAC_PI_2;

const SQUARE: &[u8] = b"o Square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nf 1 2 3 4\n";

fn importing(tab: Tab) -> Desk {
    let mut desk = Desk::new(tab);
    let import = obj::read(SQUARE).unwrap();
    desk.state_mut().panels.import = Some(ImportState::new(import, "square.obj".into()));
    desk.frame();
    desk.frame();
    desk
}

/// Returns the name and kind of the added mesh, and the requests that follow.
fn added(requests: &[Request]) -> Option<(String, bool, &[Request])> {
    // The sample in a new window is replaced.
    let [Request::LeaveSample, Request::Apply(commands), rest @ ..] = requests else {
        return None;
    };
    match &commands[..] {
        [Command::AddMesh { name, skinned, .. }] => Some((name.clone(), *skinned, rest)),
        _ => None,
    }
}

#[test]
fn an_imported_mesh_is_named_and_placed() {
    let mut desk = importing(Tab::Rig);
    for text in ["Import square.obj", "4 vertices, 1 face, 1 boundary", "vertex 5 at 5, 5, 5", "line 6"] {
        assert!(desk.has_containing(text), "{text}");
    }
    assert!(desk.takes_keys());
    let out = desk.click("Import");
    let frame = Request::Act(Action::FRAME_SELECTED);
    assert_eq!(added(&out), Some(("Square".into(), true, &[frame.clone()][..])));
    assert!(desk.state().panels.import.is_none());
    assert!(desk.session().scene().instances.skinned_meshes.contains_key("Square_instance"));

    // A plain mesh is shown in the other tab.
    let mut desk = importing(Tab::Rig);
    desk.click("Mesh name");
    desk.type_text("Square two");
    desk.click("Mesh");
    let out = desk.click("Import");
    let rest = [Request::Act(Action::TAB_ANIMATE), frame.clone()];
    assert_eq!(added(&out), Some(("Square two".into(), false, &rest[..])));

    let mut desk = importing(Tab::Animate);
    let out = desk.key(Key::Enter);
    let rest = [Request::Act(Action::TAB_RIG), frame];
    assert_eq!(added(&out), Some(("Square".into(), true, &rest[..])), "Enter imports");
    let mut desk = importing(Tab::Rig);
    assert_eq!(desk.key(Key::Escape), []);
    assert!(desk.state().panels.import.is_none());
    let mut desk = importing(Tab::Rig);
    assert_eq!(desk.click("Cancel"), []);
}

/// Returns the height of the added mesh.
fn added_height(requests: &[Request]) -> f32 {
    let [_, Request::Apply(commands), ..] = requests else {
        panic!("{requests:?}");
    };
    let [Command::AddMesh { surface: Surface::Built(surface), .. }] = &commands[..] else {
        panic!("{commands:?}");
    };
    let bounds = Bounds::from_points(surface.positions().iter().copied());
    let height = bounds.max.y - bounds.min.y;
    let gap = bounds.min.y.abs();
    assert!(gap <= 0.01 * height, "it stands on the floor: {bounds:?}");
    height
}

#[test]
fn the_dialog_shows_how_the_human_will_stand_and_turns_it() {
    let (human, _) = ossature::editor::embedded_human().unwrap();
    let polygons = Polygons::new(&human.skinned_meshes.values().next().unwrap().surface);
    let importing = |scale: f32| {
        // Its z axis points up, as in Blender.
        let stored = polygons
            .clone()
            .transformed(Mat4::from_rotation_x(FRAC_PI_2) * Mat4::from_scale(Vec3::splat(scale)));
        let import = MeshImport::new("Human".into(), stored, Report::default()).unwrap();
        let mut desk = Desk::new(Tab::Rig);
        desk.state_mut().panels.import = Some(ImportState::new(import, "human.obj".into()));
        desk.frame();
        desk.frame();
        desk
    };
    let mut desk = importing(33.0);
    assert!(desk.has_containing("z is up, and it faces -y"));
    assert!(desk.has("Picture of the mesh") && desk.has_containing("1.85 tall"));
    assert!((added_height(&desk.click("Import")) - 1.85).abs() < 0.01);
    let mut desk = importing(33.0);
    desk.click("Unit");
    desk.click("Unit: mm");
    assert!((added_height(&desk.click("Import")) - 0.185).abs() < 0.001);
    let mut desk = importing(33.0);
    desk.click("Tip over");
    desk.click("Turn");
    assert!(added_height(&desk.click("Import")) < 0.5, "it lies");
}

#[test]
fn each_file_is_asked_for_its_purpose() {
    for (mode, button, path, expected) in [
        (FileMode::Import, "Import", "b", Request::ImportPath("/scenes/b.obj".into())),
        (FileMode::Append, "Append", "a.js3d", Request::AppendPath("/scenes/a.js3d".into())),
        (FileMode::Export, "Export", "a", Request::ExportPath("/scenes/a.obj".into())),
    ] {
        let mut desk = Desk::with_files(mode);
        assert_eq!(desk.has("File a.js3d"), mode == FileMode::Append);
        desk.click("File name");
        desk.type_text(path);
        assert_eq!(desk.click(button), [expected]);
    }
}

fn adding(tab: Tab, action: Action) -> Desk {
    let mut desk = Desk::new(tab);
    desk.state_mut().act(action);
    desk.frame();
    desk
}

/// Returns the number of faces of the primitive that is previewed under a name.
fn shown(desk: &mut Desk, name: &str) -> Option<usize> {
    let scene = desk.session().scene();
    let skinned = scene.skinned_meshes.get(name).map(|m| &m.surface);
    let surface = skinned.or(scene.meshes.get(name).map(|m| &m.surface));
    surface.map(|s| s.face_count())
}

#[test]
fn every_primitive_is_shown_at_once_and_added_as_one_step() {
    for (action, name) in [
        (Action::ADD_BOX, "Box 1"),
        (Action::ADD_SPHERE, "Sphere"),
        (Action::ADD_CYLINDER, "Cylinder"),
        (Action::ADD_BAR, "Bar"),
        (Action::ADD_CAPSULE, "Capsule"),
        (Action::ADD_PLANE, "Plane"),
        (Action::ADD_TORUS, "Torus"),
    ] {
        let mut desk = adding(Tab::Rig, action);
        assert!(shown(&mut desk, name).is_some(), "{name} is previewed");
        assert!(desk.session().in_transaction() && desk.doubled_labels().is_empty());
        let button = format!("Add {}", name.trim_end_matches(" 1").to_lowercase());
        let out = desk.click(&button);
        assert_eq!(out.last(), Some(&Request::Act(Action::FRAME_SELECTED)));
        assert_eq!(desk.session().undo_label(), Some(format!("Add {name}").as_str()));
        assert_eq!(desk.session().history().entries().len(), 1);
        assert!(!desk.state().panels.is_modal());
    }
}

#[test]
fn numbers_of_a_primitive_change_what_is_shown() {
    let mut desk = adding(Tab::Rig, Action::ADD_CYLINDER);
    let faces = |around: usize, along: usize| Some(around * (along + 2));
    assert_eq!(shown(&mut desk, "Cylinder"), faces(24, 16));
    desk.click("Around");
    desk.type_text("8");
    desk.key(Key::Enter);
    assert_eq!(shown(&mut desk, "Cylinder"), faces(8, 16));
    // A click outside keeps it; Esc removes it.
    desk.click_at(egui::pos2(700.0, 500.0));
    assert_eq!(shown(&mut desk, "Cylinder"), faces(8, 16));
    desk.key(Key::Escape);
    assert!(!desk.state().panels.is_modal());
    assert_eq!(shown(&mut desk, "Cylinder"), None);
    assert_eq!(desk.session().history().entries().len(), 0);
}

#[test]
fn enter_ends_the_number_and_then_adds() {
    let mut desk = adding(Tab::Rig, Action::ADD_CYLINDER);
    desk.click("Around");
    desk.type_text("8");
    desk.key(Key::Enter);
    assert!(desk.state().panels.is_modal());
    desk.key(Key::Enter);
    assert!(!desk.state().panels.is_modal());
    assert_eq!(desk.session().undo_label(), Some("Add Cylinder"));
    // Not with numbers that make no shape.
    let mut desk = adding(Tab::Rig, Action::ADD_TORUS);
    desk.click("Thickness");
    desk.type_text("2");
    desk.key(Key::Enter);
    desk.key(Key::Enter);
    assert!(desk.state().panels.is_modal());
}

#[test]
fn numbers_that_make_no_shape_are_not_added() {
    let mut desk = adding(Tab::Rig, Action::ADD_TORUS);
    desk.click("Thickness");
    desk.type_text("2");
    desk.key(Key::Enter);
    assert!(desk.has_containing("must be less than the radius"));
    assert!(desk.is_disabled("Add torus"));
    desk.click("Thickness");
    desk.type_text("0.5");
    desk.key(Key::Enter);
    desk.click("Add torus");
    let torus = &desk.session().scene().skinned_meshes["Torus"].surface;
    let high = torus.positions().iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((high - 0.5).abs() < 1e-6);
}

/// A plain mesh is shown in the Animate tab: the dialog switches to it, and back on Cancel.
#[test]
fn a_plain_primitive_is_shown_where_it_is_seen() {
    let mut desk = adding(Tab::Rig, Action::ADD_BOX);
    desk.click("Mesh");
    assert_eq!(desk.state().settings.tab, Tab::Animate);
    assert!(desk.session().scene().meshes.contains_key("Box 1"));
    desk.click("Cancel");
    desk.frame();
    assert_eq!(desk.state().settings.tab, Tab::Rig);
    assert!(desk.session().scene().meshes.is_empty());
    assert_eq!(desk.session().history().entries().len(), 0);
}

fn body() -> ObjectRef {
    ObjectRef::new(Kind::SkinnedMesh, "Body")
}

#[test]
fn the_surface_is_described_and_changed() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    assert!(desk.has_containing("1 shell"));
    let flip = desk.click("Flip orientation");
    assert_eq!(flip, [Request::Act(Action::FLIP_ORIENTATION)]);
    assert_eq!(desk.session().undo_label(), Some("Flip orientation of Body"));
    let smooth = |angle_deg| {
        let mesh = body();
        Request::Apply(vec![Command::SmoothNormals { mesh, angle_deg }])
    };
    assert_eq!(desk.click("Smooth normals"), [smooth(30.0)]);
    desk.click("Smooth");
    desk.type_text("75");
    assert_eq!(desk.key(Key::Enter), [smooth(75.0)]);
    assert_eq!(desk.click("Smooth normals"), [smooth(75.0)], "the angle is remembered");
}

#[test]
fn a_plain_mesh_has_its_surface_described_too() {
    let mut desk = Desk::new(Tab::Animate);
    let command = Command::AddMesh {
        name: "Crate".into(),
        surface: Surface::Primitive(Primitive::DEFAULTS[0]),
        skinned: false,
    };
    desk.session().apply(&[command]).unwrap();
    desk.frame();
    assert!(desk.has_containing("8 vertices") && desk.has_containing("Closed, 1 shell"));
    desk.click("Flip orientation");
    assert!(desk.has_containing("Closed, inside out"));
}

#[test]
fn an_import_takes_another_unit_and_up_axis() {
    let mut desk = importing(Tab::Rig);
    desk.click("Up");
    desk.click("Up: z");
    desk.click("Import scale");
    desk.key_with(egui::Modifiers::COMMAND, egui::Key::A);
    desk.event(egui::Event::Text("100".into()));
    desk.key(egui::Key::Enter);
    let requests = desk.click("Import");
    let [Request::LeaveSample, Request::Apply(commands), ..] = &requests[..] else {
        panic!("{requests:?}");
    };
    let [Command::AddMesh { surface, .. }] = &commands[..] else {
        panic!("{commands:?}");
    };
    let Surface::Built(built) = surface else {
        panic!("{surface:?}");
    };
    assert!(built.positions().iter().any(|p| p.distance(glam::Vec3::new(100.0, 0.0, -100.0)) < 1e-3));
}
