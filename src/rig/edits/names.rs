//! Names of bones: unique within a skeleton, and the sides that they speak of (`Hand.L`, `Hand.R`).
//!
//! Left is where x is positive: a character looks along +z.

pub use crate::math::axis::Axis;
use crate::rig::skeleton::Skeleton;
use std::collections::HashSet;

/// Endings of names on the positive and on the negative side of an axis of skeleton space.
fn sides(axis: Axis) -> [&'static str; 2] {
    match axis {
        Axis::X => ["L", "R"],
        Axis::Y => ["Top", "Bot"],
        Axis::Z => ["Fr", "Bk"],
    }
}

/// What a bone is called that is new or a copy of an unnamed one (with a number where the name is taken).
pub const NEW_BONE: &str = "Bone";

/// `name`, or where another bone than `except` has it already, `name` with the next free number:
/// `Arm`, `Arm.001`, `Arm.002`.
pub fn unique(skeleton: &Skeleton, name: &str, except: Option<usize>) -> String {
    not_taken(
        skeleton.bones.iter().map(|bone| bone.name.as_deref()),
        name,
        except,
    )
}

/// As [`unique`], among handles.
pub fn unique_handle(skeleton: &Skeleton, name: &str, except: Option<usize>) -> String {
    not_taken(
        skeleton.handles.iter().map(|handle| handle.name.as_deref()),
        name,
        except,
    )
}

fn not_taken<'a>(names: impl Iterator<Item = Option<&'a str>>, name: &str, except: Option<usize>) -> String {
    let others = names.enumerate().filter(|&(index, _)| Some(index) != except);
    let taken: HashSet<&str> = others.filter_map(|(_, name)| name).collect();
    if !taken.contains(name) {
        return name.to_owned();
    }
    let (stem, _) = without_number(name);
    // One more number than bones: one of them is free.
    let mut numbered = (1..=taken.len() + 1).map(|n| format!("{stem}.{n:03}"));
    numbered
        .find(|name| !taken.contains(name.as_str()))
        .unwrap_or_default()
}

/// The name and, apart from it, a number like `.001` at its end.
fn without_number(name: &str) -> (&str, &str) {
    if let Some((stem, digits)) = name.rsplit_once('.')
        && digits.len() >= 3
        && !stem.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        return name.split_at(stem.len());
    }
    (name, "")
}

/// The name of the mirrored bone, `None` where the name speaks of no side. Knows, across x, `Hand.L`,
/// `hand_l`, `L-Hand`, `Left hand` and `HandRight`, upper or lower case, with a number behind or a namespace before; across y
/// `Fin.Top` and `Fin.Bot`, across z `Leg.Fr` and `Leg.Bk`.
pub fn flipped(name: &str, axis: Axis) -> Option<String> {
    // Behind a namespace, as in `mixamorig:LeftArm`.
    if let Some((space, name)) = name.rsplit_once(':') {
        return flipped(name, axis).map(|name| format!("{space}:{name}"));
    }
    let (stem, number) = without_number(name);
    let [positive, negative] = sides(axis);
    for (this, other) in [(positive, negative), (negative, positive)] {
        if let Some((front, word)) = ending(stem, this, true) {
            return Some(format!("{front}{}{number}", like(word, other)));
        }
        if axis == Axis::X
            && let Some((word, back)) = beginning(stem, this, true)
        {
            return Some(format!("{}{back}{number}", like(word, other)));
        }
    }
    if axis == Axis::X {
        for (this, other) in [("left", "right"), ("right", "left")] {
            if let Some((front, word)) = ending(stem, this, false) {
                return Some(format!("{front}{}{number}", like(word, other)));
            }
            if let Some((word, back)) = beginning(stem, this, false) {
                return Some(format!("{}{back}{number}", like(word, other)));
            }
        }
    }
    None
}

/// The name with the ending of its side: `Hand.L`, before a number if there is one.
pub fn with_side(name: &str, axis: Axis, positive: bool) -> String {
    let (stem, number) = without_number(name);
    let [plus, minus] = sides(axis);
    format!("{stem}.{}{number}", if positive { plus } else { minus })
}

/// Splits `word` off the end, in any case, behind a separator if there has to be one.
fn ending<'a>(name: &'a str, word: &str, separated: bool) -> Option<(&'a str, &'a str)> {
    let at = name.len().checked_sub(word.len())?;
    let (front, back) = (name.get(..at)?, name.get(at..)?);
    let apart = front.ends_with(['.', '_', '-', ' ']);
    let stands = apart || !separated && (front.is_empty() || begins_word(front, back));
    (stands && !front.is_empty() && back.eq_ignore_ascii_case(word)).then_some((front, back))
}

fn beginning<'a>(name: &'a str, word: &str, separated: bool) -> Option<(&'a str, &'a str)> {
    let (front, back) = (name.get(..word.len())?, name.get(word.len()..)?);
    let apart = back.starts_with(['.', '_', '-', ' ']);
    let stands = apart || !separated && (back.is_empty() || begins_word(front, back));
    (stands && front.eq_ignore_ascii_case(word)).then_some((front, back))
}

/// Whether a new word begins between the two: `hand|Left`, `left|Hand`, but not `Bright` or `lefty`.
fn begins_word(front: &str, back: &str) -> bool {
    let before = front.chars().next_back();
    let after = back.chars().next();
    before.is_some_and(|c| c.is_lowercase() || c.is_numeric()) && after.is_some_and(char::is_uppercase)
}

/// `other`, written in the case of `word`.
fn like(word: &str, other: &str) -> String {
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
    fn sides_are_exchanged_and_back() {
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
    fn other_names_speak_of_no_side() {
        for name in [
            "", "L", ".L", "Spine", "Ball", "HandL", "Bright", "Lefty", "Upright", "cleft", "手", "Fin.Top",
            "R2",
        ] {
            let flipped = flipped(name, Axis::X);
            // A name that is nothing but its side and a dot keeps its dot.
            let expected = (name == ".L").then(|| ".R".to_owned());
            assert_eq!(flipped, expected, "{name}");
        }
        assert_eq!(flipped("Hand.L", Axis::Y), None);
    }

    #[test]
    fn sides_are_given() {
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
        let named = |name: &str| Bone {
            name: Some(name.into()),
            ..Bone::default()
        };
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
