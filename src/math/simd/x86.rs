//! [`Simd`] as AVX2 with FMA, eight lanes wide, and as AVX-512, sixteen lanes wide.
//!
//! The one folder with `unsafe` code. Two kinds of it, each sound for one reason:
//! - calling instructions that not every processor has: a token exists only where they were detected;
//! - reading and writing through pointers: each is into a slice or array whose length was checked, or is
//!   part of its type, right before.

#![allow(
    clippy::needless_range_loop,
    reason = "closures of iterators are not compiled for the instructions that a kernel runs on"
)]
#![allow(unsafe_code)]

use super::{Kernel, Rows, Simd};
use std::arch::x86_64::*;

/// The processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Avx2(());

/// The processor has AVX-512 (F, BW, DQ, VL), AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx2 {
    pub fn detected() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    #[inline]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma")]
        fn compiled<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: the token says that the processor has them.
        unsafe { compiled(self, kernel) }
    }
}

impl Avx512 {
    pub fn detected() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        (has && Avx2::detected().is_some()).then_some(Self(()))
    }

    #[inline]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
        fn compiled<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: the token says that the processor has them.
        unsafe { compiled(self, kernel) }
    }
}

/// The pointer to `length` numbers.
#[inline(always)]
fn read<T>(from: &[T], length: usize) -> *const T {
    from[..length].as_ptr()
}

/// The pointer to `length` numbers.
#[inline(always)]
fn write<T>(to: &mut [T], length: usize) -> *mut T {
    to[..length].as_mut_ptr()
}

const fn order(d: i32, c: i32, b: i32, a: i32) -> i32 {
    d << 6 | c << 4 | b << 2 | a
}

/// x, y, z from registers whose quarters hold numbers 0 to 3, 4 to 7 and 8 to 11 of twelve each, and back.
/// (Intel, "3D vector normalization using 256-bit AVX".)
macro_rules! apart {
    ($shuffle:ident, $first:expr, $second:expr, $third:expr) => {{
        let (first, second, third) = ($first, $second, $third);
        let xy = $shuffle::<{ order(2, 1, 3, 2) }>(second, third);
        let yz = $shuffle::<{ order(1, 0, 2, 1) }>(first, second);
        [
            $shuffle::<{ order(2, 0, 3, 0) }>(first, xy),
            $shuffle::<{ order(3, 1, 2, 0) }>(yz, xy),
            $shuffle::<{ order(3, 0, 3, 1) }>(yz, third),
        ]
    }};
}
macro_rules! together {
    ($shuffle:ident, $xyz:expr) => {{
        let [x, y, z] = $xyz;
        let xy = $shuffle::<{ order(2, 0, 2, 0) }>(x, y);
        let yz = $shuffle::<{ order(3, 1, 3, 1) }>(y, z);
        let zx = $shuffle::<{ order(3, 1, 2, 0) }>(z, x);
        [
            $shuffle::<{ order(2, 0, 2, 0) }>(xy, zx),
            $shuffle::<{ order(3, 1, 2, 0) }>(yz, xy),
            $shuffle::<{ order(3, 1, 3, 1) }>(zx, yz),
        ]
    }};
}
/// 4 x 4 transposes in each quarter.
macro_rules! transposed {
    ($low:ident, $high:ident, $shuffle:ident, $rows:expr) => {{
        let [a, b, c, d] = $rows;
        let (ab, cd) = ($low(a, b), $low(c, d));
        let (ab_high, cd_high) = ($high(a, b), $high(c, d));
        [
            $shuffle::<0x44>(ab, cd),
            $shuffle::<0xee>(ab, cd),
            $shuffle::<0x44>(ab_high, cd_high),
            $shuffle::<0xee>(ab_high, cd_high),
        ]
    }};
}

/// For the permutations of two registers that take x y z x y z ... apart: the first of them for what lies in
/// the first two registers, the second for what lies in the third.
const APART: [[[i32; 16]; 2]; 3] = {
    let mut all = [[[0; 16]; 2]; 3];
    let mut at = 0;
    while at < 48 {
        let (lane, axis) = (at / 3, at % 3);
        all[axis][0][lane] = if at < 32 { at as i32 } else { 0 };
        all[axis][1][lane] = if at < 32 { lane as i32 } else { at as i32 - 16 };
        at += 1;
    }
    all
};
/// And back: the first permutation puts x and y to their places, the second z.
const TOGETHER: [[[i32; 16]; 2]; 3] = {
    let mut all = [[[0; 16]; 2]; 3];
    let mut at = 0;
    while at < 48 {
        let (lane, axis, third, place) = (at as i32 / 3, at % 3, at / 16, at % 16);
        all[third][0][place] = if axis == 1 { 16 + lane } else { lane };
        all[third][1][place] = if axis == 2 { 16 + lane } else { place as i32 };
        at += 1;
    }
    all
};

/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn indices(of: &'static [i32; 16]) -> __m512i {
    unsafe { _mm512_loadu_si512(of.as_ptr().cast()) }
}

/// Two or four groups of four numbers, `apart` numbers from each other.
///
/// # Safety
/// All of them can be read; the processor has AVX (and AVX-512 for the second).
#[inline(always)]
unsafe fn two_groups(from: *const f32, apart: usize) -> __m256 {
    unsafe {
        let low = _mm256_castps128_ps256(_mm_loadu_ps(from));
        _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(from.add(apart)))
    }
}
#[inline(always)]
unsafe fn four_groups(from: *const f32, apart: usize) -> __m512 {
    unsafe {
        let a = _mm512_castps128_ps512(_mm_loadu_ps(from));
        let b = _mm512_insertf32x4::<1>(a, _mm_loadu_ps(from.add(apart)));
        let c = _mm512_insertf32x4::<2>(b, _mm_loadu_ps(from.add(2 * apart)));
        _mm512_insertf32x4::<3>(c, _mm_loadu_ps(from.add(3 * apart)))
    }
}

// SAFETY of all blocks below: see the head of this file.
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

// SAFETY of all blocks below: see the head of this file.
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
