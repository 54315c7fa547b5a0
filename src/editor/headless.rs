//! Bevy without a window: whether there is a graphics adapter, and the plugins of an application that draws
//! into an image.

use bevy::app::{PluginGroupBuilder, TerminalCtrlCHandlerPlugin};
use bevy::prelude::*;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;

/// The error message if nothing can be drawn.
pub const NO_ADAPTER: &str = "no graphics adapter was found; install a Vulkan driver (on Debian or Ubuntu without a \
graphics card: apt install mesa-vulkan-drivers), or use ./dev run, which does so";

/// Whether this machine has a graphics adapter (a software one counts).
pub fn adapter_available() -> bool {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapters = instance.enumerate_adapters(wgpu::Backends::PRIMARY);
    !bevy::tasks::block_on(adapters).is_empty()
}

/// Returns the plugins of an application without a window, whose frame is drawn when [`App::update`] returns.
/// `alone`: see [`super::render::render`].
pub fn plugins(alone: bool) -> PluginGroupBuilder {
    let plugins = DefaultPlugins
        .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
        .set(bevy::render::RenderPlugin { synchronous_pipeline_compilation: true, ..default() })
        .disable::<WinitPlugin>()
        .disable::<PipelinedRenderingPlugin>();
    match alone {
        true => plugins.set(bevy::log::LogPlugin { level: bevy::log::Level::ERROR, ..default() }),
        // A process has one log and one Ctrl+C handler.
        false => plugins.disable::<bevy::log::LogPlugin>().disable::<TerminalCtrlCHandlerPlugin>(),
    }
}
