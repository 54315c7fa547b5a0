//! The outliner: the tree of transforms and instances, the list of skinned meshes, the other resources.
//! A click selects, a double-click renames, a drag gives another parent.

mod drag;
mod menu;
mod rename;
mod resources;
mod tree;

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::view::View;
use crate::editor::ui::list::{Reveal, Row, RowOutput, empty_ui, row_ui};
use crate::editor::ui::{icons, theme};
use crate::scene::instance::InstanceKind;
use crate::scene::names::{Kind, Thing};
use drag::Drag;
use egui::{Id, Rect, Sense, Ui, vec2};
use menu::row_menu;
use rename::Rename;
pub use resources::resources_ui;
use std::collections::{BTreeMap, HashSet};
use tree::{Line, lines, unfold};

/// More rows than this, and those out of sight are not laid out (nor told to screen readers).
pub const MANY: usize = 500;

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

/// With a capital at the start.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// What is folded, typed and dragged.
#[derive(Default)]
pub struct OutlinerState {
    /// Names of transforms.
    folded: HashSet<String>,
    rename: Option<Rename>,
    drag: Option<Drag>,
    /// What was selected in the last frame: a new selection is scrolled to.
    last: Option<Thing>,
    reveal: Reveal,
}

impl OutlinerState {
    /// Opens a field over a name.
    pub fn rename(&mut self, thing: Thing) {
        self.rename = Some(Rename::of(thing));
    }

    /// The thing whose name is being typed.
    pub fn renames(&self) -> Option<&Thing> {
        self.rename.as_ref().map(Rename::thing)
    }

    /// Whether a row is being dragged.
    pub fn dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Ends what lost its row. Once per frame, after all lists.
    pub fn end_frame(&mut self, view: &View, out: &mut Vec<Request>) {
        if let Some(rename) = &mut self.rename
            && rename.end_frame(view.session.seen(), out)
        {
            self.rename = None;
        }
    }

    /// What all rows sense: click, double-click, right click, the field over the name.
    #[expect(
        clippy::too_many_arguments,
        reason = "a row, its thing, and where requests go"
    )]
    fn row(
        &mut self,
        ui: &mut Ui,
        view: &View,
        thing: &Thing,
        output: &RowOutput,
        indent: usize,
        chosen: impl Fn() -> Request,
        out: &mut Vec<Request>,
    ) {
        let right = output
            .response
            .as_ref()
            .is_some_and(|response| response.secondary_clicked());
        if output.double_clicked {
            self.rename(thing.clone());
        } else if output.clicked || right && chosen() != Request::Select(view.session.selection().clone()) {
            self.last = Some(thing.clone());
            out.push(chosen());
        }
        row_menu(output, view, thing, &mut self.rename, out);
        if let Some(rename) = &mut self.rename
            && rename.thing() == thing
            && rename.ui(ui, output.rect, indent, out)
        {
            self.rename = None;
        }
    }
}

/// Transforms and instances. Rows are labelled "Instance <name>" and "Transform <name>"; names that two
/// kinds share, with the kind.
pub fn outliner_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let scene = view.session.seen();
    let selection = view.session.selection();
    let chosen = selection
        .instance
        .as_ref()
        .map(Thing::from)
        .or(selection.resource.clone());
    let news = chosen != state.last;
    if let Some(thing) = chosen.as_ref().filter(|_| news) {
        unfold(&mut state.folded, scene, thing);
    }
    state.last = chosen.clone();
    let news = state.reveal.is_due(news, view.settings.tab);
    let lines = lines(scene, &state.folded);
    if lines.is_empty() {
        empty_ui(ui, "The scene is empty.");
    }
    let mut kinds_of_name = BTreeMap::<&str, usize>::new();
    for line in &lines {
        *kinds_of_name.entry(line.thing.name.as_str()).or_default() += 1;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let start = ui.cursor().top();
    let mut rows = Vec::with_capacity(lines.len());
    let many = lines.len() > MANY;
    for line in &lines {
        let thing = &line.thing;
        let selected = chosen.as_ref() == Some(thing);
        let shared = kinds_of_name[thing.name.as_str()] > 1;
        let output = row_ui(ui, &row(line, shared, selected), many);
        rows.push((line.clone(), output.rect));
        if selected && news {
            ui.scroll_to_rect(output.rect.expand2(vec2(0.0, output.rect.height())), None);
        }
        if output.eye_clicked {
            let visible = line.shown == Some(false);
            let show = thing.instance().map(|instance| Command::show(&instance, visible));
            out.extend(show.map(|show| Request::Apply(vec![show])));
            continue;
        }
        if output.open_clicked {
            fold(&mut state.folded, line);
            continue;
        }
        let request = || Request::Select(Selection::of_thing(scene, thing));
        state.row(ui, view, thing, &output, line.depth, request, out);
        if output.carried && state.drag.is_none() {
            state.drag = Some(Drag::of(thing.clone()));
        }
    }
    let Some(mut drag) = state.drag.take() else { return };
    // A place to drop things on that are to hang on nothing.
    let (top, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let at = top.left_center() + vec2(20.0, 0.0);
    let font = egui::FontId::proportional(theme::BODY);
    let text = "Unparent";
    ui.painter()
        .text(at, egui::Align2::LEFT_CENTER, text, font, theme::TEXT_QUIET);
    let area = Rect::from_x_y_ranges(ui.max_rect().x_range(), start..=top.bottom());
    if !drag.ui(ui, &rows, top, area.intersect(ui.clip_rect()), scene, out) {
        state.drag = Some(drag);
    }
}

fn fold(folded: &mut HashSet<String>, line: &Line) {
    let Some(transform) = &line.transform else { return };
    match line.open {
        Some(true) => drop(folded.insert(transform.clone())),
        _ => drop(folded.remove(transform)),
    }
}

fn row(line: &Line, shared: bool, selected: bool) -> Row<'_> {
    let thing = &line.thing;
    let (what, kind) = match thing.kind {
        Kind::Instance(kind) => ("Instance", kind_name(kind)),
        _ => ("Transform", "Transform"),
    };
    Row {
        id: Id::new(("outliner", thing)),
        label: match shared {
            true => format!("{what} {}, {kind}", thing.name),
            false => format!("{what} {}", thing.name),
        },
        text: &thing.name,
        icon: icons::of_thing(thing.kind),
        tooltip: match thing.kind {
            Kind::Transform => "Transform. Double-click to rename, drag onto another to parent it.",
            _ => kind,
        },
        indent: line.depth,
        selected,
        quiet: line.shown == Some(false),
        open: line.open,
        shown: line.shown,
        reserved: 0.0,
        carries: true,
    }
}

/// The skinned meshes themselves, placed or not. Rows are labelled "Skinned mesh <name>".
pub fn meshes_ui(ui: &mut Ui, view: &View, state: &mut OutlinerState, out: &mut Vec<Request>) {
    let scene = view.session.seen();
    let selected = view.session.selection().mesh.as_deref();
    if scene.skinned_meshes.is_empty() {
        empty_ui(ui, "This scene has no skinned mesh.");
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    for name in scene.skinned_meshes.keys() {
        let row = Row {
            id: Id::new(("skinned mesh", name)),
            label: format!("Skinned mesh {name}"),
            text: name,
            icon: icons::SKINNED_MESH,
            tooltip: "Click to work on its skeleton",
            indent: 0,
            selected: selected == Some(name),
            quiet: false,
            open: None,
            shown: None,
            reserved: 0.0,
            carries: false,
        };
        let output = row_ui(ui, &row, scene.skinned_meshes.len() > MANY);
        let thing = Thing::new(Kind::SkinnedMesh, name.clone());
        let request = || Request::Select(Selection::of_mesh(scene, name));
        state.row(ui, view, &thing, &output, 0, request, out);
    }
}
