//! New bone in a session, driven as by the window: aim, click, undo in between.

use super::Tool;
use super::depth::DepthRange;
use super::gizmo::Modifiers;
use super::new_bone::NewBone;
use super::next_click::NextClick;
use super::snap::SnapHit;
use crate::edit::command::Command;
use crate::edit::select::pick::{PickTarget, Surface};
use crate::edit::select::selection::Part;
use crate::edit::session::Session;
use crate::edit::settings::view::Tab;
use crate::edit::testing::{PLAIN, SHIFT, active_rig, bind_tips, flat_front, session_with, skeleton};
use crate::math::camera::Viewport;
use crate::math::ray::Ray;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::primitives;
use crate::mesh::soup::Polygons;
use crate::rig::kinematics::bind_pose;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::scene::skinned::SkinnedMesh;
use glam::{Mat4, Vec2, Vec3};
use std::sync::Arc;

/// A tube of radius 0.5 from y = 0 to 4 around x = 1, without bones.
fn surface() -> HalfedgeMesh {
    let tube = primitives::tube(0.5, 4.0, 64, 8).unwrap();
    let mut raw = tube.raw();
    for p in &mut raw.vertex_position {
        p.x += 1.0;
    }
    HalfedgeMesh::new(raw).unwrap()
}

fn session() -> Session {
    let surface = surface();
    let mesh = SkinnedMesh {
        weights: Arc::new(VertexWeights::none(surface.vertex_count())),
        surface: Arc::new(surface),
        ..SkinnedMesh::default()
    };
    session_with(mesh)
}

fn front() -> Viewport {
    flat_front(Vec3::new(1.0, 2.0, 0.0), 9.0)
}

fn pixel(point: Vec3) -> Vec2 {
    front().project(point).unwrap().pixel
}

fn aim(tool: &mut NewBone, session: &Session, target: Vec2, modifiers: Modifiers, shown: bool) {
    let skeleton = skeleton(session);
    let bind = bind_pose(&skeleton);
    let rig = active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY);
    let mesh = &session.scene().skinned_meshes["m"].surface;
    let surface = Surface {
        target: PickTarget::Skin,
        world_from_mesh: Mat4::IDENTITY,
        mesh,
        positions: mesh.positions(),
        tree: Bvh::from_surface(mesh).into(),
    };
    let surface = shown.then_some(&surface);
    tool.aim(&rig, session.selection().part, surface, &front(), target, modifiers);
}

/// Aims at a point and clicks, as `editor::viewport` does. Returns whether something was set.
fn click(tool: &mut NewBone, session: &mut Session, point: Vec3) -> bool {
    aim(tool, session, pixel(point), SHIFT, true);
    let Some((command, select)) = tool.click_command() else {
        return false;
    };
    session.apply(&[command]).unwrap();
    if select.is_some() {
        session.select(session.selection().with_part(select));
    }
    true
}

#[test]
fn the_first_click_sets_the_base_and_the_next_ones_a_chain_inside_of_the_mesh() {
    let mut session = session();
    let mut tool = NewBone::new("m".into(), 0);
    assert!(tool.click_command().is_none() && tool.preview().is_none());
    // Aimed in front of the surface: the point is halfway between its two sides.
    let before = session.scene().clone();
    let points = [0.5, 1.5, 2.5, 3.5].map(|y| Vec3::new(1.0, y, 0.0));
    assert!(click(&mut tool, &mut session, points[0] + Vec3::Z * 3.0));
    assert!(skeleton(&session).base.distance(points[0]) < 1e-4);
    assert_eq!(session.selection().part, Some(Part::Base));
    for point in &points[1..] {
        assert!(click(&mut tool, &mut session, *point));
    }
    for (tip, point) in bind_tips(&session).iter().zip(&points[1..]) {
        assert!(tip.distance(*point) < 1e-4, "{tip}");
    }
    let parents: Vec<_> = skeleton(&session).bones.iter().map(|b| b.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1)]);
    // Half of the tube's thickness is 0.5; the capsule has the room that Fit radius adds.
    for bone in &skeleton(&session).bones {
        assert!((bone.radius - 0.7).abs() < 0.02, "{}", bone.radius);
    }
    let steps: Vec<_> = session.undo_list().collect();
    assert_eq!(steps, ["Add bone to Bone.001", "Add bone to Bone", "Add bone", "Move base"]);
    while session.undo().is_some() {}
    assert!(*session.scene() == before);
}

#[test]
fn after_an_undo_drawing_continues_from_the_parent() {
    let mut session = session();
    let mut tool = NewBone::new("m".into(), 0);
    for y in [0.5, 1.5, 2.5] {
        assert!(click(&mut tool, &mut session, Vec3::new(1.0, y, 0.0)));
    }
    let next = |tool: &mut NewBone, session: &Session| {
        aim(tool, session, pixel(Vec3::new(1.2, 3.5, 0.0)), SHIFT, true);
        tool.preview().unwrap().next.clone()
    };
    assert!(matches!(next(&mut tool, &session), NextClick::Bone { parent: Some(1), .. }));
    session.undo();
    assert!(matches!(next(&mut tool, &session), NextClick::Bone { parent: Some(0), .. }));
    session.undo();
    assert!(matches!(next(&mut tool, &session), NextClick::Bone { parent: None, .. }));
    session.undo();
    assert_eq!(next(&mut tool, &session), NextClick::Base);
    assert!(tool.prompt().contains("skeleton starts"));
    while session.redo().is_some() {}
    assert!(matches!(next(&mut tool, &session), NextClick::Bone { parent: Some(1), .. }));
    assert_eq!(tool.prompt(), "Click to place a tail from Bone.001, or drag a bone elsewhere");
    // A deleted bone, and one selected elsewhere.
    let delete = Command::DeleteBone { mesh: "m".into(), bone: 1 };
    session.apply(&[delete]).unwrap();
    assert!(matches!(next(&mut tool, &session), NextClick::Bone { parent: Some(0), .. }));
    session.select(session.selection().with_part(None));
    assert!(matches!(next(&mut tool, &session), NextClick::Bone { parent: None, .. }));
    // An outdated selection starts at the base too, and never panics.
    let gone = Some(Part::Bone(77));
    let skeleton = skeleton(&session);
    let bind = bind_pose(&skeleton);
    let rig = active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY);
    tool.aim(&rig, gone, None, &front(), Vec2::splat(300.0), PLAIN);
    assert!(matches!(tool.preview().unwrap().next, NextClick::Bone { parent: None, .. }));
}

#[test]
fn outside_of_the_mesh_the_tip_is_in_the_view_plane() {
    let mut session = session();
    let mut tool = NewBone::new("m".into(), 0);
    let base = Command::set_skeleton("m".into(), "base", Vec3::new(1.0, 0.5, 0.2));
    session.apply(&[base]).unwrap();
    session.select(session.selection().with_part(Some(Part::Base)));
    let beside = Vec3::new(2.5, 1.0, 0.2);
    aim(&mut tool, &session, pixel(beside), SHIFT, true);
    let preview = tool.preview().unwrap().clone();
    assert!(preview.point.distance(beside) < 1e-4, "{preview:?}");
    // Neither mesh nor parent: a quarter of its length.
    let length = preview.point.distance(Vec3::new(1.0, 0.5, 0.2));
    assert!((preview.radius - 0.25 * length).abs() < 1e-5 || preview.radius > 0.5, "{preview:?}");
    // A hidden skin is not hit.
    aim(&mut tool, &session, pixel(Vec3::new(1.1, 2.0, 0.0)), SHIFT, false);
    assert!((tool.preview().unwrap().point.z - 0.2).abs() < 1e-5);
    // Two clicks in the same place count as one.
    assert!(click(&mut tool, &mut session, Vec3::new(1.0, 2.0, 0.0)));
    assert!(!click(&mut tool, &mut session, Vec3::new(1.0, 2.0, 0.0)));
    assert!(tool.hint(None).starts_with("Click where it ends"));
    assert_eq!(skeleton(&session).bones.len(), 1);
    // The next bone outside of the mesh is as thick as its parent.
    aim(&mut tool, &session, pixel(Vec3::new(4.0, 2.0, 0.0)), SHIFT, false);
    assert_eq!(tool.preview().unwrap().radius, skeleton(&session).bones[0].radius);
}

#[test]
fn tips_snap_to_the_middle_to_joints_and_to_the_grid() {
    let mut session = session();
    let mut tool = NewBone::new("m".into(), 0);
    aim(&mut tool, &session, pixel(Vec3::new(0.02, 3.0, 0.0)), PLAIN, true);
    let preview = tool.preview().unwrap();
    assert_eq!((preview.point.x, &preview.snapped), (0.0, &Some(SnapHit::Middle)));
    assert!(tool.hint(None).contains("on x = 0"), "{}", tool.hint(None));
    for y in [0.5, 1.5] {
        click(&mut tool, &mut session, Vec3::new(1.0, y, 0.0));
    }
    let up = session.selection().clone();
    session.select(up.with_part(None));
    let near = pixel(Vec3::new(1.0, 1.5, 0.0)) + Vec2::new(5.0, -4.0);
    aim(&mut tool, &session, near, PLAIN, true);
    assert!(tool.preview().unwrap().point.distance(Vec3::new(1.0, 1.5, 0.0)) < 1e-4);
    assert!(tool.hint(None).contains("on the tail of Bone"));
    // A bone does not snap to its own start, where it would be too short.
    session.select(up);
    aim(&mut tool, &session, near, PLAIN, true);
    assert_eq!(tool.preview().unwrap().snapped, None);
    let ctrl = Modifiers { snap: true, fine: false };
    aim(&mut tool, &session, pixel(Vec3::new(1.13, 2.57, 0.0)), ctrl, true);
    let point = tool.preview().unwrap().point;
    assert!((point * 10.0 - (point * 10.0).round()).abs().max_element() < 1e-4, "{point}");
}

#[test]
fn it_belongs_to_its_mesh_and_the_rig_tab() {
    let session = session();
    let mut tool = NewBone::new("m".into(), 0);
    assert!(tool.belongs_to(Some("m"), Tab::Rig));
    assert!(!tool.belongs_to(Some("m"), Tab::Animate));
    assert!(!tool.belongs_to(Some("other"), Tab::Rig) && !tool.belongs_to(None, Tab::Rig));
    aim(&mut tool, &session, Vec2::new(f32::NAN, 0.0), PLAIN, true);
    assert!(tool.preview().is_none());
    for target in [Vec2::ZERO, Vec2::splat(1e30), Vec2::splat(-1e9)] {
        aim(&mut tool, &session, target, PLAIN, true);
        assert!(tool.preview().is_none_or(|preview| preview.point.is_finite() && preview.radius.is_finite()));
    }
    assert!(tool.hint(None).contains("where the skeleton starts"));
}

#[test]
fn a_drag_away_from_the_tip_draws_a_bone_on_a_link() {
    let mut session = session();
    let mut tool = NewBone::new("m".into(), 0);
    for y in [0.5, 1.5] {
        click(&mut tool, &mut session, Vec3::new(1.0, y, 0.0));
    }
    let [from, to] = [2.5, 3.5].map(|y| Vec3::new(1.0, y, 0.0));
    aim(&mut tool, &session, pixel(from), SHIFT, true);
    tool.begin_press(&front(), pixel(from));
    // Not a drag yet: a click there sets a tip.
    aim(&mut tool, &session, pixel(from) + Vec2::X, SHIFT, true);
    assert!(matches!(tool.click_command(), Some((Command::AddBone { .. }, None))));
    // Past the tip that it is linked to: a thumb that ends next to the knuckles does not snap to them.
    let beside = pixel(Vec3::new(1.0, 1.5, 0.0)) + Vec2::new(6.0, -4.0);
    aim(&mut tool, &session, beside, PLAIN, true);
    assert_eq!(tool.preview().unwrap().snapped, None);
    aim(&mut tool, &session, pixel(to), SHIFT, true);
    let (command, _) = tool.click_command().unwrap();
    session.apply(&[command]).unwrap();
    let mut tool = NewBone::new("m".into(), 0);
    let made = skeleton(&session);
    assert_eq!(made.bones.len(), 3);
    assert!(made.bones[1].link && made.bones[2].parent == Some(1));
    let starts = bind_pose(&made);
    assert!(starts[2].translation.as_vec3().distance(from) < 1e-4);
    assert!(bind_tips(&session)[2].distance(to) < 1e-4);
    assert_eq!(session.selection().part, Some(Part::Bone(2)), "drawing goes on from there");
    // From the tip itself, it is the same bone as by a click.
    aim(&mut tool, &session, pixel(to), SHIFT, true);
    tool.begin_press(&front(), pixel(to) + Vec2::X);
    aim(&mut tool, &session, pixel(from), SHIFT, true);
    assert!(matches!(tool.click_command(), Some((Command::AddBone { parent: Some(2), .. }, None))));
    session.undo();
    assert_eq!(skeleton(&session).bones.len(), 1);
}

/// The human's hands, shoulders, feet and knees: joints are in the middle of the limb under the pointer.
#[test]
fn joints_of_the_human_lie_in_the_middle_of_their_limbs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../media/obj/human.obj");
    let import = crate::io::formats::read_file(path.as_ref()).unwrap().mesh().unwrap();
    let human = import.polygons.build().unwrap();
    let surface = Surface {
        target: PickTarget::Skin,
        world_from_mesh: Mat4::IDENTITY,
        mesh: &human,
        positions: human.positions(),
        tree: Bvh::from_surface(&human).into(),
    };
    let depth = |point: Vec3, toward: Vec3, width: f32| {
        let ray = Ray::new(point - 5.0 * toward, toward);
        let limb = DepthRange::from_ray(&surface, &ray, Some(width)).unwrap();
        ray.point_at(limb.middle()).dot(toward.abs())
    };
    let (front, left) = (Vec3::NEG_Z, Vec3::NEG_X);
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 0.03, "{found} {expected}");
    // Elbow, wrist, and the four fingers behind one another, at the depth of the first.
    near(depth(Vec3::new(1.285, 3.655, 0.0), front, 0.6), -0.1);
    near(depth(Vec3::new(1.83, 3.06, 0.0), front, 0.44), 0.056);
    near(depth(Vec3::new(2.0961, 2.749, 0.0), front, 0.4), 0.116);
    near(depth(Vec3::new(2.0961, 2.749, 0.0), front, 0.1), 0.238);
    // Shoulder and foot.
    near(depth(Vec3::new(0.58, 4.41, 0.0), front, 1.0), -0.054);
    near(depth(Vec3::new(0.425, 0.0751, 0.0), front, 0.5), 0.169);
    // From the side, a knee is in its own leg, and an elbow is not in the trunk.
    near(depth(Vec3::new(0.0, 1.56, 0.035), left, 0.72), 0.325);
    // Even below a pelvis as wide as both legs, at any height of the legs; the other leg is behind.
    for y in [0.3, 0.8, 1.3, 1.8, 2.1] {
        let origin = Vec3::new(5.0, y, 0.0);
        let ray = Ray::new(origin, left);
        let limbs = DepthRange::limbs(&surface, &ray, Some(2.6));
        let middles: Vec<f32> = limbs.iter().map(|limb| ray.point_at(limb.middle()).x).collect();
        let [near, far] = middles[..] else { panic!("{y}: {limbs:?}") };
        assert!(near > 0.2 && (near + far).abs() < 0.02, "{y}: {middles:?}");
    }
}

/// Two legs side by side, seen from the side, below a parent that is as wide as both.
#[test]
fn a_joint_goes_into_the_nearer_of_two_legs_and_with_shift_into_the_other() {
    let leg = Polygons::new(&primitives::tube(0.3, 4.0, 32, 8).unwrap());
    let mut legs = leg.clone().transformed(Mat4::from_translation(Vec3::X * 0.4));
    let other = leg.transformed(Mat4::from_translation(Vec3::NEG_X * 0.4));
    let first = legs.positions.len() as u32;
    legs.positions.extend(other.positions);
    let shifted = other.faces.iter().map(|face| face.iter().map(|v| v + first).collect());
    legs.faces.extend(shifted);
    let mesh = HalfedgeMesh::from_polygons(legs.positions, &legs.faces, None).unwrap();
    let bone = Bone { extent: Vec3::NEG_Y * 0.5, radius: 1.0, ..Bone::default() };
    let skeleton = Skeleton { bones: vec![bone], base: Vec3::Y * 4.5, ..Skeleton::default() };
    let bind = bind_pose(&skeleton);
    let rig = active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY);
    let surface = Surface {
        target: PickTarget::Skin,
        world_from_mesh: Mat4::IDENTITY,
        mesh: &mesh,
        positions: mesh.positions(),
        tree: Bvh::from_surface(&mesh).into(),
    };
    // From the +x side; far away, all of both legs is within the distance at which points snap to x = 0.
    for distance in [9.0, 200.0] {
        let mut side = flat_front(Vec3::Y * 2.0, distance);
        side.camera.yaw = std::f32::consts::FRAC_PI_2;
        let knee = side.project(Vec3::new(0.0, 2.0, 0.1)).unwrap().pixel;
        for (modifiers, x) in [(PLAIN, 0.4), (SHIFT, -0.4)] {
            let mut tool = NewBone::new("m".into(), 0);
            tool.aim(&rig, Some(Part::Bone(0)), Some(&surface), &side, knee, modifiers);
            let preview = tool.preview().unwrap();
            assert!((preview.point.x - x).abs() < 0.02, "{distance} {modifiers:?} {preview:?}");
            assert_eq!(preview.snapped, None, "{distance}");
        }
    }
}

/// Legs of two- and four-legged bodies, seen from all sides, below a bone that is as wide as both: joints are inside a
/// leg, never in the gap between two, and so is the joint behind it that Shift takes.
#[test]
fn joints_drawn_into_legs_are_inside_a_leg_from_every_side() {
    let files = [
        ("A4-human", &["thigh.L", "shin.L", "thigh.R", "shin.R"] as &[&str]),
        ("quadruped", &["forearm.L", "cannon.L", "shank.R", "shin.L", "forearm.R", "shin.R"]),
    ];
    for (file, legs) in files {
        let path = format!("{}/../../media/js3d/{file}.js3d", env!("CARGO_MANIFEST_DIR"));
        let (scene, _) = crate::io::js3d::read(&std::fs::read(path).unwrap()).unwrap();
        let body = scene.skinned_meshes.values().next().unwrap();
        let surface = Surface {
            target: PickTarget::Skin,
            world_from_mesh: Mat4::IDENTITY,
            mesh: &body.surface,
            positions: body.surface.positions(),
            tree: Bvh::from_surface(&body.surface).into(),
        };
        // Not along any edge.
        let is_inside = |point| {
            let up = Ray::new(point, Vec3::new(0.013, 1.0, 0.017));
            surface.crossings(&up).len() % 2 == 1
        };
        let (full, starts) = (&body.skeleton, bind_pose(&body.skeleton));
        let widest = full.bones.iter().map(|bone| bone.radius).fold(0.0, f32::max);
        let pelvis = Skeleton {
            base: full.base,
            bones: vec![Bone { extent: Vec3::Y * 0.3, radius: 1.5 * widest, ..Bone::default() }],
            ..Skeleton::default()
        };
        let bind = bind_pose(&pelvis);
        let rig = active_rig(Tab::Rig, &pelvis, &bind, Mat4::IDENTITY);
        let mut both = 0;
        for (leg, name) in legs.iter().enumerate() {
            let bone = (0..full.bones.len()).find(|&bone| full.bone_name(bone) == *name).unwrap();
            let middle = starts[bone].translation.as_vec3() + 0.6 * full.bones[bone].extent;
            for yaw_deg in (-180..180).step_by(15) {
                let mut side = flat_front(middle, 9.0);
                side.camera.yaw = (yaw_deg as f32).to_radians();
                side.camera.pitch = [0.0, 0.3][leg % 2];
                let case = format!("{file}, {name} from {yaw_deg} degrees");
                let pixel = side.project(middle).unwrap().pixel;
                let found = [PLAIN, SHIFT].map(|modifiers| {
                    let mut tool = NewBone::new("m".into(), 0);
                    tool.aim(&rig, Some(Part::Bone(0)), Some(&surface), &side, pixel, modifiers);
                    let preview = tool.preview().unwrap();
                    assert!(is_inside(preview.point), "{case}, {modifiers:?}: {preview:?}");
                    preview.point
                });
                both += usize::from(found[0].distance(found[1]) > 0.2);
            }
        }
        assert!(both > 4, "{file}: legs behind one another: {both}");
    }
}
