//! New bone: drawn into a bare mesh by clicks, with all kinds of interruptions.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers, PointerButton};
use glam::Vec3;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::io::js3d;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::rig::kinematics::{bind_pose, tips};
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

fn bare(surface: Arc<HalfedgeMesh>) -> SkinnedMesh {
    SkinnedMesh {
        weights: Arc::new(VertexWeights::none(surface.vertex_count())),
        surface,
        ..SkinnedMesh::default()
    }
}

/// Returns the human without its skeleton, and a ball as another skinned mesh.
fn bare_human() -> Scene {
    let (mut scene, _) = ossature::editor::embedded_human().expect("the human can be read");
    let surface = scene.skinned_meshes[MESH].surface.clone();
    scene.skinned_meshes.insert(MESH.into(), Arc::new(bare(surface)));
    let ball = primitives::uv_sphere(1.0, 24, 12).expect("a ball");
    scene.skinned_meshes.insert("Other".into(), Arc::new(bare(Arc::new(ball))));
    scene
}

/// Returns a beast made of a tube for the trunk and one for a leg: two overlapping shells.
fn bare_beast() -> Scene {
    let tube = primitives::tube(0.5, 4.0, 32, 8).expect("a tube");
    let mut raw = tube.raw();
    for p in &mut raw.vertex_position {
        *p = Vec3::new(p.y - 2.0, p.x + 2.0, p.z);
    }
    let lying = HalfedgeMesh::new(raw).expect("a horizontal tube");
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(MESH.into(), Arc::new(bare(Arc::new(lying))));
    scene
}

/// Returns whether a point is inside, by the parity of a ray's crossings with all triangles.
fn inside(surface: &HalfedgeMesh, point: Vec3) -> bool {
    let ray = ossature::math::ray::Ray::new(point, Vec3::new(0.312, 0.911, 0.27));
    let corner = |v: u32| surface.positions()[v as usize];
    let crossed = surface
        .triangles()
        .into_iter()
        .filter(|[a, b, c]| ray.intersect_triangle(corner(*a), corner(*b), corner(*c)).is_some());
    crossed.count() % 2 == 1
}

fn bind_tips(skeleton: &Skeleton) -> Vec<Vec3> {
    let tips = tips(skeleton, &bind_pose(skeleton));
    tips.into_iter().map(|tip| tip.as_vec3()).collect()
}

/// Points from the pelvis up the spine, in the front view.
const SPINE: [Vec3; 4] =
    [Vec3::new(0.0, 3.3, 0.0), Vec3::new(0.0, 3.8, 0.0), Vec3::new(0.0, 4.3, 0.0), Vec3::new(0.0, 4.9, 0.0)];

impl Person {
    fn click_world(&mut self, at: Vec3) {
        let at = self.shows(at);
        self.click_at(at);
    }

    fn point_world(&mut self, at: Vec3) {
        let at = self.shows(at);
        self.app.point_at(at.0, at.1);
    }

    fn drawing(&mut self) -> bool {
        self.sees("End New bone")
    }

    fn bones(&mut self) -> usize {
        self.skeleton().bones.len()
    }

    /// Draws the base and two bones of the spine, and points at the third.
    fn draw_spine(&mut self) {
        self.key(Key::Num1);
        self.key(Key::N);
        assert!(self.drawing());
        for at in &SPINE[..3] {
            self.click_world(*at);
        }
        self.point_world(SPINE[3]);
        assert_eq!(self.bones(), 2);
    }

    /// Asserts what must hold in any case.
    fn assert_sane(&mut self) {
        let skeleton = self.skeleton();
        for (i, bone) in skeleton.bones.iter().enumerate() {
            assert!(bone.parent.is_none_or(|parent| (parent as usize) < i));
            assert!(bone.extent.is_finite() && bone.extent.length() > 1e-3);
            assert!(bone.radius > 0.0 || bone.link);
        }
        assert!(!self.editor().session.in_transaction());
        let bytes = self.bytes();
        let (again, report) = js3d::read(&bytes).expect("what was written is read");
        assert!(report.is_empty());
        assert_eq!(again.skinned_meshes[MESH].skeleton.bones.len(), skeleton.bones.len());
    }
}

#[test]
fn three_clicks_draw_a_chain_inside_of_the_human() {
    let Some(mut person) = Person::with_scene(960, 640, bare_human()) else {
        return;
    };
    let at_first = person.bytes();
    person.draw_spine();
    assert!(person.sees_text("Click to place a tail from Bone.001"));
    assert!(person.sees_text("Backspace undoes the last"));
    person.click_world(SPINE[3]);
    let (skeleton, scene) = (person.skeleton(), person.scene());
    let parents: Vec<_> = skeleton.bones.iter().map(|b| b.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1)]);
    assert_eq!(person.part(), Some(Part::Bone(2)));
    let surface = &scene.skinned_meshes[MESH].surface;
    let mut joints = bind_tips(&skeleton);
    joints.insert(0, skeleton.base);
    for (joint, aimed) in joints.iter().zip(SPINE) {
        assert_eq!(joint.x, 0.0, "drawn to the middle");
        let (shown, meant) = (person.shows(*joint), person.shows(aimed));
        assert!((shown.0 - meant.0).hypot(shown.1 - meant.1) < 2.0, "{shown:?} {meant:?}");
        assert!(inside(surface, *joint), "{joint} is inside of the skin");
    }
    let steps = ["Move base", "Add bone", "Add bone to Bone", "Add bone to Bone.001"];
    assert_eq!(person.steps(), steps);
    // A second click in place adds nothing.
    person.click_world(joints[3]);
    assert_eq!(person.bones(), 3);

    // Backspace goes back to the start of the chain, but no further.
    for left in [2, 1, 0] {
        person.key(Key::Backspace);
        assert_eq!(person.bones(), left);
        person.assert_sane();
    }
    person.key(Key::Backspace);
    assert!(person.bytes() == at_first);
    person.key(Key::Backspace);
    assert!(person.drawing() && person.bytes() == at_first);
    for _ in 0..4 {
        person.app.key(Key::Y, CTRL);
    }
    assert_eq!(person.bones(), 3);
    person.key(Key::Enter);
    assert!(!person.drawing());
    // The tool is off: a click selects.
    person.click_world(joints[1].midpoint(joints[2]));
    assert_eq!((person.bones(), person.part()), (3, Some(Part::Bone(1))));
}

#[test]
fn whatever_happens_in_between_the_skeleton_is_valid() {
    let Some(mut person) = Person::with_scene(960, 640, bare_human()) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("drawn.js3d");
    let goes_on =
        ["undo", "redo", "delete", "save", "focus", "another bone", "no skin", "orbit", "deselect all"];
    let ends =
        ["tab", "tab button", "other mesh", "open", "new", "escape", "right click", "enter", "end", "again"];
    for what in goes_on.into_iter().chain(ends) {
        person.app.open(bare_human(), Some(path.clone()));
        person.editor().settings.tab = Tab::Rig;
        person.editor().settings.display.show_skin = true;
        person.app.frames(3);
        person.draw_spine();
        let mut expected = 2;
        match what {
            "undo" => (person.app.key(Key::Z, CTRL), expected = 1).1,
            "redo" => {
                person.app.key(Key::Z, CTRL);
                person.app.key(Key::Z, CTRL_SHIFT);
            }
            "delete" => (person.key(Key::Delete), expected = 1).1,
            "save" => {
                person.app.key(Key::S, CTRL);
                let (saved, _) = js3d::read_file(&path).expect("it was saved");
                let bones = saved.skinned_meshes[MESH].skeleton.bones.len();
                assert_eq!(bones, 2, "the bone that follows the pointer is not saved");
            }
            "focus" => {
                person.app.button(PointerButton::Primary, true);
                person.app.focus(false);
                person.app.focus(true);
                person.app.button(PointerButton::Primary, false);
            }
            "another bone" => person.click("Bone Bone"),
            "no skin" => person.app.key(Key::S, Modifiers::SHIFT),
            "orbit" => {
                let (x, y) = person.shows(SPINE[3]);
                person.app.drag_with(PointerButton::Middle, (x, y), (x + 30.0, y + 10.0), 3);
                person.app.drag_with(PointerButton::Secondary, (x, y), (x + 30.0, y + 10.0), 3);
                person.app.wheel(1.0);
                person.app.modifiers(Modifiers::ALT);
                person.app.drag((x, y), (x - 30.0, y), 3);
                person.app.modifiers(Modifiers::NONE);
            }
            "deselect all" => person.click(&format!("Skinned mesh {MESH}")),
            "tab" => person.key(Key::Tab),
            "tab button" => person.click("Animate"),
            "other mesh" => person.click("Skinned mesh Other"),
            "open" => {
                person.app.key(Key::S, CTRL);
                person.editor().requests.push(Request::OpenPath(path.clone()));
                person.app.frames(4);
            }
            "new" => {
                person.app.key(Key::N, CTRL);
                person.click("Don't save");
                assert!(person.scene().skinned_meshes.is_empty() && !person.drawing());
                continue;
            }
            "escape" => person.key(Key::Escape),
            "right click" => {
                person.app.button(PointerButton::Secondary, true);
                person.app.button(PointerButton::Secondary, false);
                person.app.frames(2);
            }
            "enter" => person.key(Key::Enter),
            "end" => person.click("End New bone"),
            _ => person.key(Key::N),
        }
        assert_eq!(person.bones(), expected, "{what}");
        person.assert_sane();
        let goes_on = goes_on.contains(&what);
        assert_eq!(person.drawing(), goes_on, "{what}");
        if matches!(what, "escape" | "right click" | "enter" | "end" | "again") {
            assert_eq!(person.part(), Some(Part::Bone(1)), "{what} keeps the selection");
        }
        // Move on and click: one more bone, or none.
        let start = match what {
            "another bone" | "undo" | "delete" => Some(0),
            "deselect all" => None,
            _ => Some(1),
        };
        person.point_world(Vec3::new(0.4, 4.6, 0.0));
        person.assert_sane();
        person.click_world(Vec3::new(0.4, 4.6, 0.0));
        person.assert_sane();
        if goes_on {
            assert_eq!(person.bones(), expected + 1, "{what}");
            let parent = person.skeleton().bones[expected].parent;
            assert_eq!(parent, start, "{what}");
            // Draw another as if nothing had happened; everything can be undone.
            person.click_world(Vec3::new(0.5, 5.2, 0.0));
            assert_eq!(person.bones(), expected + 2, "{what}");
            person.key(Key::Escape);
            assert!(!person.drawing(), "{what}");
        } else {
            let bones = person.scene().skinned_meshes[MESH].skeleton.bones.len();
            assert_eq!(bones, expected, "{what}");
        }
        while person.editor().session.undo().is_some() {}
        person.app.frames(2);
        if what != "open" {
            assert_eq!(person.bones(), 0, "{what}");
        }
    }
}

#[test]
fn a_chain_is_drawn_into_a_lying_tube_in_perspective() {
    let Some(mut person) = Person::with_scene(960, 640, bare_beast()) else {
        return;
    };
    person.editor().settings.tab = Tab::Rig;
    person.app.frames(3);
    person.click("New bone");
    let places = [-1.5, -0.6, 0.5, 1.4].map(|x| Vec3::new(x, 2.1, 0.0));
    for at in places {
        person.click_world(at);
    }
    let (skeleton, scene) = (person.skeleton(), person.scene());
    assert_eq!(skeleton.bones.len(), 3);
    let surface = &scene.skinned_meshes[MESH].surface;
    for (tip, aimed) in bind_tips(&skeleton).into_iter().zip(&places[1..]) {
        let (shown, meant) = (person.shows(tip), person.shows(*aimed));
        assert!((shown.0 - meant.0).hypot(shown.1 - meant.1) < 1.0);
        assert!(inside(surface, tip), "{tip}");
    }
    person.key(Key::Escape);
    // The weights cover all of the skin around the bones.
    person.click("Calculate bone weights");
    let weights = person.scene().skinned_meshes[MESH].weights.clone();
    assert!(weights.unweighted_count() * 4 < weights.ends.len());
    person.assert_sane();
}
