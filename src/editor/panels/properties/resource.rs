//! Properties of a resource that was chosen itself: its name, what uses it, and of a transform its place.

use super::heading;
use super::place::{Euler, place_rows};
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::panels::outliner::capital;
use crate::editor::panels::status::counted;
use crate::editor::ui::fields::Fields;
use crate::editor::ui::row::{fact_row, text_row};
use crate::editor::ui::{icons, theme};
use crate::scene::names::{Kind, Thing};
use crate::scene::references;
use egui::{Button, Ui, vec2};

/// A name to type. Names are unique; one that is taken gets a number behind.
pub fn name_row(ui: &mut Ui, fields: &mut Fields, thing: &Thing, out: &mut Vec<Request>) {
    let response = text_row(ui, fields, "Name", "", &thing.name, out, &|name| {
        vec![Command::Rename {
            thing: thing.clone(),
            name,
        }]
    });
    response.on_hover_text("What it is called. References and animation follow a new name.");
}

pub fn resource_ui(
    ui: &mut Ui,
    view: &View,
    thing: &Thing,
    fields: &mut Fields,
    euler: &Euler,
    out: &mut Vec<Request>,
) {
    let scene = view.session.seen();
    let kind = capital(thing.kind.text());
    heading(ui, icons::of_thing(thing.kind), &thing.name, &kind);
    name_row(ui, fields, thing, out);
    if thing.kind == Kind::Transform
        && let Some(transform) = scene.transforms.get(&thing.name)
    {
        place_rows(
            ui,
            view.session,
            (&thing.name, transform),
            &[],
            fields,
            euler,
            out,
        );
    }
    ui.add_space(theme::SMALL_GAP);
    fact_row(ui, "Kind", theme::FACT_WIDTH, kind);
    let users = references::users(scene, thing);
    let used = match users.len() {
        0 => "Nothing".to_owned(),
        1 => users[0].name.clone(),
        n => counted(n, "thing", "things"),
    };
    fact_row(ui, "Used by", theme::FACT_WIDTH, used);
    ui.add_space(theme::SMALL_GAP);
    ui.horizontal(|ui| {
        let places = thing.kind.instance().is_some();
        let count = if places { 2.0 } else { 1.0 };
        let width = (ui.available_width() - (count - 1.0) * ui.spacing().item_spacing.x) / count;
        let mut button = |text: &str, tooltip: &str| {
            let button = Button::new(text).min_size(vec2(width, theme::ROW));
            ui.add(button).on_hover_text(tooltip).clicked()
        };
        if places && button("Add instance", "Place it in the world once more, at the origin.") {
            out.push(Request::Apply(vec![Command::AddInstance { of: thing.clone() }]));
        }
        if button(
            "Delete resource",
            "Delete it. What refers to it then refers to nothing.",
        ) {
            let (thing, with_data) = (thing.clone(), false);
            out.push(Request::Apply(vec![Command::Delete { thing, with_data }]));
        }
    });
}
