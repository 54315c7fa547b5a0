//! Box selection, against points sampled on each bone and projected one by one.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::box_select::*;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::{Tab, ViewSettings};
use crate::edit::testing;
use crate::math::camera::{ViewCamera, Viewport};
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::testing::Random;
use crate::testing::random_viewport;
use glam::{Mat4, Quat, Vec2, Vec3};

fn random_skeleton(random: &mut Random) -> Skeleton {
    let bone = |i: u32, random: &mut Random| Bone {
        parent: (i > 0 && random.next() & 3 > 0).then(|| (random.next() % u64::from(i.max(1))) as u32),
        extent: random.vec3(4.0),
        pose_deg: random.vec3(90.0),
        channel_id: i,
        ..Bone::default()
    };
    Skeleton {
        bones: (0..6).map(|i| bone(i, random)).collect(),
        base: random.vec3(2.0),
        ..Skeleton::default()
    }
}

/// Whether a point of the segment is in the rectangle, shrunk or grown by `margin` pixels.
fn sampled(viewport: &Viewport, [a, b]: [Vec3; 2], area: &PixelBox, margin: f32) -> bool {
    (0..=1500).any(|i| {
        let shown = viewport.project(a.lerp(b, i as f32 / 1500.0));
        shown.is_some_and(|shown| {
            let p = shown.pixel;
            p.cmpge(area.min - margin).all() && p.cmple(area.max + margin).all()
        })
    })
}

#[test]
fn bones_are_found_where_a_point_of_them_is_in_the_box() {
    let mut random = Random::new(11);
    let (mut inside, mut outside, mut behind) = (0, 0, 0);
    for round in 0..100 {
        let skeleton = random_skeleton(&mut random);
        let viewport = random_viewport(&mut random);
        let turned = Quat::from_axis_angle(random.direction(), random.range(0.0, 3.0));
        let rig = ActiveRig {
            tab: if round % 2 == 0 { Tab::Rig } else { Tab::Animate },
            mesh: "m",
            skeleton: &skeleton,
            skeleton_from_bone: &if round % 2 == 0 { bind_pose(&skeleton) } else { current_pose(&skeleton) },
            bind: &bind_pose(&skeleton),
            world_from_skeleton: Mat4::from_scale_rotation_translation(
                Vec3::splat(random.range(0.3, 2.0)),
                turned,
                random.vec3(2.0),
            ),
            gizmo: Default::default(),
            pose_gizmo: Default::default(),
            axes: Default::default(),
            radius_counts: true,
            show_hidden: false,
            posed_bone: None,
            evaluated: None,
        };
        let corner =
            |random: &mut Random| viewport.size * Vec2::new(random.range(-0.2, 1.2), random.range(-0.2, 1.2));
        let area = PixelBox::from_corners(corner(&mut random), corner(&mut random));
        let found = parts_in_box(&rig, &ViewSettings::default(), &viewport, &area);
        for bone in 0..skeleton.bones.len() {
            let ends = [rig.bone_start(bone).unwrap(), rig.bone_tip(bone).unwrap()];
            let hidden = ends.iter().filter(|end| viewport.project(**end).is_none()).count();
            behind += usize::from(hidden == 1);
            let is_found = found.contains(&Part::Bone(bone));
            // Near the border the samples may miss a cut corner.
            if sampled(&viewport, ends, &area, -2.0) {
                assert!(is_found, "{round}: bone {bone} shows in {area:?}");
                inside += 1;
            } else if !sampled(&viewport, ends, &area, 2.0 + 0.002 * viewport.size.length()) {
                assert!(!is_found, "{round}: bone {bone} does not show in {area:?}");
                outside += 1;
            }
        }
    }
    assert!(inside > 60 && outside > 60 && behind > 10, "{inside} {outside} {behind}");
}

fn front() -> Viewport {
    let ViewCamera { target, distance, .. } = ViewCamera::default();
    testing::front(target, distance)
}

#[test]
fn handles_are_found_where_no_bone_is_and_hidden_parts_never() {
    let skeleton = Skeleton {
        bones: vec![Bone { extent: Vec3::Y, ..Bone::default() }],
        handles: vec![Handle {
            bone: 0,
            target: Vec3::X,
            enabled: false,
            channel_id: 0,
            ..Handle::default()
        }],
        ..Skeleton::default()
    };
    let bind = bind_pose(&skeleton);
    let rig = testing::active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY);
    let around = |points: &[Vec3]| {
        let pixels = points.iter().map(|p| front().project(*p).unwrap().pixel);
        let (min, max) = pixels.fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| {
            (low.min(p - 5.0), high.max(p + 5.0))
        });
        PixelBox { min, max }
    };
    let mut settings = ViewSettings::default();
    let (both, target) = (around(&[Vec3::ZERO, Vec3::X]), around(&[Vec3::X]));
    let elsewhere = around(&[-Vec3::X]);
    let found = |settings: &ViewSettings, area| parts_in_box(&rig, settings, &front(), area);
    assert_eq!(found(&settings, &both), [Part::Bone(0)]);
    assert_eq!(found(&settings, &target), [Part::Handle(0)]);
    assert_eq!(found(&settings, &elsewhere), []);
    settings.display.show_bones = false;
    assert_eq!(found(&settings, &both), [Part::Handle(0)]);
    settings.display.show_handles = false;
    assert_eq!(found(&settings, &both), []);
}

#[test]
fn a_box_replaces_or_adds_and_keeps_the_active_part() {
    let old = Selection::default().with_parts([Part::Bone(4), Part::Bone(1)]);
    let parts =
        |adds, parts: &[Part]| selection_after(&old, parts.to_vec(), adds).parts().collect::<Vec<_>>();
    let (a, b, c) = (Part::Bone(1), Part::Bone(4), Part::Bone(7));
    assert_eq!(parts(false, &[a, c]), [a, c]);
    assert_eq!(parts(false, &[a, b, c]), [b, a, c]);
    assert_eq!(parts(false, &[]), []);
    assert_eq!(parts(true, &[c]), [b, a, c]);
    assert_eq!(parts(true, &[]), [b, a]);
}
