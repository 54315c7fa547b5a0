//! What is fitted: a skeleton with the proportions of a kind of body, and its chains, from the trunk to each extremity.

use crate::rig::body::axes::BodyAxes;
use crate::rig::kinematics::{bind_tips, parent_of};
use crate::rig::limits::Limits;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::{DMat3, Vec3};
use serde::Deserialize;

/// The templates that come with the program: name and file.
const INCLUDED: [(&str, &str); 2] = [
    ("humanoid", include_str!("../../../../../assets/skeletons/humanoid.json")),
    ("four-legged", include_str!("../../../../../assets/skeletons/four-legged.json")),
];
/// The distance from the plane of symmetry, as a fraction of the height, below which a bone is in it.
const IN_PLANE: f32 = 0.02;
/// The least length of a chain, as a fraction of the height of the template: jaws and horns are shorter, the necks of
/// children with their heads longer.
const LEAST_CHAIN: f32 = 0.12;
/// The height above the lowest point, as a fraction of that of the template, at which a chain ends on the ground.
const ON_GROUND: f32 = 0.05;
/// The upward part of the direction of an upright head.
const UPRIGHT: f32 = 0.7;
/// The share of a chain at its end that tells where it points.
const END: f32 = 0.15;

/// A skeleton to be fitted, with its left along +x, its top along +y and its front along +z.
#[derive(Clone, Debug)]
pub struct Template {
    pub name: String,
    pub skeleton: Skeleton,
    /// How far the first joint of a chain is behind the place where the limb leaves the trunk, in radii of the limb there;
    /// for the bone before it (B). `None`: the usual for limbs at the sides; in the middle, the trunk tells where the joint is.
    pub insets: Vec<Option<f32>>,
    /// Whether limits come from the names of the bones instead of the template.
    pub has_named_limits: bool,
}

/// The bones between the trunk and an extremity.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The bone that leads from the trunk to the first joint: a clavicle; or for a chain in the middle, the last of the trunk.
    pub lead: Option<usize>,
    /// The bones, from the first joint outwards.
    pub bones: Vec<usize>,
    /// The joints: the first one and the tips of the bones.
    pub joints: Vec<Vec3>,
    /// 1 on the left, -1 on the right, 0 in the middle.
    pub side: i8,
    /// The index of the chain on the other side.
    pub twin: Option<usize>,
    /// Whether it ends on the ground.
    pub is_leg: bool,
    /// Whether a body can lack it: a tail.
    pub is_optional: bool,
}

#[derive(Deserialize)]
struct File {
    base: [f32; 3],
    bones: Vec<FileBone>,
}

#[derive(Clone, Deserialize)]
struct FileBone {
    name: String,
    parent: Option<String>,
    tail: Vec3,
    #[serde(default)]
    roll_deg: f32,
    inset: Option<f32>,
    limits: Option<[[f32; 2]; 3]>,
    preferred: Option<Vec3>,
}

impl Template {
    /// The names of the templates that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        INCLUDED.iter().map(|(name, _)| *name)
    }

    /// Returns the template with this name.
    pub fn named(name: &str) -> Option<Self> {
        let (name, text) = INCLUDED.iter().find(|(known, _)| *known == name)?;
        Some(Self::from_file(name, serde_json::from_str(text).ok()?))
    }

    fn from_file(name: &str, file: File) -> Self {
        let mut rows = file.bones.clone();
        for row in file.bones {
            let right = |name: &str| name.strip_suffix(".L").map(|stem| format!("{stem}.R"));
            if let Some(name) = right(&row.name) {
                let parent = row.parent.map(|parent| right(&parent).unwrap_or(parent));
                let tail = row.tail * Vec3::new(-1.0, 1.0, 1.0);
                rows.push(FileBone { name, parent, tail, roll_deg: -row.roll_deg, ..row });
            }
        }
        let base = Vec3::from_array(file.base);
        let mut skeleton = Skeleton { base, ik_prior: Skeleton::WEAK_PRIOR, ..Skeleton::default() };
        for (index, row) in rows.iter().enumerate() {
            let parent = rows.iter().position(|other| row.parent.as_ref() == Some(&other.name));
            skeleton.bones.push(Bone {
                extent: row.tail - parent.map_or(base, |parent| rows[parent].tail),
                parent: parent.map(|parent| parent as u32),
                name: Some(row.name.as_str().into()),
                channel_id: index as u32,
                roll_deg: row.roll_deg,
                limits_deg: row.limits.map_or(Limits::default(), |limits| Limits(limits.map(Some))),
                preferred_deg: row.preferred,
                ..Bone::default()
            });
        }
        let has_named_limits = rows.iter().all(|row| row.limits.is_none());
        let insets = rows.iter().map(|row| row.inset).collect();
        Self { name: name.to_owned(), skeleton, insets, has_named_limits }
    }

    /// Makes a template of a skeleton in its bind pose, without its handles. Names, rolls, limits and links stay.
    pub fn from_skeleton(name: &str, skeleton: &Skeleton) -> Self {
        let axes = BodyAxes::new(skeleton);
        let body_from_skeleton = DMat3::from_cols(axes.left, axes.up, axes.front).transpose();
        let turned = |point: Vec3| (body_from_skeleton * point.as_dvec3()).as_vec3();
        let mut template = Skeleton {
            bones: skeleton.bones.clone(),
            base: turned(skeleton.base),
            ik_prior: skeleton.ik_prior,
            ..Skeleton::default()
        };
        for bone in &mut template.bones {
            let x = crate::rig::kinematics::rotation_axes(bone)[0];
            bone.reset_pose();
            bone.extent = turned(bone.extent);
            if let Some(roll) = crate::rig::edits::roll::roll_toward(bone.extent, body_from_skeleton * x) {
                bone.roll_deg = roll as f32;
            }
        }
        // The plane of symmetry goes through the bones of the middle, or else the base.
        let offset = template.base.x;
        template.base.x -= offset;
        let insets = vec![None; template.bones.len()];
        Self { name: name.to_owned(), skeleton: template, insets, has_named_limits: false }
    }

    /// The tip of each bone.
    pub fn tips(&self) -> Vec<Vec3> {
        bind_tips(&self.skeleton).iter().map(|tip| tip.as_vec3()).collect()
    }

    /// The chains: legs first, then the others, the longest first.
    pub fn chains(&self) -> Vec<Chain> {
        let tips = self.tips();
        let skeleton = &self.skeleton;
        let ys = || tips.iter().map(|tip| tip.y).chain([skeleton.base.y]);
        let (low, high) = (ys().fold(f32::INFINITY, f32::min), ys().fold(f32::NEG_INFINITY, f32::max));
        let height = (high - low).max(f32::MIN_POSITIVE);
        let start = |bone: usize| parent_of(skeleton, bone).map_or(skeleton.base, |parent| tips[parent]);
        // The longest way from the start of a bone to a tip below it.
        let mut reach: Vec<f32> = skeleton.bones.iter().map(|bone| bone.extent.length()).collect();
        let mut longest_child = vec![None; tips.len()];
        for bone in (0..tips.len()).rev() {
            if let Some(parent) = parent_of(skeleton, bone) {
                let total = reach[bone] + skeleton.bones[parent].extent.length();
                if total > reach[parent] {
                    (reach[parent], longest_child[parent]) = (total, Some(bone));
                }
            }
        }
        let is_middle = |bone: usize| tips[bone].x.abs() < IN_PLANE * height;
        let children = |bone: Option<usize>| {
            let is_child = move |&child: &usize| parent_of(skeleton, child) == bone;
            let goes_on = |child: usize| {
                let is_longest = bone.is_some_and(|bone| longest_child[bone] == Some(child));
                reach[child] >= LEAST_CHAIN * height || is_longest && is_middle(child)
            };
            (0..tips.len()).filter(is_child).filter(|&child| goes_on(child)).collect::<Vec<usize>>()
        };
        let along = |first: usize| {
            std::iter::successors(Some(first), |&bone| longest_child[bone]).collect::<Vec<usize>>()
        };
        let mut chains: Vec<Chain> = Vec::new();
        let mut add = |lead: Option<usize>, bones: Vec<usize>, side: i8| {
            let mut joints = vec![start(bones[0])];
            joints.extend(bones.iter().map(|&bone| tips[bone]));
            let is_leg = side != 0 && joints[joints.len() - 1].y - low < ON_GROUND * height;
            chains.push(Chain { lead, bones, joints, side, twin: None, is_leg, is_optional: false });
        };
        // From the base along the middle, as long as it branches further out.
        let mut trunk: Vec<Option<usize>> = vec![None];
        while let Some(joint) = trunk.pop() {
            for child in children(joint) {
                if is_middle(child) {
                    let mut last = child;
                    let way = std::iter::from_fn(|| match children(Some(last))[..] {
                        [only] if is_middle(only) => {
                            last = only;
                            Some(only)
                        }
                        _ => None,
                    });
                    let mut bones = vec![child];
                    bones.extend(way);
                    if !children(Some(last)).is_empty() {
                        trunk.push(Some(last));
                    } else {
                        add(joint, bones, 0);
                    }
                } else {
                    let side = if tips[child].x > 0.0 { 1 } else { -1 };
                    let bones = along(child);
                    match bones.split_first() {
                        Some((&lead, rest)) if !rest.is_empty() => add(Some(lead), rest.to_vec(), side),
                        _ => add(joint, bones, side),
                    }
                }
            }
        }
        let length =
            |chain: &Chain| chain.joints.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>();
        chains.sort_by(|a, b| {
            b.is_leg.cmp(&a.is_leg).then(length(b).total_cmp(&length(a))).then(b.side.cmp(&a.side))
        });
        // The head is the highest end in the middle.
        let end_height = |chain: &Chain| chain.joints[chain.joints.len() - 1].y;
        let middle = (0..chains.len()).filter(|&index| chains[index].side == 0);
        let head = middle.max_by(|&a, &b| end_height(&chains[a]).total_cmp(&end_height(&chains[b])));
        for index in 0..chains.len() {
            let mirrored = chains[index].joints[chains[index].joints.len() - 1] * Vec3::new(-1.0, 1.0, 1.0);
            let distance =
                |other: &usize| chains[*other].joints[chains[*other].joints.len() - 1].distance(mirrored);
            let others = (0..chains.len())
                .filter(|&other| chains[other].side == -chains[index].side && other != index);
            chains[index].twin =
                others.filter(|_| chains[index].side != 0).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            chains[index].is_optional = chains[index].side == 0 && Some(index) != head;
        }
        chains
    }
}

impl Chain {
    /// The last joint.
    pub fn end(&self) -> Vec3 {
        self.joints[self.joints.len() - 1]
    }

    /// Whether it is a head above the trunk.
    pub fn is_upright(&self) -> bool {
        self.side == 0 && self.end_direction().y > UPRIGHT
    }

    /// The direction of the last part, in which feet and muzzles point. Tails of toes are guesses in many files, and may lead back:
    /// a foot points to that of its joints which is the farthest out.
    pub fn end_direction(&self) -> Vec3 {
        let joints = self.joints.iter().rev().copied();
        let (inner, count) = inner_point(joints.clone());
        let far = |joint: &Vec3| (*joint - inner).with_y(0.0).length_squared();
        let farthest = joints.clone().take(count).max_by(|a, b| far(a).total_cmp(&far(b)));
        let end = if self.is_leg { farthest } else { None };
        (end.unwrap_or(self.end()) - inner).normalize_or_zero()
    }
}

/// The direction in which a line of points, from its end inwards, points at its end.
pub fn end_direction(points: impl Iterator<Item = Vec3> + Clone) -> Vec3 {
    let end = points.clone().next();
    end.map_or(Vec3::ZERO, |end| (end - inner_point(points).0).normalize_or_zero())
}

/// Returns where the last part of a line of points, from its end inwards, begins, and how many points are beyond.
fn inner_point(points: impl Iterator<Item = Vec3> + Clone) -> (Vec3, usize) {
    let steps = || points.clone().zip(points.clone().skip(1));
    let length: f32 = steps().map(|(a, b)| a.distance(b)).sum();
    let mut rest = END * length;
    let mut inner = (points.clone().next().unwrap_or_default(), 0);
    for (a, b) in steps() {
        let step = a.distance(b);
        inner = (if step > rest { a.lerp(b, rest / step) } else { b }, inner.1 + 1);
        rest -= step;
        if rest <= 0.0 {
            break;
        }
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(template: &Template) -> Vec<(String, i8, bool, bool)> {
        let name = |chain: &Chain| template.skeleton.bone_name(chain.bones[chain.bones.len() - 1]);
        let chains = template.chains();
        chains.iter().map(|chain| (name(chain), chain.side, chain.is_leg, chain.is_optional)).collect()
    }

    #[test]
    fn the_chains_of_a_humanoid_are_its_limbs_and_its_head() {
        let template = Template::named("humanoid").unwrap();
        let expected = [
            ("toes.L", 1, true, false),
            ("toes.R", -1, true, false),
            ("fingers2.L", 1, false, false),
            ("fingers2.R", -1, false, false),
            ("head", 0, false, false),
        ];
        assert_eq!(
            ends(&template),
            expected.map(|(name, side, leg, tail)| (name.to_owned(), side, leg, tail))
        );
        let twins: Vec<_> = template.chains().iter().map(|chain| chain.twin).collect();
        assert_eq!(twins, [Some(1), Some(0), Some(3), Some(2), None]);
    }

    #[test]
    fn an_animal_has_four_legs_and_may_lack_its_tail() {
        let ends = ends(&Template::named("four-legged").unwrap());
        assert_eq!(ends.iter().filter(|(_, _, is_leg, _)| *is_leg).count(), 4);
        let optional: Vec<&str> = ends.iter().filter(|end| end.3).map(|end| end.0.as_str()).collect();
        assert_eq!(optional, ["tail3"]);
    }

    /// A template made from a turned skeleton has the joints of the one that was turned.
    #[test]
    fn templates_of_skeletons_are_upright() {
        let template = Template::named("humanoid").unwrap();
        let mut turned = template.skeleton.clone();
        let turn = glam::Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        turned.base = turn * turned.base;
        turned.bones.iter_mut().for_each(|bone| bone.extent = turn * bone.extent);
        let again = Template::from_skeleton("turned", &turned);
        for (found, expected) in again.tips().iter().zip(template.tips()) {
            assert!(found.abs_diff_eq(expected, 1e-5), "{found} {expected}");
        }
        assert_eq!(ends(&again), ends(&template));
    }
}
