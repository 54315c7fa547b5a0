//! The rows of the sheet with what they are called and which of their keys are selected; made again only
//! when the document, the selection or what is folded changed.

use crate::edit::selection::{Part, Selection};
use crate::edit::timeline::{KeySelection, Row, RowOf, rows};
use crate::edit::view::View;
use crate::editor::ui::icons;
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A row.
pub struct Line {
    pub row: Row,
    /// Unique among the rows: "Hand.L", "Hand.L of Twin".
    pub name: String,
    pub icon: &'static str,
    /// What a click on it selects, if it stands for one thing.
    pub thing: Option<ObjectRef>,
    /// Whether each of its keys is selected; `None`: some of those that it stands for.
    pub states: Vec<Option<bool>>,
}

/// What to show, beside the scene.
#[derive(Clone, Default, PartialEq)]
pub struct Shown {
    pub only_selected: bool,
    /// Names of skinned meshes whose parts are not shown.
    pub folded: BTreeSet<String>,
}

#[derive(Default)]
pub struct Lines {
    made_of: Option<(Scene, Selection, Shown)>,
    states_of: Option<Arc<KeySelection>>,
    lines: Vec<Line>,
    key_count: usize,
    /// How often rows were made.
    #[cfg(test)]
    made: usize,
}

impl Lines {
    /// The first is the summary. None at all where nothing is to be shown.
    pub fn all(&self) -> &[Line] {
        &self.lines
    }

    /// The number of keys of all rows that are shown.
    pub fn key_count(&self) -> usize {
        self.key_count
    }

    /// Brings them up to date. `session.scene()` is looked at and not what is seen, which is another at each
    /// frame that is played.
    pub fn update(&mut self, view: &View, shown: &Shown, keys: &Arc<KeySelection>) {
        let scene = view.session.scene();
        // Without the filter nothing depends on the selection.
        let selection = match shown.only_selected {
            true => view.session.selection().clone(),
            false => Selection::default(),
        };
        let same = self
            .made_of
            .as_ref()
            .is_some_and(|(of, chosen, how)| of.is_shared(scene) && *chosen == selection && how == shown);
        if !same {
            self.lines = lines(scene, &selection, shown);
            let all = self.lines.first().map_or(&[][..], |all| &all.row.channels);
            let channels = all.iter().filter_map(|channel| scene.animation.get(channel));
            self.key_count = channels.map(|channel| channel.key_count()).sum();
            self.made_of = Some((scene.clone(), selection, shown.clone()));
            self.states_of = None;
            #[cfg(test)]
            {
                self.made += 1;
            }
        }
        if self.states_of.as_ref() != Some(keys) {
            for line in &mut self.lines {
                line.states = keys.states(scene, &line.row);
            }
            self.states_of = Some(Arc::clone(keys));
        }
    }
}

fn lines(scene: &Scene, selection: &Selection, shown: &Shown) -> Vec<Line> {
    let rows = rows(scene, selection, shown.only_selected, &shown.folded);
    let kinds = kinds(scene);
    let mut times = BTreeMap::<String, usize>::new();
    rows.iter()
        .for_each(|row| *times.entry(row.label.clone()).or_default() += 1);
    let mut taken = BTreeSet::new();
    let line = |row: Row| {
        let clash = times.get(&row.label).is_some_and(|times| *times > 1);
        let wanted = match &row.of {
            RowOf::Part { mesh, .. } if clash => format!("{} of {mesh}", row.label),
            _ => row.label.clone(),
        };
        let mut name = wanted.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}, number {number}");
        }
        let kind = match &row.of {
            RowOf::Named(name) => kinds.get(name.as_str()).copied(),
            _ => None,
        };
        Line {
            name,
            icon: match (&row.of, kind) {
                (RowOf::Part { part, .. }, _) => icons::of_part(*part),
                (RowOf::Orphan(_), _) => icons::WARNING,
                (RowOf::Summary, _) => icons::SUMMARY,
                (RowOf::Named(_), kind) => kind.map_or(icons::SUMMARY, icons::of_thing),
            },
            thing: kind.map(|kind| ObjectRef::new(kind, row.label.clone())),
            row,
            states: Vec::new(),
        }
    };
    rows.into_iter().map(line).collect()
}

/// What each name is the name of: an instance rather than what it places, which is selected by it.
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

/// What a click on a row selects; `None` for rows that stand for no thing.
pub fn chosen(scene: &Scene, line: &Line) -> Option<Selection> {
    match &line.row.of {
        RowOf::Part { mesh, part } => Some(Selection::of_mesh(scene, mesh).with_part(Some(*part))),
        RowOf::Named(_) => {
            let thing = line.thing.as_ref()?;
            Some(match thing.kind {
                Kind::SkinnedMesh => Selection::of_mesh(scene, &thing.name),
                _ => Selection::of_thing(scene, thing),
            })
        }
        RowOf::Summary | RowOf::Orphan(_) => None,
    }
}

/// Whether what the row shows is selected: its part, or the whole of it. A folded character stands for its
/// parts.
pub fn is_chosen(scene: &Scene, selection: &Selection, line: &Line, shown: &Shown) -> bool {
    match &line.row.of {
        RowOf::Part { mesh, part } => {
            selection.mesh.as_deref() == Some(mesh.as_str()) && selection.is_selected(*part)
        }
        RowOf::Named(name) => {
            let is = |other: Option<&str>| other == Some(name.as_str());
            if selection.part.is_some() {
                return is(selection.mesh.as_deref()) && shown.folded.contains(name);
            }
            let instance = selection.instance.as_ref();
            let transform = instance.and_then(|instance| scene.instances.get(instance)?.transform);
            is(selection.mesh.as_deref())
                || is(instance.map(|instance| instance.name.as_str()))
                || is(selection.resource.as_ref().map(|thing| thing.name.as_str()))
                || is(transform)
        }
        RowOf::Summary | RowOf::Orphan(_) => false,
    }
}

/// The selection after a click on the row of a part: with Ctrl the part beside the others, or no longer;
/// with Shift all rows from the active part to it.
pub fn clicked(
    scene: &Scene,
    selection: &Selection,
    lines: &[Line],
    at: usize,
    modifiers: egui::Modifiers,
) -> Option<Selection> {
    let line = lines.get(at)?;
    let RowOf::Part { mesh, part } = &line.row.of else {
        return chosen(scene, line);
    };
    let same_mesh = selection.mesh.as_ref() == Some(mesh);
    if !same_mesh || !(modifiers.shift || modifiers.command) {
        return chosen(scene, line);
    }
    if modifiers.command {
        return Some(selection.toggled(*part));
    }
    let of_mesh = |line: &Line| match &line.row.of {
        RowOf::Part { mesh: other, part } if other == mesh => Some(*part),
        _ => None,
    };
    let parts: Vec<Part> = lines.iter().filter_map(of_mesh).collect();
    let place = |part: Part| parts.iter().position(|other| *other == part);
    let (Some(from), Some(to)) = (selection.part.and_then(place), place(*part)) else {
        return chosen(scene, line);
    };
    let between = parts[from.min(to)..=from.max(to)].iter().copied();
    Some(selection.with_parts([*part].into_iter().chain(between)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::channel::{Channel, ChannelRef, Value};
    use crate::edit::session::Session;
    use crate::edit::view::ViewSettings;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::scene::evaluate::Evaluated;
    use crate::scene::skinned::SkinnedMesh;
    use std::sync::Arc;

    /// Two characters of two bones each, all of one name, each with a key at 0 and at 10.
    fn scene() -> Scene {
        let mut scene = Scene::default();
        let mut animation = (*scene.animation).clone();
        for mesh in ["Ann", "Bob"] {
            let bone = |channel_id| Bone {
                name: Some("Leg".into()),
                channel_id,
                ..Bone::default()
            };
            let skeleton = Arc::new(Skeleton {
                bones: vec![bone(0), bone(1)],
                ..Skeleton::default()
            });
            let skinned = SkinnedMesh {
                skeleton,
                ..SkinnedMesh::default()
            };
            scene.skinned_meshes.insert(mesh.into(), Arc::new(skinned));
            for bone in ["bone.0.pose", "bone.1.pose"] {
                let mut channel = Channel::empty_for(&Value::Vec3(glam::Vec3::ZERO));
                channel.put_key(0.0, Value::Vec3(glam::Vec3::ZERO));
                channel.put_key(10.0, Value::Vec3(glam::Vec3::X));
                let of = animation.channels.entry(mesh.into()).or_default();
                of.insert(ChannelRef::new(mesh, bone).channel, Arc::new(channel));
            }
        }
        scene.animation = Arc::new(animation);
        scene
    }

    fn update(lines: &mut Lines, session: &Session, keys: &Arc<KeySelection>) {
        let (evaluated, settings) = (Evaluated::default(), ViewSettings::default());
        let view = View {
            session,
            evaluated: &evaluated,
            settings: &settings,
        };
        lines.update(&view, &Shown::default(), keys);
    }

    #[test]
    fn rows_have_names_of_their_own() {
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
    fn playing_and_selecting_keys_make_no_rows_anew() {
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
        assert_eq!(lines.made, 1);
        assert_eq!(lines.all()[0].states, [Some(false), None]);
        assert_eq!(lines.all()[2].states, [Some(false), Some(true)]);
    }
}
