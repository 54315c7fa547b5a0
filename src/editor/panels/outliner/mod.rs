//! The outliner: the tree of transforms and instances, the list of skinned meshes, the other resources.
//! A click selects, a double-click renames, a drag gives another parent.

mod drag;
mod lines;
mod menu;
mod resources;

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::view::{Tab, View};
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, empty_ui, repeated};
use crate::editor::ui::tree::{Arrows, Event, Line, Rename, Tree, TreeState};
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, ObjectRef};
use egui::{Id, Ui};
use lines::{Rows, rows, unfold};
use menu::menu_ui;
pub use resources::resources_ui;
use std::collections::HashSet;

/// What people work on first, then what surrounds it.
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

/// What is folded, typed and dragged.
#[derive(Default)]
pub struct OutlinerState {
    /// Names of transforms.
    folded: HashSet<String>,
    /// In whichever list shows it first.
    rename: Option<Rename<ObjectRef>>,
    tree: TreeState<ObjectRef>,
    meshes: TreeState<ObjectRef>,
    resources: TreeState<ObjectRef>,
}

impl OutlinerState {
    /// Opens a field over a name.
    pub fn rename(&mut self, thing: ObjectRef) {
        let name = thing.name.clone();
        self.rename = Some(Rename::new(thing, &name, &name, ""));
    }

    /// The thing whose name is being typed.
    pub fn renames(&self) -> Option<&ObjectRef> {
        self.rename.as_ref().map(Rename::key)
    }

    /// Whether a row is being dragged.
    pub fn dragging(&self) -> bool {
        self.tree.is_dragging()
    }

    /// Ends what lost its row. Once per frame, after all lists.
    pub fn end_frame(&mut self, view: &View, out: &mut Vec<Request>) {
        let kept = Rename::end_frame(&mut self.rename);
        self.carry_out(kept, view, out);
    }

    fn carry_out(
        &mut self,
        events: impl IntoIterator<Item = Event<ObjectRef>>,
        view: &View,
        out: &mut Vec<Request>,
    ) {
        let scene = view.session.animated();
        let select = |thing: &ObjectRef| {
            Request::Select(match thing.kind {
                Kind::SkinnedMesh => Selection::of_mesh(scene, &thing.name),
                _ => Selection::of_thing(scene, thing),
            })
        };
        let apply = |command| Request::Apply(vec![command]);
        for event in events {
            match event {
                // One at a time is selected here.
                Event::Select(things) => out.extend(things.first().map(select)),
                Event::Toggle(thing) => out.push(select(&thing)),
                Event::Open(thing, open) => {
                    if let Some(transform) = lines::transform_of(scene, &thing) {
                        match open {
                            true => self.folded.remove(transform),
                            false => self.folded.insert(transform.to_owned()),
                        };
                    }
                }
                Event::ToggleShown(thing) => {
                    let placed = thing.instance();
                    let shown = placed.as_ref().and_then(|of| scene.instances.get(of)?.visible);
                    out.extend(
                        placed
                            .zip(shown)
                            .map(|(of, shown)| apply(Command::show(&of, !shown))),
                    );
                }
                Event::Rename(thing) => self.rename(thing),
                Event::Renamed(thing, name) => {
                    if !name.is_empty() && scene.holds(&thing) {
                        out.push(apply(Command::Rename { thing, name }));
                    }
                }
                Event::Drop(things, place) => {
                    out.push(Request::Apply(drag::commands(scene, &things[0], &place)));
                }
            }
        }
    }
}

/// Rows with the menu of the outliner.
fn list_ui<'r>(
    ui: &mut Ui,
    view: &View,
    state: &mut TreeState<ObjectRef>,
    rename: &mut Option<Rename<ObjectRef>>,
    tree: &Tree<ObjectRef>,
    row: impl Fn(usize) -> Row<'r>,
    out: &mut Vec<Request>,
) -> Vec<Event<ObjectRef>> {
    let mut asked = None;
    let mut events = tree.ui(ui, state, rename, row, |ui, thing| {
        if menu_ui(ui, view, thing, out) {
            asked = Some(Event::Rename(thing.clone()));
        }
    });
    events.extend(asked);
    events
}

/// Arrow keys go through a list in the Rig tab; in the Animate tab they go from frame to frame and key to key.
fn arrows(view: &View) -> Arrows {
    match view.settings.tab {
        Tab::Rig => Arrows::All,
        Tab::Animate => Arrows::None,
    }
}

/// Transforms and instances. Rows are labelled "Instance <name>" and "Transform <name>"; names that two
/// kinds share, with the kind.
pub fn outliner_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let scene = view.session.animated();
    let selection = view.session.selection();
    let chosen = selection.instance.as_ref().map(ObjectRef::from);
    let chosen = chosen.or_else(|| selection.resource.clone());
    let is_new = state.tree.is_new(chosen.as_ref());
    if let Some(thing) = chosen.as_ref().filter(|_| is_new) {
        unfold(&mut state.folded, scene, thing);
    }
    let Rows { lines, shown } = rows(scene, &state.folded);
    if lines.is_empty() {
        empty_ui(ui, "The scene is empty.");
    }
    let shared = repeated(lines.iter().map(|line| line.key.name.as_str()));
    let row = |i: usize| {
        let thing = &lines[i].key;
        let row = row(thing, shared.contains(thing.name.as_str()));
        Row {
            selected: chosen.as_ref() == Some(thing),
            quiet: shown[i] == Some(false),
            shown: shown[i],
            ..row
        }
    };
    let tree = Tree {
        arrows: arrows(view),
        reveal: state.tree.reveal.is_due(is_new, view.settings.tab),
        drop_hint: &|things, place| drag::drop_hint(scene, &things[0], place),
        root: Some("Unparent"),
        ..Tree::new(&lines, chosen.clone())
    };
    let OutlinerState {
        tree: own, rename, ..
    } = state;
    let events = list_ui(ui, view, own, rename, &tree, row, out);
    state.carry_out(events, view, out);
}

fn row(thing: &ObjectRef, shared: bool) -> Row<'_> {
    let (what, kind) = match thing.kind {
        Kind::Instance(kind) => ("Instance", kind_name(kind)),
        _ => ("Transform", "Transform"),
    };
    let label = match shared {
        true => format!("{what} {}, {kind}", thing.name),
        false => format!("{what} {}", thing.name),
    };
    Row {
        tooltip: match thing.kind {
            Kind::Transform => "Transform. Double-click to rename, drag onto another to parent it.",
            _ => kind,
        },
        carries: true,
        ..Row::new(
            Id::new(("outliner", thing)),
            label,
            &thing.name,
            icons::of_thing(thing.kind),
        )
    }
}

/// The skinned meshes themselves, placed or not. Rows are labelled "Skinned mesh <name>".
pub fn meshes_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let meshes = &view.session.animated().skinned_meshes;
    if meshes.is_empty() {
        empty_ui(ui, "This scene has no skinned mesh.");
    }
    let mesh = |name: &String| ObjectRef::new(Kind::SkinnedMesh, name);
    let lines: Vec<_> = meshes.keys().map(|name| Line::flat(mesh(name))).collect();
    let selected = view.session.selection().mesh.as_ref().map(mesh);
    let row = |i: usize| {
        let thing = &lines[i].key;
        let label = format!("Skinned mesh {}", thing.name);
        Row {
            tooltip: "Click to work on its skeleton",
            selected: selected.as_ref() == Some(thing),
            ..Row::new(
                Id::new(("skinned mesh", &thing.name)),
                label,
                &thing.name,
                icons::SKINNED_MESH,
            )
        }
    };
    let tree = Tree {
        arrows: arrows(view),
        ..Tree::new(&lines, selected.clone())
    };
    let OutlinerState {
        meshes: own, rename, ..
    } = state;
    let events = list_ui(ui, view, own, rename, &tree, row, out);
    state.carry_out(events, view, out);
}
