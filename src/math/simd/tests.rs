//! Every path that the processor has does what the trait says.

use super::*;
use crate::math::testing::Random;

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
        let same = |found: S::F, f: &dyn Fn(usize) -> f32, tolerance: f32| {
            for (i, found) in out(found).into_iter().enumerate() {
                let expected = f(i);
                assert!(
                    (found - expected).abs() <= tolerance * expected.abs().max(1.0),
                    "{found} {expected}"
                );
            }
        };
        same(s.splat(7.0), &|_| 7.0, 0.0);
        same(s.add(fa, fb), &|i| a[i] + b[i], 0.0);
        same(s.sub(fa, fb), &|i| a[i] - b[i], 0.0);
        same(s.mul(fa, fb), &|i| a[i] * b[i], 0.0);
        same(s.div(fa, fb), &|i| a[i] / b[i], 0.0);
        same(s.min(fa, fb), &|i| a[i].min(b[i]), 0.0);
        same(s.max(fa, fb), &|i| a[i].max(b[i]), 0.0);
        same(s.sqrt(fb), &|i| b[i].sqrt(), 0.0);
        same(s.mul_add(fa, fb, fc), &|i| a[i] * b[i] + c[i], 1e-6);
        same(s.mul_sub(fa, fb, fc), &|i| a[i] * b[i] - c[i], 1e-6);
        same(s.inverse(fb), &|i| 1.0 / b[i], 3e-7);
        same(s.inverse_sqrt(fb), &|i| 1.0 / b[i].sqrt(), 3e-7);
        same(s.negate_as(fb, fa), &|i| b[i] * a[i].signum(), 0.0);
        let outside = s.outside(fa, -1.0, 1.0);
        let less = s.less(fa, fc);
        for i in 0..n {
            assert_eq!(outside >> i & 1 == 1, !(-1.0..1.0).contains(&a[i]));
            assert_eq!(less >> i & 1 == 1, a[i] < c[i]);
        }
        assert_eq!(s.outside(s.splat(f32::NAN), -1.0, 1.0).count_ones() as usize, n);

        let flat = numbers(3 * n, -1.0, 1.0);
        let xyz = s.load3(&flat);
        for axis in 0..3 {
            same(xyz[axis], &|i| flat[3 * i + axis], 0.0);
        }
        let mut back = vec![0.0; 3 * n];
        s.store3(&mut back, xyz);
        assert_eq!(back, flat);

        let mut rows = Rows::ZERO;
        for row in &mut rows.0 {
            row.copy_from_slice(&numbers(16, -1.0, 1.0));
        }
        for at in 0..4 {
            let columns = s.transposed(&rows, at);
            for (column, found) in columns.into_iter().enumerate() {
                same(found, &|i| rows.0[i][4 * at + column], 0.0);
            }
        }
        let fours: Vec<[f32; 4]> = rows
            .0
            .iter()
            .map(|row| [row[3], row[5], row[7], row[11]])
            .collect();
        for (k, found) in s.transposed_fours(&fours).into_iter().enumerate() {
            same(found, &|i| fours[i][k], 0.0);
        }
        same(
            s.pick_less(fa, fc, fa, fb),
            &|i| if a[i] < c[i] { a[i] } else { b[i] },
            0.0,
        );
        for step in [1, 4] {
            let mut steps: Vec<u32> = (0..n as u32).map(|i| 77 + step * i).collect();
            assert!(s.in_steps(&steps, 77, step) && !s.in_steps(&steps, 78, step));
            steps[n - 1] += 1;
            assert!(!s.in_steps(&steps, 77, step));
        }
        let places: Vec<u32> = (0..n as u32).map(|i| 40 + i * 7 % n as u32).collect();
        same(
            s.permuted(fa, s.places(&places, 40)),
            &|i| a[(places[i] - 40) as usize],
            0.0,
        );

        let (row, more) = (rows.0[0], rows.0[1]);
        let mut sum = [0.0; 16];
        s.store_twelve(&mut sum, s.twelve_plus(s.twelve_scaled(&row, 0.5), &more, -2.0));
        for i in 0..12 {
            assert!((sum[i] - (0.5 * row[i] - 2.0 * more[i])).abs() < 1e-6);
        }
        let half = |row: [f32; 16]| -> [f32; 8] { std::array::from_fn(|i| row[i]) };
        let mut eight = [0.0; 16];
        let sum = s.eight_plus(s.eight_scaled(&half(row), 0.5), &half(more), -2.0);
        s.store_eight(&mut eight, sum);
        for i in 0..8 {
            assert!((eight[i] - (0.5 * row[i] - 2.0 * more[i])).abs() < 1e-6);
        }
    }
}

#[test]
fn every_path_calculates_alike() {
    for path in Path::all() {
        path.run(Checks);
    }
    assert_eq!(Path::best().name(), Path::all().last().unwrap().name());
}
