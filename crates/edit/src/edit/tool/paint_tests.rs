//! The brush on a tube with two bones, driven as by the window.

mod choosing;

use super::Context;
use super::driver::{Event, ToolController};
use super::numeric::DragKey;
use crate::edit::action::{Action, Prepared, Shortcut};
use crate::edit::request::Request;
use crate::edit::select::probe::{influences, vertex_under};
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::Tab;
use crate::edit::testing::{Pointer, front, placed_session_with};
use crate::io::js3d;
use crate::mesh::primitives;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::Method;
use crate::rig::weights::paint::{Brush, Mode};
use crate::scene::skinned::SkinnedMesh;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// One bone along the lower half of a tube, one along the upper half; the lower one has all the weight.
fn painter(tab: Tab) -> Pointer {
    painter_of(tube(), tab)
}

fn tube() -> SkinnedMesh {
    let bone = |parent| Bone { parent, extent: Vec3::Y, ..Bone::default() };
    let surface = primitives::tube(0.5, 2.0, 24, 20).unwrap();
    let mut weights = VertexWeights::none(0);
    (0..surface.vertex_count()).for_each(|_| weights.push_row([(0, 1.0)]));
    SkinnedMesh {
        weights: Arc::new(weights),
        surface: Arc::new(surface),
        skeleton: Arc::new(Skeleton {
            bones: vec![bone(None), bone(Some(0))],
            base: Vec3::NEG_Y,
            ..Skeleton::default()
        }),
        ..SkinnedMesh::default()
    }
}

fn painter_of(skinned: SkinnedMesh, tab: Tab) -> Pointer {
    let session = placed_session_with(skinned);
    let mut pointer = Pointer::new(session, tab, front(Vec3::ZERO, 6.0));
    pointer.select(Some(Part::Bone(1)));
    pointer.settings.tools.brush = Brush { radius: 0.1, ..Brush::default() };
    let shown = pointer.with_tools(|tools, context| tools.choose(Action::PAINT_WEIGHTS, context.view));
    assert!(!shown && pointer.tools.is_chosen());
    pointer
}

fn weights(pointer: &Pointer) -> Arc<VertexWeights> {
    pointer.session.scene().skinned_meshes["m"].weights.clone()
}

fn bytes(pointer: &Pointer) -> Vec<u8> {
    js3d::write(pointer.session.scene()).unwrap()
}

/// The largest weight of the upper bone.
fn most(weights: &VertexWeights) -> f32 {
    let all = (0..weights.vertex_count()).flat_map(|v| weights.influences(v));
    all.filter(|(bone, _)| *bone == 1).fold(0.0, |most, (_, weight)| most.max(weight))
}

const MIDDLE: Vec2 = Vec2::new(400.0, 300.0);

fn shortcut(key: Shortcut) -> Event {
    Event::Key(DragKey::Shortcut(key))
}

#[test]
fn a_stroke_is_one_step_and_comes_back_to_the_byte() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut p = painter(tab);
        let before = bytes(&p);
        p.press(MIDDLE);
        assert!(most(&weights(&p)) > 0.9, "{tab:?}: at the press");
        for x in [420.0, 430.0, 380.0] {
            p.move_to(Vec2::new(x, 300.0));
        }
        p.release();
        assert_eq!(p.steps(), ["Paint weights"]);
        assert!(p.tools.is_chosen(), "it goes on");
        let sums: Vec<f64> = weights(&p).sums().collect();
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6));
        p.session.undo();
        assert!(bytes(&p) == before);
        // A click is a dab.
        p.click(MIDDLE);
        assert_eq!(p.steps().len(), 1);
        p.session.undo();
        for end in [Event::Escape, Event::FocusLost] {
            p.press(MIDDLE);
            p.move_to(MIDDLE + Vec2::X * 30.0);
            p.frame(&[end]);
            assert!(bytes(&p) == before && p.steps().is_empty() && p.tools.is_chosen());
            p.release();
        }
    }
}

#[test]
fn frames_do_not_matter() {
    let path: Vec<Vec2> =
        (0..60).map(|i| Vec2::new(350.0 + 2.0 * i as f32, 280.0 + (i % 7) as f32)).collect();
    let painted = |chunk: usize| {
        let mut p = painter(Tab::Rig);
        p.press(path[0]);
        for part in path[1..].chunks(chunk) {
            p.position = part[part.len() - 1];
            let events: Vec<Event> = part.iter().map(|pixel| Event::Moved((*pixel).into())).collect();
            p.frame(&events);
        }
        p.release();
        weights(&p)
    };
    let whole = painted(59);
    assert!(painted(1) == whole && painted(7) == whole);
}

#[test]
fn shift_smooths_and_ctrl_does_the_opposite() {
    let mut p = painter(Tab::Rig);
    p.click(MIDDLE);
    let painted = weights(&p);
    p.modifiers.fine = true;
    p.press(MIDDLE);
    p.move_to(MIDDLE + Vec2::X * 40.0);
    p.release();
    let smoothed = weights(&p);
    assert!(smoothed != painted && most(&smoothed) < most(&painted));
    p.modifiers.fine = false;
    p.modifiers.snap = true;
    p.press(MIDDLE - Vec2::X * 20.0);
    p.move_to(MIDDLE + Vec2::X * 60.0);
    p.release();
    assert!(most(&weights(&p)) < most(&smoothed));
}

#[test]
fn locked_bones_and_no_bone_paint_nothing_and_say_why() {
    let mut p = painter(Tab::Rig);
    let before = bytes(&p);
    p.select(None);
    p.click(MIDDLE);
    assert!(bytes(&p) == before && p.steps().is_empty());
    p.move_to(MIDDLE);
    assert!(p.tools.prompt().contains("press S"), "{}", p.tools.prompt());
    // The bone under the pointer.
    p.frame(&[shortcut(Shortcut::plain("S"))]);
    assert_eq!(p.session.selection().bone(), Some(0));
    let lock = crate::edit::command::Command::lock_weights("m".into(), &[0], true);
    p.session.apply(&[lock]).unwrap();
    let before = bytes(&p);
    assert!(String::from_utf8_lossy(&before).contains("\"lock_weights\":true"));
    p.press(MIDDLE);
    assert!(p.tools.prompt().contains("locked"), "{}", p.tools.prompt());
    p.release();
    assert!(bytes(&p) == before && p.steps().len() == 1);
}

#[test]
fn keys_change_the_brush() {
    let mut p = painter(Tab::Rig);
    p.click(MIDDLE);
    p.move_to(MIDDLE);
    let brush = p.settings.tools.brush;
    p.frame(&[shortcut(Shortcut::plain("CloseBracket"))]);
    assert!((p.settings.tools.brush.radius - brush.radius * 1.2).abs() < 1e-6);
    p.frame(&[shortcut(Shortcut::plain("OpenBracket"))]);
    assert!((p.settings.tools.brush.radius - brush.radius).abs() < 1e-6);
    // The value under the pointer.
    p.settings.tools.brush.value = 0.25;
    p.frame(&[shortcut(Shortcut::plain("V"))]);
    assert!(p.settings.tools.brush.value > 0.9, "{:?}", p.settings.tools.brush);
    // Strength, value and radius follow the pointer until a click; Esc reverts them, and the brush stays
    // active.
    let steps = p.steps().len();
    for (key, setting) in [
        (Shortcut::shift("F"), (|b| b.strength) as fn(&Brush) -> f32),
        (Shortcut::ctrl("F"), |b| b.value),
        (Shortcut::plain("F"), |b| b.radius),
    ] {
        p.move_to(MIDDLE);
        let before = setting(&p.settings.tools.brush);
        p.frame(&[shortcut(key)]);
        p.move_to(MIDDLE - Vec2::X * 40.0);
        p.frame(&[Event::Escape]);
        assert!(setting(&p.settings.tools.brush) == before && p.tools.is_chosen());
        p.move_to(MIDDLE);
        p.frame(&[shortcut(key)]);
        p.click(MIDDLE - Vec2::X * 10.0);
        assert!(setting(&p.settings.tools.brush) < before, "{key}");
    }
    assert_eq!(p.steps().len(), steps, "nothing was painted meanwhile");
    p.frame(&[Event::Escape]);
    assert!(!p.tools.is_chosen());
}

#[test]
fn a_stroke_goes_on_while_the_character_plays() {
    let mut p = painter(Tab::Animate);
    p.settings.playback.play(&p.session.scene().animation.clip, 0.0);
    let before = bytes(&p);
    p.press(MIDDLE);
    for frame in 1..6 {
        p.session.set_frame(frame as f32);
        p.move_to(MIDDLE + Vec2::X * (10.0 * frame as f32));
        assert!(p.session.in_transaction() && p.settings.playback.is_playing());
    }
    p.release();
    assert_eq!((p.steps().len(), p.session.frame()), (1, 5.0));
    assert!(p.settings.playback.is_playing());
    // Weights do not depend on the frame: the playhead stays where it is.
    p.session.set_frame(9.0);
    p.session.undo();
    assert!(bytes(&p) == before && p.session.frame() == 9.0);
    p.session.set_frame(2.0);
    p.session.redo();
    assert!(bytes(&p) != before && p.session.frame() == 2.0);
    p.session.undo();
    // A pose belongs to its frame.
    p.session.set_frame(4.0);
    let pose = crate::edit::command::Command::set_bone("m".into(), 1, "pose", Vec3::new(10.0, 0.0, 0.0));
    p.session.apply(&[pose]).unwrap();
    p.session.set_frame(8.0);
    p.session.undo();
    assert_eq!(p.session.frame(), 4.0);
}

/// Off the body, a stroke has no rings, not even where it began.
#[test]
fn a_stroke_off_the_body_has_no_rings() {
    let mut p = painter(Tab::Rig);
    p.press(MIDDLE);
    assert!(!p.shape().is_empty());
    p.move_to(Vec2::new(5.0, 5.0));
    assert!(p.shape().is_empty());
    p.move_to(MIDDLE);
    assert!(!p.shape().is_empty());
    p.release();
    p.move_to(MIDDLE);
    assert!(!p.shape().is_empty());
}

#[test]
fn healing_is_done_at_the_end() {
    let mut p = painter(Tab::Rig);
    p.click(MIDDLE);
    let painted = weights(&p);
    p.settings.tools.brush = Brush { mode: Mode::Heal, radius: 0.2, ..p.settings.tools.brush };
    p.move_to(MIDDLE);
    p.press(MIDDLE);
    p.move_to(MIDDLE + Vec2::X * 5.0);
    assert!(weights(&p) == painted && !p.session.in_transaction());
    p.release();
    assert!(most(&weights(&p)) < 1e-3, "the spot is gone");
    assert_eq!(p.steps().len(), 2);
}

#[test]
fn filling_does_the_same_to_all() {
    let mut p = painter(Tab::Rig);
    p.settings.tools.brush.value = 0.25;
    let evaluated = p.evaluated();
    let note = |p: &mut Pointer| {
        let prepared = p.with_tools(|_, context| Action::FILL_WEIGHTS.prepare(context.view));
        match prepared {
            Ok(Prepared::Commands { note: Some(note), .. }) => note.text,
            _ => panic!("no note"),
        }
    };
    let count = weights(&p).vertex_count();
    assert_eq!(note(&mut p), format!("Filled all {count} vertices: none was selected"));
    let none = p.session.selection().clone();
    p.session.select(none.with_vertices(vec![3, 5]));
    assert_eq!(note(&mut p), "Filled 2 selected vertices");
    p.session.select(none);
    let fill = Request::Act(Action::FILL_WEIGHTS);
    fill.carry_out(&mut p.session, &mut p.settings, &evaluated).unwrap();
    let weights = weights(&p);
    assert!(weights.rows().all(|row| row == (&[0, 1][..], &[0.75, 0.25][..])));
}

/// A brush sprays once per clock tick while the pointer rests, however the ticks are distributed over frames;
/// without Accumulate not at all.
#[test]
fn a_brush_that_sprays_goes_on_while_the_pointer_rests() {
    let painted = |accumulate: bool, frames: &[u32]| {
        let mut p = painter(Tab::Rig);
        p.settings.tools.brush = Brush { accumulate, strength: 0.1, ..p.settings.tools.brush };
        p.press(MIDDLE);
        assert_eq!(p.tools.continues_at_rest(), accumulate);
        for ticks in frames {
            p.frame_after(*ticks, &[]);
        }
        p.release();
        assert!(!p.tools.continues_at_rest());
        (most(&weights(&p)), weights(&p))
    };
    let (once, _) = painted(true, &[]);
    let (rested, whole) = painted(true, &[10]);
    assert!(once < 0.11 && rested > 0.6, "{once} {rested}");
    assert!(painted(true, &[1; 10]).1 == whole && painted(true, &[3, 0, 7]).1 == whole);
    assert!(painted(false, &[10]).0 < 0.11);
}

#[test]
fn a_stroke_that_changes_nothing_says_why() {
    let message = |prepare: &dyn Fn(&mut Pointer), pixel: Vec2| {
        let mut p = painter(Tab::Rig);
        prepare(&mut p);
        let before = bytes(&p);
        p.press(pixel);
        p.move_to(pixel + Vec2::X);
        p.release();
        assert!(bytes(&p) == before, "{}", p.tools.prompt());
        p.move_to(pixel + Vec2::X);
        let message = p.tools.prompt().to_owned();
        // The message disappears when the pointer moves away.
        p.move_to(pixel + Vec2::X * 90.0);
        assert!(p.tools.prompt() != message, "{message}");
        message
    };
    let off = message(&|_| {}, Vec2::new(5.0, 5.0));
    assert!(off.contains("did not touch the character"), "{off}");
    let select = |p: &mut Pointer| {
        let surface = p.session.scene().skinned_meshes["m"].surface.clone();
        let top = (0..surface.vertex_count()).max_by(|a, b| {
            let height = |v: &usize| surface.positions()[*v].y;
            height(a).total_cmp(&height(b))
        });
        let vertices = Arc::new(vec![top.unwrap() as u32]);
        let selection = Selection { vertices, ..p.session.selection().clone() };
        p.session.select(selection);
    };
    let unselected = message(&select, MIDDLE);
    assert!(unselected.contains("no selected vertex is there"), "{unselected}");
    let lock = |p: &mut Pointer| {
        let lock = crate::edit::command::Command::lock_weights("m".into(), &[0], true);
        p.session.apply(&[lock]).unwrap();
    };
    let locked = message(&lock, MIDDLE);
    assert!(locked.contains("all bones there are locked"), "{locked}");
    let done = message(&|p| p.settings.tools.brush.value = 0.0, MIDDLE);
    assert!(done.contains("already have"), "{done}");
    let rest = message(&|p| p.settings.tools.brush.mode = Mode::Pull, MIDDLE);
    assert!(rest.contains("Bend the joint first"), "{rest}");
}

/// Every point of the rings is on the displayed skin, in a bent pose too.
#[test]
fn the_rings_lie_on_the_skin() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut bent = tube();
        let skeleton = Arc::make_mut(&mut bent.skeleton);
        skeleton.bones[1].pose_deg = Vec3::new(20.0, 0.0, 30.0);
        let rows = bent.surface.positions().iter().map(|p| p.y.clamp(-0.5, 0.5) + 0.5);
        let mut weights = VertexWeights::none(0);
        rows.for_each(|upper| weights.push_row([(0, 1.0 - upper), (1, upper)]));
        bent.weights = Arc::new(weights);
        let mut p = painter_of(bent, tab);
        p.settings.tools.brush.radius = 0.2;
        p.settings.tools.brush.strength = 0.5;
        p.move_to(MIDDLE);
        let evaluated = p.evaluated();
        let positions = &evaluated.skinned["m"].positions;
        let surface = p.session.scene().skinned_meshes["m"].surface.clone();
        assert_eq!(positions[..] == *surface.positions(), tab == Tab::Rig);
        let tree = crate::mesh::bvh::Bvh::from_surface(&surface).refitted(positions);
        for shape in [p.shape(), {
            p.press(MIDDLE);
            p.shape()
        }] {
            let rings: Vec<usize> = shape.pieces.iter().map(|ring| ring.points.len()).collect();
            assert!(rings.len() == 2 && rings.iter().all(|count| *count > 20), "{rings:?}");
            for point in shape.pieces.iter().flat_map(|ring| &ring.points) {
                let near = tree.closest(positions, *point).unwrap();
                assert!(near.distance < 1e-4, "{tab:?}: {point} is {} off", near.distance);
            }
        }
        p.release();
    }
}

/// Painting keeps to the mesh's bones per vertex, unless the brush has a limit of its own.
#[test]
fn every_brush_keeps_the_bones_per_vertex_of_the_mesh() {
    const BONES: usize = 6;
    let mut skinned = tube();
    let bone = |parent: usize| Bone {
        parent: parent.checked_sub(1).map(|parent| parent as u32),
        extent: Vec3::Y / 3.0,
        ..Bone::default()
    };
    let skeleton =
        Skeleton { bones: (0..BONES).map(bone).collect(), base: Vec3::NEG_Y, ..Skeleton::default() };
    skinned.skeleton = Arc::new(skeleton);
    let mut weights_before = VertexWeights::none(0);
    for vertex in 0..skinned.surface.vertex_count() {
        // Neighbours have different bones, so that blending them would exceed the limit.
        let row = (0..4).map(|i| (((vertex + i) % BONES) as u16, 0.25));
        let mut row: Vec<_> = row.collect();
        row.sort_unstable_by_key(|(bone, _)| *bone);
        weights_before.push_row(row);
    }
    skinned.weights = Arc::new(weights_before);
    let most_bones = |weights: &VertexWeights| {
        let count = |vertex| weights.influences(vertex).count();
        (0..weights.vertex_count()).map(count).max().unwrap()
    };
    let paint = |method: &str, mode: Mode, limit: usize, fill: bool| {
        let mut skinned = skinned.clone();
        skinned.weight_method = Method::named(method).unwrap();
        let mut p = painter_of(skinned, Tab::Animate);
        p.settings.tools.brush = Brush { mode, value: 0.3, most: limit, radius: 0.3, ..Brush::default() };
        if fill {
            let evaluated = p.evaluated();
            let fill = Request::Act(Action::FILL_WEIGHTS);
            // Brushes that need a path cannot fill.
            let _ = fill.carry_out(&mut p.session, &mut p.settings, &evaluated);
        } else {
            p.press(MIDDLE);
            [430.0, 470.0, 440.0, 380.0].into_iter().for_each(|x| p.move_to(Vec2::new(x, 290.0)));
            p.release();
        }
        most_bones(&weights(&p))
    };
    let mut unlimited = 0;
    for mode in Mode::ALL {
        for fill in [false, true] {
            let case = format!("{mode:?}, filled: {fill}");
            assert!(paint("heat", mode, 0, fill) <= 4, "{case}: the limit of heat diffusion");
            assert!(paint("heat", mode, 3, fill) <= 4, "{case}");
            unlimited = unlimited.max(paint("inverse-distance", mode, 0, fill));
        }
    }
    assert!(unlimited > 4, "without a limit, brushes add bones");
}
