//! What unit tests share with the integration tests: random numbers and views.

#[path = "../../../tests/random/mod.rs"]
mod random;
#[path = "../../../tests/random/viewport.rs"]
mod viewport;

pub use random::Random;
pub use viewport::random_viewport;
