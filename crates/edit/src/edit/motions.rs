//! Stub.
use crate::edit::command::Command;
use crate::scene::Scene;
pub use ossature_motion::{KNOBS, Knob, KnobRow, Knobs, MOTIONS, MotionRow, STYLES, Style};
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    pub motion: &'static str,
    pub style: Option<&'static str>,
    pub knobs: Knobs,
    pub travels: bool,
}
pub fn offered(_scene: &Scene, _mesh: &str) -> Result<Vec<&'static MotionRow>, String> {
    todo!()
}
pub fn add(_scene: &Scene, _mesh: &str, _choice: &Choice) -> Result<(Vec<Command>, Knobs), String> {
    todo!()
}
pub fn add_basic_set(_scene: &Scene, _mesh: &str, _choice: &Choice) -> Result<Vec<Command>, String> {
    todo!()
}
