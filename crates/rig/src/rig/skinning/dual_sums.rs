//! Sums of dual quaternions, each with the sign that puts it in the same hemisphere as the vertex's heaviest
//! bone.

use super::blend::Sums;
use super::influences::Influences;
use super::rows::heaviest;
use crate::math::simd::{Influences4, LINES, Line, MAX_LANES, RowOffset, Simd};

/// Returns the index of the heaviest of each vertex's four influences, the first among equals: 0 to 3, as the
/// bits of a float.
#[inline(always)]
pub(super) fn pivots<S: Simd>(s: S, weights: &[[f32; 4]]) -> [f32; MAX_LANES] {
    let mut pivots = [0.0; MAX_LANES];
    let index = |k: u32| f32::from_bits(k);
    let [a, b, c, d] = s.transpose_fours(weights);
    let ab = s.select_less_than(a, b, s.splat(index(1)), s.splat(index(0)));
    let cd = s.select_less_than(c, d, s.splat(index(3)), s.splat(index(2)));
    let heaviest = s.select_less_than(s.max(a, b), s.max(c, d), cd, ab);
    s.store(&mut pivots, heaviest);
    pivots
}

/// Corrects pivots where bones are not in ascending order, so that the lowest among equally heavy bones wins.
#[cold]
#[inline(never)]
pub(super) fn lowest_among_equals(influences: &Influences<'_>, pivots: &mut [f32; MAX_LANES]) {
    let rows = influences.bones.iter().zip(influences.weights);
    for (pivot, (bones, weights)) in pivots.iter_mut().zip(rows) {
        let heaviest = heaviest(bones, weights);
        let index = bones.iter().position(|bone| *bone == heaviest);
        *pivot = f32::from_bits(index.unwrap_or(0) as u32);
    }
}

/// The heaviest bone of each row, or its index among the four ([`pivots`]).
pub(super) enum Pivots<'a> {
    Bones(&'a [u16; MAX_LANES]),
    Indices([f32; MAX_LANES]),
}

/// Sums of four motions per vertex with signs.
pub(super) struct SignedSum4<'a> {
    pub table: &'a [Line; LINES],
    pub signed_offsets: &'a [RowOffset],
    pub stride: usize,
    pub influences: &'a Influences<'a>,
    pub pivots: Pivots<'a>,
}

/// Sums of eight motions per vertex with signs.
pub(super) struct SignedSum8<'a> {
    pub first: SignedSum4<'a>,
    pub next: (&'a Influences4<u16>, &'a [[f32; 4]]),
}

impl SignedSum4<'_> {
    #[inline(always)]
    fn pivot(&self, lane: usize) -> &u16 {
        match &self.pivots {
            Pivots::Bones(bones) => &bones[lane],
            Pivots::Indices(indices) => &self.influences.bones[lane][indices[lane].to_bits() as usize % 4],
        }
    }
}

impl<S: Simd> Sums<S> for SignedSum4<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let (bones, weights) = (&self.influences.bones[lane], &self.influences.weights[lane]);
        let pivot = usize::from(simd.load_single(self.pivot(lane)));
        let offsets = &self.signed_offsets[pivot * self.stride..][..self.stride];
        let offset = offsets[usize::from(simd.load_single(&bones[0]))];
        let sum = simd.load_eight_scaled(self.table, offset, weights[0]);
        let offset = offsets[usize::from(simd.load_single(&bones[1]))];
        let sum = simd.add_eight_scaled(sum, self.table, offset, weights[1]);
        let offset = offsets[usize::from(simd.load_single(&bones[2]))];
        let sum = simd.add_eight_scaled(sum, self.table, offset, weights[2]);
        let offset = offsets[usize::from(simd.load_single(&bones[3]))];
        simd.add_eight_scaled(sum, self.table, offset, weights[3])
    }
}

impl<S: Simd> Sums<S> for SignedSum8<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let first = &self.first;
        let (bones, weights) = (&self.next.0[lane], &self.next.1[lane]);
        let pivot = usize::from(simd.load_single(first.pivot(lane)));
        let offsets = &first.signed_offsets[pivot * first.stride..][..first.stride];
        let mut sum = first.sum(simd, lane);
        for k in 0..4 {
            let offset = offsets[usize::from(simd.load_single(&bones[k]))];
            sum = simd.add_eight_scaled(sum, first.table, offset, weights[k]);
        }
        sum
    }
}

/// Sums of four motions per vertex, if no pair needs a negative.
pub(super) struct Sum4<'a> {
    pub table: &'a [Line; LINES],
    pub influences: &'a Influences<'a>,
}

/// Sums of eight motions per vertex, if no pair needs a negative.
pub(super) struct Sum8<'a> {
    pub first: Sum4<'a>,
    pub next: (&'a Influences4<u16>, &'a [[f32; 4]]),
}

impl<S: Simd> Sums<S> for Sum8<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let (offsets, weights) = (&self.next.0[lane], &self.next.1[lane]);
        let mut sum = self.first.sum(simd, lane);
        for k in 0..4 {
            sum = simd.add_eight_scaled(sum, self.first.table, simd.load_single(&offsets[k]), weights[k]);
        }
        sum
    }
}

impl<S: Simd> Sums<S> for Sum4<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let (offsets, weights) = (&self.influences.bones[lane], &self.influences.weights[lane]);
        let sum = simd.load_eight_scaled(self.table, simd.load_single(&offsets[0]), weights[0]);
        let sum = simd.add_eight_scaled(sum, self.table, simd.load_single(&offsets[1]), weights[1]);
        let sum = simd.add_eight_scaled(sum, self.table, simd.load_single(&offsets[2]), weights[2]);
        simd.add_eight_scaled(sum, self.table, simd.load_single(&offsets[3]), weights[3])
    }
}
