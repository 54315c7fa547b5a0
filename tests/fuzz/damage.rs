//! Damages the content of a scene rather than its bytes.

use crate::editing::Random;
use crate::tree::Node;
use crate::values;

/// Returns a damaged scene. Most stay readable, so that more than the reader is tested.
pub fn damaged(seeds: &[Node], random: &mut Random) -> Node {
    let mut scene = random.pick(seeds).clone();
    for _ in 0..1 + random.below(4) {
        damage(&mut scene, seeds, random);
    }
    scene
}

/// Damages any JSON.
pub fn any(json: &mut Node, seeds: &[Node], random: &mut Random) {
    let Some(node) = json.any(random, &|_| true) else {
        return;
    };
    match random.below(9) {
        0 => *node = values::any(random),
        1 => numbers(node, &mut |_| values::number(random)),
        2 => scaled(node, random),
        3 => twice(node, random),
        4 => gone(node, random),
        5 => renamed(node, random),
        6 => added(node, random),
        7 => length(node, random),
        _ => from_elsewhere(node, seeds, random),
    }
}

fn damage(scene: &mut Node, seeds: &[Node], random: &mut Random) {
    let Some(node) = scene.any(random, &|_| true) else {
        return;
    };
    match random.below(24) {
        0..=8 => any(scene, seeds, random),
        9 => scaled(scene, random),
        10 | 11 => blob(scene, random),
        12 => {
            *node = Node::Nested(*random.pick(&[1, 2, 50, 100, 127, 128, 5000, 100_000]), node.clone().into())
        }
        13 | 14 => channel(scene, random),
        15 => transforms(scene, random),
        16 => many(scene, "bones", 400, random),
        17 => {
            let most = *random.pick(&[12, 12, 12, 100, 400, 3000]);
            many(scene, "handles", most, random)
        }
        18 | 19 => {
            member(scene, &["extent", "roll", "radius", "parent", "pose", "channel_id", "name"], random)
        }
        20 => member(scene, &["bone", "target", "enabled", "base", "base_offset"], random),
        21 => member(scene, &["translation", "rotation", "scale", "transform", "parent"], random),
        22 => member(scene, &["dual_quaternions", "bones_moved_since_weights", "muted"], random),
        _ => member(
            scene,
            &["frames", "frames_per_second", "play_range", "takes", "chosen_take", "knots", "type"],
            random,
        ),
    }
}

/// Changes each number below `node` that is not in a blob.
fn numbers(node: &mut Node, change: &mut dyn FnMut(&str) -> Node) {
    node.each(&mut |node| match node {
        Node::Word(word) if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
            *node = change(word)
        }
        _ => {}
    });
}

/// Scales everything up or down, including blobs.
fn scaled(node: &mut Node, random: &mut Random) {
    let by: f32 = *random.pick(&[1e37, 1e30, 1e20, 1e10, 1e-10, 1e-20, 1e-37, -1.0, 0.0]);
    numbers(node, &mut |word| {
        let number = word.parse::<f64>().unwrap_or(1.0);
        match number.fract() == 0.0 && !word.contains('e') && number.abs() < 100.0 && by.abs() < 1e5 {
            // Integers are mostly indices.
            true => Node::word(word),
            false => Node::word(format!("{:e}", (number * f64::from(by)).clamp(-3.4e38, 3.4e38))),
        }
    });
    node.each(&mut |node| match node {
        Node::Blob(prefix, bits) if prefix == "vec3:" => {
            bits.iter_mut().for_each(|b| *b = (f32::from_bits(*b) * by).clamp(f32::MIN, f32::MAX).to_bits())
        }
        _ => {}
    });
}

/// Changes one blob of the scene.
fn blob(scene: &mut Node, random: &mut Random) {
    let Some(Node::Blob(_, bits)) = scene.any(random, &|node| matches!(node, Node::Blob(..))) else {
        return;
    };
    let at = random.below(bits.len() + 1);
    match random.below(5) {
        0 => bits.truncate(at),
        1 => bits.insert(at, values::odd_bits(random)),
        2 => bits.extend_from_within(..at),
        _ if at < bits.len() => bits[at] = values::odd_bits(random),
        _ => bits.clear(),
    }
}

/// Repeats a member or an item, with the same or another value.
fn twice(node: &mut Node, random: &mut Random) {
    match node {
        Node::Object(members) if !members.is_empty() => {
            let (name, value) = random.pick(members).clone();
            let value = if random.chance(50) { value } else { values::any(random) };
            members.insert(random.below(members.len() + 1), (name, value));
        }
        Node::Array(items) if !items.is_empty() => {
            items.insert(random.below(items.len()), random.pick(items).clone())
        }
        _ => *node = Node::Array(vec![node.clone(), node.clone()]),
    }
}

fn gone(node: &mut Node, random: &mut Random) {
    match node {
        Node::Object(members) if !members.is_empty() => drop(members.remove(random.below(members.len()))),
        Node::Array(items) if !items.is_empty() => drop(items.remove(random.below(items.len()))),
        _ => {}
    }
}

fn renamed(node: &mut Node, random: &mut Random) {
    if let Node::Object(members) = node
        && !members.is_empty()
    {
        let at = random.below(members.len());
        members[at].0 = values::name(random);
    }
}

fn added(node: &mut Node, random: &mut Random) {
    match node {
        Node::Object(members) => members.push((values::name(random), values::any(random))),
        Node::Array(items) => items.push(values::any(random)),
        _ => *node = values::any(random),
    }
}

fn length(node: &mut Node, random: &mut Random) {
    if let Node::Array(items) = node {
        match random.below(3) {
            0 => items.truncate(random.below(items.len() + 1)),
            1 => items.clear(),
            _ => {
                let copies = *random.pick(&[1, 2, 10]);
                let all = items.clone();
                (0..copies).for_each(|_| items.extend(all.iter().cloned()));
            }
        }
    }
}

fn from_elsewhere(node: &mut Node, seeds: &[Node], random: &mut Random) {
    let mut other = random.pick(seeds).clone();
    if let Some(found) = other.any(random, &|_| true) {
        *node = found.clone();
    }
}

/// Adds a channel for a resource and a target that may or may not exist.
fn channel(scene: &mut Node, random: &mut Random) {
    let mut names: Vec<String> = ["transforms", "skinned_meshes", "cameras", "textures", "delta_lights"]
        .iter()
        .filter_map(|table| scene.at(&["scene", table]).map(|table| table.names()))
        .flatten()
        .collect();
    names.push("Nobody".to_owned());
    let resource = Node::text(random.pick(&names[..]).as_str());
    let targets = ["translation", "rotation", "scale", "color", "vertical_fov", "outer_angle"];
    let target = match random.below(4) {
        0 => values::name(random),
        1 => (*random.pick(&targets)).to_owned(),
        2 => {
            format!("bone.{}.{}", random.below(6), random.pick(&["pose", "pose", "radius", "extent", "roll"]))
        }
        _ => format!("handle.{}.{}", random.below(6), random.pick(&["target", "enabled"])),
    };
    if let (Node::Text(resource), Some(Node::Object(splines))) =
        (resource, scene.at(&["animator", "splines"]))
    {
        let spline = (target, values::spline(random));
        match splines.iter_mut().find(|(name, _)| *name == resource) {
            Some((_, Node::Object(channels))) => channels.push(spline),
            _ => splines.push((resource, Node::Object(vec![spline]))),
        }
    }
}

/// Makes transforms parents of each other or of themselves, or a long chain.
fn transforms(scene: &mut Node, random: &mut Random) {
    let Some(Node::Object(transforms)) = scene.at(&["scene", "transforms"]) else {
        return;
    };
    let Some((first, node)) = transforms.first().cloned() else {
        return;
    };
    let mut chain = first;
    for i in 0..*random.pick(&[1, 2, 100, 1000]) {
        let mut next = node.clone();
        if let Some(parent) = next.member("parent") {
            *parent = Node::Text(chain);
        }
        chain = format!("chain {i}");
        transforms.push((chain.clone(), next));
    }
    if random.chance(20)
        && let Some(parent) = transforms[0].1.member("parent")
    {
        *parent = Node::Text(chain);
    }
}

/// Adds copies of the first handle or bone; bones in a chain or in a fan.
fn many(scene: &mut Node, what: &str, most: usize, random: &mut Random) {
    let Some(Node::Object(meshes)) = scene.at(&["scene", "skinned_meshes"]) else {
        return;
    };
    if meshes.is_empty() {
        return;
    }
    let at = random.below(meshes.len());
    let Some(Node::Array(items)) = meshes[at].1.at(&["skeleton", what]) else {
        return;
    };
    let Some(first) = items.first().cloned() else {
        return;
    };
    let (row, before) = (random.chance(60), items.len());
    for i in before..before + 1 + random.below(most) {
        let mut item = first.clone();
        let on = if row { i - 1 } else { random.below(i) };
        for (member, value) in [("parent", on), ("bone", on), ("channel_id", i)] {
            if let Some(node) = item.member(member) {
                *node = Node::word(value);
            }
        }
        items.push(item);
    }
}

/// Changes the value of a random member with one of these names.
fn member(scene: &mut Node, names: &[&str], random: &mut Random) {
    let name = *random.pick(names);
    let owner = scene.any(random, &|node| node.member(name).is_some());
    let Some(node) = owner.and_then(|owner| owner.member(name)) else {
        return;
    };
    match node {
        Node::Array(items) if !items.is_empty() && random.chance(60) => {
            let at = random.below(items.len());
            items[at] = values::number(random);
        }
        Node::Word(_) if random.chance(70) => *node = values::number(random),
        _ => *node = values::any(random),
    }
}
