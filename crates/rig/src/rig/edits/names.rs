//! Bone names: unique within a skeleton, and the sides that they include (`Hand.L`, `Hand.R`).
//!
//! Left is positive x: a character faces +z.

pub use crate::math::axis::Axis;
use crate::rig::skeleton::Skeleton;
use std::collections::HashSet;

/// The suffixes of names on the positive and on the negative side of an axis of skeleton space.
fn sides(axis: Axis) -> [&'static str; 2] {
    match axis {
        Axis::X => ["L", "R"],
        Axis::Y => ["Top", "Bot"],
        Axis::Z => ["Fr", "Bk"],
    }
}

/// The name of a new bone or of a copy of an unnamed one (with a number if it is taken).
pub const NEW_BONE: &str = "Bone";

/// Returns `name`, or if a bone other than `except` has it already, `name` with the next free number: `Arm`,
/// `Arm.001`, `Arm.002`.
pub fn unique(skeleton: &Skeleton, name: &str, except: Option<usize>) -> String {
    first_free(skeleton.bones.iter().map(|bone| bone.name.as_deref()), name, except)
}

/// Like [`unique`], but among handles.
pub fn unique_handle(skeleton: &Skeleton, name: &str, except: Option<usize>) -> String {
    first_free(skeleton.handles.iter().map(|handle| handle.name.as_deref()), name, except)
}

fn first_free<'a>(names: impl Iterator<Item = Option<&'a str>>, name: &str, except: Option<usize>) -> String {
    let others = names.enumerate().filter(|&(index, _)| Some(index) != except);
    let taken: HashSet<&str> = others.filter_map(|(_, name)| name).collect();
    free_name(&taken, name)
}

fn free_name(taken: &HashSet<&str>, name: &str) -> String {
    if !taken.contains(name) {
        return name.to_owned();
    }
    let (stem, _) = split_number(name);
    // One more number than there are names, so one of them is free.
    let mut numbered = (1..=taken.len() + 1).map(|n| format!("{stem}.{n:03}"));
    numbered.find(|name| !taken.contains(name.as_str())).unwrap_or_default()
}

/// Returns the names of bones that are renamed together, in this order: as wanted, or with the first free number where
/// another bone has the name. Names that are given up are free.
pub fn unique_together(skeleton: &Skeleton, wanted: &[(usize, String)]) -> Vec<String> {
    let renamed: HashSet<usize> = wanted.iter().map(|(bone, _)| *bone).collect();
    let others = skeleton.bones.iter().enumerate();
    let others = others.filter(|(bone, _)| !renamed.contains(bone));
    let mut names: Vec<String> = Vec::new();
    for (_, name) in wanted {
        let taken = others.clone().filter_map(|(_, bone)| bone.name.as_deref());
        let taken: HashSet<&str> = taken.chain(names.iter().map(String::as_str)).collect();
        let name = if name.is_empty() { String::new() } else { free_name(&taken, name) };
        names.push(name);
    }
    names
}

/// Returns `count` names that continue `name` in order: its stem with the numbers that follow its own, all of which are
/// free. `Tail.002` is continued by `Tail.003`, `Tail.004`.
pub fn continued(skeleton: &Skeleton, name: &str, count: usize) -> Vec<String> {
    let taken: HashSet<&str> = skeleton.bones.iter().filter_map(|bone| bone.name.as_deref()).collect();
    let (stem, number) = split_number(name);
    let mut first = number.trim_start_matches('.').parse::<u32>().unwrap_or(0) as usize;
    loop {
        first += 1;
        let names: Vec<String> = (first..first + count).map(|n| format!("{stem}.{n:03}")).collect();
        match names.iter().rposition(|name| taken.contains(name.as_str())) {
            None => return names,
            Some(last) => first += last,
        }
    }
}

/// Splits a number such as `.001` off the end of a name.
fn split_number(name: &str) -> (&str, &str) {
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
    use crate::rig::skeleton::Bone;

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
    fn pieces_are_numbered_in_order() {
        let named = |name: &str| crate::rig::skeleton::Bone { name: Some(name.into()), ..Default::default() };
        let skeleton = Skeleton {
            bones: ["Tail", "Tail.002", "Tail.005", "Arm.L"].map(named).into(),
            ..Skeleton::default()
        };
        assert_eq!(continued(&skeleton, "Tail", 1), ["Tail.001"]);
        assert_eq!(continued(&skeleton, "Tail", 2), ["Tail.003", "Tail.004"]);
        assert_eq!(continued(&skeleton, "Tail.002", 3), ["Tail.006", "Tail.007", "Tail.008"]);
        assert_eq!(continued(&skeleton, "Arm.L", 2), ["Arm.L.001", "Arm.L.002"]);
        assert_eq!(continued(&skeleton, "Tail.99999999999999999999", 1), ["Tail.001"]);
    }

    #[test]
    fn bones_that_swap_names_need_no_numbers() {
        let named = |name: &str| crate::rig::skeleton::Bone { name: Some(name.into()), ..Default::default() };
        let skeleton = Skeleton { bones: ["A", "B", "C"].map(named).into(), ..Skeleton::default() };
        let wanted = |names: [&str; 2]| [(0, names[0].to_owned()), (1, names[1].to_owned())];
        assert_eq!(unique_together(&skeleton, &wanted(["B", "A"])), ["B", "A"]);
        assert_eq!(unique_together(&skeleton, &wanted(["C", "C"])), ["C.001", "C.002"]);
        assert_eq!(unique_together(&skeleton, &wanted(["", ""])), ["", ""]);
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

    #[test]
    fn clashing_names_get_the_next_number() {
        let named = |name: &str| Bone { name: Some(name.into()), ..Bone::default() };
        let skeleton = Skeleton {
            bones: ["Arm", "Arm.001", "Leg.009", "Arm.003"].map(named).into(),
            ..Skeleton::default()
        };
        assert_eq!(unique(&skeleton, "Hand", None), "Hand");
        assert_eq!(unique(&skeleton, "Arm", None), "Arm.002");
        assert_eq!(unique(&skeleton, "Arm.001", None), "Arm.002");
        assert_eq!(unique(&skeleton, "Arm", Some(0)), "Arm");
        assert_eq!(unique(&skeleton, "Leg.009", None), "Leg.001");
    }
}
