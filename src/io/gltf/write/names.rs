//! Names that no other node of the file has: animations find their nodes by name in most engines.

use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The last number that was given to a name.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// `wanted`, or with a number behind where it is taken: `Hand`, `Hand_2`.
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

    /// Names that engines change: three.js drops `.`, `[`, `]`, `:` and `/`, Godot replaces `:` and `/`.
    pub fn changed_elsewhere(&self) -> usize {
        let odd = |name: &&String| name.contains(['.', '[', ']', ':', '/']);
        self.taken.iter().filter(odd).count()
    }
}
