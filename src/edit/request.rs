//! What panels, keys and tools ask of the application. Carried out once a frame, in order.

use super::action::Action;
use super::bake::Bake;
use super::command::{Command, CommandError, SceneData};
use super::compare::CompareSettings;
use super::onion::settings::OnionSettings;
use super::options::Options;
use super::playback::Repeat;
use super::pose_preview::PosePreview;
use super::render::{Format, RenderSettings};
use super::selection::Selection;
use super::session::Session;
use super::timeline::KeySelection;
use super::view::{RefineNumbers, ViewSettings};
use crate::io::gltf;
use crate::rig::ik;
use crate::rig::weights::paint::Brush;
use crate::scene::evaluate::Evaluated;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Anything from the table of actions.
    Act(Action),
    Select(Selection),
    /// Keys, in the dope sheet.
    SelectKeys(Arc<KeySelection>),
    /// One undo step.
    Apply(Vec<Command>),
    /// Drag: the total change so far, from where the drag began.
    Preview(Vec<Command>),
    /// The same, of what is written again while the drag goes on.
    PreviewShared(Arc<Vec<Command>>),
    /// Drag ended: one undo step.
    Commit,
    /// Drag cancelled: as before it.
    Cancel,
    /// Shows another frame: a time line was scrubbed. No undo step; ends playing.
    SetFrame(f32),
    /// What comes after the last frame that is played.
    Repeat(Repeat),
    /// How many times as fast as the frame rate says frames are played.
    Speed(f32),
    /// How handles pull from now on.
    Solve(ik::Step),
    /// From a drop on the window or the in-app file dialog.
    OpenPath(PathBuf),
    SavePath(PathBuf),
    /// A file of another format: a dialog asks what becomes of it.
    ImportPath(PathBuf),
    /// The same, read in another way than the first time.
    ImportAgain {
        path: PathBuf,
        options: gltf::read::Options,
    },
    /// What the dialog was asked for; one undo step.
    AddImported(SceneData),
    /// What the window began with gives way to what comes next, if nobody has touched it.
    LeaveSample,
    /// Everything of another scene file; one undo step.
    AppendPath(PathBuf),
    /// The saved poses of another scene file for the selected character; one undo step.
    ImportPoses(PathBuf),
    /// Those of the selected character to a scene file.
    ExportPoses(PathBuf),
    /// The selected mesh to an OBJ file.
    ExportPath(PathBuf),
    /// A dialog asks where the scene goes for other programs.
    AskExport,
    /// The answer to that.
    ExportScene(PathBuf),
    /// Renders the animation, in the background; files that are there are replaced only if told to.
    Render {
        settings: Box<RenderSettings>,
        replace: bool,
    },
    /// A dialog asks where the pictures go, `start` at first.
    AskRenderOutput {
        format: Format,
        start: PathBuf,
    },
    /// The answer to that.
    RenderTo(PathBuf),
    CancelRender,
    /// The answer to "Save changes?".
    SaveChanges(SaveChanges),
    /// The answer to "Replace the file?".
    Overwrite(Overwrite),
    /// The answer to "Key the unkeyed changes?".
    SaveUnkeyed(SaveUnkeyed),
    /// A session that was lost takes the place of the document.
    Recover(String),
    /// It is put aside.
    DiscardLost(String),
    /// How the program behaves from now on.
    Options(Box<Options>),
    /// The numbers that refine weights.
    RefineNumbers(RefineNumbers),
    /// What weights are painted with.
    Brush(Brush),
    /// The least and the most weight of vertices that are selected by it.
    WeightRange([f32; 2]),
    /// The mesh that weights are taken from.
    WeightsFrom(String),
    /// Poses that handles pull bones into, as keys: in the background.
    Bake(Bake),
    /// Which frames have ghosts.
    Onion(OnionSettings),
    /// A saved pose that is shown instead of the present one, or none.
    PreviewPose(Option<Arc<PosePreview>>),
    /// What the Compare view shows.
    Compare(CompareSettings),
    /// Cancels what is calculated in the background.
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
    /// Under another name, which is asked for.
    SaveElsewhere,
    /// Opens the file as it is now; changes that were not saved are discarded.
    Reload,
    Cancel,
}

/// What becomes of changes that are not keyed when the scene is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveUnkeyed {
    /// Keyed at the frame that is shown.
    Key,
    /// Dismissed: the keys that the file has count.
    Keep,
    /// Nothing is saved.
    Cancel,
}

impl Request {
    /// Carries out what concerns the document and the switches of the view. False for what is left to the
    /// application: files, the camera, windows and the end of the program.
    ///
    /// An action that is not enabled does nothing.
    ///
    /// # Errors
    /// If a command cannot be applied; the document is then as it was.
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
            Request::Select(selection) => session.select(selection.clone()),
            Request::SelectKeys(keys) => session.select_keys(keys),
            Request::Apply(commands) => {
                settings.pause_for(commands);
                session.apply(commands)?;
            }
            Request::Preview(commands) => {
                settings.pause_for_drag(commands);
                session.preview(commands)?;
            }
            Request::PreviewShared(commands) => {
                settings.pause_for_drag(commands);
                session.preview_shared(commands)?;
            }
            Request::Commit => drop(session.commit()),
            Request::Cancel => drop(session.cancel()),
            Request::SetFrame(frame) => {
                settings.playback.pause();
                session.set_frame(*frame);
            }
            Request::Repeat(repeat) => settings.playback.repeat = *repeat,
            Request::Speed(speed) => settings.playback.set_speed(*speed),
            Request::Solve(step) => settings.ik_step = *step,
            Request::Options(options) => settings.options = (**options).clone().within_reason(),
            Request::RefineNumbers(numbers) => settings.refine = *numbers,
            Request::Brush(brush) => settings.brush = *brush,
            Request::WeightRange(range) => settings.weight_range = *range,
            Request::WeightsFrom(mesh) => settings.weights_from = Some(mesh.clone()),
            Request::Onion(onion) => settings.onion = onion.clone(),
            Request::PreviewPose(preview) => settings.pose_preview = preview.clone(),
            Request::Compare(compare) => settings.compare = *compare,
            Request::Bake(_)
            | Request::OpenPath(_)
            | Request::SavePath(_)
            | Request::ImportPath(_)
            | Request::ImportAgain { .. }
            | Request::AddImported(_)
            | Request::LeaveSample
            | Request::AppendPath(_)
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
            | Request::CancelCalculation => return Ok(false),
        }
        Ok(true)
    }
}
