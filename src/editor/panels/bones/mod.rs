//! The tree of bones with their handles, and the base. Clicks and arrow keys select, a double-click renames,
//! a drag reparents.

mod drag;
mod handles;
mod lines;
mod row;
mod search;

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::{Tab, View};
use crate::editor::ui::list::{Row, empty_ui, repeated_names, scroll};
use crate::editor::ui::tree::{Arrows, Event, Line, Rename, Tree, TreeState};
use crate::io::count::counted;
use crate::rig::edits::children;
use crate::rig::skeleton::Skeleton;
use egui::{Context, Ui};
use lines::{hidden_subtrees, lines, unfold};
use search::{Search, SearchResult};
use std::collections::HashSet;
use std::sync::Arc;

/// The state of the tree: folding, filter, renaming and dragging.
#[derive(Default)]
pub struct BonesState {
    mesh: Option<String>,
    folded: HashSet<usize>,
    tree: TreeState<Part>,
    search: Search,
    rename: Option<Rename<Part>>,
    /// The channel id of the part that is being renamed, since its index may come to refer to another part.
    renamed_id: Option<u32>,
    /// Whether the active bone or handle is to be renamed in the next frame.
    rename_requested: bool,
    /// The last egui pass in which text was typed or rows were dragged.
    last_busy_pass: Option<u64>,
}

impl BonesState {
    /// Opens a text field over the name of the active bone or handle.
    pub fn rename(&mut self) {
        self.rename_requested = true;
    }

    /// Moves the keyboard focus to the filter field.
    pub fn find(&mut self) {
        self.search.request_focus();
    }

    /// Whether the tree must be visible because a text field in it was requested.
    pub fn must_be_visible(&self) -> bool {
        self.rename_requested || self.search.is_focus_requested()
    }

    /// Whether the tree handles the keyboard: text is being typed or rows are being dragged, or were at the
    /// start of this frame (the Esc that ends typing has no other effect).
    pub fn takes_keys(&self, ctx: &Context) -> bool {
        self.last_busy_pass.is_some_and(|pass| pass + 1 >= ctx.cumulative_pass_nr())
    }
}

/// Draws the tree, at most `room` points high, and returns the height that all rows need. Rows are labelled
/// "Base", "Bone <name>" and "Handle <name>", with a number if the name is not unique.
pub fn bones_ui(ui: &mut Ui, view: &View, state: &mut BonesState, room: f32, out: &mut Vec<Request>) -> f32 {
    let top = ui.cursor().top();
    let selection = view.session.selection();
    let scene = view.session.animated();
    let Some((mesh, skinned)) = selection.mesh.as_ref().and_then(|m| scene.skinned_meshes.get_key_value(m))
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
    if std::mem::take(&mut state.rename_requested)
        && let Some(part) = selection.part
    {
        state.begin_rename(skeleton, part);
    }
    let renamed = state.rename.as_ref().map(|rename| *rename.key());
    let renamed = renamed.filter(|part| channel_id(skeleton, *part) == state.renamed_id);
    if renamed.is_none() {
        state.rename = None;
    }
    let is_new = state.tree.is_newly_active(selection.part.as_ref());
    for part in selection.part.filter(|_| is_new).into_iter().chain(renamed) {
        unfold(&mut state.folded, skeleton, part);
    }
    let found = state.search.find(skeleton);
    if entered {
        select_found(selection, found.as_ref(), out);
    }
    let lines = lines(skeleton, &state.folded, found.as_ref(), &view.settings.display);
    let is_new = is_new || state.search.has_changed();
    let reveal = state.tree.reveal.is_due(is_new, view.settings.tab);
    let head = ui.cursor().top() - top;
    let mut events = Vec::new();
    let rows = scroll(ui, "bones", room - head, |ui| {
        events = rows_ui(ui, view, state, skeleton, &lines, found.as_ref(), reveal, out);
        if skeleton.bones.is_empty() {
            empty_ui(ui, "No bones yet. Fit skeleton finds them in a body; New bone draws them.");
        } else if lines.len() == 1 {
            empty_ui(ui, "No bones match.");
        }
        hidden_ui(ui, view, skeleton);
        handles::handles_ui(ui, skeleton, selection, out);
    });
    events.extend(Rename::end_frame(&mut state.rename));
    for event in events {
        out.extend(state.handle_event(event, skeleton, mesh, selection));
    }
    if state.rename.is_some() || state.tree.is_dragging() || state.search.is_typed_in(ui.ctx()) {
        state.last_busy_pass = Some(ui.ctx().cumulative_pass_nr());
    }
    head + rows
}

/// Says how many bones are left out.
fn hidden_ui(ui: &mut Ui, view: &View, skeleton: &Skeleton) {
    let left_out = match view.settings.display.show_hidden {
        true => 0,
        false => hidden_subtrees(skeleton)
            .iter()
            .zip(&skeleton.bones)
            .filter(|(hidden, bone)| **hidden && !bone.link)
            .count(),
    };
    if left_out > 0 {
        let subject = counted(left_out, "bone is", "bones are");
        empty_ui(ui, &format!("{subject} hidden: View > Show > Hidden bones."));
    }
}

/// Selects all bones that match the filter.
fn select_found(selection: &Selection, found: Option<&SearchResult>, out: &mut Vec<Request>) {
    let Some(found) = found else { return };
    let parts = (0..found.matches.len()).filter(|bone| found.matches[*bone]);
    let parts: Vec<Part> = parts.map(Part::Bone).collect();
    if !parts.is_empty() {
        out.push(Request::Select(selection.with_parts(parts)));
    }
}

#[expect(clippy::too_many_arguments, reason = "a tree, what it shows, and where requests go")]
fn rows_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut BonesState,
    skeleton: &Skeleton,
    lines: &[Line<Part>],
    found: Option<&SearchResult>,
    reveal: bool,
    out: &mut Vec<Request>,
) -> Vec<Event<Part>> {
    let selection = view.session.selection();
    let handles = skeleton.handle_names();
    let names = lines.iter().map(|line| row::row_name(skeleton, &handles, line.key));
    let names: Vec<_> = names.collect();
    let shared = repeated_names(names.iter().map(String::as_str));
    let row = |i: usize| {
        let (part, name) = (lines[i].key, names[i].as_str());
        let row = row::row(skeleton, selection, part, name, shared.contains(name));
        let hidden = matches!((part, found), (Part::Bone(bone), Some(found)) if !found.matches[bone]);
        Row { quiet: row.quiet || hidden, ..row }
    };
    let selected: Vec<Part> = selection.bones().into_iter().map(Part::Bone).collect();
    let tree = Tree {
        dragged_together: &selected,
        // In the Animate tab, left and right step through frames.
        arrows: match view.settings.tab {
            Tab::Rig => Arrows::All,
            Tab::Animate => Arrows::Vertical,
        },
        reveal,
        drop_hint: &|parts, place| drag::drop_hint(skeleton, parts, place),
        ..Tree::new(lines, selection.part)
    };
    tree.ui(ui, &mut state.tree, &mut state.rename, row, |ui, part| {
        row::menu_ui(ui, view, skeleton, *part, out);
    })
}

impl BonesState {
    /// Opens a text field over the name of a bone or a handle; the base and poles cannot be renamed.
    fn begin_rename(&mut self, skeleton: &Skeleton, part: Part) {
        let custom_name = |name: &Option<Arc<str>>| name.as_deref().unwrap_or_default().to_owned();
        let (custom, shown, hint) = match part {
            Part::Bone(index) => {
                let Some(bone) = skeleton.bones.get(index) else {
                    return;
                };
                (custom_name(&bone.name), skeleton.bone_name(index), bone.number_name())
            }
            Part::Handle(index) => {
                let Some(handle) = skeleton.handles.get(index) else {
                    return;
                };
                let hint = skeleton.default_handle_name(index);
                (custom_name(&handle.name), skeleton.handle_name(index), hint)
            }
            Part::Pole(_) | Part::Base | Part::Shape(_) => return,
        };
        self.rename = Some(Rename::new(part, &custom, &shown, hint));
        self.renamed_id = channel_id(skeleton, part);
        self.search.clear();
    }

    fn handle_event(
        &mut self,
        event: Event<Part>,
        skeleton: &Skeleton,
        mesh: &str,
        selection: &Selection,
    ) -> Option<Request> {
        let mesh = mesh.to_owned();
        let command = match event {
            Event::Select(parts) => {
                // Selecting a link selects the bones that it carries.
                let link = parts.first().and_then(|part| row::link_of(skeleton, *part));
                let carried = link.map(|link| children(skeleton, link).into_iter().map(Part::Bone).collect());
                let parts: Vec<Part> = carried.unwrap_or(parts);
                return Some(Request::Select(selection.with_parts(parts)));
            }
            Event::Toggle(part) => return Some(Request::Select(selection.toggled(part))),
            Event::Open(Part::Bone(bone), open) => {
                if open {
                    self.folded.remove(&bone)
                } else {
                    self.folded.insert(bone)
                };
                return None;
            }
            Event::Rename(part) => {
                self.begin_rename(skeleton, part);
                return None;
            }
            Event::Renamed(Part::Bone(bone), name) => Command::SetBoneName { mesh, bone, name },
            Event::Renamed(Part::Handle(handle), name) => Command::SetHandleName { mesh, handle, name },
            Event::Drop(parts, place) => {
                Command::Reparent { mesh, bones: drag::bones_of(&parts), parent: drag::parent_at(&place)? }
            }
            Event::Renamed(Part::Pole(_) | Part::Base | Part::Shape(_), _)
            | Event::Open(..)
            | Event::ToggleShown(_) => {
                return None;
            }
        };
        Some(Request::Apply(vec![command]))
    }
}

fn channel_id(skeleton: &Skeleton, part: Part) -> Option<u32> {
    match part {
        Part::Bone(index) => Some(skeleton.bones.get(index)?.channel_id),
        Part::Handle(index) | Part::Pole(index) => Some(skeleton.handles.get(index)?.channel_id),
        Part::Base | Part::Shape(_) => None,
    }
}
