//! Actions: everything a user can ask for by menu, button or key, in one table.

use super::view::View;

/// A thing to do that needs no argument beyond the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    New,
    /// The human that is embedded in the program.
    OpenHuman,
    Open,
    Save,
    SaveAs,
    Quit,
    Undo,
    Redo,
    Delete,
    Deselect,
    AddBone,
    AddIk,
    CalculateWeights,
    ResetBonePose,
    ResetPose,
    TabRig,
    TabAnimate,
    /// Rig to Animate and back.
    ToggleTab,
    FrameSelected,
    FrameAll,
    ViewFront,
    ViewBack,
    ViewRight,
    ViewLeft,
    ViewTop,
    ViewBottom,
    ToggleOrthographic,
    ToggleXray,
    ToggleSkin,
    ToggleBones,
    ToggleAxes,
    ToggleHandles,
    ToggleGrid,
    ToggleWireframe,
    ToggleSolveIk,
    ShowMessages,
    ShowKeys,
    About,
}

/// A key with modifiers; `ctrl` is Cmd on a Mac. `key` is named as egui names keys: "S", "Delete", "F", "Num1".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    pub key: &'static str,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ActionInfo {
    /// Sentence case; an ellipsis if and only if a dialog asks for more.
    pub text: &'static str,
    /// What it does, one sentence.
    pub tooltip: &'static str,
    /// The first is the one that menus show.
    pub shortcuts: &'static [Shortcut],
}

impl Action {
    /// Every action, in menu order.
    pub const ALL: &'static [Action] = &[];

    pub fn info(self) -> ActionInfo {
        todo!()
    }

    /// Whether it can be done now, or why not (a sentence for the tooltip).
    pub fn enabled(self, _view: &View) -> Result<(), String> {
        todo!()
    }

    /// Whether a switch is on; `None` for what is no switch.
    pub fn checked(self, _view: &View) -> Option<bool> {
        todo!()
    }

    /// The commands that it stands for, given the selection; empty for what changes no document
    /// (files, view, selection).
    pub fn commands(self, _view: &View) -> Vec<super::command::Command> {
        todo!()
    }
}
