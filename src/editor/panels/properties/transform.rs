//! The rows of a transform: parent, position, rotation and scale.

use super::euler::Euler;
use super::rows::{RowContext, property_rows};
use crate::edit::command::{Command, parent_name};
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::editor::ui::choice::long_choice_row;
use crate::editor::ui::fields::Fields;
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::resource::Transform;
use crate::scene::world::is_self_or_descendant;
use egui::Ui;

/// Draws the rows of `transform`; `first` are the commands that create it, if it does not exist yet.
pub fn transform_rows(
    ui: &mut Ui,
    session: &Session,
    (name, transform): (&str, &Transform),
    first: &[Command],
    fields: &mut Fields,
    euler: &Euler,
    out: &mut Vec<Request>,
) {
    let object = ObjectRef::new(Kind::Transform, name);
    let context = RowContext { first, ..RowContext::new(session, &object, euler) };
    property_rows(ui, &context, &["parent"], fields, out);
    parent_row(ui, session.animated(), (name, transform), first, out);
}

fn parent_row(
    ui: &mut Ui,
    scene: &Scene,
    (name, transform): (&str, &Transform),
    first: &[Command],
    out: &mut Vec<Request>,
) {
    let row = "Parent";
    let parent = transform.parent.as_deref();
    let tooltip = "The parent transform. Changing it keeps the place in the world.";
    let count = scene.transforms.len();
    long_choice_row(ui, name, row, tooltip, parent.unwrap_or("None"), count, |ui, lines| {
        let mut apply = |command| out.push(Request::Apply(first.iter().cloned().chain([command]).collect()));
        let mut choose = |parent: Option<String>| {
            apply(Command::SetParent { transform: name.to_owned(), parent, keep_place: true });
        };
        if lines.line_ui(ui, "None", parent.is_none()) && parent.is_some() {
            choose(None);
        }
        for other in scene.transforms.keys().filter(|other| !is_self_or_descendant(scene, other, name)) {
            if lines.line_ui(ui, other, parent == Some(other)) && parent != Some(other) {
                choose(Some(other.clone()));
            }
        }
        ui.separator();
        let new = format!("New, {}", parent_name(scene, name));
        if lines.line_ui(ui, &new, false) {
            apply(Command::AddParent { transform: name.to_owned() });
        }
    });
}
