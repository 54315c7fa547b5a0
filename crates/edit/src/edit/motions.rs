//! The motions that are offered for a character, and the takes that they become: see [`super::generate`].

use super::command::Command;
use super::generate::{Added, Wanted, commands, figure};
pub use crate::motion::{KNOBS, Knob, KnobRow, Knobs, MotionRow, STYLES};
use crate::motion::{MOTIONS, Style};
use crate::scene::Scene;

/// A motion with the numbers that were chosen for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The name of the motion.
    pub motion: &'static str,
    /// The name of a style of [`STYLES`].
    pub style: Option<&'static str>,
    pub knobs: Knobs,
    /// Whether the body moves over the ground instead of on the spot.
    pub travels: bool,
}

impl Choice {
    fn wanted(&self, motion: &'static MotionRow) -> Wanted {
        let style = STYLES.iter().find(|style| Some(style.name) == self.style);
        let knobs = self.knobs.or_else(&style.map(Style::knobs).unwrap_or_default());
        Wanted { motion, knobs, travels: self.travels }
    }
}

/// Returns the motions that a character can make.
///
/// # Errors
/// A sentence with the reason why there is none.
pub fn offered(scene: &Scene, mesh: &str) -> Result<Vec<&'static MotionRow>, String> {
    let skinned = scene.skinned_meshes.get(mesh).ok_or("Select a character.")?;
    let legs = figure(skinned).map_err(|error| sentence(&error.to_string()))?.legs.len();
    Ok(MOTIONS.iter().filter(|row| row.legs.contains(&legs)).collect())
}

/// Returns the commands that add a motion to a character as a take, and that take.
///
/// # Errors
/// A sentence with the reason why it cannot be generated.
pub fn add(scene: &Scene, mesh: &str, choice: &Choice) -> Result<(Vec<Command>, Vec<Added>), String> {
    let motion = MOTIONS.iter().find(|row| row.name == choice.motion).ok_or("There is no such motion.")?;
    add_all(scene, mesh, &[choice.wanted(motion)])
}

/// Returns the greatest speed that the legs of a character allow a motion with the other numbers of `choice`; `None` if it stays in
/// its place.
pub fn fastest(scene: &Scene, mesh: &str, choice: &Choice) -> Option<f64> {
    let motion = MOTIONS.iter().find(|row| row.name == choice.motion)?;
    let figure = figure(scene.skinned_meshes.get(mesh)?).ok()?;
    crate::motion::fastest(&figure, motion.motion, &choice.wanted(motion).knobs)
}

/// Returns the commands that add a take of each motion of the basic set that a character can make, with the same numbers, and
/// these takes. There are none of motions whose names takes have already.
///
/// # Errors
/// As for [`add`], or if all are there.
pub fn add_basic_set(
    scene: &Scene,
    mesh: &str,
    choice: &Choice,
) -> Result<(Vec<Command>, Vec<Added>), String> {
    let is_there = |row: &&MotionRow| scene.animation.takes.list.iter().any(|take| take.name == row.label);
    let basic = offered(scene, mesh)?.into_iter().filter(|row| is_basic(row) && !is_there(row));
    let wanted: Vec<Wanted> = basic.map(|row| choice.wanted(row)).collect();
    if wanted.is_empty() {
        return Err("There are takes of all these motions already.".into());
    }
    add_all(scene, mesh, &wanted)
}

/// The name of the motion with which a skin is checked.
pub const CHECK: &str = "check";

/// Whether a motion is one of the basic set: those that a game needs first.
pub fn is_basic(motion: &MotionRow) -> bool {
    !["jump", "sneak", "crouch-walk", CHECK].contains(&motion.name)
}

fn add_all(scene: &Scene, mesh: &str, wanted: &[Wanted]) -> Result<(Vec<Command>, Vec<Added>), String> {
    commands(scene, mesh, wanted).map_err(|error| sentence(&error.to_string()))
}

/// Returns a reason with a capital letter and a full stop.
fn sentence(reason: &str) -> String {
    let (first, rest) = reason.split_at(reason.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}.", first.to_uppercase())
}
