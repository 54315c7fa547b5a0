//! The list of resources, placed or not: to choose, rename, delete or place them.

use super::{MANY, OutlinerState, capital};
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::view::View;
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, empty_ui, row_ui};
use crate::scene::names::{Kind, Thing};
use crate::scene::references;
use egui::{Id, Ui};
use std::collections::BTreeSet;

/// All but skinned meshes, which have a list of their own.
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

/// Rows are labelled "Resource <name>", with the kind where several share a name. What nothing uses is quiet.
pub fn resources_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let scene = view.session.seen();
    let selection = view.session.selection();
    let things: Vec<Thing> = KINDS
        .into_iter()
        .flat_map(|kind| {
            scene
                .names_of(kind)
                .into_iter()
                .map(move |name| Thing::new(kind, name))
        })
        .collect();
    if things.is_empty() {
        empty_ui(ui, "This scene has no other resources.");
    }
    let used: BTreeSet<Thing> = references::all(scene)
        .into_iter()
        .map(|reference| reference.to)
        .collect();
    let mut names = BTreeSet::new();
    let mut doubled = BTreeSet::new();
    for thing in &things {
        if !names.insert(thing.name.as_str()) {
            doubled.insert(thing.name.as_str());
        }
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    for thing in &things {
        let kind = capital(thing.kind.text());
        let is_used = used.contains(thing);
        let tooltip = match is_used {
            true => kind.clone(),
            false => format!("{kind}, used by nothing"),
        };
        let row = Row {
            id: Id::new(("resource", thing)),
            label: match doubled.contains(thing.name.as_str()) {
                true => format!("Resource {}, {kind}", thing.name),
                false => format!("Resource {}", thing.name),
            },
            text: &thing.name,
            icon: icons::of_thing(thing.kind),
            tooltip: &tooltip,
            indent: 0,
            selected: selection.resource.as_ref() == Some(thing),
            quiet: !is_used,
            open: None,
            shown: None,
            reserved: 0.0,
            carries: false,
        };
        let output = row_ui(ui, &row, things.len() > MANY);
        let chosen = || Request::Select(Selection::of_thing(scene, thing));
        state.row(ui, view, thing, &output, 0, chosen, out);
    }
}
