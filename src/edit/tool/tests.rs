//! The state machine, over a small scene, as the window drives it.

use super::gizmo::{Axis, GizmoPart};
use super::*;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::edit::command::keys::KeyCommand;
use crate::edit::pick::{Pickable, pick};
use crate::edit::session::Session;
use crate::edit::testing::{self, PLAIN, session_with, skeleton, stage};
use crate::edit::view::ViewSettings;
use crate::io::js3d;
use crate::math::camera::ViewCamera;
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, Mat4};
use std::sync::Arc;

fn session() -> Session {
    let bone = |parent, extent| Bone {
        parent,
        extent,
        radius: 0.2,
        ..Default::default()
    };
    let skeleton = Skeleton {
        bones: vec![bone(None, Vec3::Y), bone(Some(0), Vec3::X)],
        handles: vec![Handle {
            bone: 1,
            target: Vec3::new(-1.0, 1.0, 0.0),
            enabled: true,
            channel_id: 0,
            ..Handle::default()
        }],
        ..Default::default()
    };
    let mesh = SkinnedMesh {
        skeleton: Arc::new(skeleton),
        ..Default::default()
    };
    session_with(mesh)
}

/// What the evaluation would give: here by hand, as the tests of tools need nothing else of it.
fn with_scene<T>(session: &Session, tab: Tab, then: impl FnOnce(&Pickable) -> T) -> T {
    let skeleton = skeleton(session);
    let matrices: Vec<DAffine3> = match tab {
        Tab::Rig => bind_pose(&skeleton),
        Tab::Animate => current_pose(&skeleton),
    };
    let settings = ViewSettings {
        tab,
        ..Default::default()
    };
    let stage = stage(tab, &skeleton, &matrices, Mat4::IDENTITY);
    then(&Pickable {
        settings: &settings,
        stage: Some(stage),
        surfaces: Vec::new(),
        balls: Vec::new(),
    })
}

fn front() -> Viewport {
    testing::front(ViewCamera::default().target, 6.0)
}

fn pixel(point: Vec3) -> Vec2 {
    front().project(point).unwrap().pixel
}

/// What the window's picking would say.
fn picked(scene: &Pickable, at: Vec2) -> Option<PickTarget> {
    pick(scene, &front(), at).into_iter().next().map(|hit| hit.target)
}

#[test]
fn a_handle_is_dragged_by_its_ball_as_one_step() {
    let mut session = session();
    let mut state = ToolState::default();
    let start = Vec3::new(-1.0, 1.0, 0.0);
    let press = with_scene(&session, Tab::Animate, |s| {
        state.press(
            s.stage.as_ref(),
            picked(s, pixel(start)).as_ref(),
            None,
            &front(),
            pixel(start),
        )
    });
    assert_eq!(press, Press::Grabbed(PickTarget::Handle(0)));
    // A shaky click moves nothing.
    assert_eq!(
        state.drag(&front(), pixel(start) + Vec2::new(2.0, 1.0), PLAIN),
        []
    );
    assert_eq!(state.readout(), None);
    for to in [Vec3::new(0.3, 2.0, 0.0), Vec3::new(-0.5, 0.25, 0.0)] {
        let commands = state.drag(&front(), pixel(to), PLAIN);
        assert!(matches!(commands[..], [Command::SetHandleTarget { .. }]));
        assert_eq!(commands[0].label(session.scene()), "Move IK bone 1");
        session.preview(&commands).unwrap();
        assert!(skeleton(&session).handles[0].target.distance(to) < 1e-4);
    }
    assert!(state.hint().contains("Esc"));
    assert_eq!(state.readout().unwrap(), "Δ 0.5, -0.75, 0");
    assert!(state.release() && session.commit());
    assert_eq!(session.history().entries().len(), 1);
    assert!(!state.release());
}

#[test]
fn cancel_restores_and_a_click_leaves_no_step() {
    let mut session = session();
    let before = skeleton(&session);
    let mut state = ToolState::default();
    let tip = Vec3::new(1.0, 1.0, 0.0);
    let press = with_scene(&session, Tab::Rig, |s| {
        state.press(
            s.stage.as_ref(),
            picked(s, pixel(tip)).as_ref(),
            None,
            &front(),
            pixel(tip),
        )
    });
    assert_eq!(press, Press::Grabbed(PickTarget::Tip(1)));
    let commands = state.drag(&front(), pixel(tip) + Vec2::new(50.0, 0.0), PLAIN);
    assert!(matches!(&commands[..], [Command::MoveTip { bone: 1, extent, .. }] if extent.x > 1.1));
    assert!(state.cancel());
    session.cancel();
    assert_eq!(skeleton(&session), before);
    // Press and release on an arrow: the command says what is already so.
    let selected = Some(Part::Base);
    let arrow = pixel(Vec3::ZERO) + Vec2::new(60.0, 0.0);
    let press = with_scene(&session, Tab::Rig, |s| {
        state.press(
            s.stage.as_ref(),
            picked(s, arrow).as_ref(),
            selected,
            &front(),
            arrow,
        )
    });
    assert_eq!(press, Press::Gizmo(GizmoPart::Axis(Axis::X)));
    session.preview(&state.drag(&front(), arrow, PLAIN)).unwrap();
    assert!(state.release() && !session.commit());
    assert!(session.history().entries().is_empty());
}

#[test]
fn the_base_moves_by_base_in_rig_and_by_offset_in_animate() {
    let session = session();
    for (tab, in_rig) in [(Tab::Rig, true), (Tab::Animate, false)] {
        let mut state = ToolState::default();
        let press = with_scene(&session, tab, |s| {
            state.press(
                s.stage.as_ref(),
                picked(s, pixel(Vec3::ZERO)).as_ref(),
                None,
                &front(),
                pixel(Vec3::ZERO),
            )
        });
        assert_eq!(press, Press::Grabbed(PickTarget::Base));
        match &state.drag(&front(), pixel(Vec3::X), PLAIN)[..] {
            [Command::SetBase { base, .. }] if in_rig => assert!(base.distance(Vec3::X) < 1e-4),
            [Command::SetBaseOffset { base_offset, .. }] if !in_rig => {
                assert!(base_offset.distance(Vec3::X) < 1e-4);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn bones_turn_by_rings_in_animate_and_are_clicked_otherwise() {
    let session = session();
    let mut state = ToolState::default();
    let middle = pixel(Vec3::new(0.6, 1.05, 0.0));
    let press = with_scene(&session, Tab::Animate, |s| {
        state.press(
            s.stage.as_ref(),
            picked(s, middle).as_ref(),
            None,
            &front(),
            middle,
        )
    });
    assert_eq!(press, Press::Over(Some(PickTarget::Bone(1))));
    assert!(!state.is_dragging());
    // With the bone selected its rings come first. Along +x its x axis is the world's z: that ring lies
    // open to the front, 72 pixels around the bone's start.
    let around = |sign: f32| pixel(Vec3::Y) + Vec2::new(sign, -1.0) * (72.0 * 0.5f32.sqrt());
    let on_ring = around(1.0);
    let selected = Some(Part::Bone(1));
    with_scene(&session, Tab::Animate, |s| {
        assert!(state.hover(
            s.stage.as_ref(),
            picked(s, on_ring).as_ref(),
            selected,
            &front(),
            on_ring
        ));
        assert!(!state.hover(
            s.stage.as_ref(),
            picked(s, on_ring).as_ref(),
            selected,
            &front(),
            on_ring
        ));
        assert_eq!(state.hot(), Some(&Hot::Gizmo(GizmoPart::Ring(Axis::X))));
        assert!(state.hint().contains("about x"), "{}", state.hint());
        assert!(!state.shape(s.stage.as_ref(), selected, &front()).lines.is_empty());
        state.press(
            s.stage.as_ref(),
            picked(s, on_ring).as_ref(),
            selected,
            &front(),
            on_ring,
        )
    });
    let commands = state.drag(&front(), around(-1.0), PLAIN);
    assert!(
        matches!(&commands[..], [Command::SetPose { bone: 1, pose_deg, .. }] if pose_deg.distance(Vec3::X * 90.0) < 0.1),
        "{commands:?}"
    );
    assert_eq!(state.readout().unwrap(), "x 90° (+90°)");
    let shape = state.shape(None, None, &front());
    assert!(
        shape
            .lines
            .iter()
            .all(|line| line.part == GizmoPart::Ring(Axis::X))
    );
    state.leave();
    assert!(state.is_dragging());
}

#[test]
fn nothing_under_the_pointer_is_idle() {
    let session = session();
    let mut state = ToolState::default();
    let corner = Vec2::new(2.0, 2.0);
    with_scene(&session, Tab::Rig, |s| {
        state.hover(
            s.stage.as_ref(),
            picked(s, pixel(Vec3::new(0.6, 1.0, 0.0))).as_ref(),
            None,
            &front(),
            pixel(Vec3::new(0.6, 1.0, 0.0)),
        );
        assert_eq!(state.hot(), Some(&Hot::Target(PickTarget::Bone(1))));
        assert!(state.hover(
            s.stage.as_ref(),
            picked(s, corner).as_ref(),
            None,
            &front(),
            corner
        ));
        assert_eq!(
            state.press(
                s.stage.as_ref(),
                picked(s, corner).as_ref(),
                Some(Part::Bone(1)),
                &front(),
                corner
            ),
            Press::Over(None)
        );
        // Of a selection that the skeleton does not hold nothing is drawn.
        assert!(
            state
                .shape(s.stage.as_ref(), Some(Part::Bone(9)), &front())
                .lines
                .is_empty()
        );
    });
    assert!(state.hot().is_none());
    assert_eq!(state.drag(&front(), Vec2::ZERO, PLAIN), []);
    assert!(!state.cancel());
}

/// The bytes of the document and the pose that is seen after the handle was dragged along `path`, in world space.
fn dragged(keys: bool, path: &[Vec3]) -> (Vec<u8>, Vec<Vec3>) {
    let mut session = session();
    let mesh = || "m".to_owned();
    let pose = |bone, pose_deg| Command::SetPose {
        mesh: mesh(),
        bone,
        pose_deg,
    };
    session
        .apply(&[
            pose(0, Vec3::new(10.0, -20.0, 5.0)),
            pose(1, Vec3::new(0.0, 15.0, -40.0)),
        ])
        .unwrap();
    if keys {
        let channels = [0, 1].map(|id| ChannelRef::new("m", SkeletonChannel::BonePose(id)));
        let frame = 0.0;
        session
            .apply(&[Command::Keys(KeyCommand::Set {
                channels: channels.into(),
                frame,
            })])
            .unwrap();
    }
    let mut evaluator = Evaluator::default();
    let mut seen = |session: &Session| {
        let evaluated = evaluator.evaluate(session.animated(), &Settings::default());
        let skeleton = &evaluated.skinned["m"].skeleton;
        skeleton
            .bones
            .iter()
            .map(|bone| bone.pose_deg)
            .collect::<Vec<_>>()
    };
    seen(&session);
    let mut state = ToolState::default();
    let start = skeleton(&session).handles[0].target;
    with_scene(&session, Tab::Animate, |s| {
        let over = picked(s, pixel(start));
        state.press(s.stage.as_ref(), over.as_ref(), None, &front(), pixel(start))
    });
    for to in path {
        let commands = state.drag(&front(), pixel(*to), PLAIN);
        session.preview(&commands).unwrap();
        seen(&session);
    }
    assert!(state.release() && session.commit());
    (js3d::write(session.scene()).unwrap(), seen(&session))
}

/// Every frame of a drag starts from the pose that the document holds: the way there leaves nothing behind.
#[test]
fn a_drag_out_of_reach_and_back_is_like_none() {
    let end = Vec3::new(0.4, 1.2, 0.0);
    let far = [5.0, 1.0, -4.0, -9.0].map(|x| Vec3::new(x, 2.0 - x, 0.0));
    for keys in [false, true] {
        let (bytes, pose) = dragged(keys, &[end]);
        let back = dragged(keys, &[&far[..], &[end]].concat());
        assert!(bytes == back.0, "the same document, keys: {keys}");
        assert_eq!(pose, back.1, "the same pose, keys: {keys}");
    }
}
