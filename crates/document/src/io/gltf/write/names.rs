//! Unique names of nodes: most engines find animated nodes by name.

use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The last number that was appended to a name.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// Returns `wanted`, with a number appended if it is taken: `Hand`, `Hand_2`.
    pub fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while self.taken.contains(&name) {
            let number = self.numbers.entry(wanted.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{wanted}_{number}");
        }
        self.taken.insert(name.clone());
        name
    }

    /// Returns the number of names that engines change: three.js drops `[`, `]`, `:` and `/`, Godot
    /// replaces `:` and `/`. Dots do not count: three.js drops them from names and tracks alike, so that clips play.
    pub fn changed_elsewhere(&self) -> usize {
        let is_changed = |name: &&String| name.contains(['[', ']', ':', '/']);
        self.taken.iter().filter(is_changed).count()
    }
}
