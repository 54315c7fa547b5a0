//! The lines of the outliner: transforms under their parents, instances under their transforms. A transform
//! with a single instance shares a line with it, since most users think of them as one object.

use super::KINDS;
use crate::editor::ui::tree::Line;
use crate::scene::Scene;
use crate::scene::instance::InstanceView;
use crate::scene::names::{Kind, ObjectRef};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The instances placed by each transform, and the child transforms of each.
struct Tree<'s> {
    placed: BTreeMap<&'s str, Vec<InstanceView<'s>>>,
    children: BTreeMap<&'s str, Vec<&'s str>>,
}

enum Node<'s> {
    Transform(&'s str),
    Instance(InstanceView<'s>),
}

impl<'s> Tree<'s> {
    /// The instance on a transform, if it is the only one.
    fn sole_instance(&self, transform: &str) -> Option<&InstanceView<'s>> {
        match self.placed.get(transform).map(Vec::as_slice) {
            Some([only]) => Some(only),
            _ => None,
        }
    }

    /// Sorts groups first, then instances by kind in the order of [`KINDS`], each by name.
    fn sort(&self, nodes: &mut [Node]) {
        let rank = |node: &Node| {
            let kind_rank = |i: &InstanceView| 1 + KINDS.iter().position(|kind| *kind == i.kind).unwrap_or(0);
            match node {
                Node::Instance(instance) => (kind_rank(instance), instance.name.to_owned()),
                Node::Transform(name) => match self.sole_instance(name) {
                    Some(instance) => (kind_rank(instance), instance.name.to_owned()),
                    None => (0, (*name).to_owned()),
                },
            }
        };
        nodes.sort_by_cached_key(rank);
    }

    /// The sorted nodes under a transform.
    fn children_of(&self, transform: &str) -> Vec<Node<'s>> {
        let children = self.children.get(transform).into_iter().flatten();
        let mut nodes: Vec<Node> = children.map(|child| Node::Transform(child)).collect();
        if self.sole_instance(transform).is_none() {
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
    /// Whether each line is visible; `None` if it cannot be hidden.
    pub shown: Vec<Option<bool>>,
}

/// Returns the rows depth first. `folded` contains names of transforms. Assumes that no transform is its own
/// ancestor, which files and commands cannot cause.
pub fn rows(scene: &Scene, folded: &HashSet<String>) -> Rows {
    let mut tree = Tree { placed: BTreeMap::new(), children: BTreeMap::new() };
    let mut roots = Vec::new();
    for instance in scene.instances.all() {
        let transform = instance.transform.and_then(|name| scene.transforms.get_key_value(name));
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
                rows.lines.push(Line { depth, ..Line::flat(key) });
                rows.shown.push(instance.visible);
                continue;
            }
            Node::Transform(name) => name,
        };
        let nodes = tree.children_of(transform);
        let open = (!nodes.is_empty()).then(|| !folded.contains(transform));
        let sole = tree.sole_instance(transform);
        rows.shown.push(sole.and_then(|sole| sole.visible));
        rows.lines.push(Line {
            key: match sole {
                Some(sole) => ObjectRef::new(Kind::Instance(sole.kind), sole.name),
                None => ObjectRef::new(Kind::Transform, transform),
            },
            depth,
            open,
            selectable: true,
        });
        if open == Some(true) {
            stack.extend(nodes.into_iter().rev().map(|node| (node, depth + 1)));
        }
    }
}

/// The name of the transform that `object` is or is placed by, whether that transform exists or not.
pub fn transform_of<'s>(scene: &'s Scene, object: &'s ObjectRef) -> Option<&'s str> {
    match object.kind {
        Kind::Transform => Some(&object.name),
        _ => scene.instances.get(&object.instance()?)?.transform,
    }
}

/// Unfolds all ancestors of `object`.
pub fn unfold(folded: &mut HashSet<String>, scene: &Scene, object: &ObjectRef) {
    let parent = |name: &str| scene.transforms.get(name).and_then(|t| t.parent.as_deref());
    let mut current = transform_of(scene, object);
    if object.kind == Kind::Transform {
        current = current.and_then(parent);
    }
    let mut visited = BTreeSet::new();
    while let Some(name) = current.filter(|name| visited.insert(*name)) {
        folded.remove(name);
        current = parent(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::instance::GeometryInstance;
    use crate::scene::resource::Transform;
    use std::sync::Arc;

    /// Builds a scene of transforms with parents, and meshes on transforms.
    fn scene(transforms: &[(&str, Option<&str>)], meshes: &[(&str, Option<&str>)]) -> Scene {
        let mut scene = Scene::default();
        for (name, parent) in transforms {
            let transform = Transform { parent: parent.map(Into::into), ..Transform::default() };
            scene.transforms.insert((*name).into(), Arc::new(transform));
        }
        for (name, transform) in meshes {
            let mesh =
                GeometryInstance { transform: transform.map(Into::into), ..GeometryInstance::default() };
            scene.instances.meshes.insert((*name).into(), Arc::new(mesh));
        }
        scene
    }

    fn shown(scene: &Scene, folded: &[&str]) -> Vec<(String, usize)> {
        let folded = folded.iter().map(|name| (*name).to_owned()).collect();
        rows(scene, &folded).lines.into_iter().map(|line| (line.key.name, line.depth)).collect()
    }

    fn owned(list: &[(&str, usize)]) -> Vec<(String, usize)> {
        list.iter().map(|(name, depth)| ((*name).to_owned(), *depth)).collect()
    }

    #[test]
    fn transforms_are_under_parents_and_share_a_line_with_a_single_instance() {
        let scene = scene(
            &[("A", None), ("B", Some("A")), ("C", Some("A")), ("D", Some("lost"))],
            &[("on B", Some("B")), ("c1", Some("C")), ("c2", Some("C")), ("free", None), ("none", Some("?"))],
        );
        let expected =
            [("A", 0), ("C", 1), ("c1", 2), ("c2", 2), ("on B", 1), ("D", 0), ("free", 0), ("none", 0)];
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
    fn a_hundred_thousand_generations_do_not_overflow_the_stack() {
        let names: Vec<String> = (0..100_000).map(|i| format!("{i:06}")).collect();
        let transforms: Vec<(&str, Option<&str>)> = names
            .iter()
            .enumerate()
            .map(|(i, name)| (name.as_str(), i.checked_sub(1).map(|p| names[p].as_str())))
            .collect();
        assert_eq!(rows(&scene(&transforms, &[]), &HashSet::new()).lines.len(), 100_000);
    }
}
