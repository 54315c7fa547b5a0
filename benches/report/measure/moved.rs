//! Measures a character all of whose bones are moved and scaled against the same one whose bones only turn.

use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, character};
use glam::Vec3;
use ossature::mesh::render::{RenderMesh, RenderVertex};
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skeleton::Skeleton;
use ossature::rig::skinning::{Method, Motions};
use ossature::scene::skinned::SkinnedMesh;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let Ok(scene) = character::human(if scale.quick { 0 } else { 2 }) else { return Vec::new() };
    let Some(mesh) = scene.skinned_meshes.values().next() else { return Vec::new() };
    let mut turned = Skeleton::clone(&mesh.skeleton);
    for (index, bone) in turned.bones.iter_mut().enumerate() {
        bone.pose_deg += Vec3::new(20.0, 5.0, -10.0) * (index as f32).sin();
    }
    let mut moved = turned.clone();
    for (index, bone) in moved.bones.iter_mut().enumerate() {
        let by = (index as f32).cos();
        bone.translation = 0.02 * by * bone.extent;
        bone.scale = Vec3::new(1.0 + 0.1 * by, 1.0 - 0.05 * by, 1.0);
    }
    let mut lines = vec![kinematics(scale, &turned, &moved)];
    lines.extend(
        [Method::LINEAR, Method::DUAL_QUATERNION]
            .map(|method| skinning(scale, mesh, method, [&turned, &moved])),
    );
    lines
}

/// How often kinematics are computed in a round, so that it takes long enough to be measured.
const REPEATS: usize = 1000;

fn kinematics(scale: &Scale, turned: &Skeleton, moved: &Skeleton) -> Line {
    let repeated = |skeleton: &Skeleton| {
        for _ in 0..REPEATS {
            std::hint::black_box(current_pose(std::hint::black_box(skeleton)));
        }
    };
    let times = in_turns(scale.rounds, &mut [&mut || repeated(turned), &mut || repeated(moved)]);
    let time = |index| seconds(times.get(index) / REPEATS as f64);
    Line::new(
        "kinematics, human, all bones moved and scaled, against turned only",
        times.ratio(1, 0),
        "of its time",
    )
    .note(format!("{} against {}", time(1), time(0)))
}

fn skinning(scale: &Scale, mesh: &SkinnedMesh, method: Method, skeletons: [&Skeleton; 2]) -> Line {
    let bind = bind_pose(&mesh.skeleton);
    let render = RenderMesh::new(&mesh.surface);
    let vertices = mesh.surface.vertex_count();
    let [turned, moved] = skeletons.map(|skeleton| Motions::new(method, &bind, &current_pose(skeleton)));
    let skin = |motions: &Motions, (positions, vertices): &mut (Vec<Vec3>, Vec<RenderVertex>)| {
        motions.skin_blocks(
            (None, None),
            &mesh.weights,
            mesh.surface.positions(),
            &render,
            positions,
            vertices,
        );
    };
    let mut out = [(); 2].map(|()| Default::default());
    let [out_turned, out_moved] = &mut out;
    let times =
        in_turns(scale.rounds, &mut [&mut || skin(&turned, out_turned), &mut || skin(&moved, out_moved)]);
    let time = |index| seconds(times.get(index) / vertices as f64);
    let name = if method == Method::LINEAR { "LBS" } else { "DQS" };
    let label = format!(
        "{name}, human of {vertices} vertices, one core, all bones moved and scaled, against turned only"
    );
    Line::new(label, times.ratio(1, 0), "of its time").note(format!(
        "{} a vertex against {} a vertex",
        time(1),
        time(0)
    ))
}
