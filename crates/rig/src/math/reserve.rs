//! Growth of vectors that can be very long.

/// Reserves room for `additional` items. Large vectors grow by a quarter only, because the old and the new
/// buffer exist at the same time during growth.
pub fn reserve_frugally<T>(items: &mut Vec<T>, additional: usize) {
    if items.capacity() - items.len() < additional {
        let room = match items.len() {
            ..4096 => items.len(),
            len => len / 4,
        };
        items.reserve_exact(room.max(additional));
    }
}
