//! [`Simd`] in plain Rust, four lanes wide, for every processor. glam's vectors use registers on targets that
//! always have them (SSE2, NEON, wasm SIMD), and four numbers elsewhere.

use super::{Entries, Influences4, LINES, Lanes, Line, RowOffset, Simd, Spread, row};
use glam::{BVec4A, Mat4, Vec4};

#[derive(Clone, Copy)]
pub struct Portable;

const N: usize = 4;
type F = Vec4;

#[inline(always)]
fn rows<const M: usize>(row: &[f32]) -> [Vec4; M] {
    std::array::from_fn(|i| Vec4::from_slice(&row[4 * i..4 * i + 4]))
}

#[inline(always)]
fn transpose([a, b, c, d]: [Vec4; 4]) -> [Vec4; 4] {
    let m = Mat4::from_cols(a, b, c, d).transpose();
    [m.x_axis, m.y_axis, m.z_axis, m.w_axis]
}

#[inline(always)]
fn bits(lanes: BVec4A) -> u32 {
    lanes.bitmask()
}

impl Simd for Portable {
    const LANES: usize = N;
    type F = F;
    type LaneIndices = [u32; N];
    type Mat3x4 = [Vec4; 3];
    type DualQuat8 = [Vec4; 2];

    #[inline(always)]
    fn prefetch<T>(self, from: &[T], start: usize, count: usize) {
        let _ = (from, start, count);
    }
    #[inline(always)]
    fn splat(self, x: f32) -> F {
        Vec4::splat(x)
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> F {
        Vec4::from_slice(from)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32], x: F) {
        x.write_to_slice(to);
    }
    #[inline(always)]
    fn load3(self, from: &[f32]) -> [F; 3] {
        let [a, b, c] = rows::<3>(&from[..3 * N]);
        let ([ax, ay, az, bx], [by, bz, cx, cy], [cz, dx, dy, dz]) =
            (a.to_array(), b.to_array(), c.to_array());
        [Vec4::new(ax, bx, cx, dx), Vec4::new(ay, by, cy, dy), Vec4::new(az, bz, cz, dz)]
    }
    #[inline(always)]
    fn store3(self, to: &mut [f32], [x, y, z]: [F; 3]) {
        let to = &mut to[..3 * N];
        let ([ax, bx, cx, dx], [ay, by, cy, dy], [az, bz, cz, dz]) =
            (x.to_array(), y.to_array(), z.to_array());
        Vec4::new(ax, ay, az, bx).write_to_slice(&mut to[..4]);
        Vec4::new(by, bz, cx, cy).write_to_slice(&mut to[4..8]);
        Vec4::new(cz, dx, dy, dz).write_to_slice(&mut to[8..]);
    }
    #[inline(always)]
    fn transpose_twelve(self, [rows, ..]: &Lanes<[Vec4; 3]>) -> [[F; 4]; 3] {
        std::array::from_fn(|column| transpose(rows.map(|row| row[column])))
    }
    #[inline(always)]
    fn transpose_eight(self, [rows, ..]: &Lanes<[Vec4; 2]>) -> [[F; 4]; 2] {
        std::array::from_fn(|column| transpose(rows.map(|row| row[column])))
    }
    #[inline(always)]
    fn transpose_fours(self, fours: &[[f32; 4]]) -> [F; 4] {
        let fours = &fours[..N];
        transpose(std::array::from_fn(|i| Vec4::from_array(fours[i])))
    }

    #[inline(always)]
    fn limit_and_shift(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>) {
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
                let present = start + k < end;
                let bone = if present { rows.bones[start + k].min(rest) } else { rest };
                to.bones[lane][k] = bone << shift;
                to.weights[lane][k] = if present { rows.weights[start + k] } else { 0.0 };
            }
        }
        Some([longer, none])
    }
    #[inline(always)]
    fn is_ascending(self, fours: &Influences4<u16>) -> bool {
        let mut descends = false;
        for [a, b, c, d] in &fours[..N] {
            descends |= (a > b) | (b > c) | (c > d);
        }
        !descends
    }

    #[inline(always)]
    fn add(self, a: F, b: F) -> F {
        a + b
    }
    #[inline(always)]
    fn sub(self, a: F, b: F) -> F {
        a - b
    }
    #[inline(always)]
    fn mul(self, a: F, b: F) -> F {
        a * b
    }
    #[inline(always)]
    fn mul_add(self, a: F, b: F, c: F) -> F {
        a * b + c
    }
    #[inline(always)]
    fn mul_sub(self, a: F, b: F, c: F) -> F {
        a * b - c
    }
    #[inline(always)]
    fn min(self, a: F, b: F) -> F {
        Vec4::select(a.cmplt(b), a, b)
    }
    #[inline(always)]
    fn max(self, a: F, b: F) -> F {
        Vec4::select(b.cmplt(a), a, b)
    }
    #[inline(always)]
    fn sqrt(self, a: F) -> F {
        a.to_array().map(f32::sqrt).into()
    }
    #[inline(always)]
    fn div(self, a: F, b: F) -> F {
        a / b
    }
    #[inline(always)]
    fn inverse_sqrt(self, a: F) -> F {
        Vec4::ONE / self.sqrt(a)
    }
    #[inline(always)]
    fn inverse(self, a: F) -> F {
        Vec4::ONE / a
    }
    #[inline(always)]
    fn negate_by_sign(self, a: F, sign: F) -> F {
        let (a, sign) = (a.to_array(), sign.to_array());
        let negated = |i: usize| f32::from_bits(a[i].to_bits() ^ (sign[i].to_bits() & 0x8000_0000));
        std::array::from_fn::<f32, N, _>(negated).into()
    }
    #[inline(always)]
    fn outside(self, a: F, low: f32, high: f32) -> u32 {
        bits(!(a.cmpge(Vec4::splat(low)) & a.cmplt(Vec4::splat(high))))
    }
    #[inline(always)]
    fn less_than(self, a: F, b: F) -> u32 {
        bits(a.cmplt(b))
    }
    #[inline(always)]
    fn select_less_than(self, a: F, b: F, x: F, y: F) -> F {
        Vec4::select(a.cmplt(b), x, y)
    }

    #[inline(always)]
    fn is_arithmetic_sequence(self, from: &[u32], first: u32, step: u32) -> bool {
        let from = &from[..N];
        (0..N)
            .fold(0, |difference, i| difference | (from[i] ^ first.wrapping_add(step.wrapping_mul(i as u32))))
            == 0
    }
    #[inline(always)]
    fn lane_indices(self, from: &[u32], first: u32) -> [u32; N] {
        std::array::from_fn(|i| from[i].wrapping_sub(first))
    }
    #[inline(always)]
    fn permute(self, a: F, indices: [u32; N]) -> F {
        let a = a.to_array();
        indices.map(|index| a[index as usize % N]).into()
    }

    #[inline(always)]
    fn load_single(self, number: &u16) -> u16 {
        *number
    }
    #[inline(always)]
    fn load_twelve(self, row: &[f32; 16]) -> [Vec4; 3] {
        rows(row)
    }
    #[inline(always)]
    fn load_eight(self, row: &[f32; 16]) -> [Vec4; 2] {
        rows(row)
    }
    #[inline(always)]
    fn store_twelve(self, to: &mut [f32; 16], row: [Vec4; 3]) {
        to[..12].copy_from_slice(bytemuck::cast_slice(&row));
    }
    #[inline(always)]
    fn store_eight(self, to: &mut [f32; 16], row: [Vec4; 2]) {
        to[..8].copy_from_slice(bytemuck::cast_slice(&row));
    }
    #[inline(always)]
    fn load_twelve_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> [Vec4; 3] {
        rows::<3>(row::<12>(table, offset)).map(|x| x * factor)
    }
    #[inline(always)]
    fn add_twelve_scaled(
        self,
        sum: [Vec4; 3],
        table: &[Line; LINES],
        offset: RowOffset,
        factor: f32,
    ) -> [Vec4; 3] {
        let rows = rows::<3>(row::<12>(table, offset));
        std::array::from_fn(|i| sum[i] + rows[i] * factor)
    }
    #[inline(always)]
    fn load_eight_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> [Vec4; 2] {
        rows::<2>(row::<8>(table, offset)).map(|x| x * factor)
    }
    #[inline(always)]
    fn add_eight_scaled(
        self,
        sum: [Vec4; 2],
        table: &[Line; LINES],
        offset: RowOffset,
        factor: f32,
    ) -> [Vec4; 2] {
        let rows = rows::<2>(row::<8>(table, offset));
        std::array::from_fn(|i| sum[i] + rows[i] * factor)
    }
}
