//! Takes that loop: their curves go on at the last frame as they start at the first one.

use super::channel::{Animation, Channel, ChannelRef, Value};
use super::clip::Clip;
use super::mode::Slope;
use super::take::Take;
use std::sync::Arc;

impl Animation {
    /// Makes a take a cycle: every channel that has keys in it gets keys at its first frame and the one behind it, with the
    /// same value and slope. Unless there are keys that close the loop, its last frame is the one behind it from now on, so that
    /// the first pose is not played twice. Positions may go on: they keep their values. Slopes of keys that hold, turn evenly or
    /// ease are not changed.
    pub fn make_cycle(&mut self, index: usize) {
        let closing = self.takes.list.get(index).and_then(|take| self.closing_frame(take.range));
        let Some(take) = self.takes.list.get_mut(index) else { return };
        if closing.is_none() {
            take.range[1] = take.range[1].saturating_sub(1).max(take.range[0]);
        }
        take.cycle = true;
        let [first, last] = take.cycle_ends();
        if self.takes.chosen == Some(index) {
            self.choose_take(Some(index));
        }
        for channels in self.channels.values_mut() {
            for (name, channel) in channels {
                if !channel.times().iter().any(|time| (first..=last).contains(time)) {
                    continue;
                }
                let Some([start, end]) = channel.at(first).zip(channel.at(last)).map(|(a, b)| [a, b]) else {
                    continue;
                };
                let end = if travels(name) { end } else { start };
                let channel = Arc::make_mut(channel);
                for (frame, value) in [(first, start), (last, end)] {
                    let mode = channel.key_before(frame).and_then(|before| channel.key_mode(before));
                    let is_new = channel.key(frame).is_none();
                    channel.set_key(frame, value);
                    if let Some(mode) = mode.filter(|_| is_new) {
                        channel.set_key_mode(frame, mode);
                    }
                }
                channel.set_seam([first, last], channel.smooth_seam([first, last]));
            }
        }
    }

    /// Whether a cycle can run `times` times: within the greatest length, and without keys behind it in the way.
    pub fn has_room(&self, take: &Take, times: u32) -> bool {
        let [first, closing] = take.cycle_ends();
        let end = closing + (closing - first) * times.saturating_sub(1) as f32;
        let channels = self.channels.values().flat_map(|channels| channels.values());
        let mut keys = channels.flat_map(|channel| channel.times());
        end < Clip::MAX_LENGTH as f32 && !keys.any(|time| time > closing && time <= end)
    }

    /// Puts copies of the keys of a cycle behind it, so that it runs `times` times, and makes the take as long. Positions that
    /// go on do so in each copy. Keys that are behind the take are replaced.
    pub fn repeat_cycle(&mut self, index: usize, times: u32) {
        let Some(take) = self.takes.list.get_mut(index) else { return };
        let [first, last] = take.cycle_ends();
        take.repeat_contacts(times, f64::from(last - first) / f64::from(self.clip.rate));
        take.range[1] += (take.range[1] + 1 - take.range[0]) * times.saturating_sub(1);
        let end = take.range[1] + 1;
        for channel in self.channels.values_mut().flat_map(|channels| channels.values_mut()) {
            let Some([start, stop]) = channel.key(first).zip(channel.key(last)).map(|(a, b)| [a, b]) else {
                continue;
            };
            let way = stop.combined(start, |stop, start| stop - start);
            let copied: Vec<_> =
                channel.times().into_iter().filter(|time| (first..=last).contains(time)).collect();
            let copied = copied
                .into_iter()
                .filter_map(|time| Some((time, channel.key(time)?, channel.key_shape(time)?)));
            let copied: Vec<_> = copied.collect();
            let seam = channel.seam([first, last]);
            let channel = Arc::make_mut(channel);
            for cycle in 1..times {
                let later = cycle as f32 * (last - first);
                for &(time, value, mut shape) in &copied {
                    if time == first {
                        // The end of the cycle before.
                        shape.slopes.arrive = seam[1];
                    }
                    let value = value.combined(way, |value, way| value + cycle as f32 * way);
                    channel.set_key(time + later, value);
                    channel.set_key_shape(time + later, shape);
                }
            }
        }
        self.clip = self.clip.extended_to(Some(end as f32));
        if self.takes.chosen == Some(index) {
            self.choose_take(Some(index));
        }
    }

    /// Keeps the cycles of takes closed, now that keys may have changed since `before`: where both ends of a take had the same
    /// value, the one that has changed passes it to the other, and slopes follow their neighbours across the seam, unless
    /// somebody sets one: then it is that of both ends.
    pub fn keep_cycles(&mut self, before: &Animation) {
        let takes = self.takes.list.iter().filter(|take| take.cycle);
        let before_of = |take: &Take| before.takes.get(&take.name).filter(|old| old.cycle);
        let cycles: Vec<[[f32; 2]; 2]> =
            takes.filter_map(|take| Some([take.cycle_ends(), before_of(take)?.cycle_ends()])).collect();
        if cycles.is_empty() {
            return;
        }
        for (resource, channels) in &mut self.channels {
            for (name, channel) in channels {
                let Some(old) = before.get(&ChannelRef::new(resource, name)) else { continue };
                if !Arc::ptr_eq(old, channel) && old != channel {
                    cycles.iter().for_each(|[range, old_range]| keep_cycle(channel, *range, old, *old_range));
                }
            }
        }
    }
}

/// Whether the values of a channel may go on from cycle to cycle.
pub(super) fn travels(channel: &str) -> bool {
    ["base_offset", "translation"].contains(&channel)
}

/// The slopes after the first frame of a cycle, and before the last one.
type Seam = [Option<Slope<Value>>; 2];

/// Keeps the cycle of a channel closed: see [`Animation::keep_cycles`].
fn keep_cycle(channel: &mut Arc<Channel>, range: [f32; 2], old: &Channel, old_range: [f32; 2]) {
    let ([Some(a), Some(b)], [Some(old_a), Some(old_b)]) =
        (range.map(|frame| channel.key(frame)), old_range.map(|frame| old.key(frame)))
    else {
        return;
    };
    if old_a == old_b && a != b {
        let (frame, value) = if a != old_a { (range[1], a) } else { (range[0], b) };
        Arc::make_mut(channel).set_key(frame, value);
    }
    let [now, before] = [channel.seam(range), old.seam(old_range)];
    let wanted = match (now, before) {
        ([leave, _], [old_leave, _]) if leave != old_leave => [leave; 2],
        ([_, arrive], [_, old_arrive]) if arrive != old_arrive => [arrive; 2],
        _ if before == old.smooth_seam(old_range) => channel.smooth_seam(range),
        _ => return,
    };
    if wanted != now {
        Arc::make_mut(channel).set_seam(range, wanted);
    }
}

impl Channel {
    /// Returns the slopes that are set at the ends of a cycle.
    fn seam(&self, range: [f32; 2]) -> Seam {
        let [start, end] = range.map(|frame| self.key_shape(frame).unwrap_or_default().slopes);
        [start.leave, end.arrive]
    }

    fn set_seam(&mut self, [first, last]: [f32; 2], [leave, arrive]: Seam) {
        for (frame, slope) in [(first, leave), (last, arrive)] {
            let Some(mut shape) = self.key_shape(frame) else { continue };
            *(if frame == first { &mut shape.slopes.leave } else { &mut shape.slopes.arrive }) = slope;
            self.set_key_shape(frame, shape);
        }
    }

    /// Returns the slopes that the modes give if each end of a cycle has the neighbours of both.
    fn smooth_seam(&self, [first, last]: [f32; 2]) -> Seam {
        let around = || {
            let [start, end] = [self.key(first)?, self.key(last)?];
            let [before, after] = [self.key_before(last)?, self.key_after(first)?];
            let modes = [first, before].map(|frame| self.key_mode(frame).unwrap_or_default());
            let way = end.combined(start, |end, start| end - start);
            let before_start = self.key(before)?.combined(way, |value, way| value - way);
            let mut channel = Self::empty_for(&start);
            let keys = [(before - (last - first), before_start), (first, start), (after, self.key(after)?)];
            for (frame, value) in keys {
                channel.set_key(frame, value);
            }
            Some(modes.map(|mode| {
                keys.into_iter().for_each(|(frame, _)| channel.set_key_mode(frame, mode));
                channel.slopes(first).map(|[_, leave]| Slope::Set(leave)).filter(|_| mode.is_cubic())
            }))
        };
        around().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::mode::Mode;
    use crate::anim::spline::Spline;
    use glam::Vec3;

    const RANGE: [f32; 2] = [10.0, 34.0];

    /// A cycle from 10 to 34 between keys of other takes, with a pose and a position that goes on.
    fn animation() -> Animation {
        let at = |x: f32| Vec3::new(x, 2.0 * x, 1.0);
        let mut pose = Spline::from_knots(vec![
            (0.0, at(-20.0)),
            (10.0, at(0.0)),
            (16.0, at(20.0)),
            (28.0, at(-30.0)),
            (34.0, at(7.0)),
            (50.0, at(-90.0)),
        ]);
        let mut base = Spline::from_knots(vec![(10.0, Vec3::ZERO), (22.0, Vec3::Z), (34.0, 3.0 * Vec3::Z)]);
        (0..6).for_each(|key| pose.set_mode(key, Mode::Clamped));
        (0..3).for_each(|key| base.set_mode(key, Mode::Clamped));
        let mut animation = Animation::default();
        let channels = animation.channels.entry("Body".into()).or_default();
        channels.insert("bone.1.pose".into(), Arc::new(Channel::Vec3(pose)));
        channels.insert("base_offset".into(), Arc::new(Channel::Vec3(base)));
        animation.takes.list.push(Take::new("Walk", [10, 34]));
        animation
    }

    fn cycle() -> Animation {
        let mut animation = animation();
        animation.make_cycle(0);
        animation
    }

    fn channel<'a>(animation: &'a Animation, name: &str) -> &'a Channel {
        &animation.channels["Body"][name]
    }

    fn value(animation: &Animation, name: &str, frame: f32) -> Vec3 {
        channel(animation, name).at(frame).unwrap().try_into().unwrap()
    }

    /// The difference of the slopes at the seam, in value per frame.
    fn kink(animation: &Animation, name: &str) -> f32 {
        let at = |frame: f32| value(animation, name, frame);
        const H: f32 = 1.0 / 32.0;
        let [first, last] = RANGE;
        let parabola = |a: Vec3, b: Vec3, c: Vec3| (b * 4.0 - a * 3.0 - c) / (2.0 * H);
        let leave = parabola(at(first), at(first + H), at(first + 2.0 * H));
        let arrive = -parabola(at(last), at(last - H), at(last - 2.0 * H));
        leave.distance(arrive)
    }

    #[test]
    fn a_cycle_is_closed_and_smooth() {
        let before = animation();
        assert!(kink(&before, "bone.1.pose") > 1.0);
        let after = cycle();
        // The frame of the first pose is not played twice.
        assert_eq!((after.takes.list[0].range, after.closing_frame([10, 33])), ([10, 33], Some(34)));
        for name in ["bone.1.pose", "base_offset"] {
            assert!(kink(&after, name) < 0.02, "{name}: {}", kink(&after, name));
        }
        assert_eq!(value(&after, "bone.1.pose", 10.0), value(&after, "bone.1.pose", 34.0));
        assert_eq!(value(&after, "base_offset", 34.0), 3.0 * Vec3::Z, "a walk goes on");
        for frame in [0.0, 4.0, 9.5, 50.0] {
            let [now, before] = [&after, &before].map(|animation| value(animation, "bone.1.pose", frame));
            assert_eq!(now, before, "{frame}");
        }
    }

    #[test]
    fn a_repeated_cycle_goes_on_alike() {
        let mut animation = cycle();
        animation.channels.get_mut("Body").unwrap().values_mut().for_each(|channel| {
            Arc::make_mut(channel).remove_key(50.0);
        });
        let before = animation.clone();
        animation.repeat_cycle(0, 3);
        assert_eq!(animation.takes.list[0].range, [10, 81]);
        for tenth in 100..=820 {
            let frame = tenth as f32 * 0.1;
            let cycles = ((frame - 10.0) / 24.0).floor().min(2.0);
            let first = |name| value(&before, name, frame - 24.0 * cycles);
            let way = Vec3::Z * 3.0 * cycles;
            assert!(value(&animation, "bone.1.pose", frame).distance(first("bone.1.pose")) < 1e-3, "{frame}");
            assert!(
                value(&animation, "base_offset", frame).distance(first("base_offset") + way) < 1e-4,
                "{frame}"
            );
        }
    }

    #[test]
    fn a_cycle_stays_closed() {
        let start = cycle();
        let changed = |change: &dyn Fn(&mut Channel)| {
            let mut now = start.clone();
            change(Arc::make_mut(now.channels.get_mut("Body").unwrap().get_mut("bone.1.pose").unwrap()));
            now.keep_cycles(&start);
            now
        };
        let closed = |animation: &Animation| {
            let [a, b] = RANGE.map(|frame| value(animation, "bone.1.pose", frame));
            assert_eq!(a, b);
            assert!(kink(animation, "bone.1.pose") < 0.02, "{}", kink(animation, "bone.1.pose"));
            a
        };
        let x = Value::Vec3(Vec3::X);
        assert_eq!(closed(&changed(&|channel| assert!(channel.set_key(10.0, x)))), Vec3::X);
        assert_eq!(closed(&changed(&|channel| assert!(channel.set_key(34.0, x)))), Vec3::X);
        // A neighbour changes the slope of both ends.
        let moved = changed(&|channel| assert!(channel.set_key(28.0, x)));
        closed(&moved);
        assert_ne!(channel(&moved, "bone.1.pose").seam(RANGE), channel(&start, "bone.1.pose").seam(RANGE));
        // A slope that is set is that of both ends, and stays when a neighbour moves.
        let slope = Slope::Set(Value::Vec3(Vec3::Y));
        let set = changed(&|channel| channel.set_seam(RANGE, [Some(slope), channel.seam(RANGE)[1]]));
        assert_eq!(channel(&set, "bone.1.pose").seam(RANGE), [Some(slope); 2]);
        let mut later = set.clone();
        let pose = later.channels.get_mut("Body").unwrap().get_mut("bone.1.pose").unwrap();
        Arc::make_mut(pose).set_key(16.0, x);
        later.keep_cycles(&set);
        assert_eq!(channel(&later, "bone.1.pose").seam(RANGE), [Some(slope); 2]);
        // Without an end, it is no cycle any more.
        let open = changed(&|channel| assert!(channel.remove_key(34.0).is_some()));
        assert_eq!(channel(&open, "bone.1.pose").key(34.0), None);
    }
}
