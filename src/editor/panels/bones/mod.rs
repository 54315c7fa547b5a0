//! The tree of bones with their handles, and the base. Click or arrow keys select, a double-click renames,
//! a drag gives another parent.

mod drag;
mod handles;
mod keys;
mod lines;
mod rename;
mod search;

use super::outliner::MANY;
use super::side::scroll;
use crate::edit::action::{Action, Menu};
use crate::edit::request::Request;
use crate::edit::selection::{Part, Selection};
use crate::edit::view::{Tab, View};
use crate::editor::ui::action::menu_item;
use crate::editor::ui::list::{Reveal, Row, RowOutput, empty_ui, row_ui};
use crate::editor::ui::{icons, theme};
use crate::rig::edits::children;
use crate::rig::skeleton::Skeleton;
use drag::Drag;
use egui::{Context, Id, Rect, Response, Ui};
use keys::Keys;
use lines::{Line, lines, unfold};
use rename::Rename;
use search::{Found, Search};
use std::collections::{HashMap, HashSet};

/// What is folded, searched, typed and dragged, and whether the arrow keys are the tree's.
#[derive(Default)]
pub struct BonesState {
    mesh: Option<String>,
    folded: HashSet<usize>,
    keys: Keys,
    search: Search,
    rename: Option<Rename>,
    /// The active bone or handle is to be renamed.
    rename_asked: bool,
    drag: Option<Drag>,
    /// What was selected in the last frame: a new selection is scrolled to.
    last: Option<Part>,
    reveal: Reveal,
    /// The last pass in which text was typed or rows were dragged.
    busy_in: Option<u64>,
}

impl BonesState {
    /// Opens a field over the name of the active bone or handle.
    pub fn rename(&mut self) {
        self.rename_asked = true;
    }

    /// Goes to the search field.
    pub fn find(&mut self) {
        self.search.ask();
    }

    /// Whether the tree must be shown, for a field that was asked for.
    pub fn is_asked(&self) -> bool {
        self.rename_asked || self.search.is_asked()
    }

    /// Whether keys belong to the tree: text is typed or rows are dragged, or were as this frame began (the
    /// Esc that ends typing means nothing else).
    pub fn takes_keys(&self, ctx: &Context) -> bool {
        self.busy_in
            .is_some_and(|pass| pass + 1 >= ctx.cumulative_pass_nr())
    }
}

/// Rows are labelled "Base", "Bone <name>", "Handle <name>"; names that several share, with a number. At most
/// `room` high; returns the height that all rows need.
pub fn bones_ui(ui: &mut Ui, view: &View, state: &mut BonesState, room: f32, out: &mut Vec<Request>) -> f32 {
    let top = ui.cursor().top();
    let selection = view.session.selection();
    let scene = view.session.seen();
    let Some((mesh, skinned)) = selection
        .mesh
        .as_ref()
        .and_then(|m| scene.skinned_meshes.get_key_value(m))
    else {
        empty_ui(ui, "Click a skinned mesh to see its bones.");
        *state = BonesState::default();
        return ui.cursor().top() - top;
    };
    let skeleton = &*skinned.skeleton;
    if state.mesh.as_ref() != Some(mesh) {
        *state = BonesState {
            mesh: Some(mesh.clone()),
            search: std::mem::take(&mut state.search),
            ..BonesState::default()
        };
    }
    let entered = !skeleton.bones.is_empty() && state.search.ui(ui);
    if std::mem::take(&mut state.rename_asked)
        && let Some(part) = selection.part
    {
        state.rename = Rename::of(skeleton, part);
        state.search.clear();
    }
    let news = selection.part != state.last;
    state.last = selection.part;
    let renamed = state.rename.as_ref().map(Rename::part);
    for part in selection.part.filter(|_| news).into_iter().chain(renamed) {
        unfold(&mut state.folded, skeleton, part);
    }
    let found = state.search.find(skeleton);
    if entered {
        select_found(selection, found.as_ref(), out);
    }
    let lines = lines(skeleton, &state.folded, found.as_ref(), view.settings.show_links);
    let searched = state.search.has_changed();
    let news = state.reveal.is_due(news || searched, view.settings.tab);
    let head = ui.cursor().top() - top;
    let rows = scroll(ui, "bones", room - head, |ui| {
        rows_ui(ui, view, state, &lines, found.as_ref(), news, out);
        if skeleton.bones.is_empty() {
            empty_ui(ui, "No bones yet. New bone draws them into the mesh.");
        } else if lines.len() == 1 {
            empty_ui(ui, "No bones match.");
        }
        handles::handles_ui(ui, skeleton, selection, out);
    });
    if let Some(rename) = &mut state.rename
        && rename.end_frame(skeleton, mesh, out)
    {
        state.rename = None;
    }
    if state.rename.is_some() || state.drag.is_some() || state.search.is_typed_in(ui.ctx()) {
        state.busy_in = Some(ui.ctx().cumulative_pass_nr());
    }
    head + rows
}

/// All bones whose names were searched for.
fn select_found(selection: &Selection, found: Option<&Found>, out: &mut Vec<Request>) {
    let Some(found) = found else { return };
    let parts = (0..found.matches.len()).filter(|bone| found.matches[*bone]);
    let parts: Vec<Part> = parts.map(Part::Bone).collect();
    if !parts.is_empty() {
        out.push(Request::Select(selection.with_parts(parts)));
    }
}

fn rows_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut BonesState,
    lines: &[Line],
    found: Option<&Found>,
    news: bool,
    out: &mut Vec<Request>,
) {
    let selection = view.session.selection();
    let (Some(mesh), scene) = (&selection.mesh, view.session.seen()) else {
        return;
    };
    let Some(skeleton) = scene.skinned_meshes.get(mesh).map(|m| &*m.skeleton) else {
        return;
    };
    let handles = skeleton.handle_names();
    let names = lines.iter().map(|line| name_of(skeleton, &handles, line.part));
    let names: Vec<_> = names.collect();
    let mut times = HashMap::<&str, usize>::new();
    for name in &names {
        *times.entry(name).or_default() += 1;
    }
    // Links are never selected.
    let walked = lines.iter().filter(|line| link_of(skeleton, line.part).is_none());
    let walked: Vec<Line> = walked.copied().collect();
    ui.spacing_mut().item_spacing.y = 0.0;
    let top = ui.cursor().top();
    let mut active_rect = None;
    let mut rows = Vec::with_capacity(lines.len());
    for (line, name) in lines.iter().zip(&names) {
        let shared = times[name.as_str()] > 1;
        let mut row = row(skeleton, *line, name, shared, selection.is_selected(line.part));
        if let (Part::Bone(bone), Some(found)) = (line.part, found) {
            row.quiet |= !found.matches[bone];
        }
        let output = row_ui(ui, &row, lines.len() > MANY);
        if let Some(link) = link_of(skeleton, line.part) {
            link_gestures(view, skeleton, link, &output, out);
            continue;
        }
        rows.push((*line, output.rect));
        if selection.part == Some(line.part) {
            active_rect = Some(output.rect);
            mark_active(ui, output.rect);
        }
        row_gestures(ui, view, state, &walked, *line, &output, out);
        if let Some(rename) = state.rename.as_mut()
            && line.part == rename.part()
            && rename.ui(ui, line, output.rect, skeleton, mesh, out)
        {
            state.rename = None;
        }
    }
    let area = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=ui.cursor().top());
    let area = area.intersect(ui.clip_rect());
    if let Some(drag) = &mut state.drag
        && drag.ui(ui, &rows, area, skeleton, mesh, out)
    {
        state.drag = None;
    }
    let BonesState { keys, folded, .. } = state;
    // In the Animate tab left and right go from frame to frame.
    keys.sideways = view.settings.tab == Tab::Rig;
    let moved = keys.read(ui, folded, &walked, selection, area, skeleton);
    out.extend(moved.map(Request::Select));
    if let Some(rect) = active_rect.filter(|_| news) {
        // With a row of neighbours around it.
        ui.scroll_to_rect(rect.expand2(egui::vec2(0.0, rect.height())), None);
    }
}

/// A line at the left of the one part that the panels and gizmos are about.
fn mark_active(ui: &Ui, row: Rect) {
    let mark = Rect::from_min_size(row.min, egui::vec2(2.5, row.height()));
    ui.painter()
        .rect_filled(mark.shrink2(egui::vec2(0.0, 3.0)), 1.0, theme::ACCENT);
}

/// The part as a link, if it is one.
fn link_of(skeleton: &Skeleton, part: Part) -> Option<usize> {
    match part {
        Part::Bone(bone) if skeleton.bones[bone].link => Some(bone),
        _ => None,
    }
}

/// A click on a link selects what it carries.
fn link_gestures(view: &View, skeleton: &Skeleton, link: usize, output: &RowOutput, out: &mut Vec<Request>) {
    if output.clicked {
        let carried = children(skeleton, link).into_iter().map(Part::Bone);
        out.push(Request::Select(view.session.selection().with_parts(carried)));
    }
    if let Some(response) = &output.response {
        response.context_menu(|ui| drop(menu_item(ui, view, "Tree", Action::TOGGLE_LINKS, None, out)));
    }
}

fn row_gestures(
    ui: &Ui,
    view: &View,
    state: &mut BonesState,
    lines: &[Line],
    line: Line,
    output: &RowOutput,
    out: &mut Vec<Request>,
) {
    let selection = view.session.selection();
    let Some(response) = &output.response else { return };
    if let (true, Part::Bone(bone)) = (output.open_clicked, line.part) {
        match line.open {
            Some(true) => state.folded.insert(bone),
            _ => state.folded.remove(&bone),
        };
    } else if output.double_clicked && selection.part == Some(line.part) {
        // In the next frame: in this one the click would take the keyboard from the field again.
        state.rename_asked = line.part != Part::Base;
        ui.ctx().request_repaint();
    } else if output.clicked {
        state.last = Some(line.part);
        let modifiers = ui.input(|i| i.modifiers);
        let new = state.keys.click(lines, selection, line.part, modifiers);
        out.push(Request::Select(new));
    } else if response.secondary_clicked() && !selection.is_selected(line.part) {
        state.last = Some(line.part);
        out.push(Request::Select(selection.with_part(Some(line.part))));
    }
    if let Part::Bone(bone) = line.part
        && output.carried
        && state.drag.is_none()
    {
        state.drag = Some(Drag::of(selection, bone));
    }
    row_menu(response, view, line.part, out);
}

/// What can be done to a row; a right click selects it first. Lines are labelled "Tree > …".
fn row_menu(response: &Response, view: &View, part: Part, out: &mut Vec<Request>) {
    let actions: &[Action] = match part {
        Part::Bone(_) => &[
            Action::RENAME,
            Action::ADD_BONE,
            Action::ADD_IK,
            Action::RESET_BONE_POSE,
            Action::SELECT_CHILDREN,
            Action::EXTEND_TO_CHILDREN,
            Action::DELETE,
        ],
        Part::Handle(_) => &[Action::RENAME, Action::SELECT_PARENT, Action::DELETE],
        Part::Base => &[Action::ADD_BONE, Action::SELECT_CHILDREN],
    };
    response.context_menu(|ui| {
        for action in actions {
            menu_item(ui, view, "Tree", *action, None, out);
        }
        ui.separator();
        menu_item(ui, view, "Tree", Action::TOGGLE_LINKS, None, out);
        if let Part::Bone(_) = part {
            ui.separator();
            for action in Menu::BONE
                .actions
                .iter()
                .filter(|action| !actions.contains(action))
            {
                menu_item(ui, view, "Tree", *action, None, out);
            }
        }
    });
}

fn name_of(skeleton: &Skeleton, handles: &[String], part: Part) -> String {
    match part {
        Part::Base => "Base".into(),
        Part::Bone(link) if skeleton.bones[link].link => {
            let carried = children(skeleton, link)
                .into_iter()
                .map(|bone| skeleton.bone_name(bone));
            format!("Link to {}", carried.collect::<Vec<_>>().join(", "))
        }
        Part::Bone(bone) => format!("Bone {}", skeleton.bone_name(bone)),
        Part::Handle(handle) => format!("Handle {}", handles[handle]),
    }
}

fn row<'a>(skeleton: &Skeleton, line: Line, name: &'a str, shared: bool, selected: bool) -> Row<'a> {
    let (tooltip, quiet, number) = match line.part {
        Part::Base => ("Where the root bones start", false, 0),
        Part::Bone(bone) if skeleton.bones[bone].link => (
            "Link: carries the start of these bones away from the tip of their parent. Click to select them.",
            true,
            bone,
        ),
        Part::Bone(bone) => (
            "Bone. Double-click to rename, drag onto another to parent it.",
            false,
            bone,
        ),
        Part::Handle(handle) => {
            let enabled = skeleton.handles[handle].enabled;
            (
                if enabled {
                    "IK handle. Double-click to rename."
                } else {
                    "IK handle, not enabled. Double-click to rename."
                },
                !enabled,
                handle,
            )
        }
    };
    Row {
        id: Id::new(("bones", line.part)),
        label: if shared {
            format!("{name}, number {number}")
        } else {
            name.to_owned()
        },
        text: name.split_once(' ').map_or(name, |(_, rest)| rest),
        icon: match link_of(skeleton, line.part) {
            Some(_) => icons::LINK,
            None => icons::of_part(line.part),
        },
        tooltip,
        indent: line.depth,
        selected,
        quiet,
        open: line.open,
        shown: None,
        reserved: 0.0,
        carries: matches!(line.part, Part::Bone(bone) if !skeleton.bones[bone].link),
    }
}
