//! A leg: a chain of hinges below a ball joint, and the foot, which rolls over heel and ball.
//!
//! All joints of the chain bend by the same angle from the bind pose, each in its own direction, as the knee and the hock
//! of a horse do; one that cannot bend further lets the others go on. So the distance between its ends determines its shape,
//! for any number of bones.

use crate::motion::hinge::Hinge;
use crate::motion::part::{Part, SkinPoint};
use crate::rig::body::feet::Foot;
use crate::rig::body::limb::{limb, with_ancestors};
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DVec3};
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// The distance of the heel behind the ankle, as a fraction of the length of the foot from ankle to ball.
const HEEL: f64 = 0.35;
/// The part of its length by which a bone leads aside if it belongs to a leg and not to the middle.
const BESIDE: f64 = 0.25;
/// The length of a leg as a multiple of that of its foot, from ankle to ball, of people. Shorter legs lift their heels less.
const LEGS_PER_FOOT: f64 = 5.5;
/// The part of a leg, from the hip on, whose skin may touch that of the other leg.
const TOUCHES: f64 = 1.0 / 3.0;
/// The halvings of the range of the knee: to the last digit.
const HALVINGS: usize = 56;
/// The turns for which the lowest points of a foot are found: so many to either side, and the angle between two in radians.
const TURNS: i32 = 5;
const TURN: f64 = PI / 9.0;
/// The same of whole feet.
const ROLLED: i32 = 20;
const FINE_TURN: f64 = PI / 45.0;
/// How far the floor may lift the ball of a foot that stands, as a fraction of the length of the foot: a ten-thousandth of the
/// height of a person.
const LIFT: f64 = 1e-3;
/// The pitch, toes down, at which any foot stands on its ball, in radians.
const ON_BALL: f64 = PI / 9.0;
/// The angle in radians for which a foot rolls over one point of its sole, and the number of them.
const ROLL: f64 = PI / 180.0;
const ROLLS: usize = 90;

/// A leg in the bind pose, in body axes.
pub struct Leg {
    /// 1 on the left, -1 on the right.
    pub side: f64,
    /// The bone that carries the leg, such as a scapula, if there is one beside the middle.
    pub girdle: Option<usize>,
    /// The bones of the chain, the upper one first.
    chain: Vec<usize>,
    /// The joints below the first, in order.
    hinges: Vec<Hinge>,
    /// The bones of the foot that stand on the floor from the ankle on: first the foot, then its descendants, which stay
    /// flat while it rolls over its ball.
    pub foot: Vec<usize>,
    /// The start of the chain.
    pub hip: DVec3,
    /// The end of the chain.
    pub ankle: DVec3,
    /// The joint of the toes, or the floor below the tip of a foot without any.
    ball: DVec3,
    /// The points that are the lowest of the foot when it is turned in some way.
    pub sole: Vec<SkinPoint<DVec3>>,
    /// How far the whole foot is above the floor in the bind pose.
    pub raised: f64,
    /// How far the ankle can move towards the middle before the skin of the leg passes it.
    inwards: f64,
    /// The axis across the foot: it rolls about it.
    pub across: DVec3,
    /// The range of the bend from the bind pose, in radians: from the straightest that all hinges allow to the most of any.
    bend: [f64; 2],
    /// How far the joints of the toes bend them up against the foot, in radians.
    toes_up: f64,
    /// The pitch of the toes while the foot rolls over its ball, at even steps of its pitch.
    toes_bent: Vec<f64>,
    /// How far the ball comes down as the heel rises, of a foot that stands flat on its heel alone.
    drop: f64,
    /// The pitches between which the ball stands, in radians: from where it comes down to where it leaves.
    settles: f64,
    leaves: f64,
    /// How far the ankle moves to the front while the sole rolls on the floor, at even steps: toes up from flat, and toes down
    /// from where the ball leaves the floor, or from flat without toes.
    rolls: [Vec<f64>; 2],
}

/// A chain bent to a length.
pub struct Bent {
    /// By how much the hinges bend from the bind pose, each as far as it can.
    pub angle: f64,
    /// From start to end, in the bind frame of the upper bone.
    pub span: DVec3,
}

/// What a foot should do: the place of the ankle, and how the foot is turned.
#[derive(Clone, Copy, Debug, Default)]
pub struct FootGoal {
    /// In body axes.
    pub ankle: DVec3,
    /// Toes up, in radians.
    pub pitch: f64,
    /// The pitch of the toes.
    pub toes: f64,
    /// The turn of the foot about the vertical against the bind pose, left positive.
    pub yaw: f64,
    /// Whether heel, ball and the end of the toes stand on the floor.
    pub contact: [bool; 3],
}

impl FootGoal {
    /// Whether any of them does.
    pub fn stands(&self) -> bool {
        self.contact.contains(&true)
    }
}

impl Leg {
    pub fn new(
        skeleton: &Skeleton,
        parts: &[Part],
        foot: &Foot,
        [floor, under]: [f64; 2],
        skin: &[SkinPoint<DVec3>],
    ) -> Option<Self> {
        let bones = limb(skeleton, foot.bone) as usize;
        let mut path: Vec<usize> = with_ancestors(skeleton, foot.bone).take(bones).collect();
        // A chain of one bone has no knee: the leg then ends at the tip of its last bone, and has no foot.
        let joints = |path: &[usize]| path.iter().filter(|&&bone| !skeleton.bones[bone].link).count();
        let has_foot = joints(&path) > 2;
        let foot = if has_foot { vec![path.remove(0)] } else { Vec::new() };
        path.reverse();
        let (&upper, &last) = (path.first()?, path.last()?);
        let mut hinges = Vec::new();
        for pair in path.windows(2) {
            if !skeleton.bones[pair[1]].link {
                hinges.push(Hinge::new(skeleton, parts, pair[0], pair[1], DVec3::X));
            }
        }
        if hinges.is_empty() {
            return None;
        }
        let mut foot = foot;
        for bone in foot.first().map_or(0, |bone| bone + 1)..parts.len() {
            if parent_of(skeleton, bone).is_some_and(|parent| foot.contains(&parent)) {
                foot.push(bone);
            }
        }
        let ankle = parts[last].tip();
        let on_floor = |point: DVec3| DVec3::new(point.x, under, point.z);
        let tip = foot.first().map_or(ankle, |&bone| parts[bone].tip());
        let ball = if foot.len() > 1 { tip } else { on_floor(tip) };
        let forward = DVec3::new(ball.x - ankle.x, 0.0, ball.z - ankle.z);
        let heel = on_floor(ankle - HEEL * forward);
        let across = DVec3::Y.cross(forward).try_normalize().unwrap_or(DVec3::X);
        let toes: Vec<usize> = foot.iter().skip(1).copied().collect();
        // By the skin, or as if the sole were flat.
        let mut sole: Vec<_> = skin.iter().filter(|point| foot.contains(&point.bones[0])).copied().collect();
        if sole.is_empty() {
            let end = foot.first().copied().unwrap_or(last);
            let points = [heel, ball].map(|place| (place, end)).into_iter();
            let points = points.chain(toes.iter().flat_map(|&toe| [(ball, toe), (parts[toe].tip(), toe)]));
            let point = |(place, bone)| SkinPoint { place: on_floor(place), bones: [bone; 2], second: 0.0 };
            sole = points.map(point).collect();
        }
        let bend = hinges.iter().fold([f64::NEG_INFINITY; 2], |[low, high], hinge| {
            [low.max(hinge.range[0]), high.max(hinge.range[1])]
        });
        let hip = parts[upper].start;
        let side = if ankle.x >= 0.0 { 1.0 } else { -1.0 };
        let girdle = parent_past_links(skeleton, upper)
            .filter(|&bone| parts[bone].extent.x.abs() > BESIDE * parts[bone].extent.length());
        let of_leg = |point: &&SkinPoint<DVec3>| path.iter().chain(&foot).any(|&bone| bone == point.bones[0]);
        let inwards = skin.iter().filter(of_leg).filter_map(|point| {
            let along = ((hip.y - point.place.y) / (hip.y - ankle.y)).min(1.0);
            (along > TOUCHES).then(|| side * point.place.x / along)
        });
        let inwards = inwards.fold(f64::INFINITY, f64::min).max(0.0);
        let mut leg = Self {
            side,
            girdle,
            chain: path,
            hinges,
            foot,
            hip,
            ankle,
            ball,
            sole,
            raised: under - floor,
            inwards,
            across,
            bend,
            toes_up: 0.0,
            toes_bent: Vec::new(),
            drop: 0.0,
            settles: 0.0,
            leaves: 0.0,
            rolls: Default::default(),
        };
        let joints =
            toes.iter().map(|&toe| &parts[toe]).filter(|toe| toe.parent == leg.foot.first().copied());
        let up = |toe: &Part| {
            let axis = toe.axes.transpose() * across;
            let index = axis.abs().max_position();
            if axis[index] > 0.0 { -toe.limits[0][index] } else { toe.limits[1][index] }
        };
        leg.toes_up = joints.map(up).reduce(f64::min).unwrap_or(0.0);
        leg.keep_lowest();
        leg.drop = if toes.is_empty() { 0.0 } else { leg.hovers() };
        leg.toes_bent = (0..=ROLLS).map(|index| leg.toes_at(-(index as f64) * ROLL)).collect();
        if !toes.is_empty() {
            (leg.settles, leg.leaves) = leg.ball_stands();
        }
        leg.rolls = [leg.rolled_along(0.0, ROLL), leg.rolled_along(leg.leaves, -ROLL)];
        // A knee does not pass the straight line.
        if let [knee] = &leg.hinges[..] {
            leg.bend[0] = leg.bend[0].max(-knee.bind);
        }
        (leg.bend[0] < leg.bend[1]).then_some(leg)
    }

    pub fn upper(&self) -> usize {
        self.chain[0]
    }

    /// The bone that stands: the foot, or the last bone of a leg without one.
    pub fn end(&self) -> usize {
        self.foot.first().copied().unwrap_or(self.chain[self.chain.len() - 1])
    }

    /// Where the ankle of a leg at rest is across the body: below the hip, or as near to that as legs that do not pass each
    /// other allow; no farther aside than in the bind pose.
    pub fn at_rest(&self) -> f64 {
        let [hip, ankle] = [self.hip, self.ankle].map(|joint| self.side * joint.x);
        self.side * hip.max(ankle - self.inwards).min(ankle)
    }

    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }

    /// The range of the bend from the bind pose, in radians.
    pub fn bend_range(&self) -> [f64; 2] {
        self.bend
    }

    /// The vector from the start of the chain to its end with the hinges bent by this angle, in the bind frame of the upper bone.
    pub fn span(&self, parts: &[Part], angle: f64) -> DVec3 {
        let mut turn = DMat3::IDENTITY;
        let mut span = DVec3::ZERO;
        for &bone in &self.chain {
            if let Some(hinge) = self.hinges.iter().find(|hinge| hinge.bone == bone) {
                turn *= hinge.turn(angle);
            }
            span += turn * parts[bone].extent;
        }
        span
    }

    /// The greatest distance of the ankle from the hip.
    pub fn reach(&self, parts: &[Part]) -> f64 {
        self.span(parts, self.bend[0]).length()
    }

    /// The least distance of the ankle from the hip.
    pub fn shortest(&self, parts: &[Part]) -> f64 {
        self.span(parts, self.bend[1]).length()
    }

    /// How far the foot rolls over its ball, from 0 to 1: as far as the length of the leg allows for that of its foot.
    pub fn roll(&self, parts: &[Part]) -> f64 {
        let foot = self.ankle.distance(self.ball);
        (self.reach(parts) / foot.max(f64::MIN_POSITIVE) / LEGS_PER_FOOT).min(1.0)
    }

    /// Bends the chain to a length; as far as its range allows.
    pub fn bent(&self, parts: &[Part], length: f64) -> Bent {
        let angle = last_true(self.bend, |angle| self.span(parts, angle).length() > length);
        Bent { angle, span: self.span(parts, angle) }
    }

    /// Returns the goal of a foot that stands, flat, with its ankle at `flat`, and then rolls to a pitch: toes up over its heel,
    /// toes down about the joint of its toes for as long as that stands, then over these; without any, over its front end.
    pub fn rolled(&self, flat: DVec3, yaw: f64, pitch: f64) -> FootGoal {
        let (toes, up) = self.standing(pitch);
        let along = if pitch > 0.0 {
            at_steps(&self.rolls[0], pitch / ROLL)
        } else {
            let pivot = self.ankle - self.ball;
            let about_ball = (self.turn(0.0, pitch.max(self.leaves)) * pivot - pivot).dot(self.ahead());
            about_ball + at_steps(&self.rolls[1], (self.leaves - pitch) / ROLL)
        };
        let ankle = flat + self.turn(yaw, 0.0) * (along * self.ahead()) + up * DVec3::Y;
        let ball_stands = pitch <= self.settles && (self.foot.len() < 2 || pitch >= self.leaves);
        FootGoal {
            ankle,
            pitch,
            toes,
            yaw,
            contact: [pitch >= self.settles, ball_stands, pitch <= self.settles],
        }
    }

    /// The pitch of the toes of a foot that stands, and how high its ankle then is against that of a flat one.
    fn standing(&self, pitch: f64) -> (f64, f64) {
        let flat = self.lowest(0.0, 0.0);
        if pitch >= 0.0 || self.foot.len() < 2 {
            return (pitch, flat - self.lowest(pitch, pitch));
        }
        let toes = at_steps(&self.toes_bent, -pitch / ROLL);
        // A sole that is no edge at its pivot does not sink in either.
        let up = self.over_ball(pitch);
        (toes, up.max(flat - self.lowest(pitch, toes)))
    }

    /// How high the ankle is, against that of a flat foot, that rolls over its ball.
    fn over_ball(&self, pitch: f64) -> f64 {
        let arm = self.ankle - self.ball;
        (self.turn(0.0, pitch) * arm - arm).y - self.drop
    }

    /// How far a foot hovers at most that rolls over its ball where that is in the bind pose.
    fn hovers(&self) -> f64 {
        let pitches = (0..=ROLLS).map(|index| -(index as f64) * ROLL).take_while(|pitch| *pitch >= -ON_BALL);
        let hovers = pitches.map(|pitch| self.lowest(pitch, 0.0) + self.over_ball(pitch));
        hovers.fold(f64::NEG_INFINITY, f64::max) - self.lowest(0.0, 0.0)
    }

    /// Skin weights let a foot that rolls press its toes into the floor: they bend up, by no more than the foot does down.
    fn toes_at(&self, pitch: f64) -> f64 {
        let most = (self.toes_up + pitch).min(-pitch).max(0.0);
        let floor = self.lowest(0.0, 0.0) - self.over_ball(pitch);
        let sinks = |toes: f64| self.lowest(pitch, toes) < floor;
        last_true([0.0, most], sinks)
    }

    /// Returns the pitches from which on the ball is down, and down to which the floor does not lift it.
    fn ball_stands(&self) -> (f64, f64) {
        let lift = |down: f64| self.standing(-down).1 - self.over_ball(-down);
        let most = LIFT * self.ankle.distance(self.ball);
        let settles = last_true([0.0, ON_BALL], |down| lift(down) > most);
        (-settles, -last_true([settles, ROLLS as f64 * ROLL], |down| lift(down) <= most))
    }

    /// Returns how far the ankle moves to the front while the foot turns from a pitch on in even steps: the point that is the
    /// lowest in the middle of each stays where it is.
    fn rolled_along(&self, from: f64, step: f64) -> Vec<f64> {
        let mut along = vec![0.0];
        for index in 0..ROLLS {
            let [start, middle, end] = [0.0, 0.5, 1.0].map(|part| {
                let pitch = from + (index as f64 + part) * step;
                (pitch, self.standing(pitch).0)
            });
            let heights = self.places(middle.0, middle.1).map(|place| place.y).enumerate();
            let lowest = heights.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| index);
            let place = |(pitch, toes)| self.places(pitch, toes).nth(lowest).unwrap_or_default();
            along.push(along[index] + (place(start) - place(end)).dot(self.ahead()));
        }
        along
    }

    /// To the front of the foot, along the floor.
    fn ahead(&self) -> DVec3 {
        self.across.cross(DVec3::Y)
    }

    /// Turns a foot whose toes point down towards flat, until its lowest point is higher by `rise`.
    pub fn flatten(&self, goal: &mut FootGoal, rise: f64) {
        let FootGoal { pitch, toes, .. } = *goal;
        let wanted = self.lowest(pitch, toes) + rise;
        let up = last_true([0.0, (-pitch).max(0.0)], |up| self.lowest(pitch + up, toes + up) < wanted);
        (goal.pitch, goal.toes) = (pitch + up, toes + up);
    }

    /// The rotation of a foot from its bind pose.
    pub fn turn(&self, yaw: f64, pitch: f64) -> DMat3 {
        DMat3::from_rotation_y(yaw) * DMat3::from_axis_angle(self.across, -pitch)
    }

    /// The height of the lowest point of the foot above the floor.
    pub fn clearance(&self, goal: &FootGoal, floor: f64) -> f64 {
        goal.ankle.y + self.lowest(goal.pitch, goal.toes) - floor
    }

    /// How high the lowest point of the foot is above the ankle, at these pitches of the foot and its toes.
    fn lowest(&self, pitch: f64, toes: f64) -> f64 {
        self.places(pitch, toes).map(|place| place.y).fold(f64::INFINITY, f64::min)
    }

    /// The places of the points of the sole against the ankle, at these pitches.
    fn places(&self, pitch: f64, toes: f64) -> impl Iterator<Item = DVec3> {
        let [foot, toes] = [pitch, toes].map(|pitch| self.turn(0.0, pitch));
        let ball = foot * (self.ball - self.ankle);
        // At its strike, a leg is turned about as far as its foot; later it stays about as it is.
        let leg = self.turn(0.0, pitch.max(0.0));
        self.sole.iter().map(move |point| {
            point.blend(point.bones.map(|bone| match self.foot.iter().position(|of_foot| *of_foot == bone) {
                Some(1..) => ball + toes * (point.place - self.ball),
                Some(_) => foot * (point.place - self.ankle),
                None => leg * (point.place - self.ankle),
            }))
        })
    }

    /// Drops the points of the sole that are not the lowest however the foot is turned.
    fn keep_lowest(&mut self) {
        let turns = (-TURNS..=TURNS).map(|turn| f64::from(turn) * TURN);
        let apart = turns.clone().flat_map(|foot| turns.clone().map(move |toes| [foot, toes]));
        let whole = (-ROLLED..=ROLLED).map(|turn| [f64::from(turn) * FINE_TURN; 2]);
        let turns: Vec<[f64; 2]> = apart.chain(whole).collect();
        let lowest = |[pitch, toes]: &[f64; 2]| {
            let heights = self.places(*pitch, *toes).map(|place| place.y).enumerate();
            heights.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
        };
        let lowest: BTreeSet<usize> = turns.iter().filter_map(lowest).collect();
        self.sole = lowest.into_iter().map(|index| self.sole[index]).collect();
    }
}

/// Evaluates values at even steps, straight between them and constant outside.
fn at_steps(values: &[f64], at: f64) -> f64 {
    let at = at.clamp(0.0, (values.len() - 1) as f64);
    let [low, high] = [at.floor(), at.ceil()].map(|index| values[index as usize]);
    low + at.fract() * (high - low)
}

/// Returns the end of the part of a range, from its start on, in which something holds; its start if it does nowhere.
pub fn last_true([mut low, mut high]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    if holds(high) {
        return high;
    }
    if !holds(low) {
        return low;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { low = middle } else { high = middle }
    }
    high
}
