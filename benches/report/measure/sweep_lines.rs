//! The lines along which handles are led: arms alone, whole bodies on pinned feet, an arm with a pole, a giraffe.

use super::posing::{bone, handle, human};
use crate::random::Random;
use glam::{DVec3, Quat, Vec3};
use ossature::rig::body::limb::limb;
use ossature::rig::ik::pole::limb_pole;
use ossature::rig::kinematics::{current_pose, tips};
use ossature::rig::skeleton::{Handle, Orientation, Pole, Skeleton};

/// The heights of the figures with their surfaces, in skeleton units.
pub const HUMAN_HEIGHT: f64 = 5.61;
pub const GIRAFFE_HEIGHT: f64 = 5.06;

type Point = [f64; 3];

/// A handle, and where its target is led from and to, in skeleton space.
type Led = (&'static str, Point, Point);

/// A skeleton whose first handles are led, each along a line.
pub struct Sweep {
    pub name: String,
    pub skeleton: Skeleton,
    ends: Vec<[DVec3; 2]>,
}

impl Sweep {
    fn new(name: impl Into<String>, skeleton: Skeleton, led: &[Led]) -> Self {
        let ends = led.iter().map(|leg| [leg.1.into(), leg.2.into()]).collect();
        Self { name: name.into(), skeleton, ends }
    }

    /// Leads the limb that a new handle on a bone rotates.
    fn limb(figure: &Skeleton, name: impl Into<String>, led: Led) -> Self {
        let mut skeleton = figure.clone();
        let end = bone(figure, led.0);
        skeleton.handles = vec![Handle { chain: Some(limb(figure, end)), ..handle(end, led.1.into()) }];
        Self::new(name, skeleton, &[led])
    }

    /// Leads the whole body, while `pins` stay in place with their orientation.
    fn body(figure: &Skeleton, name: impl Into<String>, led: &[Led], pins: &[&str]) -> Self {
        let mut skeleton = figure.clone();
        skeleton.root_free = true;
        let tips = tips(figure, &current_pose(figure));
        skeleton.handles = led.iter().map(|leg| handle(bone(figure, leg.0), leg.1.into())).collect();
        skeleton.handles.extend(pins.iter().map(|name| {
            let end = bone(figure, name);
            let mut pin = Handle { chain: Some(limb(figure, end)), pinned: true, ..handle(end, tips[end]) };
            (pin.pole, pin.chain) = (limb_pole(figure, &pin), None);
            pin.orientation = Some(Orientation::new(Quat::IDENTITY, 1.0));
            pin
        }));
        Self::new(name, skeleton, led)
    }

    /// Makes the first handle keep the orientation of its bone.
    fn oriented(mut self) -> Self {
        self.skeleton.handles[0].orientation = Some(Orientation::new(Quat::IDENTITY, 1.0));
        self
    }

    /// The length of the longest line.
    pub fn length(&self) -> f64 {
        self.ends.iter().map(|[from, to]| from.distance(*to)).fold(0.0, f64::max)
    }

    /// Writes the skeleton with its targets at this part of their lines.
    pub fn at(&self, part: f64, skeleton: &mut Skeleton) {
        skeleton.clone_from(&self.skeleton);
        for (handle, [from, to]) in skeleton.handles.iter_mut().zip(&self.ends) {
            handle.target = from.lerp(*to, part).as_vec3();
        }
    }
}

const FEET: [&str; 2] = ["foot.L", "foot.R"];

/// Lines of a hand whose arm alone follows.
#[rustfmt::skip]
const ARM: [(&str, Point, Point); 24] = [
    ("arm: side down->overhead", [1.9025, 2.9792, 0.0676], [0.75, 6.2, 0.1]),
    ("arm: front vertical", [0.5, 2.6, 0.9], [0.5, 6.1, 0.9]),
    ("arm: front horizontal x", [-0.9, 4.3, 0.9], [2.2, 4.3, 0.9]),
    ("arm: chest in-out z", [0.5, 4.2, 0.3], [0.5, 4.2, 2.0]),
    ("arm: behind back x", [1.6, 3.2, -0.8], [-0.2, 3.2, -0.8]),
    ("arm: behind head", [1.4, 5.2, -0.5], [-0.4, 5.2, -0.5]),
    ("arm: hip side to front", [1.3, 2.7, -0.6], [0.2, 2.7, 1.2]),
    ("arm: overhead front-back", [0.7, 5.8, 1.2], [0.7, 5.8, -1.0]),
    ("arm: through shoulder", [0.6, 4.4, 1.6], [0.6, 4.4, -1.4]),
    ("arm: lateral through shoulder", [2.3, 4.4, 0.2], [-0.8, 4.4, 0.2]),
    ("arm: own face->far left", [0.0, 5.1, 0.5], [2.4, 4.8, 0.0]),
    ("arm: down along thigh", [0.8, 4.0, 0.4], [0.8, 2.2, 0.4]),
    ("arm: random 0", [0.087235, 4.394479, 0.203270], [1.060802, 5.903107, -0.028906]),
    ("arm: random 1", [-0.026248, 4.198818, 0.360762], [0.012487, 3.494946, -0.581144]),
    ("arm: random 2", [2.067765, 4.601945, 0.858801], [-0.368974, 3.841164, 1.128047]),
    ("arm: random 3", [1.638052, 5.893898, 0.110164], [2.042121, 4.989039, -0.293547]),
    ("arm: random 4", [0.937965, 4.712608, -1.207612], [0.045316, 5.421174, 0.083668]),
    ("arm: random 5", [-0.191775, 4.575916, 1.065339], [1.513252, 3.983990, 0.167470]),
    ("arm: random 6", [0.948650, 5.356705, 0.446191], [0.557067, 4.374958, -1.224445]),
    ("arm: random 7", [1.236825, 4.048239, -0.745813], [1.054699, 5.634985, -0.535601]),
    ("arm: random 8", [0.966824, 5.948389, 0.639502], [0.781048, 3.625550, 0.538187]),
    ("arm: random 9", [1.971076, 4.473506, 0.583617], [1.157998, 3.389454, 0.391050]),
    ("arm: random 10", [0.868745, 3.923086, -0.148335], [1.050828, 4.829864, 0.757338]),
    ("arm: random 11", [-0.177482, 4.697167, 1.602430], [0.088000, 5.571932, 0.963586]),
];

/// Lines of one bone that leads the whole body on both feet.
#[rustfmt::skip]
const BODY: [(&str, Led); 21] = [
    ("floor front", ("hand.L", [0.6, 3.4, 0.9], [0.6, 0.15, 1.1])),
    ("floor between feet", ("hand.L", [0.2, 3.4, 0.8], [0.1, 0.1, 0.5])),
    ("floor side", ("hand.L", [1.9025, 2.9792, 0.0676], [1.6, 0.15, 0.2])),
    ("floor behind", ("hand.L", [1.2, 2.7, -0.3], [0.8, 0.3, -1.0])),
    ("forward out of reach", ("hand.L", [0.6, 4.2, 0.5], [0.6, 4.2, 4.0])),
    ("side out of reach", ("hand.L", [1.9025, 2.9792, 0.0676], [4.0, 3.5, 0.0])),
    ("up out of reach", ("hand.L", [0.9, 4.5, 0.6], [0.7, 7.5, 0.3])),
    ("cross body", ("hand.L", [1.8, 3.6, 0.8], [-2.4, 3.6, 0.8])),
    ("back reach", ("hand.L", [1.6, 4.0, 0.6], [0.8, 4.0, -2.2])),
    ("across floor x", ("hand.L", [1.8, 0.4, 1.0], [-1.8, 0.4, 1.0])),
    ("floor z", ("hand.L", [0.5, 0.3, 2.4], [0.5, 0.3, -1.2])),
    ("waist circle-ish", ("hand.L", [0.4, 2.8, 1.4], [1.8, 2.8, -0.8])),
    ("floor diag", ("hand.R", [-0.6, 4.6, 1.2], [0.8, 0.2, 1.4])),
    ("down", ("head", [0.0, 5.54, -0.02], [0.0, 2.2, 0.3])),
    ("straight down", ("head", [0.0, 5.54, -0.02], [0.0, 1.6, -0.02])),
    ("forward-down", ("head", [0.0, 5.54, -0.02], [0.0, 2.5, 2.2])),
    ("side", ("head", [0.0, 5.5, 0.0], [2.2, 4.4, 0.0])),
    ("back", ("head", [0.0, 5.5, 0.0], [0.0, 4.6, -1.8])),
    ("up", ("head", [0.0, 5.4, 0.0], [0.0, 6.2, 0.0])),
    ("sideways low", ("head", [-1.5, 4.2, 0.3], [1.5, 4.2, 0.3])),
    ("down, no orient", ("pelvis", [0.0, 3.04, -0.03], [0.0, 0.8, -0.03])),
];

/// Lines of the pelvis, which keeps its orientation.
#[rustfmt::skip]
const PELVIS: [(&str, Point, Point); 6] = [
    ("pelvis down", [0.0, 3.04, -0.03], [0.0, 0.8, -0.03]),
    ("pelvis down-back", [0.0, 3.04, -0.03], [0.0, 0.9, -0.9]),
    ("pelvis side", [-1.2, 2.8, 0.0], [1.2, 2.8, 0.0]),
    ("pelvis fore-aft", [0.0, 2.7, 1.2], [0.0, 2.7, -1.2]),
    ("pelvis up", [0.0, 2.9, 0.0], [0.0, 3.8, 0.0]),
    ("pelvis low side", [-1.0, 1.8, -0.2], [1.0, 1.8, -0.2]),
];

/// Lines of the left foot, on the right one.
#[rustfmt::skip]
const FOOT: [(&str, Point, Point); 7] = [
    ("up", [0.425, 0.075, 0.34], [0.425, 2.6, 0.9]),
    ("kick front", [0.425, 0.075, 0.34], [0.425, 3.4, 2.6]),
    ("kick over head", [0.425, 2.0, 2.6], [0.425, 5.2, 1.2]),
    ("side", [0.425, 0.075, 0.34], [3.0, 2.4, 0.2]),
    ("back", [0.425, 0.075, 0.34], [0.425, 1.6, -2.2]),
    ("cross", [1.2, 0.5, 0.8], [-1.2, 0.5, 0.8]),
    ("high knee z", [0.4, 1.6, -1.2], [0.4, 1.6, 2.2]),
];

/// Lines of both hands.
#[rustfmt::skip]
const HANDS: [(&str, [Point; 4]); 6] = [
    ("floor", [[0.6, 3.6, 0.9], [0.6, 0.15, 1.2], [-0.6, 3.6, 0.9], [-0.6, 0.15, 1.2]]),
    ("up", [[0.5, 3.0, 1.2], [0.5, 6.8, 0.3], [-0.5, 3.0, 1.2], [-0.5, 6.8, 0.3]]),
    ("to the left", [[0.4, 3.6, 1.2], [2.6, 3.6, 0.4], [-0.4, 3.6, 1.2], [1.8, 3.6, 0.9]]),
    ("push", [[0.4, 4.2, 0.5], [0.4, 4.0, 2.8], [-0.4, 4.2, 0.5], [-0.4, 4.0, 2.8]]),
    ("apart", [[0.1, 4.0, 0.9], [3.0, 4.4, 0.0], [-0.1, 4.0, 0.9], [-3.0, 4.4, 0.0]]),
    ("lift side low to high", [[1.0, 0.4, 1.0], [0.2, 6.0, 0.8], [0.6, 0.4, 1.2], [-0.2, 6.0, 0.8]]),
];

pub fn human_lines() -> Vec<Sweep> {
    let human = human();
    let mut lines: Vec<Sweep> =
        ARM.iter().map(|&(name, from, to)| Sweep::limb(&human, name, ("hand.L", from, to))).collect();
    lines.extend(
        BODY.iter().map(|&(name, led)| Sweep::body(&human, format!("body: {} {name}", led.0), &[led], &FEET)),
    );
    lines.extend(PELVIS.iter().map(|&(name, from, to)| {
        Sweep::body(&human, format!("body: {name}"), &[("pelvis", from, to)], &FEET).oriented()
    }));
    lines.extend(FOOT.iter().map(|&(name, from, to)| {
        Sweep::body(&human, format!("body: foot.L {name}"), &[("foot.L", from, to)], &["foot.R"])
    }));
    lines.extend(HANDS.iter().map(|&(name, [from, to, from_right, to_right])| {
        let led = [("hand.L", from, to), ("hand.R", from_right, to_right)];
        Sweep::body(&human, format!("body: both hands {name}"), &led, &FEET)
    }));
    let led =
        [("pelvis", [0.0, 3.04, -0.03], [0.0, 1.4, -0.5]), ("hand.L", [0.6, 3.6, 1.0], [0.6, 3.6, 1.0001])];
    lines.push(Sweep::body(&human, "body: pelvis down, hand.L stays", &led, &FEET).oriented());
    lines
}

/// Returns the lines of an arm, whose handle has the pole that is added to the arm as it is.
pub fn pole_lines() -> Vec<Sweep> {
    let human = human();
    let lines = ARM.iter().map(|&(name, from, to)| {
        let mut line = Sweep::limb(&human, format!("added pole, {name}"), ("hand.L", from, to));
        line.skeleton.handles[0].pole = limb_pole(&human, &line.skeleton.handles[0]);
        line
    });
    lines.collect()
}

/// Returns five times `rounds` lines: of an arm, a hand, the pelvis, the head and a foot, with random ends.
pub fn random_lines(seed: u64, rounds: usize) -> Vec<Sweep> {
    let human = human();
    let mut random = Random::new(seed);
    let mut about = |middle: Point, spread: Point| -> Point {
        (DVec3::from(middle) + random.vec3(1.0).as_dvec3() * DVec3::from(spread)).into()
    };
    let mut lines = Vec::new();
    for round in 0..rounds {
        // A shell about the place in front of the shoulder.
        let mut near_shoulder = || loop {
            let offset = DVec3::from(about([0.0; 3], [1.0; 3]));
            if (0.3..1.0).contains(&offset.length()) {
                let shoulder = DVec3::new(0.58, 4.41, -0.05);
                break (shoulder + 1.7 * (offset + DVec3::new(0.2, 0.0, 0.25))).into();
            }
        };
        let arm = ("hand.L", near_shoulder(), near_shoulder());
        lines.push(Sweep::limb(&human, format!("random arm {round}, seed {seed}"), arm));
        let mut body = |name: &'static str, middle: Point, spread: Point, pins: &[&str]| {
            let led = (name, about(middle, spread), about(middle, spread));
            Sweep::body(&human, format!("random {name} {round}, seed {seed}"), &[led], pins)
        };
        lines.push(body("hand.L", [0.8, 3.0, 0.8], [1.6, 2.4, 1.4], &FEET));
        lines.push(body("pelvis", [0.0, 2.3, 0.0], [0.6, 0.6, 0.6], &FEET).oriented());
        lines.push(body("head", [0.0, 4.6, 0.3], [1.0, 0.9, 1.0], &FEET));
        lines.push(body("foot.L", [0.5, 1.0, 0.4], [0.7, 0.9, 1.2], &["foot.R"]));
    }
    lines
}

/// Lines of a wrist whose elbow follows a pole behind the back.
pub fn limb_lines() -> Vec<Sweep> {
    const WRIST: Point = [1.83, 3.06, 0.05];
    let human = human();
    let lines = [
        ("rest->beside head", WRIST, [1.276, 5.065, -0.122]),
        ("side down->overhead", WRIST, [0.75, 6.0, 0.1]),
        ("front vertical", [0.5, 2.7, 0.9], [0.5, 5.9, 0.9]),
        ("front horizontal x", [-0.7, 4.3, 0.9], [2.0, 4.3, 0.9]),
        ("behind head", [1.4, 5.2, -0.5], [-0.3, 5.2, -0.5]),
        ("overhead front-back", [0.7, 5.7, 1.1], [0.7, 5.7, -0.9]),
        ("behind back", [1.6, 3.2, -0.8], [0.0, 3.2, -0.8]),
        ("rest->chest", WRIST, [0.1, 4.1, 0.6]),
        ("rest->mouth", WRIST, [0.05, 4.95, 0.55]),
        ("hip side to front", [1.3, 2.8, -0.5], [0.3, 2.8, 1.0]),
    ];
    let lines = lines.into_iter().map(|(name, from, to)| {
        let mut line = Sweep::limb(&human, format!("wrist+pole: {name}"), ("forearm.L", from, to));
        line.skeleton.handles[0].pole = Some(Pole { point: Vec3::new(1.415, 3.638, -1.938), weight: 1.0 });
        line
    });
    lines.collect()
}

/// Lines of the giraffe in its bind pose.
pub fn giraffe_lines() -> Vec<Sweep> {
    const FEET: [&str; 4] = ["hoof.L", "hoof.R", "toe.L", "toe.R"];
    const HEAD: Point = [0.0, 4.36, 2.0];
    const HOOF: Point = [0.25, 0.06, 0.58];
    const TOE: Point = [0.26, 0.06, -0.5];
    let mut giraffe = super::posing::giraffe();
    giraffe.bones.iter_mut().for_each(|bone| bone.pose_deg = Vec3::ZERO);
    let body = [
        ("head down front", ("head", HEAD, [0.0, 1.0, 3.0])),
        ("head to ground", ("head", HEAD, [0.0, 0.2, 2.0])),
        ("head side", ("head", HEAD, [2.2, 3.8, 1.0])),
        ("head up back", ("head", HEAD, [0.0, 5.8, 0.6])),
        ("pelvis down", ("pelvis", [0.0, 2.42, -0.52], [0.0, 1.0, -0.52])),
        ("pelvis side", ("pelvis", [-0.8, 2.2, -0.5], [0.8, 2.2, -0.5])),
        ("chest down", ("chest", [0.0, 2.62, 0.54], [0.0, 1.4, 0.54])),
        ("chest fore-aft", ("chest", [0.0, 2.5, 1.4], [0.0, 2.5, -0.4])),
        ("hoof.L up front", ("hoof.L", HOOF, [0.25, 1.6, 1.6])),
        ("hoof.L side", ("hoof.L", HOOF, [1.6, 1.0, 0.6])),
        ("toe.L kick back", ("toe.L", TOE, [0.26, 1.4, -1.9])),
        ("toe.L forward", ("toe.L", TOE, [0.26, 0.6, 0.8])),
    ];
    let limbs = [
        ("hoof.L fore-aft", ("hoof.L", [0.25, 0.4, 1.6], [0.25, 0.4, -0.6])),
        ("toe.R fore-aft", ("toe.R", [-0.26, 0.4, 0.6], [-0.26, 0.4, -1.6])),
        ("toe.R up", ("toe.R", [-0.26, 0.06, -0.5], [-0.26, 1.8, -0.3])),
        ("head side-side", ("head", [-2.0, 4.0, 1.2], [2.0, 4.0, 1.2])),
    ];
    let mut lines: Vec<Sweep> = Vec::new();
    lines.extend(body.into_iter().map(|(name, led)| {
        let pins: Vec<&str> = FEET.into_iter().filter(|foot| *foot != led.0).collect();
        Sweep::body(&giraffe, format!("giraffe: {name}"), &[led], &pins)
    }));
    lines.extend(
        limbs
            .into_iter()
            .map(|(name, led)| Sweep::limb(&giraffe, format!("giraffe, limb only: {name}"), led)),
    );
    lines
}
