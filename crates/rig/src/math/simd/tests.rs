//! Checks every instruction set of this processor against the documentation of [`Simd`].

use super::*;
use crate::testing::Random;

struct Checks;

impl Kernel for Checks {
    type Output = ();

    fn run<S: Simd>(self, s: S) {
        let n = S::LANES;
        let mut random = Random::new(5);
        let mut numbers = |count: usize, low: f32, high: f32| -> Vec<f32> {
            (0..count).map(|_| random.range(low, high)).collect()
        };
        let out = |x: S::F| {
            let mut out = vec![0.0; n];
            s.store(&mut out, x);
            out
        };
        let (a, b, c) = (numbers(n, -2.0, 2.0), numbers(n, 0.5, 2.0), numbers(n, -1.0, 1.0));
        let [fa, fb, fc] = [&a, &b, &c].map(|x| s.load(x));
        let check = |found: S::F, f: &dyn Fn(usize) -> f32, tolerance: f32| {
            for (i, found) in out(found).into_iter().enumerate() {
                let expected = f(i);
                assert!(
                    (found - expected).abs() <= tolerance * expected.abs().max(1.0),
                    "{found} {expected}"
                );
            }
        };
        check(s.splat(7.0), &|_| 7.0, 0.0);
        check(s.add(fa, fb), &|i| a[i] + b[i], 0.0);
        check(s.sub(fa, fb), &|i| a[i] - b[i], 0.0);
        check(s.mul(fa, fb), &|i| a[i] * b[i], 0.0);
        check(s.div(fa, fb), &|i| a[i] / b[i], 0.0);
        check(s.min(fa, fb), &|i| a[i].min(b[i]), 0.0);
        check(s.max(fa, fb), &|i| a[i].max(b[i]), 0.0);
        check(s.sqrt(fb), &|i| b[i].sqrt(), 0.0);
        check(s.mul_add(fa, fb, fc), &|i| a[i] * b[i] + c[i], 1e-6);
        check(s.mul_sub(fa, fb, fc), &|i| a[i] * b[i] - c[i], 1e-6);
        check(s.inverse(fb), &|i| 1.0 / b[i], 3e-7);
        check(s.inverse_sqrt(fb), &|i| 1.0 / b[i].sqrt(), 3e-7);
        check(s.negate_by_sign(fb, fa), &|i| b[i] * a[i].signum(), 0.0);
        let outside = s.outside(fa, -1.0, 1.0);
        let less = s.less_than(fa, fc);
        for i in 0..n {
            assert_eq!(outside >> i & 1 == 1, !(-1.0..1.0).contains(&a[i]));
            assert_eq!(less >> i & 1 == 1, a[i] < c[i]);
        }
        assert_eq!(s.outside(s.splat(f32::NAN), -1.0, 1.0).count_ones() as usize, n);

        let flat = numbers(3 * n, -1.0, 1.0);
        let xyz = s.load3(&flat);
        for axis in 0..3 {
            check(xyz[axis], &|i| flat[3 * i + axis], 0.0);
        }
        let mut interleaved = vec![0.0; 3 * n];
        s.store3(&mut interleaved, xyz);
        assert_eq!(interleaved, flat);

        let rows: [[f32; 16]; MAX_LANES] =
            std::array::from_fn(|_| numbers(16, -1.0, 1.0).try_into().unwrap());
        let lanes = |lane: usize| &rows[lane.min(n - 1)];
        let twelves = std::array::from_fn(|i| std::array::from_fn(|k| s.load_twelve(lanes(4 * i + k))));
        let eights = std::array::from_fn(|i| std::array::from_fn(|k| s.load_eight(lanes(4 * i + k))));
        let columns = s.transpose_twelve(&twelves).into_iter().flatten();
        for (column, found) in columns.enumerate() {
            check(found, &|i| rows[i][column], 0.0);
        }
        let columns = s.transpose_eight(&eights).into_iter().flatten();
        for (column, found) in columns.enumerate() {
            check(found, &|i| rows[i][column], 0.0);
        }
        let fours = rows.map(|row| [row[3], row[5], row[7], row[11]]);
        for (k, found) in s.transpose_fours(&fours[..n]).into_iter().enumerate() {
            check(found, &|i| fours[i][k], 0.0);
        }
        check(s.select_less_than(fa, fc, fa, fb), &|i| if a[i] < c[i] { a[i] } else { b[i] }, 0.0);
        for step in [1, 4] {
            let mut steps: Vec<u32> = (0..n as u32).map(|i| 77 + step * i).collect();
            assert!(
                s.is_arithmetic_sequence(&steps, 77, step) && !s.is_arithmetic_sequence(&steps, 78, step)
            );
            steps[n - 1] += 1;
            assert!(!s.is_arithmetic_sequence(&steps, 77, step));
        }
        let indices: Vec<u32> = (0..n as u32).map(|i| 40 + i * 7 % n as u32).collect();
        check(s.permute(fa, s.lane_indices(&indices, 40)), &|i| a[(indices[i] - 40) as usize], 0.0);

        let mut table = vec![Line([0.0; 16]); LINES];
        for line in [0, 1, LINES - 2, LINES - 1] {
            table[line].0.copy_from_slice(&numbers(16, -1.0, 1.0));
        }
        let flat: &[f32] = bytemuck::cast_slice(&table);
        let table: &[Line; LINES] = table.first_chunk().unwrap();
        // Whole lines, half lines, and the last offset.
        for (a, b) in [(0, 8), (4, RowOffset::MAX - 7), (RowOffset::MAX, 12)] {
            let expected = |i: usize| 0.5 * flat[2 * usize::from(a) + i] - 2.0 * flat[2 * usize::from(b) + i];
            let (mut twelve, mut eight) = ([0.0; 16], [0.0; 16]);
            let sum = s.add_twelve_scaled(s.load_twelve_scaled(table, a, 0.5), table, b, -2.0);
            s.store_twelve(&mut twelve, sum);
            let sum = s.add_eight_scaled(s.load_eight_scaled(table, a, 0.5), table, b, -2.0);
            s.store_eight(&mut eight, sum);
            for i in 0..12 {
                assert!((twelve[i] - expected(i)).abs() < 1e-6, "{a} {b}");
                assert!(i > 7 || (eight[i] - expected(i)).abs() < 1e-6, "{a} {b}");
            }
        }
        assert_eq!(s.load_single(&0x1234), 0x1234);
        s.prefetch(flat, flat.len() + 7, 100);
    }
}

/// Returns the ends, bones and weights of rows of the given lengths, after `before` other entries.
fn entries(lengths: &[u32], before: u32) -> (Vec<u32>, Vec<u16>, Vec<f32>) {
    let mut end = before;
    let ends = lengths.iter().map(|length| {
        end += length;
        end
    });
    let ends: Vec<u32> = ends.collect();
    let count = end as u16;
    let bones = (0..count).map(|i| i * 7 % 40).collect();
    (ends, bones, (0..count).map(|i| f32::from(i) + 1.0).collect())
}

struct Spreads;

impl Kernel for Spreads {
    type Output = ();

    fn run<S: Simd>(self, s: S) {
        let n = S::LANES;
        let lengths: [&dyn Fn(usize) -> u32; 4] =
            [&|lane| [1, 4, 0, 3, 2][lane % 5], &|lane| [0, 6, 4, 5, 1, 9][lane % 6], &|_| 0, &|_| 4];
        for lengths in lengths {
            let lengths: Vec<u32> = (0..n).map(lengths).collect();
            let (ends, bones, weights) = entries(&lengths, 3);
            let rows = Entries { start: 3, ends: &ends, bones: &bones, weights: &weights };
            let mut to = Spread::EMPTY;
            let [longer, none] = s.spread(&rows, 30, 3, &mut to).unwrap();
            for lane in 0..n {
                let (start, length) = (ends[lane] - lengths[lane], lengths[lane]);
                assert_eq!(longer >> lane & 1 == 1, length > 4);
                assert_eq!(none >> lane & 1 == 1, length == 0);
                for k in 0..4u32 {
                    let entry = (start + k) as usize;
                    let (bone, weight) =
                        if k < length { (bones[entry].min(30), weights[entry]) } else { (30, 0.0) };
                    let found = (to.bones[lane][k as usize], to.weights[lane][k as usize]);
                    assert_eq!(found, (bone << 3, weight), "lane {lane}, {k} of {length}");
                }
            }
            // Ends that decrease, and ends beyond the entries.
            let mut decreasing = ends.clone();
            decreasing[n / 2] = 2;
            assert!(s.spread(&Entries { ends: &decreasing, ..rows }, 30, 3, &mut to).is_none());
            if weights.len() > 3 {
                let weights = &weights[..weights.len() - 1];
                assert!(s.spread(&Entries { weights, ..rows }, 30, 3, &mut to).is_none());
            }
        }
        let (_, bones, _) = entries(&vec![4; n], 0);
        let mut to = Spread::EMPTY.bones;
        s.limit_and_shift(&bones, 30, 1, &mut to);
        for i in 0..4 * n {
            assert_eq!(to[i / 4][i % 4], bones[i].min(30) << 1);
        }
        let mut fours = [[1, 1, 3, u16::MAX]; MAX_LANES];
        assert!(s.is_ascending(&fours));
        for lane in 0..n {
            fours[lane] = [0, 40000, 39999, 50000];
            assert!(!s.is_ascending(&fours));
            fours[lane] = [7; 4];
        }
    }
}

#[test]
fn every_path_spreads_rows_equally() {
    for path in Path::all() {
        path.run(Spreads);
    }
}

#[test]
fn every_path_calculates_equally() {
    for path in Path::all() {
        path.run(Checks);
    }
    assert_eq!(Path::best().name(), Path::all().last().unwrap().name());
}
