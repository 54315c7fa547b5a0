//! Camera gestures: orbit, pan, zoom, framing, and the transition from one view to another.
//!
//! A gesture that would make the camera non-finite leaves it unchanged.

use super::bounds::Bounds;
use super::camera::{AxisView, MAX_DISTANCE, MIN_DISTANCE, ViewCamera};
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// The orbit speed in radians per pixel: a drag across a typical window is about one full rotation.
const ORBIT_SPEED: f32 = 0.006;
/// The factor applied to the distance per notch of the wheel towards the scene.
const ZOOM_PER_NOTCH: f32 = 0.85;
/// The factor by which a box is enlarged before it is framed.
const FRAME_MARGIN: f32 = 1.08;

impl ViewCamera {
    /// Orbits about the target by a drag of `delta` pixels; stops when looking straight up or down.
    pub fn orbit(&mut self, delta: Vec2) {
        self.orbit_about(self.target, delta);
    }

    /// Orbits about `pivot`, which stays at its place on the screen.
    pub fn orbit_about(&mut self, pivot: Vec3, delta: Vec2) {
        let mut turned = *self;
        turned.yaw = wrap(self.yaw - delta.x * ORBIT_SPEED);
        turned.pitch = (self.pitch + delta.y * ORBIT_SPEED).clamp(-FRAC_PI_2, FRAC_PI_2);
        if pivot != self.target {
            let turn = turned.rotation() * self.rotation().inverse();
            turned.target = pivot + turn * (self.target - pivot);
        }
        self.set_if_finite(turned);
    }

    /// Moves parallel to the screen, so that `anchor` follows the pointer by `delta` pixels. The anchor is
    /// the point where the drag started, or the target if it started in empty space.
    pub fn pan(&mut self, anchor: Vec3, delta: Vec2, size: Vec2) {
        let [right, up, _] = self.axes();
        let scale = self.world_per_pixel(anchor, size);
        let target = self.target - right * (delta.x * scale) + up * (delta.y * scale);
        self.set_if_finite(Self { target, ..*self });
    }

    /// Zooms by notches of the wheel (positive: closer) towards `anchor`, which stays at its place on the
    /// screen. `scene_size`, for example the diagonal of the visible objects, limits the distance at both
    /// ends.
    pub fn zoom(&mut self, notches: f32, anchor: Vec3, scene_size: f32) {
        let size = if scene_size > 0.0 { scene_size.min(1e9) } else { 1.0 };
        let current = self.sane_distance();
        // A camera that is already beyond a limit does not jump back to it.
        let (least, most) = ((size * 2e-3).min(current), (size * 100.0).max(current));
        let wanted = current * ZOOM_PER_NOTCH.powf(notches.clamp(-1000.0, 1000.0));
        let distance = wanted.clamp(least.max(MIN_DISTANCE), most.min(MAX_DISTANCE));
        let target = anchor + (self.target - anchor) * (distance / current);
        self.set_if_finite(Self { target, distance, ..*self });
    }

    /// The point under `pixel` at the depth of the target: the anchor of gestures that start in empty space.
    pub fn point_at_target_depth(&self, pixel: Vec2, size: Vec2) -> Vec3 {
        let ray = self.ray(pixel, size);
        match ray.intersect_plane(self.target, self.axes()[2]) {
            Some(t) if ray.point_at(t).is_finite() => ray.point_at(t),
            _ => self.target,
        }
    }

    /// Frames all of `bounds` without changing the view direction. A box without size is centred at the
    /// current distance; an empty one changes nothing.
    pub fn frame(&mut self, bounds: &Bounds, size: Vec2) {
        self.frame_within(bounds, size, [Vec2::ZERO, size]);
    }

    /// Frames all of `bounds` in a part of the picture of `size` pixels, given by its corners `min` and `max` in
    /// pixels from the top left; see [`Self::frame`].
    pub fn frame_within(&mut self, bounds: &Bounds, size: Vec2, [min, max]: [Vec2; 2]) {
        if bounds.is_empty() {
            return;
        }
        let (size, [min, max]) = if size.min_element() > 0.0 && (max - min).min_element() > 0.0 {
            (size, [min, max])
        } else {
            (Vec2::ONE, [Vec2::ZERO, Vec2::ONE])
        };
        // The centre of the part and half its size, at distance 1 from the eye; y up.
        let unit_per_pixel = 2.0 * self.half_fov().tan() / size.y;
        let center = (0.5 * (min + max) - 0.5 * size) * Vec2::new(1.0, -1.0) * unit_per_pixel;
        let half = 0.5 * (max - min) * unit_per_pixel;
        let [right, up, back] = self.axes();
        let middle = bounds.center();
        let mut distance = 0.0f32;
        for corner in bounds.corners() {
            let offset = (corner - middle) * FRAME_MARGIN;
            let across = Vec2::new(offset.dot(right), offset.dot(up));
            // In perspective, the corner must be inside the pyramid of the part, in front of the camera.
            let towards = if self.orthographic { 0.0 } else { offset.dot(back) };
            let upper = (across + (half + center) * towards) / half;
            let lower = ((half - center) * towards - across) / half;
            distance = distance.max(upper.max(lower).max_element()).max(towards);
        }
        let distance = if distance > MIN_DISTANCE { distance.min(MAX_DISTANCE) } else { self.distance };
        let target = middle - (right * center.x + up * center.y) * distance;
        self.set_if_finite(Self { target, distance, ..*self });
    }

    /// Views the same target along a world axis, upright.
    pub fn set_view(&mut self, view: AxisView) {
        (self.yaw, self.pitch) = view.angles();
        self.roll = 0.0;
    }

    /// Returns the camera at `t` in 0..=1 between `from` and `to`: smooth at both ends, exact at 1, and by
    /// the shorter rotation. The projection is that of `to`.
    pub fn ease(from: &Self, to: &Self, t: f32) -> Self {
        if t >= 1.0 || t.is_nan() {
            return *to;
        }
        let t = t.max(0.0);
        let s = t * t * (3.0 - 2.0 * t);
        let (near, far) = (from.sane_distance(), to.sane_distance());
        let between = Self {
            target: from.target.lerp(to.target, s),
            yaw: wrap(from.yaw + wrap(to.yaw - from.yaw) * s),
            pitch: from.pitch + (to.pitch - from.pitch) * s,
            roll: from.roll + wrap(to.roll - from.roll) * s,
            distance: near * (far / near).powf(s),
            orthographic: to.orthographic,
            vertical_fov: from.vertical_fov + (to.vertical_fov - from.vertical_fov) * s,
        };
        if between.is_finite() { between } else { *to }
    }

    fn set_if_finite(&mut self, new: Self) {
        if new.is_finite() {
            *self = new;
        }
    }
}

/// Wraps an angle to -pi..=pi.
fn wrap(angle: f32) -> f32 {
    let turned = angle.rem_euclid(TAU);
    if turned > PI { turned - TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::camera::Viewport;
    use crate::testing::Random;
    use crate::testing::random_viewport;

    fn pixel_of(view: &Viewport, point: Vec3) -> Vec2 {
        view.project(point).expect("visible").pixel
    }

    #[test]
    fn zoom_and_pan_keep_the_point_under_the_pointer() {
        let mut random = Random::new(21);
        for _ in 0..300 {
            let mut view = random_viewport(&mut random);
            let pixel = view.size * Vec2::new(random.range(0.1, 0.9), random.range(0.1, 0.9));
            let anchor = if random.next() & 1 == 0 {
                view.camera.point_at_target_depth(pixel, view.size)
            } else {
                view.ray(pixel).point_at(view.camera.distance * random.range(0.5, 2.0))
            };
            let before = view.camera;
            view.camera.zoom(random.range(-5.0, 5.0), anchor, 10.0);
            assert!(pixel_of(&view, anchor).distance(pixel) < 0.2);
            assert_ne!(view.camera.distance, before.distance);
            assert_eq!(view.camera.rotation(), before.rotation());
            let delta = Vec2::new(random.range(-90.0, 90.0), random.range(-90.0, 90.0));
            view.camera.pan(anchor, delta, view.size);
            assert!(pixel_of(&view, anchor).distance(pixel + delta) < 0.2);
        }
    }

    #[test]
    fn zoom_stops_near_and_far_and_closer_means_closer() {
        let mut camera = ViewCamera { distance: 3.0, ..Default::default() };
        camera.zoom(1.0, camera.target, 2.0);
        assert!(camera.distance < 3.0);
        for _ in 0..200 {
            camera.zoom(3.0, Vec3::ZERO, 2.0);
        }
        assert_eq!(camera.distance, 2.0 * 2e-3);
        for _ in 0..200 {
            camera.zoom(-3.0, Vec3::ZERO, 2.0);
        }
        assert_eq!(camera.distance, 200.0);
        // Beyond the limit of a smaller scene: returns without a jump.
        camera.zoom(1.0, Vec3::ZERO, 0.001);
        assert!((camera.distance - 170.0).abs() < 1e-3);
    }

    #[test]
    fn frame_fits_all_corners_tightly() {
        let mut random = Random::new(22);
        for _ in 0..300 {
            let mut view = random_viewport(&mut random);
            let bounds = Bounds::from_points([random.vec3(4.0), random.vec3(4.0), random.vec3(4.0)]);
            let direction = view.camera.rotation();
            view.camera.frame(&bounds, view.size);
            assert_eq!(view.camera.rotation(), direction);
            let mut widest = 0.0f32;
            for corner in bounds.corners() {
                let relative = (pixel_of(&view, corner) / view.size - 0.5).abs() * 2.0;
                widest = widest.max(relative.max_element());
            }
            assert!((0.8..1.0).contains(&widest), "{widest}");
        }
        let mut camera = ViewCamera::default();
        camera.frame(&Bounds::from_points([Vec3::ONE]), Vec2::splat(100.0));
        assert_eq!((camera.target, camera.distance), (Vec3::ONE, 5.0));
        camera.frame(&Bounds::EMPTY, Vec2::splat(100.0));
        assert_eq!(camera.target, Vec3::ONE);
    }

    #[test]
    fn frame_within_a_part_of_the_picture_stays_there() {
        let mut random = Random::new(24);
        for _ in 0..300 {
            let mut view = random_viewport(&mut random);
            let bounds = Bounds::from_points([random.vec3(4.0), random.vec3(4.0), random.vec3(4.0)]);
            let min = view.size * Vec2::new(random.range(0.0, 0.4), random.range(0.0, 0.4));
            let max = view.size * Vec2::new(random.range(0.6, 1.0), random.range(0.6, 1.0));
            view.camera.frame_within(&bounds, view.size, [min, max]);
            let mut widest = 0.0f32;
            for corner in bounds.corners() {
                let relative = ((pixel_of(&view, corner) - min) / (max - min) - 0.5).abs() * 2.0;
                widest = widest.max(relative.max_element());
            }
            assert!((0.7..1.0).contains(&widest), "{widest}");
        }
    }

    #[test]
    fn orbit_keeps_the_pivot_and_stops_at_the_poles() {
        let mut random = Random::new(23);
        for _ in 0..200 {
            let mut view = random_viewport(&mut random);
            view.camera.pitch = random.range(-0.8, 0.8);
            let pixel = view.size * Vec2::new(random.range(0.2, 0.8), random.range(0.2, 0.8));
            let pivot = view.ray(pixel).point_at(view.camera.distance * random.range(0.5, 1.5));
            let distance = view.camera.eye().distance(pivot);
            view.camera.orbit_about(pivot, Vec2::new(random.range(-300.0, 300.0), random.range(-90.0, 90.0)));
            assert!(pixel_of(&view, pivot).distance(pixel) < 0.2);
            assert!((view.camera.eye().distance(pivot) - distance).abs() < 1e-3 * distance);
        }
        let mut camera = ViewCamera::default();
        camera.orbit(Vec2::new(0.0, 1e6));
        assert_eq!(camera.pitch, FRAC_PI_2);
        // Dragging to the right turns the scene to the right: its near side follows the pointer.
        let mut view = Viewport {
            camera: ViewCamera { yaw: 0.0, pitch: 0.0, ..Default::default() },
            size: Vec2::splat(400.0),
            covered_top: 0.0,
        };
        view.camera.orbit(Vec2::new(20.0, 0.0));
        assert!(pixel_of(&view, Vec3::Z).x > 200.0);
        view.camera.orbit(Vec2::new(0.0, 20.0));
        assert!(pixel_of(&view, Vec3::Z).y > 200.0);
    }

    #[test]
    fn eases_the_short_way_and_arrives() {
        let from = ViewCamera { yaw: 3.0, distance: 1.0, ..Default::default() };
        let to = ViewCamera { yaw: -3.0, distance: 100.0, orthographic: true, ..Default::default() };
        assert_eq!(ViewCamera::ease(&from, &to, 1.0), to);
        let start = ViewCamera::ease(&from, &to, 0.0);
        assert_eq!((start.yaw, start.distance), (from.yaw, from.distance));
        let middle = ViewCamera::ease(&from, &to, 0.5);
        assert!((middle.yaw.abs() - PI).abs() < 1e-4, "{}", middle.yaw);
        assert!((middle.distance - 10.0).abs() < 1e-3);
    }

    #[test]
    fn huge_gestures_leave_a_finite_camera() {
        let odd = [0.0, 1.0, -1e20, 1e30, f32::MAX, f32::MIN];
        for a in odd {
            for b in odd {
                for size in [Vec2::ZERO, Vec2::new(640.0, 480.0)] {
                    let mut camera = ViewCamera::default();
                    camera.orbit(Vec2::new(a, b));
                    camera.orbit_about(Vec3::splat(a), Vec2::new(b, a));
                    camera.pan(Vec3::splat(a), Vec2::new(a, b), size);
                    camera.zoom(a, Vec3::splat(b), a);
                    camera.frame(&Bounds::from_points([Vec3::splat(a), Vec3::splat(b)]), size);
                    let aim = camera.point_at_target_depth(Vec2::new(a, b), size);
                    assert!(aim.is_finite());
                    let eased = ViewCamera::ease(&camera, &ViewCamera::default(), 0.3);
                    for c in [camera, eased] {
                        assert!(c.is_finite() && c.distance > 0.0, "{c:?}");
                    }
                }
            }
        }
    }
}
