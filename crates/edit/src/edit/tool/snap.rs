//! The snap targets of a point that is placed or dragged freely: tails of bones, the plane x = 0, the grid.

use super::gizmo::{Modifiers, circle, format_number};
use super::translate::snap_step;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Part;
use crate::math::camera::Viewport;
use glam::Vec3;

/// The distance on the screen within which points snap to a tail, in pixels.
const TIP_PX: f32 = 9.0;
/// The distance within which points snap to the plane x = 0, in pixels.
const PLANE_PX: f32 = 7.0;

/// The target that a point has snapped to.
#[derive(Clone, Debug, PartialEq)]
pub enum SnapHit {
    /// The tail of a bone, or the base, by name.
    Joint(String),
    /// The plane x = 0, the middle of a symmetric character.
    Middle,
    /// Multiples of a step.
    Grid(f32),
}

impl SnapHit {
    /// The text for the status bar, such as `on the tail of Hand.L`.
    pub fn text(&self) -> String {
        match self {
            Self::Joint(name) => format!("on {name}"),
            Self::Middle => "on x = 0".into(),
            Self::Grid(step) => format!("in steps of {}", format_number(*step, 6)),
        }
    }

    /// Returns lines that mark the target around the snapped point, world space.
    pub fn marks(&self, viewport: &Viewport, position: Vec3) -> Vec<Vec<Vec3>> {
        let pixel = viewport.world_per_pixel(position);
        let cross = |reach: f32, axes: &[Vec3]| {
            let line = |axis: &Vec3| vec![position - *axis * reach, position + *axis * reach];
            axes.iter().map(line).collect()
        };
        match self {
            Self::Joint(_) => {
                let [right, up, _] = viewport.camera.axes();
                let reach = 11.0 * pixel;
                vec![circle(position, right * reach, up * reach, 24)]
            }
            Self::Middle => cross(26.0 * pixel, &[Vec3::Y, Vec3::Z]),
            Self::Grid(step) => cross(*step, &Vec3::AXES),
        }
    }
}

/// Joints that a point can snap to, besides the plane x = 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SnapTargets {
    /// World space.
    joints: Vec<(String, Vec3)>,
    /// Whether the plane x = 0 is a target too.
    middle: bool,
}

impl SnapTargets {
    /// Collects the base and the tails of all visible bones, except those of `excluded`.
    pub fn new(rig: &ActiveRig, excluded: &[Part]) -> Self {
        let mut joints = Vec::new();
        if !excluded.contains(&Part::Base) && !rig.skeleton.bones.is_empty() {
            joints.push(("the base".to_owned(), rig.base()));
        }
        for bone in rig.drawn_bones() {
            if let Some(tip) = rig.bone_tip(bone).filter(|_| !excluded.contains(&Part::Bone(bone))) {
                joints.push((format!("the tail of {}", rig.skeleton.bone_name(bone)), tip));
            }
        }
        Self { joints, middle: true }
    }

    /// Retains the joints, and the plane x = 0, where they are at most `depth` in front of or behind `point`, along a
    /// unit `direction`.
    pub fn retain_near(&mut self, point: Vec3, direction: Vec3, depth: f32) {
        self.joints.retain(|(_, position)| (*position - point).dot(direction).abs() <= depth);
        self.middle = (point.x * direction.x).abs() <= depth;
    }

    /// Snaps `point`. With Ctrl it snaps only to the grid, with Shift not at all.
    pub fn snap(&self, viewport: &Viewport, point: Vec3, modifiers: Modifiers) -> (Vec3, Option<SnapHit>) {
        let pixel = viewport.world_per_pixel(point);
        if modifiers.snap {
            let step = snap_step(pixel) * if modifiers.fine { 0.1 } else { 1.0 };
            let rounded = (point / step).round() * step;
            return if rounded.is_finite() { (rounded, Some(SnapHit::Grid(step))) } else { (point, None) };
        }
        if modifiers.fine {
            return (point, None);
        }
        let Some(shown) = viewport.project(point) else {
            return (point, None);
        };
        let near = self.joints.iter().filter_map(|(name, position)| {
            let distance = viewport.project(*position)?.pixel.distance(shown.pixel);
            (distance <= TIP_PX).then_some((distance, name, position))
        });
        if let Some((_, name, position)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
            return (*position, Some(SnapHit::Joint(name.clone())));
        }
        if self.middle && point.x.abs() <= PLANE_PX * pixel {
            return (Vec3 { x: 0.0, ..point }, Some(SnapHit::Middle));
        }
        (point, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::settings::view::Tab;
    use crate::edit::testing::{active_rig, front};
    use crate::math::camera::ViewCamera;
    use crate::rig::kinematics::bind_pose;
    use crate::rig::skeleton::{Bone, Skeleton};
    use glam::Mat4;

    #[test]
    fn the_nearest_joint_wins_over_the_plane_and_the_grid_over_all() {
        let bone = |parent, extent| Bone { parent, extent, ..Bone::default() };
        let skeleton = Skeleton {
            bones: vec![bone(None, Vec3::Y), bone(Some(0), Vec3::X)],
            base: Vec3::X,
            ..Skeleton::default()
        };
        let bind = bind_pose(&skeleton);
        let rig = active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY);
        let view = front(ViewCamera::default().target, 8.0);
        let pixel = view.world_per_pixel(Vec3::ZERO);
        let key = |snap, fine| Modifiers { snap, fine };
        let all = SnapTargets::new(&rig, &[]);
        let near_tip = Vec3::new(1.0 + 6.0 * pixel, 1.0, 0.0);
        let (position, to) = all.snap(&view, near_tip, key(false, false));
        assert_eq!(
            (position, to.unwrap().text().as_str()),
            (Vec3::new(1.0, 1.0, 0.0), "on the tail of bone 0")
        );
        let (position, to) = all.snap(&view, Vec3::new(1.0, -5.0 * pixel, 0.0), key(false, false));
        assert_eq!((position, to), (Vec3::X, Some(SnapHit::Joint("the base".into()))));
        // Far from all joints, within the distance of the plane and just outside of it.
        let (position, to) = all.snap(&view, Vec3::new(-6.0 * pixel, 2.0, 0.5), key(false, false));
        assert_eq!((position, to), (Vec3::new(0.0, 2.0, 0.5), Some(SnapHit::Middle)));
        let free = Vec3::new(-8.0 * pixel, 2.0, 0.0);
        assert_eq!(all.snap(&view, free, key(false, false)), (free, None));
        assert_eq!(all.snap(&view, near_tip, key(false, true)), (near_tip, None));
        let (position, to) = all.snap(&view, Vec3::new(0.97, 1.04, 0.3), key(true, false));
        assert!(position.distance(Vec3::new(1.0, 1.0, 0.3)) < 1e-6, "{position}");
        assert_eq!(to.unwrap().text(), "in steps of 0.1");
        // Only at the depth of the limb that is drawn in.
        let behind = Vec3 { z: -0.5, ..near_tip };
        for (depth, drawn) in [(0.4, false), (0.6, true)] {
            let mut near = all.clone();
            near.retain_near(behind, -Vec3::Z, depth);
            let (_, to) = near.snap(&view, behind, key(false, false));
            assert_eq!(to.is_some(), drawn, "{depth}");
        }
        // Nothing snaps to the moving part.
        let others = SnapTargets::new(&rig, &[Part::Bone(0)]);
        assert_eq!(others.snap(&view, near_tip, key(false, false)).1, None);
    }
}
