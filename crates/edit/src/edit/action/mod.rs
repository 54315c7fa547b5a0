//! Actions: everything that a user can invoke by menu, button or key, as the rows of one table.
//!
//! A row defines the name and the keys of an action, and what it would do now ([`Action::prepare`]). Menus,
//! buttons, tooltips, shortcuts and the list of keys all read these rows, and executing an action applies
//! exactly what was prepared. There is one file per menu; to add an action, add a row to it.

mod add;
mod animate;
mod body;
pub mod bone;
pub mod edit;
mod file;
mod fk_ik;
mod frame_keys;
mod help;
mod keymap;
pub mod layers;
pub mod limits;
pub mod lock;
mod pins;
pub mod pose;
mod prepared;
pub mod search;
pub mod select;
mod selected;
mod sides_of_bones;
mod sound;
pub mod take_over;
pub mod takes;
pub mod time;
mod vertices;
pub mod view;
pub mod weights;

use crate::edit::session::Session;
pub use crate::edit::settings::shortcut::{KeyPress, Shortcut};
use crate::edit::settings::view::{Tab, View, ViewSettings};
use crate::scene::evaluate::Evaluated;
pub use add::{Create, create_commands};
pub use edit::{rename_target, selected_surface};
pub use help::EXAMPLES;
pub use prepared::{AppRequest, Dialog, Note, Prepared, ViewMove};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The reason why an action is unavailable: a sentence for its tooltip.
pub type Reason = Cow<'static, str>;

/// A row of the table.
pub struct ActionSpec {
    /// The name of its constant.
    pub id: &'static str,
    /// The text in menus: sentence case, with an ellipsis if and only if a dialog requests further input.
    pub text: &'static str,
    /// A one-sentence description.
    pub tooltip: &'static str,
    /// Alternative names under which the palette finds it, separated by commas.
    pub keywords: &'static str,
    /// The default shortcuts; a preset or the user may replace them ([`crate::edit::settings::options::Keymap`]).
    pub shortcuts: &'static [Shortcut],
    /// The submenu that contains it, if any.
    pub submenu: Option<&'static str>,
    /// Whether a separator line precedes it in its menu.
    pub separated: bool,
    /// Whether it repeats while its key is held down.
    pub repeats: bool,
    /// Whether pressing its key while it is unavailable shows no message.
    pub quiet: bool,
    /// The state of a switch; `None` if the action is not a switch.
    checked: Option<fn(&View) -> bool>,
    /// An alternative text for when it does the opposite.
    opposite: Option<Opposite>,
    /// A cheaper check of whether it is available than `prepare`, with which it must agree.
    availability: Option<Availability>,
    prepare: Prepare,
}

type Prepare = fn(&View) -> Result<Prepared, Reason>;
type Availability = fn(&View) -> Result<(), Reason>;
/// An alternative text and the condition under which it applies.
type Opposite = (&'static str, fn(&View) -> bool);

/// Creates a row without keys or submenu that is not a switch.
const fn row(text: &'static str, tooltip: &'static str, prepare: Prepare) -> ActionSpec {
    ActionSpec {
        id: "",
        text,
        tooltip,
        keywords: "",
        shortcuts: &[],
        submenu: None,
        separated: false,
        repeats: false,
        quiet: false,
        checked: None,
        opposite: None,
        availability: None,
        prepare,
    }
}

impl ActionSpec {
    const fn keywords(self, keywords: &'static str) -> Self {
        Self { keywords, ..self }
    }

    const fn keys(self, shortcuts: &'static [Shortcut]) -> Self {
        Self { shortcuts, ..self }
    }

    const fn in_submenu(self, submenu: &'static str) -> Self {
        let submenu = Some(submenu);
        Self { submenu, ..self }
    }

    const fn separated(self) -> Self {
        let separated = true;
        Self { separated, ..self }
    }

    const fn repeats(self) -> Self {
        let (repeats, quiet) = (true, true);
        Self { repeats, quiet, ..self }
    }

    const fn quiet(self) -> Self {
        Self { quiet: true, ..self }
    }

    const fn checked(self, checked: fn(&View) -> bool) -> Self {
        let checked = Some(checked);
        Self { checked, ..self }
    }

    const fn opposite(self, text: &'static str, condition: fn(&View) -> bool) -> Self {
        let opposite = Some((text, condition));
        Self { opposite, ..self }
    }

    const fn available_if(self, check: Availability) -> Self {
        let availability = Some(check);
        Self { availability, ..self }
    }

    /// The text without the ellipsis.
    pub fn name(&self) -> &'static str {
        self.text.trim_end_matches('…')
    }
}

/// Defines a constant for each row of a menu, and `ROWS` with all of them in order.
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

/// An action that needs no argument beyond the selection: a row of the table.
#[derive(Clone, Copy)]
pub struct Action(&'static ActionSpec);

impl Action {
    /// Iterates over all actions in the order of the menus.
    pub fn all() -> impl Iterator<Item = Action> {
        Menu::ALL.iter().flat_map(|menu| menu.actions).copied()
    }

    /// Checks whether the action is available.
    ///
    /// # Errors
    /// The reason why it is not.
    pub fn enabled(self, view: &View) -> Result<(), Reason> {
        match self.0.availability {
            Some(check) => check(view),
            None => self.prepare(view).map(drop),
        }
    }

    /// Returns the action that the key of this one triggers. In the Rig tab, which has no poses to copy, the
    /// keys for copying and pasting poses apply to the weights of selected vertices.
    #[must_use]
    pub fn for_key(self, view: &View) -> Self {
        let has_vertices = !view.session.selection().vertices.is_empty();
        let twins = [(Self::COPY_POSE, Self::COPY_WEIGHTS), (Self::PASTE_POSE, Self::PASTE_WEIGHTS)];
        let mut twins = twins.into_iter();
        let twin = twins.find(|(pose, _)| has_vertices && view.settings.tab == Tab::Rig && *pose == self);
        twin.map_or(self, |(_, weights)| weights)
    }

    /// Prepares what the action would do now, without changing anything.
    ///
    /// # Errors
    /// The reason why the action is unavailable.
    pub fn prepare(self, view: &View) -> Result<Prepared, Reason> {
        (self.0.prepare)(view)
    }

    /// Prepares what the action would do now. If it edits the document, a preview in progress is ended
    /// first, since the action may depend on what the preview changed.
    ///
    /// # Errors
    /// The reason why the action is unavailable.
    pub fn prepare_in(
        self,
        session: &mut Session,
        settings: &ViewSettings,
        evaluated: &Evaluated,
    ) -> Result<Prepared, Reason> {
        let prepared = self.prepare(&View { session, evaluated, settings })?;
        if prepared.edits().is_empty() || !session.end_preview() {
            return Ok(prepared);
        }
        self.prepare(&View { session, evaluated, settings })
    }

    /// Returns the text for the current state.
    pub fn text_in(self, view: &View) -> &'static str {
        match self.0.opposite {
            Some((text, condition)) if condition(view) => text,
            _ => self.0.text,
        }
    }

    /// Whether a switch is on; `None` if the action is not a switch.
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
