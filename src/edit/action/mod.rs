//! Actions: everything a user can ask for by menu, button or key, as rows of one table.
//!
//! A row says what its action is called, which keys it has, and what it would do now: [`ActionSpec::prepare`].
//! Menus, buttons, tooltips, shortcuts and the list of keys read the rows; what is prepared for a button is what
//! is carried out. There is a file for each menu: to add an action is to add a row to it.

mod add;
mod animate;
mod body;
pub mod bone;
mod edit;
mod file;
mod fk_ik;
mod help;
mod keymap;
pub mod limits;
pub mod lock;
pub mod pose;
mod prepared;
pub mod search;
pub mod select;
mod selected;
mod sides_of_bones;
pub mod takes;
mod vertices;
mod view;
pub mod weights;

use super::session::Session;
pub use super::shortcut::{KeyPress, Shortcut};
use super::view::{Tab, View, ViewSettings};
use crate::scene::evaluate::Evaluated;
pub use add::{Create, created};
pub use edit::{renamed, surface};
pub use help::EXAMPLES;
pub use prepared::{AppRequest, Dialog, Note, Prepared, ViewMove};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// Why an action cannot be done now: a sentence for its tooltip.
pub type Reason = Cow<'static, str>;

/// A row of the table.
pub struct ActionSpec {
    /// The name of its constant.
    pub id: &'static str,
    /// Sentence case; an ellipsis if and only if a dialog asks for more.
    pub text: &'static str,
    /// What it does, one sentence.
    pub tooltip: &'static str,
    /// What else people call it: the palette finds it by these too.
    pub words: &'static str,
    /// Unless a preset or a person gives it others ([`super::options::Keymap`]).
    pub shortcuts: &'static [Shortcut],
    /// Where it is found within its menu.
    pub submenu: Option<&'static str>,
    /// Whether a line goes above it there.
    pub separated: bool,
    /// Whether it is done again and again while its key is held.
    pub repeats: bool,
    /// Whether nothing is said where its key is pressed once too often.
    pub quiet: bool,
    /// Whether it is on; `None` for what is no switch.
    checked: Option<fn(&View) -> bool>,
    /// What it is called while it does the opposite of `text`.
    opposite: Option<Opposite>,
    /// Whether it can be done, where that takes less than to prepare it. It must agree with `prepare`.
    possible: Option<Possible>,
    prepare: Prepare,
}

type Prepare = fn(&View) -> Result<Prepared, Reason>;
type Possible = fn(&View) -> Result<(), Reason>;
/// Another text, and when it counts.
type Opposite = (&'static str, fn(&View) -> bool);

/// A row without keys, in no submenu, that is no switch.
const fn row(text: &'static str, tooltip: &'static str, prepare: Prepare) -> ActionSpec {
    ActionSpec {
        id: "",
        text,
        tooltip,
        words: "",
        shortcuts: &[],
        submenu: None,
        separated: false,
        repeats: false,
        quiet: false,
        checked: None,
        opposite: None,
        possible: None,
        prepare,
    }
}

impl ActionSpec {
    const fn words(self, words: &'static str) -> Self {
        Self { words, ..self }
    }

    const fn keys(self, shortcuts: &'static [Shortcut]) -> Self {
        Self { shortcuts, ..self }
    }

    const fn within(self, submenu: &'static str) -> Self {
        let submenu = Some(submenu);
        Self { submenu, ..self }
    }

    const fn separated(self) -> Self {
        let separated = true;
        Self { separated, ..self }
    }

    const fn repeats(self) -> Self {
        let (repeats, quiet) = (true, true);
        Self {
            repeats,
            quiet,
            ..self
        }
    }

    const fn quiet(self) -> Self {
        Self { quiet: true, ..self }
    }

    const fn checked(self, checked: fn(&View) -> bool) -> Self {
        let checked = Some(checked);
        Self { checked, ..self }
    }

    const fn opposite(self, text: &'static str, now: fn(&View) -> bool) -> Self {
        let opposite = Some((text, now));
        Self { opposite, ..self }
    }

    const fn possible(self, possible: Possible) -> Self {
        let possible = Some(possible);
        Self { possible, ..self }
    }

    /// Its text without the ellipsis.
    pub fn name(&self) -> &'static str {
        self.text.trim_end_matches('…')
    }
}

/// The constants of a menu, one for each row, and all of them in order.
macro_rules! rows {
    ($($name:ident = $row:expr),* $(,)?) => {
        impl $crate::edit::action::Action {
            $(pub const $name: Self = Self({
                const SPEC: &$crate::edit::action::ActionSpec = &$crate::edit::action::ActionSpec {
                    id: stringify!($name),
                    ..$row
                };
                SPEC
            });)*
        }

        pub const ROWS: &[$crate::edit::action::Action] = &[$($crate::edit::action::Action::$name),*];
    };
}
use rows;

/// A thing to do that needs no argument beyond the selection: a row of the table, with what the row says.
#[derive(Clone, Copy)]
pub struct Action(&'static ActionSpec);

impl Action {
    /// Every action, in the order of the menus.
    pub fn all() -> impl Iterator<Item = Action> {
        Menu::ALL.iter().flat_map(|menu| menu.actions).copied()
    }

    /// Whether it can be done now.
    ///
    /// # Errors
    /// Why not.
    pub fn enabled(self, view: &View) -> Result<(), Reason> {
        match self.0.possible {
            Some(possible) => possible(view),
            None => self.prepare(view).map(drop),
        }
    }

    /// What its key means now: in the Rig tab, where no poses are copied, the keys for that are for the weights of the
    /// vertices that are selected.
    #[must_use]
    pub fn by_key(self, view: &View) -> Self {
        let are_chosen = !view.session.selection().vertices.is_empty();
        let twins = [
            (Self::COPY_POSE, Self::COPY_WEIGHTS),
            (Self::PASTE_POSE, Self::PASTE_WEIGHTS),
        ];
        let mut twins = twins.into_iter();
        let twin = twins.find(|(pose, _)| are_chosen && view.settings.tab == Tab::Rig && *pose == self);
        twin.map_or(self, |(_, weights)| weights)
    }

    /// What it does now. Nothing is changed by asking.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn prepare(self, view: &View) -> Result<Prepared, Reason> {
        (self.0.prepare)(view)
    }

    /// What it does now. A preview under way ends first where the action changes the document: what it showed may
    /// be what the action is about.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn prepare_in(
        self,
        session: &mut Session,
        settings: &ViewSettings,
        evaluated: &Evaluated,
    ) -> Result<Prepared, Reason> {
        let prepared = self.prepare(&View {
            session,
            evaluated,
            settings,
        })?;
        if prepared.edits().is_empty() || !session.cancel() {
            return Ok(prepared);
        }
        self.prepare(&View {
            session,
            evaluated,
            settings,
        })
    }

    /// Its text as it is now.
    pub fn text_in(self, view: &View) -> &'static str {
        match self.0.opposite {
            Some((text, now)) if now(view) => text,
            _ => self.0.text,
        }
    }

    /// Whether a switch is on; `None` for what is no switch.
    pub fn checked(self, view: &View) -> Option<bool> {
        self.0.checked.map(|checked| checked(view))
    }
}

impl Deref for Action {
    type Target = ActionSpec;

    fn deref(&self) -> &ActionSpec {
        self.0
    }
}

impl PartialEq for Action {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Action {}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// A menu of the menu bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Menu {
    pub text: &'static str,
    pub actions: &'static [Action],
}

impl Menu {
    pub const FILE: Menu = Menu::new("File", file::ROWS);
    pub const EDIT: Menu = Menu::new("Edit", edit::ROWS);
    pub const ADD: Menu = Menu::new("Add", add::ROWS);
    pub const SELECT: Menu = Menu::new("Select", select::ROWS);
    pub const BONE: Menu = Menu::new("Bone", bone::ROWS);
    pub const WEIGHTS: Menu = Menu::new("Weights", weights::ROWS);
    pub const POSE: Menu = Menu::new("Pose", pose::ROWS);
    // The tab is called "Animate".
    pub const ANIMATE: Menu = Menu::new("Animation", animate::ROWS);
    pub const VIEW: Menu = Menu::new("View", view::ROWS);
    pub const HELP: Menu = Menu::new("Help", help::ROWS);

    pub const ALL: &[Menu] = &[
        Menu::FILE,
        Menu::EDIT,
        Menu::ADD,
        Menu::SELECT,
        Menu::BONE,
        Menu::WEIGHTS,
        Menu::POSE,
        Menu::ANIMATE,
        Menu::VIEW,
        Menu::HELP,
    ];

    const fn new(text: &'static str, actions: &'static [Action]) -> Self {
        Self { text, actions }
    }
}
