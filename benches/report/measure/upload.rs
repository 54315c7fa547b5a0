//! Measures what uploading new vertices adds to a frame, directly and through `Assets::get_mut`.

use super::Scale;
use super::table::Line;

/// Measures a mesh with one corner per vertex, at the usual size and at ten times that.
pub fn lines(scale: &Scale) -> Vec<Line> {
    [1, 10]
        .map(|times| {
            let vertices = times * scale.vertices;
            let label = format!(
                "new positions and normals to the graphics card, {vertices} vertices, against Assets::get_mut"
            );
            let line = match measure(scale, vertices) {
                Ok((value, note)) => Line::new(label, value, UNIT).note(note),
                Err(reason) => return Line::new(label, f64::NAN, UNIT).note(reason),
            };
            if times == 10 { line.at_least(3.0, 5.0) } else { line }
        })
        .into()
}

const UNIT: &str = "times as fast";

/// Returns the speed-up and a note with the times.
#[cfg(feature = "editor")]
fn measure(scale: &Scale, vertices: usize) -> Result<(f64, String), String> {
    use super::table::seconds;
    use super::time::in_turns;
    use super::upload_cost::{Upload, UploadCost};
    use std::cell::RefCell;

    let cost = RefCell::new(UploadCost::new(vertices)?);
    let frame = |upload| cost.borrow_mut().frame(upload);
    let times = in_turns(
        scale.rounds.min(21),
        &mut [&mut || frame(Upload::None), &mut || frame(Upload::Direct), &mut || frame(Upload::Asset)],
    );
    let added = |index: usize| (times.get(index) - times.get(0)).max(1e-9);
    let note = format!(
        "{} against {} more a frame; {}",
        seconds(added(1)),
        seconds(added(2)),
        cost.borrow().adapter()
    );
    Ok((added(2) / added(1), note))
}

#[cfg(not(feature = "editor"))]
fn measure(_scale: &Scale, _vertices: usize) -> Result<(f64, String), String> {
    Err("built without the window".into())
}
