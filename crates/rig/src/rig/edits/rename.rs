//! New names for many bones at once: from a pattern or a list, by finding and replacing, and by side.

use super::names;
use crate::math::axis::Axis;
use crate::rig::body::middle::BothSides;
use crate::rig::body::side_names;
use crate::rig::body::sides::Sides;
use crate::rig::skeleton::Skeleton;

/// The side that names get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameSide {
    #[default]
    Keep,
    /// The side on which the bone lies in the bind pose; bones in the middle keep their names.
    ByPosition,
    Left,
    Right,
    /// The other side, where a name includes one.
    Swap,
}

impl NameSide {
    pub const ALL: [Self; 5] = [Self::Keep, Self::ByPosition, Self::Left, Self::Right, Self::Swap];

    pub fn text(self) -> &'static str {
        match self {
            Self::Keep => "As they are",
            Self::ByPosition => "By position",
            Self::Left => "Left (.L)",
            Self::Right => "Right (.R)",
            Self::Swap => "Swapped",
        }
    }
}

/// How bones are renamed. The steps apply in the order of the members; empty texts do nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Renaming {
    /// The new name, in which each run of `#` stands for a number with at least as many digits, or names separated by
    /// commas, one per bone; bones beyond the list keep their names.
    pub pattern: String,
    /// The number of the first bone.
    pub first: u32,
    /// The text to replace wherever it occurs.
    pub find: String,
    pub replacement: String,
    pub side: NameSide,
}

impl Renaming {
    /// Returns the bones whose names change, with their new names, in the order of `bones`. A name that another bone
    /// has, or that an earlier one gets, has a number appended.
    pub fn names(&self, skeleton: &Skeleton, bones: &[usize]) -> Vec<(usize, String)> {
        let wanted = self.wanted(skeleton, bones);
        let names = names::unique_together(skeleton, &wanted);
        let named = wanted.into_iter().map(|(bone, _)| bone).zip(names);
        named.filter(|(bone, name)| skeleton.bone_name(*bone) != *name).collect()
    }

    /// The number of names in the list, if they are listed and not as many as `bones`.
    pub fn miscounted(&self, bones: usize) -> Option<usize> {
        let count = self.pattern.split(',').count();
        (count > 1 && count != bones).then_some(count)
    }

    /// The names that are taken: those that get a number in [`Self::names`].
    pub fn taken(&self, skeleton: &Skeleton, bones: &[usize]) -> Vec<String> {
        let wanted = self.wanted(skeleton, bones);
        let names = names::unique_together(skeleton, &wanted);
        let numbered = wanted.into_iter().zip(names).filter(|((_, wanted), name)| wanted != name);
        let mut taken: Vec<String> = numbered.map(|((_, wanted), _)| wanted).collect();
        taken.dedup();
        taken
    }

    /// The names before numbers are appended, of the bones that get one.
    fn wanted(&self, skeleton: &Skeleton, bones: &[usize]) -> Vec<(usize, String)> {
        let sides = Sides::new(skeleton, &BothSides::new(skeleton).plane);
        let list: Vec<&str> = self.pattern.split(',').map(str::trim).collect();
        let bones = bones.iter().copied().filter(|&bone| bone < skeleton.bones.len()).enumerate();
        let wanted = bones.map(|(index, bone)| {
            let old = skeleton.bone_name(bone);
            let pattern = match list[..] {
                [only] => Some(only),
                _ => list.get(index).copied(),
            };
            let pattern = pattern.filter(|pattern| !pattern.is_empty());
            let mut name = match pattern {
                Some(pattern) => numbered(pattern, u64::from(self.first) + index as u64),
                None => old.clone(),
            };
            if !self.find.is_empty() {
                name = name.replace(&self.find, &self.replacement).trim().to_owned();
            }
            let position = sides.position_across(bone);
            let name = match self.side {
                NameSide::Keep if pattern.is_some() => keeping_side(name, &old),
                NameSide::Keep => name,
                NameSide::Swap => side_names::flipped(&name, Axis::X).unwrap_or(name),
                NameSide::ByPosition if sides.is_in_plane(bone) => name,
                NameSide::ByPosition => on_side(name, position > 0.0),
                NameSide::Left => on_side(name, true),
                NameSide::Right => on_side(name, false),
            };
            (pattern.is_some() || name != old).then_some((bone, name))
        });
        wanted.flatten().collect()
    }
}

/// Returns a new name with the side of the old one, if it states none itself.
fn keeping_side(name: String, old: &str) -> String {
    match (side_names::is_positive(old, Axis::X), side_names::is_positive(&name, Axis::X)) {
        (Some(positive), None) => side_names::with_side(&name, Axis::X, positive),
        _ => name,
    }
}

fn on_side(name: String, positive: bool) -> String {
    match side_names::is_positive(&name, Axis::X) {
        Some(is_positive) if is_positive == positive => name,
        Some(_) => side_names::flipped(&name, Axis::X).unwrap_or(name),
        None => side_names::with_side(&name, Axis::X, positive),
    }
}

/// Replaces each run of `#` by `number`.
fn numbered(pattern: &str, number: u64) -> String {
    let mut name = String::new();
    let mut rest = pattern;
    while let Some(start) = rest.find('#') {
        let digits = rest[start..].bytes().take_while(|b| *b == b'#').count();
        name += &rest[..start];
        name += &format!("{number:0digits$}");
        rest = &rest[start + digits..];
    }
    name + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::Vec3;

    /// A spine of two bones, with an arm on each side.
    fn skeleton() -> Skeleton {
        let bone = |name: Option<&str>, parent: Option<u32>, extent: Vec3| Bone {
            name: name.map(Into::into),
            parent,
            extent,
            ..Bone::default()
        };
        Skeleton {
            bones: vec![
                bone(Some("Bone"), None, Vec3::Y),
                bone(None, Some(0), Vec3::Y),
                bone(Some("Bone.002"), Some(1), Vec3::X),
                bone(Some("Arm.R"), Some(1), Vec3::NEG_X),
            ],
            ..Skeleton::default()
        }
    }

    fn names(renaming: &Renaming, bones: &[usize]) -> Vec<(usize, String)> {
        renaming.names(&skeleton(), bones)
    }

    fn expect(renaming: Renaming, bones: &[usize], expected: &[(usize, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(bone, name)| (*bone, (*name).to_owned())).collect();
        assert_eq!(names(&renaming, bones), expected, "{renaming:?}");
    }

    #[test]
    fn a_list_a_pattern_and_plain_names() {
        let pattern = |pattern: &str| Renaming { pattern: pattern.into(), first: 1, ..Renaming::default() };
        let all = [0, 1, 2, 3];
        expect(pattern("Pelvis, Chest,, "), &all, &[(0, "Pelvis"), (1, "Chest")]);
        expect(pattern("Tail.##"), &all, &[(0, "Tail.01"), (1, "Tail.02"), (2, "Tail.03"), (3, "Tail.04.R")]);
        expect(pattern("#-#"), &[2], &[(2, "1-1")]);
        expect(pattern("Fin"), &[2, 0], &[(2, "Fin"), (0, "Fin.001")]);
        expect(pattern("Arm.R"), &[0, 3], &[(0, "Arm.R"), (3, "Arm.R.001")]);
        expect(pattern(""), &all, &[]);
        expect(pattern("x"), &[99], &[]);
    }

    #[test]
    fn a_new_name_keeps_the_side_of_the_old_one_unless_it_states_one() {
        let list = |pattern: &str, side| Renaming { pattern: pattern.into(), side, ..Renaming::default() };
        expect(list("Humerus", NameSide::Keep), &[3], &[(3, "Humerus.R")]);
        expect(list("Humerus.L", NameSide::Keep), &[3], &[(3, "Humerus.L")]);
        expect(list("Humerus", NameSide::Left), &[3], &[(3, "Humerus.L")]);
        assert_eq!(list("A, B", NameSide::Keep).miscounted(3), Some(2));
        assert_eq!(list("A, B", NameSide::Keep).miscounted(2), None);
        assert_eq!(list("A", NameSide::Keep).miscounted(3), None);
    }

    #[test]
    fn a_taken_name_gets_a_number_and_is_told() {
        let renaming = Renaming { pattern: "Arm.R".into(), ..Renaming::default() };
        expect(renaming.clone(), &[0], &[(0, "Arm.R.001")]);
        assert_eq!(renaming.taken(&skeleton(), &[0]), ["Arm.R"]);
        assert!(renaming.taken(&skeleton(), &[3]).is_empty());
    }

    #[test]
    fn texts_are_replaced_and_sides_set() {
        let replaced = |find: &str, replacement: &str| Renaming {
            find: find.into(),
            replacement: replacement.into(),
            ..Renaming::default()
        };
        expect(replaced("Bone", "Leg"), &[0, 1, 2, 3], &[(0, "Leg"), (2, "Leg.002")]);
        expect(replaced("one", "Bone"), &[1], &[(1, "bBone 0")]);
        let side = |side| Renaming { side, ..Renaming::default() };
        expect(side(NameSide::ByPosition), &[0, 2, 3], &[(2, "Bone.L.002")]);
        expect(side(NameSide::Left), &[2, 3], &[(2, "Bone.L.002"), (3, "Arm.L")]);
        expect(side(NameSide::Right), &[2, 3], &[(2, "Bone.R.002")]);
        expect(side(NameSide::Swap), &[2, 3], &[(3, "Arm.L")]);
    }
}
