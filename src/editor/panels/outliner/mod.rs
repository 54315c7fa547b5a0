//! The outliner: the tree of transforms and instances, the list of skinned meshes, and the other resources.
//! A click selects, a double-click renames, a drag reparents.

mod drag;
mod lines;
mod menu;
mod resources;

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::{Tab, View};
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, empty_ui, repeated_names};
use crate::editor::ui::tree::{Arrows, Event, Line, Rename, Tree, TreeState};
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, ObjectRef};
use egui::{Id, Ui};
use lines::{Rows, rows, unfold};
use menu::menu_ui;
pub use resources::resources_ui;
use std::collections::HashSet;

/// The kinds of instances in the order of the outliner: characters and meshes first, then their surroundings.
pub const KINDS: [InstanceKind; 7] = [
    InstanceKind::SkinnedMesh,
    InstanceKind::Mesh,
    InstanceKind::Shape,
    InstanceKind::Particles,
    InstanceKind::Camera,
    InstanceKind::DeltaLight,
    InstanceKind::EnvLight,
];

pub fn kind_name(kind: InstanceKind) -> &'static str {
    match kind {
        InstanceKind::Camera => "Camera",
        InstanceKind::Mesh => "Mesh",
        InstanceKind::SkinnedMesh => "Skinned mesh",
        InstanceKind::Shape => "Shape",
        InstanceKind::Particles => "Particles",
        InstanceKind::DeltaLight => "Light",
        InstanceKind::EnvLight => "Environment light",
    }
}

/// The state of the outliner: folding, renaming and dragging.
#[derive(Default)]
pub struct OutlinerState {
    /// The names of folded transforms.
    folded: HashSet<String>,
    /// The rename field, in the first list that shows the object.
    rename: Option<Rename<ObjectRef>>,
    tree: TreeState<ObjectRef>,
    meshes: TreeState<ObjectRef>,
    resources: TreeState<ObjectRef>,
}

impl OutlinerState {
    /// Opens a text field over the name of `object`.
    pub fn rename(&mut self, object: ObjectRef) {
        let name = object.name.clone();
        self.rename = Some(Rename::new(object, &name, &name, ""));
    }

    /// The object that is being renamed.
    pub fn renamed_object(&self) -> Option<&ObjectRef> {
        self.rename.as_ref().map(Rename::key)
    }

    /// Whether a row is being dragged.
    pub fn dragging(&self) -> bool {
        self.tree.is_dragging()
    }

    /// Ends renaming if its row is gone. To be called once per frame, after all lists.
    pub fn end_frame(&mut self, view: &View, out: &mut Vec<Request>) {
        let ended = Rename::end_frame(&mut self.rename);
        self.handle_events(ended, view, out);
    }

    fn handle_events(
        &mut self,
        events: impl IntoIterator<Item = Event<ObjectRef>>,
        view: &View,
        out: &mut Vec<Request>,
    ) {
        let scene = view.session.animated();
        let select = |object: &ObjectRef| {
            Request::Select(match object.kind {
                Kind::SkinnedMesh => Selection::from_mesh(scene, &object.name),
                _ => Selection::from_object(scene, object),
            })
        };
        let apply = |command| Request::Apply(vec![command]);
        for event in events {
            match event {
                // Only one object can be selected here.
                Event::Select(objects) => out.extend(objects.first().map(select)),
                Event::Toggle(object) => out.push(select(&object)),
                Event::Open(object, open) => {
                    if let Some(transform) = lines::transform_of(scene, &object) {
                        if open {
                            self.folded.remove(transform)
                        } else {
                            self.folded.insert(transform.to_owned())
                        };
                    }
                }
                Event::ToggleShown(object) => {
                    let instance = object.instance();
                    let shown = instance.as_ref().and_then(|instance| scene.instances.get(instance)?.visible);
                    out.extend(
                        instance.zip(shown).map(|(instance, shown)| apply(Command::show(&instance, !shown))),
                    );
                }
                Event::Rename(object) => self.rename(object),
                Event::Renamed(object, name) => {
                    if !name.is_empty() && scene.contains(&object) {
                        out.push(apply(Command::Rename { object, name }));
                    }
                }
                Event::Drop(objects, place) => {
                    out.push(Request::Apply(drag::commands(scene, &objects[0], &place)));
                }
            }
        }
    }
}

/// Draws a list of rows with the context menu of the outliner.
fn list_ui<'r>(
    ui: &mut Ui,
    view: &View,
    state: &mut TreeState<ObjectRef>,
    rename: &mut Option<Rename<ObjectRef>>,
    tree: &Tree<ObjectRef>,
    row: impl Fn(usize) -> Row<'r>,
    out: &mut Vec<Request>,
) -> Vec<Event<ObjectRef>> {
    let mut rename_event = None;
    let mut events = tree.ui(ui, state, rename, row, |ui, object| {
        if menu_ui(ui, view, object, out) {
            rename_event = Some(Event::Rename(object.clone()));
        }
    });
    events.extend(rename_event);
    events
}

/// The use of the arrow keys: they move through a list in the Rig tab, but through frames and keys in the
/// Animate tab.
fn arrows(view: &View) -> Arrows {
    match view.settings.tab {
        Tab::Rig => Arrows::All,
        Tab::Animate => Arrows::None,
    }
}

/// Draws the tree of transforms and instances. Rows are labelled "Instance <name>" and "Transform <name>",
/// followed by the kind if the name is not unique.
pub fn outliner_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let scene = view.session.animated();
    let selection = view.session.selection();
    let chosen = selection.instance.as_ref().map(ObjectRef::from);
    let chosen = chosen.or_else(|| selection.resource.clone());
    let is_new = state.tree.is_newly_active(chosen.as_ref());
    if let Some(object) = chosen.as_ref().filter(|_| is_new) {
        unfold(&mut state.folded, scene, object);
    }
    let Rows { lines, shown } = rows(scene, &state.folded);
    if lines.is_empty() {
        empty_ui(ui, "The scene is empty.");
    }
    let shared = repeated_names(lines.iter().map(|line| line.key.name.as_str()));
    let row = |i: usize| {
        let object = &lines[i].key;
        let row = row(object, shared.contains(object.name.as_str()));
        Row {
            selected: chosen.as_ref() == Some(object),
            quiet: shown[i] == Some(false),
            shown: shown[i],
            ..row
        }
    };
    let tree = Tree {
        arrows: arrows(view),
        reveal: state.tree.reveal.is_due(is_new, view.settings.tab),
        drop_hint: &|objects, place| drag::drop_hint(scene, &objects[0], place),
        root: Some("Unparent"),
        ..Tree::new(&lines, chosen.clone())
    };
    let OutlinerState { tree: tree_state, rename, .. } = state;
    let events = list_ui(ui, view, tree_state, rename, &tree, row, out);
    state.handle_events(events, view, out);
}

fn row(object: &ObjectRef, shared: bool) -> Row<'_> {
    let (category, kind) = match object.kind {
        Kind::Instance(kind) => ("Instance", kind_name(kind)),
        _ => ("Transform", "Transform"),
    };
    let label = if shared {
        format!("{category} {}, {kind}", object.name)
    } else {
        format!("{category} {}", object.name)
    };
    Row {
        tooltip: match object.kind {
            Kind::Transform => "Transform. Double-click to rename, drag onto another to parent it.",
            _ => kind,
        },
        draggable: true,
        ..Row::new(Id::new(("outliner", object)), label, &object.name, icons::for_object(object.kind))
    }
}

/// Draws the list of skinned meshes, with or without instances. Rows are labelled "Skinned mesh <name>".
pub fn meshes_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let meshes = &view.session.animated().skinned_meshes;
    if meshes.is_empty() {
        empty_ui(ui, "This scene has no skinned mesh.");
    }
    let mesh = |name: &String| ObjectRef::new(Kind::SkinnedMesh, name);
    let lines: Vec<_> = meshes.keys().map(|name| Line::flat(mesh(name))).collect();
    let selected = view.session.selection().mesh.as_ref().map(mesh);
    let row = |i: usize| {
        let object = &lines[i].key;
        let label = format!("Skinned mesh {}", object.name);
        Row {
            tooltip: "Click to work on its skeleton",
            selected: selected.as_ref() == Some(object),
            ..Row::new(Id::new(("skinned mesh", &object.name)), label, &object.name, icons::SKINNED_MESH)
        }
    };
    let tree = Tree { arrows: arrows(view), ..Tree::new(&lines, selected.clone()) };
    let OutlinerState { meshes: tree_state, rename, .. } = state;
    let events = list_ui(ui, view, tree_state, rename, &tree, row, out);
    state.handle_events(events, view, out);
}
