//! Joint angles of generated gaits against those of people.

use crate::motion::biped::{run, walk};
use crate::motion::cycle::{Cycle, plan};
use crate::motion::figure::Figure;
use crate::motion::knobs::{Knob, Knobs, Settings};
use crate::motion::posture::solve;
use crate::testing::{human, short_heels};

/// Hip, knee and ankle in the sagittal plane at 20 samples from the strike of a foot, in degrees: flexion positive.
fn joint_angles(figure: &Figure, cycle: Cycle, pelvis_tilt: f64) -> [[f64; 20]; 3] {
    let rate = 20.0 / cycle.period;
    let plan = plan(figure, cycle, 20, rate);
    let leg = &figure.legs[0];
    let mut found = [[0.0; 20]; 3];
    #[allow(clippy::needless_range_loop, reason = "the sample is also the phase")]
    for sample in 0..20 {
        let posture = plan.posture(sample as f64 / 20.0);
        let solved = solve(figure, &posture);
        let elevation = |bone: usize| {
            let direction = solved.rotations[bone] * figure.parts[bone].extent;
            direction.z.atan2(-direction.y).to_degrees()
        };
        let (thigh, shin) = (elevation(leg.upper()), elevation(leg.hinges()[0].bone));
        let angles = [thigh + pelvis_tilt, thigh - shin, posture.feet[0].pitch.to_degrees() - shin];
        (0..3).for_each(|joint| found[joint][sample] = angles[joint]);
    }
    found
}

fn assert_within(found: &[[f64; 20]; 3], expected: &[[f64; 20]; 3], tolerances: [f64; 3], samples: usize) {
    for joint in 0..3 {
        for at in 0..samples {
            let (angle, norm) = (found[joint][at], expected[joint][at]);
            let name = ["hip", "knee", "ankle"][joint];
            assert!(
                (angle - norm).abs() <= tolerances[joint],
                "{name} at {} %: {angle:.1} for {norm}",
                5 * at
            );
        }
    }
}

/// Normal walking, after Perry and Burnfield, Winter and Kadaba: their means through the published key points, within two
/// of their standard deviations (5, 6 and 4 degrees).
#[test]
fn a_walk_is_within_the_norms_of_people() {
    let norms = [
        [30., 29., 26., 21., 15., 9., 3., -3., -6., -9., -10., -7., -1., 8., 18., 26., 31., 32., 32., 31.],
        [5., 11., 17., 17., 13., 9., 6., 4., 3., 5., 10., 20., 37., 54., 62., 58., 45., 28., 12., 4.],
        [0., -4., -4., 0., 3., 5., 7., 9., 10., 10., 7., -2., -13., -13., -6., -2., 0., 1., 0., 0.],
    ];
    // Legs reach less far to heels that are right below the ankles; these soles are thick, and swing higher.
    for (skin, samples) in [(Vec::new(), 20), (short_heels(&human()), 12)] {
        let figure = Figure::new(&human(), &skin).unwrap();
        // The norms include a pelvis that is tipped by ten degrees.
        let found = joint_angles(&figure, walk(&figure, &Settings::default()), 10.0);
        assert_within(&found, &norms, [10.0, 12.0, 8.0], samples);
    }
}

/// Running at 3.9 m/s, by Hamner and Delp: the mean of 13 strides of one runner.
#[test]
fn a_run_is_like_that_of_a_runner() {
    let runner = [
        [
            31., 33., 31., 24., 13., 1., -13., -23., -27., -27., -22., -14., -3., 12., 27., 39., 44., 43.,
            37., 31.,
        ],
        [
            22., 38., 51., 54., 48., 36., 21., 13., 17., 32., 53., 73., 90., 101., 102., 94., 77., 54., 31.,
            18.,
        ],
        [4., 10., 16., 22., 24., 18., 3., -13., -23., -26., -24., -20., -15., -9., -2., 3., 7., 8., 5., 3.],
    ];
    let figure = Figure::new(&human(), &[]).unwrap();
    let mut knobs = Knobs::default();
    knobs.set(Knob::Speed, 2.27);
    let found = joint_angles(&figure, run(&figure, &Settings::new(&knobs, 0.0)), -5.0);
    assert_within(&found, &runner, [10.0; 3], 20);
}
