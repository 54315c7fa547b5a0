//! The application: the resources that exist as long as the window, and the schedule.

pub mod apply;
pub mod editor;
pub mod event_modifiers;
pub mod files;
pub mod fitting;
pub mod icon;
pub mod in_place;
pub mod input;
pub mod jobs;
pub mod memory;
pub mod notifications;
pub mod offscreen;
pub mod options;
pub mod panels_pass;
pub mod playing;
pub mod recovery;
pub mod screenshot;
pub mod sound;
pub mod start;
pub mod wake;

use self::memory::Memory;
use self::start::Start;
use crate::edit::journal::store::Store;
use crate::edit::request::Request;
use crate::editor::frame::{FrameStep, order_steps};
use crate::editor::headless::{NO_ADAPTER, adapter_available};
use crate::editor::state::shown::{evaluate, refresh};
use crate::editor::state::{Caches, Document, Panels, Requests, Settings, Shown};
use crate::editor::viewport::ViewportState;
use crate::editor::viewport::{cameras, motion_paths, overlay, picking, vertex_overlay};
use crate::editor::{projection, viewport};
use crate::io::examples::Example;
use crate::io::file::ReadError;
use bevy::app::{FixedMainScheduleOrder, MainScheduleOrder};
use bevy::asset::AssetEventSystems;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::transform::StaticTransformOptimizations;
use bevy::window::{ExitCondition, PresentMode, WindowResolution};
use bevy::winit::{UpdateMode, WinitPlugin, WinitSettings};
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet};
use files::Files;
use files::exporting::Exporting;
use jobs::Jobs;
use jobs::comparing::Comparing;
use jobs::render_job::Rendering;
use recovery::journaling::Journaling;
use recovery::recovering::Recovering;
use recovery::terminations::Terminations;
use std::path::PathBuf;
use std::time::Duration;

/// The target that the application draws to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Window,
    /// The size in physical pixels, and the scale in pixels per point.
    Image {
        width: u32,
        height: u32,
        scale: f32,
    },
}

/// Opens the window with a file, or with the example human. `preferences`: the file of the preferences, if
/// they are remembered.
pub fn run(file: Option<PathBuf>, preferences: Option<PathBuf>) -> Result<(), String> {
    if let Some(path) = file.as_ref().filter(|path| !path.exists()) {
        let path = path.display();
        return Err(format!("there is neither a file nor a command called “{path}”; see ossature --help"));
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
        return Err("there is no display here to open a window on; ./dev run starts a virtual one".into());
    }
    if !adapter_available() {
        return Err(NO_ADAPTER.into());
    }
    let (scene, _) = embedded_human().map_err(|error| error.to_string())?;
    let mut start = Start::with_scene(scene, None);
    // If the file cannot be read, the human stays open and a message says why. The path is absolute because
    // journals contain it, and programs in other folders read them.
    start.file = file.map(|path| std::path::absolute(&path).unwrap_or(path));
    start.journals = Store::for_current_user();
    if let Some(file) = preferences {
        let memory = Memory::read(file);
        let tab = start.settings.tab;
        start.settings = memory.preferences().view.remembered();
        start.settings.options = memory.preferences().options.clone();
        start.settings.tab = tab;
        start.memory = Some(memory);
    }
    // Bevy panics if the display does not answer.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let app = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| build(Target::Window, start)));
    std::panic::set_hook(hook);
    let mut app = app.map_err(|_| "the window could not be opened; does the display (DISPLAY) answer?")?;
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(format!("the window ended with an error ({code})")),
    }
}

/// Reads the human that is embedded in the program.
pub fn embedded_human() -> Result<(crate::scene::Scene, crate::io::report::Report), ReadError> {
    Example::Human.read()
}

/// Builds the application for a target, ready to run (window) or to be updated frame by frame (image).
pub fn build(target: Target, start: Start) -> App {
    let mut app = App::new();
    add_engine(&mut app, target, window(target, &start));
    insert_resources(&mut app, target, start);
    app.add_plugins((
        projection::studio::plugin,
        projection::add_systems,
        viewport::plugin,
        picking::plugin,
        wake::plugin,
        overlay::tool_plugin,
        vertex_overlay::plugin,
        motion_paths::plugin,
        projection::ghosts::plugin,
    ));
    order_steps(&mut app);
    add_systems(&mut app);
    run_systems_serially(&mut app);
    // Finding what moved wakes threads in every frame, and there are few entities, none of them nested.
    app.insert_resource(StaticTransformOptimizations::Disabled);
    app
}

fn window(target: Target, start: &Start) -> WindowPlugin {
    let mut primary_window = (target == Target::Window).then(|| Window {
        title: apply::window_title(&start.session),
        name: Some("ossature".into()),
        resolution: WindowResolution::new(1280, 800),
        resize_constraints: bevy::window::WindowResizeConstraints {
            min_width: 720.0,
            min_height: 480.0,
            ..default()
        },
        present_mode: PresentMode::AutoVsync,
        ..default()
    });
    if let (Some(window), Some(memory)) = (&mut primary_window, &start.memory) {
        memory.place(window);
    }
    WindowPlugin {
        primary_window,
        exit_condition: match target {
            Target::Window => ExitCondition::OnPrimaryClosed,
            Target::Image { .. } => ExitCondition::DontExit,
        },
        // Closing asks about unsaved changes first.
        close_when_requested: false,
        ..default()
    }
}

/// Adds Bevy and egui.
fn add_engine(app: &mut App, target: Target, window: WindowPlugin) {
    let plugins = DefaultPlugins
        .set(window)
        .set(bevy::log::LogPlugin { level: bevy::log::Level::ERROR, ..default() })
        // A sleeping window would not notice when a shader is ready.
        .set(bevy::render::RenderPlugin { synchronous_pipeline_compilation: true, ..default() });
    // That plugin would end the program without asking.
    #[cfg(unix)]
    let plugins = plugins.disable::<bevy::app::TerminalCtrlCHandlerPlugin>();
    match target {
        Target::Window => {
            app.add_plugins(plugins).add_plugins((recovery::terminations::plugin, icon::plugin))
        }
        Target::Image { .. } => app.add_plugins(plugins.disable::<WinitPlugin>()),
    };
    // Nothing moves by itself: the window sleeps until an event arrives.
    let asleep = UpdateMode::Reactive {
        wait: Duration::from_secs(3600),
        react_to_device_events: false,
        react_to_user_events: true,
        react_to_window_events: true,
    };
    app.insert_resource(WinitSettings { focused_mode: asleep, unfocused_mode: asleep })
        .insert_resource(EguiGlobalSettings { auto_create_primary_context: false, ..default() })
        .add_plugins(EguiPlugin::default());
}

/// Inserts the resources that exist as long as the window.
fn insert_resources(app: &mut App, target: Target, start: Start) {
    if let Some(memory) = start.memory {
        app.insert_resource(memory).add_plugins(memory::plugin);
    }
    let render_target = match target {
        Target::Window => None,
        Target::Image { width, height, scale } => {
            let mut images = app.world_mut().resource_mut::<Assets<Image>>();
            Some(cameras::image_target(width, height, scale, &mut images))
        }
    };
    let offscreen = target != Target::Window;
    let opened = start.file.map(Request::OpenPath);
    // The first frame moves the view to what is shown.
    let (mut shown, mut caches) = (Shown::default(), Caches::default());
    caches.joints.waits = offscreen;
    refresh(&mut &mut shown, &mut caches, &start.session, &start.settings);
    app.insert_resource(shown).insert_resource(caches);
    let files = Files::new(offscreen, &start.session);
    app.insert_resource(cameras::DrawTarget(render_target))
        .insert_resource(Document(start.session))
        .insert_resource(Requests(Vec::from_iter(opened)))
        .insert_resource(ViewportState::new(offscreen))
        .insert_resource(files)
        .insert_resource(Jobs::new(offscreen))
        .insert_resource(Journaling::new(start.journals, start.settings.options.journal))
        .init_resource::<Recovering>()
        .init_resource::<files::folders::Folders>()
        .insert_resource(Settings(start.settings))
        .init_resource::<Panels>()
        .init_resource::<Comparing>()
        .init_resource::<jobs::fit_job::FitJob>()
        .init_resource::<Exporting>()
        .init_resource::<Rendering>()
        .insert_resource(sound::SoundPlayer::new(offscreen))
        .init_resource::<Terminations>();
}

fn add_systems(app: &mut App) {
    app.add_systems(PreUpdate, event_modifiers::correct.after(EguiPreUpdateSet::ProcessInput));
    // Otherwise the graphics card gets new glyphs a frame after the text that needs them, and not at all in a
    // frame with a new texture for them.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems));
    app.add_systems(PreStartup, cameras::spawn)
        .add_systems(Update, cameras::follow_background.in_set(FrameStep::Upload))
        .add_systems(Startup, (recovery::journaling::start, recovery::recovering::start))
        .add_systems(
            Update,
            (recovery::journaling::follow, options::follow, viewport::quality::follow)
                .chain()
                .in_set(FrameStep::Apply)
                .after(apply::carry_out_requests),
        );
    app.add_systems(
        Update,
        (
            (
                input::handle_window_events,
                input::poll_file_dialogs,
                recovery::terminations::poll,
                recovery::recovering::poll,
                jobs::poll,
                jobs::comparing::poll,
                jobs::fit_job::poll,
                files::exporting::compare,
                playing::advance,
                jobs::render_job::poll,
            )
                .in_set(FrameStep::Input),
            panels_pass::run.in_set(FrameStep::Panels),
            viewport::tools::run_tools.in_set(FrameStep::Tools),
            apply::carry_out_requests.in_set(FrameStep::Apply),
            sound::follow.in_set(FrameStep::Evaluate),
            jobs::comparing::follow.in_set(FrameStep::Evaluate).before(evaluate),
            jobs::comparing::measure.in_set(FrameStep::Evaluate).after(evaluate),
        ),
    );
    app.add_systems(Last, wake::draw_due);
}

/// Runs systems one at a time: most have nothing to do in a frame, and handing them to threads takes longer
/// than running them. Systems with much work divide it among threads themselves.
pub fn run_systems_serially(app: &mut App) {
    let frame = app.world().resource::<MainScheduleOrder>().labels.clone();
    let fixed = app.world().resource::<FixedMainScheduleOrder>().labels.clone();
    for label in frame.into_iter().chain(fixed) {
        app.edit_schedule(label, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
    }
}
