//! Suggestions of similar names for one that does not exist.

/// The maximum number of listed names.
const MAX_NAMES: usize = 3;

/// Returns text such as "the nearest are “Hand.L”, “Hand.R”; `ossature info` lists all".
pub fn suggest<'a>(name: &str, all: impl IntoIterator<Item = &'a String>) -> String {
    let mut names: Vec<&String> = all.into_iter().collect();
    names.sort_by_cached_key(|other| distance(name, other));
    let rest = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    let quoted: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    match (quoted.len(), rest) {
        (0, _) => "there are none".into(),
        (_, 0) => format!("available: {}", quoted.join(", ")),
        _ => format!("the nearest are {}; `ossature info` lists all", quoted.join(", ")),
    }
}

/// The Levenshtein distance of two names, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.chars().enumerate() {
            let changed = corner + usize::from(letter != other);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        assert_eq!(
            [("kitten", "sitting"), ("", "abc"), ("Hand.L", "hand.l"), ("ab", "ba")]
                .map(|(a, b)| distance(a, b)),
            [3, 3, 0, 2]
        );
        let names = ["Spine", "Hand.R", "Hand.L", "Head"].map(String::from);
        let expected = "the nearest are “Hand.L”, “Hand.R”, “Head”; `ossature info` lists all";
        assert_eq!(suggest("hnd.L", &names), expected);
        assert_eq!(suggest("Hip", &names[..2]), "available: “Spine”, “Hand.R”");
        assert_eq!(suggest("Hip", &names[..1]), "available: “Spine”");
        assert_eq!(suggest("Hip", &[]), "there are none");
    }
}
