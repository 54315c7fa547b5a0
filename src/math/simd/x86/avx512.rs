//! [`Simd`] as AVX-512, sixteen lanes wide.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::*;
use crate::math::simd::{Entries, Influences4, LINES, Lanes, Line, RowOffset, Simd, Spread};

// SAFETY of all blocks below: see the head of the folder.
impl Simd for Avx512 {
    const LANES: usize = 16;
    type F = __m512;
    type LaneIndices = __m512i;

    #[inline(always)]
    fn prefetch<T>(self, from: &[T], at: usize, count: usize) {
        prefetch(from, at, count);
    }
    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        unsafe { _mm512_set1_ps(x) }
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> __m512 {
        unsafe { _mm512_loadu_ps(read(from, 16)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], x: __m512) {
        unsafe { _mm512_storeu_ps(write(to, 16), x) }
    }
    #[inline(always)]
    fn load3(self, from: &[f32]) -> [__m512; 3] {
        let from = read(from, 48);
        unsafe {
            let (a, b) = (_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16)));
            let c = _mm512_loadu_ps(from.add(32));
            let mut xyz = [a; 3];
            for axis in 0..3 {
                let some = _mm512_permutex2var_ps(a, indices(&APART[axis][0]), b);
                xyz[axis] = _mm512_permutex2var_ps(some, indices(&APART[axis][1]), c);
            }
            xyz
        }
    }
    #[inline(always)]
    fn store3(self, to: &mut [f32], [x, y, z]: [__m512; 3]) {
        let to = write(to, 48);
        unsafe {
            for third in 0..3 {
                let some = _mm512_permutex2var_ps(x, indices(&TOGETHER[third][0]), y);
                let all = _mm512_permutex2var_ps(some, indices(&TOGETHER[third][1]), z);
                _mm512_storeu_ps(to.add(16 * third), all);
            }
        }
    }
    #[inline(always)]
    fn columns_of_twelve(self, rows: &Lanes<(__m256, __m128)>) -> [[__m512; 4]; 3] {
        let mut low = [[rows[0][0].0; 4]; 4];
        for i in 0..4 {
            for k in 0..4 {
                low[i][k] = rows[i][k].0;
            }
        }
        let [first, second] = self.columns_of_eight(&low);
        unsafe {
            let mut last = first;
            for k in 0..4 {
                let some = _mm512_castps128_ps512(rows[0][k].1);
                let some = _mm512_insertf32x4::<1>(some, rows[1][k].1);
                let some = _mm512_insertf32x4::<2>(some, rows[2][k].1);
                last[k] = _mm512_insertf32x4::<3>(some, rows[3][k].1);
            }
            let last = transposed!(_mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, last);
            [first, second, last]
        }
    }
    #[inline(always)]
    fn columns_of_eight(self, [a, b, c, d]: &Lanes<__m256>) -> [[__m512; 4]; 2] {
        unsafe {
            let mut pairs = [[_mm512_setzero_ps(); 4]; 2];
            for k in 0..4 {
                pairs[0][k] = both(a[k], b[k]);
                pairs[1][k] = both(c[k], d[k]);
            }
            let [ab, cd] = pairs;
            let ab = transposed!(_mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, ab);
            let cd = transposed!(_mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, cd);
            let mut columns = [ab; 2];
            for k in 0..4 {
                columns[0][k] = _mm512_shuffle_f32x4::<0x88>(ab[k], cd[k]);
                columns[1][k] = _mm512_shuffle_f32x4::<0xdd>(ab[k], cd[k]);
            }
            columns
        }
    }
    #[inline(always)]
    fn transposed_fours(self, fours: &[[f32; 4]]) -> [__m512; 4] {
        let from = read(fours.as_flattened(), 64);
        unsafe {
            let rows = [
                four_groups(from, 16),
                four_groups(from.add(4), 16),
                four_groups(from.add(8), 16),
                four_groups(from.add(12), 16),
            ];
            transposed!(_mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, rows)
        }
    }

    #[inline(always)]
    fn limited(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>) {
        let (from, to) = (read(from, 64), to.as_mut_ptr().cast::<u16>());
        unsafe {
            let (most, shift) = (_mm512_set1_epi16(most as i16), _mm_cvtsi32_si128(shift as i32));
            for i in 0..2 {
                let some = _mm512_loadu_si512(from.add(32 * i).cast());
                let some = _mm512_sll_epi16(_mm512_min_epu16(some, most), shift);
                _mm512_storeu_si512(to.add(32 * i).cast(), some);
            }
        }
    }
    #[inline(always)]
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]> {
        let Entries {
            start,
            ends,
            bones,
            weights,
        } = *rows;
        let from = read(ends, 16);
        let last = ends[15] as usize;
        let none;
        if last > bones.len() || last > weights.len() {
            return None;
        }
        unsafe {
            let upto = _mm512_loadu_si512(from.cast());
            let since = _mm512_alignr_epi32::<15>(upto, _mm512_set1_epi32(start as i32));
            if _mm512_cmpgt_epu32_mask(since, upto) != 0 {
                return None;
            }
            let counts = _mm512_sub_epi32(upto, since);
            if _mm512_cmpgt_epu32_mask(counts, _mm512_set1_epi32(4)) != 0 {
                // Entries to be left out lie between those that count.
                return spread(rows, 16, rest, shift, to);
            }
            none = u32::from(_mm512_cmpeq_epi32_mask(since, upto));
            // A bit for each of the sixteen entries of every four rows that is there.
            let there = _mm512_sub_epi32(
                _mm512_sllv_epi32(_mm512_set1_epi32(1), counts),
                _mm512_set1_epi32(1),
            );
            let there = _mm512_sllv_epi32(
                there,
                _mm512_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12),
            );
            let there = _mm512_or_si512(there, _mm512_shuffle_epi32::<0xb1>(there));
            let there = _mm512_or_si512(there, _mm512_shuffle_epi32::<0x4e>(there));
            let mut masks = [0u32; 16];
            _mm512_storeu_si512(masks.as_mut_ptr().cast(), there);
            let (rest, shift) = (_mm512_set1_epi32(rest.into()), _mm_cvtsi32_si128(shift as i32));
            for four in 0..4 {
                let start = if four == 0 { start } else { ends[4 * four - 1] };
                // Sixteen at most, all within the entries: ends do not fall, and the last is within.
                let count = ends[4 * four + 3] - start;
                let (all, mask) = (((1u32 << count) - 1) as u16, masks[4 * four] as u16);
                let some = _mm512_maskz_loadu_ps(all, weights.as_ptr().add(start as usize));
                _mm512_storeu_ps(
                    to.weights[4 * four..].as_mut_ptr().cast(),
                    _mm512_maskz_expand_ps(mask, some),
                );
                let some = _mm256_maskz_loadu_epi16(all, bones.as_ptr().add(start as usize).cast());
                let some = _mm512_mask_expand_epi32(rest, mask, _mm512_cvtepu16_epi32(some));
                let some = _mm512_sll_epi32(_mm512_min_epu32(some, rest), shift);
                _mm256_storeu_si256(
                    to.bones[4 * four..].as_mut_ptr().cast(),
                    _mm512_cvtepi32_epi16(some),
                );
            }
        }
        Some([0, none])
    }
    #[inline(always)]
    fn ascending(self, fours: &Influences4<u16>) -> bool {
        let from = fours.as_ptr().cast::<u16>();
        unsafe {
            // Each with the next of its lane, the last with 0xffff.
            let last = _mm512_set1_epi64(0xffff << 48);
            let mut falls = 0;
            for i in 0..2 {
                let some = _mm512_loadu_si512(from.add(32 * i).cast());
                let next = _mm512_or_si512(_mm512_srli_epi64::<16>(some), last);
                falls |= _mm512_cmpgt_epu16_mask(some, next);
            }
            falls == 0
        }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }
    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_mul_ps(a, b) }
    }
    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn mul_sub(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmsub_ps(a, b, c) }
    }
    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_min_ps(a, b) }
    }
    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_max_ps(a, b) }
    }
    #[inline(always)]
    fn sqrt(self, a: __m512) -> __m512 {
        unsafe { _mm512_sqrt_ps(a) }
    }
    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_div_ps(a, b) }
    }
    #[inline(always)]
    fn inverse_sqrt(self, a: __m512) -> __m512 {
        // An estimate to 14 bits and a step of Newton's: e (1.5 - 0.5 a e²).
        unsafe {
            let e = _mm512_rsqrt14_ps(a);
            let half = _mm512_mul_ps(_mm512_mul_ps(a, _mm512_set1_ps(0.5)), e);
            _mm512_mul_ps(e, _mm512_fnmadd_ps(half, e, _mm512_set1_ps(1.5)))
        }
    }
    #[inline(always)]
    fn inverse(self, a: __m512) -> __m512 {
        // An estimate to 14 bits and a step of Newton's: e (2 - a e).
        unsafe {
            let e = _mm512_rcp14_ps(a);
            _mm512_mul_ps(e, _mm512_fnmadd_ps(a, e, _mm512_set1_ps(2.0)))
        }
    }
    #[inline(always)]
    fn negate_as(self, a: __m512, sign: __m512) -> __m512 {
        unsafe { _mm512_xor_ps(a, _mm512_and_ps(sign, _mm512_set1_ps(-0.0))) }
    }
    #[inline(always)]
    fn outside(self, a: __m512, low: f32, high: f32) -> u32 {
        unsafe {
            let below = _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(a, _mm512_set1_ps(low));
            let above = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(a, _mm512_set1_ps(high));
            u32::from(below | above)
        }
    }
    #[inline(always)]
    fn less(self, a: __m512, b: __m512) -> u32 {
        unsafe { u32::from(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)) }
    }
    #[inline(always)]
    fn pick_less(self, a: __m512, b: __m512, x: __m512, y: __m512) -> __m512 {
        unsafe { _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b), y, x) }
    }

    #[inline(always)]
    fn in_steps(self, from: &[u32], first: u32, step: u32) -> bool {
        unsafe {
            let from = _mm512_loadu_si512(read(from, 16).cast());
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let steps = _mm512_mullo_epi32(lanes, _mm512_set1_epi32(step as i32));
            let expected = _mm512_add_epi32(steps, _mm512_set1_epi32(first as i32));
            _mm512_cmpneq_epi32_mask(from, expected) == 0
        }
    }
    #[inline(always)]
    fn places(self, from: &[u32], first: u32) -> __m512i {
        unsafe {
            let places = _mm512_loadu_si512(read(from, 16).cast());
            _mm512_sub_epi32(places, _mm512_set1_epi32(first as i32))
        }
    }
    #[inline(always)]
    fn permuted(self, a: __m512, places: __m512i) -> __m512 {
        unsafe { _mm512_permutexvar_ps(places, a) }
    }

    rows!();
}
