//! The mathematics of the viewing camera: its position, and the conversion between pixels and rays. Gestures
//! that move it are in [`super::navigate`].
//!
//! Right-handed; the camera looks down its -z with y up, as in Bevy. Pixels count from the top left corner of
//! the viewport, y down. No result is NaN for finite input, even if the viewport has size zero.

use super::bounds::Bounds;
use super::ray::Ray;
use glam::{Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI};

/// An orbit camera that looks at a target. At yaw 0 and pitch 0 it is on the +z side and looks along -z, so
/// that it sees the face of a character that faces +z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewCamera {
    /// The point in world space at the centre of the image.
    pub target: Vec3,
    /// The angle about +y in radians; at pi/2 the camera is on the +x side.
    pub yaw: f32,
    /// The angle above the horizon in radians, -pi/2..=pi/2; at pi/2 the camera looks straight down.
    pub pitch: f32,
    /// The angle about the view direction in radians; positive angles rotate the image clockwise.
    pub roll: f32,
    /// The distance from the camera to the target. Positive.
    pub distance: f32,
    /// Whether the projection is orthographic; objects at the target then have the same size as in
    /// perspective.
    pub orthographic: bool,
    /// The full vertical field of view in radians.
    pub vertical_fov: f32,
}

impl Default for ViewCamera {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            yaw: 30f32.to_radians(),
            pitch: 12f32.to_radians(),
            roll: 0.0,
            distance: 5.0,
            orthographic: false,
            vertical_fov: 40f32.to_radians(),
        }
    }
}

/// The projection parameters that match [`ViewCamera::project`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// A perspective projection with an infinite far plane.
    Perspective { vertical_fov: f32, near: f32 },
    /// An orthographic projection; `height` of the image in world units. `near` can be negative, in which
    /// case objects behind the camera are visible.
    Orthographic { height: f32, near: f32, far: f32 },
}

/// A world point projected to the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    pub pixel: Vec2,
    /// The distance from the camera along its view direction.
    pub depth: f32,
}

/// A camera and the size of the rectangle that it is shown in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    pub camera: ViewCamera,
    /// The width and height in pixels.
    pub size: Vec2,
    /// The height of what lies over its upper end, in pixels: bars and messages.
    pub covered_top: f32,
}

pub(super) const MIN_DISTANCE: f32 = 1e-6;
pub(super) const MAX_DISTANCE: f32 = 1e12;

impl ViewCamera {
    /// The rotation from camera to world space.
    pub fn rotation(&self) -> Quat {
        let upright = Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch);
        if self.roll == 0.0 { upright } else { upright * Quat::from_rotation_z(self.roll) }
    }

    /// The unit vectors of the image: right, up, and back towards the camera.
    pub fn axes(&self) -> [Vec3; 3] {
        let rotation = self.rotation();
        [rotation * Vec3::X, rotation * Vec3::Y, rotation * Vec3::Z]
    }

    /// The position of the camera.
    pub fn eye(&self) -> Vec3 {
        self.target + self.axes()[2] * self.sane_distance()
    }

    pub fn world_from_camera(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation(), self.eye())
    }

    /// The visible height at the depth of the target, in world units.
    pub fn height_at_target(&self) -> f32 {
        2.0 * self.sane_distance() * self.half_fov().tan()
    }

    /// The distance of the near plane in perspective.
    pub fn near(&self) -> f32 {
        self.sane_distance() * 0.01
    }

    /// Returns the projection parameters. The near and far planes of an orthographic projection enclose
    /// `scene`.
    pub fn lens(&self, scene: &Bounds) -> Lens {
        if !self.orthographic {
            return Lens::Perspective { vertical_fov: 2.0 * self.half_fov(), near: self.near() };
        }
        let distance = self.sane_distance();
        let reach = (scene.center().distance(self.target) + scene.diagonal()).min(MAX_DISTANCE);
        let reach = 1.1 * reach.max(distance) + self.height_at_target();
        Lens::Orthographic { height: self.height_at_target(), near: distance - reach, far: distance + reach }
    }

    /// Returns the view ray through a pixel, with a unit direction. It starts at the near plane in
    /// perspective and at minus infinity in orthographic views.
    pub fn ray(&self, pixel: Vec2, size: Vec2) -> Ray {
        let size = sane_size(size);
        let [right, up, back] = self.axes();
        let across = (pixel - size * 0.5) * (2.0 * self.half_fov().tan() / size.y);
        // Far outside any window: keep the direction valid while its length still fits into a float.
        let across = across.clamp(Vec2::splat(-1e9), Vec2::splat(1e9));
        if self.orthographic {
            let offset = (right * across.x - up * across.y) * self.sane_distance();
            return Ray {
                origin: finite_or(self.eye() + offset, self.eye()),
                direction: -back,
                start: f32::NEG_INFINITY,
            };
        }
        let direction = (right * across.x - up * across.y - back).normalize_or(-back);
        Ray { origin: self.eye(), direction, start: self.near() }
    }

    /// Projects a world point to the screen; `None` in front of the near plane of a perspective view, or if
    /// the result is not finite. The pixel can be outside the viewport.
    pub fn project(&self, point: Vec3, size: Vec2) -> Option<Projected> {
        let size = sane_size(size);
        let [right, up, back] = self.axes();
        let offset = point - self.eye();
        let depth = -offset.dot(back);
        let scale = if self.orthographic {
            self.sane_distance()
        } else if depth >= self.near() {
            depth
        } else {
            return None;
        };
        let across = Vec2::new(offset.dot(right), -offset.dot(up)) / (2.0 * self.half_fov().tan() * scale);
        let pixel = size * 0.5 + across * size.y;
        (pixel.is_finite() && depth.is_finite()).then_some(Projected { pixel, depth })
    }

    /// The size of a pixel in world units at the depth of `point`, or at the near plane for points in front
    /// of it.
    pub fn world_per_pixel(&self, point: Vec3, size: Vec2) -> f32 {
        let height = sane_size(size).y;
        if self.orthographic {
            return self.height_at_target() / height;
        }
        let depth = (self.eye() - point).dot(self.axes()[2]);
        let depth = if depth.is_finite() { depth } else { self.sane_distance() };
        2.0 * depth.max(self.near()) * self.half_fov().tan() / height
    }

    pub(super) fn sane_distance(&self) -> f32 {
        if self.distance.is_nan() { 1.0 } else { self.distance.clamp(MIN_DISTANCE, MAX_DISTANCE) }
    }

    pub(super) fn half_fov(&self) -> f32 {
        if self.vertical_fov.is_nan() {
            20f32.to_radians()
        } else {
            0.5 * self.vertical_fov.clamp(0.01, PI - 0.01)
        }
    }

    pub(super) fn is_finite(&self) -> bool {
        let angles = [self.yaw, self.pitch, self.roll];
        self.target.is_finite() && angles.iter().all(|angle| angle.is_finite()) && self.distance.is_finite()
    }
}

impl Viewport {
    /// See [`ViewCamera::ray`].
    pub fn ray(&self, pixel: Vec2) -> Ray {
        self.camera.ray(pixel, self.size)
    }

    /// See [`ViewCamera::project`].
    pub fn project(&self, point: Vec3) -> Option<Projected> {
        self.camera.project(point, self.size)
    }

    /// See [`ViewCamera::world_per_pixel`].
    pub fn world_per_pixel(&self, point: Vec3) -> f32 {
        self.camera.world_per_pixel(point, self.size)
    }

    /// Returns the unit direction from `point` towards the camera.
    pub fn towards_camera(&self, point: Vec3) -> Vec3 {
        let back = self.camera.axes()[2];
        if self.camera.orthographic { back } else { (self.camera.eye() - point).normalize_or(back) }
    }
}

/// The axis-aligned views of the number pad. A character that faces +z has its left on +x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    /// From +z: shows the face of the character.
    Front,
    Back,
    /// From +x.
    Right,
    Left,
    /// From above; +z points down in the image.
    Top,
    Bottom,
}

impl AxisView {
    pub const ALL: [AxisView; 6] =
        [Self::Front, Self::Back, Self::Right, Self::Left, Self::Top, Self::Bottom];

    /// The unit vector from the target towards the eye.
    pub fn direction(self) -> Vec3 {
        match self {
            Self::Front => Vec3::Z,
            Self::Back => Vec3::NEG_Z,
            Self::Right => Vec3::X,
            Self::Left => Vec3::NEG_X,
            Self::Top => Vec3::Y,
            Self::Bottom => Vec3::NEG_Y,
        }
    }

    /// The yaw and pitch in radians.
    pub fn angles(self) -> (f32, f32) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::Back => (PI, 0.0),
            Self::Right => (FRAC_PI_2, 0.0),
            Self::Left => (-FRAC_PI_2, 0.0),
            Self::Top => (0.0, FRAC_PI_2),
            Self::Bottom => (0.0, -FRAC_PI_2),
        }
    }
}

fn sane_size(size: Vec2) -> Vec2 {
    if size.is_nan() { Vec2::ONE } else { size.max(Vec2::ONE) }
}

fn finite_or(value: Vec3, fallback: Vec3) -> Vec3 {
    if value.is_finite() { value } else { fallback }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Random, random_viewport};

    #[test]
    fn points_on_the_ray_project_to_its_pixel() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let view = random_viewport(&mut random);
            let pixel = view.size * Vec2::new(random.range(0.0, 1.0), random.range(0.0, 1.0));
            let ray = view.ray(pixel);
            let t = view.camera.distance * random.range(0.1, 4.0);
            let shown = view.project(ray.point_at(t)).expect("in front of the camera");
            assert!(shown.pixel.distance(pixel) < 0.02, "{} {pixel}", shown.pixel);
            assert!((ray.direction.length() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn agrees_with_the_projection_matrices() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let view = random_viewport(&mut random);
            let scene = Bounds::from_sphere(Vec3::ZERO, 3.0);
            let aspect = view.size.x / view.size.y;
            let clip_from_view = match view.camera.lens(&scene) {
                Lens::Perspective { vertical_fov, near } => {
                    Mat4::perspective_infinite_reverse_rh(vertical_fov, aspect, near)
                }
                Lens::Orthographic { height, near, far } => {
                    let (h, w) = (0.5 * height, 0.5 * height * aspect);
                    Mat4::orthographic_rh(-w, w, -h, h, far, near)
                }
            };
            let point = random.vec3(2.0);
            let clip = clip_from_view * view.camera.world_from_camera().inverse() * point.extend(1.0);
            let Some(shown) = view.project(point) else {
                assert!(clip.z > clip.w || clip.w < 0.0);
                continue;
            };
            let ndc = clip.truncate() / clip.w;
            let pixel = Vec2::new(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * view.size;
            assert!(shown.pixel.distance(pixel) < 1e-3 * view.size.length(), "{pixel} {shown:?}");
            assert!((0.0..=1.0).contains(&ndc.z), "the lens cuts the scene: {ndc}");
        }
    }

    #[test]
    fn axis_views_look_from_the_side_in_their_name() {
        for view in AxisView::ALL {
            let mut camera = ViewCamera::default();
            (camera.yaw, camera.pitch) = view.angles();
            assert!(camera.axes()[2].distance(view.direction()) < 1e-6, "{view:?}");
            assert!((camera.world_from_camera().determinant() - 1.0).abs() < 1e-5);
        }
        let top = ViewCamera { yaw: 0.0, pitch: FRAC_PI_2, ..Default::default() };
        assert!(top.axes()[1].distance(-Vec3::Z) < 1e-6);
        // In the front view, the character's left (+x) is at the right of the image.
        let front = ViewCamera { yaw: 0.0, pitch: 0.0, ..Default::default() };
        assert!(front.project(Vec3::X, Vec2::splat(100.0)).unwrap().pixel.x > 50.0);
        assert!(front.project(Vec3::Y, Vec2::splat(100.0)).unwrap().pixel.y < 50.0);
    }

    #[test]
    fn world_per_pixel_is_exact_and_independent_of_the_projection() {
        let mut random = Random::new(4);
        for _ in 0..100 {
            let mut view = random_viewport(&mut random);
            let target = view.camera.target;
            for _ in 0..2 {
                let step = view.camera.axes()[0] * (10.0 * view.world_per_pixel(target));
                let moved = view.project(target + step).unwrap().pixel - view.size * 0.5;
                assert!((moved - Vec2::new(10.0, 0.0)).length() < 0.02, "{moved}");
                view.camera.orthographic ^= true;
            }
        }
    }

    #[test]
    fn finite_input_never_gives_nan() {
        let odd = [0.0, -1.0, 1.0, 1e-30, 1e30, f32::MAX, f32::MIN];
        for distance in odd {
            for value in odd {
                for orthographic in [false, true] {
                    let camera = ViewCamera {
                        target: Vec3::splat(value),
                        distance,
                        orthographic,
                        vertical_fov: value,
                        ..Default::default()
                    };
                    for size in [Vec2::ZERO, Vec2::new(-5.0, 3.0), Vec2::splat(1e30)] {
                        let ray = camera.ray(Vec2::splat(value), size);
                        assert!(ray.direction.is_finite() && !ray.origin.is_nan(), "{camera:?} {size}");
                        if let Some(shown) = camera.project(Vec3::splat(-value), size) {
                            assert!(shown.pixel.is_finite() && shown.depth.is_finite());
                        }
                        assert!(camera.world_per_pixel(Vec3::splat(-value), size).is_finite());
                        assert!(!camera.world_from_camera().is_nan());
                    }
                }
            }
        }
    }
}
