//! What an action does, worked out before anything happens: plain data, and the one place that carries it out.

use super::{Action, Create, Reason};
use crate::edit::command::{Command, CommandError};
use crate::edit::pose::PoseCopy;
use crate::edit::selection::Selection;
use crate::edit::session::Session;
use crate::edit::view::ViewSettings;
use crate::io::count::counted;
use crate::io::examples::Example;
use crate::math::camera::AxisView;
use crate::mesh::primitives::Primitive;
use std::sync::Arc;

/// What an action does.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// One step of the history, then another frame.
    Commands {
        commands: Vec<Command>,
        /// The frame that is shown after it, where it is another.
        frame: Option<f32>,
        /// What is selected after it, where that is not what is new.
        select: Option<Selection>,
        /// What is to be said of it, once it is done.
        note: Option<Note>,
    },
    Select(Selection),
    ShowFrame {
        frame: f32,
        /// What plays goes on from there; else it ends.
        plays_on: bool,
    },
    /// The pose that Paste puts in place.
    CopyPose(Arc<PoseCopy>),
    /// The row of weights that Paste puts on vertices.
    CopyWeights(Arc<Vec<(String, f32)>>),
    /// A change of the switches of the view or of the session that needs no argument.
    Run(fn(&mut Session, &mut ViewSettings)),
    /// Left to the application.
    App(AppRequest),
}

/// What only the application can do: it has files, dialogs and cameras.
#[derive(Clone, Debug, PartialEq)]
pub enum AppRequest {
    New,
    OpenExample(Example),
    /// A dialog asks for the file, as for the next three.
    Open,
    Import,
    /// Of another format.
    ImportScene,
    Append,
    Export,
    /// Saved poses of the selected character, as the next.
    ImportPoses,
    ExportPoses,
    Save,
    SaveAs,
    /// Sessions that were lost or discarded are listed.
    Recover,
    Quit,
    /// The tool of this action is used in the viewport from now on, or no longer.
    ChooseTool(Action),
    Create(Create),
    MoveView(ViewMove),
    Dialog(Dialog),
}

/// Where the view goes.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewMove {
    FrameSelected,
    FrameAll,
    Axis(AxisView),
    /// Looks through an instance of a camera; `None` leaves the one that is looked through.
    Camera(Option<String>),
}

/// Windows, dialogs and fields of the panels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dialog {
    /// The command palette.
    Palette,
    /// Opens, or closes.
    Messages,
    /// Opens, or closes.
    Shortcuts,
    About,
    Preferences,
    /// A field over the name of what is selected.
    Rename,
    /// A field over the name of the take that is played.
    RenameTake,
    /// The field above the tree of bones.
    FilterBones,
    SplitBones,
    ScaleRadius,
    LimitsFromPose,
    AlignRoll,
    BakeIk,
    ExportGltf,
    Lock,
    /// `picture`: of the frame that is shown alone.
    Render {
        picture: bool,
    },
    Primitive(Primitive),
}

/// A message about something that was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    pub text: String,
    pub details: String,
    pub is_warning: bool,
    /// Whether it can be undone from the message.
    pub offers_undo: bool,
}

impl Note {
    pub fn new(text: String) -> Self {
        Self {
            text,
            details: String::new(),
            is_warning: false,
            offers_undo: false,
        }
    }
}

impl Prepared {
    /// Commands as one step, without a word.
    pub(super) fn commands(commands: Vec<Command>) -> Result<Self, Reason> {
        Self::with_note(commands, None)
    }

    /// Commands as one step, and what is said of it.
    pub(super) fn with_note(commands: Vec<Command>, note: impl Into<Option<Note>>) -> Result<Self, Reason> {
        Ok(Self::Commands {
            commands,
            frame: None,
            select: None,
            note: note.into(),
        })
    }

    pub(super) fn command(command: Command) -> Result<Self, Reason> {
        Self::commands(vec![command])
    }

    pub(super) fn dialog(dialog: Dialog) -> Result<Self, Reason> {
        Ok(Self::App(AppRequest::Dialog(dialog)))
    }

    /// What becomes of the document; empty for what does not change it.
    pub fn edits(&self) -> &[Command] {
        match self {
            Self::Commands { commands, .. } => commands,
            _ => &[],
        }
    }

    /// What is to be said once it is done.
    pub fn note(&self) -> Option<Note> {
        match self {
            Self::Commands { note, .. } => note.clone(),
            Self::CopyPose(pose) => {
                let bones = counted(pose.bone_count(), "bone", "bones");
                Some(Note::new(format!("Pose of {bones} copied")))
            }
            Self::CopyWeights(row) => {
                let bones = counted(row.len(), "bone", "bones");
                Some(Note::new(format!("Weights of {bones} copied")))
            }
            _ => None,
        }
    }

    /// Carries it out. Returns what is left to the application.
    ///
    /// # Errors
    /// If a command cannot be applied; the document is then as it was.
    pub fn carry_out(
        &self,
        session: &mut Session,
        settings: &mut ViewSettings,
    ) -> Result<Option<&AppRequest>, CommandError> {
        match self {
            Self::Commands {
                commands,
                frame,
                select,
                ..
            } => {
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
            Self::ShowFrame { frame, plays_on } => {
                session.set_frame(*frame);
                let playback = &mut settings.playback;
                match *plays_on && playback.is_playing() {
                    true => playback.play(&session.scene().animation.clip, session.frame()),
                    false => playback.pause(),
                }
            }
            Self::CopyPose(pose) => settings.copied_pose = Some(pose.clone()),
            Self::CopyWeights(row) => settings.copied_weights = Some(row.clone()),
            Self::Run(change) => change(session, settings),
            Self::App(request) => return Ok(Some(request)),
        }
        Ok(None)
    }
}
