//! Properties of an instance: its name and transform, its own properties, and those of the resource it
//! places.

use super::buttons;
use super::euler::Euler;
use super::resource::{self, name_row};
use super::rows::{RowContext, property_rows};
use super::transform::transform_rows;
use crate::edit::action::Action;
use crate::edit::command::{Command, transform_name};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::status::counted;
use crate::editor::ui::choice::long_choice_row;
use crate::editor::ui::fields::Fields;
use crate::editor::ui::theme;
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::property::PropertyValue;
use crate::scene::references;
use crate::scene::resource::Transform;
use egui::{RichText, Ui};

pub fn instance_ui(
    ui: &mut Ui,
    view: &View,
    instance: &InstanceRef,
    fields: &mut Fields,
    euler: &Euler,
    out: &mut Vec<Request>,
) {
    let scene = view.session.animated();
    let Some(placed) = scene.instances.get(instance) else {
        return;
    };
    name_row(ui, fields, &ObjectRef::from(instance), out);
    transform_row(ui, scene, instance, placed.transform, out);
    match placed.transform.and_then(|name| scene.transforms.get_key_value(name)) {
        Some((name, transform)) => {
            transform_rows(ui, view.session, (name, transform), &[], fields, euler, out);
        }
        None => {
            let name = transform_name(scene, &instance.name);
            let first = [Command::AddTransform { instance: instance.clone() }];
            transform_rows(ui, view.session, (&name, &Transform::default()), &first, fields, euler, out);
        }
    }
    ui.add_space(theme::SMALL_GAP);
    let object = ObjectRef::from(instance);
    let context = RowContext::new(view.session, &object, euler);
    property_rows(ui, &context, &["transform"], fields, out);
    if let Some(placed) = placed.resource {
        let placed = ObjectRef::new(Kind::placed_by(instance.kind), placed);
        ui.add_space(theme::SMALL_GAP);
        property_rows(ui, &RowContext::new(view.session, &placed, euler), &[], fields, out);
        resource::facts_ui(ui, scene, &placed);
    }
    ui.add_space(theme::SMALL_GAP);
    buttons(ui, view, &[Action::DUPLICATE, Action::DUPLICATE_LINKED], out);
}

/// Draws the choice of the transform, with a note if other instances share it.
fn transform_row(
    ui: &mut Ui,
    scene: &Scene,
    instance: &InstanceRef,
    transform: Option<&str>,
    out: &mut Vec<Request>,
) {
    let row = "Transform";
    let tooltip = "The transform that places it. Instances that share one move together.";
    let count = scene.transforms.len();
    long_choice_row(ui, instance, row, tooltip, transform.unwrap_or("None"), count, |ui, lines| {
        let mut choose = |to: Option<&str>| {
            let to = PropertyValue::Reference(to.map(str::to_owned));
            let set = Command::set(ObjectRef::from(instance), "transform", to);
            out.push(Request::Apply(vec![set]));
        };
        if lines.line_ui(ui, "None", transform.is_none()) && transform.is_some() {
            choose(None);
        }
        for name in scene.transforms.keys() {
            if lines.line_ui(ui, name, transform == Some(name)) && transform != Some(name) {
                choose(Some(name));
            }
        }
        ui.separator();
        let new = format!("New, {}", transform_name(scene, &instance.name));
        if lines.line_ui(ui, &new, false) {
            let instance = instance.clone();
            out.push(Request::Apply(vec![Command::AddTransform { instance }]));
        }
    });
    let Some(transform) = transform else { return };
    let users = references::users(scene, &ObjectRef::new(Kind::Transform, transform));
    let sharing = users.iter().filter(|user| user.instance().is_some()).count();
    if sharing > 1 {
        let text = format!("{} use this transform.", counted(sharing, "instance", "instances"));
        ui.label(RichText::new(text).color(theme::TEXT_QUIET).small());
    }
}
