//! Properties of a resource that is selected itself: its name, its rows, and its users.

use super::euler::Euler;
use super::rows::{RowContext, property_rows};
use super::transform::transform_rows;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::status::counted;
use crate::editor::ui::fields::Fields;
use crate::editor::ui::row::{fact_row, text_row};
use crate::editor::ui::text::capitalize;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::references;
use egui::{Button, Ui, vec2};

/// Draws a text field for the name. Names are unique; a name that is taken gets a number appended.
pub fn name_row(ui: &mut Ui, fields: &mut Fields, object: &ObjectRef, out: &mut Vec<Request>) {
    let response = text_row(ui, fields, "Name", "", &object.name, out, &|name| {
        vec![Command::Rename { object: object.clone(), name }]
    });
    response.tip("The name. References and animation follow when it changes.");
}

/// Draws the facts about a resource that no property row shows.
pub fn facts_ui(ui: &mut Ui, scene: &Scene, object: &ObjectRef) {
    if object.kind == Kind::Particles
        && let Some(particles) = scene.particles.get(&object.name)
    {
        let alive = counted(particles.particles.len(), "particle", "particles");
        let text = format!("{alive} alive; not simulated here");
        fact_row(ui, "Saved state", text);
    }
}

pub fn resource_ui(
    ui: &mut Ui,
    view: &View,
    object: &ObjectRef,
    fields: &mut Fields,
    euler: &Euler,
    out: &mut Vec<Request>,
) {
    let scene = view.session.animated();
    let kind = capitalize(object.kind.text());
    name_row(ui, fields, object, out);
    if object.kind == Kind::Transform
        && let Some(transform) = scene.transforms.get(&object.name)
    {
        transform_rows(ui, view.session, (&object.name, transform), &[], fields, euler, out);
    } else {
        property_rows(ui, &RowContext::new(view.session, object, euler), &[], fields, out);
        facts_ui(ui, scene, object);
    }
    ui.add_space(theme::SMALL_GAP);
    fact_row(ui, "Kind", kind);
    let users = references::users(scene, object);
    let used = match users.len() {
        0 => "Nothing".to_owned(),
        1 => users[0].name.clone(),
        n => counted(n, "item", "items"),
    };
    fact_row(ui, "Used by", used);
    ui.add_space(theme::SMALL_GAP);
    if object.kind.instance().is_some() {
        let button = Button::new("Add instance").min_size(vec2(ui.available_width(), theme::ROW));
        let tooltip = "Add another instance of it, at the origin.";
        if ui.horizontal(|ui| ui.add(button)).inner.tip(tooltip).clicked() {
            out.push(Request::Apply(vec![Command::AddInstance { resource: object.clone() }]));
        }
    }
}
