//! Counts as text for people to read.

/// Formats a count with its noun: "1 bone", "1,234 bones".
pub fn counted(number: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { singular } else { plural })
}

/// Formats a number with thousands separators: "1,234".
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn counts_read_well() {
        assert_eq!(counted(1, "bone", "bones"), "1 bone");
        assert_eq!(counted(999, "bone", "bones"), "999 bones");
        assert_eq!(counted(1_234_567, "bone", "bones"), "1,234,567 bones");
    }
}
