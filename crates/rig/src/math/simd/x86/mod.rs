//! [`super::Simd`] as AVX2 with FMA, eight lanes wide, and as AVX-512, sixteen lanes wide.
//!
//! The only folder with `unsafe` code, of two kinds:
//! - calls of instructions that not every processor has. A token exists only if they were detected, and all
//!   such calls are methods of a token, in `instructions`;
//! - operations on pointers, each with its own safety comment.

#![allow(unsafe_code)]

use super::{Entries, Kernel, Spread};
use bytemuck::{Pod, bytes_of, cast, cast_slice, cast_slice_mut, pod_read_unaligned};
use std::arch::x86_64::*;

/// A token that proves that the processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Avx2(());

/// A token that proves that the processor has AVX-512 (F, BW, DQ, VL), AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Avx512(Avx2);

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
        // SAFETY: the token proves that the processor has these features.
        unsafe { compiled(self, kernel) }
    }
}

impl Avx512 {
    pub fn detected() -> Option<Self> {
        let supported = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        Avx2::detected().filter(|_| supported).map(Self)
    }

    #[inline]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
        fn compiled<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: the token proves that the processor has these features.
        unsafe { compiled(self, kernel) }
    }
}

/// A register that can be loaded and stored: as itself, or as two halves if bytemuck supports it only behind
/// a feature.
trait Register: Copy {
    type Plain: Pod;

    fn from_plain(plain: Self::Plain) -> Self;
    fn plain(self) -> Self::Plain;
}

macro_rules! registers {
    ($($register:ty),*) => {
        $(impl Register for $register {
            type Plain = Self;

            #[inline(always)]
            fn from_plain(plain: Self) -> Self {
                plain
            }
            #[inline(always)]
            fn plain(self) -> Self {
                self
            }
        })*
    };
}

macro_rules! wide_registers {
    ($($register:ty as $half:ty),*) => {
        $(impl Register for $register {
            type Plain = [$half; 2];

            #[inline(always)]
            fn from_plain(plain: Self::Plain) -> Self {
                // SAFETY: both types are 64 bytes for which all bit patterns are valid.
                unsafe { std::mem::transmute(plain) }
            }
            #[inline(always)]
            fn plain(self) -> Self::Plain {
                // SAFETY: as above.
                unsafe { std::mem::transmute(self) }
            }
        })*
    };
}

registers!(u64, __m128, __m128i, __m256, __m256i);
wide_registers!(__m512 as __m256, __m512i as __m256i);

/// Loads a register from the start of a slice.
#[inline(always)]
fn load<T: Pod, V: Register>(from: &[T]) -> V {
    V::from_plain(pod_read_unaligned(&cast_slice(from)[..size_of::<V>()]))
}

/// Stores a register at the start of a slice.
#[inline(always)]
fn store<T: Pod, V: Register>(to: &mut [T], value: V) {
    cast_slice_mut(to)[..size_of::<V>()].copy_from_slice(bytes_of(&value.plain()));
}

/// Implements [`Simd`] for a token, including the functions that all tokens share.
macro_rules! with_token {
    (
        $token:ident;
        const LANES: usize = $lanes:literal;
        $(type $name_of_type:ident = $type:ty;)*
        $(
            fn $name:ident($self:ident $(, $arg:ident: $arg_type:ty)* $(,)?) $(-> $result:ty)? $body:block
        )*
    ) => {
        impl Simd for $token {
            const LANES: usize = $lanes;
            $(type $name_of_type = $type;)*

            #[inline(always)]
            fn prefetch<T>(self, from: &[T], start: usize, count: usize) {
                prefetch(from, start, count);
            }
            #[inline(always)]
            fn load_single(self, number: &u16) -> u16 {
                load_single(number)
            }
            $(
                #[inline(always)]
                fn $name($self $(, $arg: $arg_type)*) $(-> $result)? $body
            )*
        }
    };
}

const fn order(d: i32, c: i32, b: i32, a: i32) -> i32 {
    d << 6 | c << 4 | b << 2 | a
}

/// Deinterleaves x, y, z from registers whose quarters hold numbers 0 to 3, 4 to 7 and 8 to 11 of every
/// twelve. (Intel, "3D vector normalization using 256-bit AVX".)
macro_rules! deinterleave {
    ($v:ident . $shuffle:ident, $first:expr, $second:expr, $third:expr) => {{
        let (first, second, third) = ($first, $second, $third);
        let xy = $v.$shuffle::<{ order(2, 1, 3, 2) }>(second, third);
        let yz = $v.$shuffle::<{ order(1, 0, 2, 1) }>(first, second);
        [
            $v.$shuffle::<{ order(2, 0, 3, 0) }>(first, xy),
            $v.$shuffle::<{ order(3, 1, 2, 0) }>(yz, xy),
            $v.$shuffle::<{ order(3, 0, 3, 1) }>(yz, third),
        ]
    }};
}
/// The inverse of `deinterleave`.
macro_rules! interleave {
    ($v:ident . $shuffle:ident, $xyz:expr) => {{
        let [x, y, z] = $xyz;
        let xy = $v.$shuffle::<{ order(2, 0, 2, 0) }>(x, y);
        let yz = $v.$shuffle::<{ order(3, 1, 3, 1) }>(y, z);
        let zx = $v.$shuffle::<{ order(3, 1, 2, 0) }>(z, x);
        [
            $v.$shuffle::<{ order(2, 0, 2, 0) }>(xy, zx),
            $v.$shuffle::<{ order(3, 1, 2, 0) }>(yz, xy),
            $v.$shuffle::<{ order(3, 1, 3, 1) }>(zx, yz),
        ]
    }};
}
/// Transposes the 4 x 4 block in each quarter.
macro_rules! transpose {
    ($v:ident . $low:ident, $high:ident, $shuffle:ident, $rows:expr) => {{
        let [a, b, c, d] = $rows;
        let (ab, cd) = ($v.$low(a, b), $v.$low(c, d));
        let (ab_high, cd_high) = ($v.$high(a, b), $v.$high(c, d));
        [
            $v.$shuffle::<0x44>(ab, cd),
            $v.$shuffle::<0xee>(ab, cd),
            $v.$shuffle::<0x44>(ab_high, cd_high),
            $v.$shuffle::<0xee>(ab_high, cd_high),
        ]
    }};
}

/// Two permutations of two registers each, which together deinterleave three registers of x y z x y z ...:
/// the first reads the first two registers, the second the third.
const DEINTERLEAVE: [[[i32; 16]; 2]; 3] = {
    let mut all = [[[0; 16]; 2]; 3];
    let mut index = 0;
    while index < 48 {
        let (lane, axis) = (index / 3, index % 3);
        all[axis][0][lane] = if index < 32 { index as i32 } else { 0 };
        all[axis][1][lane] = if index < 32 { lane as i32 } else { index as i32 - 16 };
        index += 1;
    }
    all
};
/// The inverse: the first permutation places x and y, the second z.
const INTERLEAVE: [[[i32; 16]; 2]; 3] = {
    let mut all = [[[0; 16]; 2]; 3];
    let mut index = 0;
    while index < 48 {
        let (lane, axis, third, position) = (index as i32 / 3, index % 3, index / 16, index % 16);
        all[third][0][position] = if axis == 1 { 16 + lane } else { lane };
        all[third][1][position] = if axis == 2 { 16 + lane } else { position as i32 };
        index += 1;
    }
    all
};

/// Loads two or four groups of four numbers, `stride` numbers apart.
#[inline(always)]
fn two_groups(v: Avx2, from: &[f32], stride: usize) -> __m256 {
    v._mm256_insertf128_ps::<1>(v._mm256_castps128_ps256(load(from)), load(&from[stride..]))
}
#[inline(always)]
fn four_groups(v: Avx512, from: &[f32], stride: usize) -> __m512 {
    let a = v._mm512_castps128_ps512(load(from));
    let b = v._mm512_insertf32x4::<1>(a, load(&from[stride..]));
    let c = v._mm512_insertf32x4::<2>(b, load(&from[2 * stride..]));
    v._mm512_insertf32x4::<3>(c, load(&from[3 * stride..]))
}

#[inline(always)]
fn join_halves(v: Avx512, low: __m256, high: __m256) -> __m512 {
    let (low, high) = (v.0._mm256_castps_pd(low), v.0._mm256_castps_pd(high));
    v._mm512_castpd_ps(v._mm512_insertf64x4::<1>(v._mm512_castpd256_pd512(low), high))
}

/// See [`super::Simd::prefetch`].
#[inline(always)]
fn prefetch<T>(from: &[T], start: usize, count: usize) {
    let pointer = from.as_ptr().wrapping_add(start).cast::<i8>();
    let mut line = 0;
    while line < count * size_of::<T>() {
        // SAFETY: a prefetch neither reads nor writes, whatever address it is given.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(pointer.wrapping_add(line)) };
        line += 64;
    }
}

/// See [`super::Simd::load_single`].
#[inline(always)]
fn load_single(number: &u16) -> u16 {
    // SAFETY: a reference is valid for reads.
    unsafe { std::ptr::read_volatile(number) }
}

/// Implements [`super::Simd::spread`] row by row.
#[inline(always)]
fn spread(
    v: Avx2,
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
        let missing = v._mm_cmpgt_epi32(v._mm_setr_epi32(1, 2, 3, 4), v._mm_set1_epi32(count as i32));
        let some = load(&weights[start..start + 4]);
        let some = v._mm_andnot_ps(v._mm_castsi128_ps(missing), some);
        store(&mut to.weights[lane], some);
        let some = cast([load::<_, u64>(&bones[start..start + 4]), 0]);
        let some = v._mm_or_si128(some, v._mm_packs_epi32(missing, missing));
        let some = v._mm_min_epu16(some, v._mm_set1_epi16(rest as i16));
        let some = v._mm_sll_epi16(some, v._mm_cvtsi32_si128(shift as i32));
        store(&mut to.bones[lane], cast::<__m128i, [u64; 2]>(some)[0]);
    }
    Some([longer, none])
}

mod avx2;
mod avx512;
mod instructions;
