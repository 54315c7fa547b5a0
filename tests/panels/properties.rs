//! The table of properties: cameras, lights, materials and textures edited in the panel.

use super::support::*;
use egui::{Key, pos2, vec2};
use glam::Vec3;
use ossature::anim::channel::ChannelRef;
use ossature::anim::mode::Mode;
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Selection;
use ossature::edit::settings::view::Tab;
use ossature::scene::instance::InstanceKind;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::{PropertyValue, rows};
use ossature::scene::resource::{DeltaLightKind, Material, MaterialKind, Texture};
use std::sync::Arc;

fn chosen(thing: &ObjectRef) -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        let material = MaterialKind::Glass { transmittance: Some("Red".into()), reflectance: None, ior: 1.5 };
        scene.materials.insert("Pane".into(), Arc::new(Material::from(material)));
        scene.textures.insert("Red".into(), Arc::new(Texture::default()));
    });
    let selection = Selection::from_object(desk.session().scene(), thing);
    desk.session().select(selection);
    desk.frame();
    desk.frame();
    desk
}

/// Moves the pointer off the field, which closes its tooltip.
fn away(desk: &mut Desk) {
    desk.hover(pos2(500.0, 400.0));
    desk.frame();
    desk.frame();
}

fn lens() -> ObjectRef {
    ObjectRef::new(Kind::Camera, "Lens")
}

fn set(thing: &ObjectRef, property: &str, value: PropertyValue) -> Vec<Request> {
    vec![Request::Apply(vec![Command::set(thing.clone(), property, value)])]
}

/// A drag is one step; its values stay within the row's range.
#[test]
fn a_field_of_a_camera_is_dragged_and_typed() {
    let mut desk = chosen(&ObjectRef::new(Kind::Instance(InstanceKind::Camera), "Eye"));
    let requests = desk.drag("Field of view", vec2(20.0, 0.0));
    assert!(matches!(requests.first(), Some(Request::Preview(_))), "{requests:?}");
    assert_eq!(requests.last(), Some(&Request::Commit));
    let fov = |desk: &mut Desk| desk.session().scene().cameras["Lens"].vertical_fov;
    assert!((65.0..=75.0).contains(&fov(&mut desk)), "{}", fov(&mut desk));
    assert_eq!(desk.session().undo_label(), Some("Change field of view of Lens"));
    assert_eq!(desk.session().undo_list().count(), 1);
    desk.session().undo();
    away(&mut desk);
    assert_eq!(desk.value("Field of view").as_deref(), Some("60°"));
    desk.click("Field of view");
    desk.type_text("500");
    assert_eq!(desk.key(Key::Enter), set(&lens(), "vertical_fov", PropertyValue::Float(179.0)));
    desk.click("Film width");
    desk.type_text("1920");
    assert_eq!(desk.key(Key::Enter), set(&lens(), "film.width", PropertyValue::Unsigned(1920)));
    desk.click("Sample pattern");
    assert_eq!(
        desk.click("Sample pattern: Grid (2x2)"),
        set(&lens(), "film.sample_pattern", PropertyValue::Choice("Grid (2x2)".into()))
    );
    desk.click("Aperture");
    assert_eq!(desk.click("Aperture: Circle"), set(&lens(), "aperture_shape", PropertyValue::Unsigned(2)));
}

/// A long number keeps all its digits.
#[test]
fn a_seed_is_typed_to_its_last_digit() {
    let fire = ObjectRef::new(Kind::Particles, "Fire");
    let mut desk = chosen(&fire);
    for seed in [826_366_246, 826_366_247] {
        desk.click("Seed");
        desk.type_text(&seed.to_string());
        assert_eq!(desk.key(Key::Enter), set(&fire, "seed", PropertyValue::Unsigned(seed)));
    }
}

#[test]
fn a_light_has_type_colour_and_cone() {
    let spot = ObjectRef::new(Kind::DeltaLight, "Spot");
    let mut desk = chosen(&ObjectRef::new(Kind::Instance(InstanceKind::DeltaLight), "Lamp"));
    desk.click("Colour green");
    desk.type_text("0.25");
    assert_eq!(desk.key(Key::Enter), set(&spot, "color", PropertyValue::Color(Vec3::new(1.0, 0.25, 1.0))));
    assert!(desk.has("Colour picker"));
    assert!(desk.has("Inner angle") && desk.has("Outer angle"));
    desk.click("Type");
    assert_eq!(desk.click("Type: Point"), set(&spot, "type", PropertyValue::Choice("Point".into())));
    assert_eq!(desk.session().scene().delta_lights["Spot"].kind, DeltaLightKind::Point);
    desk.frame();
    assert!(!desk.has("Inner angle"), "a point has no cone");
}

/// The background of a field and its tooltip follow its keys; with auto-key a drag sets one.
#[test]
fn a_field_with_a_channel_shows_its_keys() {
    let mut desk = chosen(&lens());
    assert_eq!(desk.description("Near plane"), None);
    let channels = vec![ChannelRef::new("Lens", "near_plane")];
    let frame = desk.session().frame();
    let key = Command::Keys(KeyCommand::Set { channels, frame, new_mode: Mode::Clamped });
    desk.session().apply(&[key]).unwrap();
    desk.frame();
    assert_eq!(desk.description("Near plane").as_deref(), Some("Keyed at this frame."));
    assert_eq!(desk.description("Focus distance"), None);
    desk.session().set_auto_key(true);
    desk.drag("Field of view", vec2(20.0, 0.0));
    away(&mut desk);
    assert_eq!(desk.description("Field of view").as_deref(), Some("Keyed at this frame."));
    // The format has no channel for it.
    desk.drag("Focus distance", vec2(20.0, 0.0));
    away(&mut desk);
    assert_eq!(desk.description("Focus distance"), None);
}

/// One press leads from a row to the resource that it names.
#[test]
fn references_lead_to_what_they_name() {
    let pane = ObjectRef::new(Kind::Material, "Pane");
    let mut desk = chosen(&pane);
    desk.click("Reflectance");
    assert_eq!(
        desk.click("Reflectance: Red"),
        set(&pane, "reflectance", PropertyValue::Reference(Some("Red".into())))
    );
    let red = ObjectRef::new(Kind::Texture, "Red");
    let expected = Selection::from_object(desk.session().scene(), &red);
    assert_eq!(desk.click("Go to transmittance"), [Request::Select(expected)]);
    desk.frame();
    desk.click("Brightness");
    desk.type_text("2");
    assert_eq!(desk.key(Key::Enter), set(&red, "scale", PropertyValue::Float(2.0)));
}

/// A double-click on the name resets the row; a right click offers that.
#[test]
fn a_row_is_reset_to_its_default() {
    let fire = ObjectRef::new(Kind::Particles, "Fire");
    let mut desk = chosen(&fire);
    desk.right_click("Emission rate");
    assert_eq!(desk.click("Reset to 10"), set(&fire, "rate", PropertyValue::Float(10.0)));
}

/// Every row of every resource is there, within the panel, with a unique name.
#[test]
fn every_row_has_its_control() {
    for thing in [
        lens(),
        ObjectRef::new(Kind::DeltaLight, "Spot"),
        ObjectRef::new(Kind::EnvLight, "Dome"),
        ObjectRef::new(Kind::Particles, "Fire"),
        ObjectRef::new(Kind::Material, "Pane"),
        ObjectRef::new(Kind::Texture, "Red"),
    ] {
        let mut desk = chosen(&thing);
        for row in rows(&desk.session().scene().clone(), &thing) {
            let label = match row.value {
                _ if row.info.fixed => continue,
                PropertyValue::Vec3(_) => format!("{} x", row.info.label),
                PropertyValue::Color(_) => format!("{} red", row.info.label),
                _ => row.info.label.to_owned(),
            };
            assert_eq!(desk.count(&label), 1, "{thing:?} {label}");
        }
        assert_eq!(desk.doubled_labels(), Vec::<String>::new(), "{thing:?}");
        assert_eq!(desk.outside(), Vec::<String>::new(), "{thing:?}");
    }
}
