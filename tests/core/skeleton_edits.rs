//! Single operations on a skeleton against closed forms: mirrored matrices, a split that changes nothing
//! visible, radii that cover the human.

use crate::editing;

use crate::editing::{Random, body, scene, skeleton};
use glam::{DAffine3, DMat3, DVec3, Vec3};
use ossature::edit::command::Command;
use ossature::io::js3d;
use ossature::math::axis::Axis;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::edits::mirror;
use ossature::rig::kinematics::{bind_pose, current_pose, tips};
use ossature::rig::skeleton::{Bone, Handle, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::path::Path;
use std::sync::Arc;

fn in_scene(skeleton: Skeleton) -> Scene {
    let mut scene = scene();
    let skinned = SkinnedMesh {
        skeleton: Arc::new(skeleton),
        weights: Arc::new(VertexWeights::none(body().surface.vertex_count())),
        ..body()
    };
    scene.skinned_meshes.insert("Body".into(), Arc::new(skinned));
    scene
}

fn apply(scene: &mut Scene, command: Command) -> &Skeleton {
    command.apply(scene).unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert_eq!(editing::faults(scene), Vec::<String>::new(), "{command:?}");
    skeleton(scene, "Body")
}

fn mirror(scene: &mut Scene, bones: &[usize], axis: Axis) -> Skeleton {
    let command = Command::MirrorBones { mesh: "Body".into(), bones: bones.to_vec(), axis: Some(axis) };
    apply(scene, command).clone()
}

fn names(skeleton: &Skeleton) -> Vec<String> {
    (0..skeleton.bones.len()).map(|b| skeleton.bone_name(b)).collect()
}

/// A spine in the plane and a chain of five bones next to it, one of them along x, with random rolls and
/// poses.
fn chain(random: &mut Random, axis: Axis) -> Skeleton {
    let mut bones = vec![Bone {
        extent: Vec3::new(0.0, 1.0, 0.5),
        name: Some("Spine".into()),
        channel_id: 0,
        ..Bone::default()
    }];
    bones[0].extent[axis as usize] = 0.0;
    for i in 1..6u32 {
        let mut extent = random.vec3(1.0);
        extent[axis as usize] += 1.5 * extent[axis as usize].signum();
        let extent = if i == 3 { Vec3::X } else { extent };
        bones.push(Bone {
            extent,
            roll_deg: random.unit() * 180.0,
            radius: 0.25,
            parent: Some(i - 1),
            pose_deg: random.vec3(120.0),
            channel_id: i,
            name: Some(format!("Arm.00{i}").into()),
            ..Bone::default()
        });
    }
    Skeleton { bones, ..Skeleton::default() }
}

/// The matrix of a mirrored bone is S P S with S the reflection, in the bind pose and in the current pose.
#[test]
fn mirrored_bones_have_mirrored_matrices() {
    for seed in 1..40 {
        let mut random = Random::new(seed);
        for axis in Axis::ALL {
            let before = chain(&mut random, axis);
            let after = mirror(&mut in_scene(before.clone()), &[0, 1, 2, 3, 4, 5], axis);
            assert_eq!(after.bones.len(), 11, "the spine is its own mirror image");
            let mut flip = DVec3::ONE;
            flip[axis as usize] = -1.0;
            let s = DAffine3::from_mat3(DMat3::from_diagonal(flip));
            for pose in [bind_pose, current_pose] {
                let matrices = pose(&after);
                for bone in 1..6 {
                    let expected = s * matrices[bone] * s;
                    let mirrored = matrices[bone + 5];
                    assert!(
                        mirrored.abs_diff_eq(expected, 1e-4),
                        "{axis:?}, bone {bone}: {mirrored} is not {expected}"
                    );
                }
            }
            for bone in 1..6 {
                let (a, b) = (&after.bones[bone], &after.bones[bone + 5]);
                assert_eq!(a.pose_deg * Vec3::new(1.0, -1.0, -1.0), b.pose_deg);
                assert_eq!(a.radius, b.radius);
                let expected = if bone == 1 { 0 } else { bone as u32 + 4 };
                assert_eq!(b.parent, Some(expected));
            }
            // Nothing else changed.
            let tips_of = |s: &Skeleton| tips(s, &current_pose(s));
            assert_eq!(tips_of(&after)[..6], tips_of(&before)[..]);
        }
    }
}

#[test]
fn mirroring_again_updates_and_doubles_nothing() {
    let mut random = Random::new(5);
    let mut scene = in_scene(chain(&mut random, Axis::X));
    let handle = |bone, x: f32, id| Handle {
        bone,
        target: Vec3::new(x, 2.0, 3.0),
        enabled: true,
        channel_id: id,
        ..Handle::default()
    };
    let mut skinned = (*scene.skinned_meshes["Body"]).clone();
    Arc::make_mut(&mut skinned.skeleton).handles = vec![handle(5, 1.0, 0), handle(5, 4.0, 1)];
    scene.skinned_meshes.insert("Body".into(), Arc::new(skinned));

    let first = mirror(&mut scene, &[1, 2, 3, 4, 5], Axis::X);
    let again = mirror(&mut scene, &[1, 2, 3, 4, 5], Axis::X);
    assert_eq!(first, again);
    let targets: Vec<_> = first.handles.iter().map(|h| (h.bone, h.target.x, h.enabled)).collect();
    assert_eq!(targets, [(5, 1.0, true), (5, 4.0, true), (10, -1.0, true), (10, -4.0, true)]);

    let mesh = "Body".to_owned();
    let extent = Vec3::new(3.0, -2.0, 0.5);
    apply(&mut scene, Command::MoveTip { mesh, bone: 2, extent });
    let moved = mirror(&mut scene, &[2], Axis::X);
    assert_eq!(moved.bones.len(), 11);
    assert!((moved.bones[7].extent - Vec3::new(-3.0, -2.0, 0.5)).length() < 1e-5);
    let ids = |s: &Skeleton| s.bones.iter().map(|b| b.channel_id).collect::<Vec<_>>();
    assert_eq!(ids(&moved), ids(&first));
    // With both sides given, the positive one counts, whatever the order.
    let side = |bone: usize| tips(&moved, &bind_pose(&moved))[bone].x;
    let left = if side(2) > side(7) { 2 } else { 7 };
    let both = mirror(&mut scene, &[7, 2], Axis::X);
    assert!((both.bones[left].extent - moved.bones[left].extent).length() < 1e-6);
}

#[test]
fn names_get_their_sides() {
    let bone = |name: Option<&str>, x: f32, parent| Bone {
        extent: Vec3::new(x, 1.0, 0.0),
        name: name.map(Into::into),
        parent,
        ..Bone::default()
    };
    let mut bones = vec![
        bone(Some("Spine"), 0.0, None),
        bone(Some("Arm"), 1.0, Some(0)),
        bone(None, -1.0, Some(0)),
        bone(Some("left_leg"), 0.5, Some(0)),
        bone(Some("Knee"), 0.5, Some(3)),
    ];
    for (id, bone) in bones.iter_mut().enumerate() {
        bone.channel_id = id as u32;
    }
    let before = Skeleton { bones, ..Skeleton::default() };
    let mut scene = in_scene(before.clone());
    // Arm is where the mirror image of the unnamed bone would be: that is its other side.
    let after = mirror(&mut scene, &[1, 3], Axis::X);
    let expected = ["Spine", "Arm.L", "Arm.R", "left_leg", "Knee", "right_leg"];
    assert_eq!(names(&after), expected);
    // The mirrored knee is a child of its parent's other side.
    let after = mirror(&mut scene, &[4], Axis::X);
    assert_eq!(after.bones[6].parent, Some(5));
    assert_eq!(names(&after)[4..], ["Knee.L", "right_leg", "Knee.R"]);

    let mut unnamed = in_scene(Skeleton { bones: vec![bone(None, -1.0, None)], ..Skeleton::default() });
    assert_eq!(names(&mirror(&mut unnamed, &[0], Axis::X)), ["bone 0.R", "bone 0.L"]);

    let mut scene = in_scene(before);
    let in_plane = Command::MirrorBones { mesh: "Body".into(), bones: vec![0], axis: Some(Axis::X) };
    let error = in_plane.apply(&mut scene).unwrap_err().to_string();
    assert!(error.contains("plane of symmetry"), "{error}");
}

/// A bone that is a child of its own other side: mirrored, it would be its own parent.
#[test]
fn a_mirror_that_ends_in_a_circle_is_refused() {
    let bone = |name: &str, parent, id| Bone {
        extent: Vec3::X,
        name: Some(name.into()),
        parent,
        channel_id: id,
        ..Bone::default()
    };
    let bones = vec![bone("A.R", None, 0), bone("A.L", Some(0), 1)];
    let mut scene = in_scene(Skeleton { bones, ..Skeleton::default() });
    let before = scene.clone();
    let command = Command::MirrorBones { mesh: "Body".into(), bones: vec![1], axis: Some(Axis::X) };
    assert!(command.apply(&mut scene).is_err());
    assert!(before == scene);
}

/// Vertices in the current pose: weighted sums of P B^-1, written out.
fn skinned(mesh: &SkinnedMesh) -> Vec<DVec3> {
    let (bind, pose) = (bind_pose(&mesh.skeleton), current_pose(&mesh.skeleton));
    let place = |(v, position): (usize, &Vec3)| {
        let row = mesh.weights.influences(v);
        let moved = row.map(|(bone, weight)| {
            let m = pose[usize::from(bone)] * bind[usize::from(bone)].inverse();
            f64::from(weight) * m.transform_point3(position.as_dvec3())
        });
        moved.fold(DVec3::ZERO, |sum, p| sum + p)
    };
    mesh.surface.positions().iter().enumerate().map(place).collect()
}

#[test]
fn a_split_changes_no_picture_and_a_new_order_neither() {
    let mut scene = scene();
    for bone in 0..4 {
        let mesh = "Body".to_owned();
        let pose_deg = Vec3::new(20.0, -35.0, 50.0) * (bone as f32 - 1.5);
        apply(&mut scene, Command::set_bone(mesh, bone, "pose", pose_deg));
    }
    let before = skinned(&scene.skinned_meshes["Body"]);
    let mesh = || "Body".to_owned();
    let split = Command::SplitBones { mesh: mesh(), bones: vec![0, 1, 3], pieces: 5 };
    let after = apply(&mut scene, split);
    assert_eq!(after.bones.len(), 16);
    assert_eq!(names(after)[..7], ["Root", "Root.001", "Root.002", "Root.003", "Root.004", "Mid", "Mid.001"]);
    // Pieces of bone 0 are at 0..5, of 1 at 5..10, bone 2 at 10, of 3 at 11..16.
    assert_eq!(
        (after.bones[5].parent, after.bones[10].parent, after.bones[11].parent),
        (Some(4), Some(9), Some(4))
    );
    assert_eq!(after.handles.iter().map(|h| h.bone).collect::<Vec<_>>(), [10, 15]);
    let now = skinned(&scene.skinned_meshes["Body"]);
    assert!(before.iter().any(|p| p.length() > 0.1));
    for (a, b) in before.iter().zip(&now) {
        assert!((a - b).length() < 1e-5, "{a} became {b}");
    }
    // A bone that starts where it did keeps its place: the root's copy of a child.
    let same_start = Command::Reparent { mesh: mesh(), bones: vec![5], parent: Some(3) };
    let tips_before = tips(skeleton(&scene, "Body"), &bind_pose(skeleton(&scene, "Body")));
    let after = apply(&mut scene, same_start);
    let tips_after = tips(after, &bind_pose(after));
    for (a, b) in tips_before.iter().zip(&tips_after) {
        assert!((a - b).length() < 1e-6);
    }
}

#[test]
fn reparenting_keeps_tips_and_the_things_that_hang_on() {
    let mut scene = scene();
    let command = Command::Reparent { mesh: "Body".into(), bones: vec![1], parent: Some(3) };
    let old_weights = Arc::clone(&scene.skinned_meshes["Body"].weights);
    let after = apply(&mut scene, command).clone();
    assert_eq!(names(&after), ["Root", "Branch", "Mid", "bone 7"]);
    // Base 0.25 up; Root to 1.25; Branch to (1, 1.25, 0); Mid's tip stays at (0, 2.75, 0.25).
    assert_eq!(after.bones[2].extent, Vec3::new(-1.0, 1.5, 0.25));
    assert_eq!((after.bones[2].parent, after.bones[3].parent), (Some(1), Some(2)));
    assert_eq!(after.bones[3].extent, Vec3::new(0.5, 1.0, 0.0));
    assert_eq!(after.handles.iter().map(|h| h.bone).collect::<Vec<_>>(), [3, 1]);
    let new_weights = &scene.skinned_meshes["Body"].weights;
    let new_from_old = [0u16, 2, 3, 1];
    for v in 0..old_weights.ends.len() {
        let mut expected: Vec<_> =
            old_weights.influences(v).map(|(b, w)| (new_from_old[usize::from(b)], w)).collect();
        expected.sort_by_key(|(b, _)| *b);
        assert_eq!(new_weights.influences(v).collect::<Vec<_>>(), expected, "vertex {v}");
    }
    // To the base: the extent runs from there to the tip.
    let command = Command::Reparent { mesh: "Body".into(), bones: vec![2], parent: None };
    let root = apply(&mut scene, command);
    assert_eq!((root.bones[2].parent, root.bones[2].extent), (None, Vec3::new(0.0, 2.5, 0.25)));
}

#[test]
fn fitted_radii_cover_the_human() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let (mut scene, _) = js3d::read_file(&path).unwrap();
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    let bones: Vec<usize> = (0..skeleton(&scene, &mesh).bones.len()).collect();
    // Start without any reach.
    let mut bare = (*scene.skinned_meshes[&mesh]).clone();
    for bone in &mut Arc::make_mut(&mut bare.skeleton).bones {
        bone.radius = 0.0;
    }
    scene.skinned_meshes.insert(mesh.clone(), Arc::new(bare));
    let fit = Command::FitRadius { mesh: mesh.clone(), bones };
    fit.apply(&mut scene).unwrap();
    Command::CalculateWeights { mesh: mesh.clone(), method: Default::default() }.apply(&mut scene).unwrap();
    let human = &scene.skinned_meshes[&mesh];
    let (all, without) = (human.weights.ends.len(), human.weights.unweighted_count());
    assert_eq!(without, 0, "{without} of {all} vertices have no weights");
    let most = human.weights.max_influences();
    assert!(most <= 8, "a vertex follows {most} bones");
}

/// Renaming one side after mirroring and mirroring again adds no second limb.
#[test]
fn a_mirrored_bone_is_found_by_its_place_when_its_name_was_changed() {
    let mut skeleton = Skeleton {
        bones: vec![
            Bone { extent: Vec3::Y, ..Bone::default() },
            Bone { extent: Vec3::new(1.0, 0.5, 0.0), parent: Some(0), channel_id: 1, ..Bone::default() },
        ],
        ..Skeleton::default()
    };
    mirror::mirror(&mut skeleton, &[0, 1], &MirrorPlane::X, &[2, 3], &[]).unwrap();
    let names = |s: &Skeleton| (0..s.bones.len()).map(|b| s.bone_name(b)).collect::<Vec<_>>();
    assert_eq!(names(&skeleton), ["bone 0", "bone 1.L", "bone 1.R"]);
    skeleton.bones[1].name = Some("Arm".into());
    mirror::mirror(&mut skeleton, &[0, 1, 2], &MirrorPlane::X, &[4, 5, 6], &[]).unwrap();
    assert_eq!(names(&skeleton), ["bone 0", "Arm", "bone 1.R"]);
    assert_eq!(skeleton.bones[2].extent, Vec3::new(-1.0, 0.5, 0.0));
}

/// Bones are found by channel id, which edits of others preserve; `bone 7` is still the same bone afterwards.
#[test]
fn unnamed_bones_keep_their_number() {
    let number = |scene: &Scene| skeleton(scene, "Body").bones.iter().position(|b| b.channel_id == 7);
    let name = |scene: &Scene| skeleton(scene, "Body").bone_name(number(scene).unwrap());
    let mesh = || "Body".to_owned();
    let mut scene = scene();
    assert_eq!((number(&scene), name(&scene)), (Some(2), "bone 7".to_owned()));
    apply(&mut scene, Command::DeleteBone { mesh: mesh(), bone: 1 });
    assert_eq!((number(&scene), name(&scene)), (Some(1), "bone 7".to_owned()));
    // The bone comes after its new parent.
    let reparent = Command::Reparent { mesh: mesh(), bones: vec![1], parent: Some(2) };
    apply(&mut scene, reparent);
    assert_eq!((number(&scene), name(&scene)), (Some(2), "bone 7".to_owned()));
}

#[test]
fn new_bones_have_names_of_their_own_at_once() {
    let mesh = || "Body".to_owned();
    let mut scene = scene();
    let add = |parent| Command::AddBone { mesh: mesh(), parent, extent: Vec3::Y, radius: 0.5 };
    apply(&mut scene, add(Some(1)));
    let added = names(apply(&mut scene, add(None)));
    assert_eq!(added, ["Root", "Mid", "bone 7", "Branch", "Bone", "Bone.001"]);
    let duplicate = Command::DuplicateBones { mesh: mesh(), bones: vec![2, 3] };
    assert_eq!(names(apply(&mut scene, duplicate))[6..], ["Bone.002", "Branch.001"]);
    let split = Command::SplitBones { mesh: mesh(), bones: vec![2], pieces: 2 };
    assert_eq!(names(apply(&mut scene, split))[2..4], ["bone 7", "Bone.003"]);
    let named: Vec<_> = names(skeleton(&scene, "Body"));
    assert_eq!(named.iter().collect::<std::collections::BTreeSet<_>>().len(), named.len());
}
