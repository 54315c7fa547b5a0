//! Runs headless commands in this process, through the entry point of the program, and checks what holds for
//! all of them.

use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a command.
pub struct Ran {
    pub arguments: String,
    pub good: bool,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.out).map_err(|error| self.fault(&format!("prints no JSON: {error}")))
    }

    pub fn fault(&self, what: &str) -> String {
        let said = self.err.lines().last().unwrap_or_default();
        format!("`{}` {what}; {said}", self.arguments)
    }
}

/// Members of JSON output that may be `null`: omitted values and empty references.
const NULLABLE: [&str; 23] = [
    "albedo",
    "camera",
    "chain",
    "emissive",
    "error",
    "frame",
    "light",
    "look_at",
    "material",
    "mesh",
    "mirror_of",
    "orientation",
    "parent",
    "particles",
    "pole",
    "preferred",
    "radiance",
    "reflectance",
    "shape",
    "space",
    "transform",
    "transmittance",
    "volume",
];

/// Runs `ossature` with these arguments.
///
/// # Errors
/// What the command did wrong.
pub fn run(arguments: &[&str]) -> Result<Ran, String> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = ["ossature"].iter().chain(arguments);
    let run = AssertUnwindSafe(|| ossature::cli::run(all, &mut out, &mut err));
    let status = catch_unwind(run);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let ran = Ran {
        arguments: arguments.join(" "),
        good: status.as_ref().is_ok_and(|status| *status == 0),
        out: text(out),
        err: text(err),
    };
    let Ok(status) = status else {
        return Err(ran.fault(&format!("panics {}", crate::worker::panic_message())));
    };
    let last = ran.err.lines().last().unwrap_or_default();
    if status > 1 || (status == 1) != last.starts_with("error: ") {
        return Err(ran.fault(&format!("ends with status {status}")));
    }
    let json = arguments.contains(&"--json");
    let is_check = arguments[0] == "check";
    if !ran.good && !ran.out.is_empty() && !is_check && arguments[0] != "skin" {
        return Err(ran.fault(&format!("fails and prints {}", ran.out)));
    }
    for text in [&ran.out, &ran.err] {
        if let Some(c) = text.chars().find(|c| *c != '\n' && is_obeyed(*c)) {
            return Err(ran.fault(&format!("prints {c:?}: {text}")));
        }
    }
    if json && (ran.good || is_check) {
        numbers(&ran.json()?).map_err(|place| ran.fault(&format!("prints null at {place}")))?;
    } else if let Some(word) = ran.out.split(|c: char| !c.is_alphanumeric()).find(|w| is_no_number(w)) {
        return Err(ran.fault(&format!("prints {word}: {}", ran.out)));
    }
    Ok(ran)
}

/// Whether a terminal interprets the character instead of printing it.
fn is_obeyed(c: char) -> bool {
    c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c)
}

/// Whether this is how Rust prints a number that is not finite; the texts of damaged files differ.
fn is_no_number(word: &str) -> bool {
    matches!(word, "NaN" | "inf")
}

/// Fails with the place of a number that is not finite, which JSON shows as `null`.
fn numbers(value: &Value) -> Result<(), String> {
    match value {
        Value::Null => Err(String::new()),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(i, item)| numbers(item).map_err(|place| format!("/{i}{place}"))),
        Value::Object(members) => members.iter().try_for_each(|(name, value)| {
            if value.is_null() && NULLABLE.contains(&name.as_str()) {
                return Ok(());
            }
            // An axis without limits.
            let value = match value {
                Value::Array(ranges) if name == "limits" => {
                    &ranges.iter().filter(|range| !range.is_null()).cloned().collect()
                }
                value => value,
            };
            numbers(value).map_err(|place| format!("/{name}{place}"))
        }),
        _ => Ok(()),
    }
}
