//! The view of a picture: framed, given, or that of a camera of the scene.

use super::job::Job;
use crate::edit::render::Viewpoint;
use crate::edit::session::Session;
use crate::edit::settings::view::ViewSettings;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Shown, view};
use crate::editor::viewport::bounds::{scene_bounds, surface_bounds};
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::scene::Scene;
use bevy::prelude::*;

/// The most poses of the animation that determine a framed view: every frame of takes as long as most are. Each of the human takes
/// half a millisecond.
const MAX_POSES: u32 = 100;

/// Returns the bounds of the scene from the first to the last frame that is played, whichever are rendered.
pub fn bounds_in_motion(
    session: &mut Session,
    settings: &ViewSettings,
    mut shown: &mut Shown,
    caches: &mut Caches,
    [first, last]: [u32; 2],
) -> Bounds {
    let steps = (last - first).min(MAX_POSES - 1);
    let mut bounds = Bounds::EMPTY;
    for i in 0..=steps {
        let frame = first + (u64::from(last - first) * u64::from(i) / u64::from(steps.max(1))) as u32;
        session.set_frame(frame as f32);
        refresh(&mut shown, caches, session, settings);
        let view = view(session, settings, shown);
        let surfaces = surface_bounds(&view, caches);
        bounds = bounds.union(if surfaces.is_empty() { scene_bounds(&view, caches) } else { surfaces });
    }
    bounds
}

/// Returns the view at all frames; for a camera of the scene, a placeholder until the view follows it.
pub fn view_camera(job: &Job, bounds: &Bounds) -> ViewCamera {
    let [width, height] = job.settings.size.map(|side| side as f32);
    let mut view = ViewCamera::default();
    match &job.settings.eye {
        Viewpoint::At(given) => return *given,
        Viewpoint::Framed(Some(side)) => view.set_view(*side),
        Viewpoint::Framed(None) | Viewpoint::Camera(_) | Viewpoint::Viewport => {}
    }
    view.frame(bounds, Vec2::new(width, height));
    view
}

/// Checks that the camera exists.
pub fn check(scene: &Scene, eye: &Viewpoint) -> Result<(), String> {
    let Viewpoint::Camera(name) = eye else {
        return Ok(());
    };
    let Some(instance) = scene.instances.cameras.get(name) else {
        let names: Vec<String> = scene.instances.cameras.keys().map(|name| format!("“{name}”")).collect();
        let existing = match names.len() {
            0 => "the scene has none".to_owned(),
            _ => format!("available: {}", names.join(", ")),
        };
        return Err(format!("there is no instance of a camera called “{name}”; {existing}"));
    };
    let camera = instance.camera.as_deref();
    if camera.is_none_or(|camera| !scene.cameras.contains_key(camera)) {
        return Err(format!("the instance “{name}” has no camera"));
    }
    Ok(())
}
