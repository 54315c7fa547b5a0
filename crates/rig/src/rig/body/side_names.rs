//! The sides that names include: `Hand.L`, `Hand.R`. Left is positive x: a character faces +z.

use crate::math::axis::Axis;

/// The suffixes of names on the positive and on the negative side of an axis of skeleton space.
fn sides(axis: Axis) -> [&'static str; 2] {
    match axis {
        Axis::X => ["L", "R"],
        Axis::Y => ["Top", "Bot"],
        Axis::Z => ["Fr", "Bk"],
    }
}

/// Splits a number such as `.001` off the end of a name.
pub(crate) fn split_number(name: &str) -> (&str, &str) {
    if let Some((stem, digits)) = name.rsplit_once('.')
        && digits.len() >= 3
        && !stem.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        return name.split_at(stem.len());
    }
    (name, "")
}

/// Returns the name of the mirrored bone; `None` if the name does not include a side. Across x, it recognizes
/// `Hand.L`, `hand_l`, `L-Hand`, `Left hand` and `HandRight` in upper or lower case, followed by a number or
/// preceded by a namespace; across y `Fin.Top` and `Fin.Bot`, across z `Leg.Fr` and `Leg.Bk`.
pub fn flipped(name: &str, axis: Axis) -> Option<String> {
    flip(name, axis).map(|(flipped, _)| flipped)
}

/// Whether the side that a name includes is the positive one, as [`flipped`] recognizes it; `None` if it includes none.
pub fn is_positive(name: &str, axis: Axis) -> Option<bool> {
    flip(name, axis).map(|(_, positive)| positive)
}

/// Returns the name of the other side, and whether `name` is that of the positive one.
fn flip(name: &str, axis: Axis) -> Option<(String, bool)> {
    // After a namespace, as in `mixamorig:LeftArm`.
    if let Some((space, name)) = name.rsplit_once(':') {
        return flip(name, axis).map(|(name, positive)| (format!("{space}:{name}"), positive));
    }
    let (stem, number) = split_number(name);
    let words = (sides(axis), true);
    let long_words = (axis == Axis::X).then_some((["left", "right"], false));
    for ([positive, negative], separated) in [words].into_iter().chain(long_words) {
        for (this, other) in [(positive, negative), (negative, positive)] {
            if let Some((front, word)) = split_suffix(stem, this, separated) {
                return Some((format!("{front}{}{number}", match_case(word, other)), this == positive));
            }
            if axis == Axis::X
                && let Some((word, back)) = split_prefix(stem, this, separated)
            {
                return Some((format!("{}{back}{number}", match_case(word, other)), this == positive));
            }
        }
    }
    None
}

/// Adds the suffix of a side to a name, before a number if there is one: `Hand.L`.
pub fn with_side(name: &str, axis: Axis, positive: bool) -> String {
    let (stem, number) = split_number(name);
    let [plus, minus] = sides(axis);
    format!("{stem}.{}{number}", if positive { plus } else { minus })
}

/// Splits the suffix `word` off, ignoring case; with `separated`, only after a separator.
fn split_suffix<'a>(name: &'a str, word: &str, separated: bool) -> Option<(&'a str, &'a str)> {
    let index = name.len().checked_sub(word.len())?;
    let (front, back) = (name.get(..index)?, name.get(index..)?);
    let has_separator = front.ends_with(['.', '_', '-', ' ']);
    let is_word = has_separator || !separated && (front.is_empty() || begins_word(front, back));
    (is_word && !front.is_empty() && back.eq_ignore_ascii_case(word)).then_some((front, back))
}

/// Splits the prefix `word` off, ignoring case; with `separated`, only before a separator.
fn split_prefix<'a>(name: &'a str, word: &str, separated: bool) -> Option<(&'a str, &'a str)> {
    let (front, back) = (name.get(..word.len())?, name.get(word.len()..)?);
    let has_separator = back.starts_with(['.', '_', '-', ' ']);
    let is_word = has_separator || !separated && (back.is_empty() || begins_word(front, back));
    (is_word && front.eq_ignore_ascii_case(word)).then_some((front, back))
}

/// Whether a new word begins between the two parts: `hand|Left`, `left|Hand`, but not `Bright` or `lefty`.
fn begins_word(front: &str, back: &str) -> bool {
    let before = front.chars().next_back();
    let after = back.chars().next();
    before.is_some_and(|c| c.is_lowercase() || c.is_numeric()) && after.is_some_and(char::is_uppercase)
}

/// Returns `other` in the case of `word`.
fn match_case(word: &str, other: &str) -> String {
    let mut letters = word.chars();
    let first_upper = letters.next().is_some_and(char::is_uppercase);
    let rest_upper = letters.clone().next().is_some() && letters.all(char::is_uppercase);
    let cased = |(i, c): (usize, char)| match i {
        0 if first_upper => c.to_ascii_uppercase(),
        0 => c.to_ascii_lowercase(),
        _ if rest_upper => c.to_ascii_uppercase(),
        _ => c.to_ascii_lowercase(),
    };
    other.chars().enumerate().map(cased).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_swapped_in_both_directions() {
        for (name, other) in [
            ("Hand.L", "Hand.R"),
            ("hand_l", "hand_r"),
            ("Hand-L.004", "Hand-R.004"),
            ("Hand L", "Hand R"),
            ("L.Hand", "R.Hand"),
            ("l_hand", "r_hand"),
            ("Left hand", "Right hand"),
            ("LEFT_HAND", "RIGHT_HAND"),
            ("leftHand", "rightHand"),
            ("HandLeft", "HandRight"),
            ("hand_left.001", "hand_right.001"),
            ("left", "right"),
            ("Mão.L", "Mão.R"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("rig:body:hand_l", "rig:body:hand_r"),
        ] {
            assert_eq!(flipped(name, Axis::X).as_deref(), Some(other), "{name}");
            assert_eq!(flipped(other, Axis::X).as_deref(), Some(name), "{other}");
        }
        assert_eq!(flipped("Fin.Top", Axis::Y).as_deref(), Some("Fin.Bot"));
        assert_eq!(flipped("leg.bk.001", Axis::Z).as_deref(), Some("leg.fr.001"));
    }

    #[test]
    fn other_names_have_no_side() {
        for name in [
            "", "L", ".L", "Spine", "Ball", "HandL", "Bright", "Lefty", "Upright", "cleft", "手", "Fin.Top",
            "R2",
        ] {
            let flipped = flipped(name, Axis::X);
            // A name that consists only of a dot and its side keeps the dot.
            let expected = (name == ".L").then(|| ".R".to_owned());
            assert_eq!(flipped, expected, "{name}");
        }
        assert_eq!(flipped("Hand.L", Axis::Y), None);
    }

    #[test]
    fn sides_are_added() {
        assert_eq!(with_side("Hand", Axis::X, true), "Hand.L");
        assert_eq!(with_side("Hand.002", Axis::X, false), "Hand.R.002");
        assert_eq!(with_side("Leg", Axis::Z, false), "Leg.Bk");
        for axis in Axis::ALL {
            let name = with_side("Leg.001", axis, true);
            assert_eq!(flipped(&name, axis), Some(with_side("Leg.001", axis, false)));
        }
    }
}
