//! The window: Bevy and egui around the editing core.
//!
//! `ui` and `panels` know egui alone; everything that names Bevy lies beside them.
//!
//! One frame, in order (see [`FrameStep`]): what came from outside (input), the panels, the viewport's
//! tools, the changes that both asked for, evaluation of the scene, upload to the graphics card,
//! overlay. The panels run before the tools because the viewport is a widget of theirs.

pub mod panels;
pub mod ui;

mod apply;
mod background;
mod baking;
mod capsules;
mod comparing;
mod creating;
mod dots;
mod draw_list;
mod event_modifiers;
mod files;
mod grid;
mod icon;
mod input;
mod markers;
mod material;
mod meshes;
mod motion_paths;
mod news;
mod offscreen;
mod overlay;
mod overwrite;
mod panels_pass;
mod picking;
mod playing;
mod projection;
pub mod render;
mod rendering;
pub mod screenshot;
mod sight;
mod stage;
mod state;
mod studio;
mod terminations;
mod threads;
mod viewport;
mod wake;
mod weighing;

pub use offscreen::{FRAME_S as OFFSCREEN_FRAME_S, Offscreen, Picture, Widget, adapter_available};
pub use projection::cost::{UploadCost, Way as UploadWay};
pub use state::Editor;

use crate::io::examples::Example;
use crate::io::file::ReadError;
use bevy::asset::AssetEventSystems;
use bevy::prelude::*;
use bevy::window::{ExitCondition, PresentMode, WindowResolution};
use bevy::winit::{UpdateMode, WinitPlugin, WinitSettings};
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPostUpdateSet, EguiPreUpdateSet};
use std::path::PathBuf;
use std::time::Duration;

/// Where a run of the application draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Window,
    /// Physical pixels and pixels per point.
    Image {
        width: u32,
        height: u32,
        scale: f32,
    },
}

/// The steps of a frame, in order.
#[derive(SystemSet, Clone, Debug, Hash, PartialEq, Eq)]
pub enum FrameStep {
    Input,
    Panels,
    Tools,
    Apply,
    Animate,
    SolveIk,
    Pose,
    Skin,
    Upload,
    Overlay,
}

const NO_ADAPTER: &str = "no graphics adapter was found; install a Vulkan driver (on Debian or Ubuntu without a \
graphics card: apt install mesa-vulkan-drivers), or use ./dev run, which does so";

/// Opens the window on a file, or on the human.
pub fn run(file: Option<PathBuf>) -> Result<(), String> {
    if let Some(path) = file.as_ref().filter(|path| !path.exists()) {
        let path = path.display();
        return Err(format!(
            "there is neither a file nor a command called “{path}”; see ossature --help"
        ));
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Err("there is no display here to open a window on; ./dev run starts a virtual one".into());
    }
    if !adapter_available() {
        return Err(NO_ADAPTER.into());
    }
    let mut editor = Editor::default();
    match file {
        None => editor.open_example(Example::Human),
        // A file that cannot be read leaves the human open and says why.
        Some(path) => {
            editor.open_example(Example::Human);
            editor.open_path(&path);
        }
    }
    // Bevy panics where the display does not answer.
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let app = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| build(Target::Window, editor)));
    std::panic::set_hook(loud);
    let mut app = app.map_err(|_| "the window could not be opened; does the display (DISPLAY) answer?")?;
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(format!("the window ended with an error ({code})")),
    }
}

/// The human that is embedded in the program.
pub fn embedded_human() -> Result<(crate::scene::Scene, crate::io::report::Report), ReadError> {
    Example::Human.read()
}

/// The application for a target, ready to run (window) or to be pumped (image).
pub fn build(target: Target, mut editor: Editor) -> App {
    let mut app = App::new();
    if target != Target::Window {
        editor.without_window();
    }
    let window = WindowPlugin {
        primary_window: (target == Target::Window).then(|| Window {
            title: editor.window_title(),
            name: Some("ossature".into()),
            resolution: WindowResolution::new(1280, 800),
            resize_constraints: bevy::window::WindowResizeConstraints {
                min_width: 720.0,
                min_height: 480.0,
                ..default()
            },
            present_mode: PresentMode::AutoVsync,
            ..default()
        }),
        exit_condition: match target {
            Target::Window => ExitCondition::OnPrimaryClosed,
            Target::Image { .. } => ExitCondition::DontExit,
        },
        // Closing asks about unsaved changes first.
        close_when_requested: false,
        ..default()
    };
    let plugins = DefaultPlugins
        .set(window)
        .set(bevy::log::LogPlugin {
            level: bevy::log::Level::ERROR,
            ..default()
        })
        // A window that sleeps would not notice that a shader got ready.
        .set(bevy::render::RenderPlugin {
            synchronous_pipeline_compilation: true,
            ..default()
        });
    // It would end the program without asking.
    #[cfg(unix)]
    let plugins = plugins.disable::<bevy::app::TerminalCtrlCHandlerPlugin>();
    match target {
        Target::Window => app
            .add_plugins(plugins)
            .add_plugins((terminations::plugin, icon::plugin)),
        Target::Image { .. } => app.add_plugins(plugins.disable::<WinitPlugin>()),
    };
    // Nothing moves by itself: the window sleeps until something happens to it.
    let asleep = |react_to_device_events| UpdateMode::Reactive {
        wait: Duration::from_secs(3600),
        react_to_device_events,
        react_to_user_events: true,
        react_to_window_events: true,
    };
    app.insert_resource(WinitSettings {
        focused_mode: asleep(false),
        unfocused_mode: asleep(false),
    })
    .insert_resource(EguiGlobalSettings {
        auto_create_primary_context: false,
        ..default()
    })
    .add_plugins(EguiPlugin::default())
    .add_plugins(bevy::dev_tools::infinite_grid::InfiniteGridPlugin);
    let render_target = stage::make_target(&target, &mut app.world_mut().resource_mut::<Assets<Image>>());
    app.insert_resource(stage::StageTarget(render_target))
        .insert_resource(editor);
    app.add_plugins((
        studio::plugin,
        picking::plugin,
        wake::plugin,
        overlay::plugin,
        overlay::tool_plugin,
        dots::plugin,
        motion_paths::plugin,
    ));

    order_steps(&mut app);
    app.add_systems(
        PreUpdate,
        event_modifiers::state.after(EguiPreUpdateSet::ProcessInput),
    );
    // Else the cards get new letters a frame after the text that needs them, and none at all in a frame where there
    // is a new texture for them.
    app.configure_sets(
        PostUpdate,
        EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems),
    );
    app.add_systems(PreStartup, stage::spawn).add_systems(
        Update,
        (
            (
                input::window_events,
                input::file_dialogs,
                terminations::poll,
                background::poll,
                comparing::poll,
                playing::advance,
                rendering::poll,
            )
                .in_set(FrameStep::Input),
            panels_pass::run.in_set(FrameStep::Panels),
            viewport::tools.in_set(FrameStep::Tools),
            apply::requests.in_set(FrameStep::Apply),
        ),
    );
    projection::add_systems(&mut app);
    app.add_systems(Last, wake::draw_due);
    app
}

/// The steps of a frame come one after the other.
fn order_steps(app: &mut App) {
    app.configure_sets(
        Update,
        (
            FrameStep::Input,
            FrameStep::Panels,
            FrameStep::Tools,
            FrameStep::Apply,
            FrameStep::Animate,
            FrameStep::SolveIk,
            FrameStep::Pose,
            FrameStep::Skin,
            FrameStep::Upload,
            FrameStep::Overlay,
        )
            .chain(),
    );
}
