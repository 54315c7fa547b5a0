//! [`Simd`] as AVX-512, sixteen lanes wide.

#![allow(
    clippy::needless_range_loop,
    reason = "iterator closures are not compiled for the instruction set of the kernel"
)]

use super::*;
use crate::math::simd::{Entries, Influences4, LINES, Lanes, Line, RowOffset, Simd, Spread};

with_token! {
    Avx512;

    const LANES: usize = 16;
    type F = __m512;
    type LaneIndices = __m512i;
    type Mat3x4 = (__m256, __m128);
    type DualQuat8 = __m256;

    fn splat(self, x: f32) -> __m512 {
        self._mm512_set1_ps(x)
    }
    fn load(self, from: &[f32]) -> __m512 {
        load(from)
    }
    fn store(self, to: &mut [f32], x: __m512) {
        store(to, x)
    }
    fn load3(self, from: &[f32]) -> [__m512; 3] {
        let from = &from[..48];
        let (a, b, c) = (load(from), load(&from[16..]), load(&from[32..]));
        let mut xyz = [a; 3];
        for axis in 0..3 {
            let some = self._mm512_permutex2var_ps(a, load(&DEINTERLEAVE[axis][0]), b);
            xyz[axis] = self._mm512_permutex2var_ps(some, load(&DEINTERLEAVE[axis][1]), c);
        }
        xyz
    }
    fn store3(self, to: &mut [f32], xyz: [__m512; 3]) {
        let [x, y, z] = xyz;
        let to = &mut to[..48];
        for third in 0..3 {
            let some = self._mm512_permutex2var_ps(x, load(&INTERLEAVE[third][0]), y);
            let all = self._mm512_permutex2var_ps(some, load(&INTERLEAVE[third][1]), z);
            store(&mut to[16 * third..], all);
        }
    }
    fn transpose_twelve(self, rows: &Lanes<(__m256, __m128)>) -> [[__m512; 4]; 3] {
        let mut low = [[rows[0][0].0; 4]; 4];
        for i in 0..4 {
            for k in 0..4 {
                low[i][k] = rows[i][k].0;
            }
        }
        let [first, second] = self.transpose_eight(&low);
        let mut last = first;
        for k in 0..4 {
            let some = self._mm512_castps128_ps512(rows[0][k].1);
            let some = self._mm512_insertf32x4::<1>(some, rows[1][k].1);
            let some = self._mm512_insertf32x4::<2>(some, rows[2][k].1);
            last[k] = self._mm512_insertf32x4::<3>(some, rows[3][k].1);
        }
        let last = transpose!(self._mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, last);
        [first, second, last]
    }
    fn transpose_eight(self, rows: &Lanes<__m256>) -> [[__m512; 4]; 2] {
        let [a, b, c, d] = rows;
        let mut pairs = [[self._mm512_setzero_ps(); 4]; 2];
        for k in 0..4 {
            pairs[0][k] = join_halves(self, a[k], b[k]);
            pairs[1][k] = join_halves(self, c[k], d[k]);
        }
        let [ab, cd] = pairs;
        let ab = transpose!(self._mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, ab);
        let cd = transpose!(self._mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, cd);
        let mut columns = [ab; 2];
        for k in 0..4 {
            columns[0][k] = self._mm512_shuffle_f32x4::<0x88>(ab[k], cd[k]);
            columns[1][k] = self._mm512_shuffle_f32x4::<0xdd>(ab[k], cd[k]);
        }
        columns
    }
    fn transpose_fours(self, fours: &[[f32; 4]]) -> [__m512; 4] {
        let from = &fours.as_flattened()[..64];
        let rows = [
            four_groups(self, from, 16),
            four_groups(self, &from[4..], 16),
            four_groups(self, &from[8..], 16),
            four_groups(self, &from[12..], 16),
        ];
        transpose!(self._mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, rows)
    }

    fn limit_and_shift(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>) {
        let (from, to) = (&from[..64], to.as_flattened_mut());
        let (most, shift) = (self._mm512_set1_epi16(most as i16), self.0._mm_cvtsi32_si128(shift as i32));
        for i in 0..2 {
            let some = load(&from[32 * i..]);
            let some = self._mm512_sll_epi16(self._mm512_min_epu16(some, most), shift);
            store(&mut to[32 * i..], some);
        }
    }
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]> {
        let Entries {
            start,
            ends,
            bones,
            weights,
        } = *rows;
        let ends = &ends[..16];
        let last = ends[15] as usize;
        if last > bones.len() || last > weights.len() {
            return None;
        }
        let row_ends = load(ends);
        let row_starts = self._mm512_alignr_epi32::<15>(row_ends, self._mm512_set1_epi32(start as i32));
        if self._mm512_cmpgt_epu32_mask(row_starts, row_ends) != 0 {
            return None;
        }
        let counts = self._mm512_sub_epi32(row_ends, row_starts);
        if self._mm512_cmpgt_epu32_mask(counts, self._mm512_set1_epi32(4)) != 0 {
            // Skipped entries lie between those to keep.
            return spread(self.0, rows, 16, rest, shift, to);
        }
        let none = u32::from(self._mm512_cmpeq_epi32_mask(row_starts, row_ends));
        // A bit for each of the sixteen entries of every four rows, set if the entry is present.
        let present = self._mm512_sub_epi32(
            self._mm512_sllv_epi32(self._mm512_set1_epi32(1), counts),
            self._mm512_set1_epi32(1),
        );
        let present = self._mm512_sllv_epi32(
            present,
            self._mm512_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12),
        );
        let present = self._mm512_or_si512(present, self._mm512_shuffle_epi32::<0xb1>(present));
        let present = self._mm512_or_si512(present, self._mm512_shuffle_epi32::<0x4e>(present));
        let mut masks = [0u32; 16];
        store(&mut masks, present);
        let (rest, shift) = (self._mm512_set1_epi32(rest.into()), self.0._mm_cvtsi32_si128(shift as i32));
        for four in 0..4 {
            let start = if four == 0 { start } else { ends[4 * four - 1] };
            // At most sixteen, all in range: ends do not decrease, and the last is in range.
            let count = ends[4 * four + 3] - start;
            let (all, mask) = (((1u32 << count) - 1) as u16, masks[4 * four] as u16);
            let (bones, weights) = (bones.as_ptr(), weights.as_ptr());
            // SAFETY: the entries from `start` on for which `all` has a bit are in range, as checked above.
            let (bones, weights) = unsafe {
                (
                    _mm256_maskz_loadu_epi16(all, bones.add(start as usize).cast()),
                    _mm512_maskz_loadu_ps(all, weights.add(start as usize)),
                )
            };
            store(
                to.weights[4 * four..].as_flattened_mut(),
                self._mm512_maskz_expand_ps(mask, weights),
            );
            let some = self._mm512_mask_expand_epi32(rest, mask, self._mm512_cvtepu16_epi32(bones));
            let some = self._mm512_sll_epi32(self._mm512_min_epu32(some, rest), shift);
            store(
                to.bones[4 * four..].as_flattened_mut(),
                self._mm512_cvtepi32_epi16(some),
            );
        }
        Some([0, none])
    }
    fn is_ascending(self, fours: &Influences4<u16>) -> bool {
        let from = fours.as_flattened();
        // Compare each number with the next of its lane, and the last with 0xffff.
        let last = self._mm512_set1_epi64(0xffff << 48);
        let mut descends = 0;
        for i in 0..2 {
            let some = load(&from[32 * i..]);
            let next = self._mm512_or_si512(self._mm512_srli_epi64::<16>(some), last);
            descends |= self._mm512_cmpgt_epu16_mask(some, next);
        }
        descends == 0
    }

    fn add(self, a: __m512, b: __m512) -> __m512 {
        self._mm512_add_ps(a, b)
    }
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        self._mm512_sub_ps(a, b)
    }
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        self._mm512_mul_ps(a, b)
    }
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        self._mm512_fmadd_ps(a, b, c)
    }
    fn mul_sub(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        self._mm512_fmsub_ps(a, b, c)
    }
    fn min(self, a: __m512, b: __m512) -> __m512 {
        self._mm512_min_ps(a, b)
    }
    fn max(self, a: __m512, b: __m512) -> __m512 {
        self._mm512_max_ps(a, b)
    }
    fn sqrt(self, a: __m512) -> __m512 {
        self._mm512_sqrt_ps(a)
    }
    fn div(self, a: __m512, b: __m512) -> __m512 {
        self._mm512_div_ps(a, b)
    }
    fn inverse_sqrt(self, a: __m512) -> __m512 {
        // A 14-bit estimate and one Newton step: e (1.5 - 0.5 a e²).
        let e = self._mm512_rsqrt14_ps(a);
        let half = self._mm512_mul_ps(self._mm512_mul_ps(a, self._mm512_set1_ps(0.5)), e);
        self._mm512_mul_ps(e, self._mm512_fnmadd_ps(half, e, self._mm512_set1_ps(1.5)))
    }
    fn inverse(self, a: __m512) -> __m512 {
        // A 14-bit estimate and one Newton step: e (2 - a e).
        let e = self._mm512_rcp14_ps(a);
        self._mm512_mul_ps(e, self._mm512_fnmadd_ps(a, e, self._mm512_set1_ps(2.0)))
    }
    fn negate_by_sign(self, a: __m512, sign: __m512) -> __m512 {
        self._mm512_xor_ps(a, self._mm512_and_ps(sign, self._mm512_set1_ps(-0.0)))
    }
    fn outside(self, a: __m512, low: f32, high: f32) -> u32 {
        let below = self._mm512_cmp_ps_mask::<_CMP_NGE_UQ>(a, self._mm512_set1_ps(low));
        let above = self._mm512_cmp_ps_mask::<_CMP_NLT_UQ>(a, self._mm512_set1_ps(high));
        u32::from(below | above)
    }
    fn less_than(self, a: __m512, b: __m512) -> u32 {
        u32::from(self._mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b))
    }
    fn select_less_than(self, a: __m512, b: __m512, x: __m512, y: __m512) -> __m512 {
        self._mm512_mask_blend_ps(self._mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), y, x)
    }

    fn is_arithmetic_sequence(self, from: &[u32], first: u32, step: u32) -> bool {
        let from = load(from);
        let lanes = self._mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let steps = self._mm512_mullo_epi32(lanes, self._mm512_set1_epi32(step as i32));
        let expected = self._mm512_add_epi32(steps, self._mm512_set1_epi32(first as i32));
        self._mm512_cmpneq_epi32_mask(from, expected) == 0
    }
    fn lane_indices(self, from: &[u32], first: u32) -> __m512i {
        let indices = load(from);
        self._mm512_sub_epi32(indices, self._mm512_set1_epi32(first as i32))
    }
    fn permute(self, a: __m512, indices: __m512i) -> __m512 {
        self._mm512_permutexvar_ps(indices, a)
    }

    fn load_twelve(self, row: &[f32; 16]) -> (__m256, __m128) {
        self.0.load_twelve(row)
    }
    fn load_eight(self, row: &[f32; 16]) -> __m256 {
        self.0.load_eight(row)
    }
    fn store_twelve(self, to: &mut [f32; 16], row: (__m256, __m128)) {
        self.0.store_twelve(to, row);
    }
    fn store_eight(self, to: &mut [f32; 16], row: __m256) {
        self.0.store_eight(to, row);
    }
    fn load_twelve_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> (__m256, __m128) {
        self.0.load_twelve_scaled(table, offset, factor)
    }
    fn add_twelve_scaled(
        self,
        sum: (__m256, __m128),
        table: &[Line; LINES],
        offset: RowOffset,
        factor: f32,
    ) -> (__m256, __m128) {
        self.0.add_twelve_scaled(sum, table, offset, factor)
    }
    fn load_eight_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> __m256 {
        self.0.load_eight_scaled(table, offset, factor)
    }
    fn add_eight_scaled(self, sum: __m256, table: &[Line; LINES], offset: RowOffset, factor: f32) -> __m256 {
        self.0.add_eight_scaled(sum, table, offset, factor)
    }
}
