//! Colours for numbers: a perceptually uniform map, a rainbow, and distinguishable hues. All are sRGB (not
//! linear), with components from 0 to 1.

/// Maps `t` from 0 to 1 to a colour from dark blue through green to yellow, in equal steps of lightness:
/// viridis without its darkest sixth, in which shapes are hard to see on a dark background. Works for
/// colour-blind people and in print. Values of `t` outside 0 to 1 are clamped.
pub fn heat(t: f32) -> [f32; 3] {
    viridis(DARKEST + (1.0 - DARKEST) * t.clamp(0.0, 1.0))
}

const DARKEST: f32 = 0.17;

/// The viridis map by Nathaniel Smith and Stéfan van der Walt (2015, CC0), as the polynomial fitted to it by
/// Matt Zucker (2019, CC0).
fn viridis(t: f32) -> [f32; 3] {
    // Red, green and blue coefficients for each power of t.
    const C: [[f32; 3]; 7] = [
        [0.277_727_33, 0.005_407_344_5, 0.334_099_8],
        [0.105_093_04, 1.404_613_5, 1.384_590_1],
        [-0.330_861_83, 0.214_847_56, 0.095_095_165],
        [-4.634_230_6, -5.799_101, -19.332_441],
        [6.228_27, 14.179_934, 56.690_55],
        [4.776_385, -13.745_145, -65.353_03],
        [-5.435_456, 4.645_852_6, 26.312_435],
    ];
    let component = |channel: usize| C.iter().rev().fold(0.0, |sum, c| sum * t + c[channel]);
    [0, 1, 2].map(|channel| component(channel).clamp(0.0, 1.0))
}

/// Maps `t` from 0 to 1 to a colour from blue through cyan, green and yellow to red, as many programs show
/// weights. Its steps look uneven, and many people cannot tell its red from its green.
pub fn rainbow(t: f32) -> [f32; 3] {
    let hue = 4.0 * (1.0 - t.clamp(0.0, 1.0));
    let ramp = |from: f32| (2.0 - (hue - from).abs()).clamp(0.0, 1.0);
    [ramp(0.0), ramp(2.0), ramp(4.0)]
}

/// Returns a colour for an index. Adjacent indices get clearly different colours; all colours are about
/// equally light, and none is pink.
pub fn distinct_color(index: usize) -> [f32; 3] {
    // Steps of the golden ratio fill the largest gap between the hues used so far.
    let turn = (index as f32 * 0.618_034).fract();
    let hue = (25.0 + 285.0 * turn).to_radians();
    let light = [0.74, 0.64, 0.82][index % 3];
    oklch(light, 0.12, hue)
}

/// Björn Ottosson's OKLab (2020, public domain), from lightness, chroma and a hue in radians.
fn oklch(lightness: f32, chroma: f32, hue: f32) -> [f32; 3] {
    let (b, a) = hue.sin_cos();
    let (a, b) = (chroma * a, chroma * b);
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    let linear = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    linear.map(srgb_from_linear)
}

/// Converts one component; the result is clamped to 0 to 1.
pub fn srgb_from_linear(linear: f32) -> f32 {
    let c = linear.clamp(0.0, 1.0);
    if c <= 0.003_130_8 {
        12.92 * c
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    }
}

/// Converts one component from 0 to 1.
pub fn linear_from_srgb(srgb: f32) -> f32 {
    if srgb <= 0.040_45 {
        srgb / 12.92
    } else {
        ((srgb + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The CIE lightness L* under D65.
    fn lightness(rgb: [f32; 3]) -> f32 {
        let [r, g, b] = rgb.map(linear_from_srgb);
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        if y > 0.008_856 {
            116.0 * y.cbrt() - 16.0
        } else {
            903.3 * y
        }
    }

    #[test]
    fn viridis_is_the_published_map() {
        for (t, hex) in [
            (0.0, 0x440154),
            (0.25, 0x3b528b),
            (0.5, 0x21918c),
            (0.75, 0x5ec962),
            (1.0, 0xfde725),
        ] {
            let expected = [16, 8, 0].map(|shift| ((hex >> shift) & 0xff) as f32 / 255.0);
            for (got, expected) in viridis(t).into_iter().zip(expected) {
                assert!((got - expected).abs() < 0.02, "{t}: {got} {expected}");
            }
        }
    }

    #[test]
    fn heat_grows_lighter_by_equal_steps() {
        let light: Vec<f32> = (0..=20).map(|i| lightness(heat(i as f32 / 20.0))).collect();
        let steps: Vec<f32> = light.windows(2).map(|w| w[1] - w[0]).collect();
        let mean = (light[20] - light[0]) / 20.0;
        assert!(light[0] > 25.0 && light[20] > 85.0, "{light:?}");
        assert!(
            steps.iter().all(|s| (s / mean - 1.0).abs() < 0.35),
            "{steps:?} around {mean}"
        );
        assert_eq!((heat(-1.0), heat(7.0)), (heat(0.0), heat(1.0)));
    }

    #[test]
    fn the_rainbow_runs_from_blue_to_red() {
        assert_eq!(rainbow(0.0), [0.0, 0.0, 1.0]);
        assert_eq!(rainbow(0.25), [0.0, 1.0, 1.0]);
        assert_eq!(rainbow(0.5), [0.0, 1.0, 0.0]);
        assert_eq!(rainbow(0.75), [1.0, 1.0, 0.0]);
        assert_eq!(rainbow(1.0), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn distinct_colours_differ_and_are_readable() {
        let far = |a: [f32; 3], b: [f32; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt();
        for i in 0..60 {
            assert!(lightness(distinct_color(i)) > 45.0);
            for j in i + 1..i + 4 {
                let distance = far(distinct_color(i), distinct_color(j));
                assert!(distance > 0.12, "{i} and {j}: {distance}");
            }
        }
        // Red, from OKLab's published reference values: L 0.627955, a 0.224863, b 0.125846.
        let (chroma, hue) = (0.224_863_f32.hypot(0.125_846), 0.125_846_f32.atan2(0.224_863));
        let red = oklch(0.627_955, chroma, hue);
        assert!(far(red, [1.0, 0.0, 0.0]) < 0.01, "{red:?}");
    }

    #[test]
    fn srgb_round_trip() {
        for i in 0..=100 {
            let c = i as f32 / 100.0;
            assert!((srgb_from_linear(linear_from_srgb(c)) - c).abs() < 1e-4);
        }
    }
}
