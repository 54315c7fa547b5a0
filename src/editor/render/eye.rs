//! Where a picture is seen from: a view that is framed or given, or a camera of the scene.

use super::Job;
use crate::edit::render::Eye;
use crate::editor::Editor;
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::scene::Scene;
use crate::scene::evaluate::Evaluated;
use crate::scene::resource::Camera;
use bevy::prelude::*;

/// Poses of the animation that the view is framed by, at most.
const POSES: u32 = 25;

/// What the scene fills while it plays: a function of the scene, whatever frames of it are rendered.
pub fn bounds_in_motion(editor: &mut Editor, [first, last]: [u32; 2]) -> Bounds {
    let steps = (last - first).min(POSES - 1);
    let mut bounds = Bounds::EMPTY;
    for i in 0..=steps {
        let frame = first + (u64::from(last - first) * u64::from(i) / u64::from(steps.max(1))) as u32;
        editor.session.set_frame(frame as f32);
        editor.refresh();
        let surfaces = editor.surface_bounds();
        bounds = bounds.union(match surfaces.is_empty() {
            true => editor.scene_bounds(),
            false => surfaces,
        });
    }
    bounds
}

/// The view at all frames; for a camera of the scene, what stands for it until it is looked through.
pub fn view(job: &Job, bounds: &Bounds) -> ViewCamera {
    let [width, height] = job.settings.size.map(|side| side as f32);
    let mut view = ViewCamera::default();
    match &job.settings.eye {
        Eye::At(given) => return *given,
        Eye::Framed(Some(side)) => view.look(*side),
        Eye::Framed(None) | Eye::Camera(_) | Eye::Viewport => {}
    }
    view.frame(bounds, Vec2::new(width, height));
    view
}

/// That there is such a camera.
pub fn check(scene: &Scene, eye: &Eye) -> Result<(), String> {
    let Eye::Camera(name) = eye else { return Ok(()) };
    let Some(instance) = scene.instances.cameras.get(name) else {
        let names: Vec<String> = scene
            .instances
            .cameras
            .keys()
            .map(|name| format!("“{name}”"))
            .collect();
        let there = match names.len() {
            0 => "the scene has none".to_owned(),
            _ => format!("there is {}", names.join(", ")),
        };
        return Err(format!(
            "there is no instance of a camera called “{name}”; {there}"
        ));
    };
    let camera = instance.camera.as_deref();
    if camera.is_none_or(|camera| !scene.cameras.contains_key(camera)) {
        return Err(format!("the instance “{name}” has no camera"));
    }
    Ok(())
}

/// A camera of the scene at the frame that was evaluated.
pub struct Through {
    pub eye: Vec3,
    /// World from camera.
    pub rotation: Quat,
    pub vertical_fov: f32,
    pub near: f32,
}

/// All that the camera sees is in the picture, and more where the picture is wider or higher than it.
pub fn through(evaluated: &Evaluated, name: &str, aspect: f32) -> Option<Through> {
    let instance = evaluated.scene.instances.cameras.get(name)?;
    let camera: &Camera = evaluated.scene.cameras.get(instance.camera.as_deref()?)?;
    let world = evaluated.world(instance.transform.as_deref());
    let back = world.z_axis.truncate().normalize_or(Vec3::Z);
    let up = world.y_axis.truncate();
    let right = up.cross(back).normalize_or(back.any_orthonormal_vector());
    let up = back.cross(right);
    let half = (camera.vertical_fov.to_radians() * 0.5).clamp(0.005, 1.56);
    let own = camera.aspect_ratio;
    let wider = match own.is_finite() && own > 0.0 {
        true => (own / aspect).max(1.0),
        false => 1.0,
    };
    let near = camera.near_plane;
    Some(Through {
        eye: world.w_axis.truncate(),
        rotation: Quat::from_mat3(&Mat3::from_cols(right, up, back)),
        vertical_fov: 2.0 * (half.tan() * wider).atan(),
        near: if near.is_finite() { near.max(1e-4) } else { 0.01 },
    })
}

impl Through {
    /// The viewing camera that stands there too. Only its near plane is its own.
    pub fn view(&self, distance: f32) -> ViewCamera {
        let back = self.rotation * Vec3::Z;
        let upright = ViewCamera {
            target: self.eye - back * distance,
            yaw: back.x.atan2(back.z),
            pitch: back.y.clamp(-1.0, 1.0).asin(),
            ..ViewCamera::default()
        };
        let rolled = upright.rotation().inverse() * self.rotation;
        ViewCamera {
            roll: 2.0 * rolled.z.atan2(rolled.w),
            distance,
            orthographic: false,
            vertical_fov: self.vertical_fov,
            ..upright
        }
    }
}
