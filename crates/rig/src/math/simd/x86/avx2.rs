//! [`Simd`] as AVX2 with FMA, eight lanes wide.

use super::*;
use crate::math::simd::{Entries, Influences4, LINES, Lanes, Line, RowOffset, Simd, Spread, row};

with_token! {
    Avx2;

    const LANES: usize = 8;
    type F = __m256;
    type LaneIndices = __m256i;
    type Mat3x4 = (__m256, __m128);
    type DualQuat8 = __m256;

    fn splat(self, x: f32) -> __m256 {
        self._mm256_set1_ps(x)
    }
    fn load(self, from: &[f32]) -> __m256 {
        load(from)
    }
    fn store(self, to: &mut [f32], x: __m256) {
        store(to, x)
    }
    fn load3(self, from: &[f32]) -> [__m256; 3] {
        let from = &from[..24];
        let (a, b, c) = (
            two_groups(self, from, 12),
            two_groups(self, &from[4..], 12),
            two_groups(self, &from[8..], 12),
        );
        deinterleave!(self._mm256_shuffle_ps, a, b, c)
    }
    fn store3(self, to: &mut [f32], xyz: [__m256; 3]) {
        let to = &mut to[..24];
        let [a, b, c] = interleave!(self._mm256_shuffle_ps, xyz);
        store(to, self._mm256_castps256_ps128(a));
        store(&mut to[4..], self._mm256_castps256_ps128(b));
        store(&mut to[8..], self._mm256_castps256_ps128(c));
        store(&mut to[12..], self._mm256_extractf128_ps::<1>(a));
        store(&mut to[16..], self._mm256_extractf128_ps::<1>(b));
        store(&mut to[20..], self._mm256_extractf128_ps::<1>(c));
    }
    fn transpose_twelve(self, rows: &Lanes<(__m256, __m128)>) -> [[__m256; 4]; 3] {
        let [[a, b, c, d], [e, f, g, h], ..] = *rows;
        let [first, second] =
            self.transpose_eight(&[[a.0, b.0, c.0, d.0], [e.0, f.0, g.0, h.0], [a.0; 4], [a.0; 4]]);
        let last = [
            self._mm256_set_m128(e.1, a.1),
            self._mm256_set_m128(f.1, b.1),
            self._mm256_set_m128(g.1, c.1),
            self._mm256_set_m128(h.1, d.1),
        ];
        let last = transpose!(self._mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, last);
        [first, second, last]
    }
    fn transpose_eight(self, rows: &Lanes<__m256>) -> [[__m256; 4]; 2] {
        let [low, high, ..] = rows;
        let low = transpose!(self._mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, *low);
        let high = transpose!(self._mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, *high);
        let mut columns = [low; 2];
        for k in 0..4 {
            columns[0][k] = self._mm256_permute2f128_ps::<0x20>(low[k], high[k]);
            columns[1][k] = self._mm256_permute2f128_ps::<0x31>(low[k], high[k]);
        }
        columns
    }
    fn transpose_fours(self, fours: &[[f32; 4]]) -> [__m256; 4] {
        let from = &fours.as_flattened()[..32];
        let rows = [
            two_groups(self, from, 16),
            two_groups(self, &from[4..], 16),
            two_groups(self, &from[8..], 16),
            two_groups(self, &from[12..], 16),
        ];
        transpose!(self._mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, rows)
    }

    fn limit_and_shift(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>) {
        let (from, to) = (&from[..32], to.as_flattened_mut());
        let (most, shift) = (self._mm256_set1_epi16(most as i16), self._mm_cvtsi32_si128(shift as i32));
        for i in 0..2 {
            let some = load(&from[16 * i..]);
            let some = self._mm256_sll_epi16(self._mm256_min_epu16(some, most), shift);
            store(&mut to[16 * i..], some);
        }
    }
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]> {
        spread(self, rows, 8, rest, shift, to)
    }
    fn is_ascending(self, fours: &Influences4<u16>) -> bool {
        let from = fours.as_flattened();
        // Compare each number with the next of its lane, and the last with 0xffff.
        let last = self._mm256_set1_epi64x(0xffff << 48);
        let mut ascends = self._mm256_set1_epi16(-1);
        for i in 0..2 {
            let some = load(&from[16 * i..]);
            let next = self._mm256_or_si256(self._mm256_srli_epi64::<16>(some), last);
            ascends = self._mm256_and_si256(ascends, self._mm256_cmpeq_epi16(self._mm256_min_epu16(some, next), some));
        }
        self._mm256_movemask_epi8(ascends) == -1
    }

    fn add(self, a: __m256, b: __m256) -> __m256 {
        self._mm256_add_ps(a, b)
    }
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        self._mm256_sub_ps(a, b)
    }
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        self._mm256_mul_ps(a, b)
    }
    fn mul_add(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        self._mm256_fmadd_ps(a, b, c)
    }
    fn mul_sub(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        self._mm256_fmsub_ps(a, b, c)
    }
    fn min(self, a: __m256, b: __m256) -> __m256 {
        self._mm256_min_ps(a, b)
    }
    fn max(self, a: __m256, b: __m256) -> __m256 {
        self._mm256_max_ps(a, b)
    }
    fn sqrt(self, a: __m256) -> __m256 {
        self._mm256_sqrt_ps(a)
    }
    fn div(self, a: __m256, b: __m256) -> __m256 {
        self._mm256_div_ps(a, b)
    }
    fn inverse_sqrt(self, a: __m256) -> __m256 {
        // A 12-bit estimate and one Newton step: e (1.5 - 0.5 a e²).
        let e = self._mm256_rsqrt_ps(a);
        let half = self._mm256_mul_ps(self._mm256_mul_ps(a, self._mm256_set1_ps(0.5)), e);
        self._mm256_mul_ps(e, self._mm256_fnmadd_ps(half, e, self._mm256_set1_ps(1.5)))
    }
    fn inverse(self, a: __m256) -> __m256 {
        // A 12-bit estimate and one Newton step: e (2 - a e).
        let e = self._mm256_rcp_ps(a);
        self._mm256_mul_ps(e, self._mm256_fnmadd_ps(a, e, self._mm256_set1_ps(2.0)))
    }
    fn negate_by_sign(self, a: __m256, sign: __m256) -> __m256 {
        self._mm256_xor_ps(a, self._mm256_and_ps(sign, self._mm256_set1_ps(-0.0)))
    }
    fn outside(self, a: __m256, low: f32, high: f32) -> u32 {
        let below = self._mm256_cmp_ps::<_CMP_NGE_UQ>(a, self._mm256_set1_ps(low));
        let above = self._mm256_cmp_ps::<_CMP_NLT_UQ>(a, self._mm256_set1_ps(high));
        self._mm256_movemask_ps(self._mm256_or_ps(below, above)) as u32
    }
    fn less_than(self, a: __m256, b: __m256) -> u32 {
        self._mm256_movemask_ps(self._mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) as u32
    }
    fn select_less_than(self, a: __m256, b: __m256, x: __m256, y: __m256) -> __m256 {
        self._mm256_blendv_ps(y, x, self._mm256_cmp_ps::<_CMP_LT_OQ>(a, b))
    }

    fn is_arithmetic_sequence(self, from: &[u32], first: u32, step: u32) -> bool {
        let from = load(from);
        let lanes = self._mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let steps = self._mm256_mullo_epi32(lanes, self._mm256_set1_epi32(step as i32));
        let equal = self._mm256_cmpeq_epi32(from, self._mm256_add_epi32(steps, self._mm256_set1_epi32(first as i32)));
        self._mm256_movemask_epi8(equal) == -1
    }
    fn lane_indices(self, from: &[u32], first: u32) -> __m256i {
        let indices = load(from);
        self._mm256_sub_epi32(indices, self._mm256_set1_epi32(first as i32))
    }
    fn permute(self, a: __m256, indices: __m256i) -> __m256 {
        self._mm256_permutevar8x32_ps(a, indices)
    }

    fn load_twelve(self, row: &[f32; 16]) -> (__m256, __m128) {
        (load(row), load(&row[8..]))
    }
    fn load_eight(self, row: &[f32; 16]) -> __m256 {
        load(row)
    }
    fn store_twelve(self, to: &mut [f32; 16], row: (__m256, __m128)) {
        store(to, row.0);
        store(&mut to[8..], row.1);
    }
    fn store_eight(self, to: &mut [f32; 16], row: __m256) {
        store(to, row);
    }
    fn load_twelve_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> (__m256, __m128) {
        let row = row::<12>(table, offset);
        let (low, high) = (load(row), load(&row[8..]));
        (
            self._mm256_mul_ps(low, self._mm256_set1_ps(factor)),
            self._mm_mul_ps(high, self._mm_set1_ps(factor)),
        )
    }
    fn add_twelve_scaled(
        self,
        sum: (__m256, __m128),
        table: &[Line; LINES],
        offset: RowOffset,
        factor: f32,
    ) -> (__m256, __m128) {
        let row = row::<12>(table, offset);
        let (low, high) = (load(row), load(&row[8..]));
        let factor = self._mm256_set1_ps(factor);
        (
            self._mm256_fmadd_ps(low, factor, sum.0),
            self._mm_fmadd_ps(high, self._mm256_castps256_ps128(factor), sum.1),
        )
    }
    fn load_eight_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> __m256 {
        self._mm256_mul_ps(load(row::<8>(table, offset)), self._mm256_set1_ps(factor))
    }
    fn add_eight_scaled(self, sum: __m256, table: &[Line; LINES], offset: RowOffset, factor: f32) -> __m256 {
        self._mm256_fmadd_ps(load(row::<8>(table, offset)), self._mm256_set1_ps(factor), sum)
    }
}
