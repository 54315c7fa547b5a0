//! Selecting vertices on a tube, driven as by the window.

use super::driver::Event;
use super::numeric::DragKey;
use crate::edit::action::{Action, Shortcut};
use crate::edit::settings::view::Tab;
use crate::edit::testing::{Pointer, front, placed_session_with};
use crate::mesh::primitives;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::scene::skinned::SkinnedMesh;
use glam::{Vec2, Vec3};
use std::sync::Arc;

fn selecting(tab: Tab) -> Pointer {
    let surface = primitives::tube(0.5, 2.0, 24, 20).unwrap();
    let session = placed_session_with(SkinnedMesh {
        surface: Arc::new(surface),
        skeleton: Arc::new(Skeleton {
            bones: vec![Bone { extent: Vec3::Y, ..Bone::default() }],
            ..Skeleton::default()
        }),
        ..SkinnedMesh::default()
    });
    let mut pointer = Pointer::new(session, tab, front(Vec3::ZERO, 6.0));
    pointer.with_tools(|tools, context| tools.choose(Action::SELECT_VERTICES, context.view));
    assert!(pointer.tools.is_chosen());
    pointer
}

fn chosen(pointer: &Pointer) -> Vec<Vec3> {
    let surface = &pointer.session.scene().skinned_meshes["m"].surface;
    let vertices = pointer.session.selection().vertices.iter();
    vertices.map(|v| surface.positions()[*v as usize]).collect()
}

/// Draws a box around the middle of the view.
fn draw(pointer: &mut Pointer, half: f32) {
    pointer.press(Vec2::new(400.0 - half, 300.0 - half));
    for [x, y] in [[half, -half], [half, half]] {
        pointer.move_to(Vec2::new(400.0 + x, 300.0 + y));
    }
    pointer.release();
}

#[test]
fn a_box_selects_visible_vertices_and_hidden_ones_on_request() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut p = selecting(tab);
        draw(&mut p, 30.0);
        let visible = chosen(&p);
        assert!(visible.len() > 3 && visible.iter().all(|position| position.z > 0.0), "{tab:?}: {visible:?}");
        p.frame(&[Event::Key(DragKey::Shortcut(Shortcut::plain("T")))]);
        draw(&mut p, 30.0);
        let all = chosen(&p);
        assert!(all.len() > visible.len() && all.iter().any(|position| position.z < 0.0));
        assert!(p.steps().is_empty(), "the document is as it was");
        // Shift adds, Ctrl removes.
        draw(&mut p, 15.0);
        let few = chosen(&p);
        p.modifiers.fine = true;
        draw(&mut p, 30.0);
        assert_eq!(chosen(&p).len(), all.len());
        p.modifiers.fine = false;
        p.modifiers.snap = true;
        draw(&mut p, 15.0);
        assert_eq!(chosen(&p).len(), all.len() - few.len());
    }
}

#[test]
fn a_click_selects_the_nearest_vertex_and_a_lasso_those_inside() {
    let mut p = selecting(Tab::Rig);
    let surface = p.session.scene().skinned_meshes["m"].surface.clone();
    let front = surface.positions().iter().max_by(|a, b| (a.z - a.y.abs()).total_cmp(&(b.z - b.y.abs())));
    let front = *front.unwrap();
    let pixel = p.pixel(front);
    p.click(pixel + Vec2::X * 2.0);
    assert_eq!(chosen(&p), vec![front]);
    p.modifiers.fine = true;
    p.click(pixel);
    assert!(chosen(&p).is_empty(), "Shift takes it away again");
    p.modifiers.fine = false;
    p.click(pixel);
    p.click(Vec2::new(20.0, 20.0));
    assert!(chosen(&p).is_empty(), "beside the skin");
    p.frame(&[Event::Key(DragKey::Shortcut(Shortcut::plain("L")))]);
    // The half of the box below its diagonal.
    p.press(Vec2::new(360.0, 260.0));
    for to in [Vec2::new(440.0, 340.0), Vec2::new(360.0, 340.0)] {
        p.move_to(to);
    }
    p.release();
    let found = chosen(&p);
    assert!(found.len() > 3);
    for position in found {
        let pixel = p.pixel(position);
        assert!(pixel.x >= 359.0 && pixel.y - 260.0 >= pixel.x - 361.0, "{pixel}");
    }
}

/// A click on empty space deselects, as in other programs; a message reports it.
#[test]
fn a_click_or_box_with_no_vertex_deselects_and_says_so() {
    let beside = Vec2::new(5.0, 5.0);
    for offset in [Vec2::ZERO, Vec2::new(30.0, 30.0)] {
        let mut p = selecting(Tab::Rig);
        draw(&mut p, 30.0);
        let before = chosen(&p).len();
        let usual = p.tools.prompt().to_owned();
        assert!(before > 3 && usual.contains("visible vertices"), "{usual}");
        let draw_beside = |p: &mut Pointer| {
            p.press(beside);
            p.move_to(beside + offset);
            p.release();
            p.move_to(beside);
            p.tools.prompt().to_owned()
        };
        let message = draw_beside(&mut p);
        assert!(message.contains("all vertices are deselected"), "{message}");
        assert!(chosen(&p).is_empty());
        // With nothing selected.
        let message = draw_beside(&mut p);
        assert_eq!(message, "No visible vertex is there");
        draw(&mut p, 30.0);
        assert_eq!(p.tools.prompt(), usual);
        assert_eq!(chosen(&p).len(), before);
    }
}
