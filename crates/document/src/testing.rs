//! What unit tests share with the integration tests: a disk that loses power, and random numbers.

#[path = "../../../tests/power/mod.rs"]
mod power;
#[path = "../../../tests/random/mod.rs"]
mod random;

pub use power::Recording;
pub use random::Random;
