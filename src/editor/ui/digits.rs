//! Conversion of numbers to text for display and for typing, and from typed text.

use super::expression;

/// Returns a number for display: at most `decimals` digits after the point, no trailing zeros, no "-0".
pub fn display_number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "not a number".into();
    }
    if value.abs() >= 1e7 {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    match text {
        "-0" | "" => "0".into(),
        _ => text.into(),
    }
}

/// Returns a number for typing and copying: all digits that a single-precision number has, no "-0".
pub fn exact_number(value: f64) -> String {
    let value = value as f32 + 0.0;
    if value != 0.0 && !(1e-5..1e9).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// Parses a typed number, or a sum or product of numbers: with a decimal point or comma, with or without a
/// unit. Returns `None` unless the result is finite in single precision.
pub fn parse(text: &str) -> Option<f64> {
    let text = text.trim().trim_end_matches('°').trim_end_matches("deg").trim();
    let text = text.replace(',', ".").replace('\u{2212}', "-");
    let value = expression::value(&text)?;
    (value as f32).is_finite().then_some(value)
}

/// Returns the least of 1, 2 and 5 times a power of ten that is no less than `least`; 1 if `least` is not
/// above zero.
pub fn round_step(least: f64) -> f64 {
    if !(least > 0.0 && least.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    let step = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    step.unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.3, 0.5), (1.0, 1.0), (0.07, 0.1), (6.0, 10.0), (19.2, 20.0), (2e-9, 2e-9)] {
            assert!((round_step(least) / step - 1.0).abs() < 1e-9, "{least}");
        }
        assert_eq!((round_step(0.0), round_step(f64::NAN)), (1.0, 1.0));
    }

    #[test]
    fn numbers_are_shown_short() {
        assert_eq!(display_number(12.5, 2), "12.5");
        assert_eq!(display_number(-0.0001, 2), "0");
        assert_eq!(display_number(100.0, 0), "100");
        assert_eq!(display_number(100.0, 2), "100");
        assert_eq!(display_number(f64::NAN, 2), "not a number");
        assert!(display_number(1e30, 3).len() < 12);
    }

    #[test]
    fn exact_text_reads_back() {
        for value in [0.0f32, 0.1, -12.345_678, 1e-12, 3.4e38, 45.000_004, -7e9] {
            assert_eq!(parse(&exact_number(f64::from(value))).map(|v| v as f32), Some(value), "{value}");
        }
    }

    #[test]
    fn typed_numbers() {
        assert_eq!(parse(" 1,5 "), Some(1.5));
        assert_eq!(parse("45°"), Some(45.0));
        assert_eq!(parse("45 deg"), Some(45.0));
        assert_eq!(parse("\u{2212}3"), Some(-3.0));
        assert_eq!(parse("90/4°"), Some(22.5));
        assert_eq!(parse("1,5*2"), Some(3.0));
        for wrong in ["", "x", "1e39", "inf", "nan", "1.2.3", "1/0"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
