//! The tree of bones with their handles, and the base. Click or arrow keys select, a double-click renames,
//! a drag gives another parent.

mod drag;
mod handles;
mod lines;
mod row;
mod search;

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::selection::{Part, Selection};
use crate::edit::view::{Tab, View};
use crate::editor::ui::list::{Row, empty_ui, repeated, scroll};
use crate::editor::ui::tree::{Arrows, Event, Line, Rename, Tree, TreeState};
use crate::rig::edits::children;
use crate::rig::skeleton::Skeleton;
use egui::{Context, Ui};
use lines::{lines, unfold};
use search::{Found, Search};
use std::collections::HashSet;
use std::sync::Arc;

/// What is folded, searched, typed and dragged.
#[derive(Default)]
pub struct BonesState {
    mesh: Option<String>,
    folded: HashSet<usize>,
    tree: TreeState<Part>,
    search: Search,
    rename: Option<Rename<Part>>,
    /// Channel id of the part whose name is typed: its index may come to name another.
    renamed_id: Option<u32>,
    /// The active bone or handle is to be renamed.
    rename_asked: bool,
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
    let scene = view.session.animated();
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
        state.begin_rename(skeleton, part);
    }
    let renamed = state.rename.as_ref().map(|rename| *rename.key());
    let renamed = renamed.filter(|part| channel_id(skeleton, *part) == state.renamed_id);
    if renamed.is_none() {
        state.rename = None;
    }
    let is_new = state.tree.is_new(selection.part.as_ref());
    for part in selection.part.filter(|_| is_new).into_iter().chain(renamed) {
        unfold(&mut state.folded, skeleton, part);
    }
    let found = state.search.find(skeleton);
    if entered {
        select_found(selection, found.as_ref(), out);
    }
    let lines = lines(skeleton, &state.folded, found.as_ref(), view.settings.show_links);
    let is_new = is_new || state.search.has_changed();
    let reveal = state.tree.reveal.is_due(is_new, view.settings.tab);
    let head = ui.cursor().top() - top;
    let mut events = Vec::new();
    let rows = scroll(ui, "bones", room - head, |ui| {
        events = rows_ui(ui, view, state, skeleton, &lines, found.as_ref(), reveal, out);
        if skeleton.bones.is_empty() {
            empty_ui(ui, "No bones yet. New bone draws them into the mesh.");
        } else if lines.len() == 1 {
            empty_ui(ui, "No bones match.");
        }
        handles::handles_ui(ui, skeleton, selection, out);
    });
    events.extend(Rename::end_frame(&mut state.rename));
    for event in events {
        out.extend(state.carry_out(event, skeleton, mesh, selection));
    }
    if state.rename.is_some() || state.tree.is_dragging() || state.search.is_typed_in(ui.ctx()) {
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

#[expect(
    clippy::too_many_arguments,
    reason = "a tree, what it shows, and where requests go"
)]
fn rows_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut BonesState,
    skeleton: &Skeleton,
    lines: &[Line<Part>],
    found: Option<&Found>,
    reveal: bool,
    out: &mut Vec<Request>,
) -> Vec<Event<Part>> {
    let selection = view.session.selection();
    let handles = skeleton.handle_names();
    let names = lines
        .iter()
        .map(|line| row::name_of(skeleton, &handles, line.key));
    let names: Vec<_> = names.collect();
    let shared = repeated(names.iter().map(String::as_str));
    let row = |i: usize| {
        let (part, name) = (lines[i].key, names[i].as_str());
        let row = row::row(skeleton, selection, part, name, shared.contains(name));
        let hidden = matches!((part, found), (Part::Bone(bone), Some(found)) if !found.matches[bone]);
        Row {
            quiet: row.quiet || hidden,
            ..row
        }
    };
    let selected: Vec<Part> = selection.bones().into_iter().map(Part::Bone).collect();
    let tree = Tree {
        dragged_together: &selected,
        // In the Animate tab left and right go from frame to frame.
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
    /// A field over the name of a bone or a handle; the base has none.
    fn begin_rename(&mut self, skeleton: &Skeleton, part: Part) {
        let own = |name: &Option<Arc<str>>| name.as_deref().unwrap_or_default().to_owned();
        let (own, shown, hint) = match part {
            Part::Bone(at) => {
                let Some(bone) = skeleton.bones.get(at) else {
                    return;
                };
                (own(&bone.name), skeleton.bone_name(at), bone.number_name())
            }
            Part::Handle(at) => {
                let Some(handle) = skeleton.handles.get(at) else {
                    return;
                };
                let hint = skeleton.default_handle_name(at);
                (own(&handle.name), skeleton.handle_name(at), hint)
            }
            Part::Pole(_) | Part::Base => return,
        };
        self.rename = Some(Rename::new(part, &own, &shown, hint));
        self.renamed_id = channel_id(skeleton, part);
        self.search.clear();
    }

    fn carry_out(
        &mut self,
        event: Event<Part>,
        skeleton: &Skeleton,
        mesh: &str,
        selection: &Selection,
    ) -> Option<Request> {
        let mesh = mesh.to_owned();
        let command = match event {
            Event::Select(parts) => {
                // A link stands for what it carries.
                let link = parts.first().and_then(|part| row::link_of(skeleton, *part));
                let carried = link.map(|link| children(skeleton, link).into_iter().map(Part::Bone).collect());
                let parts: Vec<Part> = carried.unwrap_or(parts);
                return Some(Request::Select(selection.with_parts(parts)));
            }
            Event::Toggle(part) => return Some(Request::Select(selection.toggled(part))),
            Event::Open(Part::Bone(bone), open) => {
                match open {
                    true => self.folded.remove(&bone),
                    false => self.folded.insert(bone),
                };
                return None;
            }
            Event::Rename(part) => {
                self.begin_rename(skeleton, part);
                return None;
            }
            Event::Renamed(Part::Bone(bone), name) => Command::SetBoneName { mesh, bone, name },
            Event::Renamed(Part::Handle(handle), name) => Command::SetHandleName { mesh, handle, name },
            Event::Drop(parts, place) => Command::Reparent {
                mesh,
                bones: drag::bones_of(&parts),
                parent: drag::parent_at(&place)?,
            },
            Event::Renamed(Part::Pole(_) | Part::Base, _) | Event::Open(..) | Event::ToggleShown(_) => {
                return None;
            }
        };
        Some(Request::Apply(vec![command]))
    }
}

fn channel_id(skeleton: &Skeleton, part: Part) -> Option<u32> {
    match part {
        Part::Bone(at) => Some(skeleton.bones.get(at)?.channel_id),
        Part::Handle(at) | Part::Pole(at) => Some(skeleton.handles.get(at)?.channel_id),
        Part::Base => None,
    }
}
