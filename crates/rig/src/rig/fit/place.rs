//! Where the joints are: along the limbs by the proportions of the template, between the landmarks that the limbs show
//! (where they leave the trunk, wrists, ankles, the top of the neck) and the joints that are pinned; in the trunk by its
//! place between the pairs of limbs.

use super::anatomy::{Anatomy, Candidate};
use super::assign::Assignment;
use super::landmarks;
use super::line::Line;
use super::pins::{Pinned, Placed};
use super::template::{Chain, Template};
use super::tuning::*;
use crate::rig::body::roles::{Role, role};
use crate::rig::kinematics::parent_of;
use glam::{Mat3, Quat, Vec3};

/// Places the joints.
pub fn place(
    anatomy: &Anatomy,
    template: &Template,
    chains: &[Chain],
    assignment: &Assignment,
    pinned: &Pinned,
) -> Placed {
    let turn = assignment.orientation.body_from_mesh();
    let limb = |limb: Option<usize>| limb.map(|limb| turned(&anatomy.limbs[limb], turn));
    let mut limbs: Vec<Option<Candidate>> = assignment.limbs.iter().map(|index| limb(*index)).collect();
    level_legs(chains, &mut limbs);
    let roots = roots(anatomy, template, chains, &limbs, turn, pinned);
    let trunk = Trunk::new(chains, &roots, template.skeleton.base, pinned.base);
    let wanted = template.tips();
    let mut tips: Vec<Option<Vec3>> = vec![None; wanted.len()];
    let plane = plane(chains, &roots);
    for ((chain, limb), root) in chains.iter().zip(&limbs).zip(&roots) {
        let expected = trunk.map(chain.joints[0]);
        // A head as large as half of the body begins in the trunk all the same.
        let is_far = |root: &Vec3| chain.side == 0 && root.distance(expected) > FAR_ROOT * trunk.length();
        let root = root.filter(|root| !is_far(root)).unwrap_or(expected);
        if let Some(lead) = chain.lead {
            tips[lead] = Some(root);
        }
        if let Some(candidate) = limb {
            let joints = match candidate.limb.middles[..] {
                [point] => straight(chain, root, point, pinned),
                _ => chain_joints(template, chain, candidate, root, pinned),
            };
            let is_head = chain.side == 0 && !chain.is_optional;
            let has_horns =
                || is_head && plane.is_some_and(|plane| has_image(anatomy, turn, candidate, plane));
            let is_open = chain.is_upright() || has_horns() || chain.is_leg && points_back(chain, &joints);
            let joints = if is_open { with_end(anatomy, turn, chain, joints) } else { joints };
            chain.bones.iter().zip(joints).for_each(|(bone, joint)| tips[*bone] = Some(joint));
        }
    }
    let base = pinned.base.unwrap_or_else(|| trunk.map(template.skeleton.base));
    let mut placed = Placed { base, tips: Vec::with_capacity(wanted.len()) };
    for bone in 0..wanted.len() {
        let above =
            std::iter::successors(parent_of(&template.skeleton, bone), |&b| parent_of(&template.skeleton, b));
        let in_chain = |above: &usize| chains.iter().any(|chain| chain.bones.contains(above));
        let tip = pinned.tips[bone].or(tips[bone]).unwrap_or_else(|| match above.clone().find(in_chain) {
            Some(above) => carried(template, &placed, &wanted, above, wanted[bone]),
            None => trunk.map(wanted[bone]),
        });
        placed.tips.push(tip);
    }
    placed
}

/// A limb in the axes of the template.
fn turned(candidate: &Candidate, turn: Mat3) -> Candidate {
    let mut candidate = candidate.clone();
    candidate.limb.middles.iter_mut().for_each(|point| *point = turn * *point);
    candidate.tip = turn * candidate.tip;
    candidate
}

/// Makes both legs of a pair leave the trunk at the same distance from their tips: where that one does whose end is clearer. Hips are
/// level, but where an area grows slowly its end is noise: 31 and 39 slices in a chibi, 72 and 77 in a body that strides. Others have
/// the same or one apart, which stays.
fn level_legs(chains: &[Chain], limbs: &mut [Option<Candidate>]) {
    for (index, chain) in chains.iter().enumerate() {
        let Some(twin) = chain.twin.filter(|&twin| chain.is_leg && twin > index) else { continue };
        let (before, after) = limbs.split_at_mut(twin);
        let (Some(one), Some(other)) = (&mut before[index], &mut after[0]) else { continue };
        let (one, other) = (&mut one.limb, &mut other.limb);
        let (clear, vague) = if one.contrast >= other.contrast { (one, other) } else { (other, one) };
        // Of legs that differ more, one has grown into the trunk, or is a pin alone.
        let [short, long] = [clear.root.min(vague.root), clear.root.max(vague.root)];
        if long > short + 1 && short as f32 > HALF_LIMB * long as f32 {
            vague.root = clear.root.min(vague.middles.len() - 1);
        }
    }
}

/// Whether a limb ends beside the plane of symmetry, and another one of the same extremity on the other side: in horns or ears.
fn has_image(anatomy: &Anatomy, turn: Mat3, candidate: &Candidate, plane: f32) -> bool {
    let reach = HORNS * candidate.limb.length();
    let image = opposite(candidate.tip, plane);
    let others = anatomy.limbs.iter().filter(|other| other.group == candidate.group);
    (candidate.tip.x - plane).abs() > reach
        && others.map(|other| turn * other.tip).any(|tip| tip.distance(image) < reach)
}

/// Whether a foot points back: of a leg that is a column, the tip may be anywhere on the sole.
fn points_back(chain: &Chain, joints: &[Vec3]) -> bool {
    let [.., before, end] = joints else { return false };
    (*end - *before).z <= 0.0 && chain.end_direction().z > 0.0
}

/// Puts the end of a chain where its direction in the template leads out of the body from its last joint: the tip of the limb may
/// be anywhere on top of a head, or a horn, or anywhere on the sole of a foot.
fn with_end(anatomy: &Anatomy, turn: Mat3, chain: &Chain, mut joints: Vec<Vec3>) -> Vec<Vec3> {
    let [.., before, end] = &mut joints[..] else { return joints };
    let step = 0.5 * anatomy.voxels.cell * chain.end_direction();
    let back = turn.transpose();
    let inside =
        (1..).map(|count| *before + count as f32 * step).take_while(|p| anatomy.voxels.contains(back * *p));
    if let Some(last) = inside.last() {
        *end = last - 2.0 * step;
    }
    joints
}

/// The joints of a chain of which nothing is known but the first joint and a pinned one.
fn straight(chain: &Chain, root: Vec3, point: Vec3, pinned: &Pinned) -> Vec<Vec3> {
    let outermost = chain.bones.iter().rposition(|&bone| pinned.tips[bone].is_some());
    let known = chain.joints[outermost.map_or(chain.joints.len() - 1, |index| index + 1)];
    let segment = Trunk { template: [chain.joints[0], known], body: [root, point] };
    chain.joints[1..].iter().map(|joint| segment.map(*joint)).collect()
}

/// The last slice that the trunk does not distort.
fn last_slice(chain: &Chain, candidate: &Candidate) -> usize {
    candidate.limb.root.saturating_sub(if chain.side == 0 { 0 } else { ROOT_MARGIN })
}

/// The first joint of each chain; `None` where the trunk tells where it is.
fn roots(
    anatomy: &Anatomy,
    template: &Template,
    chains: &[Chain],
    limbs: &[Option<Candidate>],
    turn: Mat3,
    pinned: &Pinned,
) -> Vec<Option<Vec3>> {
    let leaves_trunk = |chain: usize| {
        let candidate = limbs[chain].as_ref().filter(|candidate| !candidate.is_only_pin())?;
        let last = last_slice(&chains[chain], candidate);
        Some((candidate.limb.middles[last], candidate.limb.radius(last)))
    };
    let root = |index: usize| {
        let chain = &chains[index];
        let inset =
            chain.lead.and_then(|lead| template.insets[lead]).or((chain.side != 0).then_some(INSET))?;
        let (from, radius) = leaves_trunk(index)?;
        let limb = &limbs[index].as_ref()?.limb;
        let outer = limb.middles[last_slice(chain, limbs[index].as_ref()?).saturating_sub(DIRECTION_SLICES)];
        let mut inwards = inset * radius * (from - outer).normalize_or_zero();
        if let Some((other, _)) = chain.twin.and_then(leaves_trunk) {
            let most = ACROSS * 0.5 * (other.x - from.x).abs();
            inwards *= (most / inwards.x.abs().max(f32::MIN_POSITIVE)).min(1.0);
        }
        let mut joint = from + inwards;
        let twin = chain.twin.filter(|_| chain.is_leg).and_then(leaves_trunk);
        if let Some(crotch) =
            twin.and_then(|(other, _)| crotch(anatomy, turn, [from, other], radius, limb.length()))
        {
            joint.y = joint.y.max(crotch + ABOVE_CROTCH * limb.length());
        }
        Some(joint)
    };
    let pin = |chain: &Chain| chain.lead.and_then(|lead| pinned.tips[lead]);
    let mut roots: Vec<Option<Vec3>> =
        chains.iter().enumerate().map(|(index, chain)| pin(chain).or_else(|| root(index))).collect();
    // A limb that is not to be seen begins opposite its twin.
    let Some(plane) = plane(chains, &roots) else { return roots };
    for (index, chain) in chains.iter().enumerate() {
        if let (None, Some(other)) = (roots[index], chain.twin.and_then(|twin| roots[twin])) {
            roots[index] = Some(opposite(other, plane));
        }
    }
    roots
}

/// Returns the height of the crotch: where, above the ends `from` of two legs with this radius and length, the body is nearly as deep
/// between them as at them. Thick thighs touch far below it, and their slices become one there.
fn crotch(anatomy: &Anatomy, turn: Mat3, from: [Vec3; 2], radius: f32, length: f32) -> Option<f32> {
    let (back, cell) = (turn.transpose(), anatomy.voxels.cell);
    let reach = (CROTCH_REACH * radius / cell) as i32;
    let depth = |point: Vec3, y: f32| {
        let line = (-reach..=reach).map(|step| Vec3::new(point.x, y, point.z + step as f32 * cell));
        line.filter(|point| anatomy.voxels.contains(back * *point)).count() as f32
    };
    let middle = from[0].midpoint(from[1]);
    let low = from[0].y.max(from[1].y);
    let heights = (0..(length / cell) as i32).map(|step| low + step as f32 * cell);
    let is_trunk = |y: &f32| {
        let between = depth(middle, *y);
        between > 0.0 && from.iter().all(|from| between >= CROTCH * depth(*from, *y))
    };
    heights.into_iter().find(is_trunk)
}

/// The mirror image of a point across the plane of symmetry.
fn opposite(point: Vec3, plane: f32) -> Vec3 {
    point.with_x(2.0 * plane - point.x)
}

/// Returns where the plane of symmetry is: in the middle of the first joints of twins; `None` without any.
fn plane(chains: &[Chain], roots: &[Option<Vec3>]) -> Option<f32> {
    let middle = |(index, chain): (usize, &Chain)| Some(0.5 * (roots[index]?.x + roots[chain.twin?]?.x));
    let middles: Vec<f32> = chains.iter().enumerate().filter_map(middle).collect();
    (!middles.is_empty()).then(|| middles.iter().sum::<f32>() / middles.len() as f32)
}

/// Returns the joints of a chain along a limb, without the first one, `root`.
fn chain_joints(
    template: &Template,
    chain: &Chain,
    candidate: &Candidate,
    root: Vec3,
    pinned: &Pinned,
) -> Vec<Vec3> {
    let limb = &candidate.limb;
    let last = last_slice(chain, candidate);
    // What is behind the first joint is trunk.
    let behind =
        |slice: usize| limb.middles[slice].distance(limb.middles[0]) > root.distance(limb.middles[0]);
    let last = (1..=last).rev().find(|slice| chain.side != 0 || !behind(*slice)).unwrap_or(last);
    let mut points = vec![root];
    points.extend(limb.middles[..=last].iter().rev());
    let count = points.len();
    let line = Line::new(points);
    // The distance from the first joint of a slice, which may be between two.
    let of_slice = |slice: f32| {
        let index = (count as f32 - 1.0 - slice).clamp(0.0, count as f32 - 1.0);
        let (low, high) = (line.distance(index.floor() as usize), line.distance(index.ceil() as usize));
        low + index.fract() * (high - low)
    };
    let proportions = Line::new(chain.joints.clone());
    // Distances along the chain and along the limb that belong together.
    let mut known = vec![(0.0, 0.0)];
    for (index, bone) in chain.bones.iter().enumerate() {
        let previous = index.checked_sub(1).map(|previous| chain.bones[previous]);
        if let Some(pin) = previous.and_then(|previous| pinned.tips[previous]) {
            known.push((proportions.distance(index), line.nearest(pin)));
            continue;
        }
        let name = template.skeleton.bones[*bone].name.as_deref();
        let found = match name.and_then(role) {
            Some(Role::Hand) if !chain.is_leg => landmarks::wrist(limb, last).map(of_slice),
            Some(Role::Foot) => landmarks::ankle(limb, last)
                .filter(|slice| is_over_foot(limb.middles[0], limb.middles[*slice as usize]))
                .map(of_slice),
            Some(Role::Head) if chain.is_upright() => landmarks::head(limb, last).map(of_slice),
            _ => None,
        };
        let nearest = known[known.len() - 1].1;
        if let Some(found) = found.filter(|found| previous.is_some() && *found > nearest) {
            known.push((proportions.distance(index), found));
        }
    }
    known.push((proportions.length(), line.length()));
    let along = |distance: f32| {
        let next = known.iter().position(|(from, _)| *from > distance).unwrap_or(known.len() - 1).max(1);
        let ((a, b), (c, d)) = (known[next - 1], known[next]);
        b + (distance - a) / (c - a).max(f32::MIN_POSITIVE) * (d - b)
    };
    (1..chain.joints.len()).map(|joint| line.at(along(proportions.distance(joint)))).collect()
}

/// Whether an ankle is low above its foot: what is thickest higher up is the rim of a boot or greave, or the calf.
fn is_over_foot(tip: Vec3, ankle: Vec3) -> bool {
    let along = (ankle - tip).with_y(0.0).length();
    ankle.y - tip.y <= STEEPEST_FOOT * along
}

/// A segment of the template and where it is in the body.
struct Trunk {
    template: [Vec3; 2],
    body: [Vec3; 2],
}

impl Trunk {
    /// The segment between the two pairs of limbs that are farthest apart, or between a pair and the head. A base that is
    /// pinned is one end of it.
    fn new(chains: &[Chain], roots: &[Option<Vec3>], base: Vec3, pinned_base: Option<Vec3>) -> Self {
        let mut anchors: Vec<(Vec3, Vec3)> = pinned_base.map(|pinned| (base, pinned)).into_iter().collect();
        let middles = |wants_pairs: bool| {
            chains.iter().enumerate().filter_map(move |(index, chain)| {
                let twin = chain.twin.unwrap_or(index);
                let (root, other) = (roots[index]?, roots[twin]?);
                let middle = (0.5 * (chain.joints[0] + chains[twin].joints[0]), 0.5 * (root + other));
                (wants_pairs == (twin != index) && twin >= index && (chain.side == 0) != wants_pairs)
                    .then_some(middle)
            })
        };
        anchors.extend(middles(true));
        if anchors.len() < 2 {
            anchors.extend(middles(false));
        }
        let mut farthest = (0.0, 0, 0);
        for a in 0..anchors.len() {
            for b in a + 1..anchors.len() {
                let distance = anchors[a].0.distance(anchors[b].0);
                if distance > farthest.0 {
                    farthest = (distance, a, b);
                }
            }
        }
        match farthest {
            (0.0, ..) => {
                let (from, to) = anchors.first().copied().unwrap_or_default();
                Self { template: [from, from + Vec3::Y], body: [to, to + Vec3::Y] }
            }
            (_, a, b) => Self { template: [anchors[a].0, anchors[b].0], body: [anchors[a].1, anchors[b].1] },
        }
    }

    /// The length of the segment in the body.
    fn length(&self) -> f32 {
        self.body[0].distance(self.body[1])
    }

    /// Maps a point of the template into the body.
    fn map(&self, point: Vec3) -> Vec3 {
        let [from, to] = [self.template, self.body].map(|[a, b]| b - a);
        let t = (point - self.template[0]).dot(from) / from.length_squared().max(f32::MIN_POSITIVE);
        let aside = point - self.template[0] - t * from;
        let turn = Quat::from_rotation_arc(from.normalize_or(Vec3::Y), to.normalize_or(Vec3::Y));
        self.body[0] + t * to + turn * aside * (to.length() / from.length().max(f32::MIN_POSITIVE))
    }
}

/// Maps a point of the template as the bone `above` was mapped.
fn carried(template: &Template, placed: &Placed, wanted: &[Vec3], above: usize, point: Vec3) -> Vec3 {
    let parent = parent_of(&template.skeleton, above);
    let ends = |tips: &[Vec3], base: Vec3| [parent.map_or(base, |parent| tips[parent]), tips[above]];
    let segment =
        Trunk { template: ends(wanted, template.skeleton.base), body: ends(&placed.tips, placed.base) };
    segment.map(point)
}
