//! Findings: what was wrong with a file that could still be read.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Odd, kept as it is.
    Note,
    /// Repaired; the repair is stated.
    Warning,
    /// Something of the file is not usable here.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Finding {
    pub severity: Severity,
    /// Stable machine-readable code, such as `missing-member`.
    pub code: &'static str,
    /// JSON pointer, such as `/scene/transforms/Root/scale`.
    pub at: String,
    /// What was found and what was done about it.
    pub text: String,
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
        at: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.findings.push(Finding {
            severity,
            code,
            at: at.into(),
            text: text.into(),
        });
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
        write!(f, "{severity}: {} ({}) [{}]", self.text, self.at, self.code)
    }
}
