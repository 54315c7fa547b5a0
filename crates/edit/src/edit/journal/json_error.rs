//! Error messages about handwritten JSON, without the names of Rust types.

/// Returns serde's message in plain words: "invalid type: string "wide", expected a number".
pub fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let Some((found, expected)) = text.split_once(", expected ") else {
        return text;
    };
    let (kind, rest) = expected.split_at(expected.find(' ').unwrap_or(expected.len()));
    let kind = match kind {
        "f32" | "f64" => "a number",
        "u8" | "u32" | "u64" | "usize" | "i32" | "i64" => "a whole number",
        other => other,
    };
    format!("{found}, expected {kind}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_plain_names() {
        let message = |error: serde_json::Error| describe(&error);
        let number = serde_json::from_str::<Vec<f32>>("[\"wide\"]").expect_err("a text");
        assert_eq!(message(number), "invalid type: string \"wide\", expected a number at line 1 column 7");
        let whole = serde_json::from_value::<usize>(true.into()).expect_err("a switch");
        assert_eq!(message(whole), "invalid type: boolean `true`, expected a whole number");
        let other = serde_json::from_str::<[f32; 2]>("3").expect_err("a number");
        assert_eq!(
            message(other),
            "invalid type: integer `3`, expected an array of length 2 at line 1 column 1"
        );
    }
}
