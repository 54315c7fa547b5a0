//! Findings about files that could be read in spite of problems.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Unusual, but left unchanged.
    Note,
    /// Repaired; the text states how.
    Warning,
    /// Part of the file is not usable here.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Finding {
    pub severity: Severity,
    /// A stable machine-readable code, such as `missing-member`.
    pub code: &'static str,
    /// The place in the file: a JSON pointer, such as `/scene/transforms/Root/scale`, or a line.
    pub at: String,
    /// What was found and what was done about it.
    pub text: String,
    /// Whether part of the file was not read, so that saving over it loses that part for good.
    pub loss: bool,
}

/// Findings in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Report {
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.findings.push(Finding { severity, code, at: place.into(), text: text.into(), loss: false });
    }

    /// Adds a finding like [`Report::add`], about a part of the file that could not be read.
    pub fn add_loss(
        &mut self,
        severity: Severity,
        code: &'static str,
        place: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.add(severity, code, place, text);
        self.findings.iter_mut().last().into_iter().for_each(|f| f.loss = true);
    }

    /// Returns the findings about what was not read, and is lost if the scene is saved over the file.
    pub fn losses(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.loss)
    }

    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let place = if self.at.is_empty() { String::new() } else { format!(" ({})", self.at) };
        write!(f, "{severity}: {}{place} [{}]", self.text, self.code)
    }
}
