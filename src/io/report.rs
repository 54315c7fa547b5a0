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
    /// The file holds something that was not read: saving over it ends that for good.
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
        at: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.findings.push(Finding {
            severity,
            code,
            at: at.into(),
            text: text.into(),
            loss: false,
        });
    }

    /// As [`Report::add`], where something of the file could not be read.
    pub fn add_loss(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: impl Into<String>,
        text: impl Into<String>,
    ) {
        self.add(severity, code, at, text);
        self.findings
            .iter_mut()
            .last()
            .into_iter()
            .for_each(|f| f.loss = true);
    }

    /// What of the file was not read, and is lost where the scene is saved over it.
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
        let at = match self.at.is_empty() {
            true => String::new(),
            false => format!(" ({})", self.at),
        };
        write!(f, "{severity}: {}{at} [{}]", self.text, self.code)
    }
}
