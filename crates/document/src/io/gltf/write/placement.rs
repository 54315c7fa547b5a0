//! The tree of transforms, as in the evaluation.

use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};

/// The transforms in use, parents before children, each with its parent.
#[derive(Default)]
pub struct Tree<'s> {
    pub transforms: Vec<(&'s str, Option<&'s str>)>,
}

impl<'s> Tree<'s> {
    /// Collects the transforms `used` and their ancestors. A missing parent, or one that closes a cycle,
    /// counts as none, as in [`crate::scene::world`].
    pub fn new(scene: &'s Scene, used: impl IntoIterator<Item = &'s str>) -> Self {
        let parents = parents(scene);
        let mut tree = Self::default();
        let mut added = BTreeSet::new();
        for name in used {
            let mut ancestors = Vec::new();
            let mut next = parents.get_key_value(name);
            while let Some((&name, &parent)) = next.filter(|(name, _)| added.insert(**name)) {
                ancestors.push((name, parent));
                next = parent.and_then(|parent| parents.get_key_value(parent));
            }
            tree.transforms.extend(ancestors.into_iter().rev());
        }
        tree
    }
}

fn parents(scene: &Scene) -> BTreeMap<&str, Option<&str>> {
    let mut parents: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for name in scene.transforms.keys() {
        let mut chain = Vec::new();
        let mut visited = BTreeSet::new();
        let mut next = Some(name.as_str());
        while let Some((name, transform)) = next.and_then(|name| scene.transforms.get_key_value(name)) {
            if parents.contains_key(name.as_str()) || !visited.insert(name.as_str()) {
                break;
            }
            let parent = transform.parent.as_deref();
            chain.push((name.as_str(), parent.filter(|parent| scene.transforms.contains_key(*parent))));
            next = parent;
        }
        // The last transform of a cycle has no parent: its parent is the first one.
        if let Some((_, parent)) = chain.last_mut()
            && parent.is_some_and(|parent| visited.contains(parent))
        {
            *parent = None;
        }
        parents.extend(chain);
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::resource::Transform;
    use std::sync::Arc;

    #[test]
    fn cycles_are_cut_as_in_the_evaluation() {
        let pairs = [("a", "c"), ("b", "a"), ("c", "b"), ("d", "a"), ("lost", "nobody"), ("self", "self")];
        let mut scene = Scene::default();
        for (name, parent) in pairs {
            let parent = Some(parent.to_owned());
            scene.transforms.insert(name.into(), Arc::new(Transform { parent, ..Transform::default() }));
        }
        let all = pairs.map(|(name, _)| name);
        let tree = Tree::new(&scene, all);
        assert_eq!(
            tree.transforms,
            [
                ("b", None),
                ("c", Some("b")),
                ("a", Some("c")),
                ("d", Some("a")),
                ("lost", None),
                ("self", None)
            ]
        );
        assert_eq!(Tree::new(&scene, ["d"]).transforms.len(), 4);
    }
}
