//! [`Simd`] as AVX2 with FMA, eight lanes wide.

use super::*;
use crate::math::simd::{Entries, Influences4, LINES, Lanes, Line, RowOffset, Simd, Spread};

// SAFETY of all blocks below: see the head of the folder.
impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = __m256;
    type LaneIndices = __m256i;

    #[inline(always)]
    fn prefetch<T>(self, from: &[T], at: usize, count: usize) {
        prefetch(from, at, count);
    }
    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        unsafe { _mm256_set1_ps(x) }
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> __m256 {
        unsafe { _mm256_loadu_ps(read(from, 8)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], x: __m256) {
        unsafe { _mm256_storeu_ps(write(to, 8), x) }
    }
    #[inline(always)]
    fn load3(self, from: &[f32]) -> [__m256; 3] {
        let from = read(from, 24);
        unsafe {
            let (a, b, c) = (
                two_groups(from, 12),
                two_groups(from.add(4), 12),
                two_groups(from.add(8), 12),
            );
            apart!(_mm256_shuffle_ps, a, b, c)
        }
    }
    #[inline(always)]
    fn store3(self, to: &mut [f32], xyz: [__m256; 3]) {
        let to = write(to, 24);
        unsafe {
            let [a, b, c] = together!(_mm256_shuffle_ps, xyz);
            _mm_storeu_ps(to, _mm256_castps256_ps128(a));
            _mm_storeu_ps(to.add(4), _mm256_castps256_ps128(b));
            _mm_storeu_ps(to.add(8), _mm256_castps256_ps128(c));
            _mm_storeu_ps(to.add(12), _mm256_extractf128_ps::<1>(a));
            _mm_storeu_ps(to.add(16), _mm256_extractf128_ps::<1>(b));
            _mm_storeu_ps(to.add(20), _mm256_extractf128_ps::<1>(c));
        }
    }
    #[inline(always)]
    fn columns_of_twelve(self, rows: &Lanes<(__m256, __m128)>) -> [[__m256; 4]; 3] {
        let [[a, b, c, d], [e, f, g, h], ..] = *rows;
        let [first, second] =
            self.columns_of_eight(&[[a.0, b.0, c.0, d.0], [e.0, f.0, g.0, h.0], [a.0; 4], [a.0; 4]]);
        unsafe {
            let last = [
                _mm256_set_m128(e.1, a.1),
                _mm256_set_m128(f.1, b.1),
                _mm256_set_m128(g.1, c.1),
                _mm256_set_m128(h.1, d.1),
            ];
            let last = transposed!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, last);
            [first, second, last]
        }
    }
    #[inline(always)]
    fn columns_of_eight(self, [low, high, ..]: &Lanes<__m256>) -> [[__m256; 4]; 2] {
        unsafe {
            let low = transposed!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, *low);
            let high = transposed!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, *high);
            let mut columns = [low; 2];
            for k in 0..4 {
                columns[0][k] = _mm256_permute2f128_ps::<0x20>(low[k], high[k]);
                columns[1][k] = _mm256_permute2f128_ps::<0x31>(low[k], high[k]);
            }
            columns
        }
    }
    #[inline(always)]
    fn transposed_fours(self, fours: &[[f32; 4]]) -> [__m256; 4] {
        let from = read(fours.as_flattened(), 32);
        unsafe {
            let rows = [
                two_groups(from, 16),
                two_groups(from.add(4), 16),
                two_groups(from.add(8), 16),
                two_groups(from.add(12), 16),
            ];
            transposed!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, rows)
        }
    }

    #[inline(always)]
    fn limited(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>) {
        let (from, to) = (read(from, 32), to.as_mut_ptr().cast::<u16>());
        unsafe {
            let (most, shift) = (_mm256_set1_epi16(most as i16), _mm_cvtsi32_si128(shift as i32));
            for i in 0..2 {
                let some = _mm256_loadu_si256(from.add(16 * i).cast());
                let some = _mm256_sll_epi16(_mm256_min_epu16(some, most), shift);
                _mm256_storeu_si256(to.add(16 * i).cast(), some);
            }
        }
    }
    #[inline(always)]
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]> {
        // SAFETY: AVX2 includes SSE4.1.
        unsafe { spread(rows, 8, rest, shift, to) }
    }
    #[inline(always)]
    fn ascending(self, fours: &Influences4<u16>) -> bool {
        let from = fours.as_ptr().cast::<u16>();
        unsafe {
            // Each with the next of its lane, the last with 0xffff.
            let last = _mm256_set1_epi64x(0xffff << 48);
            let mut rises = _mm256_set1_epi16(-1);
            for i in 0..2 {
                let some = _mm256_loadu_si256(from.add(16 * i).cast());
                let next = _mm256_or_si256(_mm256_srli_epi64::<16>(some), last);
                rises = _mm256_and_si256(rises, _mm256_cmpeq_epi16(_mm256_min_epu16(some, next), some));
            }
            _mm256_movemask_epi8(rises) == -1
        }
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_add_ps(a, b) }
    }
    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    fn mul_add(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn mul_sub(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        unsafe { _mm256_fmsub_ps(a, b, c) }
    }
    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_min_ps(a, b) }
    }
    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_max_ps(a, b) }
    }
    #[inline(always)]
    fn sqrt(self, a: __m256) -> __m256 {
        unsafe { _mm256_sqrt_ps(a) }
    }
    #[inline(always)]
    fn div(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_div_ps(a, b) }
    }
    #[inline(always)]
    fn inverse_sqrt(self, a: __m256) -> __m256 {
        // An estimate to 12 bits and a step of Newton's: e (1.5 - 0.5 a e²).
        unsafe {
            let e = _mm256_rsqrt_ps(a);
            let half = _mm256_mul_ps(_mm256_mul_ps(a, _mm256_set1_ps(0.5)), e);
            _mm256_mul_ps(e, _mm256_fnmadd_ps(half, e, _mm256_set1_ps(1.5)))
        }
    }
    #[inline(always)]
    fn inverse(self, a: __m256) -> __m256 {
        // An estimate to 12 bits and a step of Newton's: e (2 - a e).
        unsafe {
            let e = _mm256_rcp_ps(a);
            _mm256_mul_ps(e, _mm256_fnmadd_ps(a, e, _mm256_set1_ps(2.0)))
        }
    }
    #[inline(always)]
    fn negate_as(self, a: __m256, sign: __m256) -> __m256 {
        unsafe { _mm256_xor_ps(a, _mm256_and_ps(sign, _mm256_set1_ps(-0.0))) }
    }
    #[inline(always)]
    fn outside(self, a: __m256, low: f32, high: f32) -> u32 {
        unsafe {
            let below = _mm256_cmp_ps::<_CMP_NGE_UQ>(a, _mm256_set1_ps(low));
            let above = _mm256_cmp_ps::<_CMP_NLT_UQ>(a, _mm256_set1_ps(high));
            _mm256_movemask_ps(_mm256_or_ps(below, above)) as u32
        }
    }
    #[inline(always)]
    fn less(self, a: __m256, b: __m256) -> u32 {
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) as u32 }
    }
    #[inline(always)]
    fn pick_less(self, a: __m256, b: __m256, x: __m256, y: __m256) -> __m256 {
        unsafe { _mm256_blendv_ps(y, x, _mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) }
    }

    #[inline(always)]
    fn in_steps(self, from: &[u32], first: u32, step: u32) -> bool {
        unsafe {
            let from = _mm256_loadu_si256(read(from, 8).cast());
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let steps = _mm256_mullo_epi32(lanes, _mm256_set1_epi32(step as i32));
            let same = _mm256_cmpeq_epi32(from, _mm256_add_epi32(steps, _mm256_set1_epi32(first as i32)));
            _mm256_movemask_epi8(same) == -1
        }
    }
    #[inline(always)]
    fn places(self, from: &[u32], first: u32) -> __m256i {
        unsafe {
            let places = _mm256_loadu_si256(read(from, 8).cast());
            _mm256_sub_epi32(places, _mm256_set1_epi32(first as i32))
        }
    }
    #[inline(always)]
    fn permuted(self, a: __m256, places: __m256i) -> __m256 {
        unsafe { _mm256_permutevar8x32_ps(a, places) }
    }

    rows!();
}
