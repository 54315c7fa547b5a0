//! Bringing new vertices to the graphics card: what it adds to a frame, straight and by way of `Assets::get_mut`.

use super::Scale;
use super::table::Line;

/// One corner a vertex; at the usual size and ten times that.
pub fn lines(scale: &Scale) -> Vec<Line> {
    [1, 10]
        .map(|times| {
            let vertices = times * scale.vertices;
            let what = format!(
                "new positions and normals to the graphics card, {vertices} vertices, against Assets::get_mut"
            );
            let line = match measured(scale, vertices) {
                Ok((value, note)) => Line::new(what, value, UNIT).note(note),
                Err(why) => return Line::new(what, f64::NAN, UNIT).note(why),
            };
            if times == 10 {
                line.at_least(3.0, 5.0)
            } else {
                line
            }
        })
        .into()
}

const UNIT: &str = "times as fast";

/// How many times as fast, and the times.
#[cfg(feature = "editor")]
fn measured(scale: &Scale, vertices: usize) -> Result<(f64, String), String> {
    use super::table::seconds;
    use super::time::in_turns;
    use super::upload_cost::{UploadCost, Way};
    use std::cell::RefCell;

    let cost = RefCell::new(UploadCost::new(vertices)?);
    let frame = |way| cost.borrow_mut().frame(way);
    let times = in_turns(
        scale.rounds.min(21),
        &mut [
            &mut || frame(Way::Nothing),
            &mut || frame(Way::Straight),
            &mut || frame(Way::Asset),
        ],
    );
    let added = |way: usize| (times.of(way) - times.of(0)).max(1e-9);
    let note = format!(
        "{} against {} more a frame; {}",
        seconds(added(1)),
        seconds(added(2)),
        cost.borrow().adapter()
    );
    Ok((added(2) / added(1), note))
}

#[cfg(not(feature = "editor"))]
fn measured(_scale: &Scale, _vertices: usize) -> Result<(f64, String), String> {
    Err("built without the window".into())
}
