//! The requirements for writing the figure, and the numbers that describe it.
//!
//! Everything is measured from positions, quads, weights and bones, independently of how they were made.
//! Complaints are sentences; an empty list means that the figure may be written.

use crate::body::Body;
use crate::crossing;
use crate::quads::QuadMesh;
use glam::Vec3;
use ossature::rig::{kinematics::bind_pose, skeleton::Skeleton, weights::VertexWeights};

/// The measurements, as lines to print, and the complaints.
#[derive(Default)]
pub struct Findings {
    pub figures: Vec<String>,
    pub complaints: Vec<String>,
}

impl Findings {
    fn demand(&mut self, good: bool, complaint: impl Into<String>) {
        if !good {
            self.complaints.push(complaint.into());
        }
    }
}

pub fn check(body: &Body, mesh: &QuadMesh, skeleton: &Skeleton, weights: &VertexWeights) -> Findings {
    let mut found = Findings::default();
    surface(mesh, &mut found);
    shape(mesh, &mut found);
    rig(mesh, skeleton, weights, &mut found);
    inside(body, skeleton, &mut found);
    found
}

/// Checks that the surface is closed, in one piece, without handles, facing outwards, symmetric, not crossing
/// itself.
fn surface(mesh: &QuadMesh, found: &mut Findings) {
    let (v, f) = (mesh.positions.len(), mesh.quads.len());
    let edges = mesh.edges();
    let euler = v as i64 - edges.len() as i64 + f as i64;
    found
        .figures
        .push(format!("vertices {v}, edges {}, quads {f}, Euler characteristic {euler}", edges.len()));
    found.demand((3000..=8000).contains(&v), "the number of vertices is not between 3,000 and 8,000");
    found.demand(euler == 2, "the Euler characteristic is not 2");
    let mut directed: Vec<[usize; 2]> =
        mesh.quads.iter().flat_map(|q| (0..4).map(move |i| [q[i], q[(i + 1) % 4]])).collect();
    directed.sort_unstable();
    found.demand(directed.windows(2).all(|w| w[0] != w[1]), "faces disagree about their orientation");
    found.demand(edges.iter().all(|e| e.1.len() == 2), "the surface is not closed or not a manifold");
    found.demand(fans(mesh), "a vertex has more than one fan of faces, or none");
    found.demand(mesh.volume() > 0.0, "the surface is inside out");
    let mirrored = (0..v).all(|i| {
        let (p, m) = (mesh.positions[i], mesh.mirror[i]);
        mesh.positions[m] == Vec3::new(-p.x, p.y, p.z) && mesh.mirror[m] == i
    });
    found.demand(mirrored, "the surface is not exactly symmetric");
    let crossings = crossing::crossings(mesh);
    found.figures.push(format!("volume {:.4}, pairs of faces that cross {}", mesh.volume(), crossings.len()));
    let first = crossings.first().map_or(Vec3::ZERO, |c| mesh.positions[mesh.quads[c[0]][0]]);
    found.demand(crossings.is_empty(), format!("the surface crosses itself near {first:.3}"));
}

/// Whether the faces around each vertex are one closed fan.
fn fans(mesh: &QuadMesh) -> bool {
    let mut around: Vec<Vec<[usize; 2]>> = vec![Vec::new(); mesh.positions.len()];
    for q in &mesh.quads {
        for i in 0..4 {
            around[q[i]].push([q[(i + 1) % 4], q[(i + 3) % 4]]);
        }
    }
    around.iter().all(|pairs| {
        let Some(first) = pairs.first() else { return false };
        let (mut at, mut steps) = (first[1], 1);
        while at != first[0] && steps <= pairs.len() {
            let Some(next) = pairs.iter().find(|p| p[0] == at) else {
                return false;
            };
            at = next[1];
            steps += 1;
        }
        steps == pairs.len()
    })
}

/// Measures the size and quality of the quads.
fn shape(mesh: &QuadMesh, found: &mut Findings) {
    let p = |v: usize| mesh.positions[v];
    let mut lengths: Vec<(f32, usize)> =
        mesh.edges().iter().map(|(e, _)| (p(e[0]).distance(p(e[1])), e[0])).collect();
    lengths.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (low, high) = (lengths[0].0, lengths[lengths.len() - 1].0);
    let mut worst_at = (0.0, Vec3::ZERO);
    let mut aspects = Vec::new();
    let (mut sharpest, mut bluntest, mut folded) = (180.0f32, 0.0f32, 0);
    for q in &mesh.quads {
        let side = |i: usize| p(q[(i + 1) % 4]) - p(q[i]);
        let (a, b) = (side(0).length() + side(2).length(), side(1).length() + side(3).length());
        aspects.push(a.max(b) / a.min(b));
        if a.max(b) / a.min(b) > worst_at.0 {
            worst_at = (a.max(b) / a.min(b), p(q[0]));
        }
        for i in 0..4 {
            let angle = side(i).angle_between(-side((i + 3) % 4)).to_degrees();
            sharpest = sharpest.min(angle);
            bluntest = bluntest.max(angle);
        }
        let halves =
            [side(0).cross(side(1)), side(2).cross(side(3)), side(1).cross(side(2)), side(3).cross(side(0))];
        folded += usize::from(halves[0].dot(halves[1]) <= 0.0 && halves[2].dot(halves[3]) <= 0.0);
    }
    aspects.sort_by(f32::total_cmp);
    let (median, worst) = (aspects[aspects.len() / 2], aspects[aspects.len() - 1]);
    let near = worst_at.1;
    found.figures.push(format!("edge length {low:.4} (near {:.2}) to {high:.4}", p(lengths[0].1)));
    found.figures.push(format!("aspect of quads {median:.2} (median) to {worst:.2} (near {near:.2})"));
    found
        .figures
        .push(format!("angles of quads {sharpest:.0} to {bluntest:.0} degrees, folded quads {folded}"));
    found.demand(low > 0.004, "an edge is too short");
    found.demand(worst < 8.0, "a quad is a sliver");
    found.demand(sharpest > 15.0 && bluntest < 170.0 && folded == 0, "a quad is badly shaped");
    let (bottom, top) = range(mesh.positions.iter().map(|p| p.y));
    let (right, left) = range(mesh.positions.iter().map(|p| p.x));
    found.figures.push(format!(
        "height {:.3} (from y = {bottom:.3}), span {:.3}",
        top - bottom,
        left - right
    ));
    found.demand(bottom.abs() < 0.01, "the feet are not on the ground");
    let inside = mesh.uvs.iter().flatten().all(|u| (0.0..=1.0).contains(&u.x) && (0.0..=1.0).contains(&u.y));
    found.demand(inside, "a texture coordinate is outside 0 to 1");
}

/// Checks weights and skeleton.
fn rig(mesh: &QuadMesh, skeleton: &Skeleton, weights: &VertexWeights, found: &mut Findings) {
    let v = mesh.positions.len();
    found.demand(weights.ends.len() == v, "the weights do not fit the surface");
    if weights.ends.len() != v {
        return;
    }
    let sums: Vec<f32> = (0..v).map(|i| weights.influences(i).map(|w| w.1).sum()).collect();
    let most = (0..v).map(|i| weights.influences(i).count()).max().unwrap_or(0);
    let bare = sums.iter().filter(|s| **s == 0.0).count();
    found.figures.push(format!(
        "bones {}, weights {}, at most {most} a vertex",
        skeleton.bones.len(),
        weights.weights.len()
    ));
    found.demand(bare == 0, format!("{bare} vertices have no weight"));
    found.demand(sums.iter().all(|s| (s - 1.0).abs() < 1e-5 || *s == 0.0), "weights do not sum to 1");
    let side = |name: &str, from: &str, to: &str| name.strip_suffix(from).map(|n| format!("{n}{to}"));
    for bone in &skeleton.bones {
        let name = bone.name.clone().unwrap_or_default();
        let Some(other) = side(&name, ".L", ".R").or_else(|| side(&name, ".R", ".L")) else {
            found.demand(bone.extent.x == 0.0, format!("{name} is not in the middle"));
            continue;
        };
        let mirrored = skeleton.bones.iter().find(|b| b.name.as_deref() == Some(&other)).is_some_and(|b| {
            b.extent == bone.extent * Vec3::new(-1.0, 1.0, 1.0)
                && b.roll_deg == -bone.roll_deg
                && b.radius == bone.radius
        });
        found.demand(mirrored, format!("{name} has no mirror image"));
    }
    found.demand(skeleton.bones.len() >= 18 && skeleton.handles.is_empty(), "too few bones, or handles");
}

/// Checks that bones stay inside the body.
fn inside(body: &Body, skeleton: &Skeleton, found: &mut Findings) {
    for (bone, start) in skeleton.bones.iter().zip(bind_pose(skeleton)) {
        let at = |t: f32| start.translation.as_vec3() + bone.extent * t;
        let out = (0..=10).any(|i| body.distance(at(i as f32 * 0.1)) > 0.0);
        found.demand(!out, format!("{} leaves the body", bone.name.as_deref().unwrap_or("a bone")));
    }
}

fn range(values: impl Iterator<Item = f32>) -> (f32, f32) {
    values.fold((f32::MAX, f32::MIN), |(a, b), x| (a.min(x), b.max(x)))
}
