//! The viewing camera as plain mathematics: where it stands, and the way between pixels and rays.
//! Gestures that move it are in [`super::navigate`]. Draws nothing.
//!
//! Right-handed; the camera looks down its -z with y up, as in Bevy. Pixels count from the top left corner
//! of the viewport, y down. No result is NaN for finite input, not even in a viewport of size zero.

use super::bounds::Bounds;
use super::ray::Ray;
use glam::{Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI};

/// A camera that looks at a point. Yaw 0, pitch 0 stands on the +z side and looks along -z, so that it sees
/// the face of a character that faces +z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewCamera {
    /// What it looks at, in world space; the centre of the picture.
    pub target: Vec3,
    /// Radians about +y: at pi/2 the camera stands on the +x side.
    pub yaw: f32,
    /// Radians above the horizon, -pi/2..=pi/2: at pi/2 it looks straight down.
    pub pitch: f32,
    /// Radians about the line of sight: above zero the picture turns clockwise.
    pub roll: f32,
    /// From the camera to the target. Positive.
    pub distance: f32,
    /// Parallel lines of sight; the picture is as large as in perspective at the target.
    pub orthographic: bool,
    /// Full vertical angle of the picture, radians.
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

/// What a renderer needs to project as [`ViewCamera`] does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Infinite far plane.
    Perspective { vertical_fov: f32, near: f32 },
    /// `height`: of the picture, in world units. `near` may be negative: things behind the camera are seen.
    Orthographic { height: f32, near: f32, far: f32 },
}

/// A world point on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projected {
    pub pixel: Vec2,
    /// Distance in front of the camera, measured along its line of sight.
    pub depth: f32,
}

/// A camera with the rectangle of pixels that shows its picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    pub camera: ViewCamera,
    /// Width and height, in pixels.
    pub size: Vec2,
}

pub(super) const MIN_DISTANCE: f32 = 1e-6;
pub(super) const MAX_DISTANCE: f32 = 1e12;

impl ViewCamera {
    /// World from camera, without the translation.
    pub fn rotation(&self) -> Quat {
        let upright = Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch);
        match self.roll == 0.0 {
            true => upright,
            false => upright * Quat::from_rotation_z(self.roll),
        }
    }

    /// Unit vectors of the picture: right, up, and back towards the camera.
    pub fn axes(&self) -> [Vec3; 3] {
        let rotation = self.rotation();
        [rotation * Vec3::X, rotation * Vec3::Y, rotation * Vec3::Z]
    }

    /// Where it stands.
    pub fn eye(&self) -> Vec3 {
        self.target + self.axes()[2] * self.sane_distance()
    }

    pub fn world_from_camera(&self) -> Mat4 {
        Mat4::from_rotation_translation(self.rotation(), self.eye())
    }

    /// Height of what is seen at the target, in world units.
    pub fn height_at_target(&self) -> f32 {
        2.0 * self.sane_distance() * self.half_fov().tan()
    }

    /// Nearer things are not drawn in perspective.
    pub fn near(&self) -> f32 {
        self.sane_distance() * 0.01
    }

    /// Projection parameters. Near and far of the orthographic lens enclose `scene`.
    pub fn lens(&self, scene: &Bounds) -> Lens {
        if !self.orthographic {
            return Lens::Perspective {
                vertical_fov: 2.0 * self.half_fov(),
                near: self.near(),
            };
        }
        let distance = self.sane_distance();
        let reach = (scene.center().distance(self.target) + scene.diagonal()).min(MAX_DISTANCE);
        let reach = 1.1 * reach.max(distance) + self.height_at_target();
        Lens::Orthographic {
            height: self.height_at_target(),
            near: distance - reach,
            far: distance + reach,
        }
    }

    /// The line of sight through a pixel. Unit direction; begins at the near plane in perspective, has no
    /// beginning in orthographic views.
    pub fn ray(&self, pixel: Vec2, size: Vec2) -> Ray {
        let size = sane_size(size);
        let [right, up, back] = self.axes();
        let across = (pixel - size * 0.5) * (2.0 * self.half_fov().tan() / size.y);
        // Far outside of any window the direction stays right while its length fits into a float.
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
        Ray {
            origin: self.eye(),
            direction,
            start: self.near(),
        }
    }

    /// Where a world point shows; `None` before the near plane of a perspective view, and for points too
    /// far away to compute. May lie outside the viewport.
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

    /// World units that a pixel covers at the depth of `point` (of the near plane for what lies before it).
    pub fn world_per_pixel(&self, point: Vec3, size: Vec2) -> f32 {
        let height = sane_size(size).y;
        if self.orthographic {
            return self.height_at_target() / height;
        }
        let depth = (self.eye() - point).dot(self.axes()[2]);
        let depth = if depth.is_finite() {
            depth
        } else {
            self.sane_distance()
        };
        2.0 * depth.max(self.near()) * self.half_fov().tan() / height
    }

    pub(super) fn sane_distance(&self) -> f32 {
        if self.distance.is_nan() {
            1.0
        } else {
            self.distance.clamp(MIN_DISTANCE, MAX_DISTANCE)
        }
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

    /// Unit direction from `point` towards the camera.
    pub fn towards_camera(&self, point: Vec3) -> Vec3 {
        let back = self.camera.axes()[2];
        if self.camera.orthographic {
            back
        } else {
            (self.camera.eye() - point).normalize_or(back)
        }
    }
}

/// Directions to look from, as on the number pad. A character that faces +z has its left on +x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    /// From +z: the face of the character.
    Front,
    Back,
    /// From +x.
    Right,
    Left,
    /// From above; +z points down the picture.
    Top,
    Bottom,
}

impl AxisView {
    pub const ALL: [AxisView; 6] = [
        Self::Front,
        Self::Back,
        Self::Right,
        Self::Left,
        Self::Top,
        Self::Bottom,
    ];

    /// Yaw and pitch, radians.
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
    if size.is_nan() {
        Vec2::ONE
    } else {
        size.max(Vec2::ONE)
    }
}

fn finite_or(value: Vec3, other: Vec3) -> Vec3 {
    if value.is_finite() { value } else { other }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::math::testing::Random;

    pub(crate) fn random_viewport(random: &mut Random) -> Viewport {
        Viewport {
            camera: ViewCamera {
                target: random.vec3(3.0),
                yaw: random.range(-PI, PI),
                pitch: random.range(-FRAC_PI_2, FRAC_PI_2),
                roll: 0.0,
                distance: random.range(0.5, 20.0),
                orthographic: random.next() & 1 == 0,
                vertical_fov: random.range(0.3, 1.5),
            },
            size: Vec2::new(random.range(200.0, 2000.0), random.range(200.0, 1500.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::random_viewport;
    use super::*;
    use crate::math::testing::Random;

    #[test]
    fn points_on_the_ray_project_to_its_pixel() {
        let mut random = Random::new(1);
        for _ in 0..500 {
            let view = random_viewport(&mut random);
            let pixel = view.size * Vec2::new(random.range(0.0, 1.0), random.range(0.0, 1.0));
            let ray = view.ray(pixel);
            let t = view.camera.distance * random.range(0.1, 4.0);
            let shown = view.project(ray.at(t)).expect("in front of the camera");
            assert!(shown.pixel.distance(pixel) < 0.02, "{} {pixel}", shown.pixel);
            assert!((ray.direction.length() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn agrees_with_the_projection_matrices() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let view = random_viewport(&mut random);
            let scene = Bounds::of_sphere(Vec3::ZERO, 3.0);
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
            assert!(
                shown.pixel.distance(pixel) < 1e-3 * view.size.length(),
                "{pixel} {shown:?}"
            );
            assert!((0.0..=1.0).contains(&ndc.z), "the lens cuts the scene: {ndc}");
        }
    }

    #[test]
    fn axis_views_see_what_they_are_named_after() {
        let toward = [Vec3::Z, -Vec3::Z, Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y];
        for (view, expected) in AxisView::ALL.into_iter().zip(toward) {
            let mut camera = ViewCamera::default();
            (camera.yaw, camera.pitch) = view.angles();
            assert!(camera.axes()[2].distance(expected) < 1e-6, "{view:?}");
            assert!((camera.world_from_camera().determinant() - 1.0).abs() < 1e-5);
        }
        let top = ViewCamera {
            yaw: 0.0,
            pitch: FRAC_PI_2,
            ..Default::default()
        };
        assert!(top.axes()[1].distance(-Vec3::Z) < 1e-6);
        // A front view has the character's left, +x, at the right of the picture.
        let front = ViewCamera {
            yaw: 0.0,
            pitch: 0.0,
            ..Default::default()
        };
        assert!(front.project(Vec3::X, Vec2::splat(100.0)).unwrap().pixel.x > 50.0);
        assert!(front.project(Vec3::Y, Vec2::splat(100.0)).unwrap().pixel.y < 50.0);
    }

    #[test]
    fn a_pixel_is_as_large_as_it_says_and_the_lens_keeps_the_size() {
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
    fn nothing_finite_gives_nan() {
        let odd = [0.0, -1.0, 1.0, 1e-30, 1e30, f32::MAX, f32::MIN];
        for distance in odd {
            for at in odd {
                for orthographic in [false, true] {
                    let camera = ViewCamera {
                        target: Vec3::splat(at),
                        distance,
                        orthographic,
                        vertical_fov: at,
                        ..Default::default()
                    };
                    for size in [Vec2::ZERO, Vec2::new(-5.0, 3.0), Vec2::splat(1e30)] {
                        let ray = camera.ray(Vec2::splat(at), size);
                        assert!(
                            ray.direction.is_finite() && !ray.origin.is_nan(),
                            "{camera:?} {size}"
                        );
                        if let Some(shown) = camera.project(Vec3::splat(-at), size) {
                            assert!(shown.pixel.is_finite() && shown.depth.is_finite());
                        }
                        assert!(camera.world_per_pixel(Vec3::splat(-at), size).is_finite());
                        assert!(!camera.world_from_camera().is_nan());
                    }
                }
            }
        }
    }
}
