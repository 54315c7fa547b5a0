//! How lists that may be very long grow.

/// Room for `more`; large ones grow by a quarter, since old and new are there at once while one grows.
pub fn frugal<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        let room = match items.len() {
            ..4096 => items.len(),
            many => many / 4,
        };
        items.reserve_exact(room.max(more));
    }
}
