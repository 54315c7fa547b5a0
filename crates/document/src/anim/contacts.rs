//! The members of takes that tell of a generated motion: its speed, and when its feet stand. They follow changes of time.

use super::take::Take;
use crate::extra::{Value, array};

/// The member of a take: when which foot stands, as a list of objects with [`FOOT`] and times.
pub const CONTACTS: &str = "contacts";
/// The name of the bone of a foot; in glTF, of the node of its joint.
pub const FOOT: &str = "foot";
/// Members of a contact: the times at which the foot comes down and at which it was last on the ground, in seconds from the start
/// of the take.
pub const DOWN: &str = "down";
pub const UP: &str = "up";
/// The member of a take: the speed of the body to its front, in scene units per second.
pub const SPEED: &str = "speed";
/// The member of a take: whether its last frame is followed by its first.
pub const LOOPS: &str = "loops";

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Unsigned(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

impl Take {
    /// Passes the times of contacts, in seconds from the start of the take, on to others. Each is replaced by those that
    /// `new_times` returns for it, which are put in order.
    fn map_contacts(&mut self, new_times: impl Fn([f64; 2]) -> Vec<[f64; 2]>) {
        let Some(Value::Array(contacts)) = self.extra.get(CONTACTS) else { return };
        let mut mapped = array::Builder::default();
        for contact in contacts.iter() {
            let Value::Object(members) = &*contact else { continue };
            let time = |wanted: &str| {
                let (_, value) = members.iter().find(|(name, _)| **name == *wanted)?;
                number(value)
            };
            let Some(times) = time(DOWN).zip(time(UP)) else { continue };
            for [one, other] in new_times(times.into()) {
                let (down, up) = (one.min(other), one.max(other));
                let changed = members.iter().map(|(name, value)| {
                    let value = match &**name {
                        DOWN => Value::Float(down),
                        UP => Value::Float(up),
                        _ => value.clone(),
                    };
                    (name.clone(), value)
                });
                mapped.push(Err(Value::Object(changed.collect())));
            }
        }
        self.extra.set(CONTACTS, Value::Array(mapped.finish()));
    }

    /// Moves contacts and changes the speed along with the frames of the take, now that its range has moved. `before`: the first
    /// frame and the one behind the last as they were; `rate`: frames per second.
    pub fn move_contacts(&mut self, before: [f32; 2], rate: f32, new_frame: impl Fn(f32) -> f32) {
        let ends = self.cycle_ends().map(f64::from);
        let (first, rate) = (f64::from(before[0]), f64::from(rate));
        // What goes on at the start of a loop is beyond its end, by as much as before the change.
        let end = f64::from(before[1]);
        let direction = if new_frame(before[1]) < new_frame(before[0]) { -1.0 } else { 1.0 };
        let new_seconds = |seconds: f64| {
            let frame = first + seconds * rate;
            let within = frame.min(end);
            let way = f64::from(new_frame(within as f32) - within as f32);
            // As a change, so that what stays is not rounded.
            seconds + (way + (direction - 1.0) * (frame - within) + first - ends[0]) / rate
        };
        let length = ends[1] - ends[0];
        self.map_contacts(|times| {
            let times = times.map(new_seconds);
            let later = if times[0].min(times[1]) < 0.0 { length / rate } else { 0.0 };
            vec![times.map(|time| time + later)]
        });
        self.change_speed((end - first) / length);
    }

    /// Keeps contacts where they are on the timeline, now that the take begins at another frame than before.
    pub fn begin_contacts(&mut self, before: f32, rate: f32) {
        let later = f64::from(before - self.cycle_ends()[0]) / f64::from(rate);
        if later != 0.0 {
            self.map_contacts(|times| vec![times.map(|time| time + later)]);
        }
    }

    /// Adds the contacts of the further cycles of a take that runs `times` times, each of `seconds`.
    pub fn repeat_contacts(&mut self, times: u32, seconds: f64) {
        let later = |times: [f64; 2], cycle: u32| times.map(|time| time + f64::from(cycle) * seconds);
        self.map_contacts(|contact| (0..times).map(|cycle| later(contact, cycle)).collect());
    }

    /// Plays a take at another rate, `factor` times as fast.
    pub fn hasten_contacts(&mut self, factor: f64) {
        self.map_contacts(|times| vec![times.map(|time| time / factor)]);
        self.change_speed(factor);
    }

    fn change_speed(&mut self, factor: f64) {
        if let Some(speed) = self.extra.get(SPEED).and_then(number).filter(|_| factor.is_finite()) {
            self.extra.set(SPEED, Value::Float(speed * factor));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk() -> Take {
        let mut take = Take::new("Walk", [0, 23]);
        let mut contacts = array::Builder::default();
        for times in [[0.0, 0.5], [0.5, 1.25]] {
            let members = [(FOOT, Value::Text("foot".into()))];
            let times = [DOWN, UP].into_iter().zip(times.map(Value::Float));
            let members = members.into_iter().chain(times).map(|(name, value)| (name.into(), value));
            contacts.push(Err(Value::Object(members.collect())));
        }
        take.extra.set(CONTACTS, Value::Array(contacts.finish()));
        take.extra.set(SPEED, Value::Float(2.0));
        take
    }

    fn times(take: &Take) -> Vec<[f64; 2]> {
        let Some(Value::Array(contacts)) = take.extra.get(CONTACTS) else { panic!("no contacts") };
        let times = contacts.iter().map(|contact| {
            let Value::Object(members) = &*contact else { panic!("no contact") };
            let numbers: Vec<f64> = members.iter().filter_map(|(_, value)| number(value)).collect();
            [numbers[0], numbers[1]]
        });
        times.collect()
    }

    #[test]
    fn contacts_follow_frames() {
        // Twice as slow, and begun at frame 10.
        let mut take = walk();
        take.range = [10, 57];
        take.move_contacts([0.0, 24.0], 24.0, |frame| 10.0 + 2.0 * frame);
        assert_eq!(times(&take), [[0.0, 1.0], [1.0, 2.25]]);
        assert_eq!(take.extra.get(SPEED), Some(&Value::Float(1.0)));
        // What stays does so to the last digit.
        let mut take = walk();
        take.map_contacts(|times| vec![times.map(|time| time / 3.0)]);
        let before = take.clone();
        take.move_contacts([0.0, 24.0], 24.0, |frame| if frame > 24.0 { frame + 5.0 } else { frame });
        assert_eq!(take, before);
        // Backwards.
        let mut take = walk();
        take.move_contacts([0.0, 24.0], 24.0, |frame| 24.0 - frame);
        assert_eq!(times(&take), [[0.5, 1.0], [0.75, 1.5]]);
        // Twelve frames are inserted at frame 6.
        let mut take = walk();
        take.range = [0, 35];
        take.move_contacts([0.0, 24.0], 24.0, |frame| if frame >= 6.0 { frame + 12.0 } else { frame });
        assert_eq!(times(&take), [[0.0, 1.0], [1.0, 1.75]]);
        let mut take = walk();
        take.repeat_contacts(2, 1.0);
        assert_eq!(times(&take), [[0.0, 0.5], [1.0, 1.5], [0.5, 1.25], [1.5, 2.25]]);
        let mut take = walk();
        take.hasten_contacts(2.0);
        assert_eq!(times(&take), [[0.0, 0.25], [0.25, 0.625]]);
        assert_eq!(take.extra.get(SPEED), Some(&Value::Float(4.0)));
    }
}
