//! [`Simd`] as AVX2 with FMA, eight lanes wide.

use super::*;
use crate::math::simd::{Rows, Simd};

// SAFETY of all blocks below: see the head of the folder.
impl Simd for Avx2 {
    const LANES: usize = 8;
    type F = __m256;
    type Places = __m256i;
    type Twelve = (__m256, __m128);
    type Eight = __m256;

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
    fn transposed(self, rows: &Rows, at: usize) -> [__m256; 4] {
        assert!(at < 4);
        unsafe {
            // 16 numbers a row: 4 rows on are 64 numbers on.
            let from = rows.0.as_ptr().cast::<f32>().add(4 * at);
            let rows = [
                two_groups(from, 64),
                two_groups(from.add(16), 64),
                two_groups(from.add(32), 64),
                two_groups(from.add(48), 64),
            ];
            transposed!(_mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps, rows)
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

    #[inline(always)]
    fn twelve_scaled(self, row: &[f32; 16], by: f32) -> (__m256, __m128) {
        unsafe {
            let (low, high) = (_mm256_loadu_ps(row.as_ptr()), _mm_loadu_ps(row.as_ptr().add(8)));
            (
                _mm256_mul_ps(low, _mm256_set1_ps(by)),
                _mm_mul_ps(high, _mm_set1_ps(by)),
            )
        }
    }
    #[inline(always)]
    fn twelve_plus(self, sum: (__m256, __m128), row: &[f32; 16], by: f32) -> (__m256, __m128) {
        unsafe {
            let (low, high) = (_mm256_loadu_ps(row.as_ptr()), _mm_loadu_ps(row.as_ptr().add(8)));
            let by = _mm256_set1_ps(by);
            (
                _mm256_fmadd_ps(low, by, sum.0),
                _mm_fmadd_ps(high, _mm256_castps256_ps128(by), sum.1),
            )
        }
    }
    #[inline(always)]
    fn store_twelve(self, to: &mut [f32; 16], row: (__m256, __m128)) {
        unsafe {
            _mm256_storeu_ps(to.as_mut_ptr(), row.0);
            _mm_storeu_ps(to.as_mut_ptr().add(8), row.1);
        }
    }
    #[inline(always)]
    fn eight_scaled(self, row: &[f32; 8], by: f32) -> __m256 {
        unsafe { _mm256_mul_ps(_mm256_loadu_ps(row.as_ptr()), _mm256_set1_ps(by)) }
    }
    #[inline(always)]
    fn eight_plus(self, sum: __m256, row: &[f32; 8], by: f32) -> __m256 {
        unsafe { _mm256_fmadd_ps(_mm256_loadu_ps(row.as_ptr()), _mm256_set1_ps(by), sum) }
    }
    #[inline(always)]
    fn store_eight(self, to: &mut [f32; 16], row: __m256) {
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), row) }
    }
}
