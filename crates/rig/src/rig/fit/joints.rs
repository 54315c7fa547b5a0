//! The joints of a template as users know them: their names, the limbs that pins belong to, what to click where the body is
//! unclear, and how sure the fit is.

use super::anatomy::{Anatomy, Candidate};
use super::assign::Assignment;
use super::pins::Pinned;
use super::template::{Chain, Template};
use super::tuning::*;
use crate::rig::body::roles::{Role, role};
use crate::rig::kinematics::{bind_tips, parent_of};
use glam::{Mat3, Vec3};
use std::sync::Arc;

/// The names of the start of the skeleton and of the ends of all bones (B + 1).
pub fn names(template: &Template, chains: &[Chain]) -> Vec<String> {
    let bones = &template.skeleton.bones;
    let is_lead = |bone: usize| chains.iter().any(|chain| chain.lead == Some(bone) && chain.side != 0);
    let mut names = vec!["hips".to_owned()];
    for index in 0..bones.len() {
        let name = template.skeleton.bone_name(index);
        let is_arm_or_leg = chains.iter().any(|chain| chain.side != 0 && chain.bones.contains(&index));
        let anatomical = match role(&name) {
            Some(Role::Shoulder) if is_lead(index) => Some("shoulder"),
            Some(Role::HipBone) if is_lead(index) => Some("hip"),
            Some(Role::UpperArm) if is_arm_or_leg => Some("elbow"),
            Some(Role::Forearm) if is_arm_or_leg => Some("wrist"),
            Some(Role::Thigh) if is_arm_or_leg => Some("knee"),
            Some(Role::Shin) if is_arm_or_leg => Some("ankle"),
            _ => None,
        };
        let side = [".L", ".R"].into_iter().find(|side| name.ends_with(side));
        names.push(match anatomical {
            Some(anatomical) if template.has_named_limits => {
                format!("{anatomical}{}", side.unwrap_or_default())
            }
            _ => name,
        });
    }
    names
}

/// Finds a joint by its name or that of the bone that ends there: the index of that bone, or `Some(None)` for the start.
pub fn find(template: &Template, names: &[String], name: &str) -> Option<Option<usize>> {
    let bone = || (0..template.skeleton.bones.len()).find(|&bone| template.skeleton.bone_name(bone) == name);
    let joint = names.iter().position(|known| known == name).or_else(|| bone().map(|bone| bone + 1))?;
    Some(joint.checked_sub(1))
}

/// Returns the joints of a template, by name, where they would be in the box of a body with these vertices, in mesh space.
pub fn guesses(template: &Template, positions: &[Vec3], [up, front]: [Vec3; 2]) -> Vec<(String, Vec3)> {
    let mesh_from_body = Mat3::from_cols(up.cross(front), up, front);
    let tips = bind_tips(&template.skeleton);
    let joints: Vec<Vec3> =
        std::iter::once(template.skeleton.base).chain(tips.iter().map(|tip| tip.as_vec3())).collect();
    let in_body: Vec<Vec3> = positions.iter().map(|point| mesh_from_body.transpose() * *point).collect();
    let box_of = |points: &[Vec3]| {
        let (low, high) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        points.iter().fold((low, high), |(low, high), point| (low.min(*point), high.max(*point)))
    };
    let ((low, high), (least, most)) = (box_of(&in_body), box_of(&joints));
    let factor = (high - low) / (most - least).max(Vec3::splat(f32::MIN_POSITIVE));
    // As wide and deep as it is high, unless the body is slimmer.
    let factor = factor.min(Vec3::splat(factor.y));
    let place = |joint: &Vec3| {
        let Vec3 { x, z, .. } = low.midpoint(high) + (*joint - least.midpoint(most)) * factor;
        mesh_from_body * Vec3::new(x, low.y + (joint.y - least.y) * factor.y, z)
    };
    names(template, &template.chains()).into_iter().zip(joints.iter().map(place)).collect()
}

/// Returns the limbs that each chain may be. A pinned joint of a limb decides which it is; in case none goes there, the body
/// gets one that is nothing but the outermost pin, or the chain has the limb that it has without pins, `unpinned`, if they are
/// beside that. A pinned elbow or knee that is beside all limbs does not decide it, and none takes
/// the limb that another chain has without pins: but a wrist or an ankle, if that chain has pins, too.
pub fn with_pinned_limbs(
    body: Arc<Anatomy>,
    chains: &[Chain],
    pins: &[(Option<usize>, Vec3)],
    unpinned: Option<&Assignment>,
) -> (Arc<Anatomy>, Vec<Vec<usize>>) {
    let mut allowed: Vec<Vec<usize>> = vec![(0..body.limbs.len()).collect(); chains.len()];
    let mut body = body;
    let pins_of = |chain: &Chain| -> Vec<(usize, Vec3)> {
        let place = |bone: Option<usize>| chain.bones.iter().position(|b| Some(*b) == bone);
        pins.iter().filter_map(|(bone, point)| Some((place(*bone)?, *point))).collect()
    };
    for (index, chain) in chains.iter().enumerate() {
        let limb_pins = pins_of(chain);
        let Some(&(position, outermost)) = limb_pins.iter().max_by_key(|(position, _)| *position) else {
            continue;
        };
        let is_taken = |limb: usize| {
            let limbs = unpinned.map_or(&[][..], |unpinned| &unpinned.limbs);
            limbs.iter().zip(chains).enumerate().any(|(other, (taken, chain))| {
                other != index && *taken == Some(limb) && (position == 0 || pins_of(chain).is_empty())
            })
        };
        let goes_there = |limb: &usize| limb_pins.iter().all(|(_, point)| passes(&body.limbs[*limb], *point));
        let mut through: Vec<usize> =
            allowed[index].iter().copied().filter(|limb| goes_there(limb) && !is_taken(*limb)).collect();
        if through.is_empty() && position == 0 {
            through.clone_from(&allowed[index]);
        } else if through.is_empty() {
            let is_corrected =
                |limb: &usize| limb_pins.iter().all(|(_, point)| is_beside(&body.limbs[*limb], *point));
            through.extend(unpinned.and_then(|unpinned| unpinned.limbs[index]).filter(is_corrected));
        }
        let group = body.limbs.len();
        Arc::make_mut(&mut body).limbs.push(Candidate::only_pin(outermost, group));
        allowed[index] = through.into_iter().chain([group]).collect();
    }
    (body, allowed)
}

/// Whether a limb passes near a point.
fn passes(candidate: &Candidate, point: Vec3) -> bool {
    let limb = &candidate.limb;
    let thickest = (0..=limb.root / 4).map(|slice| limb.radius(slice)).fold(0.0, f32::max);
    // Where legs have grown together, slices contain both.
    let reach = |slice: usize| limb.radius(slice).clamp(limb.radius(0), PIN_THICKEST * thickest);
    (0..=limb.root).any(|slice| limb.middles[slice].distance(point) < PIN_REACH * reach(slice))
}

/// Whether a joint of a limb may be at a point beside it.
fn is_beside(candidate: &Candidate, point: Vec3) -> bool {
    let limb = &candidate.limb;
    let places = std::iter::once(candidate.tip).chain(limb.middles[..=limb.root].iter().copied());
    let distance = places.map(|place| place.distance(point)).fold(f32::INFINITY, f32::min);
    distance < PIN_BESIDE * limb.length()
}

/// The joints whose place would make the fit possible: a wrist or ankle of each limb that is missing, of all limbs without an
/// `assignment`; if these are pinned, the hips and where the limbs begin; and at last all again.
pub fn to_click(
    names: &[String],
    chains: &[Chain],
    assignment: Option<&Assignment>,
    pins: &[(Option<usize>, Vec3)],
) -> Vec<String> {
    let is_missing = |index: usize| assignment.is_none_or(|assignment| assignment.limbs[index].is_none());
    let is_pinned =
        |name: &String| pins.iter().any(|(joint, _)| names[joint.map_or(0, |bone| bone + 1)] == *name);
    let missing = chains.iter().enumerate().filter(|(index, chain)| is_missing(*index) && !chain.is_optional);
    // The second joint of a limb is a wrist or an ankle.
    let outer: Vec<String> =
        missing.map(|(_, chain)| names[chain.bones[1.min(chain.bones.len() - 1)] + 1].clone()).collect();
    let leads = chains.iter().filter(|chain| chain.side != 0).filter_map(|chain| chain.lead);
    let inner = std::iter::once(0).chain(leads.map(|lead| lead + 1)).map(|joint| names[joint].clone());
    [outer.clone(), inner.collect()]
        .into_iter()
        .map(|joints: Vec<String>| {
            joints.into_iter().filter(|name| !is_pinned(name)).collect::<Vec<String>>()
        })
        .find(|joints| !joints.is_empty())
        .unwrap_or(outer)
}

/// How sure each joint is (B + 1): that of its limb or, in the trunk, the mean of all; lower for limbs that hardly stand out
/// from the trunk and for those unlike their twins.
pub fn confidences(
    body: &Anatomy,
    template: &Template,
    chains: &[Chain],
    assignment: &Assignment,
    pinned: &Pinned,
) -> Vec<f32> {
    // Of a limb that is known by its pin alone, there is no length to compare with.
    let length = |limb: Option<usize>| {
        limb.map(|limb| &body.limbs[limb]).filter(|limb| !limb.is_only_pin()).map(|limb| limb.limb.length())
    };
    let of_chain: Vec<f32> = chains
        .iter()
        .enumerate()
        .map(|(index, chain)| {
            let Some(limb) = assignment.limbs[index] else { return 0.0 };
            let contrast = body.limbs[limb].limb.contrast;
            let twin = chain.twin.and_then(|twin| length(assignment.limbs[twin]));
            let ratio = match (length(Some(limb)), twin) {
                (Some(a), Some(b)) => a.min(b) / a.max(b).max(f32::MIN_POSITIVE),
                _ => 1.0,
            };
            ((contrast - 1.0) / (CLEAR_CONTRAST - 1.0)).clamp(0.0, 1.0) * ratio
        })
        .collect();
    // That a limb is known by its pin alone makes no other one less sure.
    let pins = assignment.limbs.iter().flatten().filter(|&&limb| body.limbs[limb].is_only_pin());
    let all = (1.0 - assignment.penalty + ONLY_PIN * pins.count() as f32).clamp(0.0, 1.0);
    let mean = of_chain.iter().sum::<f32>() / of_chain.len() as f32;
    let bones = template.skeleton.bones.len();
    let of_bone = |bone: usize| {
        let mut above = std::iter::successors(Some(bone), |&bone| parent_of(&template.skeleton, bone));
        let chain = above.find_map(|bone| {
            chains
                .iter()
                .position(|chain| chain.bones.contains(&bone) || chain.side != 0 && chain.lead == Some(bone))
        });
        chain.map_or(mean, |chain| of_chain[chain])
    };
    let unpinned = std::iter::once(mean).chain((0..bones).map(of_bone)).map(|confidence| confidence * all);
    let pins = std::iter::once(pinned.base.is_some()).chain(pinned.tips.iter().map(Option::is_some));
    unpinned.zip(pins).map(|(confidence, is_pinned)| if is_pinned { 1.0 } else { confidence }).collect()
}
