//! The lines of the outliner: transforms under their parents, instances under their transforms. A transform
//! with one instance is one line with it, since to most people they are one thing.

use super::KINDS;
use crate::editor::ui::tree::Line;
use crate::scene::Scene;
use crate::scene::instance::InstanceView;
use crate::scene::names::{Kind, ObjectRef};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What stands on each transform, and the transforms under each.
struct Tree<'s> {
    placed: BTreeMap<&'s str, Vec<InstanceView<'s>>>,
    children: BTreeMap<&'s str, Vec<&'s str>>,
}

enum Node<'s> {
    Transform(&'s str),
    Instance(InstanceView<'s>),
}

impl<'s> Tree<'s> {
    /// The only instance on a transform.
    fn only(&self, transform: &str) -> Option<&InstanceView<'s>> {
        match self.placed.get(transform).map(Vec::as_slice) {
            Some([only]) => Some(only),
            _ => None,
        }
    }

    /// Groups first, then instances as people work on them, each by name.
    fn sort(&self, nodes: &mut [Node]) {
        let rank = |node: &Node| {
            let of = |i: &InstanceView| 1 + KINDS.iter().position(|kind| *kind == i.kind).unwrap_or(0);
            match node {
                Node::Instance(instance) => (of(instance), instance.name.to_owned()),
                Node::Transform(name) => match self.only(name) {
                    Some(instance) => (of(instance), instance.name.to_owned()),
                    None => (0, (*name).to_owned()),
                },
            }
        };
        nodes.sort_by_cached_key(rank);
    }

    /// What is under a line, in order.
    fn under(&self, transform: &str) -> Vec<Node<'s>> {
        let children = self.children.get(transform).into_iter().flatten();
        let mut nodes: Vec<Node> = children.map(|child| Node::Transform(child)).collect();
        if self.only(transform).is_none() {
            let placed = self.placed.get(transform).into_iter().flatten();
            nodes.extend(placed.map(|instance| Node::Instance(*instance)));
        }
        self.sort(&mut nodes);
        nodes
    }
}

/// The rows of the outliner.
#[derive(Default)]
pub struct Rows {
    pub lines: Vec<Line<ObjectRef>>,
    /// Whether each line is shown; `None` for what cannot be hidden.
    pub shown: Vec<Option<bool>>,
}

/// Depth first. `folded` names transforms. None is its own ancestor: files and commands are refused that make one so.
pub fn rows(scene: &Scene, folded: &HashSet<String>) -> Rows {
    let mut tree = Tree {
        placed: BTreeMap::new(),
        children: BTreeMap::new(),
    };
    let mut roots = Vec::new();
    for instance in scene.instances.all() {
        let transform = instance
            .transform
            .and_then(|name| scene.transforms.get_key_value(name));
        match transform {
            Some((name, _)) => tree.placed.entry(name.as_str()).or_default().push(instance),
            None => roots.push(Node::Instance(instance)),
        }
    }
    for (name, transform) in &scene.transforms {
        let parent = transform.parent.as_ref();
        match parent.and_then(|parent| scene.transforms.get_key_value(parent)) {
            Some((parent, _)) => tree.children.entry(parent.as_str()).or_default().push(name),
            None => roots.push(Node::Transform(name)),
        }
    }
    tree.sort(&mut roots);
    let mut rows = Rows::default();
    walk(&tree, roots, folded, &mut rows);
    rows
}

fn walk(tree: &Tree, roots: Vec<Node>, folded: &HashSet<String>, rows: &mut Rows) {
    let mut stack: Vec<(Node, usize)> = roots.into_iter().rev().map(|node| (node, 0)).collect();
    while let Some((node, depth)) = stack.pop() {
        let transform = match node {
            Node::Instance(instance) => {
                let key = ObjectRef::new(Kind::Instance(instance.kind), instance.name);
                rows.lines.push(Line {
                    depth,
                    ..Line::flat(key)
                });
                rows.shown.push(instance.visible);
                continue;
            }
            Node::Transform(name) => name,
        };
        let under = tree.under(transform);
        let open = (!under.is_empty()).then(|| !folded.contains(transform));
        let only = tree.only(transform);
        rows.shown.push(only.and_then(|only| only.visible));
        rows.lines.push(Line {
            key: match only {
                Some(only) => ObjectRef::new(Kind::Instance(only.kind), only.name),
                None => ObjectRef::new(Kind::Transform, transform),
            },
            depth,
            open,
            selectable: true,
        });
        if open == Some(true) {
            stack.extend(under.into_iter().rev().map(|node| (node, depth + 1)));
        }
    }
}

/// The transform that a thing of the outliner is or stands on, whether it is there or not.
pub fn transform_of<'s>(scene: &'s Scene, thing: &'s ObjectRef) -> Option<&'s str> {
    match thing.kind {
        Kind::Transform => Some(&thing.name),
        _ => scene.instances.get(&thing.instance()?)?.transform,
    }
}

/// Opens everything that `thing` lies in.
pub fn unfold(folded: &mut HashSet<String>, scene: &Scene, thing: &ObjectRef) {
    let parent = |name: &str| scene.transforms.get(name).and_then(|t| t.parent.as_deref());
    let mut at = transform_of(scene, thing);
    if thing.kind == Kind::Transform {
        at = at.and_then(parent);
    }
    let mut met = BTreeSet::new();
    while let Some(name) = at.filter(|name| met.insert(*name)) {
        folded.remove(name);
        at = parent(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::instance::GeometryInstance;
    use crate::scene::resource::Transform;
    use std::sync::Arc;

    /// Transforms with parents, and meshes on transforms.
    fn scene(transforms: &[(&str, Option<&str>)], meshes: &[(&str, Option<&str>)]) -> Scene {
        let mut scene = Scene::default();
        for (name, parent) in transforms {
            let transform = Transform {
                parent: parent.map(Into::into),
                ..Transform::default()
            };
            scene.transforms.insert((*name).into(), Arc::new(transform));
        }
        for (name, transform) in meshes {
            let mesh = GeometryInstance {
                transform: transform.map(Into::into),
                ..GeometryInstance::default()
            };
            scene.instances.meshes.insert((*name).into(), Arc::new(mesh));
        }
        scene
    }

    fn shown(scene: &Scene, folded: &[&str]) -> Vec<(String, usize)> {
        let folded = folded.iter().map(|name| (*name).to_owned()).collect();
        rows(scene, &folded)
            .lines
            .into_iter()
            .map(|line| (line.key.name, line.depth))
            .collect()
    }

    fn owned(list: &[(&str, usize)]) -> Vec<(String, usize)> {
        list.iter()
            .map(|(name, depth)| ((*name).to_owned(), *depth))
            .collect()
    }

    #[test]
    fn transforms_lie_under_parents_and_one_instance_is_one_line_with_its_transform() {
        let scene = scene(
            &[
                ("A", None),
                ("B", Some("A")),
                ("C", Some("A")),
                ("D", Some("lost")),
            ],
            &[
                ("on B", Some("B")),
                ("c1", Some("C")),
                ("c2", Some("C")),
                ("free", None),
                ("none", Some("?")),
            ],
        );
        let expected = [
            ("A", 0),
            ("C", 1),
            ("c1", 2),
            ("c2", 2),
            ("on B", 1),
            ("D", 0),
            ("free", 0),
            ("none", 0),
        ];
        assert_eq!(shown(&scene, &[]), owned(&expected));
        let folded = [("A", 0), ("D", 0), ("free", 0), ("none", 0)];
        assert_eq!(shown(&scene, &["A", "C"]), owned(&folded));
        let mut open = HashSet::from(["A".to_owned(), "C".to_owned(), "D".to_owned()]);
        unfold(
            &mut open,
            &scene,
            &ObjectRef::new(Kind::Instance(crate::scene::instance::InstanceKind::Mesh), "c1"),
        );
        assert_eq!(open, HashSet::from(["D".to_owned()]));
    }

    #[test]
    fn a_hundred_thousand_generations_are_fine() {
        let names: Vec<String> = (0..100_000).map(|i| format!("{i:06}")).collect();
        let transforms: Vec<(&str, Option<&str>)> = names
            .iter()
            .enumerate()
            .map(|(i, name)| (name.as_str(), i.checked_sub(1).map(|p| names[p].as_str())))
            .collect();
        assert_eq!(
            rows(&scene(&transforms, &[]), &HashSet::new()).lines.len(),
            100_000
        );
    }
}
