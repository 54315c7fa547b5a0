//! The random numbers for unit tests, shared with the integration tests.

#[path = "../../tests/random/mod.rs"]
mod random;

pub use random::Random;
