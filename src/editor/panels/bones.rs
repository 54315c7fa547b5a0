//! The tree of bones with their handles, and the base. Click or arrow keys select.

use super::outliner::MANY;
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::View;
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, row_ui};
use crate::rig::skeleton::Skeleton;
use egui::{Id, Key, Modifiers, Rect, Ui};
use std::collections::{HashMap, HashSet};

/// What is folded, and whether the arrow keys are the tree's.
#[derive(Default)]
pub struct BonesState {
    mesh: Option<String>,
    folded: HashSet<usize>,
    /// The last press of the pointer was on the tree.
    active: bool,
    /// What was selected in the last frame: a new selection is scrolled to.
    last: Option<Part>,
}

/// A line of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    part: Part,
    depth: usize,
    /// Whether its children are shown; `None` without children.
    open: Option<bool>,
}

/// The base, then bones depth first, each with its handles before its children; folded ones alone.
fn lines(skeleton: &Skeleton, folded: &HashSet<usize>) -> Vec<Line> {
    let count = skeleton.bones.len();
    let mut children = vec![Vec::new(); count];
    let mut handles = vec![Vec::new(); count];
    let mut stack = Vec::new();
    for (bone, parent) in skeleton.bones.iter().map(|b| b.parent).enumerate() {
        match parent.map(|p| p as usize).filter(|p| *p < bone) {
            Some(parent) => children[parent].push(bone),
            None => stack.push((bone, 0)),
        }
    }
    for (handle, of) in skeleton.handles.iter().map(|h| h.bone as usize).enumerate() {
        if let Some(list) = handles.get_mut(of) {
            list.push(handle);
        }
    }
    stack.reverse();
    let mut lines = vec![Line {
        part: Part::Base,
        depth: 0,
        open: None,
    }];
    while let Some((bone, depth)) = stack.pop() {
        let has_more = !children[bone].is_empty() || !handles[bone].is_empty();
        let open = has_more.then(|| !folded.contains(&bone));
        lines.push(Line {
            part: Part::Bone(bone),
            depth,
            open,
        });
        if open == Some(true) {
            let of_bone = handles[bone].iter().map(|h| Line {
                part: Part::Handle(*h),
                depth: depth + 1,
                open: None,
            });
            lines.extend(of_bone);
            stack.extend(children[bone].iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    lines
}

/// The bone that `part` lies under.
fn above(skeleton: &Skeleton, part: Part) -> Option<usize> {
    match part {
        Part::Bone(bone) => skeleton.bones.get(bone)?.parent.map(|p| p as usize),
        Part::Handle(handle) => Some(skeleton.handles.get(handle)?.bone as usize),
        Part::Base => None,
    }
}

/// Opens everything that `part` lies in.
fn unfold(state: &mut BonesState, skeleton: &Skeleton, part: Part) {
    let mut at = above(skeleton, part);
    while let Some(bone) = at {
        state.folded.remove(&bone);
        at = above(skeleton, Part::Bone(bone)).filter(|parent| *parent < bone);
    }
}

/// Rows are labelled "Base", "Bone <name>", "Handle <name>"; names that several share, with a number.
pub fn bones_ui(ui: &mut Ui, view: &View, state: &mut BonesState, out: &mut Vec<Request>) {
    let selection = view.session.selection();
    let scene = view.session.scene();
    let Some((name, mesh)) = selection
        .mesh
        .as_ref()
        .and_then(|m| scene.skinned_meshes.get_key_value(m))
    else {
        ui.weak("Click a skinned mesh to see its bones.");
        state.active = false;
        return;
    };
    let skeleton = &mesh.skeleton;
    if state.mesh.as_ref() != Some(name) {
        *state = BonesState {
            mesh: Some(name.clone()),
            ..BonesState::default()
        };
    }
    let news = selection.part != state.last;
    state.last = selection.part;
    if let Some(part) = selection.part.filter(|_| news) {
        unfold(state, skeleton, part);
    }
    let lines = lines(skeleton, &state.folded);
    let names: Vec<_> = lines.iter().map(|line| name_of(skeleton, line.part)).collect();
    let mut times = HashMap::<&str, usize>::new();
    for name in &names {
        *times.entry(name).or_default() += 1;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let top = ui.cursor().top();
    let mut selected_rect = None;
    for (line, name) in lines.iter().zip(&names) {
        let row = row(
            skeleton,
            *line,
            name,
            times[name.as_str()] > 1,
            selection.part == Some(line.part),
        );
        let output = row_ui(ui, &row, lines.len() > MANY);
        if row.selected {
            selected_rect = Some(output.rect);
        }
        if let (true, Part::Bone(bone)) = (output.open_clicked, line.part) {
            fold(state, bone, line.open == Some(true));
        } else if output.clicked {
            state.last = Some(line.part);
            out.push(Request::Select(selection.with_part(Some(line.part))));
        }
    }
    if skeleton.bones.is_empty() {
        ui.weak("No bones yet. New bone draws them into the mesh.");
    }
    let area = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=ui.cursor().top());
    let moved = keys(
        ui,
        state,
        &lines,
        selection.part,
        area.intersect(ui.clip_rect()),
        skeleton,
    );
    if let Some(part) = moved {
        out.push(Request::Select(selection.with_part(Some(part))));
    }
    if let Some(rect) = selected_rect.filter(|_| news) {
        // With a row of neighbours around it.
        ui.scroll_to_rect(rect.expand2(egui::vec2(0.0, rect.height())), None);
    }
}

fn name_of(skeleton: &Skeleton, part: Part) -> String {
    match part {
        Part::Base => "Base".into(),
        Part::Bone(bone) => format!("Bone {}", skeleton.bone_name(bone)),
        Part::Handle(handle) => format!("Handle {}", skeleton.handle_name(handle)),
    }
}

fn row<'a>(skeleton: &Skeleton, line: Line, name: &'a str, shared: bool, selected: bool) -> Row<'a> {
    let (tooltip, quiet, number) = match line.part {
        Part::Base => ("Where the root bones start", false, 0),
        Part::Bone(bone) => ("Bone", false, bone),
        Part::Handle(handle) => {
            let enabled = skeleton.handles[handle].enabled;
            (
                if enabled {
                    "IK handle"
                } else {
                    "IK handle, not enabled"
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
        icon: icons::of_part(line.part),
        tooltip,
        indent: line.depth,
        selected,
        quiet,
        open: line.open,
        shown: None,
    }
}

fn fold(state: &mut BonesState, bone: usize, folded: bool) {
    if folded {
        state.folded.insert(bone);
    } else {
        state.folded.remove(&bone);
    }
}

/// Arrow keys, while the tree was pressed last and nothing types: up and down move, left folds or goes
/// to the parent, right unfolds or goes to the first child. What to select, if something new.
fn keys(
    ui: &Ui,
    state: &mut BonesState,
    lines: &[Line],
    selected: Option<Part>,
    area: Rect,
    skeleton: &Skeleton,
) -> Option<Part> {
    let pressed_at = ui.input(|i| {
        i.pointer
            .any_pressed()
            .then(|| i.pointer.interact_pos())
            .flatten()
    });
    if let Some(at) = pressed_at {
        state.active = area.contains(at) && ui.ctx().layer_id_at(at) == Some(ui.layer_id());
    }
    if !state.active || !ui.is_enabled() || ui.memory(|m| m.focused().is_some()) {
        return None;
    }
    let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    let at = selected.and_then(|part| lines.iter().position(|line| line.part == part));
    let Some(at) = at else {
        return (pressed(Key::ArrowDown) || pressed(Key::ArrowUp)).then(|| lines[0].part);
    };
    let line = lines[at];
    let next = lines.get(at + 1).map(|line| line.part);
    if pressed(Key::ArrowDown) {
        return next;
    }
    if pressed(Key::ArrowUp) {
        return lines.get(at.checked_sub(1)?).map(|line| line.part);
    }
    match (line.part, line.open) {
        (Part::Bone(bone), Some(true)) if pressed(Key::ArrowLeft) => fold(state, bone, true),
        (Part::Bone(bone), Some(false)) if pressed(Key::ArrowRight) => fold(state, bone, false),
        (_, Some(true)) if pressed(Key::ArrowRight) => return next,
        _ if pressed(Key::ArrowLeft) => return above(skeleton, line.part).map(Part::Bone),
        _ => {}
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::{Bone, Handle};

    fn skeleton(parents: &[Option<u32>], handles: &[u32]) -> Skeleton {
        let handle = |bone: &u32| Handle {
            bone: *bone,
            target: glam::Vec3::ZERO,
            enabled: true,
            channel_id: 0,
            extra: Default::default(),
        };
        Skeleton {
            bones: parents
                .iter()
                .map(|p| Bone {
                    parent: *p,
                    ..Bone::default()
                })
                .collect(),
            handles: handles.iter().map(handle).collect(),
            ..Skeleton::default()
        }
    }

    #[test]
    fn depth_first_with_handles_before_children() {
        let skeleton = skeleton(&[None, Some(0), None, Some(1), Some(0)], &[0, 3]);
        let parts: Vec<_> = lines(&skeleton, &HashSet::new())
            .iter()
            .map(|l| (l.part, l.depth))
            .collect();
        let expected = [
            (Part::Base, 0),
            (Part::Bone(0), 0),
            (Part::Handle(0), 1),
            (Part::Bone(1), 1),
            (Part::Bone(3), 2),
            (Part::Handle(1), 3),
            (Part::Bone(4), 1),
            (Part::Bone(2), 0),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn folded_bones_hide_what_is_under_them() {
        let skeleton = skeleton(&[None, Some(0), Some(1)], &[2]);
        let folded = HashSet::from([0]);
        let shown = lines(&skeleton, &folded);
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[1].open, Some(false));
    }

    #[test]
    fn wrong_parents_and_handles_neither_hang_nor_vanish() {
        let skeleton = skeleton(&[Some(7), Some(1), Some(2)], &[9]);
        assert_eq!(lines(&skeleton, &HashSet::new()).len(), 4);
    }

    #[test]
    fn a_selection_deep_inside_unfolds_its_way() {
        let skeleton = skeleton(&[None, Some(0), Some(1)], &[2]);
        let mut state = BonesState {
            folded: HashSet::from([0, 1, 2]),
            ..BonesState::default()
        };
        unfold(&mut state, &skeleton, Part::Bone(2));
        assert_eq!(state.folded, HashSet::from([2]));
        unfold(&mut state, &skeleton, Part::Handle(0));
        assert!(state.folded.is_empty());
    }
}
