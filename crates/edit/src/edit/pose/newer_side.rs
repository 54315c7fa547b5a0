//! Finds the side of a skeleton that was changed last, for mirroring: nobody wants to lose their latest work.

use crate::edit::session::Session;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::body::sides::{are_mirrored, pairs};
use crate::rig::kinematics::{bind_pose, parent_of};
use crate::rig::skeleton::Skeleton;
use glam::{DAffine3, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the bones to copy when mirroring `bones` of `mesh`: from each pair of given bones that are each
/// other's other side, the one on the side that was changed last; all, if that side is unknown. Also returns
/// that side: 0 is the first one, 1 the second one.
///
/// The steps that can be undone are searched from the latest one back to where both sides were mirror images.
/// The first of them that changed only one side decides.
pub fn sources(
    session: &Session,
    mesh: &str,
    bones: &[usize],
    plane: &MirrorPlane,
) -> (Vec<usize>, Option<usize>) {
    let Some(current) = session.scene().skinned_meshes.get(mesh) else {
        return (bones.to_vec(), None);
    };
    let pairs = pairs(&current.skeleton, bones, plane);
    let newer = newer(session, mesh, &current.skeleton, &pairs, plane);
    let mut sources = bones.to_vec();
    if let Some(newer) = newer {
        let older = |bone: &usize| {
            let pair = pairs.iter().find(|pair| pair[1 - newer] == *bone);
            pair.is_some_and(|pair| bones.contains(&pair[newer]))
        };
        sources.retain(|bone| !older(bone));
    }
    (sources, newer)
}

fn newer(
    session: &Session,
    mesh: &str,
    current: &Skeleton,
    pairs: &[[usize; 2]],
    plane: &MirrorPlane,
) -> Option<usize> {
    if pairs.is_empty() {
        return None;
    }
    let ids = pairs.iter().map(|pair| pair.map(|bone| current.bones[bone].channel_id));
    let ids: Vec<[u32; 2]> = ids.collect();
    let history = session.history();
    for entry in history.entries()[..history.cursor()].iter().rev() {
        let [before, after] = [&entry.before, &entry.after]
            .map(|snapshot| snapshot.without_weights().scene.skinned_meshes.get(mesh));
        let (Some(before), Some(after)) = (before, after) else {
            return None;
        };
        if Arc::ptr_eq(&before.skeleton, &after.skeleton) {
            continue;
        }
        let [before, after] = [before, after].map(|skinned| Shapes::new(&skinned.skeleton));
        let indices: Option<Vec<[usize; 2]>> = ids.iter().map(|pair| after.indices(*pair)).collect();
        if indices.is_some_and(|indices| are_mirrored(after.skeleton, &indices, plane)) {
            return None;
        }
        let changed =
            |side: usize| ids.iter().any(|pair| before.shape(pair[side]) != after.shape(pair[side]));
        match [changed(0), changed(1)] {
            [true, false] => return Some(0),
            [false, true] => return Some(1),
            _ => {}
        }
    }
    None
}

/// The shapes of a skeleton's bones, by channel id.
struct Shapes<'a> {
    skeleton: &'a Skeleton,
    bind: Vec<DAffine3>,
    indices: HashMap<u32, usize>,
}

impl<'a> Shapes<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        let ids = skeleton.bones.iter().map(|bone| bone.channel_id);
        Self {
            skeleton,
            bind: bind_pose(skeleton),
            indices: ids.enumerate().map(|(index, id)| (id, index)).collect(),
        }
    }

    fn indices(&self, [a, b]: [u32; 2]) -> Option<[usize; 2]> {
        Some([*self.indices.get(&a)?, *self.indices.get(&b)?])
    }

    /// Returns head, tail, roll, radius and parent; `None` if there is no such bone.
    fn shape(&self, id: u32) -> Option<(DVec3, DVec3, f32, f32, Option<u32>)> {
        let index = *self.indices.get(&id)?;
        let bone = &self.skeleton.bones[index];
        let start = self.bind[index].translation;
        let parent = parent_of(self.skeleton, index).map(|parent| self.skeleton.bones[parent].channel_id);
        Some((start, start + bone.extent.as_dvec3(), bone.roll_deg, bone.radius, parent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::command::Command;
    use crate::edit::testing::session_with;
    use crate::rig::edits::add_bone;
    use crate::scene::skinned::SkinnedMesh;
    use glam::Vec3;

    /// Returns a spine with two arms that are mirror images: bone 1 left, bone 2 right.
    fn session() -> (Session, String) {
        let mut skeleton = Skeleton::default();
        for (id, extent) in [(0_u32, Vec3::Y), (1, Vec3::X), (2, Vec3::NEG_X)] {
            add_bone(&mut skeleton, id.checked_sub(1).map(|_| 0), extent, 0.1, id);
        }
        for (bone, name) in [(1, "Arm.L"), (2, "Arm.R")] {
            skeleton.bones[bone].name = Some(name.into());
        }
        let session = session_with(SkinnedMesh { skeleton: skeleton.into(), ..SkinnedMesh::default() });
        let mesh = session.scene().skinned_meshes.keys().next().unwrap().clone();
        (session, mesh)
    }

    fn move_tip(session: &mut Session, mesh: &str, bone: usize, offset: Vec3) {
        let extent = session.scene().skinned_meshes[mesh].skeleton.bones[bone].extent + offset;
        let mesh = mesh.to_owned();
        session.apply(&[Command::MoveTip { mesh, bone, extent }]).unwrap();
    }

    const ALL: [usize; 3] = [0, 1, 2];

    #[test]
    fn the_side_that_was_changed_last_is_copied() {
        let (mut session, mesh) = session();
        let sources = |session: &Session, bones: &[usize]| sources(session, &mesh, bones, &MirrorPlane::X);
        assert_eq!(sources(&session, &ALL), (ALL.to_vec(), None));
        move_tip(&mut session, &mesh, 1, Vec3::Z);
        assert_eq!(sources(&session, &ALL), (vec![0, 1], Some(0)));
        move_tip(&mut session, &mesh, 2, Vec3::Y);
        assert_eq!(sources(&session, &ALL), (vec![0, 2], Some(1)));
        // A step that changes both sides, or neither, does not decide.
        move_tip(&mut session, &mesh, 0, Vec3::Z);
        assert_eq!(sources(&session, &ALL), (vec![0, 2], Some(1)));
        // A single side is copied as requested.
        assert_eq!(sources(&session, &[1]), (vec![1], Some(1)));
        session.undo();
        session.undo();
        assert_eq!(sources(&session, &ALL), (vec![0, 1], Some(0)));
    }

    /// Mirroring changes one side, but does not make it newer.
    #[test]
    fn changes_before_both_sides_were_mirrored_do_not_count() {
        let (mut session, mesh) = session();
        let newer = |session: &Session| sources(session, &mesh, &ALL, &MirrorPlane::X).1;
        move_tip(&mut session, &mesh, 1, Vec3::Z);
        let mirror = Command::MirrorBones { mesh: mesh.clone(), bones: vec![1], axis: None };
        session.apply(&[mirror]).unwrap();
        assert_eq!(newer(&session), None);
        move_tip(&mut session, &mesh, 0, Vec3::X);
        assert_eq!(newer(&session), None, "the spine leans: neither arm was touched alone");
        move_tip(&mut session, &mesh, 1, Vec3::Y);
        assert_eq!(newer(&session), Some(0));
    }

    #[test]
    fn a_radius_and_a_roll_count_too() {
        let (mut session, mesh) = session();
        let (name, bone, radius) = (mesh.clone(), 2, 0.3);
        session.apply(&[Command::set_bone(name, bone, "radius", radius)]).unwrap();
        assert_eq!(sources(&session, &mesh, &ALL, &MirrorPlane::X), (vec![0, 2], Some(1)));
    }
}
