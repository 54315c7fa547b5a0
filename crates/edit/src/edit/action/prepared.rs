//! Prepared actions: what an action will do, as plain data, and the single place that executes it.

use super::take_over::NewIk;
use super::time::TimeChange;
use super::{Action, Create, Reason};
use crate::edit::command::{Command, CommandError};
use crate::edit::fitting::FitRequest;
use crate::edit::pose::PoseCopy;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::ViewSettings;
use crate::io::count::counted;
use crate::io::examples::Example;
use crate::math::camera::AxisView;
use crate::mesh::primitives::Primitive;
use std::sync::Arc;

/// The prepared effect of an action.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// Commands as one undo step, with an optional change of frame and selection.
    Commands {
        commands: Vec<Command>,
        /// The frame to go to afterwards, if it changes.
        frame: Option<f32>,
        /// The selection afterwards; `None` selects what is new.
        select: Option<Selection>,
        /// The message to show afterwards.
        note: Option<Note>,
    },
    Select(Selection),
    ShowFrame {
        frame: f32,
        /// Whether a running playback continues from there; otherwise it is paused.
        keeps_playing: bool,
    },
    /// Puts a pose on the clipboard.
    CopyPose(Arc<PoseCopy>),
    /// Puts a row of weights on the clipboard, by bone names.
    CopyWeights(Arc<Vec<(String, f32)>>),
    /// Changes the session or the view settings.
    Run(fn(&mut Session, &mut ViewSettings)),
    /// A request to the application.
    App(AppRequest),
}

/// A request that only the application can handle: it has files, dialogs and cameras.
#[derive(Clone, Debug, PartialEq)]
pub enum AppRequest {
    New,
    OpenExample(Example),
    /// Opens a file, chosen in a dialog, like the next three.
    Open,
    Import,
    /// Imports a scene in another format.
    ImportScene,
    Append,
    Export,
    /// Imports saved poses into the selected character.
    ImportPoses,
    AddClips,
    /// Chooses the sound that the animation plays to.
    SetSound,
    /// Begins the fit of a skeleton, or changes it.
    Fit(FitRequest),
    /// Exports the saved poses of the selected character.
    ExportPoses,
    Save,
    SaveAs,
    /// Lists lost and discarded sessions.
    Recover,
    Quit,
    /// Starts the viewport tool of this action, or ends it if it is active.
    ChooseTool(Action),
    Create(Create),
    MoveView(ViewMove),
    Dialog(Dialog),
}

/// A movement of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewMove {
    FrameSelected,
    FrameAll,
    Axis(AxisView),
    /// Looks through a camera instance; `None` leaves the current one.
    Camera(Option<String>),
}

/// A window, dialog or text field to open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dialog {
    /// The command palette.
    Palette,
    /// Opens or closes the messages.
    Messages,
    /// Opens or closes the list of shortcuts.
    Shortcuts,
    About,
    Preferences,
    /// The field for renaming the selection, in place of its name.
    Rename,
    /// New names for all selected bones.
    RenameBones,
    /// The field for renaming the chosen take.
    RenameTake,
    /// The filter above the bone tree.
    FilterBones,
    SplitBones,
    ScaleRadius,
    LimitsFromPose,
    AlignRoll,
    BakeIk,
    ExportGltf,
    Lock,
    /// Motions that are generated.
    Motions,
    CheckMotion,
    /// The frames in which new handles pull.
    TakeOver(NewIk),
    Attach,
    /// The number of frames of a change of time.
    Time(TimeChange),
    Render {
        /// Whether to render only the current frame.
        picture: bool,
    },
    Primitive(Primitive),
}

/// A message about a completed action.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub text: String,
    pub details: String,
    pub is_warning: bool,
    /// Whether the message has an Undo button.
    pub offers_undo: bool,
}

impl Note {
    pub fn new(text: String) -> Self {
        Self { text, details: String::new(), is_warning: false, offers_undo: false }
    }
}

impl Prepared {
    /// Prepares commands as one undo step without a message.
    pub(super) fn commands(commands: Vec<Command>) -> Result<Self, Reason> {
        Self::with_note(commands, None)
    }

    /// Prepares commands as one undo step with a message.
    pub(super) fn with_note(commands: Vec<Command>, note: impl Into<Option<Note>>) -> Result<Self, Reason> {
        Ok(Self::Commands { commands, frame: None, select: None, note: note.into() })
    }

    pub(super) fn command(command: Command) -> Result<Self, Reason> {
        Self::commands(vec![command])
    }

    pub(super) fn dialog(dialog: Dialog) -> Result<Self, Reason> {
        Ok(Self::App(AppRequest::Dialog(dialog)))
    }

    /// The commands that edit the document; empty if it is not edited.
    pub fn edits(&self) -> &[Command] {
        match self {
            Self::Commands { commands, .. } => commands,
            _ => &[],
        }
    }

    /// The message to show afterwards.
    pub fn note(&self) -> Option<Note> {
        match self {
            Self::Commands { note, .. } => note.clone(),
            Self::CopyPose(pose) => {
                let bones = counted(pose.bone_count(), "bone", "bones");
                let handles = match pose.handle_count() {
                    0 => String::new(),
                    count => format!(" and {}", counted(count, "handle", "handles")),
                };
                Some(Note::new(format!("Pose of {bones}{handles} copied")))
            }
            Self::CopyWeights(row) => {
                let bones = counted(row.len(), "bone", "bones");
                Some(Note::new(format!("Weights of {bones} copied")))
            }
            _ => None,
        }
    }

    /// Executes the action. Returns a request that the application has to handle.
    ///
    /// # Errors
    /// If a command cannot be applied; the document is then unchanged.
    pub fn carry_out(
        &self,
        session: &mut Session,
        settings: &mut ViewSettings,
    ) -> Result<Option<&AppRequest>, CommandError> {
        match self {
            Self::Commands { commands, frame, select, .. } => {
                settings.pause_for(commands);
                session.apply(commands)?;
                if let Some(selection) = select {
                    session.select(selection.clone());
                }
                if let Some(frame) = frame {
                    session.set_frame(*frame);
                    settings.playback.pause();
                }
            }
            Self::Select(selection) => session.select(selection.clone()),
            Self::ShowFrame { frame, keeps_playing } => {
                session.set_frame(*frame);
                let playback = &mut settings.playback;
                if *keeps_playing && playback.is_playing() {
                    playback.play(&session.scene().animation.clip, session.frame())
                } else {
                    playback.pause()
                }
            }
            Self::CopyPose(pose) => settings.clipboard.pose = Some(pose.clone()),
            Self::CopyWeights(row) => settings.clipboard.weights = Some(row.clone()),
            Self::Run(change) => change(session, settings),
            Self::App(request) => return Ok(Some(request)),
        }
        Ok(None)
    }
}
