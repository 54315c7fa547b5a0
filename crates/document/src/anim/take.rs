//! Takes: named ranges of the timeline, as games use them (Idle, Walk, Run). One of them may be chosen; its
//! range is then the play range.

use crate::extra::Extra;
use std::collections::BTreeSet;

/// A range of frames with a unique name. Takes may overlap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Take {
    /// Not empty, without leading or trailing spaces.
    pub name: String,
    /// First and last frame, in order and within the length of the clip.
    pub range: [u32; 2],
    /// Whether the frame behind it is the first one again, or goes on from it as a walk does: see [`Animation::make_cycle`].
    ///
    /// [`Animation::make_cycle`]: super::channel::Animation::make_cycle
    pub cycle: bool,
    /// Unknown members of the file.
    pub extra: Extra,
}

impl Take {
    /// The names that files have for the other members, which unknown members cannot have.
    pub const MEMBERS: [&str; 4] = ["name", "first", "last", "cycle"];

    /// Returns the first frame and the one behind the last, which is the first one again in a cycle.
    pub fn cycle_ends(&self) -> [f32; 2] {
        [self.range[0] as f32, self.range[1] as f32 + 1.0]
    }

    pub fn new(name: impl Into<String>, range: [u32; 2]) -> Self {
        Self { name: name.into(), range, cycle: false, extra: Extra::default() }
    }
}

/// The takes of a scene, in the order in which they were created.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Takes {
    pub list: Vec<Take>,
    /// The index of the take that is played; its range is then [`Clip::range`](super::clip::Clip::range).
    pub chosen: Option<usize>,
}

impl Takes {
    /// The maximum number of takes in a scene.
    pub const MAX: usize = 1000;
    /// The greatest number of times that a cycle is repeated at once.
    pub const MAX_REPEATS: u32 = 1000;

    pub fn position(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|take| take.name == name)
    }

    pub fn get(&self, name: &str) -> Option<&Take> {
        self.list.iter().find(|take| take.name == name)
    }

    /// Returns the take that is played, if one is chosen.
    pub fn chosen(&self) -> Option<&Take> {
        self.list.get(self.chosen?)
    }

    /// Returns `wanted`, or “Take” if it is empty, without control characters and surrounding spaces. A
    /// number is appended if a take other than the one at index `except` has that name.
    pub fn free_name(&self, wanted: &str, except: Option<usize>) -> String {
        let printable: String = wanted.chars().filter(|c| !c.is_control()).collect();
        let wanted = match printable.trim() {
            "" => "Take",
            wanted => wanted,
        };
        let others = self.list.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != except);
        let taken: BTreeSet<&str> = others.map(|(_, take)| &*take.name).collect();
        let numbered = (2..).map(|number| format!("{wanted} {number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| !taken.contains(&**name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let list = vec![Take::new("Idle", [0, 20]), Take::new("Walk", [30, 60])];
        let mut takes = Takes { list, chosen: None };
        assert_eq!(takes.free_name(" Jump ", None), "Jump");
        assert_eq!(takes.free_name("Walk", None), "Walk 2");
        assert_eq!(takes.free_name("Walk", Some(1)), "Walk");
        assert_eq!(takes.free_name("", None), "Take");
        takes.list.push(Take::new("Walk 2", [0, 0]));
        assert_eq!(takes.free_name("Walk", None), "Walk 3");
    }
}
