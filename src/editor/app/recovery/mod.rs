//! What keeps work from being lost: the journal of the session, and what an earlier one left.

pub mod journaling;
pub mod recovered;
pub mod recovering;
pub mod terminations;
pub mod thumbnail;
