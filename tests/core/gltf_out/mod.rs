//! What is exported as glTF, played by another reader, looks as it does here.

mod player;
mod validator;

use crate::editing::Random;
use crate::rig_support;
use crate::running::{Folder, bad, run};
use crate::shrinking;
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use ossature::anim::channel::{Channel, SkeletonChannel};
use ossature::anim::handle_channel::HandleChannel;
use ossature::anim::spline::Spline;
use ossature::anim::take::Takes;
use ossature::extra::Value;
use ossature::io::gltf::write::{ExportError, Influences, Interpolation, Options, export};
use ossature::io::js3d;
use ossature::io::report::{Report, Severity};
use ossature::mesh::primitives;
use ossature::rig::kinematics;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::skinning::Method;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::Transform;
use ossature::scene::skinned::SkinnedMesh;
use ossature::scene::world;
use player::Player;
use std::sync::Arc;

fn media(name: &str) -> Scene {
    let path = format!("{}/media/js3d/{name}.js3d", env!("CARGO_MANIFEST_DIR"));
    js3d::read_file(path.as_ref()).unwrap().0
}

/// The walk without its take: all that is played is one then.
fn walk() -> Scene {
    let mut scene = media("A4-human-walk");
    Arc::make_mut(&mut scene.animation).takes = Takes::default();
    scene
}

fn exported(scene: &Scene, options: &Options) -> (Vec<u8>, Report) {
    let export =
        export(scene, options, &|path| Err(format!("there is no {path}"))).expect("it can be exported");
    (export.glb().unwrap(), export.report)
}

fn played(scene: &Scene) -> Player {
    Player::new(&exported(scene, &Options::default()).0)
}

/// With the four largest weights of each vertex, normalised: what a file holds.
fn with_four_weights(mut scene: Scene) -> Scene {
    let names: Vec<String> = scene.skinned_meshes.keys().cloned().collect();
    for name in names {
        let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(&name).unwrap());
        let mut weights = VertexWeights::default();
        for vertex in 0..mesh.weights.vertex_count() {
            let mut row: Vec<(u16, f32)> = mesh.weights.influences(vertex).collect();
            row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            row.truncate(4);
            let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
            weights.push_row(row.into_iter().map(|(bone, weight)| (bone, weight / sum)));
        }
        mesh.weights = Arc::new(weights);
    }
    scene
}

/// Render vertices of an instance of a skinned mesh in the world.
fn ours(scene: &Scene, instance: &str, frame: f32) -> Vec<DVec3> {
    let settings = Settings {
        frame: Some(frame),
        ..Settings::default()
    };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let instance = &scene.instances.skinned_meshes[instance];
    let space = world::world_of(&evaluated.scene, instance.transform.as_deref());
    let posed = &evaluated.skinned[instance.of.as_deref().unwrap()];
    let vertices = posed.render_vertices.iter();
    vertices
        .map(|vertex| space.transform_point3(vertex.position.as_dvec3()))
        .collect()
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// A tube of five bones on a transform, called as in [`named`].
fn scene_of(mesh: SkinnedMesh) -> Scene {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Tube".into(), mesh.into());
    scene
        .transforms
        .insert("Place".into(), Arc::new(Transform::default()));
    add_instance(&mut scene, "Tube instance", "Place");
    scene
}

fn add_instance(scene: &mut Scene, name: &str, transform: &str) {
    let instance = GeometryInstance {
        transform: Some(transform.into()),
        of: Some("Tube".into()),
        ..GeometryInstance::default()
    };
    scene
        .instances
        .skinned_meshes
        .insert(name.into(), Arc::new(instance));
}

fn tube() -> SkinnedMesh {
    let (surface, mut skeleton) = rig_support::tube_of_five(8, 10);
    for (at, bone) in skeleton.bones.iter_mut().enumerate() {
        bone.channel_id = at as u32;
        bone.name = Some(format!("Bone {at}").into());
    }
    let mut weights = VertexWeights::default();
    for position in surface.positions() {
        let along = (position.y / 2.0).clamp(0.0, 4.0);
        let (first, part) = (along.floor() as u16, along.fract());
        let row = [(first, 1.0 - part), ((first + 1).min(4), part)];
        weights.push_row(row.into_iter().filter(|(_, weight)| *weight > 0.0));
    }
    SkinnedMesh {
        surface: surface.into(),
        weights: weights.into(),
        skeleton: skeleton.into(),
        ..SkinnedMesh::default()
    }
}

fn skeleton(scene: &mut Scene) -> &mut Skeleton {
    Arc::make_mut(&mut Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap()).skeleton)
}

fn key(scene: &mut Scene, resource: &str, channel: impl ToString, knots: Channel) {
    let animation = Arc::make_mut(&mut scene.animation);
    let channels = animation.channels.entry(resource.into()).or_default();
    channels.insert(channel.to_string(), Arc::new(knots));
    animation.clip = animation.clip.holding(animation.last_key());
}

fn vec3s(knots: &[(f32, [f32; 3])]) -> Channel {
    Channel::Vec3(Spline::through(
        knots.iter().map(|(t, v)| (*t, Vec3::from(*v))).collect(),
    ))
}

fn find<'r>(report: &'r Report, code: &str) -> Option<&'r str> {
    let found = report.findings.iter().find(|finding| finding.code == code);
    found.map(|finding| finding.text.as_str())
}

#[test]
fn the_walk_looks_as_it_does_here_at_frames() {
    let scene = with_four_weights(walk());
    let player = played(&scene);
    let node = player.node("Human_instance");
    for frame in [0.0, 5.0, 9.0, 15.0] {
        let world = player.world(Some("Take"), frame / 24.0);
        let distance = largest_distance(
            &player.vertices(node, &world),
            &ours(&scene, "Human_instance", frame as f32),
        );
        // Of a character 5.6 tall.
        assert!(distance < 1e-5, "frame {frame}: {distance}");
    }
}

#[test]
fn between_frames_bones_are_off_by_a_tenth_of_a_degree_at_most() {
    let scene = walk();
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let options = Options {
            interpolation,
            ..Options::default()
        };
        let player = Player::new(&exported(&scene, &options).0);
        let node = player.node("Human_instance");
        let mut worst: f64 = 0.0;
        for frame in [0.25, 3.5, 11.5, 17.5, 23.75] {
            let settings = Settings {
                frame: Some(frame),
                ..Settings::default()
            };
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
        // Parents are off, too: a chain of them adds up.
        assert!(worst < 0.2, "{interpolation:?}: {worst}°");
        assert!(player.keys("Take") < 34 * 40, "{}", player.keys("Take"));
    }
}

/// The last frame that is played is 23, and frame 24 is frame 0 again: engines need it.
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

/// Any tree, any pose, any rest frames: skinning matrices are those of the skeleton.
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
                let numbers = turn
                    .to_array()
                    .map(|number| Ok(ossature::extra::array::Scalar::Float(number.into())));
                bone.extra
                    .set("rest", Value::Array(numbers.into_iter().collect()));
            }
            bones.push(bone);
        }
        let skeleton = Skeleton {
            bones,
            base: Vec3::new(0.3, -1.0, 2.0),
            base_offset: Vec3::new(0.5, 0.25, -3.0),
            ..Skeleton::default()
        };
        let (bind, current) = (
            kinematics::bind_pose(&skeleton),
            kinematics::current_pose(&skeleton),
        );
        mesh.weights = {
            let mut weights = VertexWeights::default();
            mesh.surface
                .positions()
                .iter()
                .for_each(|_| weights.push_row([(0, 1.0)]));
            weights.into()
        };
        mesh.skeleton = skeleton.into();
        scene.skinned_meshes.insert("Tube".into(), Arc::new(mesh));
        let player = played(&scene);
        let posed = player.animation("Pose").map(|_| "Pose");
        let matrices = player.skinning(player.node("Tube instance"), &player.world(posed, 0.0));
        for (name, joint) in player.joint_names() {
            if let Some(bone) = name
                .strip_prefix('b')
                .and_then(|number| number.parse::<usize>().ok())
            {
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
        let (translation, rotation, _) = player
            .document
            .nodes()
            .nth(node)
            .unwrap()
            .transform()
            .decomposed();
        assert_eq!(
            (translation, rotation),
            ([0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]),
            "bone {at}"
        );
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
    assert!(
        largest_distance(
            &player.vertices(node, &player.world(Some("Pose"), 0.0)),
            &expected
        ) < 1e-5
    );
    let options = Options {
        pose_in_nodes: true,
        ..Options::default()
    };
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
    key(&mut scene, "Tube", HandleChannel::Target.of_handle(7), target);
    let jump = Channel::Bool(Spline::through(vec![(0.0, false), (10.0, true)]));
    key(&mut scene, "Tube", HandleChannel::Enabled.of_handle(7), jump);
    let (glb, report) = exported(&scene, &Options::default());
    assert!(find(&report, "handles").is_some());
    let player = Player::new(&glb);
    let node = player.node("Tube instance");
    for frame in [0.0, 9.0, 9.75, 10.0, 10.5, 15.0, 19.5] {
        let found = player.vertices(node, &player.world(Some("Take"), f64::from(frame) / 24.0));
        let distance = largest_distance(&found, &ours(&scene, "Tube instance", frame));
        assert!(distance < 0.02, "frame {frame}: {distance}");
    }
}

#[test]
fn what_stands_has_a_joint_of_its_own_and_roots_one_above() {
    let mut scene = scene_of(tube());
    skeleton(&mut scene).bones[2].parent = None;
    skeleton(&mut scene).bones[0].pose_deg = Vec3::new(0.0, 0.0, 45.0);
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap());
    let mut weights = VertexWeights::default();
    for vertex in 0..mesh.weights.vertex_count() {
        let stands = vertex % 7 == 0;
        weights.push_row(mesh.weights.influences(vertex).filter(|_| !stands));
    }
    mesh.weights = weights.into();
    add_instance(&mut scene, "Without a place", "nowhere");
    let (glb, report) = exported(&scene, &Options::default());
    assert!(
        find(&report, "neutral-bone").is_some_and(|text| text.starts_with("13 vertices")),
        "{report:?}"
    );
    assert!(find(&report, "roots").is_some());
    let player = Player::new(&glb);
    for instance in ["Tube instance", "Without a place"] {
        let found = player.vertices(player.node(instance), &player.world(Some("Pose"), 0.0));
        assert!(largest_distance(&found, &ours(&scene, instance, 0.0)) < 1e-5);
    }
    // Each instance has joints of its own, and all nodes have names of their own.
    let mut names = player.names();
    assert!(
        names.contains(&"neutral_bone_2".to_owned()) && names.contains(&"Bone 3_2".to_owned()),
        "{names:?}"
    );
    names.sort();
    names.dedup();
    assert_eq!(names.len(), player.document.nodes().len());
    assert_eq!(
        (player.document.meshes().len(), player.document.skins().len()),
        (1, 2)
    );
}

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
    scene.transforms.insert("Unused".into(), Arc::default());
    key(
        &mut scene,
        "Place",
        "translation",
        vec3s(&[(0.0, [0.0; 3]), (10.0, [5.0, 1.0, 0.0]), (30.0, [0.0, 0.0, 9.0])]),
    );
    let turns = vec![(0.0, Quat::IDENTITY), (30.0, Quat::from_rotation_y(3.0))];
    key(
        &mut scene,
        "Place",
        "rotation",
        Channel::Quat(Spline::through(turns)),
    );
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        let options = Options {
            interpolation,
            ..Options::default()
        };
        let player = Player::new(&exported(&scene, &options).0);
        assert!(!player.names().contains(&"Unused".to_owned()));
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

#[test]
fn what_is_lost_is_told_with_numbers() {
    let (_, report) = exported(&media("A4-human-walk"), &Options::default());
    let text = find(&report, "influences").unwrap();
    assert!(
        text.contains("vertices have more than four bones; at most 16 %") && text.contains("of a size of"),
        "{text}"
    );
    let all = Options {
        influences: Influences::All,
        ..Options::default()
    };
    let (glb, report) = exported(&media("A4-human-walk"), &all);
    assert!(find(&report, "further-influences").is_some() && find(&report, "influences").is_none());
    let mesh = Player::new(&glb)
        .document
        .meshes()
        .next()
        .unwrap()
        .primitives()
        .next()
        .unwrap()
        .attributes()
        .count();
    assert_eq!(mesh, 7, "position, normal, uv and two sets");

    let mut scene = scene_of(tube());
    Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap()).skinning = Method::DUAL_QUATERNION;
    skeleton(&mut scene).bones[2].pose_deg.y = 150.0;
    let hidden = Arc::make_mut(scene.instances.skinned_meshes.get_mut("Tube instance").unwrap());
    hidden.settings.visible = false;
    add_instance(&mut scene, "Second", "Place");
    let (glb, report) = exported(&scene, &Options::default());
    assert_eq!(
        find(&report, "hidden"),
        Some("1 hidden instance left out; show them to export them")
    );
    let text = find(&report, "dual-quaternions").unwrap();
    assert!(
        text.contains("is skinned with dual quaternions") && text.contains("of a size of 10"),
        "{text}"
    );
    assert!(!Player::new(&glb).names().contains(&"Tube instance".to_owned()));
}

#[test]
fn tips_are_nodes_where_they_are_asked_for() {
    let options = Options {
        tip_nodes: true,
        ..Options::default()
    };
    let player = Player::new(&exported(&scene_of(tube()), &options).0);
    let tip = player.node("Bone 4_end");
    assert_eq!(player.parent(tip), Some(player.node("Bone 4")));
    let place = player.world(None, 0.0)[tip].transform_point3(DVec3::ZERO);
    assert!(place.distance(DVec3::new(0.0, 10.0, 0.0)) < 1e-6, "{place}");
}

#[test]
fn polygons_are_triangles_and_standing_meshes_stand_where_they_are() {
    let mut scene = scene_of(tube());
    let mesh = ossature::scene::resource::Mesh {
        surface: primitives::cuboid(Vec3::ONE).unwrap().into(),
        ..Default::default()
    };
    scene.meshes.insert("Box".into(), mesh.into());
    let place = Transform {
        translation: Vec3::X,
        ..Transform::default()
    };
    scene.transforms.insert("Away".into(), place.into());
    let instance = GeometryInstance {
        transform: Some("Away".into()),
        of: Some("Box".into()),
        ..GeometryInstance::default()
    };
    scene
        .instances
        .meshes
        .insert("Box instance".into(), instance.into());
    let player = played(&scene);
    assert_eq!(player.triangles("Box"), 12);
    let vertices = player.vertices(player.node("Box instance"), &player.world(None, 0.0));
    let middle = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    assert!(middle.distance(DVec3::X) < 1e-6, "{middle}");
}

#[test]
fn what_is_no_number_is_refused_by_its_name() {
    type Break = (&'static str, fn(&mut Scene));
    let broken: [Break; 4] = [
        ("bone “Bone 2” of “Tube”", |scene| {
            skeleton(scene).bones[2].pose_deg.x = f32::NAN
        }),
        ("the base of “Tube”", |scene| {
            skeleton(scene).base.x = f32::INFINITY
        }),
        ("transform “Place”", |scene| {
            Arc::make_mut(scene.transforms.get_mut("Place").unwrap()).scale.y = f32::NAN
        }),
        ("a pose at frame 0 of take “Take”", |scene| {
            key(
                scene,
                "Tube",
                SkeletonChannel::BaseOffset,
                vec3s(&[(0.0, [f32::NAN, 0.0, 0.0])]),
            );
        }),
    ];
    for (name, break_it) in broken {
        let mut scene = scene_of(tube());
        break_it(&mut scene);
        let found = export(&scene, &Options::default(), &|_| Err(String::new()));
        match found.err() {
            Some(ExportError::NotFinite { at }) => assert!(at.contains(name), "{at}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for scene in ["A4-human-walk", "quadruped", "bar"] {
        let scene = media(scene);
        assert_eq!(
            exported(&scene, &Options::default()).0,
            exported(&scene, &Options::default()).0
        );
    }
}

#[test]
fn convert_writes_one_file_or_two() {
    let folder = Folder::new();
    let scene = folder.write("walk.js3d", &media("A4-human-walk"));
    let (glb, gltf) = (folder.out("walk.glb"), folder.out("the walk.gltf"));
    let output = run(&["convert", &scene, &glb]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.success() && told.contains("have more than four bones"),
        "{told}"
    );
    assert!(
        run(&[
            "convert",
            &scene,
            &gltf,
            "--tip-nodes",
            "--interpolation",
            "cubic"
        ])
        .status
        .success()
    );
    let json = std::fs::read_to_string(folder.path("the walk.gltf")).unwrap();
    assert!(
        json.contains("\"uri\":\"the%20walk.bin\"") && folder.path("the walk.bin").exists(),
        "{json}"
    );
    assert!(
        run(&["convert", &scene, &gltf]).status.success(),
        "its own files are replaced"
    );
    std::fs::remove_file(folder.path("the walk.gltf")).unwrap();
    assert!(
        bad(&["convert", &scene, &gltf])
            .0
            .contains("the walk.bin: it is there already")
    );
    assert!(
        bad(&["convert", &scene, &glb, "--take", "Run"])
            .0
            .contains("there is no take “Run”")
    );
    let obj = folder.out("walk.obj");
    assert!(
        bad(&["convert", &scene, &obj, "--influences", "all"])
            .0
            .contains("OBJ files have none")
    );
}

#[test]
fn notes_are_no_warnings() {
    let (_, report) = exported(&media("quadruped"), &Options::default());
    let serious: Vec<_> = report
        .findings
        .iter()
        .filter(|f| f.severity > Severity::Note && f.code != "influences")
        .collect();
    assert!(serious.is_empty(), "{serious:?}");
}

/// Untouched, a file gives back the scene that it was made of.
#[test]
fn the_scene_rides_along_byte_for_byte() {
    let folder = Folder::new();
    for path in crate::support::media() {
        let scene = js3d::read_file(&path).unwrap().0;
        for name in ["out.glb", "out.gltf"] {
            let (from, out, back) = (
                folder.write("in.js3d", &scene),
                folder.out(name),
                folder.out("back.js3d"),
            );
            assert!(run(&["convert", &from, &out]).status.success());
            assert!(run(&["convert", &out, &back, "--force"]).status.success());
            let [before, after] = [from, back].map(|path| std::fs::read(path).unwrap());
            assert!(before == after, "{} through {name}", path.display());
        }
    }
}

#[test]
fn parts_are_primitives_with_their_materials() {
    let mut scene = scene_of(tube());
    for name in ["Skin", "Cloth"] {
        scene.materials.insert(name.into(), Arc::default());
    }
    let part = |material: &str, faces: u64| {
        Err(Value::Object(Box::new([
            ("material".into(), Value::Text(material.into())),
            ("faces".into(), Value::Unsigned(faces)),
        ])))
    };
    let parts = [part("Skin", 10), part("Cloth", 5), part("Skin", 1)];
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap());
    mesh.mesh_extra
        .set("parts", Value::Array(parts.into_iter().collect()));
    let faces = mesh.surface.face_count();
    let instance = |scene: &mut Scene, material: &str| {
        let instance = Arc::make_mut(scene.instances.skinned_meshes.get_mut("Tube instance").unwrap());
        instance.material = Some(material.into());
    };
    instance(&mut scene, "Skin");
    let materials = |player: &Player| -> Vec<String> {
        let mesh = player.document.meshes().next().unwrap();
        mesh.primitives()
            .map(|primitive| primitive.material().name().unwrap_or_default().to_owned())
            .collect()
    };
    let player = played(&scene);
    assert_eq!(materials(&player), ["Skin", "Cloth", "Skin"]);
    let all = player.triangles("Tube");
    assert!(all > faces, "{all}");
    // Another material is that of the whole.
    scene.materials.insert("Stone".into(), Arc::default());
    instance(&mut scene, "Stone");
    let player = played(&scene);
    assert_eq!(
        (materials(&player), player.triangles("Tube")),
        (vec!["Stone".to_owned(); 3], all)
    );
}
