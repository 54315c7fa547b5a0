//! Places the animations of a file on the timeline as takes.

use crate::anim::clip::Clip;
use crate::anim::take::{Take, Takes};
use crate::extra::Extra;
use crate::io::count::grouped;
use crate::io::limits::TAKE_VALUES;
use crate::io::report::{Report, Severity};

/// The number of frames between two animations.
pub const GAP: u64 = 10;

/// An animation on the timeline.
pub struct Placed<'a> {
    pub name: &'a str,
    pub first: u64,
    /// The number of frames after the first.
    pub frames: u64,
    /// The members of its take that are not known here.
    pub extra: &'a Extra,
}

/// Adds takes for animations. One that is too long to be exported as one, with `values` per frame, becomes several.
pub fn add_takes<'a>(
    animations: impl Iterator<Item = Placed<'a>>,
    values: usize,
    takes: &mut Takes,
    report: &mut Report,
) {
    let longest = (TAKE_VALUES / values.max(1)).clamp(1, Clip::MAX_AT_ONCE as usize) as u64;
    let left_out: usize = animations.map(|animation| add(&animation, longest, takes, report)).sum();
    if left_out > 0 {
        let text =
            format!("{left_out} takes are left out, but not their keys; a scene has {} at most", Takes::MAX);
        report.add(Severity::Warning, "too-many-takes", "/animations", text);
    }
}

/// Adds the takes of one. Returns how many a scene cannot have.
fn add(animation: &Placed, longest: u64, takes: &mut Takes, report: &mut Report) -> usize {
    let (first, last) = (animation.first, animation.first + animation.frames);
    let parts = (animation.frames / longest + 1) as usize;
    let added = parts.min(Takes::MAX - takes.list.len());
    for start in (first..=last).step_by(longest as usize).take(added) {
        let name = takes.free_name(animation.name, None);
        let range = [start as u32, (start + longest - 1).min(last) as u32];
        takes.list.push(Take { extra: animation.extra.clone(), ..Take::new(name, range) });
    }
    if parts > 1 {
        let text = format!(
            "the animation {} has {} frames, and {} are the most that can be exported at once; it becomes {parts} takes",
            animation.name,
            grouped(animation.frames as usize + 1),
            grouped(longest as usize)
        );
        report.add(Severity::Note, "long-take", "/animations", text);
    }
    parts - added
}
