//! Names like one that is not there, for what people are told then.

/// How many names are told.
const TOLD: usize = 3;

/// "the nearest are “Hand.L”, “Hand.R”; `ossature info` lists them", of all that there are.
pub fn near<'a>(name: &str, all: impl IntoIterator<Item = &'a String>) -> String {
    let mut names: Vec<&String> = all.into_iter().collect();
    names.sort_by_cached_key(|other| distance(name, other));
    let rest = names.len().saturating_sub(TOLD);
    names.truncate(TOLD);
    let told: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    match (told.len(), rest) {
        (0, _) => "there are none".into(),
        (1, 0) => format!("there is only {}", told[0]),
        (_, 0) => format!("there are {}", told.join(", ")),
        _ => format!("the nearest are {}; `ossature info` lists all", told.join(", ")),
    }
}

/// How many letters must be changed, taken away or added (Levenshtein's distance), without regard to capitals.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (at, letter) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], at + 1);
        for (place, other) in b.chars().enumerate() {
            let changed = corner + usize::from(letter != other);
            corner = row[place + 1];
            row[place + 1] = changed.min(corner + 1).min(row[place] + 1);
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
            [
                ("kitten", "sitting"),
                ("", "abc"),
                ("Hand.L", "hand.l"),
                ("ab", "ba")
            ]
            .map(|(a, b)| distance(a, b)),
            [3, 3, 0, 2]
        );
        let names = ["Spine", "Hand.R", "Hand.L", "Head"].map(String::from);
        let told = "the nearest are “Hand.L”, “Hand.R”, “Head”; `ossature info` lists all";
        assert_eq!(near("hnd.L", &names), told);
        assert_eq!(near("Hip", &names[..2]), "there are “Spine”, “Hand.R”");
        assert_eq!(near("Hip", &names[..1]), "there is only “Spine”");
        assert_eq!(near("Hip", &[]), "there are none");
    }
}
