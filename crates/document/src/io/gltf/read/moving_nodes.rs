//! Files that hold nothing but moving nodes: clips for a character that is elsewhere. The nodes become the joints of a skin.

use super::nodes::Nodes;
use super::source::Source;
use crate::io::file::ReadError;
use crate::io::gltf::schema::{Document, Path, Skin};
use crate::io::report::{Report, Severity};
use glam::DMat3;
use std::collections::HashSet;

/// Adds a skin of the nodes that move, and those above and below them, if the file has no skin, shows no mesh, and several of them show
/// nothing else either.
///
/// # Errors
/// The errors of [`Nodes::new`].
pub fn add_skin(source: &mut Source, report: &mut Report) -> Result<(), ReadError> {
    let joints = joints(&source.document)?;
    if joints.len() > 1 {
        let text = format!("the file has no skin: {} nodes become a skeleton, since some move", joints.len());
        report.add(Severity::Note, "no-skin", "/nodes", text);
        source.document.skins.push(Skin { joints, ..Skin::default() });
    }
    Ok(())
}

fn joints(document: &Document) -> Result<Vec<usize>, ReadError> {
    let nodes = Nodes::new(document)?;
    if !document.skins.is_empty() || nodes.visible().any(|node| nodes.all[node].mesh.is_some()) {
        return Ok(Vec::new());
    }
    let channels = document.animations.iter().flat_map(|animation| &animation.channels);
    let targets = channels.map(|channel| &channel.target);
    let moves = |path: Path| matches!(path, Path::Translation | Path::Rotation | Path::Scale);
    let moving: HashSet<usize> =
        targets.filter(|target| moves(target.path)).filter_map(|target| target.node).collect();
    // Whether a camera or a light is there or below: such nodes are transforms.
    let (mut carries, mut holds) = (vec![false; nodes.all.len()], vec![false; nodes.all.len()]);
    for &node in nodes.order.iter().rev() {
        let data = &nodes.all[node];
        let has_light =
            data.extensions.as_ref().is_some_and(|extensions| extensions.lights_punctual.is_some());
        carries[node] |= data.camera.is_some() || has_light;
        holds[node] |= moving.contains(&node);
        if let Some(parent) = nodes.parent[node] {
            carries[parent] |= carries[node];
            holds[parent] |= holds[node];
        }
    }
    let mut is_joint = vec![false; nodes.all.len()];
    for &node in &nodes.order {
        let below = nodes.parent[node].is_some_and(|parent| is_joint[parent]);
        // What is above and scales converts units; what does not may be a joint that stands still.
        let local = nodes.local[node].matrix3;
        let is_rigid = (local * local.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-3);
        let above = holds[node] && is_rigid;
        let is_part = below || above || moving.contains(&node);
        is_joint[node] = nodes.shown[node] && !carries[node] && is_part;
    }
    Ok(nodes.order.iter().copied().filter(|node| is_joint[*node]).collect())
}
