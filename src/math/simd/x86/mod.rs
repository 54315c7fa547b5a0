//! [`super::Simd`] as AVX2 with FMA, eight lanes wide, and as AVX-512, sixteen lanes wide.
//!
//! The one folder with `unsafe` code. Two kinds of it, each sound for one reason:
//! - calling instructions that not every processor has: a token exists only where they were detected;
//! - reading and writing through pointers: each is into a slice or array whose length was checked, or is
//!   part of its type, right before.

#![allow(unsafe_code)]

use super::Kernel;
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

mod avx2;
mod avx512;
