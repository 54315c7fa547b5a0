//! The bones that a new handle turns: the limb, on skeletons of this repository and others.

use crate::rig_support::{bone, chain, handle};
use glam::Vec3;
use ossature::io::js3d;
use ossature::rig::body;
use ossature::rig::body::limb::limb;
use ossature::rig::ik;
use ossature::rig::skeleton::{Handle, Skeleton};
use std::path::Path;

fn limb_names(skeleton: &Skeleton, bone: &str) -> Vec<String> {
    let at = (0..skeleton.bones.len()).find(|&b| skeleton.bone_name(b) == bone);
    let mut of = handle(at.unwrap(), Vec3::ZERO);
    of.chain = Some(limb(skeleton, at.unwrap()));
    ik::chain::chain(skeleton, &of).map(|bone| skeleton.bone_name(bone)).collect()
}

/// Arms end below the clavicle, legs below the hip, for any handle; necks and tails below the trunk.
#[test]
fn limbs_end_where_they_leave_the_trunk() {
    let read = |file: &str, mesh: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d").join(file);
        js3d::read_file(&path).unwrap().0.skinned_meshes[mesh].skeleton.clone()
    };
    let human = read("A4-human.js3d", "Human_skinned_mesh");
    let animal = read("quadruped.js3d", "Giraffe_skinned_mesh");
    for side in ["L", "R"] {
        for (skeleton, limbs) in [
            (
                &human,
                &[
                    "hand forearm upper_arm",
                    "forearm upper_arm",
                    "upper_arm",
                    "clavicle",
                    "palm hand forearm upper_arm",
                    "shin thigh",
                    "foot shin thigh",
                    "toes foot shin thigh",
                    "thumb2 thumb",
                ][..],
            ),
            (&animal, &["hoof cannon forearm", "cannon forearm", "shin shank thigh", "toe shin shank thigh"]),
        ] {
            for limb in limbs {
                let names: Vec<String> = limb.split(' ').map(|name| format!("{name}.{side}")).collect();
                assert_eq!(limb_names(skeleton, &names[0]), names);
            }
        }
    }
    for (skeleton, limb) in [
        (&human, "head neck"),
        (&human, "chest spine2 spine"),
        (&human, "pelvis"),
        (&animal, "neck3 neck2 neck"),
        (&animal, "tail4 tail3 tail2 tail"),
        (&animal, "chest"),
    ] {
        let names: Vec<&str> = limb.split(' ').collect();
        assert_eq!(limb_names(skeleton, names[0]), names);
    }
}

/// Builds a skeleton from (name, parent, [x, y, z]) of the tips; `base` is where roots start.
fn drawn(base: Vec3, bones: &[(&str, &str, [f32; 3])]) -> Skeleton {
    let mut skeleton = Skeleton { base, ..Skeleton::default() };
    for (name, parent, tip) in bones {
        let place = |name: &str| bones.iter().position(|bone| bone.0 == name);
        let start = place(parent).map_or(base, |parent| Vec3::from(bones[parent].2));
        let mut new = bone(place(parent), Vec3::from(*tip) - start);
        new.name = Some((*name).into());
        skeleton.bones.push(new);
    }
    skeleton
}

#[test]
fn limbs_of_other_skeletons() {
    // Scotty3D's human: collars, spine and head start at the base of the neck.
    let scotty = drawn(
        Vec3::new(0.0, 4.6, 0.0),
        &[
            ("collar.L", "", [0.57, 4.84, -0.13]),
            ("collar.R", "", [-0.58, 4.85, -0.13]),
            ("spine", "", [-0.01, 3.31, 0.01]),
            ("head", "", [0.0, 5.64, 0.13]),
            ("arm.L", "collar.L", [1.42, 4.70, -0.27]),
            ("forearm.L", "arm.L", [2.13, 4.64, 0.02]),
            ("hand.L", "forearm.L", [2.62, 4.60, 0.33]),
            ("arm.R", "collar.R", [-1.33, 4.73, -0.24]),
            ("forearm.R", "arm.R", [-2.17, 4.64, 0.09]),
            ("hand.R", "forearm.R", [-2.68, 4.61, 0.36]),
            ("hip.R", "spine", [-0.33, 2.91, 0.03]),
            ("thigh.R", "hip.R", [-0.50, 1.44, -0.06]),
            ("shin.R", "thigh.R", [-0.52, 0.13, -0.06]),
            ("foot.R", "shin.R", [-0.65, 0.05, 0.57]),
            ("hip.L", "spine", [0.37, 2.86, 0.03]),
            ("thigh.L", "hip.L", [0.44, 1.47, -0.01]),
            ("shin.L", "thigh.L", [0.47, 0.04, -0.03]),
            ("foot.L", "shin.L", [0.58, -0.03, 0.49]),
        ],
    );
    for side in ["L", "R"] {
        for limb in ["hand forearm arm", "forearm arm", "foot shin thigh", "shin thigh"] {
            let names: Vec<String> = limb.split(' ').map(|name| format!("{name}.{side}")).collect();
            assert_eq!(limb_names(&scotty, &names[0]), names);
        }
    }
    // docs/first-rig.md before mirroring: legs start at the base, with a bone to the hip.
    let half = [
        ("waist", "", [0.0, 3.4, 0.0]),
        ("chest", "waist", [0.0, 3.9, 0.0]),
        ("neck", "chest", [0.0, 4.5, -0.08]),
        ("chin", "neck", [0.0, 4.9, 0.0]),
        ("top", "chin", [0.0, 5.5, 0.0]),
        ("hip", "", [0.27, 2.9, 0.0]),
        ("thigh", "hip", [0.32, 1.56, 0.04]),
        ("shin", "thigh", [0.38, 0.25, -0.09]),
        ("foot", "shin", [0.43, 0.07, 0.34]),
        ("collar", "neck", [0.58, 4.41, -0.05]),
        ("arm", "collar", [1.28, 3.66, -0.09]),
        ("forearm", "arm", [1.83, 3.06, 0.05]),
        ("hand", "forearm", [2.15, 2.6, 0.18]),
    ];
    let first_rig = drawn(Vec3::new(0.0, 3.0, 0.0), &half);
    for limb in ["hand forearm arm", "forearm arm", "foot shin thigh", "top chin"] {
        let names: Vec<&str> = limb.split(' ').collect();
        assert_eq!(limb_names(&first_rig, names[0]), names);
    }
    // Without a fork: everything except the root, or a single bone.
    for (bones, expected) in [(1, 1), (2, 1), (5, 4)] {
        assert_eq!(limb(&chain(bones, Vec3::Y), bones - 1), expected);
    }
    assert_eq!(limb(&chain(5, Vec3::Y), 0), 1);
    assert_eq!(limb(&Skeleton::default(), 3), 1);
}

/// A pinned head turns in all directions; elbows and knees bend in one.
#[test]
fn limbs_get_poles_and_necks_none() {
    for (file, limbs, middle) in [
        ("A4-human", &["hand.L", "foot.R"][..], &["head", "neck"][..]),
        ("quadruped", &["hoof.L", "hoof.R"][..], &["head"][..]),
    ] {
        let (scene, _) = js3d::read_file(Path::new(&format!("media/js3d/{file}.js3d"))).unwrap();
        let skeleton = &scene.skinned_meshes.values().next().unwrap().skeleton;
        let pole = |name: &str| {
            let bone = (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name).unwrap();
            let handle = Handle { chain: Some(body::limb::limb(skeleton, bone)), ..handle(bone, Vec3::ZERO) };
            ik::pole::limb_pole(skeleton, &handle)
        };
        assert!(limbs.iter().all(|name| pole(name).is_some()), "{file}");
        assert!(middle.iter().all(|name| pole(name).is_none()), "{file}");
    }
}
