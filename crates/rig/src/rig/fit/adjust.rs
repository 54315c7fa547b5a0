//! What is done to joints after they are placed: both sides the same where they nearly are, elbows and knees bent a little
//! the right way, bones inside the body.

use super::anatomy::Anatomy;
use super::pins::{Pinned, Placed};
use super::template::{Chain, Template};
use super::tuning::*;
use super::voxels::Voxels;
use crate::rig::kinematics::parent_of;
use glam::{Mat3, Quat, Vec3};

/// Adjusts the joints. Those that are `pinned` stay, and those that `stay` do so unless an elbow or a knee has to bend the other
/// way. `is_symmetric`: whether both sides of the body are the same.
pub fn adjust(
    anatomy: &Anatomy,
    template: &Template,
    chains: &[Chain],
    turn: Mat3,
    [pinned, stay]: [&Pinned; 2],
    is_symmetric: bool,
    placed: &mut Placed,
) {
    let height = height(placed);
    let tolerance = if is_symmetric { MIRRORED } else { SYMMETRIC };
    mirror(chains, stay, placed, tolerance * height);
    bend(template, chains, [pinned, stay], placed, Wrong::Straight, BENT * height);
    move_inside(anatomy, template, turn, stay, placed);
    mirror(chains, stay, placed, tolerance * height);
    move_inside(anatomy, template, turn, stay, placed);
    if is_symmetric {
        mirror(chains, stay, placed, tolerance * height);
    }
    // A knee that bends backwards is worse than one that is not quite inside.
    bend(template, chains, [pinned, stay], placed, Wrong::Backwards, BENT * height);
}

/// The height of the skeleton.
pub fn height(placed: &Placed) -> f32 {
    let ys = || placed.tips.iter().map(|tip| tip.y).chain([placed.base.y]);
    ys().fold(f32::NEG_INFINITY, f32::max) - ys().fold(f32::INFINITY, f32::min)
}

/// Makes the joints of both sides mirror images of each other that are within `tolerance` of that, if most are; but for limbs with
/// a joint that stays on one of the sides.
fn mirror(chains: &[Chain], stay: &Pinned, placed: &mut Placed, tolerance: f32) {
    let bones =
        |chain: &Chain| chain.lead.into_iter().chain(chain.bones.iter().copied()).collect::<Vec<usize>>();
    let is_free = |chain: &Chain| bones(chain).iter().all(|&bone| stay.tips[bone].is_none());
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut middle: Vec<usize> = Vec::new();
    for (index, chain) in chains.iter().enumerate() {
        match chain.twin {
            Some(twin) if twin > index && is_free(chain) && is_free(&chains[twin]) => {
                pairs.extend(bones(chain).into_iter().zip(bones(&chains[twin])));
            }
            None if chain.side == 0 => middle.extend(bones(chain)),
            _ => {}
        }
    }
    if pairs.is_empty() {
        return;
    }
    let mut middles: Vec<f32> =
        pairs.iter().map(|&(a, b)| 0.5 * (placed.tips[a].x + placed.tips[b].x)).collect();
    middles.sort_by(f32::total_cmp);
    let plane = 0.5 * (middles[(middles.len() - 1) / 2] + middles[middles.len() / 2]);
    let mirrored = |point: Vec3| Vec3::new(2.0 * plane - point.x, point.y, point.z);
    let is_mirrored =
        |&(a, b): &(usize, usize)| placed.tips[a].distance(mirrored(placed.tips[b])) < tolerance;
    let all = pairs.len();
    pairs.retain(is_mirrored);
    if 3 * pairs.len() < 2 * all {
        return;
    }
    for (a, b) in pairs {
        placed.tips[a] = 0.5 * (placed.tips[a] + mirrored(placed.tips[b]));
        placed.tips[b] = mirrored(placed.tips[a]);
    }
    let sides: Vec<usize> = chains.iter().filter(|chain| chain.side != 0).flat_map(bones).collect();
    for (bone, tip) in placed.tips.iter_mut().enumerate() {
        let may_move = stay.tips[bone].is_none() && !sides.contains(&bone);
        if may_move && (middle.contains(&bone) || (tip.x - plane).abs() < tolerance) {
            tip.x = plane;
        }
    }
    if stay.base.is_none() {
        placed.base.x = plane;
    }
}

/// Which joints are bent.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    /// Those that are nearly straight, too.
    Straight,
    /// Only knees that bend backwards.
    Backwards,
}

/// Moves joints that are nearly straight by up to `least` towards the side to which those of the template are bent, so that
/// inverse kinematics knows where they bend; those of legs by as much as that takes.
fn bend(
    template: &Template,
    chains: &[Chain],
    [pinned, stay]: [&Pinned; 2],
    placed: &mut Placed,
    wrong: Wrong,
    least: f32,
) {
    let wanted = template.tips();
    for chain in chains.iter().filter(|chain| chain.is_leg || wrong == Wrong::Straight) {
        let Some(lead) = chain.lead.filter(|_| chain.side != 0) else { continue };
        let line: Vec<usize> = std::iter::once(lead).chain(chain.bones.iter().copied()).collect();
        for bones in line.windows(3) {
            let [a, b, c] = [bones[0], bones[1], bones[2]];
            let [from, to] = [&wanted, &placed.tips].map(|tips| tips[c] - tips[a]);
            let aside = wanted[b] - wanted[a] - (wanted[b] - wanted[a]).project_onto(from);
            let lengths = wanted[b].distance(wanted[a]).min(wanted[c].distance(wanted[b]));
            let stays = |&joint: &usize| stay.tips[joint].is_some() && pinned.tips[joint].is_none();
            if pinned.tips[b].is_some()
                || bones.iter().all(stays)
                || aside.length() < TEMPLATE_BENT * from.length()
                || lengths < 0.3 * from.length()
            {
                continue;
            }
            let turn = Quat::from_rotation_arc(from.normalize_or(Vec3::Y), to.normalize_or(Vec3::Y));
            let direction = (turn * aside).normalize_or_zero();
            let found = placed.tips[b] - placed.tips[a];
            let offset = found - found.project_onto(to);
            let forward = offset.dot(direction);
            if forward >= 0.0 && wrong == Wrong::Backwards {
                continue;
            }
            // What leads to the side in a joint that is nearly straight is noise.
            if offset.length() < NEARLY_STRAIGHT * to.length() {
                placed.tips[b] -= offset - forward * direction;
            }
            // A knee that is bent the wrong way is misplaced, or its ankle is, whatever the distance.
            let most = if chain.is_leg { f32::INFINITY } else { least };
            placed.tips[b] += (least - forward).clamp(0.0, most) * direction;
        }
    }
}

/// Moves joints such that bones are inside the body; but for bones that begin or end at a joint that stays outside: nothing brings
/// those inside, and what tries pulls their other end along without end.
fn move_inside(anatomy: &Anatomy, template: &Template, turn: Mat3, stay: &Pinned, placed: &mut Placed) {
    let back = turn.transpose();
    let voxels = &anatomy.voxels;
    let outside = stay.outside(anatomy, turn);
    for _ in 0..INSIDE_ROUNDS {
        let mut is_done = true;
        for bone in 0..placed.tips.len() {
            let parent = parent_of(&template.skeleton, bone);
            if outside[bone + 1] || outside[parent.map_or(0, |parent| parent + 1)] {
                continue;
            }
            for sample in 1..=INSIDE_SAMPLES {
                let start = parent.map_or(placed.base, |parent| placed.tips[parent]);
                let t = sample as f32 / INSIDE_SAMPLES as f32;
                let Some(shift) = to_inside(voxels, &anatomy.depths, back * start.lerp(placed.tips[bone], t))
                else {
                    continue;
                };
                is_done = false;
                let shift = turn * shift;
                // The joint moves most that is nearest.
                if stay.tips[bone].is_none() {
                    placed.tips[bone] += t * shift;
                }
                match parent {
                    Some(parent) if stay.tips[parent].is_none() => placed.tips[parent] += (1.0 - t) * shift,
                    None if stay.base.is_none() => placed.base += (1.0 - t) * shift,
                    _ => {}
                }
            }
        }
        if is_done {
            break;
        }
    }
}

/// The way from a point outside to the nearest voxel that is deeper than the surface; `None` for a point inside.
fn to_inside(voxels: &Voxels, depths: &[f32], point: Vec3) -> Option<Vec3> {
    let is_deep = |index: usize| depths[index] >= INSIDE_DEPTH;
    if voxels.at(point).is_some_and(is_deep) {
        return None;
    }
    let mut best: Option<(f32, Vec3)> = None;
    let reach = INSIDE_REACH as i32;
    for x in -reach..=reach {
        for y in -reach..=reach {
            for z in -reach..=reach {
                let near = point + Vec3::new(x as f32, y as f32, z as f32) * voxels.cell;
                let Some(index) = voxels.at(near).filter(|&index| is_deep(index)) else { continue };
                let way = voxels.center(index) - point;
                if best.is_none_or(|(squared, _)| way.length_squared() < squared) {
                    best = Some((way.length_squared(), way));
                }
            }
        }
    }
    best.map(|(_, way)| way)
}
