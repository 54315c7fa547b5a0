//! Heat weights of the character of `docs/first-rig.md`: each side stays separate, and edges stretch no more
//! for that.

#![allow(clippy::print_stdout, reason = "figures are told with --nocapture")]

use crate::guide::{self, longest_edge, reheated, share};
use glam::DVec3;
use ossature::scene::skinned::SkinnedMesh;

/// The longest edge with the left arm raised by 100 degrees, or the left leg spread by 60, of the solution
/// without separation and limits (the program of 22 November 2026 without either).
const SMOOTH_ARM: f64 = 1.77;
const SMOOTH_LEG: f64 = 1.67;

fn side(mesh: &SkinnedMesh, bone: u16) -> &'static str {
    let name = mesh.skeleton.bone_name(bone.into());
    ["L", "R"].into_iter().find(|side| name.contains(&format!(".{side}"))).unwrap_or("")
}

fn bone(mesh: &SkinnedMesh, name: &str) -> usize {
    let mut bones = 0..mesh.skeleton.bones.len();
    bones.find(|bone| mesh.skeleton.bone_name(*bone) == name).unwrap()
}

fn keeps_to_its_side(mesh: &SkinnedMesh) {
    assert_eq!(mesh.weights.unweighted_count(), 0);
    let mut both = 0;
    for (v, p) in mesh.surface.positions().iter().enumerate() {
        let [left, right] = ["L", "R"].map(|of| share(&mesh.weights, v, |bone| side(mesh, bone) == of));
        let other = if p.x > 0.0 { right } else { left };
        assert!(p.x.abs() <= 0.05 || other < 0.02, "vertex {v} at {p} follows the other side by {other}");
        both += usize::from(left > 0.0 && right > 0.0);
    }
    // There is a band: weights that dropped to zero in the middle would have only half the distance.
    assert!(both >= 20, "{both}");
}

#[test]
fn sides_of_the_guide_s_character_keep_to_themselves() {
    let mesh = guide::character(guide::PELVIS);
    assert_eq!(mesh.skeleton.bones.iter().filter(|bone| !bone.link).count(), 23);
    for largest in [None, Some(4)] {
        keeps_to_its_side(&reheated(&mesh, largest));
    }
}

/// Clicking the row next to the pelvis attaches the legs to the spine, further up, so their links are longer
/// and point down more than apart.
#[test]
fn legs_on_the_spine_keep_to_themselves() {
    let mesh = guide::character(guide::SPINE_BONE);
    for largest in [None, Some(4)] {
        keeps_to_its_side(&reheated(&mesh, largest));
    }
}

#[test]
fn on_the_guide_s_character_edges_grow_little() {
    let mesh = guide::character(guide::PELVIS);
    let (arm, leg) = (bone(&mesh, "Bone.L.009"), bone(&mesh, "Bone.L.005"));
    for (largest, most) in
        [(None, [1.1 * SMOOTH_ARM, 1.12 * SMOOTH_LEG]), (Some(4), [2.15, 1.12 * SMOOTH_LEG])]
    {
        let mesh = reheated(&mesh, largest);
        let raised = longest_edge(&mesh, arm, DVec3::Z, 100.0);
        let spread = longest_edge(&mesh, leg, DVec3::Z, 60.0);
        println!(
            "guide, largest {largest:?}: arm raised by 100 degrees {raised:.2}, leg spread by 60 {spread:.2}"
        );
        assert!(raised <= most[0] && spread <= most[1], "{raised} {spread}");
    }
}
