//! Exports play as they do here: at frames and between, with any rest frames, handles and transforms.

use super::*;
use crate::rig_support;
use ossature::anim::channel::SkeletonChannel;
use ossature::anim::layer::{Layer, LayerKind, LayerStack};
use ossature::anim::mode::Mode;
use ossature::rig::property::{BASE_OFFSET, ENABLED, POSE, TARGET, TRANSLATION};

/// Row 2, with the `gltf` crate; `examples/bevy_game` does it with Bevy.
#[test]
fn the_walk_looks_as_it_does_here_at_frames() {
    let scene = with_four_weights(walk());
    let player = played(&scene);
    let node = player.node("Human_instance");
    for frame in [0.0, 5.0, 9.0, 15.0] {
        let world = player.world(Some("Take"), frame / 24.0);
        let distance =
            largest_distance(&player.vertices(node, &world), &ours(&scene, "Human_instance", frame as f32));
        // The character is 5.6 tall.
        assert!(distance < 1e-5, "frame {frame}: {distance}");
    }
}

/// A bone without keys of its own, which only a layer moves, and one whose walk a layer corrects.
#[test]
fn layers_are_in_what_is_exported() {
    let mut scene = with_four_weights(walk());
    let mesh = "Human_skinned_mesh";
    let animation = Arc::make_mut(&mut scene.animation);
    let name = animation.channels[mesh].keys().find(|name| name.ends_with(".pose")).unwrap().clone();
    let other = animation.channels[mesh].keys().rfind(|name| name.ends_with(".pose")).unwrap().clone();
    animation.channels.get_mut(mesh).unwrap().remove(&name);
    let without = scene.clone();
    let animation = Arc::make_mut(&mut scene.animation);
    let layer = Layer::new(0, "Fix", LayerKind::Additive);
    for channel in [&name, &other] {
        let keys = vec3s(&[(0.0, [0.0; 3]), (10.0, [25.0, 10.0, 0.0]), (20.0, [0.0; 3])]);
        animation.channels.get_mut(mesh).unwrap().insert(layer.channel(channel), Arc::new(keys));
    }
    animation.layers.insert(mesh.into(), LayerStack { list: vec![layer], active: None });
    let player = played(&scene);
    let node = player.node("Human_instance");
    for frame in [5.0, 10.0, 15.0] {
        let world = player.world(Some("Take"), frame / 24.0);
        let shown = ours(&scene, "Human_instance", frame as f32);
        let distance = largest_distance(&player.vertices(node, &world), &shown);
        assert!(distance < 1e-4, "frame {frame}: {distance}");
        assert!(largest_distance(&shown, &ours(&without, "Human_instance", frame as f32)) > 0.05);
    }
}

/// All three angles of a bone have their keys at the same frames: if these hold, so does the rotation.
#[test]
fn angles_that_hold_are_steps_at_the_same_keys() {
    let mut scene = scene_of(tube());
    let knots = [(0.0, Vec3::ZERO), (10.0, Vec3::new(40.0, 20.0, 0.0)), (20.5, Vec3::new(0.0, -60.0, 10.0))];
    let mut curve = Spline::from_knots(knots.to_vec());
    (0..3).for_each(|key| curve.set_mode(key, Mode::Hold));
    let id = scene.skinned_meshes["Tube"].skeleton.bones[0].channel_id;
    key(&mut scene, "Tube", SkeletonChannel::Bone(id, POSE), Channel::Vec3(curve));
    let player = played(&scene);
    let animation = player.animation("Take").unwrap();
    let keys = |sampler: gltf::animation::Sampler| (sampler.interpolation(), sampler.input().count());
    let found: Vec<_> = animation.samplers().map(keys).collect();
    // One more where the take ends.
    assert_eq!(found, [(gltf::animation::Interpolation::Step, 4)]);
    let node = player.node("Tube instance");
    // Times of keys are rounded, so that a step may come a little later than its frame.
    for frame in [0.0, 9.9, 10.1, 20.4, 20.6, 40.0] {
        let world = player.world(Some("Take"), f64::from(frame) / 24.0);
        let distance =
            largest_distance(&player.vertices(node, &world), &ours(&scene, "Tube instance", frame));
        assert!(distance < 1e-5, "frame {frame}: {distance}");
    }
}

/// A bone that rests for a while has no keys between the ends of its rest.
#[test]
fn nothing_is_keyed_where_nothing_moves() {
    let bent = Vec3::new(40.0, 20.0, 0.0);
    let resting = |rest: f32| {
        let mut scene = scene_of(tube());
        let knots = vec![(0.0, Vec3::ZERO), (5.0, bent), (5.0 + rest, bent), (10.0 + rest, Vec3::ZERO)];
        let mut curve = Spline::from_knots(knots);
        (0..4).for_each(|key| curve.set_mode(key, Mode::Clamped));
        let id = scene.skinned_meshes["Tube"].skeleton.bones[0].channel_id;
        key(&mut scene, "Tube", SkeletonChannel::Bone(id, POSE), Channel::Vec3(curve));
        let count = played(&scene).keys("Take");
        (scene, count)
    };
    let (scene, count) = resting(30.0);
    assert_eq!(count, resting(1.0).1);
    let player = played(&scene);
    let node = player.node("Tube instance");
    for frame in 0..=40 {
        let world = player.world(Some("Take"), f64::from(frame) / 24.0);
        let shown = ours(&scene, "Tube instance", frame as f32);
        let distance = largest_distance(&player.vertices(node, &world), &shown);
        assert!(distance < 1e-5, "frame {frame}: {distance}");
    }
}

/// Row 4.
#[test]
fn between_frames_bones_are_off_by_a_tenth_of_a_degree_at_most() {
    let scene = walk();
    for interpolation in [Interpolation::Keyed, Interpolation::Linear, Interpolation::Cubic] {
        let options = ExportOptions { interpolation, ..ExportOptions::default() };
        let player = Player::new(&exported(&scene, &options).0);
        let node = player.node("Human_instance");
        let mut worst: f64 = 0.0;
        for frame in [0.25, 3.5, 11.5, 17.5, 23.75] {
            let settings = Settings { frame: Some(frame), ..Settings::default() };
            let evaluated = Evaluator::default().evaluate(&scene, &settings);
            let posed = &evaluated.skinned["Human_skinned_mesh"];
            let matrices = player.skinning(node, &player.world(Some("Take"), f64::from(frame) / 24.0));
            let names = player.joint_names();
            for (bone, expected) in posed.current.iter().enumerate() {
                let Some(&joint) = names.get(&posed.skeleton.bone_name(bone)) else {
                    assert!(posed.skeleton.bones[bone].link, "bone {bone} has no joint");
                    continue;
                };
                let (_, found, _) = matrices[joint].to_scale_rotation_translation();
                let expected = DQuat::from_mat3(&expected.matrix3);
                worst = worst.max(found.angle_between(expected).to_degrees());
            }
        }
        // Includes the small errors of all parents.
        assert!(worst < 0.1, "{interpolation:?}: {worst}°");
        assert!(player.keys("Take") < 34 * 40, "{}", player.keys("Take"));
    }
}

/// Row 19. The last played frame is 23; frame 24 repeats frame 0, which engines need.
#[test]
fn a_loop_ends_where_it_begins() {
    let player = played(&walk());
    assert_eq!(player.duration("Take"), 1.0);
    let mut scene = walk();
    Arc::make_mut(&mut scene.animation).clip.range = Some([0, 24]);
    assert_eq!(played(&scene).duration("Take"), 1.0);
    Arc::make_mut(&mut scene.animation).clip.range = Some([2, 14]);
    assert_eq!(played(&scene).duration("Take"), 0.5);
    Arc::make_mut(&mut scene.animation).clip.rate = 60.0;
    assert_eq!(played(&scene).duration("Take"), 0.2);
}

/// Row 6: for any tree, pose and rest frames, skinning matrices are those of the skeleton.
#[test]
fn rest_frames_change_nothing_that_is_seen() {
    let holds = |steps: &shrinking::Steps| {
        let mut scene = scene_of(tube());
        let mut mesh = tube();
        let mut bones = Vec::new();
        for (at, numbers) in steps.iter().enumerate() {
            let mut random = Random::from_numbers(numbers);
            let parent = if random.chance(80) {
                at.checked_sub(1 + random.below(at.max(1)).min(at.saturating_sub(1)))
            } else {
                None
            };
            let mut bone = rig_support::bone(parent, random.vec3(2.0));
            bone.roll_deg = 180.0 * random.unit();
            bone.pose_deg = random.vec3(400.0);
            bone.channel_id = at as u32;
            bone.name = Some(format!("b{at}").into());
            bone.link = random.chance(10);
            if bone.link && random.chance(50) {
                bone.pose_deg = Vec3::ZERO;
            }
            if random.chance(50) {
                let turn = Quat::from_rotation_arc(Vec3::Y, random.direction())
                    * Quat::from_rotation_y(random.unit());
                let numbers =
                    turn.to_array().map(|number| Ok(ossature::extra::array::Scalar::Float(number.into())));
                bone.extra.set("rest", Value::Array(numbers.into_iter().collect()));
            }
            bones.push(bone);
        }
        let skeleton = Skeleton {
            bones,
            base: Vec3::new(0.3, -1.0, 2.0),
            base_offset: Vec3::new(0.5, 0.25, -3.0),
            ..Skeleton::default()
        };
        let (bind, current) = (kinematics::bind_pose(&skeleton), kinematics::current_pose(&skeleton));
        mesh.weights = {
            let mut weights = VertexWeights::default();
            mesh.surface.positions().iter().for_each(|_| weights.push_row([(0, 1.0)]));
            weights.into()
        };
        mesh.skeleton = skeleton.into();
        scene.skinned_meshes.insert("Tube".into(), Arc::new(mesh));
        let player = played(&scene);
        let posed = player.animation("Pose").map(|_| "Pose");
        let matrices = player.skinning(player.node("Tube instance"), &player.world(posed, 0.0));
        for (name, joint) in player.joint_names() {
            if let Some(bone) = name.strip_prefix('b').and_then(|number| number.parse::<usize>().ok()) {
                let expected = DMat4::from(current[bone] * bind[bone].inverse());
                let size = 1.0 + current[bone].translation.length();
                assert!(
                    matrices[joint].abs_diff_eq(expected, 1e-6 * size),
                    "bone {bone}: {} is not {expected}",
                    matrices[joint]
                );
            }
        }
    };
    if let Err(steps) = shrinking::check(60, holds) {
        panic!("{steps:?}");
    }
}

#[test]
fn joints_lie_along_their_bones() {
    let player = played(&scene_of(tube()));
    for (at, node) in (1..5).map(|at| (at, player.node(&format!("Bone {at}")))) {
        let (translation, rotation, _) = player.document.nodes().nth(node).unwrap().transform().decomposed();
        assert_eq!((translation, rotation), ([0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]), "bone {at}");
    }
    assert!(player.animation("Pose").is_none() && player.document.animations().len() == 0);
}

#[test]
fn a_stored_pose_is_a_take_of_one_frame_or_lies_in_the_nodes() {
    let mut scene = scene_of(tube());
    skeleton(&mut scene).bones[1].pose_deg = Vec3::new(30.0, 0.0, 10.0);
    skeleton(&mut scene).base_offset = Vec3::new(0.0, 0.5, 0.0);
    let expected = ours(&scene, "Tube instance", 0.0);
    let player = played(&scene);
    let node = player.node("Tube instance");
    assert_eq!(player.duration("Pose"), 0.0);
    assert!(largest_distance(&player.vertices(node, &player.world(Some("Pose"), 0.0)), &expected) < 1e-5);
    let options = ExportOptions { pose_in_nodes: true, ..ExportOptions::default() };
    let statue = Player::new(&exported(&scene, &options).0);
    assert_eq!(statue.document.animations().len(), 0);
    assert!(largest_distance(&statue.vertices(node, &statue.world(None, 0.0)), &expected) < 1e-5);
}

#[test]
fn handles_are_baked_and_jumps_stay_jumps() {
    let mut scene = scene_of(tube());
    let mut handle = rig_support::handle(4, Vec3::new(3.0, 6.0, 1.0));
    handle.channel_id = 7;
    skeleton(&mut scene).handles.push(handle);
    let target = vec3s(&[(0.0, [3.0, 6.0, 1.0]), (20.0, [-3.0, 6.0, 1.0])]);
    key(&mut scene, "Tube", SkeletonChannel::Handle(7, TARGET), target);
    let jump = Channel::Bool(Spline::from_knots(vec![(0.0, false), (10.0, true)]));
    key(&mut scene, "Tube", SkeletonChannel::Handle(7, ENABLED), jump);
    let (glb, report) = exported(&scene, &ExportOptions::default());
    assert!(find(&report, "handles").is_some());
    let player = Player::new(&glb);
    let node = player.node("Tube instance");
    for frame in [0.0, 9.0, 9.75, 10.0, 10.5, 15.0, 19.5] {
        let found = player.vertices(node, &player.world(Some("Take"), f64::from(frame) / 24.0));
        let distance = largest_distance(&found, &ours(&scene, "Tube instance", frame));
        assert!(distance < 0.02, "frame {frame}: {distance}");
    }
}

/// Row 16.
#[test]
fn what_stands_has_a_joint_of_its_own_and_roots_one_above() {
    let mut scene = standing(scene_of(tube()));
    skeleton(&mut scene).bones[2].parent = None;
    skeleton(&mut scene).bones[0].pose_deg = Vec3::new(0.0, 0.0, 45.0);
    add_instance(&mut scene, "Without a place", "nowhere");
    let (glb, report) = exported(&scene, &ExportOptions::default());
    assert!(find(&report, "neutral-bone").is_some_and(|text| text.starts_with("13 vertices")), "{report:?}");
    assert!(find(&report, "roots").is_some());
    let player = Player::new(&glb);
    for instance in ["Tube instance", "Without a place"] {
        let found = player.vertices(player.node(instance), &player.world(Some("Pose"), 0.0));
        assert!(largest_distance(&found, &ours(&scene, instance, 0.0)) < 1e-5);
    }
    // Each instance has its own joints, and all names of nodes are unique.
    let mut names = player.names();
    assert!(
        names.contains(&"neutral_bone_2".to_owned()) && names.contains(&"Bone 3_2".to_owned()),
        "{names:?}"
    );
    names.sort();
    names.dedup();
    assert_eq!(names.len(), player.document.nodes().len());
    assert_eq!((player.document.meshes().len(), player.document.skins().len()), (1, 2));
}

/// Row 16.
#[test]
fn transforms_move_as_they_do_here() {
    let mut scene = scene_of(tube());
    let parent = Transform {
        scale: Vec3::new(1.0, 2.0, 0.5),
        rotation: Quat::from_xyzw(0.0, 3.0, 0.0, 3.0),
        ..Transform::default()
    };
    scene.transforms.insert("Stage".into(), parent.into());
    Arc::make_mut(scene.transforms.get_mut("Place").unwrap()).parent = Some("Stage".into());
    scene.transforms.insert("Socket".into(), Arc::default());
    key(
        &mut scene,
        "Place",
        "translation",
        vec3s(&[(0.0, [0.0; 3]), (10.0, [5.0, 1.0, 0.0]), (30.0, [0.0, 0.0, 9.0])]),
    );
    let turns = vec![(0.0, Quat::IDENTITY), (30.0, Quat::from_rotation_y(3.0))];
    key(&mut scene, "Place", "rotation", Channel::Quat(Spline::from_knots(turns)));
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let options = ExportOptions { interpolation, ..ExportOptions::default() };
        let player = Player::new(&exported(&scene, &options).0);
        assert!(player.names().contains(&"Socket".to_owned()), "also what carries nothing");
        for frame in [0.0, 4.5, 10.0, 17.25, 30.0] {
            let world = player.world(Some("Take"), f64::from(frame) / 24.0);
            let found = player.vertices(player.node("Tube instance"), &world);
            let distance = largest_distance(&found, &ours(&scene, "Tube instance", frame));
            assert!(
                distance
                    < if frame.fract() == 0.0 && interpolation == Interpolation::Linear {
                        1e-5
                    } else {
                        0.05
                    },
                "frame {frame}: {distance}"
            );
        }
    }
}

/// The root of a walk has keys two frames apart, and a bone that moves nine: straight lines between them would be off
/// by 0.04 and 0.17 of a height of 10.
#[test]
fn characters_look_the_same_without_tangents() {
    let mut scene = scene_of(tube());
    let root = |key: usize| (2.0 * key as f32, [0.0, 0.5 * (key as f32 * 0.9).sin(), 0.3 * key as f32]);
    key(
        &mut scene,
        "Tube",
        SkeletonChannel::Base(BASE_OFFSET),
        vec3s(&(0..13).map(root).collect::<Vec<_>>()),
    );
    let moved = vec3s(&[(0.0, [0.0; 3]), (9.0, [0.0, 1.0, 0.5]), (24.0, [0.2, 0.0, 0.0])]);
    key(&mut scene, "Tube", SkeletonChannel::Bone(3, TRANSLATION), moved);
    let (glb, report) = exported(&scene, &ExportOptions::default());
    assert_eq!(find(&report, "tangents"), None);
    let mut player = Player::new(&glb);
    player.ignores_tangents = true;
    let node = player.node("Tube instance");
    for quarter in 0..=96 {
        let frame = f64::from(quarter) / 4.0;
        let world = player.world(Some("Take"), frame / 24.0);
        let distance =
            largest_distance(&player.vertices(node, &world), &ours(&scene, "Tube instance", frame as f32));
        assert!(distance < 1e-3, "frame {frame}: {distance}");
    }
    // Cubic is for programs that use them.
    let options = ExportOptions { interpolation: Interpolation::Cubic, ..ExportOptions::default() };
    assert!(Player::new(&exported(&scene, &options).0).keys("Take") < 40);
}
