//! An example of every command.

use super::*;
use ossature::edit::command::WeightSource;
use ossature::edit::command::sounds::SoundCommand;
use ossature::rig::weights::paint::PaintedRows;

/// Returns the kinds of all commands, by their serialized names. Tests fail until a new kind has an example
/// (`tests/core/commands.rs`) and a place in the random walk (`tests/core/undo_walk`).
pub fn kinds() -> Vec<String> {
    let unknown = serde_json::from_str::<Command>(r#"{"command":"?"}"#);
    let error = unknown.expect_err("no command is called ?").to_string();
    // "unknown variant `?`, expected one of `a`, `b` at line 1"
    let (_, names) = error.split_once("expected one of").expect(&error);
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the kind of a command.
pub fn kind(command: &Command) -> String {
    let value = serde_json::to_value(command).expect("commands are data");
    value["command"].as_str().expect("commands are tagged").to_owned()
}

/// Returns a command of every kind that changes [`scene`], with its label.
pub fn examples() -> Vec<(Command, &'static str)> {
    let mesh = || "Body".to_owned();
    let vector = Vec3::new(0.5, 2.0, -1.0);
    let instance = InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Body here".into() };
    let (bone, handle) = (1, 1);
    let mut examples = vec![
        (
            Command::AddBone { mesh: mesh(), parent: Some(2), extent: vector, radius: 0.5 },
            "Add bone to bone 7",
        ),
        (
            Command::AddLinkedBone {
                mesh: mesh(),
                parent: Some(2),
                start: vector,
                extent: vector,
                radius: 0.5,
            },
            "Add bone to bone 7",
        ),
        (Command::DeleteBone { mesh: mesh(), bone }, "Delete Mid"),
        (Command::MoveTip { mesh: mesh(), bone, extent: vector }, "Move tail of Mid"),
        (Command::set_bone(mesh(), bone, "extent", vector), "Change extent of Mid"),
        (Command::set_bone(mesh(), bone, "roll", -30.0), "Change roll of Mid"),
        (Command::set_bone(mesh(), bone, "radius", 0.0), "Change radius of Mid"),
        (Command::set_bone(mesh(), bone, "pose", vector), "Rotate Mid"),
        (Command::SetPoses { mesh: mesh(), poses_deg: vec![vector; 4] }, "Pose all bones"),
        (Command::SetBoneName { mesh: mesh(), bone, name: " Spine\t".into() }, "Rename Mid to Spine"),
        (
            Command::SetBoneNames { mesh: mesh(), names: vec![(0, "Hips".into()), (1, "Spine".into())] },
            "Rename 2 bones",
        ),
        (Command::set_skeleton(mesh(), "base", vector), "Move base"),
        (Command::set_skeleton(mesh(), "base_offset", vector), "Move base offset"),
        (Command::AddHandle { mesh: mesh(), bone }, "Add IK to Mid"),
        (Command::DeleteHandle { mesh: mesh(), handle }, "Delete IK Branch"),
        (Command::set_handle(mesh(), handle, "target", vector), "Move IK Branch"),
        (Command::set_handle(mesh(), handle, "enabled", true), "Enable IK Branch"),
        (Command::set_handle(mesh(), handle, "chain", Some(2)), "Change chain of IK Branch"),
        (Command::set_handle(mesh(), handle, "weight", 0.5), "Change weight of IK Branch"),
        (
            Command::set_handle(mesh(), handle, "pole", Some(Pole { point: vector, weight: 0.5 })),
            "Change pole of IK Branch",
        ),
        (Command::PairBones { mesh: mesh(), bone: 1, other: Some(2) }, "Pair Mid and bone 7"),
        (
            Command::set_bone(mesh(), bone, "limits", Limits::symmetric(Vec3::splat(30.0))),
            "Change limits of Mid",
        ),
        (Command::SetHandleName { mesh: mesh(), handle, name: "Reach".into() }, "Rename IK Branch to Reach"),
        (Command::CalculateWeights { mesh: mesh(), method: Default::default() }, "Calculate bone weights"),
        (Command::show(&instance, false), "Hide Body here"),
        (Command::MoveBone { mesh: mesh(), bone, start: vector * 0.5, tip: vector }, "Move Mid"),
        (Command::Reparent { mesh: mesh(), bones: vec![1], parent: Some(3) }, "Parent Mid to Branch"),
        (Command::SplitBones { mesh: mesh(), bones: vec![1], pieces: 3 }, "Split Mid into 3"),
        (Command::MergeBones { mesh: mesh(), bones: vec![1] }, "Merge Mid into Root"),
        (Command::DuplicateBones { mesh: mesh(), bones: vec![1, 2] }, "Duplicate 2 bones"),
        (Command::MirrorBones { mesh: mesh(), bones: vec![3], axis: None }, "Mirror Branch"),
        (Command::DeleteSubtrees { mesh: mesh(), bones: vec![1] }, "Delete Mid with children"),
        (
            Command::AlignRoll { mesh: mesh(), bones: vec![2, 1], to: RollTo::BendPlane },
            "Align roll of 2 bones",
        ),
        (Command::FitRadius { mesh: mesh(), bones: vec![1] }, "Fit radius of Mid"),
        (Command::ScaleRadius { mesh: mesh(), bones: vec![0, 1, 3], factor: 2.0 }, "Scale radius of 3 bones"),
        (
            Command::RotateBones { mesh: mesh(), bones: vec![1], rotation: Quat::from_rotation_z(0.5) },
            "Rotate Mid",
        ),
        (Command::ScaleBones { mesh: mesh(), bones: vec![0, 1], factor: 2.0 }, "Scale 2 bones"),
        (
            Command::SetSkinning { mesh: mesh(), method: Method::DUAL_QUATERNION },
            "Set dual quaternion skinning",
        ),
        (Command::Keys(keys::key_examples()[0].0.clone()), "Key Mid at frame 7.5"),
        (Command::Takes(takes::take_examples()[0].0.clone()), "Add take Walk 2"),
        (
            Command::Sound(SoundCommand::Set { path: "sounds/voice.wav".into(), start: 12.0 }),
            "Set sound voice.wav",
        ),
    ];
    examples.extend(layers::layer_examples());
    examples.extend(placing::examples());
    examples.extend(weight_examples());
    examples.extend(pose_examples());
    examples.extend(surfaces::examples());
    examples
}

fn pose_examples() -> Vec<(Command, &'static str)> {
    let example = |change| {
        let mesh = "Body".to_owned();
        Command::Poses { mesh, change }
    };
    let (pose, name) = ("Wave".to_owned(), "Greet".to_owned());
    let crouch = SavedPose {
        name: "Crouch".into(),
        bones: vec![(0, Vec3::Z.into())],
        handles: Vec::new(),
        base_offset: Some(Vec3::NEG_Y),
    };
    let half = PoseUse { pose: pose.clone(), bones: vec![1], amount: 0.5, flipped: false };
    vec![
        (example(PoseChange::Save(crouch)), "Save pose Crouch"),
        (example(PoseChange::Apply(half)), "Blend pose Wave by 50 %"),
        (example(PoseChange::Rename { pose: pose.clone(), name }), "Rename pose Wave to Greet"),
        (example(PoseChange::Delete { pose }), "Delete pose Wave"),
    ]
}

fn weight_examples() -> Vec<(Command, &'static str)> {
    let mesh = || "Body".to_owned();
    vec![
        (
            Command::CalculateBoneWeights { mesh: mesh(), bones: vec![1, 2], method: Default::default() },
            "Calculate weights of 2 bones",
        ),
        (
            Command::SetCalculatedWeights {
                mesh: mesh(),
                bones: Some(vec![1]),
                method: Default::default(),
                weights: calculated(),
            },
            "Calculate weights of Mid",
        ),
        (
            Command::SetWeightMethod {
                mesh: mesh(),
                method: ossature::rig::weights::method::Method::FOR_NEW_MESHES,
            },
            "Calculate weights by heat diffusion",
        ),
        refine(Refinement::Limit { most: 1 }, None, "Limit influences to 1"),
        refine(Refinement::Prune { below: 0.3 }, Some(vec![0, 2]), "Prune weights below 0.3 of 2 vertices"),
        refine(Refinement::Smooth { factor: 0.5, times: 2 }, Some(vec![1]), "Smooth weights of 1 vertex"),
        refine(Refinement::Clear, None, "Clear weights"),
        (Command::PaintWeights { mesh: mesh(), painted: painted() }, "Paint weights"),
        (
            Command::TakeWeights {
                mesh: mesh(),
                vertices: Some(vec![3, 7]),
                from: WeightSource::Row { row: vec![(0, 0.25), (1, 0.75)] },
            },
            "Paste weights",
        ),
        (Command::lock_weights(mesh(), &[1, 2], true), "Lock weights of 2 bones"),
    ]
}

fn refine(
    refinement: Refinement,
    vertices: Option<Vec<u32>>,
    label: &'static str,
) -> (Command, &'static str) {
    let mesh = "Body".to_owned();
    (Command::RefineWeights { mesh, vertices, refinement }, label)
}

/// Returns weights of two vertices of the body between its first two bones.
pub fn painted() -> PaintedRows {
    let mut rows = VertexWeights::none(0);
    rows.push_row([(0, 0.25), (1, 0.75)]);
    rows.push_row([(1, 1.0)]);
    let vertices = vec![3, 7];
    PaintedRows { vertices, rows }
}

/// Returns weights with all vertices of the body on its third bone.
pub fn calculated() -> VertexWeights {
    let vertices = body().surface.vertex_count();
    VertexWeights {
        ends: (1..=vertices as u32).collect(),
        bones: vec![2; vertices],
        weights: vec![1.0; vertices],
    }
}
