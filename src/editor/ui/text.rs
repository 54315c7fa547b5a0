//! Text as it is shown.

/// Returns the text with a capital first letter.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
