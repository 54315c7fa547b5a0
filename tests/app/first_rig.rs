//! Follows `docs/first-rig.md` word by word with the pointer and the keys: a rig that deforms cleanly, in
//! as many actions as it says.

use crate::support::*;
use bevy_egui::egui::{Key, Modifiers};
use glam::{DVec3, Quat, Vec3};
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::select::selection::Part;
use ossature::edit::tool::gizmo::Axis;
use ossature::edit::tool::rings::ring;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::edits::tree_ranks;
use ossature::rig::kinematics::{bind_pose, current_pose, tips};
use ossature::rig::weights::method::Method;
use ossature::scene::skinned::SkinnedMesh;
use std::path::Path;

/// The most that an edge may be stretched at the end of the page.
const STRETCH: f32 = 2.5;

/// A person, with the count of clicks, keys and drags, as in the guide.
struct Reader {
    person: Person,
    actions: usize,
}

impl Reader {
    fn key(&mut self, key: Key, modifiers: Modifiers) {
        self.actions += 1;
        self.person.app.key(key, modifiers);
    }

    fn click(&mut self, at: [f32; 2]) {
        self.actions += 1;
        let at = self.person.shows(Vec3::new(at[0], at[1], 0.0));
        self.person.click_at(at);
    }

    fn drag(&mut self, from: [f32; 2], to: [f32; 2]) {
        self.actions += 1;
        let [from, to] = [from, to].map(|at| self.person.shows(Vec3::new(at[0], at[1], 0.0)));
        self.person.app.drag(from, to, 4);
    }

    /// Drags a ring of the bone's gizmo from a place that nothing covers.
    fn drag_ring(&mut self, bone: usize, axis: usize, degrees: f32) {
        self.actions += 1;
        let part = ring(Axis::ALL[axis]);
        let shape = self.person.gizmo_shape();
        let editor = self.person.editor();
        let (view, viewport) = (editor.view(), editor.viewport.view());
        let rig = ActiveRig::from_view(&view).expect("a skeleton is shown");
        let center = rig.bone_start(bone).expect("the bone is there");
        let lines = shape.lines.iter().filter(|line| line.part == part);
        let mut sides = lines.flat_map(|line| line.points.windows(2));
        let is_free = |point: Vec3| {
            let pixel = viewport.project(point).map(|projected| projected.pixel);
            pixel.is_some_and(|pixel| shape.hit(&viewport, pixel) == Some(part))
        };
        let side = sides.find(|side| is_free(side[0])).expect("the ring can be grabbed");
        let [from, next] = [side[0] - center, side[1] - center];
        let turn = Quat::from_axis_angle(from.cross(next).normalize(), degrees.to_radians());
        let [from, to] = [from, turn * from].map(|away| self.person.shows(center + away));
        self.person.app.drag(from, to, 8);
    }

    fn click_row(&mut self, label: &str) {
        self.actions += 1;
        self.person.click_row(label);
    }

    fn mesh(&mut self) -> SkinnedMesh {
        let scene = self.person.scene();
        (**scene.skinned_meshes.values().next().expect("it was imported")).clone()
    }

    fn bones(&mut self) -> usize {
        let mesh = self.mesh();
        mesh.skeleton.bones.iter().filter(|bone| !bone.link).count()
    }

    /// Returns the rotation by 60 degrees about one axis of the bone that moves its tip furthest.
    fn turn_that(&mut self, bone: usize, how_far: fn(DVec3) -> f64) -> (usize, f32) {
        let skeleton = self.mesh().skeleton;
        let turns = [0, 1, 2].into_iter().flat_map(|axis| [(axis, 60.0), (axis, -60.0)]);
        let reached = turns.map(|(axis, degrees)| {
            let mut turned = (*skeleton).clone();
            turned.bones[bone].pose_deg[axis] = degrees;
            (how_far(tips(&turned, &current_pose(&turned))[bone]), (axis, degrees))
        });
        reached.max_by(|a, b| a.0.total_cmp(&b.0)).expect("six turns").1
    }

    /// Returns the bone whose tip is nearest to a point, in the bind pose.
    fn ending_at(&mut self, at: [f32; 2]) -> usize {
        let skeleton = self.mesh().skeleton;
        let starts = bind_pose(&skeleton);
        let off = |bone: &usize| {
            let tip = starts[*bone].translation.as_vec3() + skeleton.bones[*bone].extent;
            tip.truncate().distance(at.into())
        };
        let bones = (0..skeleton.bones.len()).filter(|bone| !skeleton.bones[*bone].link);
        bones.min_by(|a, b| off(a).total_cmp(&off(b))).expect("there are bones")
    }
}

const PAGE: &str = include_str!("../../docs/first-rig.md");

/// How far in front the toes are.
const TOES: f32 = 0.52;
const KNEE: [f32; 2] = [0.325, 1.56];
const SHOULDER: [f32; 2] = [0.58, 4.41];
const ELBOW: [f32; 2] = [1.285, 3.655];
const WRIST: [f32; 2] = [1.83, 3.06];
const KNUCKLES: [f32; 2] = [2.02, 2.85];
const TIPS: [f32; 2] = [2.15, 2.63];
const THUMB: [f32; 2] = [1.937, 2.834];

#[test]
fn the_guide_ends_in_a_character_that_bends_cleanly() {
    let (sample, _) = ossature::editor::embedded_human().expect("the human can be read");
    let Some(person) = Person::with_scene(1280, 800, sample) else {
        return;
    };
    let mut reader = Reader { person, actions: 0 };
    bring_in(&mut reader);
    draw(&mut reader);
    name_bones(&mut reader);
    reader.key(Key::N, Modifiers::SHIFT);
    reader.key(Key::M, CTRL);
    assert_eq!(reader.bones(), 23);
    reader.key(Key::W, Modifiers::SHIFT);
    for _ in 0..400 {
        if !reader.mesh().weights.bones.is_empty() {
            break;
        }
        reader.person.app.frames(1);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    look_at_weights(&mut reader);
    pose(&mut reader);
    let count = format!("and {} clicks, keys and drags", reader.actions);
    assert!(PAGE.contains(&count), "{count}");
    if let Some(path) = std::env::var_os("FIRST_RIG_PICTURE") {
        let picture = reader.person.picture();
        picture.save(&path.to_string_lossy());
    }
}

/// Follows section 1.
fn bring_in(reader: &mut Reader) {
    let obj = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/obj/human.obj");
    reader.actions += 1;
    reader.person.drop_file(&obj);
    reader.key(Key::Escape, Modifiers::NONE);
    reader.person.app.frames(8);
    reader.key(Key::Num1, Modifiers::NONE);
    reader.person.app.frames(30);
    assert_eq!(reader.mesh().weight_method, Method::FOR_NEW_MESHES);
}

/// Follows sections 2 and 3.
fn draw(reader: &mut Reader) {
    reader.key(Key::N, Modifiers::NONE);
    for y in [2.85, 3.25, 3.85, 4.5, 4.95, 5.5] {
        reader.click([0.0, y]);
    }
    assert_eq!(reader.bones(), 5);
    reader.click_row("Bone Bone");
    assert_eq!(reader.person.part(), Some(Part::Bone(0)), "the pelvis");
    reader.drag([0.3, 2.8], KNEE);
    reader.click([0.38, 0.25]);
    reader.key(Key::Num3, Modifiers::NONE);
    reader.person.app.frames(30);
    reader.actions += 1;
    let toes = reader.person.shows(Vec3::new(0.4, 0.07, TOES));
    reader.person.click_at(toes);
    reader.key(Key::Num1, Modifiers::NONE);
    reader.person.app.frames(30);
    reader.click_row("Bone Bone.002");
    for at in [SHOULDER, ELBOW, WRIST, KNUCKLES, TIPS] {
        reader.click(at);
    }
    reader.key(Key::OpenBracket, Modifiers::NONE);
    reader.drag([1.885, 2.93], THUMB);
    reader.key(Key::Escape, Modifiers::NONE);
    let skeleton = reader.mesh().skeleton;
    assert_eq!(skeleton.bones.len(), 16, "14 bones and two links");
    let foot = reader.ending_at([0.4, 0.07]);
    let toes = bind_pose(&skeleton)[foot].translation.as_vec3() + skeleton.bones[foot].extent;
    assert!((toes.z - TOES).abs() < 0.03 && (toes.x - 0.42).abs() < 0.06, "{toes}");
    // The thumb's tip is where it was drawn, not on the knuckles next to it.
    let thumb = reader.ending_at(THUMB);
    let starts = bind_pose(&skeleton);
    let tip = starts[thumb].translation.as_vec3() + skeleton.bones[thumb].extent;
    assert!(tip.truncate().distance(THUMB.into()) < 0.03, "{tip}");
}

/// Follows section 4: all bones are selected and get the names of the page.
fn name_bones(reader: &mut Reader) {
    let start = PAGE.find("`Pelvis, ").expect("the page lists the names") + 1;
    let names = PAGE[start..].split('`').next().expect("until the next mark");
    reader.key(Key::A, CTRL);
    reader.key(Key::F2, CTRL);
    reader.actions += 2;
    reader.person.app.text(names);
    reader.person.key(Key::Enter);
    reader.person.app.frames(3);
    let skeleton = reader.mesh().skeleton;
    let ranks = tree_ranks(&skeleton);
    let mut bones: Vec<usize> = skeleton.shown_bones().collect();
    bones.sort_unstable_by_key(|bone| ranks[*bone]);
    let bone_names = bones.into_iter().map(|bone| skeleton.bone_name(bone));
    assert_eq!(bone_names.collect::<Vec<_>>().join(", "), names);
}

/// Follows section 6: everything has weights, and an arm moves neither the trunk nor the other side.
fn look_at_weights(reader: &mut Reader) {
    let mesh = reader.mesh();
    assert_eq!(mesh.weights.unweighted_count(), 0);
    let side = |bone: u16| {
        let name = mesh.skeleton.bone_name(usize::from(bone));
        (name.contains(".L"), name.contains(".R"))
    };
    let positions = mesh.surface.positions();
    for (v, p) in positions.iter().enumerate() {
        let share = |is: &dyn Fn(u16) -> bool| -> f32 {
            mesh.weights.influences(v).filter(|(bone, _)| is(*bone)).map(|(_, weight)| weight).sum()
        };
        if p.x > 0.05 {
            let other = share(&|bone| side(bone).1);
            assert!(other < 0.02, "vertex {v} at {p} follows the right side by {other}");
        }
        // The lower arm and the hand follow their own bones.
        if p.x > 1.4 {
            let trunk = share(&|bone| side(bone) == (false, false));
            assert!(trunk < 0.02, "vertex {v} at {p} follows the trunk by {trunk}");
        }
    }
}

/// Follows section 7: the arm raised by 60 degrees with a ring, the fingers bent.
fn pose(reader: &mut Reader) {
    let (arm, fingers) = (reader.ending_at(ELBOW), reader.ending_at(TIPS));
    reader.key(Key::Tab, Modifiers::NONE);
    let raised = reader.turn_that(arm, |tip| tip.y);
    let bent = reader.turn_that(fingers, |tip| -tip.x);
    for (bone, (axis, degrees)) in [(arm, raised), (fingers, bent)] {
        let at = reader.person.middle_of_bone(bone);
        reader.actions += 1;
        reader.person.click_at(at);
        assert_eq!(reader.person.part(), Some(Part::Bone(bone)));
        reader.drag_ring(bone, axis, degrees);
        let pose_deg = reader.mesh().skeleton.bones[bone].pose_deg;
        assert!((pose_deg[axis] - degrees).abs() < 3.0, "{pose_deg} for {degrees}");
    }
    let mesh = reader.mesh();
    let evaluated = &reader.person.shown().evaluated;
    let posed = evaluated.skinned.values().next().expect("the figure is evaluated");
    let longest = longest_stretch(&mesh.surface, &posed.positions);
    assert!(longest < STRETCH, "an edge is stretched {longest} times");
}

fn longest_stretch(surface: &HalfedgeMesh, posed: &[Vec3]) -> f32 {
    let positions = surface.positions();
    let edges = surface.triangles().into_iter().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
    let stretch = edges.map(|edge| {
        let [a, b] = edge.map(|v| v as usize);
        posed[a].distance(posed[b]) / positions[a].distance(positions[b])
    });
    stretch.fold(0.0, f32::max)
}
