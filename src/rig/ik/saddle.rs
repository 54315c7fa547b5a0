//! The way out where the gradient vanishes though the energy is not least: a straight limb whose
//! target lies on its own line, nearer than its tip or behind it.

use super::objective::Objective;
use super::trial::Trial;
use glam::DVec3;

/// Radians, tried from large to small.
const NUDGES: [f64; 2] = [1e-2, 1e-3];
/// A nudge must lower the energy by more than this part of it, so that rounding moves nothing.
const NOTABLE: f64 = 1e-7;

/// Bends the joints slightly, the same way each time, if that lowers the energy. True if it did.
/// Otherwise the pose stays, and the objective is placed somewhere else.
pub(super) fn nudge(objective: &mut Objective, iterate: &mut Trial) -> bool {
    // Far away, no turn wins more than this.
    let most = iterate.energy().min(objective.reach() * objective.largest_pull());
    let mut bend = vec![DVec3::ZERO; objective.len()];
    for size in NUDGES {
        for axis in [DVec3::X, DVec3::Z, DVec3::Y] {
            for folding in [true, false] {
                for joint in 0..bend.len() {
                    // Folding: the first joint gives way, the others bend twice as far against it, so
                    // that the tip comes nearer along the limb's line. Otherwise all bend alike.
                    let angle = match (folding, objective.parent(joint)) {
                        (true, None) => -size,
                        (true, Some(parent)) if bend[parent].dot(axis) > 0.0 => -2.0 * size,
                        (true, Some(_)) => 2.0 * size,
                        (false, _) => size,
                    };
                    bend[joint] = if objective.turns(joint) {
                        angle * axis
                    } else {
                        DVec3::ZERO
                    };
                }
                match iterate.try_turn(objective, &bend, 1.0) {
                    Some(rise) if rise < -NOTABLE * most => {
                        iterate.accept();
                        return true;
                    }
                    _ => {}
                }
            }
        }
    }
    false
}
