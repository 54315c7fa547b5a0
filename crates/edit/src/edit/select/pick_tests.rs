//! Picking in constructed scenes, and surfaces against brute force.

mod surfaces;

use crate::edit::select::pick::*;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::{BoneLook, Display, Tab, View, ViewSettings};
use crate::edit::testing::{self, active_rig};
use crate::math::camera::{ViewCamera, Viewport};
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluated, Posed};
use crate::scene::instance::{GeometryInstance, GeometrySettings, InstanceKind, InstanceRef};
use crate::scene::resource::Mesh;
use crate::scene::skinned::SkinnedMesh;
use crate::testing::Random;
use crate::testing::random_viewport;
use glam::{Mat4, Quat, Vec2, Vec3};
use std::sync::Arc;

fn front() -> Viewport {
    testing::front(ViewCamera::default().target, 8.0)
}

fn pixel(point: Vec3) -> Vec2 {
    front().project(point).unwrap().pixel
}

fn bone(parent: Option<u32>, extent: Vec3, radius: f32) -> Bone {
    Bone { parent, extent, radius, ..Default::default() }
}

fn handle(bone: u32, target: Vec3) -> Handle {
    Handle { bone, target, enabled: false, channel_id: bone, ..Handle::default() }
}

fn targets(scene: &Pickable, view: &Viewport, pixel: Vec2) -> Vec<PickTarget> {
    pick(scene, view, pixel).into_iter().map(|hit| hit.target).collect()
}

fn shown_as(bone_look: BoneLook) -> ViewSettings {
    ViewSettings { display: Display { bone_look, ..Display::default() }, ..ViewSettings::default() }
}

#[test]
fn skeleton_parts_are_found_where_they_are() {
    let skeleton = Skeleton {
        bones: vec![bone(None, Vec3::Y, 0.3), bone(Some(0), Vec3::X, 0.3), bone(Some(0), Vec3::ZERO, 0.3)],
        handles: vec![handle(1, Vec3::new(1.0, 1.0, 0.0)), handle(1, Vec3::new(-1.5, 0.0, -2.0))],
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let mut settings = shown_as(BoneLook::Capsules);
    for tab in [Tab::Rig, Tab::Animate] {
        let scene = Pickable {
            settings: &settings,
            rig: Some(active_rig(tab, &skeleton, &bind, Mat4::IDENTITY)),
            surfaces: vec![],
            balls: Vec::new(),
        };
        let first = |p: Vec3| targets(&scene, &front(), pixel(p)).into_iter().next();
        assert_eq!(first(Vec3::new(0.0, 0.5, 0.0)), Some(PickTarget::Bone(0)));
        assert_eq!(first(Vec3::new(0.6, 1.1, 0.0)), Some(PickTarget::Bone(1)));
        assert_eq!(first(Vec3::ZERO), Some(PickTarget::Base));
        // The handle is on the tip and wins; it is small, and grabbed by its distance in pixels.
        assert_eq!(first(Vec3::new(1.0, 1.0, 0.0)), Some(PickTarget::Handle(0)));
        assert_eq!(first(Vec3::new(-1.5, 0.0, -2.0)), Some(PickTarget::Handle(1)));
        assert_eq!(first(Vec3::new(-1.5, 1.0, 0.0)), None);
        let at_joint = targets(&scene, &front(), pixel(Vec3::Y));
        assert!(at_joint.contains(&PickTarget::Tip(0)));
        assert!(at_joint.contains(&PickTarget::Bone(2)), "a bone without length can be picked");
    }
    settings.display.show_handles = false;
    settings.display.show_bones = false;
    let hidden = Pickable {
        settings: &settings,
        rig: Some(active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY)),
        surfaces: vec![],
        balls: Vec::new(),
    };
    assert_eq!(targets(&hidden, &front(), pixel(Vec3::new(1.0, 1.0, 0.0))), []);
}

/// The ball of a thumb next to a wrist is in the way in the picture of a whole body, and can be grabbed from near by.
#[test]
fn the_tail_of_a_limb_comes_before_that_of_a_small_bone_beside_it() {
    let first = |forearm: f32, away_px: f32| {
        let px = 1.0 / (pixel(Vec3::X) - pixel(Vec3::ZERO)).x;
        let [wrist, thumb] = [forearm, 12.0].map(|length| length * px * Vec3::X);
        let skeleton =
            Skeleton { bones: vec![bone(None, wrist, 0.0), bone(Some(0), thumb, 0.0)], ..Default::default() };
        let bind = bind_pose(&skeleton);
        let settings = shown_as(BoneLook::Sticks);
        let rig = Some(active_rig(Tab::Animate, &skeleton, &bind, Mat4::IDENTITY));
        let scene = Pickable { settings: &settings, rig, surfaces: vec![], balls: Vec::new() };
        targets(&scene, &front(), pixel(wrist) + away_px * glam::Vec2::X).into_iter().next()
    };
    assert_eq!(first(60.0, 11.0), Some(PickTarget::Tip(0)));
    assert_eq!(first(60.0, 13.0), Some(PickTarget::Tip(1)), "beyond the wrist");
    assert_eq!(first(60.0, 8.0), Some(PickTarget::Bone(1)), "between the two, a click selects the bone");
    assert_eq!(first(12.0, 11.0), Some(PickTarget::Tip(1)), "two small bones, the nearer one");
}

/// A click on the flank of an octahedron hits its bone; on the same place beside a stick it does not.
#[test]
fn bones_are_picked_where_they_are_drawn() {
    let skeleton = Skeleton {
        bones: vec![bone(None, 2.0 * Vec3::Y, 0.0)],
        base: Vec3::new(0.0, -1.0, 0.0),
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let hits = |bone_look, p: Vec3| {
        let settings = shown_as(bone_look);
        let scene = Pickable {
            settings: &settings,
            rig: Some(active_rig(Tab::Animate, &skeleton, &bind, Mat4::IDENTITY)),
            surfaces: vec![],
            balls: Vec::new(),
        };
        targets(&scene, &front(), pixel(p)) == [PickTarget::Bone(0)]
    };
    // Two tenths of the way from head to tail, where the octahedron reaches to 0.18.
    let [flank, beside] = [0.17, 0.25].map(|x| Vec3::new(x, -0.6, 0.0));
    assert!(pixel(flank).x - pixel(Vec3::ZERO).x > 10.0, "not near the axis");
    assert!(hits(BoneLook::Octahedra, flank) && !hits(BoneLook::Octahedra, beside));
    assert!(!hits(BoneLook::Sticks, flank));
    let near_tail = Vec3::new(0.17, 0.8, 0.0);
    assert!(!hits(BoneLook::Octahedra, near_tail), "it is thin there");
}

/// In front of a surface, which is selected as a whole 8 pixels further on.
#[test]
fn a_bone_is_hit_within_8_pixels_of_its_line_in_every_display() {
    let skeleton = Skeleton {
        bones: vec![bone(None, Vec3::new(0.0, 3.0, 0.0), 1e-3)],
        base: Vec3::new(0.4, -1.0, 0.0),
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let wall = InstanceRef { kind: InstanceKind::Shape, name: "Wall".into() };
    for bone_look in [BoneLook::Octahedra, BoneLook::Capsules, BoneLook::Sticks] {
        let settings = shown_as(bone_look);
        for distance in [0.3, 2.0, 8.0, 30.0] {
            for size in [Vec2::new(400.0, 300.0), Vec2::new(1920.0, 1080.0)] {
                let scene = Pickable {
                    settings: &settings,
                    rig: Some(active_rig(Tab::Animate, &skeleton, &bind, Mat4::IDENTITY)),
                    surfaces: vec![],
                    balls: vec![Ball {
                        target: PickTarget::Instance(wall.clone()),
                        center: Vec3::new(0.4, 0.5, -60.0),
                        radius: 55.0,
                    }],
                };
                let camera = ViewCamera {
                    target: Vec3::new(0.4, 0.5, 0.0),
                    distance,
                    yaw: 0.0,
                    pitch: 0.0,
                    ..ViewCamera::default()
                };
                let view = Viewport { camera, size, covered_top: 0.0 };
                let first = |beside: f32| {
                    let at = 0.5 * size + Vec2::new(beside, 0.0);
                    targets(&scene, &view, at).into_iter().next()
                };
                for beside in [0.0, 4.5, 7.0, 7.9, -7.9] {
                    let hit = first(beside);
                    assert_eq!(hit, Some(PickTarget::Bone(0)), "{bone_look:?} {distance} {size} {beside}");
                }
                // An octahedron may be wider.
                let thin = bone_look != BoneLook::Octahedra;
                for beside in [8.2, -12.0].into_iter().filter(|_| thin) {
                    let instance = PickTarget::Instance(wall.clone());
                    assert_eq!(first(beside), Some(instance), "{bone_look:?} {distance} {size} {beside}");
                }
            }
        }
    }
    // Also where one end is behind the eye.
    let settings = ViewSettings::default();
    let scene = Pickable {
        settings: &settings,
        rig: Some(active_rig(Tab::Animate, &skeleton, &bind, Mat4::IDENTITY)),
        surfaces: vec![],
        balls: Vec::new(),
    };
    let camera = ViewCamera {
        target: Vec3::new(0.4, 0.5, 0.0),
        distance: 0.4,
        yaw: 0.0,
        pitch: -1.2,
        ..ViewCamera::default()
    };
    let size = Vec2::new(400.0, 300.0);
    let view = Viewport { camera, size, covered_top: 0.0 };
    let behind = [-1.0, 2.0].map(|y| view.project(Vec3::new(0.4, y, 0.0)).is_none());
    assert!(behind[0] != behind[1], "{behind:?}");
    let hit = targets(&scene, &view, 0.5 * size + Vec2::new(6.0, 0.0));
    assert_eq!(hit.first(), Some(&PickTarget::Bone(0)));
}

#[test]
fn small_bones_inside_large_ones_can_be_picked() {
    let skeleton = Skeleton {
        bones: vec![
            bone(None, Vec3::new(0.0, 2.0, 0.0), 1.0),
            bone(None, Vec3::new(1.5, 0.3, 0.0), 0.1),
            bone(None, Vec3::new(0.0, -2.0, 0.0), 0.0),
        ],
        base: Vec3::new(0.0, -0.5, 0.0),
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let settings = shown_as(BoneLook::Capsules);
    let scene = Pickable {
        settings: &settings,
        rig: Some(active_rig(Tab::Animate, &skeleton, &bind, Mat4::IDENTITY)),
        surfaces: vec![],
        balls: Vec::new(),
    };
    let inner = pixel(skeleton.base + skeleton.bones[1].extent * 0.5);
    assert_eq!(targets(&scene, &front(), inner), [PickTarget::Bone(1), PickTarget::Bone(0)]);
    let outer = pixel(Vec3::new(0.2, 0.5, 0.0));
    assert_eq!(targets(&scene, &front(), outer), [PickTarget::Bone(0)]);
    // A bone without thickness is clicked near its axis.
    let thin = pixel(Vec3::new(0.0, -2.0, 0.0));
    assert_eq!(targets(&scene, &front(), thin + Vec2::X * 3.0), [PickTarget::Bone(2)]);
    assert_eq!(targets(&scene, &front(), thin + Vec2::X * 12.0), []);
}

#[test]
fn handles_can_be_grabbed_at_any_zoom() {
    let skeleton = Skeleton {
        bones: vec![bone(None, Vec3::Y, 0.3)],
        handles: vec![handle(0, Vec3::Y)],
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let settings = ViewSettings::default();
    let scene = Pickable {
        settings: &settings,
        rig: Some(active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY)),
        surfaces: vec![],
        balls: Vec::new(),
    };
    for distance in [0.5, 8.0, 500.0] {
        let mut view = front();
        (view.camera.target, view.camera.distance) = (Vec3::Y, distance);
        let off = view.size * 0.5 + Vec2::new(7.0, 0.0);
        assert_eq!(pick(&scene, &view, off)[0].target, PickTarget::Handle(0), "{distance}");
    }
}

#[test]
fn bones_of_a_scaled_instance_are_picked_where_they_show() {
    let mut random = Random::new(52);
    let skeleton = Skeleton {
        bones: vec![Bone { pose_deg: Vec3::new(20.0, 30.0, -40.0), ..bone(None, Vec3::Y, 0.1) }],
        ..Default::default()
    };
    let current = current_pose(&skeleton);
    let settings = ViewSettings { tab: Tab::Animate, ..Default::default() };
    for _ in 0..50 {
        let world = Mat4::from_scale_rotation_translation(
            Vec3::new(random.range(0.3, 3.0), random.range(0.3, 3.0), random.range(-3.0, -0.3)),
            Quat::from_axis_angle(random.direction(), 2.0),
            random.vec3(3.0),
        );
        let rig = active_rig(Tab::Animate, &skeleton, &current, world);
        let middle = rig.bone_start(0).unwrap().midpoint(rig.bone_tip(0).unwrap());
        let scene = Pickable { settings: &settings, rig: Some(rig), surfaces: vec![], balls: Vec::new() };
        let mut view = random_viewport(&mut random);
        (view.camera.target, view.camera.distance) = (middle, 6.0);
        let hits = pick(&scene, &view, view.size * 0.5);
        assert!(hits.iter().any(|hit| hit.target == PickTarget::Bone(0)));
    }
}

#[test]
fn odd_skeletons_and_views_give_finite_depths() {
    let extents = [Vec3::ZERO, Vec3::splat(1e30), Vec3::splat(f32::NAN), Vec3::splat(1e-30)];
    let skeleton = Skeleton {
        bones: extents.map(|extent| bone(None, extent, f32::MAX)).into(),
        handles: vec![handle(99, Vec3::splat(f32::INFINITY)), handle(0, Vec3::ZERO)],
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let settings = ViewSettings::default();
    for world in [Mat4::IDENTITY, Mat4::ZERO, Mat4::from_scale(Vec3::splat(1e-20))] {
        for (size, orthographic) in [(Vec2::ZERO, false), (Vec2::splat(300.0), true)] {
            let scene = Pickable {
                settings: &settings,
                rig: Some(active_rig(Tab::Rig, &skeleton, &bind, world)),
                surfaces: vec![],
                balls: Vec::new(),
            };
            let view = Viewport {
                camera: ViewCamera { orthographic, ..Default::default() },
                size,
                covered_top: 0.0,
            };
            for pixel in [Vec2::ZERO, Vec2::splat(150.0), Vec2::splat(f32::NAN), Vec2::splat(1e30)] {
                assert!(pick(&scene, &view, pixel).iter().all(|hit| hit.depth.is_finite()));
            }
        }
    }
}
