//! Several f32 at once: one kernel, written against [`Simd`], runs as AVX-512, as AVX2 with FMA, or as plain
//! Rust, whichever the processor has.
//!
//! A value of [`Avx2`] or [`Avx512`] is the proof that the processor has the instructions: it is made by
//! asking the processor, and nowhere else. Kernels take it along, so nothing outside this folder is `unsafe`.
//! Everything is inlined into the function of [`Path::run`] that was compiled for those instructions: what
//! a kernel calls in its loops must be `#[inline(always)]`, and no closure.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

/// Blocks of vertices have this many at most: the lanes of the widest [`Simd`].
pub const MOST_LANES: usize = 16;

/// Something per lane, by fours; those behind the last lane do not count.
pub type Lanes<T> = [[T; 4]; MOST_LANES / 4];

/// Four of something per lane.
pub type Influences4<T> = [[T; 4]; MOST_LANES];

/// A cache line of sixteen numbers.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Line(pub [f32; 16]);

/// As many lines as make every place a place within: rows are looked up without a check.
pub const LINES: usize = 8193;

/// Where a row begins in a table of lines: the distance from the table's start in pairs of numbers, eight for
/// each line.
pub type RowOffset = u16;

/// The row of `N` numbers at a place.
#[inline(always)]
fn row<const N: usize>(table: &[Line; LINES], place: RowOffset) -> &[f32; N] {
    let numbers: &[f32] = bytemuck::cast_slice(table);
    let at = 2 * usize::from(place);
    numbers[at..at + N].first_chunk().expect("as long as it was cut")
}

/// [`Simd::LANES`] numbers at once, and sums of rows. Functions over slices panic if these are too short.
pub trait Simd: Copy {
    const LANES: usize;
    /// A number per lane.
    type F: Copy;
    /// A lane per lane.
    type LaneIndices: Copy;
    /// Sixteen numbers, of which the first twelve count.
    type Mat3x4: Copy;
    /// DualQuat8 numbers.
    type DualQuat8: Copy;

    /// Asks for `count` items from `at` on to be brought near, if they are there.
    fn prefetch<T>(self, from: &[T], at: usize, count: usize);
    fn splat(self, x: f32) -> Self::F;
    fn load(self, from: &[f32]) -> Self::F;
    fn store(self, to: &mut [f32], x: Self::F);
    /// x, y, z from x y z x y z ...
    fn load3(self, from: &[f32]) -> [Self::F; 3];
    /// x y z x y z ... from x, y, z.
    fn store3(self, to: &mut [f32], xyz: [Self::F; 3]);
    /// Number k of each lane's twelve in number k.
    fn columns_of_twelve(self, rows: &Lanes<Self::Mat3x4>) -> [[Self::F; 4]; 3];
    /// Number k of each lane's eight in number k.
    fn columns_of_eight(self, rows: &Lanes<Self::DualQuat8>) -> [[Self::F; 4]; 2];
    /// Number k of each lane's four in number k.
    fn transposed_fours(self, fours: &[[f32; 4]]) -> [Self::F; 4];

    /// Four numbers of each lane; those beyond `most` become `most`. Then all are shifted to the left.
    fn limited(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>);
    /// Entries of compressed rows, a row per lane: the first four of each, what is missing being bone `rest`
    /// with weight 0. The first row begins at `start`; `ends` has one end per lane. Bones are limited and
    /// shifted as by [`Simd::limited`]. Returns a bit per lane of a longer row, and one per lane of a row
    /// without entries. `None` if the rows do not lie within the entries.
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]>;
    /// Whether no lane's four fall.
    fn ascending(self, fours: &Influences4<u16>) -> bool;

    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// a * b + c, rounded once or twice.
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// a * b - c.
    fn mul_sub(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// 1 / sqrt(a) to 3e-7 of it, for a within 1e-30 to 1e30.
    fn inverse_sqrt(self, a: Self::F) -> Self::F;
    /// 1 / a to 3e-7 of it, for a within 1e-30 to 1e30.
    fn inverse(self, a: Self::F) -> Self::F;
    /// `a`, negated where `sign` is negative.
    fn negate_as(self, a: Self::F, sign: Self::F) -> Self::F;
    /// A bit per lane, the first lane's the lowest: where not `low <= a < high`.
    fn outside(self, a: Self::F, low: f32, high: f32) -> u32;
    /// A bit per lane: where a < b.
    fn less(self, a: Self::F, b: Self::F) -> u32;
    /// Per lane `x` where a < b, else `y`; their bits as they are.
    fn pick_less(self, a: Self::F, b: Self::F, x: Self::F, y: Self::F) -> Self::F;

    /// Whether `from[lane]` is `first + step * lane` in each lane.
    fn in_steps(self, from: &[u32], first: u32, step: u32) -> bool;
    /// `from[lane] - first` per lane; lanes beyond the last are some lane.
    fn places(self, from: &[u32], first: u32) -> Self::LaneIndices;
    /// Lane `places[i]` of `a` in lane i.
    fn permuted(self, a: Self::F, places: Self::LaneIndices) -> Self::F;

    /// The number, read by itself: compilers rather read several at once and take them apart again, which
    /// costs more where each is a place in memory.
    fn alone(self, number: &u16) -> u16;
    fn twelve(self, row: &[f32; 16]) -> Self::Mat3x4;
    fn eight(self, row: &[f32; 16]) -> Self::DualQuat8;
    fn store_twelve(self, to: &mut [f32; 16], row: Self::Mat3x4);
    fn store_eight(self, to: &mut [f32; 16], row: Self::DualQuat8);
    /// The row at `place` times `by`.
    fn twelve_scaled(self, table: &[Line; LINES], place: RowOffset, by: f32) -> Self::Mat3x4;
    /// `sum` + the row at `place` * `by`.
    fn twelve_plus(self, sum: Self::Mat3x4, table: &[Line; LINES], place: RowOffset, by: f32)
    -> Self::Mat3x4;
    fn eight_scaled(self, table: &[Line; LINES], place: RowOffset, by: f32) -> Self::DualQuat8;
    fn eight_plus(
        self,
        sum: Self::DualQuat8,
        table: &[Line; LINES],
        place: RowOffset,
        by: f32,
    ) -> Self::DualQuat8;
}

/// Entries of compressed rows that follow each other.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    pub start: u32,
    pub ends: &'a [u32],
    pub bones: &'a [u16],
    pub weights: &'a [f32],
}

impl Entries<'_> {
    /// The range of a row, if it lies within the entries.
    #[inline(always)]
    fn row(&self, at: usize) -> Option<(usize, usize)> {
        let start = if at == 0 { self.start } else { self.ends[at - 1] } as usize;
        let end = self.ends[at] as usize;
        let within = start <= end && end <= self.bones.len() && end <= self.weights.len();
        if within { Some((start, end)) } else { None }
    }
}

/// Four entries per lane, and room for rows.
#[repr(C, align(64))]
pub struct Spread {
    pub rows: [Line; MOST_LANES],
    pub weights: Influences4<f32>,
    pub bones: Influences4<u16>,
}

impl Spread {
    pub const NONE: Self = Self {
        rows: [Line([0.0; 16]); MOST_LANES],
        weights: [[0.0; 4]; MOST_LANES],
        bones: [[0; 4]; MOST_LANES],
    };
}

/// What can run on any [`Simd`].
pub trait Kernel {
    type Output;
    /// `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// A set of instructions that the processor has.
#[derive(Clone, Copy)]
pub enum Path {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Path {
    /// The widest that the processor has.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = Avx512::detected() {
                return Self::Avx512(simd);
            }
            if let Some(simd) = Avx2::detected() {
                return Self::Avx2(simd);
            }
        }
        Self::Portable(Portable)
    }

    /// All that the processor has, the plain one first.
    pub fn all() -> Vec<Self> {
        let plain = [Self::Portable(Portable)].into_iter();
        #[cfg(target_arch = "x86_64")]
        let plain = plain
            .chain(Avx2::detected().map(Self::Avx2))
            .chain(Avx512::detected().map(Self::Avx512));
        plain.collect()
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "AVX-512",
        }
    }

    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Portable(simd) => kernel.run(simd),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(simd) => simd.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(simd) => simd.run(kernel),
        }
    }
}

#[cfg(test)]
mod tests;
