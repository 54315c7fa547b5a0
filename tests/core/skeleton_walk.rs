//! Random sequences of the commands that change a skeleton: afterwards bones are in order, weights and
//! handles name bones, channels name ids, tips are where a plain model of each command puts them, and the
//! file gives the scene back.

#![allow(clippy::print_stdout, reason = "a failed walk must say its seed")]

use crate::editing::{Random, effects, faults, scene, skeleton};
use crate::support::filed;
use glam::DVec3;
use ossature::anim::channel::SkeletonChannel;
use ossature::edit::command::Command;
use ossature::io::js3d;
use ossature::math::axis::Axis;
use ossature::rig::edits::roll::RollTo;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const WALKS: u64 = 60;
const STEPS: usize = 60;
const MOST_BONES: usize = 60;

/// Tips in the bind pose by channel id: extents added up from the root, bone for bone.
fn tips(skeleton: &Skeleton) -> BTreeMap<u32, DVec3> {
    let tip = |mut bone: usize| {
        let mut sum = skeleton.base.as_dvec3() + skeleton.bones[bone].extent.as_dvec3();
        while let Some(parent) = skeleton.bones[bone].parent {
            bone = parent as usize;
            sum += skeleton.bones[bone].extent.as_dvec3();
        }
        sum
    };
    let bones = skeleton.bones.iter().enumerate();
    bones.map(|(bone, b)| (b.channel_id, tip(bone))).collect()
}

fn descendants(skeleton: &Skeleton, of: &[usize]) -> BTreeSet<usize> {
    let above = |mut bone: usize| {
        let mut all = vec![bone];
        while let Some(parent) = skeleton.bones[bone].parent {
            bone = parent as usize;
            all.push(bone);
        }
        all
    };
    (0..skeleton.bones.len()).filter(|&bone| above(bone).iter().any(|b| of.contains(b))).collect()
}

fn near(a: DVec3, b: DVec3) -> bool {
    (a - b).length() < 1e-4 * (1.0 + b.length())
}

/// The scene without channels of missing bones; the weights of every vertex sum to 1, or it has none.
fn start() -> Scene {
    let mut scene = scene();
    let mut animation = (*scene.animation).clone();
    let channels = animation.channels.get_mut("Body").unwrap();
    channels.retain(|name, _| !["bone.11.pose", "handle.9.enabled"].contains(&name.as_str()));
    scene.animation = Arc::new(animation);
    scene
}

fn any_command(random: &mut Random, skeleton: &Skeleton) -> Command {
    let mesh = "Body".to_owned();
    let count = skeleton.bones.len();
    let bone = random.below(count);
    let mut bones = vec![bone];
    bones.extend((0..random.below(3)).map(|_| random.below(count)));
    let axis = Axis::ALL[random.below(3)];
    let room = count < MOST_BONES;
    match random.below(13) {
        0 | 1 => {
            let parent = (!random.chance(20)).then(|| random.below(count));
            Command::Reparent { mesh, bones, parent }
        }
        2 if room => {
            let pieces = 2 + random.below(4);
            Command::SplitBones { mesh, bones, pieces }
        }
        3 => Command::MergeBones { mesh, bones },
        4 if room => Command::DuplicateBones { mesh, bones },
        5 | 6 if room => Command::MirrorBones { mesh, bones, axis: Some(axis) },
        7 if random.chance(30) || !room => Command::DeleteSubtrees { mesh, bones },
        8 => Command::DeleteBone { mesh, bone },
        9 => {
            let name = ["Arm.L", "Arm.R", "Arm", "Leg.Fr", "left hand", ""][random.below(6)].into();
            Command::SetBoneName { mesh, bone, name }
        }
        10 => Command::AddHandle { mesh, bone },
        11 => Command::MoveTip { mesh, bone, extent: random.vec3(2.0) },
        12 => Command::AlignRoll {
            mesh,
            bones,
            to: [RollTo::BendPlane, RollTo::X(axis), RollTo::Z(axis)][random.below(3)],
        },
        _ => Command::AddBone { mesh, parent: Some(bone), extent: random.vec3(2.0), radius: 0.5 },
    }
}

/// Checks the tips after a command against those before it. New bones have new ids, so that their tips are
/// compared as a set.
fn expect(before: &Skeleton, after: &Skeleton, command: &Command) {
    let old = tips(before);
    let mut new = tips(after);
    let id = |bone: usize| before.bones[bone].channel_id;
    let unique = |bones: &[usize]| bones.iter().copied().collect::<BTreeSet<usize>>();
    let mut kept = old.clone();
    let mut added: Vec<DVec3> = Vec::new();
    match command {
        Command::Reparent { bones, parent, .. } => {
            let id_of = |parent: u32| after.bones[parent as usize].channel_id;
            for bone in unique(bones) {
                let now = after.bones.iter().find(|b| b.channel_id == id(bone)).unwrap();
                assert_eq!(now.parent.map(id_of), parent.map(id), "{command:?}");
            }
        }
        Command::SplitBones { bones, pieces, .. } => {
            for bone in unique(bones) {
                let extent = before.bones[bone].extent.as_dvec3();
                let start = old[&id(bone)] - extent;
                let at = |piece: usize| start + extent * piece as f64 / *pieces as f64;
                kept.insert(id(bone), at(1));
                added.extend((2..=*pieces).map(at));
            }
        }
        Command::MergeBones { bones, .. } => {
            // From the deepest up: each hands its tip to its parent.
            for bone in unique(bones).into_iter().rev() {
                let parent = before.bones[bone].parent.unwrap() as usize;
                let tip = kept.remove(&id(bone)).unwrap();
                kept.insert(id(parent), tip);
            }
        }
        Command::DuplicateBones { bones, .. } => added.extend(unique(bones).into_iter().map(|b| old[&id(b)])),
        Command::DeleteSubtrees { bones, .. } => {
            for bone in descendants(before, bones) {
                kept.remove(&id(bone));
            }
        }
        Command::DeleteBone { bone, .. } => drop(kept.remove(&id(*bone))),
        Command::MoveTip { bone, extent, .. } => {
            let start = old[&id(*bone)] - before.bones[*bone].extent.as_dvec3();
            kept.insert(id(*bone), start + extent.as_dvec3());
        }
        Command::AddBone { parent: Some(parent), extent, .. } => {
            added.push(old[&id(*parent)] + extent.as_dvec3())
        }
        Command::MirrorBones { axis: Some(axis), bones, .. } => {
            let given: BTreeSet<u32> = bones.iter().map(|&bone| id(bone)).collect();
            return expect_mirrored(&old, &new, *axis, &given);
        }
        _ => {}
    }
    for (id, tip) in kept {
        let now = new.remove(&id).unwrap_or_else(|| panic!("{command:?}: no bone {id}"));
        assert!(near(now, tip), "{command:?}: bone {id} at {now}, not {tip}");
    }
    assert_eq!(new.len(), added.len(), "{command:?}");
    for (id, tip) in new {
        let place = added.iter().position(|expected| near(tip, *expected));
        added.swap_remove(place.unwrap_or_else(|| panic!("{command:?}: new bone {id} at {tip}")));
    }
}

/// Checks that every bone that moved or is new is the mirror image of one that did neither. One exception:
/// given bones that lie almost in the plane (so that only they are their mirror images) are moved straight
/// into it, to the last bit.
fn expect_mirrored(
    old: &BTreeMap<u32, DVec3>,
    new: &BTreeMap<u32, DVec3>,
    axis: Axis,
    given: &BTreeSet<u32>,
) {
    let stays = |id: &u32| old.get(id).is_some_and(|tip| near(new[id], *tip));
    assert!(old.keys().all(|id| new.contains_key(id)));
    let across = axis as usize;
    let size = old.values().map(|tip| tip.length()).fold(1.0, f64::max);
    for (id, &tip) in new.iter().filter(|(id, _)| !stays(id)) {
        let mut image = tip;
        image[across] *= -1.0;
        let laid = given.contains(id) && {
            let mut flat = old[id];
            let off = std::mem::replace(&mut flat[across], 0.0);
            near(tip, flat) && tip[across].abs() < 1e-6 * size && off.abs() < 0.1 * size
        };
        let found = laid || new.iter().any(|(id, &t)| stays(id) && near(t, image));
        assert!(found, "{tip} is no mirror image across {axis:?}");
    }
}

fn check(before: &Scene, after: &Scene, command: &Command) {
    assert_eq!(faults(after), Vec::<String>::new(), "{command:?}");
    expect(skeleton(before, "Body"), skeleton(after, "Body"), command);
    let weights = &after.skinned_meshes["Body"].weights;
    for (vertex, sum) in weights.sums().enumerate() {
        let fine = sum == 0.0 || (sum - 1.0).abs() < 1e-5;
        assert!(fine, "{command:?}: weights of vertex {vertex} sum to {sum}");
        let bones = weights.row(vertex).0;
        let distinct: BTreeSet<_> = bones.iter().collect();
        assert_eq!(distinct.len(), bones.len(), "{command:?}: {bones:?}");
    }
    if !matches!(command, Command::DeleteBone { .. } | Command::DeleteSubtrees { .. }) {
        let old = before.skinned_meshes["Body"].weights.unweighted_count();
        assert_eq!(weights.unweighted_count(), old, "{command:?}");
    }
    let body = skeleton(after, "Body");
    for name in after.animation.channels.get("Body").into_iter().flat_map(|c| c.keys()) {
        let found = match SkeletonChannel::parse(name) {
            Some(SkeletonChannel::Bone(id, _)) => body.bones.iter().any(|b| b.channel_id == id),
            Some(SkeletonChannel::Handle(id, _)) => body.handles.iter().any(|h| h.channel_id == id),
            _ => true,
        };
        assert!(found, "{command:?}: {name} drives nothing");
    }
}

#[test]
fn any_sequence_leaves_a_whole_skeleton() {
    let mut done: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for seed in 1..=WALKS {
        println!("seed {seed}");
        let mut random = Random::new(seed);
        let mut scene = start();
        for _ in 0..STEPS {
            if skeleton(&scene, "Body").bones.is_empty() {
                break;
            }
            let command = any_command(&mut random, skeleton(&scene, "Body"));
            let before = scene.clone();
            let kind = format!("{command:?}");
            let kind = kind.split(' ').next().unwrap().to_owned();
            let counts = done.entry(kind).or_default();
            match command.apply(&mut scene) {
                Ok(done) => {
                    counts[0] += 1;
                    effects::check(&command, &before, &scene, &done);
                    check(&before, &scene, &command);
                }
                Err(error) => {
                    counts[1] += 1;
                    assert!(before == scene, "{command:?}: {error}");
                }
            }
        }
        let bytes = js3d::write(&scene).unwrap();
        let (again, _) = js3d::read(&bytes).unwrap();
        assert!(filed(&again) == filed(&scene), "the file of seed {seed} gives another scene");
    }
    println!("done and refused: {done:?}");
    assert_eq!(done.len(), 12);
    assert!(done.values().all(|[done, _]| *done > 40), "{done:?}");
}

/// Splitting and taking the pieces back gives the old tips, weights and handles.
#[test]
fn merging_takes_a_split_back() {
    let before = start();
    let mut scene = before.clone();
    let mesh = || "Body".to_owned();
    let split = Command::SplitBones { mesh: mesh(), bones: vec![1], pieces: 4 };
    split.apply(&mut scene).unwrap();
    assert_eq!(skeleton(&scene, "Body").bones.len(), 7);
    let bones = vec![2, 3, 4];
    Command::MergeBones { mesh: mesh(), bones }.apply(&mut scene).unwrap();
    let (old, new) = (skeleton(&before, "Body"), skeleton(&scene, "Body"));
    for (a, b) in old.bones.iter().zip(&new.bones) {
        assert!((a.extent - b.extent).length() < 1e-6);
        assert_eq!((&a.name, a.parent, a.channel_id), (&b.name, b.parent, b.channel_id));
    }
    assert_eq!(old.handles, new.handles);
    let [old, new] = [&before, &scene].map(|s| &s.skinned_meshes["Body"].weights);
    assert_eq!((&old.ends, old.weights.len()), (&new.ends, new.weights.len()));
    for v in 0..old.ends.len() {
        let mut row: Vec<_> = old.influences(v).collect();
        row.sort_by_key(|(bone, _)| *bone);
        for (a, b) in row.into_iter().zip(new.influences(v)) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-6, "vertex {v}");
        }
    }
    assert_eq!(before.animation, scene.animation);
}

/// Two bones that start at one link: edits of one leave the other in place, weights and all.
#[test]
fn bones_that_share_a_link_go_their_own_ways() {
    let mesh = || "Body".to_owned();
    let mut scene = start();
    let apply = |scene: &mut Scene, command: Command| {
        let before = scene.clone();
        command.apply(scene).unwrap_or_else(|e| panic!("{command:?}: {e}"));
        assert_eq!(faults(scene), Vec::<String>::new(), "{command:?}");
        before
    };
    let hip = glam::Vec3::new(0.4, 0.3, -0.2);
    let made = Command::AddLinkedBone {
        mesh: mesh(),
        parent: Some(0),
        start: hip,
        extent: -glam::Vec3::Y,
        radius: 0.1,
    };
    apply(&mut scene, made);
    let thigh = skeleton(&scene, "Body").bones.len() - 1;
    for side in [-0.3, 0.3] {
        let extent = glam::Vec3::new(side, -1.0, 0.0);
        let (parent, radius) = (Some(thigh), 0.1);
        apply(&mut scene, Command::AddBone { mesh: mesh(), parent, extent, radius });
    }
    apply(&mut scene, Command::DeleteBone { mesh: mesh(), bone: thigh });
    let last = skeleton(&scene, "Body").bones.len() - 1;
    let parent = skeleton(&scene, "Body").bones[last].parent;
    assert_eq!(parent, skeleton(&scene, "Body").bones[last - 1].parent);
    assert!(skeleton(&scene, "Body").bones[parent.unwrap() as usize].link);

    for leaving in [last, last - 1] {
        let (bone, bones) = (leaving, vec![leaving]);
        let (start, tip) = (glam::Vec3::new(1.0, 0.5, 0.0), glam::Vec3::new(1.0, 2.0, 0.0));
        for command in [
            Command::Reparent { mesh: mesh(), bones: bones.clone(), parent: Some(1) },
            Command::Reparent { mesh: mesh(), bones, parent: None },
            Command::MoveBone { mesh: mesh(), bone, start, tip },
        ] {
            let mut after = scene.clone();
            let before = apply(&mut after, command.clone());
            let [before, after] = [&before, &after].map(|scene| ends(skeleton(scene, "Body")));
            let id = skeleton(&scene, "Body").bones[leaving].channel_id;
            for (other, old) in &before {
                let moves = *other == id && matches!(command, Command::MoveBone { .. });
                let new = after[other];
                let expected = if moves { [start.as_dvec3(), tip.as_dvec3()] } else { *old };
                assert!(near(new[0], expected[0]) && near(new[1], expected[1]), "{command:?}: {other}");
            }
        }
    }
}

/// The start and tip of all bones except links, by channel id.
fn ends(skeleton: &Skeleton) -> BTreeMap<u32, [DVec3; 2]> {
    let tips = tips(skeleton);
    let bones = skeleton.bones.iter().filter(|bone| !bone.link);
    bones
        .map(|bone| {
            let tip = tips[&bone.channel_id];
            (bone.channel_id, [tip - bone.extent.as_dvec3(), tip])
        })
        .collect()
}
