//! Changes of the values of keys, component by component, and new keys on a curve. This module only reads the scene; commands
//! change it.

use crate::anim::channel::{Channel, ChannelRef, Value};
use crate::anim::mode::{Mode, SideMode, Slope, Slopes};
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeySlopes, KeyframeValues, Purpose};
use crate::edit::time::keying;
use crate::scene::{Scene, channels};

/// Returns the command that adds `offset` to a component of the values of keys; `None` if none of them has it.
pub fn offset(scene: &Scene, keys: &[ChannelKeys], component: usize, offset: f32) -> Option<KeyCommand> {
    changed(scene, keys, component, |value| value + offset)
}

/// Returns the command that sets a component of the values of keys; `None` if none of them has it.
pub fn set(scene: &Scene, keys: &[ChannelKeys], component: usize, value: f32) -> Option<KeyCommand> {
    changed(scene, keys, component, |_| value)
}

/// Returns the command that scales a component of the values of keys about the value `pivot`, with the slopes that are set;
/// `None` if none of them has it.
pub fn scale(
    scene: &Scene,
    keys: &[ChannelKeys],
    component: usize,
    pivot: f32,
    factor: f32,
) -> Option<KeyCommand> {
    let mut command = changed(scene, keys, component, |value| pivot + (value - pivot) * factor)?;
    if let KeyCommand::Put { knots, .. } = &mut command {
        for shape in knots.iter_mut().flat_map(|keys| &mut keys.modes) {
            shape.slopes = shape.slopes.map(|slope| {
                let scaled = slope.component(component).map(|rise| rise * factor);
                scaled.and_then(|rise| slope.with_component(component, rise)).unwrap_or(slope)
            });
        }
    }
    Some(command)
}

fn changed(
    scene: &Scene,
    keys: &[ChannelKeys],
    component: usize,
    change: impl Fn(f32) -> f32,
) -> Option<KeyCommand> {
    let mut knots = keying::copy(scene, keys);
    for KeyframeValues { knots, modes, .. } in &mut knots {
        let new_value = |value: Value| value.with_component(component, change(value.component(component)?));
        let changed = knots.iter().map(|&(frame, value)| Some((frame, new_value(value)?)));
        match changed.collect::<Option<Vec<_>>>() {
            Some(changed) => *knots = changed,
            None => (*knots, *modes) = Default::default(),
        }
    }
    knots.retain(|values| !values.knots.is_empty());
    (!knots.is_empty()).then_some(KeyCommand::Put { purpose: Purpose::Value, knots })
}

/// Returns the command that inserts a key with the value that a channel has at `frame`, and with the mode of the key before: the curve
/// stays as it is. `None` without keys, or if there is a key.
pub fn insert(scene: &Scene, channel: &ChannelRef, frame: f32) -> Option<KeyCommand> {
    let found = scene.animation.get(channel)?;
    let value = found.at(frame).filter(|_| found.key(frame).is_none())?;
    let before = found.key_before(frame).or_else(|| found.times().first().copied())?;
    let mode = match found.key_mode(before)? {
        // Twice the same ease would be another curve.
        Mode::Ease(_) => Mode::Clamped,
        mode => mode,
    };
    let knots = vec![KeyframeValues {
        channel: channel.clone(),
        knots: vec![(frame, value)],
        modes: vec![mode.into()],
    }];
    Some(KeyCommand::Put { purpose: Purpose::Insert, knots })
}

/// A change of the slopes of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlopeChange {
    /// Both sides keep the slopes that they have.
    Free,
    /// The modes of the intervals decide on both sides.
    Automatic,
    /// Both sides get the same slope, their mean.
    Join,
    /// The side before the key (0) or behind it (1) gets a mode, or is level without one.
    Side(usize, Option<SideMode>),
}

impl SlopeChange {
    /// Returns the slopes of a key at a frame; `None` if the curve has none that this can change.
    fn slopes(self, keys: &Channel, frame: f32) -> Option<Slopes<Value>> {
        let shape = keys.key_shape(frame)?;
        let current = keys.slopes(frame)?;
        let sides = keys.cubic_sides(frame);
        Some(match self {
            Self::Free => Slopes::fixed(Some(current[0]), Some(current[1])),
            Self::Automatic => Slopes::default(),
            Self::Join => {
                let joined = match sides {
                    [true, true] => current[0].combined(current[1], |a, b| 0.5 * (a + b)),
                    // A straight line, or another curve without slopes, goes on smoothly.
                    [true, false] => current[1],
                    [false, true] => current[0],
                    [false, false] => return None,
                };
                Slopes::fixed(Some(joined), Some(joined))
            }
            Self::Side(side, mode) => {
                sides[side].then_some(())?;
                let slope = mode.map_or(Slope::Set(current[0].scaled(0.0)), Slope::Of);
                match side {
                    0 => Slopes { arrive: Some(slope), ..shape.slopes },
                    _ => Slopes { leave: Some(slope), ..shape.slopes },
                }
            }
        })
    }
}

/// Returns the command that changes the slopes of keys; `None` if none of the keys has slopes that can be changed like that.
pub fn set_slopes(scene: &Scene, keys: &[ChannelKeys], change: SlopeChange) -> Option<KeyCommand> {
    let slopes = keys.iter().flat_map(|ChannelKeys { channel, frames }| {
        let found = scene.animation.get(channel);
        let slopes = move |frame: f32| {
            let slopes = change.slopes(found?, frame)?;
            Some(KeySlopes { channel: channel.clone(), frame, slopes })
        };
        frames.iter().filter_map(move |frame| slopes(*frame))
    });
    let keys: Vec<KeySlopes> = slopes.collect();
    (!keys.is_empty()).then_some(KeyCommand::SetSlopes { keys })
}

/// Returns those of the keys whose channels drive the same property as `channel`, such as the rotations of bones.
pub fn of_property(keys: &[ChannelKeys], channel: &ChannelRef) -> Vec<ChannelKeys> {
    fn property(channel: &ChannelRef) -> &str {
        channel.channel.rsplit('.').next().unwrap_or_default()
    }
    keys.iter().filter(|keys| property(&keys.channel) == property(channel)).cloned().collect()
}

/// Returns the unit of the values of a channel, such as "°", or nothing. A channel of a layer has that of the channel that it
/// changes.
pub fn unit(scene: &Scene, channel: &ChannelRef) -> &'static str {
    channels::info(scene, channel).map_or("", |info| info.unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::blends::Blend;
    use crate::anim::channel::Channel;
    use crate::anim::filters::Filter;
    use crate::anim::layer::{Layer, LayerKind, LayerStack};
    use crate::edit::command::Command;
    use crate::rig::skeleton::{Bone, Skeleton};
    use crate::scene::skinned::SkinnedMesh;
    use glam::Vec3;
    use std::sync::Arc;

    /// A bone with clamped keys of (0, 1, 2) at frame 0 and (10, 11, 12) at 10.
    fn scene() -> (Scene, ChannelRef) {
        let mut scene = Scene::default();
        let skeleton = Arc::new(Skeleton { bones: vec![Bone::default()], ..Skeleton::default() });
        let skinned = SkinnedMesh { skeleton, ..SkinnedMesh::default() };
        scene.skinned_meshes.insert("Body".into(), Arc::new(skinned));
        let channel = ChannelRef::new("Body", "bone.0.pose");
        let knots = [0.0, 10.0].map(|frame| (frame, Value::Vec3(Vec3::new(0.0, 1.0, 2.0) + frame)));
        let values = KeyframeValues {
            channel: channel.clone(),
            knots: knots.to_vec(),
            modes: vec![Mode::Clamped.into(); 2],
        };
        let put = KeyCommand::Put { purpose: Purpose::Paste, knots: vec![values] };
        Command::Keys(put).apply(&mut scene).unwrap();
        (scene, channel)
    }

    fn after(mut scene: Scene, command: KeyCommand, channel: &ChannelRef) -> Channel {
        Command::Keys(command).apply(&mut scene).unwrap();
        (**scene.animation.get(channel).unwrap()).clone()
    }

    #[test]
    fn one_component_changes_and_the_mode_stays() {
        let (scene, channel) = scene();
        let keys = [ChannelKeys { channel: channel.clone(), frames: vec![10.0, 99.0] }];
        let command = offset(&scene, &keys, 1, -4.0).unwrap();
        assert_eq!(Command::Keys(command.clone()).label(&scene), "Change the value of 1 key");
        let changed = after(scene.clone(), command, &channel);
        assert_eq!(changed.key(10.0), Some(Value::Vec3(Vec3::new(10.0, 7.0, 12.0))));
        assert_eq!(changed.key(0.0), Some(Value::Vec3(Vec3::new(0.0, 1.0, 2.0))));
        assert_eq!(changed.key_modes(), [Mode::Clamped; 2]);
        let changed = after(scene.clone(), set(&scene, &keys, 0, 3.5).unwrap(), &channel);
        assert_eq!(changed.key(10.0), Some(Value::Vec3(Vec3::new(3.5, 11.0, 12.0))));
        assert_eq!(offset(&scene, &keys, 3, 1.0), None, "no such component");
    }

    #[test]
    fn values_and_slopes_are_scaled_about_a_value() {
        let (scene, channel) = scene();
        let keys = [ChannelKeys { channel: channel.clone(), frames: vec![0.0, 10.0] }];
        let scene = {
            let mut scene = scene;
            Command::Keys(set_slopes(&scene, &keys, SlopeChange::Free).unwrap()).apply(&mut scene).unwrap();
            scene
        };
        let before = scene.animation.get(&channel).unwrap().clone();
        let changed = after(scene.clone(), scale(&scene, &keys, 1, 3.0, -2.0).unwrap(), &channel);
        assert_eq!(changed.key(0.0), Some(Value::Vec3(Vec3::new(0.0, 7.0, 2.0))));
        assert_eq!(changed.key(10.0), Some(Value::Vec3(Vec3::new(10.0, -13.0, 12.0))));
        let at = |channel: &Channel, component: usize| channel.at(4.0).unwrap().component(component).unwrap();
        assert!((at(&changed, 1) - (3.0 - 2.0 * (at(&before, 1) - 3.0))).abs() < 1e-3, "the curve is scaled");
        assert_eq!([0, 2].map(|i| at(&changed, i)), [0, 2].map(|i| at(&before, i)));
        assert_eq!(scale(&scene, &keys, 3, 0.0, 2.0), None, "no such component");
    }

    #[test]
    fn units_are_those_of_what_a_channel_changes() {
        let (mut scene, channel) = scene();
        let layer = Layer::new(4, "Fix", LayerKind::Additive);
        let [pose, weight] = [layer.channel("bone.0.pose"), layer.weight_channel()];
        assert_eq!(unit(&scene, &ChannelRef::new("Body", &pose)), "", "no such layer");
        let animation = Arc::make_mut(&mut scene.animation);
        animation.layers.insert("Body".into(), LayerStack { list: vec![layer], active: None });
        scene.cameras.insert("Eye".into(), Arc::default());
        let units = [&channel.channel, &pose, &weight, &"base_offset".to_owned()]
            .map(|name| unit(&scene, &ChannelRef::new("Body", name)));
        assert_eq!(units, ["°", "°", "", ""]);
        assert_eq!(unit(&scene, &ChannelRef::new("Eye", "vertical_fov")), "°");
        assert_eq!(unit(&scene, &ChannelRef::new("Nobody", "bone.0.pose")), "");
    }

    /// Blends, pastes and numbers alike; a difference in an additive layer has no range.
    #[test]
    fn keys_stay_in_the_range_of_what_they_drive() {
        let (mut scene, _) = scene();
        scene.cameras.insert("Eye".into(), Arc::default());
        let list = [LayerKind::Additive, LayerKind::Override]
            .into_iter()
            .enumerate()
            .map(|(id, kind)| Layer::new(id as u32, kind.name(), kind));
        let stack = LayerStack { list: list.collect(), active: None };
        Arc::make_mut(&mut scene.animation).layers.insert("Body".into(), stack);
        let [least, most] = [Vec3::splat(-5.0), Vec3::splat(1e9)].map(Value::Vec3);
        for (resource, name, [low, high], expected) in [
            ("Body", "layer.1.weight", [-0.5, 1.5].map(Value::Float), [0.0, 1.0].map(Value::Float)),
            ("Eye", "vertical_fov", [-5.0, 500.0].map(Value::Float), [1.0, 179.0].map(Value::Float)),
            ("Body", "layer.0.bone.0.pose", [least, most], [least, most]),
        ] {
            let channel = ChannelRef::new(resource, name);
            let knots = vec![(0.0, low), (10.0, high)];
            let values = KeyframeValues { channel: channel.clone(), knots, modes: Vec::new() };
            let paste = KeyCommand::Put { purpose: Purpose::Paste, knots: vec![values] };
            let pasted = after(scene.clone(), paste, &channel);
            assert_eq!([0.0, 10.0].map(|frame| pasted.key(frame).unwrap()), expected, "{name}");
        }
        let channel = ChannelRef::new("Body", "layer.1.weight");
        let knots = vec![(0.0, Value::Float(0.2)), (10.0, Value::Float(0.9))];
        let values = KeyframeValues { channel: channel.clone(), knots, modes: Vec::new() };
        let paste = KeyCommand::Put { purpose: Purpose::Paste, knots: vec![values] };
        Command::Keys(paste).apply(&mut scene).unwrap();
        let keys = vec![ChannelKeys { channel: channel.clone(), frames: vec![0.0, 10.0] }];
        let filter = Filter::Blend { blend: Blend::Mean, amount: 1.0, component: None };
        let blended = after(scene.clone(), KeyCommand::Filter { keys: keys.clone(), filter }, &channel);
        assert_eq!([0.0, 10.0].map(|frame| blended.key(frame)), [0.0, 1.0].map(|w| Some(Value::Float(w))));
        let raised = after(scene.clone(), offset(&scene, &keys, 0, 0.5).unwrap(), &channel);
        assert_eq!([0.0, 10.0].map(|frame| raised.key(frame)), [0.7, 1.0].map(|w| Some(Value::Float(w))));
    }

    #[test]
    fn a_new_key_is_on_the_curve() {
        let (scene, channel) = scene();
        let before = scene.animation.get(&channel).unwrap().clone();
        let changed = after(scene.clone(), insert(&scene, &channel, 4.0).unwrap(), &channel);
        for frame in 0..=20 {
            let [a, b] = [&before, &changed].map(|curve| curve.at(0.5 * frame as f32).unwrap());
            assert!((0..3).all(|i| (a.component(i).unwrap() - b.component(i).unwrap()).abs() < 1e-4));
        }
        assert_eq!(changed.times(), [0.0, 4.0, 10.0]);
        assert_eq!((changed.key(4.0), changed.key_mode(4.0)), (before.at(4.0), Some(Mode::Clamped)));
        assert_eq!(insert(&scene, &channel, 10.0), None);
        assert_eq!(insert(&scene, &ChannelRef::new("Body", "bone.7.pose"), 4.0), None);
    }

    #[test]
    fn free_slopes_are_those_of_before_until_they_are_automatic() {
        let (scene, channel) = scene();
        let keys = [ChannelKeys { channel: channel.clone(), frames: vec![0.0, 10.0, 99.0] }];
        let free = set_slopes(&scene, &keys, SlopeChange::Free).unwrap();
        let before = scene.animation.get(&channel).unwrap().clone();
        let changed = after(scene.clone(), free, &channel);
        assert!(changed.key_shape(10.0).unwrap().slopes.is_free());
        assert_eq!((changed.at(3.0), changed.slopes(0.0)), (before.at(3.0), before.slopes(0.0)));
        let automatic = set_slopes(&scene, &keys, SlopeChange::Automatic).unwrap();
        assert_eq!(after(scene, automatic, &channel), *before);
    }

    #[test]
    fn rotations_go_with_rotations() {
        let keys = ["bone.0.pose", "bone.1.pose", "bone.0.translation"]
            .map(|name| ChannelKeys { channel: ChannelRef::new("Body", name), frames: vec![1.0] });
        let chosen = of_property(&keys, &keys[1].channel);
        assert_eq!(chosen, keys[..2]);
    }
}
