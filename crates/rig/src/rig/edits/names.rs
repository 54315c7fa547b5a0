//! Bone names that are unique within a skeleton.

use crate::rig::body::side_names::split_number;
use crate::rig::skeleton::Skeleton;
use std::collections::HashSet;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

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
