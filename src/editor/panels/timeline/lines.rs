//! The rows of the sheet, with their names and the selection state of their keys. Rebuilt only when the
//! document, the selection or the folding changes.

use crate::anim::layer::is_weight;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::View;
use crate::edit::time::keying;
use crate::edit::time::timeline::{self, KeySelection, Row, RowChoice, RowSubject};
use crate::editor::ui::icons;
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A row of the sheet.
pub struct Line {
    pub row: Row,
    /// A name that is unique among the rows: "Hand.L", "Hand.L of Twin".
    pub name: String,
    pub icon: &'static str,
    /// The object that a click selects, if the row represents one.
    pub object: Option<ObjectRef>,
    /// Whether each of its keys is selected; `None` if only some of the keys it represents are.
    pub states: Vec<Option<bool>>,
}

/// The options that determine which rows are shown.
#[derive(Clone, Default, PartialEq)]
pub struct RowFilter {
    pub choice: RowChoice,
    /// Whether rows without keys are left out, and all others are shown if the selection has none.
    pub needs_keys: bool,
}

#[derive(Default)]
pub struct Lines {
    /// The inputs from which the lines were built.
    inputs: Option<(Scene, Selection, RowFilter)>,
    /// The selected keys from which the states were computed.
    states_input: Option<Arc<KeySelection>>,
    lines: Vec<Line>,
    key_count: usize,
    /// The number of times that rows were built.
    build_count: usize,
}

impl Lines {
    /// The rows, of which the first is the summary; empty if there is nothing to show.
    pub fn all(&self) -> &[Line] {
        &self.lines
    }

    /// The number of times that rows were built: what depends on them is current as long as it stays.
    pub fn build_count(&self) -> usize {
        self.build_count
    }

    /// The number of keys in all visible rows.
    pub fn key_count(&self) -> usize {
        self.key_count
    }

    /// Updates the lines. Compares `session.scene()` instead of the animated scene, which changes with every
    /// frame during playback.
    pub fn update(&mut self, view: &View, filter: &RowFilter, keys: &Arc<KeySelection>) {
        let scene = view.session.scene();
        // Rows depend on the selection only if they are filtered by it.
        let selection =
            if filter.choice.only_selected { view.session.selection().clone() } else { Selection::default() };
        let is_current = self.inputs.as_ref().is_some_and(|(old, chosen, old_filter)| {
            old.is_shared(scene) && *chosen == selection && old_filter == filter
        });
        if !is_current {
            self.lines = lines(scene, &selection, filter);
            let all = self.lines.first().map_or(&[][..], |all| &all.row.channels);
            let channels = all.iter().filter_map(|channel| scene.animation.get(channel));
            self.key_count = channels.map(|channel| channel.key_count()).sum();
            self.inputs = Some((scene.clone(), selection, filter.clone()));
            self.states_input = None;
            self.build_count += 1;
        }
        if self.states_input.as_ref() != Some(keys) {
            for line in &mut self.lines {
                line.states = keys.states(scene, &line.row);
            }
            self.states_input = Some(Arc::clone(keys));
        }
    }
}

fn lines(scene: &Scene, selection: &Selection, filter: &RowFilter) -> Vec<Line> {
    let has_keys = |row: &Row| !row.keys.is_empty();
    let mut rows = timeline::rows(scene, selection, &filter.choice);
    // The weights of layers are shown whatever is selected.
    let is_selected = |row: &Row| {
        row.channels.iter().any(|channel| !is_weight(&channel.channel) && keying::has_keys(scene, channel))
    };
    if filter.needs_keys && !rows.iter().any(is_selected) {
        // A hand that is dragged keys its arm, not itself.
        rows = timeline::rows(scene, selection, &RowChoice { only_selected: false, ..filter.choice.clone() });
    }
    rows.retain(|row| !filter.needs_keys || has_keys(row));
    let kinds = kinds(scene);
    let mut label_counts = BTreeMap::<String, usize>::new();
    rows.iter().for_each(|row| *label_counts.entry(row.label.clone()).or_default() += 1);
    let mut taken = BTreeSet::new();
    let line = |row: Row| {
        let is_ambiguous = label_counts.get(&row.label).is_some_and(|count| *count > 1);
        let preferred = match &row.subject {
            RowSubject::Part { mesh, .. } | RowSubject::Layer { mesh, .. } if is_ambiguous => {
                format!("{} of {mesh}", row.label)
            }
            _ => row.label.clone(),
        };
        let mut name = preferred.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{preferred}, number {number}");
        }
        let kind = match &row.subject {
            RowSubject::Named(name) => kinds.get(name.as_str()).copied(),
            _ => None,
        };
        Line {
            name,
            icon: match (&row.subject, kind) {
                (RowSubject::Part { part, .. }, _) => icons::for_part(*part),
                (RowSubject::Layer { .. }, _) => icons::LAYER,
                (RowSubject::Orphan(_), _) => icons::WARNING,
                (RowSubject::Summary, _) => icons::SUMMARY,
                (RowSubject::Named(_), kind) => kind.map_or(icons::SUMMARY, icons::for_object),
            },
            object: kind.map(|kind| ObjectRef::new(kind, row.label.clone())),
            row,
            states: Vec::new(),
        }
    };
    rows.into_iter().map(line).collect()
}

/// Maps each name to a kind; for an instance and a resource of the same name, usually that of the instance.
fn kinds(scene: &Scene) -> BTreeMap<&str, Kind> {
    let mut kinds = BTreeMap::new();
    for (kind, name) in scene.names() {
        match kind {
            Kind::Instance(_) if kinds.get(name) != Some(&Kind::SkinnedMesh) => {
                kinds.insert(name, kind);
            }
            _ => {
                kinds.entry(name).or_insert(kind);
            }
        }
    }
    kinds
}

/// The selection after a plain click on a row; `None` for rows that represent no object.
pub fn selection_of(scene: &Scene, line: &Line) -> Option<Selection> {
    match &line.row.subject {
        RowSubject::Part { mesh, part } => Some(Selection::from_mesh(scene, mesh).with_part(Some(*part))),
        RowSubject::Named(_) => {
            let object = line.object.as_ref()?;
            Some(match object.kind {
                Kind::SkinnedMesh => Selection::from_mesh(scene, &object.name),
                _ => Selection::from_object(scene, object),
            })
        }
        RowSubject::Summary | RowSubject::Layer { .. } | RowSubject::Orphan(_) => None,
    }
}

/// Whether the part or object that the row represents is selected. A folded character also represents its
/// parts.
pub fn is_line_selected(scene: &Scene, selection: &Selection, line: &Line, filter: &RowFilter) -> bool {
    match &line.row.subject {
        RowSubject::Part { mesh, part } => {
            selection.mesh.as_deref() == Some(mesh.as_str()) && selection.is_selected(*part)
        }
        RowSubject::Named(name) => {
            let has_name = |other: Option<&str>| other == Some(name.as_str());
            if selection.part.is_some() {
                return has_name(selection.mesh.as_deref()) && filter.choice.folded.contains(name);
            }
            let instance = selection.instance.as_ref();
            let transform = instance.and_then(|instance| scene.instances.get(instance)?.transform);
            has_name(selection.mesh.as_deref())
                || has_name(instance.map(|instance| instance.name.as_str()))
                || has_name(selection.resource.as_ref().map(|object| object.name.as_str()))
                || has_name(transform)
        }
        RowSubject::Summary | RowSubject::Layer { .. } | RowSubject::Orphan(_) => false,
    }
}

/// The selection after a click on a row: on the row of a part, Ctrl toggles the part, and Shift selects all
/// rows from the active part to it.
pub fn selection_after_click(
    scene: &Scene,
    selection: &Selection,
    lines: &[Line],
    index: usize,
    modifiers: egui::Modifiers,
) -> Option<Selection> {
    let line = lines.get(index)?;
    let RowSubject::Part { mesh, part } = &line.row.subject else {
        return selection_of(scene, line);
    };
    let is_same_mesh = selection.mesh.as_ref() == Some(mesh);
    if !is_same_mesh || !(modifiers.shift || modifiers.command) {
        return selection_of(scene, line);
    }
    if modifiers.command {
        return Some(selection.toggled(*part));
    }
    let part_of_mesh = |line: &Line| match &line.row.subject {
        RowSubject::Part { mesh: other, part } if other == mesh => Some(*part),
        _ => None,
    };
    let parts: Vec<Part> = lines.iter().filter_map(part_of_mesh).collect();
    let position = |part: Part| parts.iter().position(|other| *other == part);
    let (Some(from), Some(to)) = (selection.part.and_then(position), position(*part)) else {
        return selection_of(scene, line);
    };
    let between = parts[from.min(to)..=from.max(to)].iter().copied();
    Some(selection.with_parts([*part].into_iter().chain(between)))
}

/// Returns the text for a channel: "pose" for "bone.3.pose".
pub fn channel_text(channel: &str) -> String {
    let last = channel.rsplit('.').next().unwrap_or(channel);
    last.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::channel::{Channel, ChannelRef, Value};
    use crate::edit::session::Session;
    use crate::edit::settings::view::ViewSettings;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::scene::evaluate::Evaluated;
    use crate::scene::skinned::SkinnedMesh;
    use std::sync::Arc;

    /// Two characters of two bones each, all with the same name, each with keys at frames 0 and 10.
    fn scene() -> Scene {
        let mut scene = Scene::default();
        let mut animation = (*scene.animation).clone();
        for mesh in ["Ann", "Bob"] {
            let bone = |channel_id| Bone { name: Some("Leg".into()), channel_id, ..Bone::default() };
            let skeleton = Arc::new(Skeleton { bones: vec![bone(0), bone(1)], ..Skeleton::default() });
            let skinned = SkinnedMesh { skeleton, ..SkinnedMesh::default() };
            scene.skinned_meshes.insert(mesh.into(), Arc::new(skinned));
            for bone in ["bone.0.pose", "bone.1.pose"] {
                let mut channel = Channel::empty_for(&Value::Vec3(glam::Vec3::ZERO));
                channel.set_key(0.0, Value::Vec3(glam::Vec3::ZERO));
                channel.set_key(10.0, Value::Vec3(glam::Vec3::X));
                let channels = animation.channels.entry(mesh.into()).or_default();
                channels.insert(ChannelRef::new(mesh, bone).channel, Arc::new(channel));
            }
        }
        scene.animation = Arc::new(animation);
        scene
    }

    fn update(lines: &mut Lines, session: &Session, keys: &Arc<KeySelection>) {
        let (evaluated, settings) = (Evaluated::default(), ViewSettings::default());
        let view = View { session, evaluated: &evaluated, settings: &settings };
        lines.update(&view, &RowFilter::default(), keys);
    }

    #[test]
    fn row_names_are_unique() {
        let mut lines = Lines::default();
        update(&mut lines, &Session::new(scene(), None), &Arc::default());
        let names: Vec<_> = lines.all().iter().map(|line| line.name.as_str()).collect();
        let expected = [
            "Summary",
            "Ann",
            "Leg of Ann",
            "Leg of Ann, number 2",
            "Bob",
            "Leg of Bob",
            "Leg of Bob, number 2",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn playback_and_selecting_keys_do_not_rebuild_rows() {
        let mut session = Session::new(scene(), None);
        let mut lines = Lines::default();
        let mut keys = Arc::<KeySelection>::default();
        for frame in 0..5 {
            session.set_frame(frame as f32);
            update(&mut lines, &session, &keys);
        }
        assert_eq!(lines.all()[0].states, [Some(false), Some(false)]);
        keys = Arc::new(keys.clicked(session.scene(), &lines.all()[2].row, 10.0, false));
        update(&mut lines, &session, &keys);
        assert_eq!(lines.build_count, 1);
        assert_eq!(lines.all()[0].states, [Some(false), None]);
        assert_eq!(lines.all()[2].states, [Some(false), Some(true)]);
    }

    #[test]
    fn channels_are_named_by_their_property() {
        for (channel, text) in [
            ("bone.3.pose", "pose"),
            ("base_offset", "base offset"),
            ("handle.0.enabled", "enabled"),
            ("color", "color"),
        ] {
            assert_eq!(channel_text(channel), text);
        }
    }
}
