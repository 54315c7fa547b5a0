//! The assignment of keys to actions: from the action table, from a preset, and from the user.

use super::{Action, KeyPress, Shortcut};
use crate::edit::settings::options::Keymap;
use crate::edit::settings::preset::Preset;
use std::borrow::Cow;

type Row = (Action, &'static [Shortcut]);

/// Returns the keys of a preset that differ from the action table.
fn rows(preset: Preset) -> &'static [Row] {
    match preset {
        Preset::Ossature => &[],
        Preset::Blender => BLENDER,
        Preset::Maya => MAYA,
    }
}

/// Keys as in Blender 4, for equivalent actions.
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

/// Keys as in Maya, for equivalent actions.
const MAYA: &[Row] = &[
    (Action::INSERT_KEYS, &[Shortcut::plain("S")]),
    (Action::GIZMO_MOVE, &[Shortcut::plain("W")]),
    (Action::GIZMO_SCALE, &[Shortcut::plain("R")]),
    (Action::UNDO, &[Shortcut::ctrl("Z"), Shortcut::plain("Z")]),
    (Action::SWITCH_SHADING, &[]),
    (Action::REDO, &[Shortcut::ctrl("Y"), Shortcut::ctrl_shift("Z"), Shortcut::shift("Z")]),
    (Action::TOGGLE_WIREFRAME, &[Shortcut::plain("Num4")]),
    (Action::PLAY, &[Shortcut::plain("Space"), Shortcut::alt("V")]),
    (Action::DUPLICATE, &[Shortcut::ctrl("D")]),
    (Action::NEXT_FRAME, &[Shortcut::plain("ArrowRight"), Shortcut::alt("Period")]),
    (Action::PREVIOUS_FRAME, &[Shortcut::plain("ArrowLeft"), Shortcut::alt("Comma")]),
    (Action::NEXT_KEY, &[Shortcut::plain("Period")]),
    (Action::PREVIOUS_KEY, &[Shortcut::plain("Comma")]),
    (Action::FIRST_FRAME, &[Shortcut::shift("ArrowLeft"), Shortcut::alt_shift("V")]),
    (Action::SET_PARENT, &[Shortcut::plain("P")]),
    (Action::CLEAR_PARENT, &[Shortcut::shift("P")]),
    (Action::PIN, &[Shortcut::alt("P")]),
    (Action::TOGGLE_MOTION_PATHS, &[]),
    (Action::SELECT_PARENT, &[Shortcut::plain("ArrowUp"), Shortcut::plain("OpenBracket")]),
    (Action::SELECT_CHILDREN, &[Shortcut::plain("ArrowDown"), Shortcut::plain("CloseBracket")]),
];

impl Keymap {
    /// Creates a keymap with the unchanged keys of a preset.
    pub fn from_preset(preset: Preset) -> Self {
        Self { preset, ..Self::default() }
    }

    /// Returns the keys of an action; menus show the first.
    pub fn shortcuts(&self, action: Action) -> Cow<'_, [Shortcut]> {
        match self.changed.get(action.id) {
            Some(changed) => Cow::Borrowed(changed),
            None => Cow::Borrowed(self.preset_shortcuts(action)),
        }
    }

    fn preset_shortcuts(&self, action: Action) -> &'static [Shortcut] {
        let row = rows(self.preset).iter().find(|(other, _)| *other == action);
        row.map_or(action.shortcuts, |(_, keys)| keys)
    }

    /// Returns the key that menus show.
    pub fn text(&self, action: Action) -> Option<String> {
        self.shortcuts(action).first().map(ToString::to_string)
    }

    /// Finds the action of a pressed key: by the character, otherwise by the position on the keyboard. Digits
    /// on the number pad and in the number row are the same.
    pub fn action(&self, pressed: &KeyPress) -> Option<Action> {
        let find = |matches: fn(&KeyPress, &Shortcut) -> bool| {
            Action::all().find(|action| self.shortcuts(*action).iter().any(|key| matches(pressed, key)))
        };
        find(KeyPress::matches).or_else(|| find(KeyPress::matches_physically))
    }

    /// Finds the action to which a key is assigned.
    pub fn owner(&self, key: Shortcut) -> Option<Action> {
        Action::all().find(|action| self.shortcuts(*action).contains(&key))
    }

    /// Assigns an additional key to an action and takes it away from its previous owner.
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
        keys.retain(|other| *other != key);
        self.set(action, keys);
    }

    /// Switches to another preset. Keys that the user assigned are kept and removed from the preset's own
    /// actions.
    pub fn change_preset(&mut self, preset: Preset) {
        let assigned: Vec<(Action, Vec<Shortcut>)> =
            Action::all().filter_map(|action| Some((action, self.changed.get(action.id)?.clone()))).collect();
        self.preset = preset;
        for key in assigned.iter().flat_map(|(_, keys)| keys) {
            while let Some(other) = Action::all()
                .find(|other| !self.changed.contains_key(other.id) && self.shortcuts(*other).contains(key))
            {
                self.remove(other, *key);
            }
        }
    }

    /// Whether the user has changed the keys of an action.
    pub fn is_changed(&self, action: Action) -> bool {
        self.changed.contains_key(action.id)
    }

    /// Resets an action to the keys of the preset, except those that are now assigned to other actions.
    pub fn reset(&mut self, action: Action) {
        self.changed.remove(action.id);
        let keys = self.preset_shortcuts(action).to_vec();
        let is_taken = |key: &Shortcut| {
            Action::all().any(|other| other != action && self.shortcuts(other).contains(key))
        };
        let free: Vec<Shortcut> = keys.iter().copied().filter(|key| !is_taken(key)).collect();
        self.set(action, free);
    }

    /// Iterates over the changed entries that name no action.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        let names = self.changed.keys().map(String::as_str);
        names.filter(|name| Action::all().all(|action| action.id != *name))
    }

    fn set(&mut self, action: Action, keys: Vec<Shortcut>) {
        if keys == self.preset_shortcuts(action) {
            drop(self.changed.remove(action.id))
        } else {
            drop(self.changed.insert(action.id.to_owned(), keys))
        }
    }
}
