//! Which limb of a body is which chain of a template, and where the body's left, top and front are: the assignment with the
//! least penalty, found by branch and bound. The penalties are for directions between limbs, feet off the ground, ends that
//! point elsewhere, sides that differ, and limbs left over, after Baran and Popović 2007, section 3.3.

use super::anatomy::Candidate;
use super::template::{Chain, end_direction};
use super::tuning::*;
use glam::{Mat3, Vec3};

/// The directions of a body: coordinate axes or their opposites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orientation {
    pub up: Vec3,
    pub front: Vec3,
}

impl Orientation {
    /// The matrix to the axes of templates: left +x, up +y, front +z.
    pub fn body_from_mesh(self) -> Mat3 {
        Mat3::from_cols(self.up.cross(self.front), self.up, self.front).transpose()
    }

    /// The orientations with the given axes, each with what it costs if none is given: y or z is up in most files, and
    /// bodies face +z, or -y if z is up.
    pub fn all(up: Option<Vec3>, front: Option<Vec3>) -> Vec<(Self, f32)> {
        let axes = [Vec3::Y, Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X, Vec3::NEG_Y];
        let fits = |wanted: Option<Vec3>, axis: Vec3| wanted.is_none_or(|wanted| wanted.dot(axis) > NEAREST);
        let mut all = Vec::new();
        for this_up in axes.into_iter().filter(|axis| fits(up, *axis)) {
            for this_front in axes.into_iter().filter(|axis| axis.dot(this_up) == 0.0 && fits(front, *axis)) {
                let usual_front = if this_up == Vec3::Z { Vec3::NEG_Y } else { Vec3::Z };
                let up_cost = if this_up == Vec3::Y {
                    0.0
                } else if this_up == Vec3::Z {
                    UNUSUAL
                } else {
                    2.0 * UNUSUAL
                };
                let front_cost = if this_front == usual_front { 0.0 } else { UNUSUAL };
                all.push((Self { up: this_up, front: this_front }, up_cost + front_cost));
            }
        }
        all
    }
}

/// What is known of a limb or a chain in the axes of templates, in units of its body's size.
#[derive(Clone, Debug)]
struct Shape {
    root: Vec3,
    tip: Vec3,
    end_direction: Vec3,
    length: f32,
    /// The height of the tip above the lowest point.
    height: f32,
}

/// An assignment of limbs to chains.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub orientation: Orientation,
    /// The limb of each chain.
    pub limbs: Vec<Option<usize>>,
    pub penalty: f32,
}

/// Finds the best assignment; `None` if the search ends without one. `allowed`: for each chain, the limbs it may be. A chain
/// without a limb costs more than any other trouble.
pub fn assign(
    chains: &[Chain],
    limbs: &[Candidate],
    orientations: &[(Orientation, f32)],
    allowed: &[Vec<usize>],
) -> Option<Assignment> {
    let wanted: Vec<Shape> = normalized(chains.iter().map(|chain| Shape {
        root: chain.joints[0],
        tip: chain.end(),
        end_direction: chain.end_direction(),
        length: chain.joints.windows(2).map(|pair| pair[0].distance(pair[1])).sum(),
        height: 0.0,
    }));
    let mut best: Option<Assignment> = None;
    for (orientation, cost) in orientations {
        let turn = orientation.body_from_mesh();
        let given: Vec<Shape> = normalized(limbs.iter().map(|candidate| {
            let line = &candidate.limb.middles[..=candidate.limb.root];
            Shape {
                root: turn * line[line.len() - 1],
                tip: turn * candidate.tip,
                end_direction: turn
                    * end_direction(std::iter::once(candidate.tip).chain(line.iter().copied())),
                length: candidate.limb.length(),
                height: 0.0,
            }
        }));
        let mut search = Search {
            chains,
            wanted: &wanted,
            given: &given,
            limbs,
            allowed,
            nodes: 0,
            bound: best.as_ref().map_or(f32::INFINITY, |best| best.penalty),
            found: None,
        };
        search.extend(&mut Vec::new(), *cost);
        if let Some(limbs) = search.found {
            best = Some(Assignment { orientation: *orientation, limbs, penalty: search.bound });
        }
    }
    best
}

/// Scales shapes to the size of their bounding box, and measures heights.
fn normalized(shapes: impl Iterator<Item = Shape>) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = shapes.collect();
    let points = shapes.iter().flat_map(|shape| [shape.root, shape.tip]);
    let (low, high) =
        points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    for shape in &mut shapes {
        (shape.root, shape.tip) = ((shape.root - low) / size, (shape.tip - low) / size);
        shape.length /= size;
        shape.height = shape.tip.y;
    }
    shapes
}

struct Search<'a> {
    chains: &'a [Chain],
    wanted: &'a [Shape],
    given: &'a [Shape],
    limbs: &'a [Candidate],
    allowed: &'a [Vec<usize>],
    nodes: usize,
    /// The least penalty so far.
    bound: f32,
    found: Option<Vec<Option<usize>>>,
}

impl Search<'_> {
    /// Tries every limb for the next chain. `penalty`: of the chains so far, which only grows.
    fn extend(&mut self, assigned: &mut Vec<Option<usize>>, penalty: f32) {
        self.nodes += 1;
        if penalty >= self.bound || self.nodes > MOST_NODES {
            return;
        }
        let chain = assigned.len();
        if chain == self.chains.len() {
            let total = penalty + self.left_over(assigned);
            if total < self.bound {
                (self.bound, self.found) = (total, Some(assigned.clone()));
            }
            return;
        }
        let mut choices: Vec<(f32, Option<usize>)> = Vec::new();
        for &limb in &self.allowed[chain] {
            let group = self.limbs[limb].group;
            if assigned.iter().flatten().all(|&other| self.limbs[other].group != group) {
                choices.push((self.cost(assigned, chain, limb), Some(limb)));
            }
        }
        let missing = if self.chains[chain].is_optional { MISSING } else { INCOMPLETE };
        choices.push((missing * self.wanted[chain].length, None));
        choices.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (cost, limb) in choices {
            assigned.push(limb);
            self.extend(assigned, penalty + cost);
            assigned.pop();
        }
    }

    /// The cost of a limb as the next chain.
    fn cost(&self, assigned: &[Option<usize>], chain: usize, limb: usize) -> f32 {
        let (wanted, given) = (&self.wanted[chain], &self.given[limb]);
        let is_leg = self.chains[chain].is_leg;
        let is_only_pin = |limb: usize| self.limbs[limb].is_only_pin();
        let mut cost = if is_only_pin(limb) {
            ONLY_PIN
        } else {
            self.direction_of_end(is_leg) * angle_cost(wanted.end_direction, given.end_direction)
        };
        if is_leg {
            let ankle = if is_only_pin(limb) { ANKLE } else { 0.0 };
            cost += OFF_GROUND * (given.height - ankle).clamp(0.0, 0.3);
        }
        for (other, other_limb) in assigned.iter().enumerate() {
            let Some(other_limb) = *other_limb else { continue };
            let (wanted_other, given_other) = (&self.wanted[other], &self.given[other_limb]);
            let between = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).length() * angle_cost(b - a, d - c);
            cost += BETWEEN_TIPS * between(wanted_other.tip, wanted.tip, given_other.tip, given.tip);
            // Of a pinned limb only its end is known.
            if is_only_pin(limb) || is_only_pin(other_limb) {
                continue;
            }
            cost += BETWEEN_ROOTS * between(wanted_other.root, wanted.root, given_other.root, given.root);
            if self.chains[chain].twin == Some(other) {
                let [short, long] =
                    [given.length.min(given_other.length), given.length.max(given_other.length)];
                if short < HALF_LIMB * long {
                    cost += INCOMPLETE * wanted.length;
                }
                let offset = |a: Vec3, b: Vec3| (a - b) * Vec3::new(0.0, 1.0, 1.0);
                cost += TWINS * (given.length - given_other.length).abs();
                cost += TWINS * offset(given.root, given_other.root).length();
                // Twins are apart across the plane.
                cost += TWINS
                    * (0.05
                        - (given.root - given_other.root)
                            .dot((wanted.root - wanted_other.root).normalize_or_zero()))
                    .max(0.0);
            }
        }
        cost
    }

    /// The penalty of an end that points in the opposite direction. All legs of an animal count as much as the two of a human:
    /// its head and tail tell its front, too, and hooves point down.
    fn direction_of_end(&self, is_leg: bool) -> f32 {
        let legs = self.chains.iter().filter(|chain| chain.is_leg).count();
        if is_leg { DIRECTION_OF_END[1] * 2.0 / legs as f32 } else { DIRECTION_OF_END[0] }
    }

    /// The cost of the groups of limbs that no chain has.
    fn left_over(&self, assigned: &[Option<usize>]) -> f32 {
        let is_used = |group: usize| assigned.iter().flatten().any(|&limb| self.limbs[limb].group == group);
        let left = (0..self.limbs.len()).filter(|&limb| self.limbs[limb].group == limb && !is_used(limb));
        left.map(|limb| LEFT_OVER * self.given[limb].length).sum()
    }
}

/// 0 for the same direction, 1 for opposite ones.
fn angle_cost(a: Vec3, b: Vec3) -> f32 {
    0.5 * (1.0 - a.normalize_or_zero().dot(b.normalize_or_zero()))
}
