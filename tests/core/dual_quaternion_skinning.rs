//! Dual quaternion skinning against a reference in f64 matrices and quaternions, and its purpose: twisted
//! limbs that keep their girth.

use crate::rig_support::tube_of_five;
use glam::{DAffine3, DQuat, DVec3, Vec3};
use ossature::math::dual::DualQuat;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skeleton::{Bone, Skeleton};
use ossature::rig::skinning::{dual, linear, skinning_matrices};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;

fn posed(skeleton: &Skeleton, poses_deg: [Vec3; 5]) -> Skeleton {
    let mut skeleton = skeleton.clone();
    for (bone, pose) in skeleton.bones.iter_mut().zip(poses_deg) {
        bone.pose_deg = pose;
    }
    skeleton
}

const POSES: [Vec3; 5] = [
    Vec3::new(20.0, -35.0, 50.0),
    Vec3::new(-70.0, 10.0, 5.0),
    Vec3::new(0.0, 95.0, -20.0),
    Vec3::new(15.0, -60.0, 33.0),
    Vec3::new(-5.0, 150.0, 12.0),
];

type Skinned = (Vec<Vec3>, Vec<Vec3>);

fn by_dual(skeleton: &Skeleton, weights: &VertexWeights, mesh: &HalfedgeMesh) -> Skinned {
    let (mut positions, mut normals) = (vec![], vec![]);
    let motions = dual::bone_motions(&bind_pose(skeleton), &current_pose(skeleton));
    let render = RenderMesh::new(mesh);
    dual::skin(&motions, weights, mesh.positions(), &render, &mut positions, &mut normals);
    (positions, normals)
}

fn by_matrices(skeleton: &Skeleton, weights: &VertexWeights, mesh: &HalfedgeMesh) -> Skinned {
    let (mut positions, mut normals) = (vec![], vec![]);
    let matrices = skinning_matrices(&bind_pose(skeleton), &current_pose(skeleton));
    let render = RenderMesh::new(mesh);
    linear::skin(&matrices, weights, mesh.positions(), &render, &mut positions, &mut normals);
    (positions, normals)
}

fn largest_difference(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// The definition: a sum in f64, signs aligned to the heaviest influence, divided by the dual norm.
fn reference(motions: &[DAffine3], weights: &VertexWeights, v: usize) -> Option<DAffine3> {
    let heaviest = weights.influences(v).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let of = |bone: u16| DualQuat::from_affine(&motions[usize::from(bone)]);
    let pivot = of(heaviest.0).real;
    let signed = |bone| {
        let q = of(bone);
        if q.real.dot(pivot) < 0.0 { -q } else { q }
    };
    let sum =
        weights.influences(v).map(|(bone, weight)| signed(bone) * f64::from(weight)).reduce(|a, b| a + b)?;
    Some(sum.normalize().to_affine())
}

#[test]
fn it_is_the_normalised_sum() {
    let (mesh, skeleton) = tube_of_five(24, 200);
    let weights = capsule_weights(&skeleton, mesh.positions());
    let skeleton = posed(&skeleton, POSES);
    let (positions, normals) = by_dual(&skeleton, &weights, &mesh);
    let motions: Vec<DAffine3> = bind_pose(&skeleton)
        .iter()
        .zip(current_pose(&skeleton))
        .map(|(bind, current)| current * bind.inverse())
        .collect();
    for (v, bind) in mesh.positions().iter().enumerate() {
        let expected = reference(&motions, &weights, v).unwrap();
        let expected = expected.transform_point3(bind.as_dvec3());
        assert!((positions[v].as_dvec3() - expected).length() < 1e-5, "vertex {v}");
    }
    let render = RenderMesh::new(&mesh);
    for (r, (&v, bind)) in render.vertex.iter().zip(&render.normal).enumerate() {
        let motion = reference(&motions, &weights, v as usize).unwrap();
        let expected = motion.transform_vector3(bind.as_dvec3());
        assert!((normals[r].as_dvec3() - expected).length() < 1e-5, "render vertex {r}");
    }
}

#[test]
fn with_one_influence_it_is_linear_blending() {
    let (mesh, skeleton) = tube_of_five(16, 60);
    let of_height = |p: &Vec3| ((p.y / 2.0).floor() as u16).min(4);
    let weights = VertexWeights {
        ends: (1..=mesh.vertex_count() as u32).collect(),
        bones: mesh.positions().iter().map(of_height).collect(),
        weights: vec![1.0; mesh.vertex_count()],
    };
    let skeleton = posed(&skeleton, POSES);
    let (a, b) = (by_dual(&skeleton, &weights, &mesh), by_matrices(&skeleton, &weights, &mesh));
    assert!(largest_difference(&a.0, &b.0) < 1e-5);
    assert!(largest_difference(&a.1, &b.1) < 1e-5);
}

#[test]
fn a_half_turn_keeps_the_girth_where_linear_blending_loses_it() {
    let (mesh, skeleton) = tube_of_five(32, 200);
    let weights = capsule_weights(&skeleton, mesh.positions());
    let mut poses = [Vec3::ZERO; 5];
    poses[2].y = 180.0;
    let skeleton = posed(&skeleton, poses);
    let thinnest = |positions: &[Vec3]| {
        let ring = |p: &&Vec3| (0.5..9.5).contains(&p.y);
        let girth = positions.iter().filter(ring).map(|p| p.x.hypot(p.z));
        girth.fold(f32::INFINITY, f32::min)
    };
    assert!(thinnest(&by_dual(&skeleton, &weights, &mesh).0) > 0.4999);
    assert!(thinnest(&by_matrices(&skeleton, &weights, &mesh).0) < 0.05);
}

#[test]
fn signs_and_the_order_of_weights_do_not_matter() {
    let (mesh, skeleton) = tube_of_five(12, 40);
    let weights = capsule_weights(&skeleton, mesh.positions());
    let skeleton = posed(&skeleton, POSES);
    let expected = by_dual(&skeleton, &weights, &mesh);
    let mut reversed = VertexWeights::none(0);
    for (bones, of) in weights.rows() {
        reversed.bones.extend(bones.iter().rev());
        reversed.weights.extend(of.iter().rev());
        reversed.ends.push(reversed.bones.len() as u32);
    }
    let found = by_dual(&skeleton, &reversed, &mesh);
    assert!(largest_difference(&found.0, &expected.0) < 1e-5);
}

/// Two bones that meet at a joint, the second turned by an angle about an axis through it, and every vertex
/// on both with the same weights. Blended matrices shrink a twist by a known factor; dual quaternions turn
/// every point about the joint by a known angle (Kavan et al. 2008, section 3).
#[test]
fn twists_and_bends_are_those_of_the_closed_forms() {
    let mesh = primitives::tube(0.5, 4.0, 12, 8).unwrap();
    let bone = |parent| Bone { extent: 2.0 * Vec3::Y, parent, ..Bone::default() };
    let skeleton = Skeleton { bones: vec![bone(None), bone(Some(0))], ..Skeleton::default() };
    let joint = DVec3::new(0.0, 2.0, 0.0);
    for (step, axis) in (0..=17).flat_map(|step| [(step, Vec3::X), (step, Vec3::Y)]) {
        let angle_deg = 10.0 * step as f32;
        let half = f64::from(angle_deg).to_radians() / 2.0;
        let mut turned = skeleton.clone();
        turned.bones[1].pose_deg = axis * angle_deg;
        for tenth in 0..=10 {
            let w1 = f64::from(tenth) / 10.0;
            let w0 = 1.0 - w1;
            let mut weights = VertexWeights::none(0);
            for v in 0..mesh.vertex_count() as u32 {
                weights.bones.extend([0, 1]);
                weights.weights.extend([w0 as f32, w1 as f32]);
                weights.ends.push(2 * (v + 1));
            }
            let what = format!("{angle_deg} degrees about {axis}, {w1}");
            let turn = 2.0 * (w1 * half.sin()).atan2(w0 + w1 * half.cos());
            let turn = DQuat::from_axis_angle(axis.as_dvec3(), turn);
            let dual = by_dual(&turned, &weights, &mesh).0;
            let linear = by_matrices(&turned, &weights, &mesh).0;
            let shrunk = (1.0 - 4.0 * w0 * w1 * half.sin().powi(2)).sqrt();
            for ((p, dual), linear) in mesh.positions().iter().zip(dual).zip(linear) {
                let p = p.as_dvec3();
                let expected = joint + turn * (p - joint);
                assert!((dual.as_dvec3() - expected).length() < 1e-5, "{what}: {dual} {expected}");
                // Measures the distance from the axis; points along it do not move.
                let off = |q: DVec3| (q - joint).reject_from(axis.as_dvec3()).length();
                assert!((off(linear.as_dvec3()) - shrunk * off(p)).abs() < 1e-5, "{what}: {linear}");
            }
        }
    }
}

#[test]
fn a_rigid_motion_of_all_bones_moves_the_mesh_rigidly() {
    let (mesh, skeleton) = tube_of_five(12, 40);
    let weights = capsule_weights(&skeleton, mesh.positions());
    let mut moved = skeleton.clone();
    moved.bones[0].pose_deg = Vec3::new(40.0, 170.0, -25.0);
    moved.base_offset = Vec3::new(3.0, -1.0, 2.0);
    let motion = current_pose(&moved)[0] * bind_pose(&moved)[0].inverse();
    let rotation = DQuat::from_mat3(&motion.matrix3);
    for (positions, normals) in [by_dual(&moved, &weights, &mesh), by_matrices(&moved, &weights, &mesh)] {
        for (found, bind) in positions.iter().zip(mesh.positions()) {
            let expected = motion.transform_point3(bind.as_dvec3());
            assert!((found.as_dvec3() - expected).length() < 1e-5);
        }
        for (found, bind) in normals.iter().zip(&RenderMesh::new(&mesh).normal) {
            assert!((found.as_dvec3() - rotation * bind.as_dvec3()).length() < 1e-5);
        }
    }
}

#[test]
fn vertices_without_weights_stay_and_bad_weights_do_not_panic() {
    let (mesh, skeleton) = tube_of_five(6, 2);
    let skeleton = posed(&skeleton, POSES);
    let none = VertexWeights::none(mesh.vertex_count());
    assert_eq!(by_dual(&skeleton, &none, &mesh).0, mesh.positions());
    let count = mesh.vertex_count();
    for weight in [0.0, f32::NAN, f32::INFINITY] {
        let weights = VertexWeights {
            ends: (1..=count as u32).collect(),
            bones: vec![2; count],
            weights: vec![weight; count],
        };
        let (positions, _) = by_dual(&skeleton, &weights, &mesh);
        assert!(positions.iter().all(|p| p.is_finite()), "{weight}");
    }
    let nowhere = VertexWeights {
        ends: (1..=count as u32).collect(),
        bones: vec![99; count],
        weights: vec![1.0; count],
    };
    assert!(largest_difference(&by_dual(&skeleton, &nowhere, &mesh).0, mesh.positions()) < 1e-6);
    assert_eq!(DVec3::ZERO, DualQuat::IDENTITY.translation());
}
