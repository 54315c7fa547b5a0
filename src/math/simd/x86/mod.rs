//! [`super::Simd`] as AVX2 with FMA, eight lanes wide, and as AVX-512, sixteen lanes wide.
//!
//! The one folder with `unsafe` code. Two kinds of it, each sound for one reason:
//! - calling instructions that not every processor has: a token exists only where they were detected;
//! - reading and writing through pointers: each is into a slice or array whose length was checked, or is
//!   part of its type, right before.

#![allow(unsafe_code)]

use super::{Entries, Kernel, LINES, Line, RowOffset, Spread};
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

/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn both(low: __m256, high: __m256) -> __m512 {
    unsafe {
        let (low, high) = (_mm256_castps_pd(low), _mm256_castps_pd(high));
        _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high))
    }
}

/// The pointer to the row at a place, of sixteen numbers at most.
#[inline(always)]
fn at(table: &[Line; LINES], place: RowOffset) -> *const f32 {
    const { assert!(8 * RowOffset::MAX as usize + 64 <= size_of::<[Line; LINES]>()) };
    table.as_ptr().cast::<f32>().wrapping_add(2 * usize::from(place))
}

/// [`super::Simd::prefetch`].
#[inline(always)]
fn prefetch<T>(from: &[T], at: usize, count: usize) {
    let start = from.as_ptr().wrapping_add(at).cast::<i8>();
    let mut line = 0;
    while line < count * size_of::<T>() {
        // SAFETY: wherever it points to, nothing is read or written.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line)) };
        line += 64;
    }
}

/// [`super::Simd::alone`].
#[inline(always)]
fn alone(number: &u16) -> u16 {
    // SAFETY: a reference can be read.
    unsafe { std::ptr::read_volatile(number) }
}

/// [`super::Simd::spread`] row by row.
///
/// # Safety
/// The processor has SSE4.1.
#[inline(always)]
unsafe fn spread(
    rows: &Entries<'_>,
    lanes: usize,
    rest: u16,
    shift: u32,
    to: &mut Spread,
) -> Option<[u32; 2]> {
    let Entries { bones, weights, .. } = *rows;
    let (mut longer, mut none) = (0, 0);
    for lane in 0..lanes {
        let (start, end) = rows.row(lane)?;
        longer |= u32::from(end - start > 4) << lane;
        none |= u32::from(start == end) << lane;
        let count = (end - start).min(4);
        if start + 4 > bones.len() || start + 4 > weights.len() {
            (to.bones[lane], to.weights[lane]) = ([rest << shift; 4], [0.0; 4]);
            for k in 0..count {
                to.bones[lane][k] = bones[start + k].min(rest) << shift;
                to.weights[lane][k] = weights[start + k];
            }
            continue;
        }
        unsafe {
            let missing = _mm_cmpgt_epi32(_mm_setr_epi32(1, 2, 3, 4), _mm_set1_epi32(count as i32));
            let some = _mm_loadu_ps(weights.as_ptr().add(start));
            let some = _mm_andnot_ps(_mm_castsi128_ps(missing), some);
            _mm_storeu_ps(to.weights[lane].as_mut_ptr(), some);
            let some = _mm_loadl_epi64(bones.as_ptr().add(start).cast());
            let some = _mm_or_si128(some, _mm_packs_epi32(missing, missing));
            let some = _mm_min_epu16(some, _mm_set1_epi16(rest as i16));
            let some = _mm_sll_epi16(some, _mm_cvtsi32_si128(shift as i32));
            _mm_storel_epi64(to.bones[lane].as_mut_ptr().cast(), some);
        }
    }
    Some([longer, none])
}

/// What both have of [`super::Simd`]: rows of twelve numbers and of eight.
// SAFETY of its blocks: see the head of the folder; `at` says why rows can be read.
macro_rules! rows {
    () => {
        type Mat3x4 = (__m256, __m128);
        type DualQuat8 = __m256;

        #[inline(always)]
        fn alone(self, number: &u16) -> u16 {
            alone(number)
        }
        #[inline(always)]
        fn twelve(self, row: &[f32; 16]) -> (__m256, __m128) {
            unsafe {
                (
                    _mm256_loadu_ps(row.as_ptr()),
                    _mm_loadu_ps(row.as_ptr().add(8)),
                )
            }
        }
        #[inline(always)]
        fn eight(self, row: &[f32; 16]) -> __m256 {
            unsafe { _mm256_loadu_ps(row.as_ptr()) }
        }
        #[inline(always)]
        fn store_twelve(self, to: &mut [f32; 16], row: (__m256, __m128)) {
            unsafe {
                _mm256_storeu_ps(to.as_mut_ptr(), row.0);
                _mm_storeu_ps(to.as_mut_ptr().add(8), row.1);
            }
        }
        #[inline(always)]
        fn store_eight(self, to: &mut [f32; 16], row: __m256) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), row) }
        }
        #[inline(always)]
        fn twelve_scaled(self, table: &[Line; LINES], place: RowOffset, by: f32) -> (__m256, __m128) {
            let row = at(table, place);
            unsafe {
                let (low, high) = (_mm256_loadu_ps(row), _mm_loadu_ps(row.add(8)));
                (
                    _mm256_mul_ps(low, _mm256_set1_ps(by)),
                    _mm_mul_ps(high, _mm_set1_ps(by)),
                )
            }
        }
        #[inline(always)]
        fn twelve_plus(
            self,
            sum: (__m256, __m128),
            table: &[Line; LINES],
            place: RowOffset,
            by: f32,
        ) -> (__m256, __m128) {
            let row = at(table, place);
            unsafe {
                let (low, high) = (_mm256_loadu_ps(row), _mm_loadu_ps(row.add(8)));
                let by = _mm256_set1_ps(by);
                (
                    _mm256_fmadd_ps(low, by, sum.0),
                    _mm_fmadd_ps(high, _mm256_castps256_ps128(by), sum.1),
                )
            }
        }
        #[inline(always)]
        fn eight_scaled(self, table: &[Line; LINES], place: RowOffset, by: f32) -> __m256 {
            unsafe { _mm256_mul_ps(_mm256_loadu_ps(at(table, place)), _mm256_set1_ps(by)) }
        }
        #[inline(always)]
        fn eight_plus(self, sum: __m256, table: &[Line; LINES], place: RowOffset, by: f32) -> __m256 {
            unsafe { _mm256_fmadd_ps(_mm256_loadu_ps(at(table, place)), _mm256_set1_ps(by), sum) }
        }
    };
}

mod avx2;
mod avx512;
