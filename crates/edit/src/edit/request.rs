//! Requests of panels, keys and tools to the application, which carries them out once a frame, in order.

use super::action::Action;
use super::action::take_over::{NewIk, take_over};
use super::action::time::{TimeChange, change_time};
use super::command::{Command, CommandError, SceneData};
use super::compare::CompareSettings;
use super::render::{Format, RenderSettings};
use crate::edit::fitting::FitRequest;
use crate::edit::pose::pose_preview::PosePreview;
use crate::edit::select::selection::Selection;
use crate::edit::session::{Proposal, Session};
use crate::edit::settings::options::Options;
use crate::edit::settings::view::{RefineNumbers, View, ViewSettings};
use crate::edit::time::bake::Bake;
use crate::edit::time::onion::settings::OnionSettings;
use crate::edit::time::playback::Repeat;
use crate::edit::time::timeline::KeySelection;
use crate::io::import::ImportOptions;
use crate::rig::ik;
use crate::rig::weights::paint::Brush;
use crate::scene::evaluate::Evaluated;
use glam::Vec2;
use std::path::PathBuf;
use std::sync::Arc;

/// A camera step, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Navigation {
    Orbit(Vec2),
    Pan(Vec2),
    /// Zooms towards the point under a pixel, by notches of the wheel.
    Zoom {
        notches: f32,
        pixel: Vec2,
    },
}

/// A request to the application.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Runs an action of the table of actions.
    Act(Action),
    /// Moves the camera of the view by a step.
    Navigate(Navigation),
    Select(Selection),
    /// Selects keys in the dope sheet.
    SelectKeys(Arc<KeySelection>),
    /// Applies commands as one undo step.
    Apply(Vec<Command>),
    /// Applies commands as one undo step in place of the last one: see [`Session::apply_instead`].
    ApplyInstead(Vec<Command>),
    /// Previews a drag: the total change so far, from where the drag began.
    Preview(Vec<Command>),
    /// Shows and plays a change that does not depend on the frame, until it is committed or cancelled: see
    /// [`Session::propose`].
    Propose(Proposal, Vec<Command>),
    /// Ends a drag or accepts what is proposed, as one undo step.
    Commit,
    /// Cancels a drag or what is proposed, and restores the state before it.
    Cancel,
    /// Shows another frame, when the timeline is scrubbed. Not an undo step; ends playback.
    SetFrame(f32),
    /// Sets the behaviour after the last frame of the range.
    Repeat(Repeat),
    /// Sets the playback speed as a multiple of the frame rate.
    Speed(f32),
    /// Sets the method by which handles pull.
    Solve(ik::Step),
    /// Opens a file that was dropped on the window or chosen in the in-app file dialog.
    OpenPath(PathBuf),
    SavePath(PathBuf),
    /// Imports a file of another format; a dialog asks for the details.
    ImportPath(PathBuf),
    /// Imports a file of another format that was dropped on the window: a body without a skeleton gets one at once.
    DropPath(PathBuf),
    /// Reads the file again with other options.
    ImportAgain {
        path: PathBuf,
        options: ImportOptions,
    },
    /// Adds the imported data that the dialog confirmed; one undo step.
    AddImported(SceneData),
    /// Closes the initial sample scene when something else follows, unless it was modified.
    LeaveSample,
    /// Adds the content of another scene file; one undo step.
    AppendPath(PathBuf),
    /// Adds the animations of a file of another format to the selected character; one undo step.
    AddClips(PathBuf),
    /// Makes a file the sound that the animation plays to; one undo step.
    SetSound(PathBuf),
    /// Imports the saved poses of another scene file for the selected character; one undo step.
    ImportPoses(PathBuf),
    /// Exports the saved poses of the selected character to a scene file.
    ExportPoses(PathBuf),
    /// Exports the selected mesh to an OBJ file.
    ExportPath(PathBuf),
    /// Opens a dialog that asks where to export the scene for other programs.
    AskExport,
    /// Exports the scene to the path that the dialog returned.
    ExportScene(PathBuf),
    /// Renders the animation in the background; existing files are replaced only if `replace` is set.
    Render {
        settings: Box<RenderSettings>,
        replace: bool,
    },
    /// Opens a dialog that asks where to write the pictures, beginning at `start`.
    AskRenderOutput {
        format: Format,
        start: PathBuf,
    },
    /// Sets the render output to the path that the dialog returned.
    RenderTo(PathBuf),
    CancelRender,
    /// The answer to "Save changes?".
    SaveChanges(SaveChanges),
    /// The answer to "Replace the file?".
    Overwrite(Overwrite),
    /// The answer to "Key the unkeyed changes?".
    SaveUnkeyed(SaveUnkeyed),
    /// Replaces the document by a lost session.
    Recover(String),
    /// Discards a lost session.
    DiscardLost(String),
    /// Sets the options of the program.
    Options(Box<Options>),
    /// Sets the numbers for refining weights.
    RefineNumbers(RefineNumbers),
    /// Sets the number of frames that a pull of a bone spreads to.
    Spread(u32),
    /// Sets the brush for painting weights.
    Brush(Brush),
    /// Sets the minimum and maximum weight for selecting vertices by weight.
    WeightRange([f32; 2]),
    /// Sets the mesh that weights are transferred from.
    WeightsFrom(String),
    /// Adds handles that take over the motion of bones with keys, from a first to a last frame.
    TakeOver {
        new: NewIk,
        range: [u32; 2],
    },
    /// Changes time at the current frame, or the chosen take, by a number of frames.
    ChangeTime {
        change: TimeChange,
        frames: u32,
    },
    /// Bakes the effect of handles into keys, in the background.
    Bake(Bake),
    /// Sets the frames that have ghosts.
    Onion(OnionSettings),
    /// Shows a saved pose instead of the current one, or stops doing so.
    PreviewPose(Option<Arc<PosePreview>>),
    /// Begins or changes the fit of a skeleton, which is proposed when it is ready.
    Fit(FitRequest),
    /// Sets what the Compare view shows.
    Compare(CompareSettings),
    /// Cancels the calculation in the background.
    CancelCalculation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveChanges {
    Save,
    Discard,
    Cancel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    Replace,
    /// Saves under another name, which a dialog asks for.
    SaveElsewhere,
    /// Opens the current file; unsaved changes are discarded.
    Reload,
    Cancel,
}

/// The treatment of unkeyed changes when the scene is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveUnkeyed {
    /// Keys them at the current frame.
    Key,
    /// Dismisses them: the keys of the file apply.
    Keep,
    /// Cancels saving.
    Cancel,
}

impl Request {
    /// Carries out requests that concern the document and the switches of the view. Returns false for
    /// requests that the application must handle: files, the camera, windows and the end of the program.
    ///
    /// An action that is not enabled does nothing.
    ///
    /// # Errors
    /// If a command cannot be applied; the document does not change.
    pub fn carry_out(
        &self,
        session: &mut Session,
        settings: &mut ViewSettings,
        evaluated: &Evaluated,
    ) -> Result<bool, CommandError> {
        match self {
            Request::Act(action) => {
                return match action.prepare_in(session, settings, evaluated) {
                    Ok(prepared) => Ok(prepared.carry_out(session, settings)?.is_none()),
                    Err(_) => Ok(true),
                };
            }
            Request::TakeOver { new, range } => {
                let view = View { session, evaluated, settings };
                if let Ok(prepared) = take_over(&view, *new, *range) {
                    prepared.carry_out(session, settings)?;
                }
            }
            Request::ChangeTime { change, frames } => {
                let view = View { session, evaluated, settings };
                if let Ok(prepared) = change_time(&view, *change, *frames) {
                    prepared.carry_out(session, settings)?;
                }
            }
            Request::Select(selection) => session.select(selection.clone()),
            Request::SelectKeys(keys) => session.select_keys(keys),
            Request::Apply(commands) => {
                settings.pause_for(commands);
                session.apply(commands)?;
            }
            Request::ApplyInstead(commands) => {
                settings.pause_for(commands);
                session.apply_instead(commands)?;
            }
            Request::Preview(commands) => {
                settings.pause_for_drag(commands);
                session.preview(commands)?;
            }
            Request::Propose(proposal, commands) => {
                let resume = (!session.in_proposal()).then(|| session.frame());
                session.propose(*proposal, commands)?;
                // A skeleton that is fitted again plays on, or stays paused.
                if resume.is_some() || *proposal == Proposal::Trial {
                    settings.playback.play_proposal(&session.scene().animation.clip, session.frame(), resume);
                }
            }
            Request::Commit => drop(session.commit()),
            Request::Cancel => settings.cancel_preview(session),
            Request::SetFrame(frame) => {
                settings.playback.pause();
                session.set_frame(*frame);
            }
            Request::Repeat(repeat) => settings.playback.repeat = *repeat,
            Request::Speed(speed) => settings.playback.set_speed(*speed),
            Request::Solve(step) => settings.ik_step = *step,
            Request::Options(options) => settings.options = (**options).clone().clamped(),
            Request::RefineNumbers(numbers) => settings.tools.refine = *numbers,
            Request::Spread(frames) => settings.tools.spread = *frames,
            Request::Brush(brush) => settings.tools.brush = *brush,
            Request::WeightRange(range) => settings.tools.weight_range = *range,
            Request::WeightsFrom(mesh) => settings.tools.weights_from = Some(mesh.clone()),
            Request::Onion(onion) => settings.display.onion = onion.clone(),
            Request::PreviewPose(preview) => settings.pose_preview = preview.clone(),
            Request::Compare(compare) => settings.compare = *compare,
            Request::Bake(_)
            | Request::Navigate(_)
            | Request::OpenPath(_)
            | Request::SavePath(_)
            | Request::ImportPath(_)
            | Request::DropPath(_)
            | Request::ImportAgain { .. }
            | Request::AddImported(_)
            | Request::LeaveSample
            | Request::AppendPath(_)
            | Request::AddClips(_)
            | Request::SetSound(_)
            | Request::ImportPoses(_)
            | Request::ExportPoses(_)
            | Request::ExportPath(_)
            | Request::AskExport
            | Request::ExportScene(_)
            | Request::Render { .. }
            | Request::AskRenderOutput { .. }
            | Request::RenderTo(_)
            | Request::CancelRender
            | Request::SaveChanges(_)
            | Request::Overwrite(_)
            | Request::SaveUnkeyed(_)
            | Request::Recover(_)
            | Request::DiscardLost(_)
            | Request::Fit(_)
            | Request::CancelCalculation => return Ok(false),
        }
        Ok(true)
    }
}
