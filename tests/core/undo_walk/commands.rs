//! Random commands on bones, handles, weights and visibility, or of the kinds of `tests/editing`.

use crate::editing::{self, Random, faults, placing, scene, skeleton, surfaces};
use glam::{Quat, Vec3};
use ossature::edit::command::sounds::SoundCommand;
use ossature::edit::command::{Command, PoseChange, PoseUse, WeightSource};
use ossature::math::axis::Axis;
use ossature::rig::edits::roll::RollTo;
use ossature::rig::limits::Limits;
use ossature::rig::poses::SavedPose;
use ossature::rig::skeleton::{LookAt, Orientation, Pole, Skeleton};
use ossature::rig::skinning;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::method::Method;
use ossature::rig::weights::paint::PaintedRows;
use ossature::rig::weights::refine::Refinement;
use ossature::scene::Scene;
use ossature::scene::instance::{InstanceKind, InstanceRef};

/// Returns a command of a uniformly random kind; one in five has a wrong argument.
pub fn any_command(random: &mut Random, scene: &Scene) -> Command {
    let wrong = random.chance(20);
    match random.below(SKELETON_KINDS + placing::KINDS + surfaces::KINDS) {
        kind if kind < SKELETON_KINDS => skeleton_command(random, scene, kind, wrong),
        kind if kind < SKELETON_KINDS + placing::KINDS => {
            placing::any_command(random, scene, kind - SKELETON_KINDS, wrong)
        }
        kind => surfaces::any_command(random, scene, kind - SKELETON_KINDS - placing::KINDS, wrong),
    }
}

/// Kinds of commands on bones, handles, weights and visibility.
const SKELETON_KINDS: usize = 43;

fn skeleton_command(random: &mut Random, scene: &Scene, kind: usize, wrong: bool) -> Command {
    let mesh = ["Body", "Tail"][random.below(2)].to_owned();
    let bones = &skeleton(scene, &mesh).bones;
    let vertices = scene.skinned_meshes[&mesh].surface.vertex_count();
    let (bone_count, handle_count) = (bones.len(), skeleton(scene, &mesh).handles.len());
    // The fault, if any: the mesh, an index, a number.
    let fault = if wrong { 1 + random.below(3) } else { 0 };
    let mut number_fault = fault == 3;
    let index_fault = fault == 2;
    let mut mesh = if fault == 1 { "Nobody".to_owned() } else { mesh };
    let index = |random: &mut Random, count: usize| {
        if index_fault { count + random.below(3) } else { random.below(count) }
    };
    let bone = index(random, bone_count);
    let handle = index(random, handle_count);
    let mut vector = random.vec3(2.0);
    let mut number = random.unit() * 100.0;
    // Kinds without the argument that should be wrong get a wrong mesh instead.
    let has_number = !matches!(kind, 1 | 8 | 11 | 12 | 14 | 15 | 16..=24 | 26 | 28 | 29 | 39);
    let has_index = !matches!(kind, 7 | 9 | 10 | 15 | 16 | 26);
    if number_fault && !has_number || index_fault && !has_index {
        mesh = "Nobody".into();
        number_fault = false;
    }
    if number_fault {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][random.below(3)];
        vector[random.below(3)] = bad;
        number = bad;
    }
    let radius = if number_fault { number } else { number.abs() / 50.0 };
    let flag = random.chance(50);
    let mut bones = vec![bone];
    if !index_fault && bone_count > 0 {
        bones.extend((0..random.below(3)).map(|_| random.below(bone_count)));
    }
    match kind {
        0 => {
            let root = !index_fault && (bone_count == 0 || random.chance(20));
            let parent = (!root).then_some(bone);
            if random.chance(45) {
                return Command::AddLinkedBone { mesh, parent, start: vector, extent: vector, radius };
            }
            Command::AddBone { mesh, parent, extent: vector, radius }
        }
        1 => Command::DeleteBone { mesh, bone },
        2 => Command::MoveTip { mesh, bone, extent: vector },
        3 => Command::set_bone(mesh, bone, "extent", vector),
        4 => Command::PairBones { mesh, bone, other: flag.then(|| index(random, bones.len() + 1)) },
        5 => Command::set_bone(mesh, bone, "radius", radius),
        6 => Command::set_bone(mesh, bone, "pose", vector * 90.0),
        7 => {
            let mut poses_deg = vec![vector; bone_count];
            if number_fault && flag {
                poses_deg = vec![Vec3::ZERO; bone_count + 1];
            } else if number_fault {
                poses_deg.push(vector);
            }
            Command::SetPoses { mesh, poses_deg }
        }
        8 => {
            let mut name = || ["Arm.L", "  ", "Kopf \u{1f600}", "a=b\"c\\"][random.below(4)].to_owned();
            if flag {
                let names = bones.into_iter().map(|bone| (bone, name())).collect();
                return Command::SetBoneNames { mesh, names };
            }
            Command::SetBoneName { mesh, bone, name: name() }
        }
        9 => Command::set_skeleton(mesh, "base", vector),
        10 => Command::set_skeleton(mesh, "base_offset", vector),
        11 => Command::AddHandle { mesh, bone },
        12 => Command::DeleteHandle { mesh, handle },
        13 => Command::set_handle(mesh, handle, "target", vector),
        14 => Command::set_handle(mesh, handle, "enabled", flag),
        15 => {
            let method = Method::all().nth(random.below(4)).unwrap();
            match random.below(2) {
                0 => Command::SetWeightMethod { mesh, method },
                _ => Command::CalculateWeights { mesh, method },
            }
        }
        16 => {
            let kinds = [InstanceKind::SkinnedMesh, InstanceKind::Camera];
            let kind = kinds[usize::from(wrong && flag)];
            let name = if wrong { "Eye" } else { "Body here" }.into();
            Command::show(&InstanceRef { kind, name }, flag)
        }
        17 => {
            let root = !index_fault && random.chance(25);
            let parent = (!root).then_some(bone);
            Command::Reparent { mesh, bones, parent }
        }
        18 => {
            // Skeletons must not grow without limit: mostly the number of pieces is refused.
            let pieces = match bone_count < 30 {
                true => 2 + random.below(3),
                false => [0, 1, 65][random.below(3)],
            };
            Command::SplitBones { mesh, bones, pieces }
        }
        19 => Command::MergeBones { mesh, bones },
        20 => Command::DuplicateBones { mesh, bones },
        21 => {
            let axis = Axis::ALL[random.below(3)];
            Command::MirrorBones { mesh, bones, axis: Some(axis) }
        }
        22 => Command::DeleteSubtrees { mesh, bones },
        23 => {
            let axis = Axis::ALL[random.below(3)];
            let to = [RollTo::BendPlane, RollTo::X(axis), RollTo::Z(axis)][random.below(3)];
            Command::AlignRoll { mesh, bones, to }
        }
        24 => Command::FitRadius { mesh, bones },
        25 => {
            let factor = if number_fault { number } else { 0.5 + number.abs() / 50.0 };
            match random.below(3) {
                0 => Command::ScaleRadius { mesh, bones, factor },
                1 => Command::ScaleBones { mesh, bones, factor },
                _ => Command::RotateBones {
                    mesh,
                    bones,
                    rotation: if number_fault {
                        Quat::from_xyzw(number, 0.0, 0.0, 1.0)
                    } else {
                        Quat::from_rotation_x(factor)
                    },
                },
            }
        }
        26 => {
            let method = [0.0, 0.5, 1.0][random.below(3)];
            let method = skinning::Method::try_from(method).unwrap();
            Command::SetSkinning { mesh, method }
        }
        27 => Command::Keys(editing::keys::any_key_command(random, scene, wrong)),
        28 => Command::CalculateBoneWeights {
            mesh,
            bones: vec![bone; usize::from(index_fault || bone_count > 0)],
            method: Default::default(),
        },
        29 => Command::SetCalculatedWeights {
            mesh,
            bones: Some(vec![bone; usize::from(index_fault || bone_count > 0)]),
            method: Method::all().nth(random.below(5)).unwrap(),
            weights: random_weights(random, vertices, bone_count),
        },
        30 => {
            let refinement = match random.below(5) {
                _ if number_fault => Refinement::Prune { below: number },
                0 => Refinement::Limit { most: 1 + random.below(4) },
                1 => Refinement::Prune { below: random.unit().abs() },
                2 => Refinement::Smooth { factor: random.unit().abs(), times: 1 + random.below(3) },
                3 => Refinement::Normalize,
                _ => Refinement::Clear,
            };
            let vertices = (index_fault || flag).then(|| vec![index(random, vertices) as u32]);
            Command::RefineWeights { mesh, vertices, refinement }
        }
        31 => Command::MoveBone { mesh, bone, start: vector * 0.5, tip: Vec3::Y * number },
        32 => Command::set_handle(
            mesh,
            handle,
            "chain",
            flag.then(|| random.below(5) as u32 + u32::from(!number_fault)),
        ),
        33 => Command::set_handle(
            mesh,
            handle,
            "weight",
            if number_fault { number } else { random.unit().abs() },
        ),
        34 => {
            let name = ["Reach.L", "  ", "Reach.L", "Fuß"][random.below(4)].into();
            Command::SetHandleName { mesh, handle, name }
        }
        35 => {
            let weight = if number_fault { number } else { random.unit().abs() };
            match random.below(10) {
                0 => Command::set_bone(
                    mesh,
                    bone,
                    "limits",
                    Limits([None, Some([-radius, radius]), flag.then_some([-10.0, number.abs()])]),
                ),
                1 => Command::set_bone(mesh, bone, "stiffness", Vec3::splat(weight)),
                2 => Command::set_bone(mesh, bone, "preferred", (flag || number_fault).then_some(vector)),
                3 => Command::set_handle(
                    mesh,
                    handle,
                    "orientation",
                    (flag || number_fault)
                        .then_some(Orientation { rotation: Quat::from_rotation_x(radius), weight }),
                ),
                4 => Command::set_handle(
                    mesh,
                    handle,
                    "pole",
                    (flag || number_fault).then_some(Pole { point: vector, weight }),
                ),
                5 => Command::set_handle(
                    mesh,
                    handle,
                    "look_at",
                    (flag || number_fault).then_some(LookAt { axis: Vec3::ONE + vector.abs(), weight }),
                ),
                6 if !number_fault => Command::set_handle(mesh, handle, "pinned", flag),
                7 if !number_fault && !index_fault && weight < 0.5 => {
                    Command::set_skeleton(mesh, "balance", flag)
                }
                7 if !number_fault && !index_fault => Command::set_skeleton(mesh, "root_free", flag),
                6..8 => Command::set_bone(mesh, bone, "stiffness", Vec3::X * weight),
                _ if index_fault => Command::set_handle(mesh, handle, "pinned", flag),
                8 => Command::set_skeleton(mesh, "ik_prior", weight * Skeleton::MAX_PRIOR),
                _ => Command::set_bone(mesh, bone, "roll", number),
            }
        }
        36 => Command::Takes(editing::takes::any_take_command(random, scene, wrong)),
        37 => {
            let pose = ["Wave", "P1", "P2"][random.below(3)].to_owned();
            let change = match random.below(5) {
                0 | 1 if !index_fault => PoseChange::Save(SavedPose {
                    name: pose,
                    bones: vec![(random.below(9) as u32, vector.into())],
                    handles: Vec::new(),
                    base_offset: flag.then_some(vector),
                }),
                2 if !number_fault && !index_fault => PoseChange::Rename { pose, name: "P1".into() },
                3 if !number_fault && !index_fault => PoseChange::Delete { pose },
                _ => PoseChange::Apply(PoseUse { pose, bones, amount: number / 100.0, flipped: flag }),
            };
            Command::Poses { mesh, change }
        }
        38 => {
            let mut rows = random_weights(random, 1, bone_count);
            if number_fault {
                rows = VertexWeights::none(0);
                rows.push_row([(bone as u16, number)]);
            }
            let vertices = vec![index(random, vertices) as u32];
            let painted = PaintedRows { vertices, rows };
            Command::PaintWeights { mesh, painted }
        }
        39 => Command::lock_weights(mesh, &bones, flag),
        40 => {
            let other = scene.skinned_meshes.keys().find(|name| **name != mesh).cloned();
            let from = match random.below(3) {
                0 => WeightSource::OtherSide { from_positive: flag, most: 0 },
                1 => WeightSource::Mesh { name: other.unwrap_or_else(|| mesh.clone()) },
                _ => WeightSource::Row { row: vec![(bone as u16, number)] },
            };
            let vertices = flag.then(|| vec![index(random, vertices) as u32]);
            Command::TakeWeights { mesh, vertices, from }
        }
        41 => editing::layers::any_layer_command(random, scene, &mesh, wrong),
        42 => {
            let start = random.below(50) as f32;
            // Without a sound, only the first does anything.
            Command::Sound(match random.below(4) {
                0 | 1 if wrong => SoundCommand::Set { path: String::new(), start },
                0 | 1 => SoundCommand::Set { path: "voice.wav".into(), start },
                2 => SoundCommand::Remove,
                _ => SoundCommand::SetVolume { volume: if wrong { -1.0 } else { start / 50.0 } },
            })
        }
        _ => unreachable!("there are {SKELETON_KINDS} kinds"),
    }
}

/// One or two bones for each vertex, if there are bones.
fn random_weights(random: &mut Random, vertices: usize, bones: usize) -> VertexWeights {
    let mut weights = VertexWeights::none(0);
    for _ in 0..vertices {
        let bone = random.below(bones) as u16;
        let other = bone + 1;
        let row = match random.below(3) {
            _ if bones == 0 => vec![],
            0 => vec![],
            1 if usize::from(other) < bones => vec![(bone, 0.25), (other, 0.75)],
            _ => vec![(bone, 1.0)],
        };
        weights.push_row(row);
    }
    weights
}

/// The rules must detect faults, or the walk proves nothing.
#[test]
fn the_rules_see_faults() {
    type Damage = fn(&mut Skeleton);
    let damages: [Damage; 6] = [
        |s| s.bones[1].parent = Some(1),
        |s| s.bones[1].channel_id = s.bones[0].channel_id,
        |s| s.bones[1].extent.x = f32::NAN,
        |s| s.bones[1].radius = -1.0,
        |s| s.handles[0].bone = 4,
        |s| s.bones.truncate(1),
    ];
    for (index, damage) in damages.into_iter().enumerate() {
        let mut scene = scene();
        let mut body = (*scene.skinned_meshes["Body"]).clone();
        damage(std::sync::Arc::make_mut(&mut body.skeleton));
        scene.skinned_meshes.insert("Body".into(), std::sync::Arc::new(body));
        assert!(!faults(&scene).is_empty(), "damage {index}");
    }
    assert_eq!(faults(&scene()), Vec::<String>::new());
}
