//! Tracks of everything that moves: their nodes, tolerances and knots.

use super::super::schema::{Index, Path};
use super::motion::{Motion, Source, TICKS, TRANSFORM, Track};
use super::skins::SkinExport;
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::rig::property::{BASE_OFFSET, POSE, SCALE, TRANSLATION};
use crate::scene::Scene;
use glam::{DMat3, DVec4};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Each track may be off by this fraction of the visible tolerance (a tenth of a degree, a thousandth of the
/// scale, a ten-thousandth of the size): the errors along a chain add up.
pub const TRACK_SHARE: f64 = 0.3;

/// Returns the tracks of `motion`, in the order of its values. `size` is that of the largest skinned mesh,
/// `rest` the values of the nodes themselves.
pub fn tracks(
    motion: &Motion,
    skinned: &[SkinExport],
    transforms: &BTreeMap<&str, Index>,
    spheres: &BTreeMap<&str, Vec<Index>>,
    size: f64,
    rest: Vec<DVec4>,
) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    let mut add = |path, nodes, channel: Option<ChannelRef>, turn: DMat3| {
        let rest = rest.get(tracks.len()).copied().unwrap_or_default();
        tracks.push(Track {
            nodes,
            path,
            tolerance: TRACK_SHARE
                * match path {
                    Path::Rotation => 0.1_f64.to_radians(),
                    Path::Scale => 1e-3 * rest.truncate().abs().max_element().max(1e-3),
                    _ => 1e-4 * size,
                },
            rest,
            knots: channel.as_ref().map(|channel| knots(motion.scene, channel)),
            source: channel.and_then(|channel| {
                let channel = Arc::clone(motion.scene.animation.get(&channel)?);
                Some(Source { channel, turn })
            }),
            is_joint: false,
        });
    };
    for skinned in skinned {
        let skeleton = &skinned.mesh.skeleton;
        // The effect of handles has no knots.
        let channel = |channel: SkeletonChannel| {
            skeleton.handles.is_empty().then(|| ChannelRef::new(skinned.name, channel))
        };
        let roots = skinned.instances.iter().map(|placed| placed.root);
        add(Path::Translation, roots.collect(), channel(SkeletonChannel::Base(BASE_OFFSET)), DMat3::IDENTITY);
        for (joint, &bone) in skinned.joints.bones.iter().enumerate() {
            let nodes = skinned.instances.iter().map(|placed| placed.nodes[joint]);
            let pose = SkeletonChannel::Bone(skeleton.bones[bone].channel_id, POSE);
            add(Path::Rotation, nodes.collect(), channel(pose), DMat3::IDENTITY);
        }
        let joints = &skinned.joints;
        for (path, row, list) in
            [(Path::Translation, TRANSLATION, &joints.moved), (Path::Scale, SCALE, &joints.scaled)]
        {
            for &joint in list {
                let nodes = skinned.instances.iter().map(|placed| placed.nodes[joint]);
                let id = skeleton.bones[joints.bones[joint]].channel_id;
                let turn = if path == Path::Scale { DMat3::IDENTITY } else { joints.translation_axes(joint) };
                add(path, nodes.collect(), channel(SkeletonChannel::Bone(id, row)), turn);
            }
        }
    }
    for name in &motion.transforms {
        for (path, channel) in TRANSFORM.into_iter().zip(["translation", "rotation", "scale"]) {
            add(path, vec![transforms[name]], Some(ChannelRef::new(name, channel)), DMat3::IDENTITY);
        }
    }
    for name in &motion.shapes {
        let channel = Some(ChannelRef::new(name, "radius"));
        add(Path::Scale, spheres[name].clone(), channel, DMat3::IDENTITY);
    }
    let others = TRANSFORM.len() * motion.transforms.len() + motion.shapes.len();
    let joints = tracks.len() - others;
    tracks[..joints].iter_mut().for_each(|track| track.is_joint = true);
    tracks
}

/// Returns the ticks closest to the knots of a channel at which keys can be.
fn knots(scene: &Scene, channel: &ChannelRef) -> Vec<i64> {
    let times = scene.animation.get(channel).map(|channel| channel.times());
    let tick = |frame: &f32| (f64::from(*frame) * 8.0).round() as i64 * (TICKS / 8);
    times.unwrap_or_default().iter().map(tick).collect()
}
