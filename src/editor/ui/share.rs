//! Divides the height of a panel among its parts: each gets what it needs; if that is too much, those that
//! need most are reduced.

/// Returns the heights of the parts, whose sum is at most `total`. A part that needs less than an equal share
/// gets all that it needs; the others share the rest equally.
pub fn shares<const N: usize>(needs: [f32; N], total: f32) -> [f32; N] {
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    order.sort_by(|a, b| needs[*a].total_cmp(&needs[*b]));
    let mut shares = [0.0; N];
    let mut left = total.max(0.0);
    for (rank, part) in order.into_iter().enumerate() {
        shares[part] = needs[part].clamp(0.0, left / (N - rank) as f32);
        left -= shares[part];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn parts_that_need_most_are_reduced() {
        assert_eq!(shares([10.0, 20.0], 100.0), [10.0, 20.0]);
        assert_eq!(shares([300.0, 20.0, 200.0], 120.0), [50.0, 20.0, 50.0]);
        assert_eq!(shares([f32::INFINITY, 60.0], 100.0), [50.0, 50.0]);
        assert_eq!(shares([5.0, 5.0], -3.0), [0.0, 0.0]);
    }
}
