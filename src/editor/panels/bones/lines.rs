//! The lines of the tree, with their order and depth. Draws nothing.

use super::search::SearchResult;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::Display;
use crate::editor::ui::tree::Line;
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use std::collections::HashSet;

/// Returns the base, then the bones depth first, each followed by its handles and then its children unless it
/// is folded. With a filter, only the bones found and their ancestors, all unfolded. The children of a link
/// appear under the link's parent, or under the link itself if `links` is set. Hidden bones whose descendants are all
/// hidden have lines only if `hidden` is set.
pub fn lines(
    skeleton: &Skeleton,
    folded: &HashSet<usize>,
    found: Option<&SearchResult>,
    Display { show_links: links, show_hidden, .. }: &Display,
) -> Vec<Line<Part>> {
    let (count, links) = (skeleton.bones.len(), *links);
    let left_out = if *show_hidden { vec![false; count] } else { hidden_subtrees(skeleton) };
    let is_shown = |bone: usize| !left_out[bone] && found.is_none_or(|found| found.shown[bone]);
    let parent_of = if links { parent_of } else { parent_past_links };
    let mut children = vec![Vec::new(); count];
    let mut handles = vec![Vec::new(); count];
    let mut stack = Vec::new();
    for (bone, parent) in skeleton.bones.iter().map(|b| b.parent).enumerate() {
        match parent.map(|p| p as usize).filter(|p| *p < bone) {
            _ if !is_shown(bone) => {}
            _ if skeleton.bones[bone].link && !links => {}
            Some(_) if let Some(parent) = parent_of(skeleton, bone) => children[parent].push(bone),
            _ => stack.push((bone, 0)),
        }
    }
    for (handle, bone) in skeleton.handles.iter().map(|h| h.bone as usize).enumerate() {
        if let Some(list) = handles.get_mut(bone)
            && found.is_none_or(|found| found.matches[bone])
        {
            list.push(handle);
        }
    }
    stack.reverse();
    let mut lines = vec![Line::flat(Part::Base)];
    while let Some((bone, depth)) = stack.pop() {
        let is_link = skeleton.bones[bone].link;
        let has_more = !is_link && (!children[bone].is_empty() || !handles[bone].is_empty());
        let open = has_more.then(|| found.is_some() || !folded.contains(&bone));
        lines.push(Line { key: Part::Bone(bone), depth, open, selectable: !is_link });
        if open == Some(true) || is_link {
            lines.extend(
                handles[bone]
                    .iter()
                    .map(|handle| Line { depth: depth + 1, ..Line::flat(Part::Handle(*handle)) }),
            );
            stack.extend(children[bone].iter().rev().map(|child| (*child, depth + 1)));
        }
    }
    lines
}

/// Returns, for each bone, whether it and all its descendants are hidden, and none of them has a handle.
pub fn hidden_subtrees(skeleton: &Skeleton) -> Vec<bool> {
    let mut is_hidden: Vec<bool> = skeleton.bones.iter().map(|bone| bone.hidden || bone.link).collect();
    for handle in &skeleton.handles {
        if let Some(is_hidden) = is_hidden.get_mut(handle.bone as usize) {
            *is_hidden = false;
        }
    }
    for bone in (0..is_hidden.len()).rev() {
        if let Some(parent) = parent_of(skeleton, bone).filter(|_| !is_hidden[bone]) {
            is_hidden[parent] = false;
        }
    }
    is_hidden
}

/// The bone under which `part` is listed.
pub fn parent_row(skeleton: &Skeleton, part: Part) -> Option<usize> {
    match part {
        Part::Bone(bone) => parent_past_links(skeleton, bone),
        Part::Handle(handle) | Part::Pole(handle) => Some(skeleton.handles.get(handle)?.bone as usize),
        Part::Base | Part::Shape(_) => None,
    }
}

/// Unfolds all ancestors of `part`.
pub fn unfold(folded: &mut HashSet<usize>, skeleton: &Skeleton, part: Part) {
    let mut ancestor = parent_row(skeleton, part);
    while let Some(bone) = ancestor {
        folded.remove(&bone);
        ancestor = parent_row(skeleton, Part::Bone(bone)).filter(|parent| *parent < bone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::edits::tree_ranks;
    use crate::rig::skeleton::{Bone, Handle};

    fn skeleton(parents: &[Option<u32>], handles: &[u32]) -> Skeleton {
        let handle = |bone: &u32| Handle {
            bone: *bone,
            target: glam::Vec3::ZERO,
            enabled: true,
            channel_id: 0,
            ..Handle::default()
        };
        Skeleton {
            bones: parents.iter().map(|p| Bone { parent: *p, ..Bone::default() }).collect(),
            handles: handles.iter().map(handle).collect(),
            ..Skeleton::default()
        }
    }

    #[test]
    fn depth_first_with_handles_before_children() {
        let skeleton = skeleton(&[None, Some(0), None, Some(1), Some(0)], &[0, 3]);
        let parts: Vec<_> = lines(&skeleton, &HashSet::new(), None, &Display::default())
            .iter()
            .map(|l| (l.key, l.depth))
            .collect();
        let expected = [
            (Part::Base, 0),
            (Part::Bone(0), 0),
            (Part::Handle(0), 1),
            (Part::Bone(1), 1),
            (Part::Bone(3), 2),
            (Part::Handle(1), 3),
            (Part::Bone(4), 1),
            (Part::Bone(2), 0),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn folded_bones_hide_their_descendants() {
        let skeleton = skeleton(&[None, Some(0), Some(1)], &[2]);
        let folded = HashSet::from([0]);
        let shown = lines(&skeleton, &folded, None, &Display::default());
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[1].open, Some(false));
    }

    #[test]
    fn a_search_hides_other_bones_and_unfolds_ancestors() {
        let skeleton = skeleton(&[None, Some(0), Some(1), Some(0)], &[2, 1]);
        let found =
            SearchResult { matches: vec![false, false, true, false], shown: vec![true, true, true, false] };
        let shown = lines(&skeleton, &HashSet::from([0, 1]), Some(&found), &Display::default());
        let parts: Vec<Part> = shown.iter().map(|line| line.key).collect();
        let bones = [0, 1, 2].map(Part::Bone);
        assert_eq!(parts, [&[Part::Base], &bones[..], &[Part::Handle(0)]].concat());
    }

    #[test]
    fn links_have_lines_only_on_request() {
        let mut skeleton = skeleton(&[None, Some(0), Some(1), Some(1), Some(0)], &[]);
        skeleton.bones[1].link = true;
        let shown = |links| -> Vec<(Part, usize)> {
            let display = Display { show_links: links, ..Display::default() };
            let lines = lines(&skeleton, &HashSet::new(), None, &display);
            lines[1..].iter().map(|line| (line.key, line.depth)).collect()
        };
        let bone = Part::Bone;
        assert_eq!(shown(false), [(bone(0), 0), (bone(2), 1), (bone(3), 1), (bone(4), 1)]);
        assert_eq!(shown(true), [(bone(0), 0), (bone(1), 1), (bone(2), 2), (bone(3), 2), (bone(4), 1)]);
    }

    #[test]
    fn hidden_bones_have_lines_on_request_or_below_which_something_is_shown() {
        let mut skeleton = skeleton(&[None, Some(0), Some(1), Some(0), Some(3), Some(0)], &[5]);
        [1, 2, 3, 5].into_iter().for_each(|bone| skeleton.bones[bone].hidden = true);
        let shown = |show_hidden| -> Vec<Part> {
            let display = Display { show_hidden, ..Display::default() };
            let lines = lines(&skeleton, &HashSet::new(), None, &display);
            lines[1..].iter().map(|line| line.key).collect()
        };
        let bone = Part::Bone;
        // 1 and 2 have nothing to show, 3 has a child that is shown, 5 a handle.
        assert_eq!(shown(false), [bone(0), bone(3), bone(4), bone(5), Part::Handle(0)]);
        assert_eq!(shown(true).len(), 7);
    }

    #[test]
    fn invalid_parents_and_handles_do_not_hang_or_lose_bones() {
        let skeleton = skeleton(&[Some(7), Some(1), Some(2)], &[9]);
        assert_eq!(lines(&skeleton, &HashSet::new(), None, &Display::default()).len(), 4);
    }

    #[test]
    fn unfolding_opens_all_ancestors() {
        let skeleton = skeleton(&[None, Some(0), Some(1)], &[2]);
        let mut folded = HashSet::from([0, 1, 2]);
        unfold(&mut folded, &skeleton, Part::Bone(2));
        assert_eq!(folded, HashSet::from([2]));
        unfold(&mut folded, &skeleton, Part::Handle(0));
        assert!(folded.is_empty());
    }

    #[test]
    fn the_ranks_of_bones_are_the_order_of_the_tree() {
        let mut skeleton = skeleton(&[None, Some(0), Some(1), Some(0), Some(2), None], &[]);
        // Bone 4 hangs on the link 2, bone 3 on the root.
        skeleton.bones[2].link = true;
        let lines = lines(&skeleton, &HashSet::new(), None, &Display::default());
        let shown = lines.iter().filter_map(|line| match line.key {
            Part::Bone(bone) => Some(bone),
            _ => None,
        });
        let ranks = tree_ranks(&skeleton);
        let mut ranked: Vec<usize> = skeleton.shown_bones().collect();
        ranked.sort_by_key(|bone| ranks[*bone]);
        assert_eq!(shown.collect::<Vec<_>>(), ranked);
    }
}
