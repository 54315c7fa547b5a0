//! Dragging bones onto other rows: they get another parent, or become roots on the base. Their tips stay in
//! place.

use crate::edit::select::selection::Part;
use crate::editor::ui::tree::{DropHint, DropPlace};
use crate::io::count::counted;
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;

/// The parent that dropping at `place` sets, `Some(None)` for the base; `None` for places that are no parent.
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

/// Describes what dropping `parts` at `place` does.
pub fn drop_hint(skeleton: &Skeleton, parts: &[Part], place: &DropPlace<Part>) -> DropHint {
    let bones = bones_of(parts);
    let subject = match bones[..] {
        [bone] => skeleton.bone_name(bone),
        _ => counted(bones.len(), "bone", "bones"),
    };
    let Some(parent) = parent_at(place) else {
        return DropHint::Nowhere(format!("{subject}: drop on a bone or on the base"));
    };
    match (refusal(skeleton, &bones, parent), parent) {
        (Some(reason), _) => DropHint::Refused(reason),
        (None, Some(parent)) => {
            DropHint::Allowed(format!("Parent {subject} to {}", skeleton.bone_name(parent)))
        }
        (None, None) => DropHint::Allowed(format!("Start {subject} at the base")),
    }
}

/// The reason why `parent` cannot become the parent of `bones`; `None` if it can.
fn refusal(skeleton: &Skeleton, bones: &[usize], parent: Option<usize>) -> Option<&'static str> {
    if bones.iter().any(|bone| *bone >= skeleton.bones.len()) {
        return Some("One of the bones is gone");
    }
    let mut ancestor = parent;
    while let Some(bone) = ancestor {
        if bones.contains(&bone) {
            return Some(if Some(bone) == parent {
                "A bone cannot be its own parent"
            } else {
                "A bone cannot be parented to its own descendant"
            });
        }
        ancestor = parent_of(skeleton, bone);
    }
    let unchanged = bones.iter().all(|bone| parent_past_links(skeleton, *bone) == parent);
    unchanged.then_some("It is there already")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    #[test]
    fn bones_cannot_become_their_own_descendants() {
        let parents = [None, Some(0), Some(1), Some(0), None];
        let bone = |parent| Bone { parent, ..Bone::default() };
        let skeleton = Skeleton { bones: parents.map(bone).to_vec(), ..Skeleton::default() };
        let allowed = |bones: &[usize], parent| refusal(&skeleton, bones, parent).is_none();
        assert!(
            allowed(&[2], Some(3))
                && allowed(&[1, 3], Some(4))
                && allowed(&[1], None)
                && allowed(&[4], Some(2))
        );
        assert!(!allowed(&[0], Some(2)) && !allowed(&[4, 1], Some(2)) && !allowed(&[1], Some(1)));
        assert!(!allowed(&[1], Some(0)) && !allowed(&[0, 4], None), "there already");
        assert!(allowed(&[1, 2], Some(0)), "one of them moves");
        assert!(!allowed(&[1, 9], Some(4)), "deleted meanwhile");
    }
}
