//! Which keys ask for which actions: those of the table, those of a preset, and those that a person has given.

use super::{Action, KeyPress, Shortcut};
use crate::edit::options::Keymap;
use crate::edit::preset::Preset;
use std::borrow::Cow;

type Row = (Action, &'static [Shortcut]);

/// Where the keys of a preset differ from the table of actions.
fn rows(preset: Preset) -> &'static [Row] {
    match preset {
        Preset::Ossature => &[],
        Preset::Blender => BLENDER,
        Preset::Maya => MAYA,
    }
}

/// Blender 4, as far as it has the same things to do.
const BLENDER: &[Row] = &[
    (Action::SELECT_ALL, &[Shortcut::plain("A")]),
    (Action::DESELECT, &[Shortcut::plain("Escape"), Shortcut::alt("A")]),
    (Action::FRAME_ALL, &[Shortcut::plain("Home")]),
    (Action::FRAME_SELECTED, &[Shortcut::plain("Period")]),
    (Action::NEXT_KEY, &[Shortcut::plain("ArrowUp")]),
    (Action::PREVIOUS_KEY, &[Shortcut::plain("ArrowDown")]),
    (Action::DELETE, &[Shortcut::plain("Delete"), Shortcut::plain("X")]),
    (Action::GIZMO_MOVE, &[Shortcut::plain("G")]),
    (Action::GIZMO_ROTATE, &[Shortcut::plain("R")]),
    (Action::GIZMO_SCALE, &[Shortcut::plain("S")]),
    (Action::CYCLE_AXES, &[Shortcut::plain("Comma")]),
    (Action::NEW_BONE, &[Shortcut::plain("E")]),
    (Action::INSERT_KEYS, &[Shortcut::plain("I")]),
    (Action::DELETE_KEYS, &[Shortcut::alt("I")]),
    (Action::TWEEN, &[Shortcut::shift("E")]),
    (Action::BLEND_TO_NEIGHBORS, &[Shortcut::alt("E")]),
];

/// Maya, as far as it has the same things to do.
const MAYA: &[Row] = &[
    (Action::INSERT_KEYS, &[Shortcut::plain("S")]),
    (Action::UNDO, &[Shortcut::ctrl("Z"), Shortcut::plain("Z")]),
    (
        Action::REDO,
        &[
            Shortcut::ctrl("Y"),
            Shortcut::ctrl_shift("Z"),
            Shortcut::shift("Z"),
        ],
    ),
    (Action::TOGGLE_WIREFRAME, &[Shortcut::plain("Num4")]),
    (Action::PLAY, &[Shortcut::plain("Space"), Shortcut::alt("V")]),
    (Action::DUPLICATE, &[Shortcut::ctrl("D")]),
    (
        Action::NEXT_FRAME,
        &[Shortcut::plain("ArrowRight"), Shortcut::alt("Period")],
    ),
    (
        Action::PREVIOUS_FRAME,
        &[Shortcut::plain("ArrowLeft"), Shortcut::alt("Comma")],
    ),
    (Action::NEXT_KEY, &[Shortcut::plain("Period")]),
    (Action::PREVIOUS_KEY, &[Shortcut::plain("Comma")]),
    (
        Action::FIRST_FRAME,
        &[Shortcut::shift("ArrowLeft"), Shortcut::alt_shift("V")],
    ),
    (Action::SET_PARENT, &[Shortcut::plain("P")]),
    (Action::CLEAR_PARENT, &[Shortcut::shift("P")]),
    (Action::PIN, &[Shortcut::alt("P")]),
    (Action::TOGGLE_MOTION_PATHS, &[]),
    (
        Action::SELECT_PARENT,
        &[Shortcut::plain("ArrowUp"), Shortcut::plain("OpenBracket")],
    ),
    (
        Action::SELECT_CHILDREN,
        &[Shortcut::plain("ArrowDown"), Shortcut::plain("CloseBracket")],
    ),
];

impl Keymap {
    /// A preset as it is.
    pub fn of_preset(preset: Preset) -> Self {
        Self {
            preset,
            ..Self::default()
        }
    }

    /// The keys of an action; menus show the first.
    pub fn shortcuts(&self, action: Action) -> Cow<'_, [Shortcut]> {
        match self.changed.get(action.id) {
            Some(own) => Cow::Borrowed(own),
            None => Cow::Borrowed(self.of_preset_alone(action)),
        }
    }

    fn of_preset_alone(&self, action: Action) -> &'static [Shortcut] {
        let row = rows(self.preset).iter().find(|(of, _)| *of == action);
        row.map_or(action.shortcuts, |(_, keys)| keys)
    }

    /// The key that menus show.
    pub fn text(&self, action: Action) -> Option<String> {
        self.shortcuts(action).first().map(ToString::to_string)
    }

    /// The action of a key that was pressed, if any: by its sign, else by its place. A digit is the same key on
    /// the number pad and in the number row.
    pub fn action(&self, pressed: &KeyPress) -> Option<Action> {
        let found = |is: fn(&KeyPress, &Shortcut) -> bool| {
            Action::all().find(|action| self.shortcuts(*action).iter().any(|key| is(pressed, key)))
        };
        found(KeyPress::is).or_else(|| found(KeyPress::is_in_place_of))
    }

    /// The action that has a key.
    pub fn owner(&self, key: Shortcut) -> Option<Action> {
        Action::all().find(|action| self.shortcuts(*action).contains(&key))
    }

    /// Gives an action a key beside those that it has; whoever had it has it no longer.
    pub fn add(&mut self, action: Action, key: Shortcut) {
        if let Some(owner) = self.owner(key) {
            self.remove(owner, key);
        }
        let mut keys = self.shortcuts(action).into_owned();
        keys.push(key);
        self.set(action, keys);
    }

    pub fn remove(&mut self, action: Action, key: Shortcut) {
        let mut keys = self.shortcuts(action).into_owned();
        keys.retain(|own| *own != key);
        self.set(action, keys);
    }

    /// Another preset. Keys that a person gave stay where they are; what the preset has them for goes without.
    pub fn change_preset(&mut self, preset: Preset) {
        let given: Vec<(Action, Vec<Shortcut>)> = Action::all()
            .filter_map(|action| Some((action, self.changed.get(action.id)?.clone())))
            .collect();
        self.preset = preset;
        for key in given.iter().flat_map(|(_, keys)| keys) {
            while let Some(other) = Action::all()
                .find(|other| !self.changed.contains_key(other.id) && self.shortcuts(*other).contains(key))
            {
                self.remove(other, *key);
            }
        }
    }

    /// Whether a person has changed the keys of an action.
    pub fn is_changed(&self, action: Action) -> bool {
        self.changed.contains_key(action.id)
    }

    /// Gives an action the keys of the preset again, but none that another action has now.
    pub fn reset(&mut self, action: Action) {
        self.changed.remove(action.id);
        let keys = self.of_preset_alone(action).to_vec();
        let has_other = |key: &Shortcut| {
            Action::all().any(|other| other != action && self.shortcuts(other).contains(key))
        };
        let free: Vec<Shortcut> = keys.iter().copied().filter(|key| !has_other(key)).collect();
        self.set(action, free);
    }

    /// Names among the changed ones that are of no action.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let names = self.changed.keys().map(String::as_str);
        names.filter(|name| Action::all().all(|action| action.id != *name))
    }

    fn set(&mut self, action: Action, keys: Vec<Shortcut>) {
        match keys == self.of_preset_alone(action) {
            true => drop(self.changed.remove(action.id)),
            false => drop(self.changed.insert(action.id.to_owned(), keys)),
        }
    }
}
