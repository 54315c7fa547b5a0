//! SIMD for f32: a kernel is written once against [`Simd`] and runs as AVX-512, as AVX2 with FMA, or as plain
//! Rust, depending on the processor.
//!
//! A value of type [`Avx2`] or [`Avx512`] is a token that proves that the processor has the instructions; it
//! can be created only by detecting them. Kernels pass the token along, so no code outside this folder is
//! `unsafe`. Everything is inlined into the function of [`Path::run`] that is compiled for those
//! instructions: functions that a kernel calls in its loops must be `#[inline(always)]`, and must not be
//! closures.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

/// The greatest number of vertices in a block: the lane count of the widest [`Simd`].
pub const MAX_LANES: usize = 16;

/// One value per lane, in groups of four; values past the last lane are ignored.
pub type Lanes<T> = [[T; 4]; MAX_LANES / 4];

/// Four values per lane.
pub type Influences4<T> = [[T; 4]; MAX_LANES];

/// A cache line of sixteen numbers.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Line(pub [f32; 16]);

/// The number of lines in a table: enough for every offset to be in range, so that rows are read without a
/// bounds check.
pub const LINES: usize = 8193;

/// The offset of a row in a table of lines, in pairs of numbers (eight pairs per line).
pub type RowOffset = u16;

/// The row of `N` numbers at an offset.
#[inline(always)]
fn row<const N: usize>(table: &[Line; LINES], offset: RowOffset) -> &[f32; N] {
    let numbers: &[f32] = bytemuck::cast_slice(table);
    let start = 2 * usize::from(offset);
    numbers[start..start + N].first_chunk().expect("the slice has N numbers")
}

/// Operations on [`Simd::LANES`] numbers at once, and weighted sums of rows. Functions that take slices panic
/// if a slice is too short.
pub trait Simd: Copy {
    const LANES: usize;
    /// One number per lane.
    type F: Copy;
    /// One lane index per lane.
    type LaneIndices: Copy;
    /// A row of sixteen numbers, of which the first twelve are used.
    type Mat3x4: Copy;
    /// A row of eight numbers.
    type DualQuat8: Copy;

    /// Prefetches `count` items from `start` on; the range may exceed the slice.
    fn prefetch<T>(self, from: &[T], start: usize, count: usize);
    fn splat(self, x: f32) -> Self::F;
    fn load(self, from: &[f32]) -> Self::F;
    fn store(self, to: &mut [f32], x: Self::F);
    /// Deinterleaves x y z x y z ... into x, y, z.
    fn load3(self, from: &[f32]) -> [Self::F; 3];
    /// Interleaves x, y, z into x y z x y z ...
    fn store3(self, to: &mut [f32], xyz: [Self::F; 3]);
    /// Transposes rows of twelve: element k of the result holds number k of each lane's row.
    fn transpose_twelve(self, rows: &Lanes<Self::Mat3x4>) -> [[Self::F; 4]; 3];
    /// Transposes rows of eight: element k of the result holds number k of each lane's row.
    fn transpose_eight(self, rows: &Lanes<Self::DualQuat8>) -> [[Self::F; 4]; 2];
    /// Transposes rows of four: element k of the result holds number k of each lane's row.
    fn transpose_fours(self, fours: &[[f32; 4]]) -> [Self::F; 4];

    /// Limits the four numbers of each lane to `most`, then shifts them left.
    fn limit_and_shift(self, from: &[u16], most: u16, shift: u32, to: &mut Influences4<u16>);
    /// Expands compressed rows, one per lane, to the first four entries of each; missing entries become bone
    /// `rest` with weight 0. The first row begins at `start`; `ends` has one end per lane. Bones are limited
    /// and shifted as by [`Simd::limit_and_shift`]. Returns a bit per lane for rows with more than four
    /// entries, and a bit per lane for rows without entries; `None` if the rows exceed the entries.
    fn spread(self, rows: &Entries<'_>, rest: u16, shift: u32, to: &mut Spread) -> Option<[u32; 2]>;
    /// Whether the four numbers of every lane are in ascending order.
    fn is_ascending(self, fours: &Influences4<u16>) -> bool;

    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// Returns a * b + c, rounded once or twice.
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// Returns a * b - c, rounded once or twice.
    fn mul_sub(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// Returns 1 / sqrt(a) with a relative error of at most 3e-7, for a from 1e-30 to 1e30.
    fn inverse_sqrt(self, a: Self::F) -> Self::F;
    /// Returns 1 / a with a relative error of at most 3e-7, for a from 1e-30 to 1e30.
    fn inverse(self, a: Self::F) -> Self::F;
    /// Returns `a`, negated where the sign bit of `sign` is set.
    fn negate_by_sign(self, a: Self::F, sign: Self::F) -> Self::F;
    /// Returns a bit per lane, lowest first: set where `low <= a < high` is false.
    fn outside(self, a: Self::F, low: f32, high: f32) -> u32;
    /// Returns a bit per lane: set where a < b.
    fn less_than(self, a: Self::F, b: Self::F) -> u32;
    /// Selects `x` where a < b, else `y`, bit by bit unchanged.
    fn select_less_than(self, a: Self::F, b: Self::F, x: Self::F, y: Self::F) -> Self::F;

    /// Whether `from[lane]` is `first + step * lane` in every lane.
    fn is_arithmetic_sequence(self, from: &[u32], first: u32, step: u32) -> bool;
    /// Returns `from[lane] - first` per lane; lanes beyond the last are some lane.
    fn lane_indices(self, from: &[u32], first: u32) -> Self::LaneIndices;
    /// Moves lane `indices[i]` of `a` to lane i.
    fn permute(self, a: Self::F, indices: Self::LaneIndices) -> Self::F;

    /// Loads a number on its own: compilers prefer to load several at once and separate them afterwards,
    /// which is slower if each is used as an address.
    fn load_single(self, number: &u16) -> u16;
    fn load_twelve(self, row: &[f32; 16]) -> Self::Mat3x4;
    fn load_eight(self, row: &[f32; 16]) -> Self::DualQuat8;
    fn store_twelve(self, to: &mut [f32; 16], row: Self::Mat3x4);
    fn store_eight(self, to: &mut [f32; 16], row: Self::DualQuat8);
    /// Returns the row at `offset` times `factor`.
    fn load_twelve_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> Self::Mat3x4;
    /// Returns `sum` plus the row at `offset` times `factor`.
    fn add_twelve_scaled(
        self,
        sum: Self::Mat3x4,
        table: &[Line; LINES],
        offset: RowOffset,
        factor: f32,
    ) -> Self::Mat3x4;
    fn load_eight_scaled(self, table: &[Line; LINES], offset: RowOffset, factor: f32) -> Self::DualQuat8;
    fn add_eight_scaled(
        self,
        sum: Self::DualQuat8,
        table: &[Line; LINES],
        offset: RowOffset,
        factor: f32,
    ) -> Self::DualQuat8;
}

/// The entries of consecutive compressed rows.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    pub start: u32,
    pub ends: &'a [u32],
    pub bones: &'a [u16],
    pub weights: &'a [f32],
}

impl Entries<'_> {
    /// The range of a row; `None` if it exceeds the entries.
    #[inline(always)]
    fn row(&self, index: usize) -> Option<(usize, usize)> {
        let start = if index == 0 { self.start } else { self.ends[index - 1] } as usize;
        let end = self.ends[index] as usize;
        let within = start <= end && end <= self.bones.len() && end <= self.weights.len();
        if within { Some((start, end)) } else { None }
    }
}

/// Four entries per lane, and a buffer for rows.
#[repr(C, align(64))]
pub struct Spread {
    pub rows: [Line; MAX_LANES],
    pub weights: Influences4<f32>,
    pub bones: Influences4<u16>,
}

impl Spread {
    pub const EMPTY: Self = Self {
        rows: [Line([0.0; 16]); MAX_LANES],
        weights: [[0.0; 4]; MAX_LANES],
        bones: [[0; 4]; MAX_LANES],
    };
}

/// A computation that runs on any [`Simd`].
pub trait Kernel {
    type Output;
    /// Runs the computation. Implementations must be `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// An instruction set that the processor supports.
#[derive(Clone, Copy)]
pub enum Path {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Path {
    /// The widest instruction set that the processor supports.
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

    /// All instruction sets that the processor supports, the portable one first.
    pub fn all() -> Vec<Self> {
        let paths = [Self::Portable(Portable)].into_iter();
        #[cfg(target_arch = "x86_64")]
        let paths = paths.chain(Avx2::detected().map(Self::Avx2)).chain(Avx512::detected().map(Self::Avx512));
        paths.collect()
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
