//! Arms that keep clear of the body: how far aside they must be held.

use crate::motion::figure::Figure;
use crate::motion::knobs::{Knob, Settings};
use crate::motion::part::Part;
use crate::motion::posture::{Posture, Solved, solve};
use glam::DVec3;

/// The least distance between the surfaces of an arm and of the body, in body heights.
const LEAST: f64 = 0.01;
/// The greatest angle by which arms are held farther aside, in degrees.
const MOST: f64 = 40.0;
/// The halvings of that angle: to a sixth of a degree.
const HALVINGS: usize = 8;

/// A segment with a radius.
struct Capsule {
    ends: [DVec3; 2],
    radius: f64,
}

impl Capsule {
    fn new(figure: &Figure, solved: &Solved, bone: usize) -> Self {
        let Part { radius, .. } = figure.parts[bone];
        Self { ends: [solved.starts[bone], solved.tip(figure, bone)], radius }
    }

    fn distance(&self, other: &Self) -> f64 {
        segment_distance(self.ends, other.ends) - self.radius - other.radius
    }
}

/// Returns by how many degrees all arms must be held farther aside for forearms and hands to stay away from the trunk and the
/// thighs in all postures, by 1 % of the height and what [`Knob::ArmSpace`] adds.
pub fn aside(figure: &Figure, postures: &[Posture], knobs: &Settings) -> f64 {
    let wanted = (LEAST + knobs.or(Knob::ArmSpace, 0.0)) * figure.height;
    let is_clear = |angle: f64| {
        postures.iter().all(|posture| {
            let mut posture = posture.clone();
            posture.arms.iter_mut().for_each(|arm| arm.hold_aside(angle));
            least_distance(figure, &solve(figure, &posture)) >= wanted
        })
    };
    if figure.arms.is_empty() || is_clear(0.0) {
        return 0.0;
    }
    let [mut low, mut high] = [0.0, MOST];
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if is_clear(middle) { high = middle } else { low = middle }
    }
    high
}

/// Returns the least distance between the forearms with their hands and the trunk or a thigh; negative where they overlap.
pub fn least_distance(figure: &Figure, solved: &Solved) -> f64 {
    let trunk = figure.pelvis.into_iter().chain(figure.spine.iter().map(|(bone, _)| *bone));
    let thighs = figure.legs.iter().map(|leg| leg.upper());
    let body: Vec<Capsule> = trunk.chain(thighs).map(|bone| Capsule::new(figure, solved, bone)).collect();
    let arms =
        figure.arms.iter().flat_map(|arm| std::iter::once(arm.elbow.bone).chain(arm.hand.iter().copied()));
    let distances = arms.map(|bone| {
        let arm = Capsule::new(figure, solved, bone);
        body.iter().map(|part| part.distance(&arm)).fold(f64::INFINITY, f64::min)
    });
    distances.fold(f64::INFINITY, f64::min)
}

/// Returns the distance between two segments (Ericson, Real-Time Collision Detection, 5.1.9).
fn segment_distance(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let [uu, vv, uv, uw, vw] = [u.dot(u), v.dot(v), u.dot(v), u.dot(w), v.dot(w)];
    let share = |numerator: f64, denominator: f64| {
        if denominator > 0.0 { (numerator / denominator).clamp(0.0, 1.0) } else { 0.0 }
    };
    let along_a = share(uv * vw - vv * uw, uu * vv - uv * uv);
    let along_b = share(uv * along_a + vw, vv);
    let along_a = share(uv * along_b - uw, uu);
    (w + along_a * u - along_b * v).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_segments_is_the_least_of_their_points() {
        let points = [[0.0, 1.0, 2.0], [1.0, -1.0, 0.5], [-2.0, 0.3, 1.0], [0.4, 0.2, -1.0], [1.5, 1.5, 1.0]];
        let points = points.map(DVec3::from_array);
        for (i, j) in [(0, 1), (1, 3), (2, 4), (3, 0)] {
            for (k, l) in [(2, 3), (4, 0), (0, 0), (1, 2)] {
                let (a, b) = ([points[i], points[j]], [points[k], points[l]]);
                let steps = || (0..=200).map(|step| f64::from(step) / 200.0);
                let least = steps()
                    .flat_map(|s| steps().map(move |t| a[0].lerp(a[1], s).distance(b[0].lerp(b[1], t))));
                let least = least.fold(f64::INFINITY, f64::min);
                let found = segment_distance(a, b);
                assert!(found <= least + 1e-9 && found > least - 0.02, "{found} {least}");
            }
        }
    }
}
