//! Measures skinning only the blocks that follow moved bones against skinning everything.

use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, character};
use glam::{DAffine3, Vec3};
use ossature::mesh::render::{RenderMesh, RenderVertex};
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skinning::Motions;
use ossature::rig::skinning::stale::{BlockBones, DirtyBlocks};
use ossature::scene::skinned::SkinnedMesh;

/// The indices of the human's bones that rotate; their descendants move along.
const LEFT_FINGERTIPS: usize = 12;
const LEFT_FOREARM: usize = 8;
const PELVIS: usize = 0;

/// A mesh that alternates between two poses.
struct Moving<'a> {
    mesh: &'a SkinnedMesh,
    render: &'a RenderMesh,
    followed: &'a BlockBones,
    bind: Vec<DAffine3>,
    poses: [Vec<DAffine3>; 2],
    motions: Motions,
    stale: DirtyBlocks,
    positions: Vec<Vec3>,
    vertices: Vec<RenderVertex>,
    /// The index of the current pose.
    current: usize,
}

impl<'a> Moving<'a> {
    fn new(mesh: &'a SkinnedMesh, render: &'a RenderMesh, followed: &'a BlockBones, bone: usize) -> Self {
        let mut rotated = (*mesh.skeleton).clone();
        rotated.bones[bone].pose_deg += Vec3::new(20.0, 5.0, -10.0);
        let mut moving = Self {
            mesh,
            render,
            followed,
            bind: bind_pose(&mesh.skeleton),
            poses: [current_pose(&mesh.skeleton), current_pose(&rotated)],
            motions: Motions::default(),
            stale: DirtyBlocks::default(),
            positions: Vec::new(),
            vertices: Vec::new(),
            current: 0,
        };
        moving.step(false);
        moving
    }

    /// Switches to the other pose. `skip`: whether blocks that no bone moved are skipped.
    fn step(&mut self, skip: bool) {
        let before = &self.poses[self.current];
        self.current = 1 - self.current;
        let current = &self.poses[self.current];
        let (motions, bind) = (&mut self.motions, &self.bind);
        motions.set(self.mesh.skinning, bind, current);
        let (followed, stale) = (self.followed, &mut self.stale);
        let marks = skip.then(|| stale.blocks(followed, [bind, before], [bind, current])).flatten();
        motions.skin_blocks(
            (marks, None),
            &self.mesh.weights,
            self.mesh.surface.positions(),
            self.render,
            &mut self.positions,
            &mut self.vertices,
        );
    }
}

pub fn lines(scale: &Scale) -> Vec<Line> {
    let Ok(scene) = character::human(if scale.quick { 0 } else { 2 }) else {
        return Vec::new();
    };
    let Some(mesh) = scene.skinned_meshes.values().next() else {
        return Vec::new();
    };
    let vertices = mesh.surface.vertex_count();
    let (render, followed) = (RenderMesh::new(&mesh.surface), BlockBones::new(&mesh.weights, vertices));
    let line = |label: &str, bone: usize| {
        let moving = || Moving::new(mesh, &render, &followed, bone);
        let (mut all, mut some) = (moving(), moving());
        let times = in_turns(scale.rounds, &mut [&mut || all.step(false), &mut || some.step(true)]);
        Line::new(
            format!(
                "LBS, human of {vertices} vertices, one core, {label}: skinning what follows, against all"
            ),
            times.ratio(1, 0),
            "of its time",
        )
        .note(format!("{} against {}", seconds(times.get(1)), seconds(times.get(0))))
    };
    vec![
        line("a finger moves", LEFT_FINGERTIPS),
        line("a forearm moves", LEFT_FOREARM),
        line("all bones move", PELVIS),
    ]
}
