//! The view of a camera of the scene.

use crate::math::camera::ViewCamera;
use crate::scene::evaluate::Evaluated;
use crate::scene::resource::Camera;
use bevy::prelude::{Mat3, Quat, Vec3};

/// A camera of the scene at the frame that was evaluated.
pub struct SceneView {
    pub eye: Vec3,
    /// The rotation from camera to world space.
    pub rotation: Quat,
    pub vertical_fov: f32,
    pub near: f32,
}

/// Returns the view of the camera instance `name`. A picture of `aspect` contains everything that the camera
/// sees, and more if it is wider or higher.
pub fn scene_view(evaluated: &Evaluated, name: &str, aspect: f32) -> Option<SceneView> {
    let instance = evaluated.scene.instances.cameras.get(name)?;
    let camera: &Camera = evaluated.scene.cameras.get(instance.camera.as_deref()?)?;
    let world = evaluated.world(instance.transform.as_deref());
    let back = world.z_axis.truncate().normalize_or(Vec3::Z);
    let up = world.y_axis.truncate();
    let right = up.cross(back).normalize_or(back.any_orthonormal_vector());
    let up = back.cross(right);
    let half = (camera.vertical_fov.to_radians() * 0.5).clamp(0.005, 1.56);
    let camera_aspect = camera.aspect_ratio;
    let widening = if camera_aspect.is_finite() && camera_aspect > 0.0 {
        (camera_aspect / aspect).max(1.0)
    } else {
        1.0
    };
    let near = camera.near_plane;
    Some(SceneView {
        eye: world.w_axis.truncate(),
        rotation: Quat::from_mat3(&Mat3::from_cols(right, up, back)),
        vertical_fov: 2.0 * (half.tan() * widening).atan(),
        near: if near.is_finite() { near.max(1e-4) } else { 0.01 },
    })
}

impl SceneView {
    /// Returns the viewport camera with the same view, at `distance` from its target. It has a different near
    /// plane.
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
