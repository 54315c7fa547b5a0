//! Commands refuse NaN and infinity, missing objects, and results that overflow. The scene stays as it was,
//! and the error names the cause.

use crate::editing;

use crate::editing::scene;
use glam::{Quat, Vec3};
use ossature::edit::command::{Command, CommandError, WeightSource};
use ossature::math::axis::Axis;
use ossature::rig::edits::roll::RollTo;
use ossature::rig::limits::Limits;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::method::Method;
use ossature::rig::weights::paint::PaintedRows;
use ossature::rig::weights::refine::Refinement;
use ossature::scene::instance::{InstanceKind, InstanceRef};

fn refine(refinement: Refinement, vertices: Option<Vec<u32>>) -> Command {
    let mesh = "Body".into();
    Command::RefineWeights { mesh, vertices, refinement }
}

/// Returns every command that takes a list of bones and no number.
fn on_bones(mesh: &str, bones: &[usize]) -> Vec<Command> {
    let (mesh, bones) = (|| mesh.to_owned(), || bones.to_vec());
    vec![
        Command::Reparent { mesh: mesh(), bones: bones(), parent: None },
        Command::MergeBones { mesh: mesh(), bones: bones() },
        Command::DuplicateBones { mesh: mesh(), bones: bones() },
        Command::MirrorBones { mesh: mesh(), bones: bones(), axis: Some(Axis::X) },
        Command::DeleteSubtrees { mesh: mesh(), bones: bones() },
        Command::AlignRoll { mesh: mesh(), bones: bones(), to: RollTo::BendPlane },
        Command::FitRadius { mesh: mesh(), bones: bones() },
    ]
}

fn painted<const N: usize>(vertices: Vec<u32>, row: [(u16, f32); N]) -> Command {
    let mut rows = VertexWeights::none(0);
    rows.push_row(row);
    Command::PaintWeights { mesh: "Body".into(), painted: PaintedRows { vertices, rows } }
}

fn take(vertices: Vec<u32>, from: WeightSource) -> Command {
    Command::TakeWeights { mesh: "Body".into(), vertices: Some(vertices), from }
}

/// Invalid commands are refused and leave the scene as it was. Tries NaN and infinity for every number.
#[test]
fn commands_refuse_what_makes_no_sense() {
    let mesh = || "Body".to_owned();
    let mut wrong = vec![
        Command::CalculateWeights { mesh: "body".into(), method: Default::default() },
        Command::CalculateBoneWeights { mesh: mesh(), bones: vec![0, 4], method: Default::default() },
        Command::SetCalculatedWeights {
            mesh: mesh(),
            bones: None,
            method: Default::default(),
            weights: VertexWeights::none(3),
        },
        Command::SetWeightMethod { mesh: mesh(), method: Method::power(0.1) },
        Command::SetCalculatedWeights {
            mesh: mesh(),
            bones: None,
            method: Default::default(),
            weights: VertexWeights { bones: vec![4; 20], ..editing::calculated() },
        },
        painted(vec![3], [(4, 1.0)]),
        painted(vec![3], [(0, f32::NAN)]),
        painted(vec![3], [(0, -0.5)]),
        painted(vec![20], [(0, 1.0)]),
        painted(vec![3, 4], [(0, 1.0)]),
        Command::PaintWeights {
            mesh: mesh(),
            painted: PaintedRows { vertices: vec![7, 3], ..editing::painted() },
        },
        take(vec![20], WeightSource::OtherSide { from_positive: true, most: 0 }),
        take(vec![7, 3], WeightSource::OtherSide { from_positive: true, most: 0 }),
        take(vec![3], WeightSource::Mesh { name: "Body".into() }),
        take(vec![3], WeightSource::Mesh { name: "body".into() }),
        take(vec![3], WeightSource::Row { row: vec![] }),
        take(vec![3], WeightSource::Row { row: vec![(4, 1.0)] }),
        take(vec![3], WeightSource::Row { row: vec![(1, f32::NAN)] }),
        take(vec![3], WeightSource::Row { row: vec![(1, 0.5), (0, 0.5)] }),
        Command::lock_weights(mesh(), &[4], true),
        refine(Refinement::Limit { most: 0 }, None),
        refine(Refinement::Prune { below: 1.5 }, None),
        refine(Refinement::Prune { below: f32::NAN }, None),
        refine(Refinement::Smooth { factor: -0.1, times: 1 }, None),
        refine(Refinement::Smooth { factor: 0.5, times: 0 }, None),
        refine(Refinement::Normalize, Some(vec![0, 20])),
        Command::AddBone { mesh: mesh(), parent: Some(4), extent: Vec3::Y, radius: 1.0 },
        Command::AddBone { mesh: mesh(), parent: None, extent: Vec3::Y, radius: -1.0 },
        Command::set_bone(mesh(), 0, "radius", -0.001),
        Command::DeleteBone { mesh: mesh(), bone: 4 },
        Command::DeleteHandle { mesh: mesh(), handle: 2 },
        Command::AddHandle { mesh: mesh(), bone: 4 },
        Command::SetBoneName { mesh: mesh(), bone: 4, name: "x".into() },
        Command::set_handle(mesh(), usize::MAX, "enabled", true),
        Command::set_handle(mesh(), 0, "chain", Some(0)),
        Command::set_handle(mesh(), 0, "weight", 1.5),
        Command::set_handle(mesh(), 2, "pinned", true),
        Command::set_bone(mesh(), 0, "limits", Limits([Some([1.0, 0.0]), None, None])),
        Command::set_skeleton(mesh(), "ik_prior", 1.0),
        Command::SetHandleName { mesh: mesh(), handle: 2, name: "x".into() },
        Command::SetPoses { mesh: mesh(), poses_deg: vec![Vec3::ZERO; 3] },
        Command::SetPoses { mesh: mesh(), poses_deg: vec![Vec3::ZERO; 5] },
    ];
    for bones in [vec![], vec![4], vec![1, 4]] {
        let mesh = mesh();
        wrong.extend(on_bones(&mesh, &bones));
        let pieces = 2;
        wrong.push(Command::SplitBones { mesh, bones, pieces });
    }
    let (bones, parent) = (vec![0, 3], Some(2));
    wrong.extend([
        // 2 is below 1 and that below 0, which would be a cycle. A root cannot be merged.
        Command::Reparent { mesh: mesh(), bones: bones.clone(), parent },
        Command::Reparent { mesh: mesh(), bones: vec![1], parent: Some(1) },
        Command::Reparent { mesh: mesh(), bones: vec![1], parent: Some(4) },
        Command::MergeBones { mesh: mesh(), bones },
        // These bones lie in the plane x = 0.
        Command::MirrorBones { mesh: mesh(), bones: vec![0, 1], axis: Some(Axis::X) },
    ]);
    for pieces in [0, 1, 65, usize::MAX] {
        let bones = vec![0];
        wrong.push(Command::SplitBones { mesh: mesh(), bones, pieces });
    }
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let bones = vec![0];
        wrong.push(Command::ScaleRadius { mesh: mesh(), bones: bones.clone(), factor });
        wrong.push(Command::ScaleBones { mesh: mesh(), bones: bones.clone(), factor });
        wrong.push(Command::RotateBones {
            mesh: mesh(),
            bones,
            rotation: Quat::from_xyzw(0.0, 0.0, 0.0, if factor.is_finite() { 0.0 } else { factor }),
        });
    }
    for (kind, name) in [
        (InstanceKind::Camera, "Eye"),
        (InstanceKind::Mesh, "Body here"),
        (InstanceKind::SkinnedMesh, "Body"),
    ] {
        let instance = InstanceRef { kind, name: name.into() };
        wrong.push(Command::show(&instance, true));
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let v = Vec3::new(0.0, bad, 0.0);
        wrong.extend([
            Command::AddBone { mesh: mesh(), parent: None, extent: v, radius: 1.0 },
            Command::AddBone { mesh: mesh(), parent: None, extent: Vec3::Y, radius: bad },
            Command::MoveTip { mesh: mesh(), bone: 0, extent: v },
            Command::MoveBone { mesh: mesh(), bone: 0, start: v, tip: Vec3::Y },
            Command::MoveBone { mesh: mesh(), bone: 0, start: Vec3::Y, tip: v },
            Command::set_bone(mesh(), 0, "extent", v),
            Command::set_bone(mesh(), 0, "roll", bad),
            Command::set_bone(mesh(), 0, "radius", bad),
            Command::set_bone(mesh(), 0, "pose", v),
            Command::SetPoses { mesh: mesh(), poses_deg: vec![Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, v] },
            Command::set_skeleton(mesh(), "base", v),
            Command::set_skeleton(mesh(), "base_offset", v),
            Command::set_handle(mesh(), 0, "target", v),
        ]);
    }
    for command in wrong {
        let before = scene();
        let mut after = before.clone();
        let error = command.apply(&mut after).expect_err(&format!("{command:?}"));
        assert!(before.is_shared(&after), "{command:?}: {error}");
        let text = error.to_string();
        assert!(text.len() > 15 && !text.ends_with('.'), "{text}");
    }
}

/// Finite arguments with infinite sums: the tips of children, and a handle at a tip that is too far.
#[test]
fn results_that_no_number_can_hold_are_refused() {
    let far = Vec3::new(0.0, f32::MAX, 0.0);
    let mut scene = scene();
    let set = Command::set_bone("Body".into(), 0, "extent", far);
    set.apply(&mut scene).unwrap();
    for command in [
        Command::MoveTip { mesh: "Body".into(), bone: 0, extent: -far },
        Command::AddHandle { mesh: "Body".into(), bone: 1 },
    ] {
        let mut scene = scene.clone();
        let before = {
            let extent = far * 0.9;
            Command::set_bone("Body".into(), 1, "extent", extent).apply(&mut scene).unwrap();
            scene.clone()
        };
        let error = command.apply(&mut scene);
        assert!(matches!(error, Err(CommandError::Value { .. })), "{command:?}: {error:?}");
        assert!(before.is_shared(&scene));
    }
}
