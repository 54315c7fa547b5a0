//! The list of resources, placed or not: to choose, rename, delete or place them.

use super::{OutlinerState, arrows, list_ui};
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, empty_ui, repeated};
use crate::editor::ui::text::capital;
use crate::editor::ui::tree::{Line, Tree};
use crate::scene::names::{Kind, ObjectRef};
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
    let scene = view.session.animated();
    let named = |kind| {
        scene
            .names_of(kind)
            .into_iter()
            .map(move |name| ObjectRef::new(kind, name))
    };
    let lines: Vec<_> = KINDS.into_iter().flat_map(named).map(Line::flat).collect();
    if lines.is_empty() {
        empty_ui(ui, "This scene has no other resources.");
    }
    let references = references::all(scene).into_iter();
    let used: BTreeSet<ObjectRef> = references.map(|reference| reference.to).collect();
    let tooltip = |line: &Line<ObjectRef>| match used.contains(&line.key) {
        true => capital(line.key.kind.text()),
        false => format!("{}, unused", capital(line.key.kind.text())),
    };
    let tooltips: Vec<String> = lines.iter().map(tooltip).collect();
    let shared = repeated(lines.iter().map(|line| line.key.name.as_str()));
    let selected = view.session.selection().resource.clone();
    let row = |i: usize| {
        let thing = &lines[i].key;
        let label = match shared.contains(thing.name.as_str()) {
            true => format!("Resource {}, {}", thing.name, capital(thing.kind.text())),
            false => format!("Resource {}", thing.name),
        };
        Row {
            tooltip: &tooltips[i],
            selected: selected.as_ref() == Some(thing),
            quiet: !used.contains(thing),
            ..Row::new(
                Id::new(("resource", thing)),
                label,
                &thing.name,
                icons::of_thing(thing.kind),
            )
        }
    };
    let tree = Tree {
        arrows: arrows(view),
        ..Tree::new(&lines, selected.clone())
    };
    let OutlinerState {
        resources, rename, ..
    } = state;
    let events = list_ui(ui, view, resources, rename, &tree, row, out);
    state.carry_out(events, view, out);
}
