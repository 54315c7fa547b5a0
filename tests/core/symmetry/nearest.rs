//! Partners without names on a skeleton whose sides are only roughly mirror images: bones nearest to each
//! other, along the parents.

use super::unmatched;
use super::{MESH, apply, assert_symmetric, bind_tips, image, now, session_on};
use crate::editing::{Random, bone};
use glam::{DVec3, Vec3};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::edit::settings::view::ViewSettings;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::body::sides::other_sides;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::evaluate::Evaluated;

const HIP: usize = 0;
const CHEST: usize = 1;
const HEAD: usize = 2;
const CLAVICLE_L: usize = 3;
const FOREARM_L: usize = 7;
const FOREARM_R: usize = 8;
const HAND_L: usize = 9;
const EYE_L: usize = 23;
const COUNT: usize = 25;

/// A body of height 2 without names, the bones of each pair one after the other, each tip off by up to
/// `noise`: spine of three, arms with three fingers, and eyes near the middle.
fn body(noise: f32, seed: u64) -> Skeleton {
    let mut random = Random::new(seed);
    let mut bones = Vec::new();
    let mut add = |parent: Option<usize>, tip: [f32; 3], ends: &mut Vec<Vec3>| {
        let tip = Vec3::from(tip) + noise * random.vec3(1.0);
        let start = parent.map_or(Vec3::ZERO, |parent: usize| ends[parent]);
        let id = bones.len() as u32;
        let mut made = bone(None, parent.map(|parent| parent as u32), (tip - start).into(), id);
        made.roll_deg = 0.0;
        bones.push(made);
        ends.push(tip);
        bones.len() - 1
    };
    let mut ends = Vec::new();
    let mut middle = None;
    for y in [0.3, 0.7, 1.0] {
        middle = Some(add(middle, [0.0, y, 0.05], &mut ends));
    }
    let mut pair = |parents: [usize; 2], [x, y, z]: [f32; 3]| {
        [1.0, -1.0].map(|side| add(Some(parents[usize::from(side < 0.0)]), [side * x, y, z], &mut ends))
    };
    let clavicles = pair([CHEST; 2], [0.2, 0.65, 0.0]);
    let arms = pair(clavicles, [0.5, 0.6, -0.05]);
    let forearms = pair(arms, [0.8, 0.6, 0.05]);
    let hands = pair(forearms, [0.9, 0.6, 0.08]);
    for z in [0.0, 0.1, 0.2] {
        let fingers = pair(hands, [1.0, 0.6, z]);
        pair(fingers, [1.06, 0.57, z]);
    }
    pair([HEAD; 2], [0.03, 1.0, 0.15]);
    Skeleton { bones, ..Skeleton::default() }
}

/// Bones in the middle are their own partners; of the others, each two consecutive ones are partners.
fn expected() -> Vec<Option<usize>> {
    let other = |bone: usize| if bone % 2 == 1 { bone + 1 } else { bone - 1 };
    (0..COUNT).map(|bone| Some(if bone <= HEAD { bone } else { other(bone) })).collect()
}

#[test]
fn sides_that_are_images_only_roughly_have_partners() {
    for seed in 0..500 {
        // One percent of the height, so that images are apart by up to two.
        let skeleton = body(0.011, seed);
        assert_eq!(other_sides(&skeleton, &MirrorPlane::X), expected(), "seed {seed}");
    }
    assert_eq!(other_sides(&body(0.0, 0), &MirrorPlane::X), expected());
}

#[test]
fn what_is_farther_off_has_none() {
    let mut skeleton = body(0.005, 3);
    // Longer by a tenth of the height, so that place and shape differ; its children are not matched either.
    skeleton.bones[FOREARM_L].extent.x += 0.2;
    let alone = unmatched(&skeleton);
    assert!(alone.contains(&FOREARM_L) && alone.contains(&FOREARM_R), "{alone:?}");
    assert!(!alone.contains(&CLAVICLE_L) && !alone.contains(&EYE_L), "{alone:?}");
    // A finger that the other hand lacks is alone, and its neighbours are not.
    let mut skeleton = body(0.005, 3);
    let more = bone(None, Some(HAND_L as u32), [0.1, 0.0, -0.2], 99);
    skeleton.bones.push(more);
    assert_eq!(unmatched(&skeleton), [COUNT]);
}

/// Children of partners are matched by shape where their places are far apart.
#[test]
fn what_partners_by_name_carry_is_matched_by_its_shape() {
    let mut skeleton = body(0.005, 3);
    skeleton.bones[FOREARM_L].extent.x += 0.2;
    skeleton.bones[FOREARM_L].name = Some("Forearm.L".into());
    skeleton.bones[FOREARM_R].name = Some("Forearm.R".into());
    assert_eq!(other_sides(&skeleton, &MirrorPlane::X), expected());
}

#[test]
fn names_win_over_places() {
    let mut skeleton = body(0.005, 3);
    // The index finger of one side is the middle finger of the other.
    skeleton.bones[11].name = Some("Index.L".into());
    skeleton.bones[16].name = Some("Index.R".into());
    let others = other_sides(&skeleton, &MirrorPlane::X);
    assert_eq!([others[11], others[16]], [Some(16), Some(11)]);
    // A bone in the middle whose name implies a side has no partner there.
    let mut skeleton = body(0.005, 3);
    skeleton.bones[HEAD].name = Some("Head.L".into());
    // Neither do its children.
    assert_eq!(unmatched(&skeleton), [HEAD, EYE_L, EYE_L + 1]);
}

#[test]
fn edits_follow_and_the_middle_keeps_its_place() {
    let mut session = session_on(body(0.01, 4));
    let before = now(&session);
    let move_tip = |bone: usize, by: Vec3| Command::MoveTip {
        mesh: MESH.into(),
        bone,
        extent: before.bones[bone].extent + by,
    };
    apply(&mut session, &[move_tip(FOREARM_L, Vec3::new(0.05, 0.1, 0.0))]);
    let tips = bind_tips(&now(&session));
    assert!(image(tips[FOREARM_L]).distance(tips[FOREARM_R]) < 1e-6);
    // The spine is dragged to the side: it stays as far from the plane as it was.
    apply(&mut session, &[move_tip(CHEST, Vec3::new(0.3, 0.1, 0.2))]);
    let moved = bind_tips(&now(&session));
    assert!((moved[CHEST].x - tips[CHEST].x).abs() < 1e-6);
    assert!((moved[CHEST].z - tips[CHEST].z - 0.2).abs() < 1e-6);
    // A pose of one side.
    let (mesh, bone, pose_deg) = (MESH.into(), FOREARM_L, Vec3::new(10.0, 20.0, 30.0));
    apply(&mut session, &[Command::set_bone(mesh, bone, "pose", pose_deg)]);
    assert_ne!(now(&session).bones[FOREARM_R].pose_deg, Vec3::ZERO);
    // New bones: one on a hand gets its other side, one on the head that leans slightly lies as the head
    // does.
    let add =
        |parent, extent| Command::AddBone { mesh: MESH.into(), parent: Some(parent), extent, radius: 0.1 };
    apply(&mut session, &[add(HAND_L, Vec3::new(0.1, -0.1, 0.0))]);
    assert_eq!(now(&session).bones.len(), COUNT + 2);
    apply(&mut session, &[add(HEAD, Vec3::new(0.01, 0.2, 0.0))]);
    let after = now(&session);
    assert_eq!(after.bones.len(), COUNT + 3);
    assert!(unmatched(&after).is_empty());
    // One that leans out of the middle is meant for both sides, however small.
    apply(&mut session, &[add(HEAD, Vec3::new(0.02, 0.02, 0.0))]);
    assert_eq!(now(&session).bones.len(), COUNT + 5);
}

#[test]
fn symmetrize_makes_it_exact() {
    for action in [Action::SYMMETRIZE_LEFT, Action::SYMMETRIZE_RIGHT] {
        let mut skeleton = body(0.01, 5);
        skeleton.base = Vec3::new(0.02, 0.1, 0.0);
        let mut session = session_on(skeleton);
        session.set_symmetric(false);
        act(&mut session, action);
        let after = now(&session);
        assert_eq!(after.bones.len(), COUNT, "no bone is added");
        assert_symmetric(&after, "symmetrized");
        assert_eq!(after.base.x, 0.0);
        let tips = bind_tips(&after);
        for bone in [HIP, CHEST, HEAD] {
            assert!(tips[bone].x.abs() < 1e-7, "{}", tips[bone]);
        }
        let found = bind_tips(&after);
        let exact = |bone: usize, other: usize| image(found[bone]).distance(found[other]) < 1e-6;
        let pairs = expected().into_iter().enumerate();
        assert!(pairs.into_iter().all(|(bone, other)| exact(bone, other.unwrap())));
    }
}

fn act(session: &mut Session, action: Action) {
    let mut settings = ViewSettings::default();
    let prepared = action.prepare_in(session, &settings, &Evaluated::default());
    prepared.unwrap().carry_out(session, &mut settings).unwrap();
}

/// Deep and wide skeletons of thousands of bones have their partners in one pass.
#[test]
fn many_bones_are_matched_at_once() {
    let mut skeleton = Skeleton::default();
    let link = |parent: Option<usize>, extent: [f32; 3], id: usize| {
        bone(None, parent.map(|parent| parent as u32), extent, id as u32)
    };
    for id in 0..8000_usize {
        let side = if id % 2 == 0 { 500.0 } else { -500.0 };
        let parent = id.checked_sub(2);
        let out = if parent.is_none() { side } else { 0.0 };
        skeleton.bones.push(link(parent, [out, 1.0, 0.01], id));
    }
    let others = other_sides(&skeleton, &MirrorPlane::X);
    let is_partner = |(bone, other): (usize, &Option<usize>)| *other == Some(bone ^ 1);
    assert!(others.iter().enumerate().all(is_partner));
}

/// The human of the course: no names, and sides that are images to about two percent of its height.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn the_human_of_the_course_has_two_sides() {
    let path = crate::support::corpus_root().join("js3d/A4-human.js3d");
    let (scene, _) = ossature::io::js3d::read_file(&path).unwrap();
    let skeleton = &scene.skinned_meshes.values().next().unwrap().skeleton;
    assert!(unmatched(skeleton).is_empty());
    let others = other_sides(skeleton, &MirrorPlane::X);
    let middle = (0..others.len()).filter(|&bone| others[bone] == Some(bone));
    assert_eq!(middle.count(), 2, "spine and neck");
    let tips: Vec<DVec3> = bind_tips(skeleton);
    for (bone, other) in others.iter().enumerate() {
        let off = image(tips[bone]).distance(tips[other.unwrap()]);
        assert!(off < 0.03 * 5.7, "bone {bone} is off by {off}");
    }
}
