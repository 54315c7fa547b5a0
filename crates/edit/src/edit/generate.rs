//! Takes of generated motions for a character: what [`crate::motion`] makes of its skeleton, as commands.

use super::command::takes::TakeCommand;
use super::command::{Command, SceneData};
use crate::anim::channel::{Animation, Channel, SkeletonChannel};
use crate::anim::clip::Clip as Timeline;
use crate::anim::contacts::{CONTACTS, DOWN, FOOT, LOOPS, SPEED, UP};
use crate::anim::spline::Spline;
use crate::anim::take::Take;
use crate::extra::{Value, array};
use crate::io::motion::timeline::GAP;
use crate::motion::{Clip, Figure, Knobs, MotionRow, SkinPoint, Unfit, generate};
use crate::rig::property::{BASE_OFFSET, POSE};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A motion to add.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub motion: &'static MotionRow,
    pub knobs: Knobs,
    /// Whether the body moves over the ground instead of on the spot.
    pub travels: bool,
}

/// A take that is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Added {
    pub name: String,
    /// The number of frames.
    pub frames: u32,
    pub clip: Clip,
}

/// Measures a character for motions.
///
/// # Errors
/// See [`Figure::new`].
pub fn figure(mesh: &SkinnedMesh) -> Result<Figure, Unfit> {
    let positions = mesh.surface.positions().iter().take(mesh.weights.vertex_count()).enumerate();
    let surface = positions.filter_map(|(vertex, point)| {
        let heaviest = |but: Option<u16>| {
            let others = mesh.weights.influences(vertex).filter(|(bone, _)| Some(*bone) != but);
            others.max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let first = heaviest(None)?;
        let second = heaviest(Some(first.0)).unwrap_or((first.0, 0.0));
        let share = f64::from(second.1) / f64::from(first.1 + second.1).max(f64::MIN_POSITIVE);
        Some(SkinPoint { place: *point, bones: [first.0, second.0].map(usize::from), second: share })
    });
    Figure::new(&mesh.skeleton, &surface.collect::<Vec<_>>())
}

/// Returns the commands that add motions to a character as takes, and what they add. Loops get a key after their last frame,
/// which is their first pose again.
///
/// # Errors
/// If the skeleton cannot make one of the motions.
pub fn commands(scene: &Scene, mesh: &str, wanted: &[Wanted]) -> Result<(Vec<Command>, Vec<Added>), Unfit> {
    let Some(skinned) = scene.skinned_meshes.get(mesh) else { return Ok((Vec::new(), Vec::new())) };
    let figure = figure(skinned)?;
    let rate = scene.animation.clip.rate;
    let mut takes = scene.animation.takes.clone();
    let start = scene.animation.last_used_frame().map_or(0, |last| last as u64 + 1 + GAP) as u32;
    let mut clips: Vec<(u32, Clip)> = Vec::new();
    let mut animation = Animation::default();
    let (mut first, mut added, mut ranges) = (0, Vec::new(), Vec::new());
    for Wanted { motion, knobs, travels } in wanted {
        let clip = generate(&figure, motion.motion, knobs, rate.into(), *travels)?;
        let last = first + clip.poses.len() as u32 - 1;
        let name = takes.free_name(motion.label, None);
        takes.list.push(Take::new(&*name, [first, last]));
        let mut take = Take::new(&*name, [first, last]);
        describe(&mut take, &clip, &skinned.skeleton);
        animation.takes.list.push(take);
        let end = if clip.loops { last - 1 } else { last };
        let range = [first, end].map(|frame| frame + start);
        ranges.push(Command::Takes(TakeCommand::SetRange { take: name.clone(), range }));
        added.push(Added { name, frames: end - first + 1, clip: clip.clone() });
        clips.push((first, clip));
        first = last + 1 + GAP as u32;
    }
    animation.clip = Timeline { rate, length: first.saturating_sub(GAP as u32), range: None };
    animation.channels.insert(mesh.to_owned(), channels(&skinned.skeleton, &clips));
    let mut skeleton = Skeleton::clone(&skinned.skeleton);
    skeleton.handles.clear();
    let mut motion = Scene { animation: Arc::new(animation), ..Scene::default() };
    let bare = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
    motion.skinned_meshes.insert(mesh.to_owned(), Arc::new(bare));
    let add = Command::AddClips { mesh: mesh.to_owned(), scene: SceneData(Arc::new(motion)) };
    Ok((std::iter::once(add).chain(ranges).collect(), added))
}

/// Returns the keys of clips at every frame, each from its first frame on.
fn channels(skeleton: &Skeleton, clips: &[(u32, Clip)]) -> BTreeMap<String, Arc<Channel>> {
    let knots = |value: &dyn Fn(&crate::motion::Pose) -> Vec3| {
        let all = clips.iter().flat_map(|(first, clip)| {
            clip.poses.iter().zip(*first..).map(|(pose, frame)| (frame as f32, value(pose)))
        });
        Arc::new(Channel::Vec3(Spline::from_knots(all.collect())))
    };
    let base = (SkeletonChannel::Base(BASE_OFFSET).to_string(), knots(&|pose| pose.base_offset.as_vec3()));
    let bones = skeleton.bones.iter().enumerate().filter(|(_, bone)| !bone.link);
    let bones = bones.map(|(index, bone)| {
        (SkeletonChannel::Bone(bone.channel_id, POSE).to_string(), knots(&|pose| pose.angles(index)))
    });
    std::iter::once(base).chain(bones).collect()
}

/// Sets the members of a take that tell of a generated motion.
fn describe(take: &mut Take, clip: &Clip, skeleton: &Skeleton) {
    let seconds = |frame: u32| Value::Float(f64::from(frame) / clip.rate);
    let mut contacts = array::Builder::default();
    for contact in &clip.contacts {
        let foot = Value::Text(skeleton.bone_name(contact.foot).into());
        let members = [(FOOT, foot), (DOWN, seconds(contact.down)), (UP, seconds(contact.up))];
        contacts.push(Err(Value::Object(members.map(|(name, value)| (name.into(), value)).into())));
    }
    take.extra.set(SPEED, Value::Float(clip.speed));
    take.extra.set(LOOPS, Value::Bool(clip.loops));
    take.extra.set(CONTACTS, Value::Array(contacts.finish()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::MOTIONS;
    use crate::rig::kinematics::{bind_pose, current_pose, tips};
    use crate::scene::apply_animation::animate;
    use glam::DVec3;
    use std::path::Path;

    #[test]
    fn feet_of_added_takes_stand_and_their_loops_close() {
        for (file, legs) in [("A4-human", 2)] {
            let media = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../media/js3d");
            let path = media.join(file).with_extension("js3d");
            let mut scene = crate::io::js3d::read_file(&path).unwrap().0;
            let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
            scene.animation = Arc::default();
            let motions = MOTIONS.iter().filter(|row| row.legs.contains(&legs));
            let wanted: Vec<Wanted> =
                motions.map(|motion| Wanted { motion, knobs: Knobs::default(), travels: false }).collect();
            let (commands, added) = commands(&scene, &mesh, &wanted).unwrap();
            for command in &commands {
                command.apply(&mut scene).unwrap();
            }
            let height = figure(&scene.skinned_meshes[&mesh]).unwrap().height;
            for (take, added) in scene.animation.takes.list.iter().zip(&added) {
                assert_eq!(take.name, added.name);
                assert_eq!(take.range[1] - take.range[0] + 1, added.frames);
                assert_eq!(take.extra.get(SPEED), Some(&Value::Float(added.clip.speed)));
                let posed = |frame: u32| {
                    let shown = animate(&scene, frame as f32);
                    let skeleton = Skeleton::clone(&shown.skinned_meshes[&mesh].skeleton);
                    let current = current_pose(&skeleton);
                    (tips(&skeleton, &current), skeleton)
                };
                if added.clip.loops {
                    let [first, last] = take.range.map(|frame| posed(frame).1);
                    let again = posed(take.range[1] + 1).1;
                    assert!(first.bones == again.bones && first.bones != last.bones, "{}", take.name);
                }
                let rest = tips(
                    &scene.skinned_meshes[&mesh].skeleton,
                    &bind_pose(&scene.skinned_meshes[&mesh].skeleton),
                );
                for contact in &added.clip.contacts {
                    let place = |frame: u32| {
                        let count = added.clip.poses.len() as u32 - 1;
                        let shown = if added.clip.loops { frame % count } else { frame };
                        let along = DVec3::Z * added.clip.speed * f64::from(frame) / added.clip.rate;
                        posed(take.range[0] + shown).0[contact.foot] + along
                    };
                    // While the ball of the foot is as high as in the bind pose: heels and toes, over which feet roll, are tested
                    // where motions are made.
                    let mut places: Vec<DVec3> = (contact.down..=contact.up).map(place).collect();
                    places.retain(|place| (place.y - rest[contact.foot].y).abs() <= 1e-4 * height);
                    let drift = places.iter().map(|at| at.distance(places[0])).fold(0.0, f64::max);
                    assert!(
                        places.len() > 1 && drift <= 1e-4 * height,
                        "{}: {:.2e} H",
                        take.name,
                        drift / height
                    );
                }
            }
        }
    }
}
