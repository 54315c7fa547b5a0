//! Skinning only what follows the bones that moved, against skinning everything.

use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, character};
use glam::{DAffine3, Vec3};
use ossature::mesh::render::{RenderMesh, RenderVertex};
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skinning::Motions;
use ossature::rig::skinning::stale::{BlockBones, DirtyBlocks};
use ossature::scene::skinned::SkinnedMesh;

/// The bones of the human that turn, by index; what hangs on them moves with them.
const LEFT_FINGERTIPS: usize = 12;
const LEFT_FOREARM: usize = 8;
const PELVIS: usize = 0;

/// A mesh and two poses, between which it goes back and forth.
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
    at: usize,
}

impl<'a> Moving<'a> {
    fn new(mesh: &'a SkinnedMesh, render: &'a RenderMesh, followed: &'a BlockBones, bone: usize) -> Self {
        let mut turned = (*mesh.skeleton).clone();
        turned.bones[bone].pose_deg += Vec3::new(20.0, 5.0, -10.0);
        let mut moving = Self {
            mesh,
            render,
            followed,
            bind: bind_pose(&mesh.skeleton),
            poses: [current_pose(&mesh.skeleton), current_pose(&turned)],
            motions: Motions::default(),
            stale: DirtyBlocks::default(),
            positions: Vec::new(),
            vertices: Vec::new(),
            at: 0,
        };
        moving.step(false);
        moving
    }

    /// To the other pose. `skips`: what no bone moved is left as it is.
    fn step(&mut self, skips: bool) {
        let before = &self.poses[self.at];
        self.at = 1 - self.at;
        let now = &self.poses[self.at];
        let (motions, bind) = (&mut self.motions, &self.bind);
        motions.set(self.mesh.skinning, bind, now);
        let (followed, stale) = (self.followed, &mut self.stale);
        let marks = skips
            .then(|| stale.blocks(followed, [bind, before], [bind, now]))
            .flatten();
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
    let (render, followed) = (
        RenderMesh::new(&mesh.surface),
        BlockBones::new(&mesh.weights, vertices),
    );
    let line = |what: &str, bone: usize| {
        let moving = || Moving::new(mesh, &render, &followed, bone);
        let (mut all, mut some) = (moving(), moving());
        let times = in_turns(
            scale.rounds,
            &mut [&mut || all.step(false), &mut || some.step(true)],
        );
        Line::new(
            format!(
                "LBS, human of {vertices} vertices, one core, {what}: skinning what follows, against all"
            ),
            times.ratio(1, 0),
            "of its time",
        )
        .note(format!(
            "{} against {}",
            seconds(times.get(1)),
            seconds(times.get(0))
        ))
    };
    vec![
        line("a finger moves", LEFT_FINGERTIPS),
        line("a forearm moves", LEFT_FOREARM),
        line("all bones move", PELVIS),
    ]
}
