//! [`Simd`] in plain Rust, four lanes wide: what every processor can do.

use super::{Entries, Fours, LINES, Lanes, Line, Place, Simd, Spread, row};

#[derive(Clone, Copy)]
pub struct Portable;

const N: usize = 4;
type F = [f32; N];

#[inline(always)]
fn zip(a: F, b: F, f: impl Fn(f32, f32) -> f32) -> F {
    std::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn bits(a: F, f: impl Fn(usize, f32) -> bool) -> u32 {
    (0..N).map(|i| u32::from(f(i, a[i])) << i).sum()
}

#[inline(always)]
fn plus<const M: usize>(sum: [f32; M], row: &[f32; M], by: f32) -> [f32; M] {
    std::array::from_fn(|i| sum[i] + row[i] * by)
}

impl Simd for Portable {
    const LANES: usize = N;
    type F = F;
    type Places = [u32; N];
    type Twelve = [f32; 12];
    type Eight = [f32; 8];

    #[inline(always)]
    fn prefetch<T>(self, from: &[T], at: usize, count: usize) {
        let _ = (from, at, count);
    }
    #[inline(always)]
    fn splat(self, x: f32) -> F {
        [x; N]
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> F {
        std::array::from_fn(|i| from[i])
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], x: F) {
        to[..N].copy_from_slice(&x);
    }
    #[inline(always)]
    fn load3(self, from: &[f32]) -> [F; 3] {
        let from = &from[..3 * N];
        std::array::from_fn(|axis| std::array::from_fn(|i| from[3 * i + axis]))
    }
    #[inline(always)]
    fn store3(self, to: &mut [f32], xyz: [F; 3]) {
        let to = &mut to[..3 * N];
        for i in 0..N {
            for axis in 0..3 {
                to[3 * i + axis] = xyz[axis][i];
            }
        }
    }
    #[inline(always)]
    fn columns_of_twelve(self, [rows, ..]: &Lanes<[f32; 12]>) -> [[F; 4]; 3] {
        std::array::from_fn(|at| std::array::from_fn(|k| rows.map(|row| row[4 * at + k])))
    }
    #[inline(always)]
    fn columns_of_eight(self, [rows, ..]: &Lanes<[f32; 8]>) -> [[F; 4]; 2] {
        std::array::from_fn(|at| std::array::from_fn(|k| rows.map(|row| row[4 * at + k])))
    }
    #[inline(always)]
    fn transposed_fours(self, fours: &[[f32; 4]]) -> [F; 4] {
        let fours = &fours[..N];
        std::array::from_fn(|column| std::array::from_fn(|i| fours[i][column]))
    }

    #[inline(always)]
    fn limited(self, from: &[u16], most: u16, shift: u32, to: &mut Fours<u16>) {
        let from = &from[..4 * N];
        for i in 0..4 * N {
            to[i / 4][i % 4] = from[i].min(most) << shift;
        }
    }
    #[inline(always)]
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]> {
        let (mut longer, mut none) = (0, 0);
        for lane in 0..N {
            let (start, end) = rows.row(lane)?;
            longer |= u32::from(end - start > 4) << lane;
            none |= u32::from(start == end) << lane;
            for k in 0..4 {
                let there = start + k < end;
                let bone = if there {
                    rows.bones[start + k].min(rest)
                } else {
                    rest
                };
                to.bones[lane][k] = bone << shift;
                to.weights[lane][k] = if there { rows.weights[start + k] } else { 0.0 };
            }
        }
        Some([longer, none])
    }
    #[inline(always)]
    fn ascending(self, fours: &Fours<u16>) -> bool {
        let mut falls = false;
        for [a, b, c, d] in &fours[..N] {
            falls |= (a > b) | (b > c) | (c > d);
        }
        !falls
    }

    #[inline(always)]
    fn add(self, a: F, b: F) -> F {
        zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: F, b: F) -> F {
        zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: F, b: F) -> F {
        zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn mul_add(self, a: F, b: F, c: F) -> F {
        self.add(self.mul(a, b), c)
    }
    #[inline(always)]
    fn mul_sub(self, a: F, b: F, c: F) -> F {
        self.sub(self.mul(a, b), c)
    }
    #[inline(always)]
    fn min(self, a: F, b: F) -> F {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, a: F, b: F) -> F {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn sqrt(self, a: F) -> F {
        a.map(f32::sqrt)
    }
    #[inline(always)]
    fn div(self, a: F, b: F) -> F {
        zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn inverse_sqrt(self, a: F) -> F {
        a.map(|a| 1.0 / a.sqrt())
    }
    #[inline(always)]
    fn inverse(self, a: F) -> F {
        a.map(|a| 1.0 / a)
    }
    #[inline(always)]
    fn negate_as(self, a: F, sign: F) -> F {
        zip(a, sign, |a, sign| {
            f32::from_bits(a.to_bits() ^ (sign.to_bits() & 0x8000_0000))
        })
    }
    #[inline(always)]
    fn outside(self, a: F, low: f32, high: f32) -> u32 {
        bits(a, |_, a| !(a >= low && a < high))
    }
    #[inline(always)]
    fn less(self, a: F, b: F) -> u32 {
        bits(a, |i, a| a < b[i])
    }
    #[inline(always)]
    fn pick_less(self, a: F, b: F, x: F, y: F) -> F {
        std::array::from_fn(|i| if a[i] < b[i] { x[i] } else { y[i] })
    }

    #[inline(always)]
    fn in_steps(self, from: &[u32], first: u32, step: u32) -> bool {
        let from = &from[..N];
        (0..N).fold(0, |apart, i| {
            apart | (from[i] ^ first.wrapping_add(step.wrapping_mul(i as u32)))
        }) == 0
    }
    #[inline(always)]
    fn places(self, from: &[u32], first: u32) -> [u32; N] {
        std::array::from_fn(|i| from[i].wrapping_sub(first))
    }
    #[inline(always)]
    fn permuted(self, a: F, places: [u32; N]) -> F {
        places.map(|place| a[place as usize % N])
    }

    #[inline(always)]
    fn alone(self, number: &u16) -> u16 {
        *number
    }
    #[inline(always)]
    fn twelve(self, row: &[f32; 16]) -> [f32; 12] {
        *row.first_chunk().expect("twelve of sixteen")
    }
    #[inline(always)]
    fn eight(self, row: &[f32; 16]) -> [f32; 8] {
        *row.first_chunk().expect("eight of sixteen")
    }
    #[inline(always)]
    fn store_twelve(self, to: &mut [f32; 16], row: [f32; 12]) {
        to[..12].copy_from_slice(&row);
    }
    #[inline(always)]
    fn store_eight(self, to: &mut [f32; 16], row: [f32; 8]) {
        to[..8].copy_from_slice(&row);
    }
    #[inline(always)]
    fn twelve_scaled(self, table: &[Line; LINES], place: Place, by: f32) -> [f32; 12] {
        row(table, place).map(|x| x * by)
    }
    #[inline(always)]
    fn twelve_plus(self, sum: [f32; 12], table: &[Line; LINES], place: Place, by: f32) -> [f32; 12] {
        plus(sum, row(table, place), by)
    }
    #[inline(always)]
    fn eight_scaled(self, table: &[Line; LINES], place: Place, by: f32) -> [f32; 8] {
        row(table, place).map(|x| x * by)
    }
    #[inline(always)]
    fn eight_plus(self, sum: [f32; 8], table: &[Line; LINES], place: Place, by: f32) -> [f32; 8] {
        plus(sum, row(table, place), by)
    }
}
