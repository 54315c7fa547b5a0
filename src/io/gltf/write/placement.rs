//! The tree of transforms as the evaluation sees it.

use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet};

/// Transforms that carry something, parents before children, each with its parent.
#[derive(Default)]
pub struct Tree<'s> {
    pub transforms: Vec<(&'s str, Option<&'s str>)>,
}

impl<'s> Tree<'s> {
    /// Those above and at `used`. A parent that is not there, or that closes a circle, counts as none, as in
    /// [`crate::scene::world`].
    pub fn new(scene: &'s Scene, used: impl IntoIterator<Item = &'s str>) -> Self {
        let parents = parents(scene);
        let mut tree = Self::default();
        let mut there = BTreeSet::new();
        for name in used {
            let mut upwards = Vec::new();
            let mut next = parents.get_key_value(name);
            while let Some((&name, &parent)) = next.filter(|(name, _)| there.insert(**name)) {
                upwards.push((name, parent));
                next = parent.and_then(|parent| parents.get_key_value(parent));
            }
            tree.transforms.extend(upwards.into_iter().rev());
        }
        tree
    }
}

fn parents(scene: &Scene) -> BTreeMap<&str, Option<&str>> {
    let mut parents: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for name in scene.transforms.keys() {
        let mut met = Vec::new();
        let mut on_the_way = BTreeSet::new();
        let mut next = Some(name.as_str());
        while let Some((name, transform)) = next.and_then(|name| scene.transforms.get_key_value(name)) {
            if parents.contains_key(name.as_str()) || !on_the_way.insert(name.as_str()) {
                break;
            }
            let parent = transform.parent.as_deref();
            met.push((
                name.as_str(),
                parent.filter(|parent| scene.transforms.contains_key(*parent)),
            ));
            next = parent;
        }
        // The last of a circle has no parent: its own begins the circle.
        if let Some((_, parent)) = met.last_mut()
            && parent.is_some_and(|parent| on_the_way.contains(parent))
        {
            *parent = None;
        }
        parents.extend(met);
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::resource::Transform;
    use std::sync::Arc;

    #[test]
    fn circles_end_where_the_evaluation_ends_them() {
        let pairs = [
            ("a", "c"),
            ("b", "a"),
            ("c", "b"),
            ("d", "a"),
            ("lost", "nobody"),
            ("self", "self"),
        ];
        let mut scene = Scene::default();
        for (name, parent) in pairs {
            let parent = Some(parent.to_owned());
            scene.transforms.insert(
                name.into(),
                Arc::new(Transform {
                    parent,
                    ..Transform::default()
                }),
            );
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
