//! The random numbers of the library's tests: those of all tests.

#[path = "../../tests/random/mod.rs"]
mod random;

pub use random::Random;
