//! The output of headless commands: results go to one writer, messages to another. Everything printed passes
//! through here and is escaped for terminals (see [`escape`]).

use super::{CliError, escape};
use crate::io::report::{Finding, Report, Severity};
use clap::error::ContextValue;
use std::fmt::{Debug, Display};
use std::io::Write;
use std::path::Path;

/// The most findings that are printed next to a result; more are only counted.
const MOST_FINDINGS: usize = 10;

/// Writers for results and messages.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

impl<'a> Output<'a> {
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { out, err }
    }

    /// Prints a line of the result.
    pub fn line(&mut self, text: impl Display) -> Result<(), CliError> {
        Ok(writeln!(self.out, "{}", escape::line(&text.to_string()))?)
    }

    /// Prints a line to standard error.
    fn message(&mut self, text: impl Display) {
        let _ = writeln!(self.err, "{}", escape::line(&text.to_string()));
    }

    /// Prints the result as a JSON document.
    pub fn json(&mut self, value: &impl serde::Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value).map_err(|e| CliError::Other(e.to_string()))?;
        Ok(writeln!(self.out, "{}", escape::json(&text))?)
    }

    /// Prints the warnings and errors found while reading a file to standard error, so that results stay
    /// clean. Notes are left to `ossature check`.
    pub fn findings(&mut self, path: &Path, report: &Report) {
        let path = path.display();
        let serious: Vec<_> = report.findings.iter().filter(|f| f.severity > Severity::Note).collect();
        for finding in serious.iter().take(MOST_FINDINGS) {
            self.message(format_args!("{path}: {finding}"));
        }
        let more = serious.len().saturating_sub(MOST_FINDINGS);
        if more > 0 {
            self.message(format_args!("{path}: {more} more; `ossature check` shows all"));
        }
    }

    /// Prints a finding, which begins with its severity, to standard error.
    pub fn finding(&mut self, finding: &Finding) {
        self.message(format_args!("{finding}"));
    }

    /// Prints a note for the user to standard error.
    pub fn note(&mut self, text: impl Display) {
        self.message(format_args!("note: {text}"));
    }

    pub fn error(&mut self, error: &CliError) {
        self.message(format_args!("error: {error}"));
    }

    /// Prints an error about invalid arguments, or the requested help, with its line breaks.
    pub fn usage(&mut self, mut error: clap::Error) {
        let string = |(kind, value): (_, &ContextValue)| match value {
            ContextValue::String(word) => Some((kind, escape::line(word).into_owned())),
            _ => None,
        };
        let quoted: Vec<_> = error.context().filter_map(string).collect();
        for (kind, word) in quoted {
            error.insert(kind, ContextValue::String(word));
        }
        let to = if error.use_stderr() { &mut self.err } else { &mut self.out };
        // A closed stream is not worth an error.
        let _ = write!(to, "{}", escape::lines(&error.render().to_string()));
    }

    pub fn flush(&mut self) -> Result<(), CliError> {
        Ok(self.out.flush()?)
    }
}

/// Formats a count, as in `1 bone`, `2 bones`.
pub fn count(number: usize, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}

/// Summarises findings, as in `2 errors, 1 warning`, or `nothing`.
pub fn summary(report: &Report) -> String {
    let number = |severity| report.findings.iter().filter(|f| f.severity == severity).count();
    let counts = [
        (number(Severity::Error), "error", "errors"),
        (number(Severity::Warning), "warning", "warnings"),
        (number(Severity::Note), "note", "notes"),
    ];
    let some = counts.into_iter().filter(|(n, ..)| *n > 0);
    let words: Vec<_> = some.map(|(n, singular, plural)| count(n, singular, plural)).collect();
    if words.is_empty() { "nothing".into() } else { words.join(", ") }
}

/// Formats numbers separated by spaces, each in the shortest form that reads back as the same number.
pub fn numbers<T: Debug>(values: impl IntoIterator<Item = T>) -> String {
    let words: Vec<_> = values.into_iter().map(number).collect();
    words.join(" ")
}

/// Formats a number in its shortest form: `1`, `0.5`, `5.5e-17`.
pub fn number(value: impl Debug) -> String {
    let text = format!("{value:?}");
    match text.strip_suffix(".0").unwrap_or(&text) {
        "-0" => "0".into(),
        short => short.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(numbers([1.0, -0.5, 0.1 + 0.2, 1e-17]), "1 -0.5 0.30000000000000004 1e-17");
        assert_eq!(numbers([0.1f32, 100.0]), "0.1 100");
    }
}
