//! Colours for numbers: a map from cold to hot, a rainbow, and distinguishable hues. All are sRGB (not
//! linear), with components from 0 to 1.

/// Maps `t` from 0 to 1 to a colour from a light blue grey through yellow and orange to dark red, from cold to
/// hot. Nothing is so dark that light on a surface no longer shows its shape. Readable for colour-blind people:
/// from 0.25 on it grows darker, and below that it goes from blue to yellow. Values of `t` outside 0 to 1 are
/// clamped.
pub fn heat(t: f32) -> [f32; 3] {
    // OKLab's L, a, b.
    const STOPS: [[f32; 3]; 5] = [
        [0.862, -0.006, -0.026],
        [0.855, 0.001, 0.100],
        [0.765, 0.058, 0.130],
        [0.638, 0.132, 0.104],
        [0.466, 0.168, 0.036],
    ];
    let place = t.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let from = (place as usize).min(STOPS.len() - 2);
    let part = place - from as f32;
    let mixed = [0, 1, 2].map(|i| STOPS[from][i] + part * (STOPS[from + 1][i] - STOPS[from][i]));
    srgb_from_oklab(mixed)
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

/// Returns an sRGB colour from lightness, chroma and a hue in radians of OKLab.
fn oklch(lightness: f32, chroma: f32, hue: f32) -> [f32; 3] {
    let (b, a) = hue.sin_cos();
    srgb_from_oklab([lightness, chroma * a, chroma * b])
}

/// Returns an sRGB colour from L, a, b of Björn Ottosson's OKLab (2020, public domain).
fn srgb_from_oklab([lightness, a, b]: [f32; 3]) -> [f32; 3] {
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
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Converts one component from 0 to 1.
pub fn linear_from_srgb(srgb: f32) -> f32 {
    if srgb <= 0.040_45 { srgb / 12.92 } else { ((srgb + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The CIE lightness L* under D65.
    fn lightness(rgb: [f32; 3]) -> f32 {
        let [r, g, b] = rgb.map(linear_from_srgb);
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    /// The colour as people see it who lack the cones for red, green or blue: G. Machado, M. Oliveira, L.
    /// Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009), at full
    /// severity.
    const COLOR_BLIND: [[[f32; 3]; 3]; 3] = [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// OKLab's L, a, b of an sRGB colour.
    fn oklab(rgb: [f32; 3]) -> [f32; 3] {
        let [r, g, b] = rgb.map(linear_from_srgb);
        let l = (0.412_221_5 * r + 0.536_332_5 * g + 0.051_446 * b).cbrt();
        let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_397 * b).cbrt();
        let s = (0.088_302_5 * r + 0.281_718_8 * g + 0.629_978_7 * b).cbrt();
        [
            0.210_454_3 * l + 0.793_617_8 * m - 0.004_072 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904 * l + 0.782_771_8 * m - 0.808_675_8 * s,
        ]
    }

    fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
        let (a, b) = (oklab(a), oklab(b));
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
    }

    /// The smallest difference in OKLab that is seen at a glance, also between shaded surfaces.
    const CLEAR: f32 = 0.03;

    #[test]
    fn steps_of_heat_are_visible_with_every_colour_vision() {
        let seen_as = |rgb: [f32; 3], matrix: &[[f32; 3]; 3]| {
            let linear = rgb.map(linear_from_srgb);
            matrix.map(|row| srgb_from_linear((0..3).map(|i| row[i] * linear[i]).sum()))
        };
        let colors: Vec<_> = (0..=10).map(|i| heat(i as f32 / 10.0)).collect();
        for pair in colors.windows(2) {
            assert!(apart(pair[0], pair[1]) > CLEAR, "{pair:?}");
            for matrix in &COLOR_BLIND {
                let [a, b] = [pair[0], pair[1]].map(|rgb| seen_as(rgb, matrix));
                assert!(apart(a, b) > CLEAR, "{pair:?} seen as {a:?} and {b:?}");
            }
        }
        // No weight is light, no weight is lighter than none, and none is lost in the dark.
        let light: Vec<_> = colors.iter().map(|rgb| lightness(*rgb)).collect();
        assert!(light[0] > 80.0 && light[10] > 35.0, "{light:?}");
        assert!(light.windows(2).all(|w| w[1] < w[0] + 0.5), "{light:?}");
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
