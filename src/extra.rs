//! Members of a file that this program does not know and must not lose.

use serde_json::Value;

/// Unknown members of one JSON object, in file order. Written back after the known members.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra(pub Vec<(String, Value)>);

impl Extra {
    /// The member called `name`, if the file had one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Sets or replaces the member called `name`.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some(slot) => slot.1 = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }
}
