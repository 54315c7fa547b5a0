//! The list of resources, used or not, to select, rename, delete or instantiate.

use super::{OutlinerState, arrows, list_ui};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, empty_ui, repeated_names};
use crate::editor::ui::text::capitalize;
use crate::editor::ui::tree::{Line, Tree};
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::references;
use egui::{Id, Ui};
use std::collections::BTreeSet;

/// All kinds except skinned meshes, which have their own list.
pub const KINDS: [Kind; 9] = [
    Kind::Mesh,
    Kind::Shape,
    Kind::Particles,
    Kind::Camera,
    Kind::DeltaLight,
    Kind::EnvLight,
    Kind::Material,
    Kind::Texture,
    Kind::Transform,
];

/// Draws the list. Rows are labelled "Resource <name>", followed by the kind if the name is not unique.
/// Unused resources are greyed out.
pub fn resources_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let scene = view.session.animated();
    let named = |kind| scene.names_of(kind).into_iter().map(move |name| ObjectRef::new(kind, name));
    let lines: Vec<_> = KINDS.into_iter().flat_map(named).map(Line::flat).collect();
    if lines.is_empty() {
        empty_ui(ui, "This scene has no other resources.");
    }
    let references = references::all(scene).into_iter();
    let used: BTreeSet<ObjectRef> = references.map(|reference| reference.to).collect();
    let tooltip = |line: &Line<ObjectRef>| {
        if used.contains(&line.key) {
            capitalize(line.key.kind.text())
        } else {
            format!("{}, unused", capitalize(line.key.kind.text()))
        }
    };
    let tooltips: Vec<String> = lines.iter().map(tooltip).collect();
    let shared = repeated_names(lines.iter().map(|line| line.key.name.as_str()));
    let selected = view.session.selection().resource.clone();
    let row = |i: usize| {
        let object = &lines[i].key;
        let label = if shared.contains(object.name.as_str()) {
            format!("Resource {}, {}", object.name, capitalize(object.kind.text()))
        } else {
            format!("Resource {}", object.name)
        };
        Row {
            tooltip: &tooltips[i],
            selected: selected.as_ref() == Some(object),
            quiet: !used.contains(object),
            ..Row::new(Id::new(("resource", object)), label, &object.name, icons::for_object(object.kind))
        }
    };
    let tree = Tree { arrows: arrows(view), ..Tree::new(&lines, selected.clone()) };
    let OutlinerState { resources, rename, .. } = state;
    let events = list_ui(ui, view, resources, rename, &tree, row, out);
    state.handle_events(events, view, out);
}
