//! Measures whole frames of the window during a drag of a handle: events, panels, tools, requests, evaluation
//! and the overlay, in the application itself but without the GPU.

use super::count::Lap;
use ossature::scene::Scene;

#[cfg(feature = "editor")]
pub fn dragged(mut scene: Scene, mesh: &str, frames: usize) -> Result<Vec<Lap>, String> {
    use super::count::{Clock, WARMUP};
    use bevy_egui::egui::{Event, Modifiers, PointerButton, pos2};
    use ossature::edit::select::active_rig::ActiveRig;
    use ossature::edit::select::selection::{Part, Selection};
    use ossature::edit::settings::view::Tab;
    use ossature::editor::{Offscreen, Start, adapter_available};

    if !adapter_available() {
        return Err("no graphics adapter".into());
    }
    let handle = super::character::handle(&mut scene, mesh).ok_or("no bones")?;
    let mut start = Start::with_scene(scene, None);
    start.settings.tab = Tab::Animate;
    let selection = Selection::from_mesh(start.session.scene(), mesh).with_part(Some(Part::Handle(handle)));
    start.session.select(selection);
    let mut app = Offscreen::new(1280, 800, 1.0, start);
    app.frames(4);
    let editor = app.editor();
    let target = ActiveRig::from_view(&editor.view()).and_then(|rig| rig.handle_target(handle));
    let projected = target.and_then(|target| editor.viewport.view().project(target));
    let grip = projected.ok_or("the handle is not seen")?.pixel + editor.viewport.origin();
    app.point_at(grip.x, grip.y);
    app.queue(Event::PointerButton {
        pos: pos2(grip.x, grip.y),
        button: PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    });
    app.frames(1);
    app.without_screen_reader();
    let mut laps = Vec::new();
    for step in 0..WARMUP + frames {
        let angle = (step + 1) as f32 / 60.0 * std::f32::consts::TAU;
        let pointer = grip + glam::Vec2::new(angle.sin(), 1.0 - angle.cos()) * 60.0;
        app.queue(Event::PointerMoved(pos2(pointer.x, pointer.y)));
        let mut clock = Clock::default();
        app.frame_without_drawing();
        clock.lap();
        laps.extend(clock.laps);
    }
    if !app.editor().session.in_transaction() {
        return Err("the drag has ended".into());
    }
    Ok(laps.split_off(WARMUP))
}

/// Measures frames of an empty Bevy and egui application, the cost without any work of our own.
#[cfg(feature = "editor")]
pub fn empty(frames: usize) -> Vec<Lap> {
    use super::count::{Clock, WARMUP};
    use bevy::prelude::*;
    use bevy::winit::WinitPlugin;
    use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};
    use ossature::editor::app::run_systems_serially;
    use ossature::editor::viewport::cameras::image_target;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let mut app = App::new();
    let plugins = DefaultPlugins.build().disable::<WinitPlugin>();
    #[cfg(unix)]
    let plugins = plugins.disable::<bevy::app::TerminalCtrlCHandlerPlugin>();
    app.add_plugins(plugins.disable::<bevy::log::LogPlugin>());
    app.add_plugins(EguiPlugin::default());
    let target = image_target(1280, 800, 1.0, &mut app.world_mut().resource_mut::<Assets<Image>>());
    app.world_mut().spawn((Camera3d::default(), target));
    let passes = Arc::<AtomicUsize>::default();
    let counted = passes.clone();
    app.add_systems(EguiPrimaryContextPass, move |mut contexts: EguiContexts| {
        if let Ok(context) = contexts.ctx_mut() {
            egui::Area::new(egui::Id::new("empty")).show(context, |_| {});
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    run_systems_serially(&mut app);
    app.finish();
    app.cleanup();
    let mut apps = std::mem::take(app.sub_apps_mut());
    let mut laps = Vec::new();
    for step in 0..WARMUP + frames {
        let mut clock = Clock::default();
        apps.main.update();
        clock.lap();
        laps.extend(clock.laps);
        if step < WARMUP {
            apps.update();
        }
    }
    assert!(passes.load(Ordering::Relaxed) > frames, "egui did not run");
    laps.split_off(WARMUP)
}

#[cfg(not(feature = "editor"))]
pub fn empty(_frames: usize) -> Vec<Lap> {
    Vec::new()
}

#[cfg(not(feature = "editor"))]
pub fn dragged(_scene: Scene, _mesh: &str, _frames: usize) -> Result<Vec<Lap>, String> {
    Err("built without the window".into())
}
