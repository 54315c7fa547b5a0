//! The lines of the table: comparisons and counts with their targets.

use serde::Serialize;

/// The good side of the target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Good {
    AtLeast,
    AtMost,
    /// There is no target.
    Any,
}

/// One measured value.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub what: String,
    /// The unit of the value: `times as fast`, `steps`, ...
    pub unit: &'static str,
    pub value: f64,
    pub good: Good,
    pub accept: Option<f64>,
    pub aim: Option<f64>,
    /// Further details, such as absolute times.
    pub note: String,
}

impl Line {
    pub fn new(label: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            what: label.into(),
            unit,
            value,
            good: Good::Any,
            accept: None,
            aim: None,
            note: String::new(),
        }
    }

    pub fn at_least(mut self, accept: f64, aim: f64) -> Self {
        (self.good, self.accept, self.aim) = (Good::AtLeast, Some(accept), Some(aim));
        self
    }

    pub fn at_most(mut self, accept: f64, aim: f64) -> Self {
        (self.good, self.accept, self.aim) = (Good::AtMost, Some(accept), Some(aim));
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn reaches(&self, target: Option<f64>) -> Option<bool> {
        let target = target?;
        match self.good {
            Good::AtLeast => Some(self.value >= target),
            Good::AtMost => Some(self.value <= target),
            Good::Any => None,
        }
    }

    /// Returns `aim`, `accepted`, `missed`, or nothing if there is no target.
    pub fn verdict(&self) -> &'static str {
        match (self.reaches(self.accept), self.reaches(self.aim)) {
            (None, _) => "",
            (Some(false), _) => "missed",
            (Some(true), Some(true)) => "aim",
            (Some(true), _) => "accepted",
        }
    }

    /// Formats the line as a row of a Markdown table.
    fn row(&self) -> String {
        let sign = match self.good {
            Good::AtLeast => "≥ ",
            Good::AtMost => "≤ ",
            Good::Any => "",
        };
        let target =
            |value: Option<f64>| value.map_or(String::new(), |value| format!("{sign}{}", short(value)));
        format!(
            "| {} | {} {} | {} | {} | {} | {} |",
            self.what,
            short(self.value),
            self.unit,
            target(self.accept),
            target(self.aim),
            self.verdict(),
            self.note
        )
    }
}

/// Formats a number with three digits.
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor();
    if !(-3.0..6.0).contains(&magnitude) {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.*}", (2.0 - magnitude).max(0.0) as usize);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Formats a time in a readable unit.
pub fn seconds(time: f64) -> String {
    match time {
        t if t < 1e-6 => format!("{} ns", short(t * 1e9)),
        t if t < 1e-3 => format!("{} µs", short(t * 1e6)),
        t if t < 1.0 => format!("{} ms", short(t * 1e3)),
        t => format!("{} s", short(t)),
    }
}

/// Formats lines as a Markdown table.
pub fn table(lines: &[Line]) -> String {
    let rows = lines.iter().map(|line| line.row() + "\n");
    "| what | measured | accept | aim | | |\n|---|---|---|---|---|---|\n".to_owned()
        + &rows.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases =
            [(5.8123, "5.81"), (46.66, "46.7"), (2027.0, "2027"), (3.4e-7, "3.4e-7"), (2.0, "2"), (0.0, "0")];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!(seconds(0.00123), "1.23 ms");
    }

    #[test]
    fn targets_are_met_or_missed() {
        let fast = |value| Line::new("x", value, "times").at_least(4.0, 5.8).verdict();
        assert_eq!([fast(3.9), fast(4.0), fast(6.0)], ["missed", "accepted", "aim"]);
        let few = |value| Line::new("x", value, "steps").at_most(12.0, 7.0).verdict();
        assert_eq!([few(13.0), few(12.0), few(7.0)], ["missed", "accepted", "aim"]);
        assert_eq!(Line::new("x", 1.0, "times").verdict(), "");
        assert_eq!(Line::new("x", f64::NAN, "").at_most(1.0, 1.0).verdict(), "missed");
    }
}
