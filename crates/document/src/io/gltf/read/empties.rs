//! Nodes that carry nothing: transforms, unless they are below joints. Also sorts out animations that move nothing.

use super::animate::AnimatedMesh;
use super::build::Build;
use super::motion::Motion;
use super::nodes::marks_end;
use crate::io::count::counted;
use crate::io::report::{Report, Severity};

/// Adds the transforms of empty nodes, such as sockets, and reports those that cannot be kept.
pub fn add(build: &mut Build, rigs: &[AnimatedMesh]) {
    let nodes = build.nodes;
    let moved_by_joints = nodes.at_or_below(joint_nodes(rigs));
    let is_used = used(build, rigs);
    let mut lost = Vec::new();
    for node in nodes.visible().filter(|node| !is_used[*node] && nodes.is_empty(*node)) {
        if !moved_by_joints[node] {
            build.add_transform(node);
        } else if !marks_end(nodes.name(node)) {
            lost.push(node);
        }
    }
    if let Some(first) = lost.first() {
        let text = format!(
            "{} left out, for example “{}”: only bones and surfaces can follow a bone",
            counted(lost.len(), "empty node below a joint is", "empty nodes below joints are"),
            nodes.label(*first)
        );
        build.report.add(Severity::Warning, "left-out", format!("/nodes/{first}"), text);
    }
}

/// Removes the motions that move neither a bone nor anything with a transform.
pub fn remove_idle(motions: &mut Vec<Motion>, build: &mut Build, rigs: &[AnimatedMesh]) {
    let is_used = used(build, rigs);
    motions.retain(|motion| {
        let moves = motion.has_weights() || motion.driven().any(|node| is_used[node]);
        if !moves {
            report_idle(&motion.name, build.report);
        }
        moves
    });
}

fn report_idle(name: &str, report: &mut Report) {
    let text = format!("the animation {name} moves nothing that is shown; it is left out");
    report.add(Severity::Note, "empty-animation", "/animations", text);
}

/// Returns the nodes that are joints of rigs.
pub fn joint_nodes(rigs: &[AnimatedMesh]) -> impl Iterator<Item = usize> + '_ {
    rigs.iter().flat_map(|rig| rig.rigged.rig.joint_of.keys().copied())
}

/// Returns which nodes are bones or have transforms, or are above such.
fn used(build: &Build, rigs: &[AnimatedMesh]) -> Vec<bool> {
    let nodes = build.nodes;
    let mut is_used = vec![false; nodes.all.len()];
    joint_nodes(rigs).chain(build.transforms.keys().copied()).for_each(|node| is_used[node] = true);
    for &node in nodes.order.iter().rev() {
        if let Some(parent) = nodes.parent[node].filter(|_| is_used[node]) {
            is_used[parent] = true;
        }
    }
    is_used
}
