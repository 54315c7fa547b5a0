//! Bones dragged onto others: they get another parent, or become roots on the base. Their tips stay.

use crate::edit::selection::Part;
use crate::editor::ui::tree::{DropHint, DropPlace};
use crate::io::count::counted;
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;

/// The parent that a place gives; `None` for places that are no parent.
pub fn parent_at(place: &DropPlace<Part>) -> Option<Option<usize>> {
    match place {
        DropPlace::Row(Part::Bone(bone)) => Some(Some(*bone)),
        DropPlace::Row(Part::Base) => Some(None),
        _ => None,
    }
}

pub fn bones_of(parts: &[Part]) -> Vec<usize> {
    let bone = |part: &Part| match part {
        Part::Bone(bone) => Some(*bone),
        _ => None,
    };
    parts.iter().filter_map(bone).collect()
}

/// What it means to drop bones there.
pub fn drop_hint(skeleton: &Skeleton, parts: &[Part], place: &DropPlace<Part>) -> DropHint {
    let bones = bones_of(parts);
    let what = match bones[..] {
        [bone] => skeleton.bone_name(bone),
        _ => counted(bones.len(), "bone", "bones"),
    };
    let Some(parent) = parent_at(place) else {
        return DropHint::Nowhere(format!("{what}: drop on a bone or on the base"));
    };
    match (refusal(skeleton, &bones, parent), parent) {
        (Some(why), _) => DropHint::Refused(why),
        (None, Some(parent)) => DropHint::Allowed(format!("Parent {what} to {}", skeleton.bone_name(parent))),
        (None, None) => DropHint::Allowed(format!("Start {what} at the base")),
    }
}

/// Why `parent` cannot be the parent of bones; `None` if it can.
fn refusal(skeleton: &Skeleton, bones: &[usize], parent: Option<usize>) -> Option<&'static str> {
    if bones.iter().any(|bone| *bone >= skeleton.bones.len()) {
        return Some("One of the bones is gone");
    }
    let mut at = parent;
    while let Some(bone) = at {
        if bones.contains(&bone) {
            return Some(match Some(bone) == parent {
                true => "A bone cannot be its own parent",
                false => "A bone cannot be parented to its own descendant",
            });
        }
        at = parent_of(skeleton, bone);
    }
    let there = bones
        .iter()
        .all(|bone| parent_past_links(skeleton, *bone) == parent);
    there.then_some("It is there already")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    #[test]
    fn bones_go_anywhere_but_under_themselves() {
        let parents = [None, Some(0), Some(1), Some(0), None];
        let bone = |parent| Bone {
            parent,
            ..Bone::default()
        };
        let skeleton = Skeleton {
            bones: parents.map(bone).to_vec(),
            ..Skeleton::default()
        };
        let can = |bones: &[usize], parent| refusal(&skeleton, bones, parent).is_none();
        assert!(can(&[2], Some(3)) && can(&[1, 3], Some(4)) && can(&[1], None) && can(&[4], Some(2)));
        assert!(!can(&[0], Some(2)) && !can(&[4, 1], Some(2)) && !can(&[1], Some(1)));
        assert!(!can(&[1], Some(0)) && !can(&[0, 4], None), "there already");
        assert!(can(&[1, 2], Some(0)), "one of them moves");
        assert!(!can(&[1, 9], Some(4)), "deleted meanwhile");
    }
}
