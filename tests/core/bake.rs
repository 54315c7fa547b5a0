//! Baked keys reproduce what the handles did; motion paths follow the evaluation; frames may be evaluated in
//! any order.

use crate::editing::Random;
use crate::editing::keys::{channel, moving};
use glam::Vec3;
use ossature::anim::channel_set::ChannelSet;
use ossature::edit::command::Command;
use ossature::edit::session::Session;
use ossature::edit::time::bake::{Bake, BakeError, bake};
use ossature::rig::ik;
use ossature::rig::kinematics::current_pose;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::paths::{PathSubject, paths};

fn skeleton(evaluator: &mut Evaluator, scene: &Scene, frame: f32, solve: bool) -> Skeleton {
    let settings =
        Settings { frame: Some(frame), ik: solve.then(ik::Options::default), ..Settings::default() };
    (*evaluator.evaluate(scene, &settings).skinned["Body"].skeleton).clone()
}

fn body(frames: [u32; 2]) -> Bake {
    Bake { mesh: "Body".into(), frames, ik: ik::Options::default(), disable_handles: true }
}

fn run(scene: &Scene, what: &Bake) -> Result<Vec<Command>, BakeError> {
    bake(scene, &ChannelSet::default(), what, |_, _| true)
}

/// Each command copies and compares the skeleton with all its handles: one for each of them would take seconds for thousands.
#[test]
fn one_command_disables_all_handles() {
    let before = moving();
    let commands = run(&before, &body([2, 12])).unwrap();
    let disabling = commands.iter().filter_map(|command| command.part_property());
    let disabling: Vec<_> = disabling.filter(|(_, _, property, _)| *property == "enabled").collect();
    let handles = before.skinned_meshes["Body"].skeleton.handles.len();
    assert!(handles > 1 && disabling.len() == 1, "{disabling:?}");
    assert_eq!(disabling[0].1.len(), handles);
}

#[test]
fn baked_frames_are_those_that_were_solved_to_the_bit() {
    let before = moving();
    let mut session = Session::new(before.clone(), None);
    session.apply(&run(&before, &body([2, 12])).unwrap()).unwrap();
    assert_eq!(session.undo_label(), Some("Bake Body into keys"));
    let after = session.scene().clone();
    let (mut a, mut b) = (Evaluator::default(), Evaluator::default());
    let mut turned = 0;
    for frame in 2..=12 {
        let solved = skeleton(&mut a, &before, frame as f32, true);
        for solve in [false, true] {
            let baked = skeleton(&mut b, &after, frame as f32, solve);
            for (old, new) in solved.bones.iter().zip(&baked.bones) {
                assert_eq!(old.pose_deg.to_array(), new.pose_deg.to_array(), "frame {frame}");
            }
            assert!(baked.handles.iter().all(|handle| !handle.enabled));
        }
        turned += usize::from(solved != skeleton(&mut a, &before, frame as f32, false));
    }
    assert_eq!(turned, 9, "the handle acts from frame 4 on");
    // The chains of both handles have keys at every frame, and keys outside remain. Before frame 5 the handle
    // on the branch pulls nothing and its bone gets none.
    let early = run(&before, &body([2, 4])).unwrap();
    assert!(!format!("{early:?}").contains("bone.4.pose"));
    let times = |name: &str| after.animation.get(&channel("Body", name)).map(|keys| keys.times());
    let every: Vec<f32> = (2..=12).map(|frame| frame as f32).collect();
    assert_eq!(times("bone.7.pose"), Some(every.clone()));
    assert_eq!(times("bone.3.pose"), Some([&[0.0], &every[..], &[30.0]].concat()));
    assert_eq!((times("bone.4.pose"), times("handle.2.enabled")), (Some(every), None));
    session.undo();
    assert_eq!(*session.scene(), before);
}

/// A limb that stretches is baked with its scales, and what hangs at its end stays where it is.
#[test]
fn stretched_limbs_are_baked() {
    let mut before = moving();
    let body_mesh = std::sync::Arc::make_mut(before.skinned_meshes.get_mut("Body").unwrap());
    let handles = &mut std::sync::Arc::make_mut(&mut body_mesh.skeleton).handles;
    handles.iter_mut().for_each(|handle| (handle.stretch, handle.target) = (1.0, handle.target * 20.0));
    let mut after = before.clone();
    for command in run(&before, &body([2, 12])).unwrap() {
        command.apply(&mut after).unwrap();
    }
    let (mut a, mut b) = (Evaluator::default(), Evaluator::default());
    let mut scaled = 0;
    for frame in 2..=12 {
        let solved = skeleton(&mut a, &before, frame as f32, true);
        let baked = skeleton(&mut b, &after, frame as f32, false);
        let places = [&solved, &baked].map(current_pose);
        for (bone, (old, new)) in places[0].iter().zip(&places[1]).enumerate() {
            assert!(old.abs_diff_eq(*new, 1e-9), "frame {frame}, bone {bone}");
        }
        scaled += solved.bones.iter().filter(|bone| bone.scale != Vec3::ONE).count();
    }
    assert!(scaled >= 9, "the handle acts from frame 4 on: {scaled}");
}

/// The path of a root that handles may move is baked too.
#[test]
fn the_way_of_a_free_root_is_baked() {
    let mut before = moving();
    let body_mesh = std::sync::Arc::make_mut(before.skinned_meshes.get_mut("Body").unwrap());
    std::sync::Arc::make_mut(&mut body_mesh.skeleton).root_free = true;
    let mut after = before.clone();
    for command in run(&before, &body([2, 12])).unwrap() {
        command.apply(&mut after).unwrap();
    }
    let (mut a, mut b) = (Evaluator::default(), Evaluator::default());
    let mut moved = 0;
    for frame in 2..=12 {
        let solved = skeleton(&mut a, &before, frame as f32, true);
        let baked = skeleton(&mut b, &after, frame as f32, false);
        assert_eq!(solved.base_offset.to_array(), baked.base_offset.to_array(), "frame {frame}");
        let plain = skeleton(&mut a, &before, frame as f32, false);
        moved += usize::from(solved.base_offset != plain.base_offset);
    }
    assert!(moved > 0, "the handle moved the root");
}

#[test]
fn handles_may_stay() {
    let scene = moving();
    let what = Bake { disable_handles: false, ..body([0, 12]) };
    let mut after = scene.clone();
    for command in run(&scene, &what).unwrap() {
        command.apply(&mut after).unwrap();
    }
    assert_eq!(after.skinned_meshes["Body"], scene.skinned_meshes["Body"]);
    assert!(after.animation.get(&channel("Body", "handle.2.enabled")).is_some());
}

#[test]
fn baking_reports_and_can_be_cancelled() {
    let scene = moving();
    let mut heard = Vec::new();
    let done = bake(&scene, &ChannelSet::default(), &body([5, 8]), |done, of| {
        heard.push((done, of));
        true
    });
    assert!(done.is_ok());
    assert_eq!(heard, [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]);
    let cancelled = bake(&scene, &ChannelSet::default(), &body([5, 8]), |done, _| done < 2);
    assert_eq!(cancelled, Err(BakeError::Cancelled));
    assert_eq!(run(&scene, &body([8, 5])), Err(BakeError::NoFrames));
    assert_eq!(run(&scene, &body([0, 3])), Err(BakeError::NoHandle));
    let nobody = Bake { mesh: "Nobody".into(), ..body([0, 3]) };
    assert_eq!(run(&scene, &nobody), Err(BakeError::NoMesh));
}

/// Frames in forward, reverse and random order, by one evaluator and fresh ones, give the same bytes.
#[test]
fn the_pose_at_a_frame_depends_on_nothing_else() {
    let scene = moving();
    let bits = |skeleton: &Skeleton| -> Vec<[u32; 3]> {
        let angles = skeleton.bones.iter().map(|bone| bone.pose_deg.to_array());
        angles.map(|pose| pose.map(f32::to_bits)).collect()
    };
    let frames: Vec<f32> = (0..26).map(|half| half as f32 * 0.5).collect();
    let expected: Vec<_> =
        frames.iter().map(|&frame| bits(&skeleton(&mut Evaluator::default(), &scene, frame, true))).collect();
    let mut random = Random::new(11);
    let orders =
        [(0..26).collect::<Vec<_>>(), (0..26).rev().collect(), (0..80).map(|_| random.below(26)).collect()];
    let mut evaluator = Evaluator::default();
    for at in orders.into_iter().flatten() {
        assert_eq!(bits(&skeleton(&mut evaluator, &scene, frames[at], true)), expected[at], "{}", frames[at]);
    }
}

#[test]
fn paths_go_where_the_evaluation_says() {
    let scene = moving();
    let here = || "Body here".to_owned();
    let subjects = [
        PathSubject::Transform("Place".into()),
        PathSubject::Tip { instance: here(), bone: 2 },
        PathSubject::Handle { instance: here(), handle: 0 },
        PathSubject::Base { instance: here() },
        PathSubject::Tip { instance: here(), bone: 9 },
        PathSubject::Transform("Nowhere".into()),
    ];
    let frames: Vec<f32> = (0..13).map(|frame| frame as f32).collect();
    let ik = ik::Options::default();
    let found = paths(&scene, &ChannelSet::default(), Some(&ik), &subjects, frames.clone());
    let mut evaluator = Evaluator::default();
    for (at, &frame) in frames.iter().enumerate() {
        let settings = Settings { frame: Some(frame), ..Settings::default() };
        let evaluated = evaluator.evaluate(&scene, &settings);
        let (world, posed) = (evaluated.world(Some("Place")), &evaluated.skinned["Body"]);
        let extent = posed.skeleton.bones[2].extent.as_dvec3();
        let tip = posed.current[2].transform_point3(extent).as_vec3();
        let base = posed.skeleton.base + posed.skeleton.base_offset;
        let expected = [Vec3::ZERO, tip, posed.skeleton.handles[0].target, base];
        for (path, point) in found.iter().zip(expected) {
            assert_eq!(path.len(), frames.len());
            assert_eq!(path[at], Some(world.transform_point3(point)), "frame {frame}");
        }
        assert_eq!((found[4][at], found[5][at]), (None, None));
    }
    // The transform itself moves, and so does the tip that the handle pulls.
    assert!(found[0][0] != found[0][10] && found[1][5] != found[1][8]);
}
