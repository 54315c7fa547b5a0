//! The driver over small scenes, as the window drives it, and what it promises of every tool of the table.

use super::driver::{Event, Hovered};
use super::gizmo::{Axis, GizmoPart};
use super::rings::ring;
use super::scale::{ALL_AXES, LENGTH, end};
use super::translate::{CENTER, arrow};
use super::*;
use crate::anim::channel::{ChannelRef, SkeletonChannel, Value};
use crate::anim::mode::Mode;
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::edit::session::Session;
use crate::edit::testing::{Pointer, front, placed_session_with, skeleton};
use crate::edit::view::{GizmoMode, Tab};
use crate::io::js3d;
use crate::math::camera::ViewCamera;
use crate::mesh::primitives;
use crate::rig::skeleton::{Bone, Handle, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::sync::Arc;

/// Up, then to the right; a handle to the left.
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
    let surface = primitives::tube(0.4, 2.0, 8, 2).unwrap();
    placed_session_with(SkinnedMesh {
        weights: Arc::new(VertexWeights::none(surface.vertex_count())),
        surface: Arc::new(surface),
        skeleton: Arc::new(skeleton),
        ..Default::default()
    })
}

fn pointer(tab: Tab, part: Option<Part>) -> Pointer {
    let view = front(ViewCamera::default().target, 6.0);
    let mut pointer = Pointer::new(session(), tab, view);
    pointer.settings.show_skin = false;
    pointer.select(part);
    pointer
}

fn bytes(pointer: &Pointer) -> Vec<u8> {
    js3d::write(pointer.session.scene()).unwrap()
}

/// A place where each tool that changes the document can be taken hold of, and keys that it takes.
struct Case {
    name: &'static str,
    tab: Tab,
    part: Option<Part>,
    mode: GizmoMode,
    grip: Grip,
    keys: &'static str,
}

#[derive(Clone, Copy)]
enum Grip {
    Part(GizmoPart),
    /// The middle of the view, after the tool has been chosen.
    Chosen(Action),
}

fn cases() -> Vec<Case> {
    let case = |name, tab, part, mode, grip, keys| Case {
        name,
        tab,
        part,
        mode,
        grip,
        keys,
    };
    let (bone, handle) = (Some(Part::Bone(1)), Some(Part::Handle(0)));
    let (rig, animate) = (Tab::Rig, Tab::Animate);
    let (go, rotate, scale) = (GizmoMode::Move, GizmoMode::Rotate, GizmoMode::Scale);
    vec![
        case("tip", rig, bone, go, Grip::Part(CENTER), "x.5"),
        case("tip along x", rig, bone, go, Grip::Part(arrow(Axis::X)), "1.5"),
        case("start", rig, bone, go, Grip::Part(bone::START), "x.25"),
        case("both ends", rig, bone, go, Grip::Part(bone::WHOLE), "y-.5"),
        case("roll", rig, bone, go, Grip::Part(bone::ROLL), "30"),
        case("radius", rig, bone, go, Grip::Part(bone::RADIUS), ".3"),
        case(
            "rotate in bind",
            rig,
            bone,
            rotate,
            Grip::Part(ring(Axis::Z)),
            "45",
        ),
        case("scale bone", rig, bone, scale, Grip::Part(LENGTH), "2"),
        case("pose", animate, bone, go, Grip::Part(ring(Axis::X)), "30"),
        case("handle", animate, handle, go, Grip::Part(CENTER), "y.5"),
        case("base", animate, Some(Part::Base), go, Grip::Part(CENTER), "x.5"),
        case(
            "move instance",
            animate,
            None,
            go,
            Grip::Part(arrow(Axis::Y)),
            "2",
        ),
        case(
            "rotate instance",
            animate,
            None,
            rotate,
            Grip::Part(ring(Axis::Z)),
            "45",
        ),
        case(
            "scale instance",
            animate,
            None,
            scale,
            Grip::Part(end(Axis::X)),
            "1.5",
        ),
        case("scale all", animate, None, scale, Grip::Part(ALL_AXES), "y2"),
        case("new bone", rig, bone, go, Grip::Chosen(Action::NEW_BONE), "x.5"),
        case("tween", animate, bone, go, Grip::Chosen(Action::TWEEN), "60"),
    ]
}

impl Case {
    /// The pointer, and where it is to be pressed.
    fn idle(&self) -> (Pointer, Vec2) {
        let mut pointer = pointer(self.tab, self.part);
        pointer.settings.gizmo = self.mode;
        // A little from the side, so that no axis is seen end on.
        (pointer.viewport.camera.yaw, pointer.viewport.camera.pitch) = (0.5, 0.4);
        if self.is_tween() {
            key_both_sides(&mut pointer.session);
        }
        let at = match self.grip {
            Grip::Part(part) => pointer.point_of(part),
            Grip::Chosen(action) => {
                choose(&mut pointer, action);
                Vec3::new(1.5, 1.5, 0.0)
            }
        };
        let at = pointer.pixel(at);
        (pointer, at)
    }

    fn is_tween(&self) -> bool {
        matches!(self.grip, Grip::Chosen(action) if action == Action::TWEEN)
    }

    /// Whether the document changes while it is dragged, and not at the release alone.
    fn previews(&self) -> bool {
        matches!(self.grip, Grip::Part(_)) || self.is_tween()
    }

    /// With the button down on it.
    fn pressed(&self) -> (Pointer, Vec2) {
        let (mut pointer, at) = self.idle();
        pointer.press(at);
        assert!(pointer.tools.is_dragging(), "{}", self.name);
        (pointer, at)
    }
}

/// A new row of the table needs a case above.
#[test]
fn every_tool_has_a_case() {
    for (row, offer) in TOOLS.iter().enumerate() {
        let takes = |case: &Case| {
            let (mut pointer, at) = case.idle();
            pointer.with_tools(|_, context| {
                let mut tool = match offer {
                    Offer::Always(_) => return true,
                    Offer::Selection(make) => make(),
                    Offer::Chosen(_, begin) => match begin(context.view) {
                        Some(tool) => tool,
                        None => return false,
                    },
                };
                let press = Press {
                    button: Button::Primary,
                    alt: false,
                    at,
                    modifiers: Modifiers::default(),
                    part: tool.shape(context).hit(context.viewport, at),
                    over: &[],
                };
                tool.press(context, &press).is_some()
            })
        };
        assert!(cases().iter().any(takes), "row {row}");
    }
}

fn choose(pointer: &mut Pointer, action: Action) {
    let chosen = pointer.with_tools(|tools, context| tools.choose(action, context.view));
    assert!(!chosen);
}

/// Keys of the second bone before and behind the frame that is shown. What comes of them is no step of a tool.
fn key_both_sides(session: &mut Session) {
    let knots = [(0.0, 0.0), (20.0, 80.0)].map(|(frame, x)| (frame, Value::Vec3(Vec3::X * x)));
    let keys = KeyCommand::Put {
        purpose: Purpose::Paste,
        knots: vec![KeyframeValues {
            channel: ChannelRef::new("m", SkeletonChannel::BonePose(1)),
            knots: knots.to_vec(),
            modes: vec![Mode::default(); 2],
        }],
    };
    let mut scene = session.scene().clone();
    Command::Keys(keys).apply(&mut scene).unwrap();
    let selection = session.selection().clone();
    *session = Session::new(scene, None);
    session.select(selection);
    session.set_frame(10.0);
}

const AWAY: Vec2 = Vec2::new(37.0, -28.0);

#[test]
fn every_tool_makes_one_step_of_a_drag_and_typed_numbers_do_what_they_say() {
    for case in cases() {
        let name = case.name;
        let (mut dragged, at) = case.pressed();
        let before = bytes(&dragged);
        for part in [0.3, 1.0] {
            dragged.move_to(at + AWAY * part);
        }
        dragged.release();
        assert_eq!(dragged.steps().len(), 1, "{name}");
        assert!(
            !dragged.session.in_transaction() && bytes(&dragged) != before,
            "{name}"
        );
        dragged.session.undo();
        assert!(bytes(&dragged) == before, "{name}");

        // The pointer does not count where numbers are typed: dragged there or not, the same.
        let mut typed = [Vec2::ZERO, AWAY, AWAY * -2.0].map(|way| {
            let (mut pointer, at) = case.pressed();
            if case.previews() {
                pointer.move_to(at + way);
            }
            pointer.type_keys(case.keys);
            pointer.move_to(at);
            pointer.release();
            assert_eq!(pointer.steps().len(), 1, "{name}");
            bytes(&pointer)
        });
        assert!(
            typed[0] != before && typed[0] == typed[1] && typed[0] == typed[2],
            "{name}"
        );
        // Enter keeps it as the release does; what comes after is nobody's.
        let (mut entered, at) = case.pressed();
        entered.move_to(at);
        entered.type_keys(case.keys);
        entered.frame(&[Event::Enter]);
        assert!(entered.tools.held_button().is_none(), "{name}");
        entered.release();
        typed[1] = bytes(&entered);
        assert!(typed[0] == typed[1], "{name}");
    }
}

#[test]
fn every_tool_leaves_nothing_of_a_drag_that_is_cancelled_and_of_a_click() {
    let right = Event::Pressed {
        button: Button::Secondary,
        at: Vec2::ZERO,
        alt: false,
    };
    for case in cases() {
        let name = case.name;
        for end in [Event::Escape, right, Event::FocusLost] {
            let (mut pointer, at) = case.pressed();
            let before = bytes(&pointer);
            pointer.move_to(at + AWAY);
            assert_eq!(pointer.session.in_transaction(), case.previews(), "{name}");
            pointer.frame(&[end]);
            assert!(pointer.tools.held_button().is_none() && !pointer.session.in_transaction());
            pointer.move_to(at + AWAY * 2.0);
            pointer.release();
            assert!(
                bytes(&pointer) == before && pointer.steps().is_empty(),
                "{name} {end:?}"
            );
        }
        // Someone else ends the transaction.
        let (mut pointer, at) = case.pressed();
        let before = bytes(&pointer);
        pointer.move_to(at + AWAY);
        if pointer.session.cancel() {
            pointer.move_to(at + AWAY * 2.0);
            assert!(
                pointer.tools.held_button().is_none() && bytes(&pointer) == before,
                "{name}"
            );
        }
        if case.previews() {
            let (mut pointer, at) = case.pressed();
            pointer.move_to(at + Vec2::splat(1.5));
            pointer.release();
            assert!(bytes(&pointer) == before && pointer.steps().is_empty(), "{name}");
        }
    }
}

/// However fast: down, along the way and up in one frame is the same as frame by frame.
#[test]
fn a_frame_holds_a_whole_drag() {
    for case in cases() {
        let (mut slow, at) = case.pressed();
        let way = [0.2, 0.7, 1.0].map(|part| at + AWAY * part);
        for to in way {
            slow.move_to(to);
        }
        slow.release();
        let (mut fast, at) = case.pressed();
        let (button, to) = (Button::Primary, way[2]);
        let mut events = way.map(|to| Event::Moved(to.into())).to_vec();
        events.push(Event::Released { button, at: to });
        events.push(Event::Moved((at + 300.0).into()));
        fast.frame(&events);
        assert!(bytes(&slow) == bytes(&fast), "{}", case.name);
        assert_eq!(fast.steps().len(), 1);
    }
}

/// A drag of the tween ends it; at the keys the values are theirs, bit for bit; beyond, they go on.
#[test]
fn a_tween_goes_from_key_to_key_and_beyond() {
    let tween = cases().into_iter().find(Case::is_tween).unwrap();
    let turned =
        |pointer: &Pointer| pointer.session.animated().skinned_meshes["m"].skeleton.bones[1].pose_deg;
    for (keys, x) in [("0", 0.0), ("100", 80.0), ("125", 100.0), ("-25", -20.0)] {
        let (mut pointer, _) = tween.pressed();
        assert!((turned(&pointer).x - 40.0).abs() < 1e-4);
        pointer.type_keys(keys);
        assert_eq!(turned(&pointer), Vec3::X * x, "{keys} %");
        pointer.release();
        assert_eq!(pointer.steps().len(), 1);
    }
    let (mut pointer, at) = tween.pressed();
    // No jump at the press; a third of the way for each 100 pixels.
    pointer.move_to(at + Vec2::new(90.0, 200.0));
    assert!((turned(&pointer).x - 64.0).abs() < 0.1, "{}", turned(&pointer));
    pointer.move_to(at + Vec2::new(2000.0, 0.0));
    assert!((turned(&pointer).x - 100.0).abs() < 0.1, "no farther than 125 %");
    let button = Button::Primary;
    let output = pointer.frame(&[Event::Released { button, at }]);
    assert_eq!(
        output.requests.last(),
        Some(&Request::Act(Action::TWEEN)),
        "for one drag"
    );
    // Where auto-key is on it is a key.
    let (mut pointer, _) = tween.pressed();
    pointer.session.set_auto_key(true);
    pointer.type_keys("25");
    pointer.release();
    let key = ChannelRef::new("m", SkeletonChannel::BonePose(1));
    let animation = &pointer.session.scene().animation;
    assert_eq!(
        animation.get(&key).unwrap().key(10.0),
        Some(Value::Vec3(Vec3::X * 20.0))
    );
}

#[test]
fn a_handle_is_dragged_by_its_ball() {
    let mut p = pointer(Tab::Animate, None);
    let at = p.pixel(Vec3::new(-1.0, 1.0, 0.0));
    p.press(at);
    // A shaky click moves nothing.
    p.move_to(at + Vec2::new(2.0, 1.0));
    assert!(!p.session.in_transaction());
    for to in [Vec3::new(0.3, 2.0, 0.0), Vec3::new(-0.5, 0.25, 0.0)] {
        p.move_to(p.pixel(to));
        assert!(skeleton(&p.session).handles[0].target.distance(to) < 1e-4);
    }
    assert_eq!(p.session.selection().part, Some(Part::Handle(0)));
    let hint = p.tools.hint();
    assert!(
        hint.contains("Esc") && hint.starts_with("Δ 0.5, -0.75, 0"),
        "{hint}"
    );
    p.release();
    assert_eq!(p.steps(), ["Move IK bone 1"]);
}

#[test]
fn clicks_select_add_go_on_to_what_lies_behind_and_one_level_up() {
    let mut p = pointer(Tab::Rig, None);
    let (tip, bone) = (
        p.pixel(Vec3::new(1.0, 1.0, 0.0)),
        p.pixel(Vec3::new(0.0, 0.5, 0.0)),
    );
    p.click(tip);
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.modifiers.fine = true;
    p.click(bone);
    assert_eq!(p.session.selection().parts().count(), 2);
    p.click(bone);
    assert_eq!(p.session.selection().part, Some(Part::Bone(1)));
    p.modifiers.fine = false;
    p.click(Vec2::new(2.0, 2.0));
    assert_eq!(p.session.selection().part, None);
    // The base lies over the start of the root.
    let start = p.pixel(Vec3::ZERO);
    p.click(start);
    assert_eq!(p.session.selection().part, Some(Part::Base));
    p.click(start);
    assert_eq!(p.session.selection().part, Some(Part::Bone(0)));
    assert!(p.steps().is_empty());
}

#[test]
fn a_box_takes_in_what_shows_in_it_and_esc_gives_it_up() {
    let mut p = pointer(Tab::Rig, None);
    let (from, to) = (Vec2::new(3.0, 3.0), Vec2::new(797.0, 597.0));
    p.press(from);
    p.move_to(to);
    let area = p.tools.area().unwrap();
    assert_eq!((area.min, area.max), (from, to));
    assert!(p.tools.is_dragging() && p.tools.hint().contains("Shift adds"));
    p.frame(&[Event::Escape]);
    p.release();
    assert_eq!(p.session.selection().parts().count(), 0);
    p.press(from);
    p.move_to(to);
    p.release();
    assert_eq!(p.session.selection().bones(), [0, 1]);
}

#[test]
fn what_is_under_the_pointer_is_known_while_nothing_is_held() {
    let mut p = pointer(Tab::Animate, Some(Part::Bone(1)));
    // Along +x its x axis is the world's z: that ring lies open to the front, 72 pixels around the bone's start.
    let around = |p: &Pointer, sign: f32| p.pixel(Vec3::Y) + Vec2::new(sign, -1.0) * (72.0 * 0.5f32.sqrt());
    let (on_ring, on) = (around(&p, 1.0), around(&p, -1.0));
    assert_eq!(p.hovered_part(on_ring), Some(ring(Axis::X)));
    assert!(p.tools.hint().contains("about x"), "{}", p.tools.hint());
    p.press(on_ring);
    assert_eq!(p.tools.hovered(), None);
    p.move_to(on);
    assert!(skeleton(&p.session).bones[1].pose_deg.distance(Vec3::X * 90.0) < 0.1);
    assert!(p.tools.hint().starts_with("x 90° (+90°)"));
    assert!(p.shape().lines.iter().all(|line| line.part == ring(Axis::X)));
    p.frame(&[Event::Escape]);
    let middle = p.pixel(Vec3::new(0.6, 1.05, 0.0));
    p.select(None);
    p.move_to(middle);
    assert_eq!(p.tools.hovered(), Some(&Hovered::Target(PickTarget::Bone(1))));
    p.move_to(Vec2::new(2.0, 2.0));
    assert_eq!(p.tools.hovered(), None);
    // Of a selection that the skeleton does not hold nothing is drawn; nowhere is nowhere.
    p.press(Vec2::NAN);
    assert!(p.tools.held_button().is_none());
}

#[test]
fn the_camera_takes_its_buttons_and_the_wheel_beside_every_tool() {
    let mut p = pointer(Tab::Rig, Some(Part::Bone(1)));
    for chosen in [false, true] {
        if chosen {
            choose(&mut p, Action::NEW_BONE);
        }
        let at = Vec2::new(400.0, 300.0);
        let orbit = Navigation::Orbit(Vec2::new(9.0, 0.0));
        let pan = Navigation::Pan(Vec2::new(9.0, 0.0));
        for (button, alt, fine, expected) in [
            (Button::Middle, false, false, orbit),
            (Button::Middle, false, true, pan),
            (Button::Primary, true, false, orbit),
            (Button::Primary, true, true, pan),
            (Button::Secondary, false, false, pan),
        ] {
            p.at = at;
            p.modifiers.fine = fine;
            let pressed = Event::Pressed { button, at, alt };
            let out = p.frame(&[pressed, Event::Moved((at + Vec2::X * 9.0).into())]);
            assert_eq!(out.navigation, [expected], "{button:?} {alt} {fine} {chosen}");
            assert_eq!(out.requests, []);
            p.frame(&[Event::Released { button, at }]);
            let notches = 2.0;
            let zoomed = p.frame(&[Event::Wheel(notches)]).navigation;
            assert_eq!(zoomed, [Navigation::Zoom { notches, at }]);
        }
        assert_eq!(p.tools.is_chosen(), chosen);
    }
    // A right click ends what was chosen.
    let (button, at, alt) = (Button::Secondary, Vec2::ONE, false);
    p.frame(&[Event::Pressed { button, at, alt }, Event::Released { button, at }]);
    assert_eq!(p.tools.chosen(), None);
}

/// The bytes of the document and the pose that is seen after the handle was dragged along `path`, in world space.
fn dragged(keys: bool, path: &[Vec3]) -> (Vec<u8>, Vec<Vec3>) {
    let mut p = pointer(Tab::Animate, None);
    let pose = |bone, pose_deg| Command::SetPose {
        mesh: "m".to_owned(),
        bone,
        pose_deg,
    };
    let poses = [
        pose(0, Vec3::new(10.0, -20.0, 5.0)),
        pose(1, Vec3::new(0.0, 15.0, -40.0)),
    ];
    p.session.apply(&poses).unwrap();
    if keys {
        let channels = [0, 1].map(|id| ChannelRef::new("m", SkeletonChannel::BonePose(id)));
        let (channels, frame) = (channels.into(), 0.0);
        let set = Command::Keys(KeyCommand::Set { channels, frame });
        p.session.apply(&[set]).unwrap();
    }
    let mut evaluator = Evaluator::default();
    let mut seen = |session: &Session| {
        let evaluated = evaluator.evaluate(session.animated(), &Settings::default());
        let bones = &evaluated.skinned["m"].skeleton.bones;
        bones.iter().map(|bone| bone.pose_deg).collect::<Vec<_>>()
    };
    seen(&p.session);
    let start = skeleton(&p.session).handles[0].target;
    p.press(p.pixel(start));
    for to in path {
        p.move_to(p.pixel(*to));
        seen(&p.session);
    }
    p.release();
    (bytes(&p), seen(&p.session))
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
