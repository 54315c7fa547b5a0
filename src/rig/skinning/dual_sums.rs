//! Sums of dual quaternions, or of their negatives: each on the side of the vertex' heaviest bone.

use super::blend::Sums;
use super::influences::Influences;
use super::rows::heaviest;
use crate::math::simd::{Influences4, LINES, Line, MOST_LANES, RowOffset, Simd};

/// Which of a vertex' four is the heaviest, the first of equals: numbers 0 to 3, in the bits of what it
/// returns.
#[inline(always)]
pub(super) fn pivots<S: Simd>(s: S, weights: &[[f32; 4]]) -> [f32; MOST_LANES] {
    let mut pivots = [0.0; MOST_LANES];
    let number = |k: u32| f32::from_bits(k);
    let [a, b, c, d] = s.transposed_fours(weights);
    let ab = s.pick_less(a, b, s.splat(number(1)), s.splat(number(0)));
    let cd = s.pick_less(c, d, s.splat(number(3)), s.splat(number(2)));
    let heaviest = s.pick_less(s.max(a, b), s.max(c, d), cd, ab);
    s.store(&mut pivots, heaviest);
    pivots
}

/// Where bones do not ascend, the first of the heaviest is not always the lowest.
#[cold]
#[inline(never)]
pub(super) fn lowest_among_equals(influences: &Influences<'_>, pivots: &mut [f32; MOST_LANES]) {
    let rows = influences.bones.iter().zip(influences.weights);
    for (pivot, (bones, weights)) in pivots.iter_mut().zip(rows) {
        let heaviest = heaviest(bones, weights);
        let place = bones.iter().position(|bone| *bone == heaviest);
        *pivot = f32::from_bits(place.unwrap_or(0) as u32);
    }
}

/// The heaviest bone of each row: itself, or which of the four it is ([`pivots`]).
pub(super) enum Pivots<'a> {
    Bones(&'a [u16; MOST_LANES]),
    Numbers([f32; MOST_LANES]),
}

/// Sums of four motions, or negatives of them.
pub(super) struct FourEach<'a> {
    pub table: &'a [Line; LINES],
    pub signed: &'a [RowOffset],
    pub stride: usize,
    pub influences: &'a Influences<'a>,
    pub pivots: Pivots<'a>,
}

/// The same, and those of the next four.
pub(super) struct EightEach<'a> {
    pub first: FourEach<'a>,
    pub next: (&'a Influences4<u16>, &'a [[f32; 4]]),
}

impl FourEach<'_> {
    #[inline(always)]
    fn pivot(&self, lane: usize) -> &u16 {
        match &self.pivots {
            Pivots::Bones(bones) => &bones[lane],
            Pivots::Numbers(numbers) => &self.influences.bones[lane][numbers[lane].to_bits() as usize % 4],
        }
    }
}

impl<S: Simd> Sums<S> for FourEach<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let (bones, weights) = (&self.influences.bones[lane], &self.influences.weights[lane]);
        let pivot = usize::from(simd.alone(self.pivot(lane)));
        let places = &self.signed[pivot * self.stride..][..self.stride];
        let place = places[usize::from(simd.alone(&bones[0]))];
        let sum = simd.eight_scaled(self.table, place, weights[0]);
        let place = places[usize::from(simd.alone(&bones[1]))];
        let sum = simd.eight_plus(sum, self.table, place, weights[1]);
        let place = places[usize::from(simd.alone(&bones[2]))];
        let sum = simd.eight_plus(sum, self.table, place, weights[2]);
        let place = places[usize::from(simd.alone(&bones[3]))];
        simd.eight_plus(sum, self.table, place, weights[3])
    }
}

impl<S: Simd> Sums<S> for EightEach<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let first = &self.first;
        let (bones, weights) = (&self.next.0[lane], &self.next.1[lane]);
        let pivot = usize::from(simd.alone(first.pivot(lane)));
        let places = &first.signed[pivot * first.stride..][..first.stride];
        let mut sum = first.sum(simd, lane);
        for k in 0..4 {
            let place = places[usize::from(simd.alone(&bones[k]))];
            sum = simd.eight_plus(sum, first.table, place, weights[k]);
        }
        sum
    }
}

/// The same where no motion points away from another.
pub(super) struct FourAlike<'a> {
    pub table: &'a [Line; LINES],
    pub influences: &'a Influences<'a>,
}

/// The same, and those of the next four.
pub(super) struct EightAlike<'a> {
    pub first: FourAlike<'a>,
    pub next: (&'a Influences4<u16>, &'a [[f32; 4]]),
}

impl<S: Simd> Sums<S> for EightAlike<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let (places, weights) = (&self.next.0[lane], &self.next.1[lane]);
        let mut sum = self.first.sum(simd, lane);
        for k in 0..4 {
            sum = simd.eight_plus(sum, self.first.table, simd.alone(&places[k]), weights[k]);
        }
        sum
    }
}

impl<S: Simd> Sums<S> for FourAlike<'_> {
    type Sum = S::DualQuat8;

    #[inline(always)]
    fn sum(&self, simd: S, lane: usize) -> S::DualQuat8 {
        let (places, weights) = (&self.influences.bones[lane], &self.influences.weights[lane]);
        let sum = simd.eight_scaled(self.table, simd.alone(&places[0]), weights[0]);
        let sum = simd.eight_plus(sum, self.table, simd.alone(&places[1]), weights[1]);
        let sum = simd.eight_plus(sum, self.table, simd.alone(&places[2]), weights[2]);
        simd.eight_plus(sum, self.table, simd.alone(&places[3]), weights[3])
    }
}
