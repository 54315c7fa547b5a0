//! Unique names.

use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct UniqueNames {
    taken: HashSet<String>,
    /// The number to try next, for each name.
    next: HashMap<String, u32>,
}

impl UniqueNames {
    /// Returns `wanted`, with a number appended if it is taken.
    pub fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        while !self.taken.insert(name.clone()) {
            let number = self.next.entry(wanted.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{wanted} {number}");
        }
        name
    }
}
