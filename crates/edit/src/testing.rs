//! What unit tests share with the integration tests: a disk that loses power, random numbers and views.

#[path = "../../../tests/power/mod.rs"]
mod power;
#[path = "../../../tests/random/mod.rs"]
mod random;
#[path = "../../../tests/random/viewport.rs"]
mod viewport;

pub use power::Recording;
pub use random::Random;
pub use viewport::random_viewport;
