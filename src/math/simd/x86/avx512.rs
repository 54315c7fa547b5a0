//! [`Simd`] as AVX-512, sixteen lanes wide.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]

use super::*;
use crate::math::simd::{Rows, Simd};

// SAFETY of all blocks below: see the head of the folder.
impl Simd for Avx512 {
    const LANES: usize = 16;
    type F = __m512;
    type Places = __m512i;
    type Twelve = __m512;
    type Eight = __m256;

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
    fn transposed(self, rows: &Rows, at: usize) -> [__m512; 4] {
        assert!(at < 4);
        unsafe {
            // 16 numbers a row: 4 rows on are 64 numbers on.
            let from = rows.0.as_ptr().cast::<f32>().add(4 * at);
            let rows = [
                four_groups(from, 64),
                four_groups(from.add(16), 64),
                four_groups(from.add(32), 64),
                four_groups(from.add(48), 64),
            ];
            transposed!(_mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps, rows)
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

    #[inline(always)]
    fn twelve_scaled(self, row: &[f32; 16], by: f32) -> __m512 {
        unsafe { _mm512_mul_ps(_mm512_loadu_ps(row.as_ptr()), _mm512_set1_ps(by)) }
    }
    #[inline(always)]
    fn twelve_plus(self, sum: __m512, row: &[f32; 16], by: f32) -> __m512 {
        unsafe { _mm512_fmadd_ps(_mm512_loadu_ps(row.as_ptr()), _mm512_set1_ps(by), sum) }
    }
    #[inline(always)]
    fn store_twelve(self, to: &mut [f32; 16], row: __m512) {
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), row) }
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
