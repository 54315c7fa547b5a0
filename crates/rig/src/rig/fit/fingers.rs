//! The fingers of a hand, if its surface shows them: the maxima of the distance from the forearm along the surface that stand out
//! (their persistence, as for the extremities of the body). The one that joins the others nearest to the arm is the thumb.
//!
//! Templates have one finger beside the thumb. It becomes the middle one, and the others get bones of their own: one through the
//! palm, and three along the middle of the finger. Mittens keep the bones of the template.

use super::line::Line;
use super::shells::root;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::body::roles::{Role, role};
use crate::rig::edits::roll::roll_toward;
use crate::rig::kinematics::{bind_tips, parent_of, rotation_axes};
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DVec3, Vec3};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How far behind the wrist the surface is cut, as a fraction of the distance from the elbow to the tip of the hand: a wrist that
/// is placed in the palm, 4 % of the height too far out, must not cut off the thumb.
const BEHIND: f32 = 0.15;
/// How far around that the hand is looked for, in distances to the tip of the hand.
const REACH: f32 = 1.5;
/// The least length of a finger that stands out, as a fraction of the distance from the wrist to the tip of the hand.
const LEAST_FINGER: f32 = 0.12;
/// How much earlier than the next finger the thumb joins the hand, at least, as a fraction of the longest finger.
const THUMB: f32 = 0.1;
/// How far the knuckle is behind the place where a finger leaves the hand, as a fraction of what stands out.
const KNUCKLE: f32 = 0.3;
/// Where the joints of a finger are between its knuckle and its tip, and those of a thumb between the place where it leaves
/// the hand and its tip.
const FINGER_JOINTS: [f32; 2] = [0.45, 0.75];
const THUMB_JOINT: f32 = 0.55;
/// The cross-sections through which the middle of a finger is laid.
const SECTIONS: usize = 8;
/// The names of the fingers beside the thumb, by their number.
const NAMES: [&[&str]; 3] =
    [&["index", "middle"], &["index", "middle", "pinky"], &["index", "middle", "ring", "pinky"]];
/// The name that the finger of the template gets.
const MIDDLE: &str = "middle";

/// The bones of a hand of a template.
struct Hand {
    side: &'static str,
    hand: usize,
    /// Through the palm and along the finger, and along the thumb.
    palm: usize,
    finger: [usize; 2],
    thumb: [usize; 2],
}

/// A finger that was found.
struct Finger {
    /// The distance along the surface at which it joins its neighbours.
    joins: f32,
    /// By how much farther its tip is.
    length: f32,
    /// The middle, from there to the tip.
    line: Vec<Vec3>,
}

/// Gives each hand of a fitted skeleton the fingers that the surface has. Bones keep their indices; new ones follow at the end.
pub fn replace(skeleton: &mut Skeleton, surface: &HalfedgeMesh) {
    for side in [".L", ".R"] {
        let Some(hand) = Hand::new(skeleton, side) else { continue };
        let tips = bind_tips(skeleton).into_iter().map(|tip| tip.as_vec3()).collect::<Vec<Vec3>>();
        let Some(forearm) = parent_of(skeleton, hand.hand) else { continue };
        let elbow = parent_of(skeleton, forearm).map_or(skeleton.base, |upper| tips[upper]);
        let fingers = fingers(surface, [elbow, tips[forearm], tips[hand.finger[1]]]);
        if let Some((thumb, fingers)) = with_thumb(fingers) {
            hand.set(skeleton, &tips, &thumb, &fingers);
        }
    }
}

/// Whether a hand of a template gets a bone with this name where a surface shows its fingers.
pub fn may_have(template: &Skeleton, name: &str) -> bool {
    let is_bone = |bone: &str| {
        let of_finger = |finger: &&str| {
            bone == format!("palm_{finger}") || bone.strip_prefix(*finger).is_some_and(is_joint)
        };
        let [.., all] = NAMES;
        all.iter().any(of_finger) || bone.strip_prefix("thumb").is_some_and(is_joint)
    };
    [".L", ".R"]
        .into_iter()
        .any(|side| name.strip_suffix(side).is_some_and(is_bone) && Hand::new(template, side).is_some())
}

/// Whether this is the number of a bone along a finger.
fn is_joint(number: &str) -> bool {
    matches!(number, "1" | "2" | "3")
}

impl Hand {
    /// Finds a hand that has a thumb and one finger; `None` if it has others.
    fn new(skeleton: &Skeleton, side: &'static str) -> Option<Self> {
        let name = |bone: usize| skeleton.bones[bone].name.as_deref().filter(|name| name.ends_with(side));
        let hand = (0..skeleton.bones.len()).find(|&bone| name(bone).and_then(role) == Some(Role::Hand))?;
        // The only child with this role.
        let child = |parent: usize, wanted: Role| {
            let is_child = |&bone: &usize| parent_of(skeleton, bone) == Some(parent);
            let mut all = (0..skeleton.bones.len()).filter(is_child);
            let mut all = all.by_ref().filter(|&bone| name(bone).and_then(role) == Some(wanted));
            all.next().filter(|_| all.next().is_none())
        };
        let (palm, thumb) = (child(hand, Role::Finger)?, child(hand, Role::Thumb)?);
        let first = child(palm, Role::Finger)?;
        let finger = [first, child(first, Role::Finger)?];
        Some(Self { side, hand, palm, finger, thumb: [thumb, child(thumb, Role::Thumb)?] })
    }

    fn set(&self, skeleton: &mut Skeleton, tips: &[Vec3], thumb: &Finger, fingers: &[Finger]) {
        let start = tips[self.hand];
        let knuckles: Vec<Vec3> = fingers.iter().map(Finger::knuckle).collect();
        let across = (knuckles[0] - knuckles[knuckles.len() - 1]).as_dvec3();
        let axes = [self.finger[0], self.thumb[0]].map(|bone| rotation_axes(&skeleton.bones[bone])[0]);
        let hinge = across * across.dot(axes[0]).signum();
        for ((finger, knuckle), name) in fingers.iter().zip(&knuckles).zip(NAMES[fingers.len() - 2]) {
            let joints = finger.joints(*knuckle);
            let known =
                [self.palm, self.finger[0], self.finger[1]].map(|bone| (*name == MIDDLE).then_some(bone));
            let names = [format!("palm_{name}"), format!("{name}1"), format!("{name}2"), format!("{name}3")];
            let ends = [*knuckle, joints[0], joints[1], joints[2]];
            let known = known.into_iter().chain([None]);
            self.chain(skeleton, start, names.iter().zip(ends).zip(known), hinge);
        }
        let line = Line::new(thumb.line.clone());
        let names = ["thumb1", "thumb2", "thumb3"].map(str::to_owned);
        let ends = [thumb.line[0], line.at_share(THUMB_JOINT), line.at_share(1.0)];
        let known = self.thumb.map(Some).into_iter().chain([None]);
        self.chain(skeleton, start, names.iter().zip(ends).zip(known), axes[1]);
    }

    /// Sets the bones of a chain from the tip of the hand outwards, or adds them where they are not known.
    fn chain<'a>(
        &self,
        skeleton: &mut Skeleton,
        start: Vec3,
        bones: impl Iterator<Item = ((&'a String, Vec3), Option<usize>)>,
        hinge: DVec3,
    ) {
        let (mut start, mut parent) = (start, self.hand);
        for ((name, end), known) in bones {
            let index = known.unwrap_or_else(|| {
                let channel_id = skeleton.bones.iter().map(|bone| bone.channel_id + 1).max().unwrap_or(0);
                skeleton.bones.push(Bone { channel_id, ..Bone::default() });
                skeleton.bones.len() - 1
            });
            let bone = &mut skeleton.bones[index];
            bone.name = Some(format!("{name}{}", self.side).into());
            bone.parent = u32::try_from(parent).ok();
            bone.extent = end - start;
            bone.roll_deg = roll_toward(bone.extent, hinge).map_or(bone.roll_deg, |roll| roll as f32);
            (start, parent) = (end, index);
        }
    }
}

impl Finger {
    fn knuckle(&self) -> Vec3 {
        let line = Line::new(self.line.clone());
        self.line[0] + KNUCKLE * line.length() * (self.line[0] - line.at_share(0.4)).normalize_or_zero()
    }

    /// The joints from the knuckle on, without it.
    fn joints(&self, knuckle: Vec3) -> [Vec3; 3] {
        let line = Line::new([&[knuckle], &self.line[..]].concat());
        [FINGER_JOINTS[0], FINGER_JOINTS[1], 1.0].map(|share| line.at_share(share))
    }
}

/// Tells the thumb from the fingers, which are then sorted from the one beside it on; `None` for a hand without a thumb or with
/// other than two to four fingers beside it.
fn with_thumb(mut fingers: Vec<Finger>) -> Option<(Finger, Vec<Finger>)> {
    fingers.sort_by(|a, b| a.joins.total_cmp(&b.joins));
    let longest = fingers.iter().map(|finger| finger.length).fold(0.0, f32::max);
    if !(3..=5).contains(&fingers.len()) || fingers[1].joins - fingers[0].joins < THUMB * longest {
        return None;
    }
    let thumb = fingers.remove(0);
    // Across the hand: the direction in which the fingers are apart, away from the thumb.
    let starts = |from: Vec3| fingers.iter().map(move |finger| finger.line[0] - from);
    let farthest = |from: Vec3| starts(from).max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let end = fingers[0].line[0] + farthest(fingers[0].line[0])?;
    let across = farthest(end)?;
    let middle = starts(Vec3::ZERO).sum::<Vec3>() / fingers.len() as f32;
    let across = across * (middle - thumb.line[0]).dot(across).signum();
    fingers.sort_by(|a, b| a.line[0].dot(across).total_cmp(&b.line[0].dot(across)));
    Some((thumb, fingers))
}

/// Finds all fingers of the hand that begins at the wrist and ends near `tip`.
fn fingers(surface: &HalfedgeMesh, [elbow, wrist, tip]: [Vec3; 3]) -> Vec<Finger> {
    let positions = surface.positions();
    let direction = (tip - elbow).normalize_or_zero();
    let start = wrist - BEHIND * (tip - elbow);
    let reach = REACH * start.distance(tip);
    let beyond = |vertex: u32| (positions[vertex as usize] - start).dot(direction);
    let is_near = |vertex: u32| beyond(vertex) > 0.0 && positions[vertex as usize].distance(start) < reach;
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); positions.len()];
    let mut seeds: Vec<u32> = Vec::new();
    for edge in 0..surface.edge_count() as u32 {
        let [a, b] = surface.edge_vertices(edge);
        match [is_near(a), is_near(b)] {
            [true, true] => {
                neighbours[a as usize].push(b);
                neighbours[b as usize].push(a);
            }
            [true, false] => seeds.push(a),
            [false, true] => seeds.push(b),
            [false, false] => {}
        }
    }
    // The piece of the surface that the tip is on: a thigh may be near, and rings are no hands.
    let inside = (0..positions.len() as u32).filter(|&vertex| is_near(vertex));
    let squared = |vertex: &u32| positions[*vertex as usize].distance_squared(tip);
    let Some(nearest) = inside.min_by(|a, b| squared(a).total_cmp(&squared(b))) else { return Vec::new() };
    let (mut piece, mut is_of_piece) = (vec![nearest], vec![false; positions.len()]);
    is_of_piece[nearest as usize] = true;
    let mut next = 0;
    while let Some(&vertex) = piece.get(next) {
        next += 1;
        for &other in &neighbours[vertex as usize] {
            if !std::mem::replace(&mut is_of_piece[other as usize], true) {
                piece.push(other);
            }
        }
    }
    seeds.retain(|&vertex| is_of_piece[vertex as usize]);
    if seeds.is_empty() {
        seeds.extend(piece.iter().copied().min_by(|a, b| beyond(*a).total_cmp(&beyond(*b))));
    }
    let distances = distances(positions, &neighbours, &seeds, beyond);
    Branches { positions, neighbours, distances, piece }.fingers(LEAST_FINGER * wrist.distance(tip))
}

/// The distances along the edges of the surface from where it is cut; infinite for vertices that are not reached.
fn distances(
    positions: &[Vec3],
    neighbours: &[Vec<u32>],
    seeds: &[u32],
    beyond: impl Fn(u32) -> f32,
) -> Vec<f32> {
    let mut distances = vec![f32::INFINITY; positions.len()];
    // Positive numbers have the order of their bits.
    let mut queue: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
    for &seed in seeds {
        distances[seed as usize] = beyond(seed);
        queue.push(Reverse((beyond(seed).to_bits(), seed)));
    }
    while let Some(Reverse((bits, vertex))) = queue.pop() {
        let distance = f32::from_bits(bits);
        if distance > distances[vertex as usize] {
            continue;
        }
        for &other in &neighbours[vertex as usize] {
            let way = distance + positions[vertex as usize].distance(positions[other as usize]);
            if way < distances[other as usize] {
                distances[other as usize] = way;
                queue.push(Reverse((way.to_bits(), other)));
            }
        }
    }
    distances
}

/// The surface of a hand with the distances of its vertices from where it is cut.
struct Branches<'a> {
    positions: &'a [Vec3],
    neighbours: Vec<Vec<u32>>,
    distances: Vec<f32>,
    piece: Vec<u32>,
}

impl Branches<'_> {
    fn distance(&self, vertex: u32) -> f32 {
        self.distances[vertex as usize]
    }

    /// Finds the fingers that stand out by more than `least`.
    fn fingers(mut self, least: f32) -> Vec<Finger> {
        let order = |&a: &u32, &b: &u32| self.distance(b).total_cmp(&self.distance(a)).then(a.cmp(&b));
        let mut piece: Vec<u32> =
            self.piece.iter().copied().filter(|&vertex| self.distance(vertex).is_finite()).collect();
        piece.sort_by(order);
        self.piece = piece;
        // From the tips inwards: where two parts of the surface meet, the one whose tip is nearer to the wrist ends.
        let mut tips: Vec<Option<u32>> = vec![None; self.positions.len()];
        let mut above: Vec<u32> = (0..self.positions.len() as u32).collect();
        // The tips of fingers, and where each joins another first.
        let mut joins: Vec<(u32, f32)> = Vec::new();
        for &vertex in &self.piece {
            let level = self.distance(vertex);
            tips[vertex as usize] = Some(vertex);
            for &other in &self.neighbours[vertex as usize] {
                let (a, b) = (root(&mut above, vertex), root(&mut above, other));
                let [Some(tip_a), Some(tip_b)] = [tips[a as usize], tips[b as usize]] else { continue };
                if a == b {
                    continue;
                }
                let (longer, shorter) =
                    if self.distance(tip_a) >= self.distance(tip_b) { (a, b) } else { (b, a) };
                if self.distance(tip_a).min(self.distance(tip_b)) - level > least {
                    for tip in [tip_a, tip_b] {
                        if !joins.iter().any(|(known, _)| *known == tip) {
                            joins.push((tip, level));
                        }
                    }
                }
                above[shorter as usize] = longer;
            }
        }
        joins.into_iter().filter_map(|(tip, level)| self.finger(tip, level)).collect()
    }

    /// The finger with this tip that joins the hand at `level`.
    fn finger(&self, tip: u32, level: f32) -> Option<Finger> {
        let mut vertices = vec![tip];
        let mut is_found = vec![false; self.positions.len()];
        is_found[tip as usize] = true;
        let mut next = 0;
        while let Some(&vertex) = vertices.get(next) {
            next += 1;
            for &other in &self.neighbours[vertex as usize] {
                if self.distance(other) > level && !std::mem::replace(&mut is_found[other as usize], true) {
                    vertices.push(other);
                }
            }
        }
        let end = self.distance(tip);
        let at = |share: f32| level + share * (end - level);
        let section = |share: f32| {
            let height = at(share);
            let mut sum = (Vec3::ZERO, 0.0_f32);
            for &vertex in &vertices {
                for &other in &self.neighbours[vertex as usize] {
                    let [low, high] = [other, vertex].map(|v| self.distance(v));
                    if low < height && high >= height {
                        let part = (height - low) / (high - low).max(f32::MIN_POSITIVE);
                        let [low, high] = [other, vertex].map(|v| self.positions[v as usize]);
                        sum = (sum.0 + low.lerp(high, part), sum.1 + 1.0);
                    }
                }
            }
            (sum.1 > 0.0).then(|| sum.0 / sum.1)
        };
        let sections = (0..SECTIONS).filter_map(|index| section((index as f32 + 0.5) / SECTIONS as f32));
        let mut line: Vec<Vec3> = sections.collect();
        line.push(self.positions[tip as usize]);
        (line.len() > 2).then_some(Finger { joins: level, length: end - level, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A forearm along +x with a hand of cubes: a thumb at +z unless there is none, and so many fingers beside it.
    fn hand(fingers: usize, has_thumb: bool) -> HalfedgeMesh {
        let mut is_filled = |x: i32, y: i32, z: i32| {
            if !(0..2).contains(&y) {
                return false;
            }
            let width = 3 * fingers as i32 - 1;
            let is_arm = (-8..0).contains(&x) && (0..width).contains(&z);
            let is_palm = (0..8).contains(&x) && (0..width).contains(&z);
            let is_finger = (8..15).contains(&x) && (0..width).contains(&z) && z % 3 != 2;
            let is_thumb = has_thumb && ((2..4).contains(&x) && (width..width + 5).contains(&z));
            is_arm || is_palm || is_finger || is_thumb
        };
        cubes(&mut is_filled)
    }

    /// The surface of a set of cubes of edge 1.
    fn cubes(is_filled: &mut impl FnMut(i32, i32, i32) -> bool) -> HalfedgeMesh {
        // Corners of the face towards each neighbour, counterclockwise from outside.
        const FACES: [([i32; 3], [[i32; 3]; 4]); 6] = [
            ([1, 0, 0], [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]]),
            ([-1, 0, 0], [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]]),
            ([0, 1, 0], [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]]),
            ([0, -1, 0], [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]),
            ([0, 0, 1], [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]),
            ([0, 0, -1], [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]]),
        ];
        let (mut positions, mut polygons) = (Vec::new(), Vec::new());
        let mut corners: BTreeMap<[i32; 3], u32> = BTreeMap::new();
        for (x, y, z) in (-9..16).flat_map(|x| (-1..3).flat_map(move |y| (-1..20).map(move |z| (x, y, z)))) {
            for ([dx, dy, dz], face) in FACES {
                if is_filled(x, y, z) && !is_filled(x + dx, y + dy, z + dz) {
                    let corner = face.map(|[cx, cy, cz]| {
                        *corners.entry([x + cx, y + cy, z + cz]).or_insert_with(|| {
                            positions.push(Vec3::new((x + cx) as f32, (y + cy) as f32, (z + cz) as f32));
                            positions.len() as u32 - 1
                        })
                    });
                    polygons.push(corner.to_vec());
                }
            }
        }
        HalfedgeMesh::from_polygons(positions, &polygons, None).unwrap()
    }

    /// The arm of the template along the cubes.
    fn arm() -> Skeleton {
        let bone = |name: &str, parent: Option<u32>, extent: Vec3, channel_id| Bone {
            name: Some(name.into()),
            parent,
            extent,
            channel_id,
            ..Bone::default()
        };
        Skeleton {
            base: Vec3::new(-8.0, 1.0, 2.0),
            bones: vec![
                bone("forearm.L", None, Vec3::new(8.0, 0.0, 0.0), 7),
                bone("hand.L", Some(0), Vec3::new(2.0, 0.0, 0.0), 3),
                bone("palm.L", Some(1), Vec3::new(5.0, 0.0, 0.0), 4),
                bone("fingers.L", Some(2), Vec3::new(4.0, 0.0, 0.0), 5),
                bone("fingers2.L", Some(3), Vec3::new(3.0, 0.0, 0.0), 6),
                bone("thumb.L", Some(1), Vec3::new(2.0, 0.0, 3.0), 8),
                bone("thumb2.L", Some(5), Vec3::new(1.0, 0.0, 3.0), 9),
            ],
            ..Skeleton::default()
        }
    }

    fn names(skeleton: &Skeleton) -> Vec<&str> {
        skeleton.bones.iter().map(|bone| bone.name.as_deref().unwrap()).collect()
    }

    #[test]
    fn hands_of_three_to_five_fingers_get_bones_in_each() {
        for (count, beside_thumb) in [(2, "index"), (3, "index"), (4, "index")] {
            let mut skeleton = arm();
            replace(&mut skeleton, &hand(count, true));
            let tips = bind_tips(&skeleton);
            let tip = |name: &str| {
                let bone = names(&skeleton).iter().position(|found| *found == format!("{name}.L"));
                tips[bone.unwrap_or_else(|| panic!("{name} of {:?}", names(&skeleton)))].as_vec3()
            };
            assert_eq!(skeleton.bones.len(), 7 + 4 * (count - 1) + 2);
            // The fingers lie side by side along z, the thumb beyond them.
            let mut expected = 3.0 * count as f32 - 2.0;
            assert!(tip(&format!("{beside_thumb}1")).z > tip("middle1").z);
            for name in NAMES[count - 2] {
                for bone in ["1", "2", "3"] {
                    let at = tip(&format!("{name}{bone}"));
                    assert!(
                        (at.z - expected).abs() < 1.2 && at.x > 8.0 && at.x <= 15.0,
                        "{count} {name}{bone} {at}"
                    );
                }
                let knuckle = tip(&format!("palm_{name}"));
                assert!(knuckle.x > 5.0 && knuckle.x < 8.5, "{count} {name} {knuckle}");
                expected -= 3.0;
            }
            assert!(tip("thumb3").z > tip("thumb2").z && tip("thumb3").z > 3.0 * count as f32 + 2.0);
            let mut ids: Vec<u32> = skeleton.bones.iter().map(|bone| bone.channel_id).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), skeleton.bones.len());
        }
    }

    #[test]
    fn mittens_stay() {
        for surface in [hand(1, true), hand(4, false)] {
            let mut skeleton = arm();
            replace(&mut skeleton, &surface);
            assert_eq!(names(&skeleton), names(&arm()));
        }
    }
}
