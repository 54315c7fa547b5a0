//! The escape from saddle points, where the gradient vanishes although the energy is not minimal: a straight
//! limb whose target is on its own line, closer than its tip or behind it.

use super::objective::Objective;
use super::trial::Trial;
use super::tuning::{NOTABLE, NUDGES};
use glam::DVec3;

/// Bends the joints slightly, always in the same way, if that lowers the energy, and returns true. Otherwise
/// the pose is unchanged, and the objective is left at another pose.
pub(super) fn nudge(objective: &mut Objective, trial: &mut Trial) -> bool {
    // At great distances, no rotation gains more than this.
    let max_gain = trial.energy().min(objective.reach() * objective.largest_pull());
    let mut bend = vec![DVec3::ZERO; objective.len()];
    for size in NUDGES {
        for axis in [DVec3::X, DVec3::Z, DVec3::Y] {
            for folding in [true, false] {
                for joint in 0..bend.len() {
                    // Folding: the first joint yields and the others bend twice as far against it, so that
                    // the tip approaches along the limb's line. Otherwise all bend equally.
                    let angle = match (folding, objective.parent(joint)) {
                        (true, None) => -size,
                        (true, Some(parent)) if bend[parent].dot(axis) > 0.0 => -2.0 * size,
                        (true, Some(_)) => 2.0 * size,
                        (false, _) => size,
                    };
                    let free = objective.gains()[joint].cmpgt(DVec3::ZERO);
                    bend[joint] = if objective.turns(joint) {
                        DVec3::select(free, angle * axis, DVec3::ZERO)
                    } else {
                        DVec3::ZERO
                    };
                }
                match trial.try_change(objective, &bend, 1.0) {
                    Some(rise) if rise < -NOTABLE * max_gain => {
                        trial.accept(objective);
                        return true;
                    }
                    _ => {}
                }
            }
        }
    }
    false
}
