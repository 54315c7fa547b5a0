//! What every motion must keep, on bodies of different proportions.

use crate::motion::figure::{Figure, Unfit};
use crate::motion::knobs::{KNOBS, Knob, Knobs, STYLES};
use crate::motion::posture::Pose;
use crate::motion::{Clip, Contact, MOTIONS, Motion, SkinPoint, fastest, generate};
use crate::rig::body::middle::BothSides;
use crate::rig::edits::symmetry::mirrored_pose;
use crate::rig::kinematics::{bind_pose, current_pose, tips};
use crate::rig::skeleton::Skeleton;
use crate::testing::{
    chibi, giraffe, giraffe_bending, human, low_chibi, soles, stiff_giraffe, straddled, uneven_giraffe,
};
use glam::{DQuat, DVec3};

/// Calls a function for every motion of every body, with the name of both.
fn for_all(mut check: impl FnMut(&str, &Skeleton, &Figure, Motion, Clip)) {
    let bare = [
        ("human", human()),
        ("straddled", straddled(10.0)),
        ("chibi", chibi()),
        ("low chibi", low_chibi()),
        ("giraffe", giraffe()),
    ];
    let bodies = bare.map(|(body, skeleton)| (body, skeleton, Vec::new()));
    let with_skin = ("human with soles", human(), soles(&human()));
    for (body, skeleton, skin) in bodies.into_iter().chain([with_skin]) {
        let figure = Figure::new(&skeleton, &skin).unwrap();
        for row in MOTIONS {
            if let Ok(clip) = generate(&figure, row.motion, &Knobs::default(), 24.0, false) {
                check(&format!("{body} {}", row.name), &skeleton, &figure, row.motion, clip);
            }
        }
    }
}

/// The skeleton in a pose, in the precision of files.
fn posed(skeleton: &Skeleton, pose: &Pose) -> Skeleton {
    let mut skeleton = skeleton.clone();
    skeleton.base_offset = pose.base_offset.as_vec3();
    for (bone, this) in skeleton.bones.iter_mut().enumerate() {
        this.pose_deg = pose.angles(bone);
    }
    skeleton
}

/// Legs from which steps are wanted that are far too long for them let the body sink until ankles are above hips.
#[test]
fn a_body_whose_ankles_would_rise_above_its_hips_is_refused() {
    for skeleton in [giraffe(), human()] {
        let walk = |size: f64| {
            let mut figure = Figure::new(&skeleton, &[]).unwrap();
            figure.stature *= size;
            generate(&figure, Motion::Walk, &Knobs::default(), 24.0, false).map(drop)
        };
        assert_eq!((walk(1.0), walk(6.0)), (Ok(()), Err(Unfit::Lifted)));
    }
}

/// Of a body that stands beside the middle of the scene, as of one of two characters in a file, every motion is the same.
#[test]
fn a_body_moves_alike_wherever_it_stands() {
    for skeleton in [human(), chibi(), giraffe()] {
        let usual = Figure::new(&skeleton, &[]).unwrap();
        for aside in [DVec3::X * 1.3, DVec3::X * -0.02, DVec3::new(-4.0, 0.0, 2.0)] {
            let mut moved = skeleton.clone();
            moved.base += (usual.height * aside).as_vec3();
            let figure = Figure::new(&moved, &[]).unwrap();
            for row in MOTIONS.iter().filter(|row| row.legs.contains(&usual.legs.len())) {
                let clip = |figure| generate(figure, row.motion, &Knobs::default(), 24.0, false).unwrap();
                let (found, expected) = (clip(&figure), clip(&usual));
                for (found, expected) in found.poses.iter().zip(&expected.poses) {
                    let off = found.base_offset.distance(expected.base_offset) / usual.height;
                    assert!(off < 1e-4, "{} at {aside}: {off} H", row.name);
                    for (found, expected) in found.angles_deg.iter().zip(&expected.angles_deg) {
                        assert!(found.abs_diff_eq(*expected, 0.05), "{} at {aside}: {found}", row.name);
                    }
                }
            }
        }
    }
}

/// Whatever a knob is set to, there is a motion: of gaits that are too fast for the legs, the fastest that they can make.
#[test]
fn no_knob_stops_a_motion() {
    for skeleton in [human(), chibi(), low_chibi(), giraffe()] {
        let figure = Figure::new(&skeleton, &[]).unwrap();
        for row in MOTIONS.iter().filter(|row| row.legs.contains(&figure.legs.len())) {
            for (knob, value) in KNOBS.iter().flat_map(|row| row.range.map(|value| (row.knob, value))) {
                let mut knobs = Knobs::default();
                knobs.set(knob, value);
                let clip = generate(&figure, row.motion, &knobs, 24.0, false);
                let name = format!("{} with {knob:?} {value}", row.name);
                let clip = clip.unwrap_or_else(|why| panic!("{name}: {why}"));
                assert!(clip.overreach < 1e-3 * figure.height, "{name}: {}", clip.overreach);
            }
        }
    }
}

/// A walk that is wanted faster than people walk is as fast as the fastest of them.
#[test]
fn a_walk_is_no_faster_than_legs_can_go() {
    let figure = Figure::new(&human(), &[]).unwrap();
    let walk = |speed: f64| {
        let mut knobs = Knobs::default();
        knobs.set(Knob::Speed, speed);
        generate(&figure, Motion::Walk, &knobs, 24.0, false).unwrap()
    };
    let (brisk, fast) = (walk(1.2), walk(2.6));
    assert!(!brisk.is_slowed && fast.is_slowed);
    let speed = fast.speed / figure.stature;
    assert!((speed - 1.45).abs() < 0.01, "{speed}");
    assert_eq!(fast.used.get(Knob::Speed), Some(speed));
    assert_eq!(fast, Clip { is_slowed: true, ..walk(speed) });
}

/// The end of a slider of speeds: no motion is slowed there, and all are beyond.
#[test]
fn the_fastest_speed_is_the_last_that_legs_make() {
    for skeleton in [human(), chibi(), low_chibi(), giraffe()] {
        let figure = Figure::new(&skeleton, &[]).unwrap();
        for row in MOTIONS.iter().filter(|row| row.legs.contains(&figure.legs.len())) {
            let at = |speed: f64| {
                let mut knobs = Knobs::default();
                knobs.set(Knob::Speed, speed);
                generate(&figure, row.motion, &knobs, 24.0, false).unwrap()
            };
            let usual = generate(&figure, row.motion, &Knobs::default(), 24.0, false).unwrap();
            let found = fastest(&figure, row.motion, &Knobs::default());
            assert_eq!(found.is_some(), usual.used.get(Knob::Speed).is_some(), "{}", row.name);
            let Some(speed) = found else { continue };
            assert!(!at(speed).is_slowed, "{} at {speed}", row.name);
            assert!(at(speed + 0.01).is_slowed, "{} at {speed}", row.name);
        }
    }
    let human = Figure::new(&human(), &[]).unwrap();
    let walk = fastest(&human, Motion::Walk, &Knobs::default()).unwrap();
    assert!(
        (walk - 1.45).abs() < 0.01 && fastest(&human, Motion::Idle, &Knobs::default()).is_none(),
        "{walk}"
    );
}

#[test]
fn no_leg_is_too_short_and_no_limit_is_exceeded() {
    let mut broken = Vec::new();
    for_all(|name, skeleton, figure, _, clip| {
        if clip.overreach > 0.0 {
            broken.push(format!("{name}: overreach {:.4} H", clip.overreach / figure.height));
        }
        let mut worst: std::collections::BTreeMap<String, f32> = Default::default();
        for pose in &clip.poses {
            for (bone, this) in skeleton.bones.iter().enumerate() {
                let angles = pose.angles(bone);
                let excess = (angles - this.limits_deg.clamp(angles)).abs();
                // A foot as long as its leg stands flat while the leg leans.
                let is_long_foot =
                    name.starts_with("low chibi") && this.name.as_deref().unwrap().starts_with("foot");
                for axis in 0..3 {
                    if excess[axis] > if is_long_foot { 12.0 } else { 1e-3 } {
                        let most = worst
                            .entry(format!("{} {}", this.name.as_deref().unwrap(), ["x", "y", "z"][axis]))
                            .or_default();
                        *most = most.max(excess[axis]);
                    }
                }
            }
        }
        broken.extend(worst.into_iter().map(|(bone, by)| format!("{name}: {bone} by {by:.1}°")));
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Feet of a body that was modelled with its legs apart, of one whose legs are closer, and with the distance of the knob.
#[test]
fn a_body_at_rest_stands_with_its_feet_below_its_hips() {
    for deg in [10.0, -4.0] {
        let skeleton = straddled(deg);
        let figure = Figure::new(&skeleton, &[]).unwrap();
        let hips = figure.legs[0].hip.x - figure.legs[1].hip.x;
        let modelled = figure.legs[0].ankle.x - figure.legs[1].ankle.x;
        for motion in [Motion::Idle, Motion::Wave, Motion::Turn, Motion::Jump] {
            for width in [None, Some(0.12)] {
                let mut knobs = Knobs::default();
                width.into_iter().for_each(|width| knobs.set(Knob::StepWidth, width));
                let clip = generate(&figure, motion, &knobs, 24.0, false).unwrap();
                for pose in [&clip.poses[0], &clip.poses[clip.poses.len() - 1]] {
                    let posed = posed(&skeleton, pose);
                    let current = current_pose(&posed);
                    let ankles = [0, 1].map(|leg| current[figure.legs[leg].end()].translation);
                    let found = ankles[0].with_y(0.0).distance(ankles[1].with_y(0.0));
                    let expected = width.map_or(hips.min(modelled), |width| width * figure.stature);
                    let off = (found - expected).abs() / figure.height;
                    assert!(off < 1e-4, "{motion:?} by {deg}° with {width:?}: {found}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn feet_on_the_ground_do_not_slide() {
    for_all(|name, skeleton, figure, _, clip| {
        // How far the tail of each bone is from where it would be if the ground carried it.
        let place = |frame: usize, bone: usize| {
            let count = clip.poses.len() - 1;
            let posed = posed(skeleton, &clip.poses[if clip.loops { frame % count } else { frame }]);
            let along = figure.skeleton_from_body * DVec3::Z * clip.speed * frame as f64 / clip.rate;
            tips(&posed, &current_pose(&posed))[bone] + along
        };
        for contact in &clip.contacts {
            // The ball of the foot, from when it is flat: the pivot that the foot leaves last.
            let leg = figure.legs.iter().position(|leg| leg.end() == contact.foot).unwrap();
            let bone = contact.foot;
            let stands: Vec<usize> = (contact.down as usize..=contact.up as usize)
                .filter(|&frame| clip.balls[leg][frame % (clip.poses.len() - 1).max(1)])
                .collect();
            assert!(stands.len() > 1 || clip.poses.len() < 3, "{name}");
            for &frame in &stands {
                let drift = place(frame, bone).distance(place(stands[0], bone)) / figure.height;
                assert!(drift < 1e-4, "{name}: {drift} H at frame {frame}");
            }
        }
    });
}

/// Soles that are longer than the bones of their feet, at other heights than these end, and bent by skin weights.
#[test]
fn no_sole_sinks_into_the_floor() {
    let mut sunk = Vec::new();
    let bodies = [
        ("human", human()),
        ("chibi", chibi()),
        ("giraffe", giraffe()),
        ("uneven", uneven_giraffe()),
        ("stiff", stiff_giraffe()),
        ("stiff-kneed", giraffe_bending(&["shank"], 12.0)),
    ];
    for (body, skeleton) in bodies {
        let skin = soles(&skeleton);
        let figure = Figure::new(&skeleton, &skin).unwrap();
        let bind = bind_pose(&skeleton).iter().map(|bone| bone.inverse()).collect::<Vec<_>>();
        for row in MOTIONS {
            let Ok(clip) = generate(&figure, row.motion, &Knobs::default(), 24.0, false) else { continue };
            let lowest = clip.poses.iter().flat_map(|pose| {
                let current = current_pose(&posed(&skeleton, pose));
                let height = |point: &SkinPoint| {
                    let moved =
                        |bone: usize| (current[bone] * bind[bone]).transform_point3(point.place.as_dvec3()).y;
                    point.blend(point.bones.map(moved))
                };
                skin.iter().map(height).collect::<Vec<f64>>()
            });
            let lowest = (lowest.fold(f64::INFINITY, f64::min) - figure.floor) / figure.height;
            if lowest < -5e-4 {
                sunk.push(format!("{body} {}: {:.2} % H", row.name, 100.0 * lowest));
            }
        }
    }
    assert!(sunk.is_empty(), "{}", sunk.join("\n"));
}

/// Toes that skin weights would press down bend up, and stand on when the ball has left the floor.
#[test]
fn feet_with_a_skin_stand_as_long() {
    let [bare, skinned] = [Vec::new(), soles(&human())].map(|skin| {
        let figure = Figure::new(&human(), &skin).unwrap();
        let motions = [Motion::Sneak, Motion::CrouchWalk, Motion::Jump, Motion::Walk, Motion::Run];
        motions.map(|motion| generate(&figure, motion, &Knobs::default(), 24.0, false).unwrap().contacts)
    });
    assert_eq!(bare, skinned);
}

#[test]
fn loops_close_to_the_byte_and_travel_changes_the_base_alone() {
    for_all(|name, _, figure, motion, clip| {
        let (first, last) = (&clip.poses[0], &clip.poses[clip.poses.len() - 1]);
        assert!(!clip.loops || first == last, "{name}");
        let travelling = generate(figure, motion, &Knobs::default(), 24.0, true).unwrap();
        for (frame, (a, b)) in clip.poses.iter().zip(&travelling.poses).enumerate() {
            assert_eq!(a.angles_deg, b.angles_deg, "{name}");
            let along = figure.skeleton_from_body * DVec3::Z * clip.speed * frame as f64 / clip.rate;
            assert!(b.base_offset.abs_diff_eq(a.base_offset + along, 1e-9), "{name}");
        }
    });
}

#[test]
fn the_mirror_image_of_a_gait_is_the_gait_half_a_cycle_later() {
    for_all(|name, skeleton, _, _, clip| {
        if clip.speed == 0.0 {
            return;
        }
        let BothSides { plane, others, .. } = BothSides::new(skeleton);
        let half = (clip.poses.len() - 1) / 2;
        for frame in 0..half {
            let (now, later) = (&clip.poses[frame], &clip.poses[frame + half]);
            let base = now.base_offset * DVec3::new(-1.0, 1.0, 1.0);
            assert!(base.abs_diff_eq(later.base_offset, 1e-6), "{name}: {base} {}", later.base_offset);
            for (bone, other) in others.iter().enumerate() {
                let other = other.unwrap();
                let (from, to) = (&skeleton.bones[bone], &skeleton.bones[other]);
                // To the last digits of f32.
                let image = mirrored_pose(from, to, now.angles(bone), &plane);
                let found = later.angles(other);
                assert!(image.abs_diff_eq(found, 1e-4), "{name}: {:?} {image} {found} at {frame}", from.name);
            }
        }
    });
}

#[test]
fn knees_bend_forwards_and_never_too_far() {
    for_all(|name, skeleton, figure, _, clip| {
        for (frame, pose) in clip.poses.iter().enumerate() {
            let current = current_pose(&posed(skeleton, pose));
            for hinge in figure.legs.iter().flat_map(|leg| leg.hinges()) {
                let parent = figure.parts[hinge.bone].parent.unwrap();
                let turn = current[parent].matrix3.transpose() * current[hinge.bone].matrix3;
                let (axis, angle) = DQuat::from_mat3(&turn).to_axis_angle();
                let bend = angle * axis.dot(figure.skeleton_from_body * hinge.axis).signum();
                // Hocks, which bend backwards, are bent in the bind pose.
                let knee = (bend + hinge.bind).to_degrees();
                assert!((-1e-3..178.0).contains(&knee), "{name}: {knee} at frame {frame}");
            }
        }
    });
}

/// In scene units, for the height of a person in metres.
#[test]
fn the_centre_of_mass_falls_freely_in_flight() {
    let rate = 60.0;
    for (skeleton, motion) in [
        (human(), Motion::Run),
        (human(), Motion::Jump),
        (chibi(), Motion::Run),
        (chibi(), Motion::Jump),
        (giraffe(), Motion::Trot),
    ] {
        let figure = Figure::new(&skeleton, &[]).unwrap();
        let clip = generate(&figure, motion, &Knobs::default(), rate, false).unwrap();
        let count = clip.poses.len() - 1;
        let stands = |frame: usize| {
            let within =
                |contact: &Contact, frame: usize| (contact.down..=contact.up).contains(&(frame as u32));
            clip.contacts
                .iter()
                .any(|contact| within(contact, frame) || clip.loops && within(contact, frame + count))
        };
        let height = |frame: usize| {
            let posed = posed(&skeleton, &clip.poses[frame]);
            let (mut sum, mut mass) = (0.0, 0.0);
            for (part, (bone, current)) in
                figure.parts.iter().zip(posed.bones.iter().zip(current_pose(&posed)))
            {
                sum += part.mass * current.transform_point3(0.5 * bone.extent.as_dvec3()).y;
                mass += part.mass;
            }
            sum / mass
        };
        let mut flown = 0;
        for frame in (1..count).filter(|&frame| (frame - 1..=frame + 1).all(|frame| !stands(frame))) {
            let fall = height(frame - 1) - 2.0 * height(frame) + height(frame + 1);
            let error = (fall * rate * rate + figure.gravity) / figure.gravity;
            // A millimetre at the height of a person.
            let millimetre = 1e-3 / 1.75 * figure.height;
            assert!((fall + figure.gravity / rate / rate).abs() < millimetre, "{motion:?}: {error}");
            assert!(error.abs() < 0.02, "{motion:?}: {error}");
            flown += 1;
        }
        assert!(flown > 2, "{motion:?}");
    }
}

/// A body that was modelled in a long stride walks with its legs below it: no foot rises above the knees, and the body is about
/// as high as that of one which was modelled standing.
#[test]
fn a_body_that_was_modelled_in_a_stride_walks_like_any_other() {
    let walk = |skeleton: &Skeleton| {
        let figure = Figure::new(skeleton, &[]).unwrap();
        let clip = generate(&figure, Motion::Walk, &Knobs::default(), 24.0, false).unwrap();
        let heights = clip.poses.iter().map(|pose| {
            let posed = posed(skeleton, pose);
            let tips = tips(&posed, &current_pose(&posed));
            let ankles = figure.legs.iter().map(|leg| tips[leg.hinges()[0].bone].y - figure.floor);
            (ankles.fold(0.0, f64::max), posed.base_offset.y)
        });
        let heights: Vec<(f64, f32)> = heights.collect();
        let foot = heights.iter().map(|(foot, _)| foot / figure.height).fold(0.0, f64::max);
        (
            foot,
            heights.iter().map(|(_, base)| base).sum::<f32>() / heights.len() as f32 / figure.height as f32,
        )
    };
    let standing = human();
    let mut striding = standing.clone();
    for bone in &mut striding.bones {
        let name = bone.name.as_deref().unwrap().to_owned();
        let degrees: f32 = if name.ends_with(".L") { -24.0 } else { 24.0 };
        if ["thigh", "shin"].iter().any(|part| name.starts_with(part)) {
            bone.extent = glam::Quat::from_rotation_x(degrees.to_radians()) * bone.extent;
        }
    }
    let [a, b] = [walk(&standing), walk(&striding)];
    assert!(b.0 < a.0 + 0.05 && b.0 < 0.28, "feet rise to {} and {} H", a.0, b.0);
    // Legs that are bent forwards and back in the bind pose are stretched: the body rises.
    assert!((b.1 - a.1).abs() < 0.06, "bodies are raised by {} and {} H", a.1, b.1);
}

#[test]
fn arms_keep_clear_of_the_body() {
    for_all(|name, _, figure, motion, clip| {
        // A forearm that is as short as the head is wide cannot be clear of the trunk while it is raised.
        if name.ends_with("chibi wave") {
            return;
        }
        let mut knobs = Knobs::default();
        // Arms that are raised, as for a greeting, or short ones beside a wide body have no more room.
        let spaces = if clip.speed > 0.0 && name.starts_with("human") { &[0.0, 0.03][..] } else { &[0.0] };
        for &space in spaces {
            knobs.set(Knob::ArmSpace, space);
            let distance = crate::motion::clearance_of(figure, motion, &knobs).unwrap();
            let least = (0.01 + space) * figure.height;
            assert!(distance >= least - 1e-9, "{name}: {:.4} H", distance / figure.height);
        }
    });
}

#[test]
fn styles_and_speeds_suit_every_body() {
    for skeleton in [human(), chibi()] {
        let figure = Figure::new(&skeleton, &[]).unwrap();
        for style in STYLES {
            let clip = generate(&figure, Motion::Walk, &style.knobs(), 24.0, false).unwrap();
            assert_eq!(clip.overreach, 0.0, "{}", style.name);
            let walk = style.settings.iter().find(|(knob, _)| *knob == Knob::Speed).unwrap().1;
            assert!((clip.speed - walk * figure.stature).abs() < 1e-9, "{}", style.name);
            for motion in [Motion::Run, Motion::CrouchWalk, Motion::Sneak] {
                let speed = |knobs| generate(&figure, motion, &knobs, 24.0, false).unwrap().speed;
                let ratio = speed(style.knobs()) / speed(Knobs::default());
                assert!((ratio - walk / 0.62).abs() < 1e-9, "{} {motion:?}: {ratio}", style.name);
            }
        }
        for (motion, speeds) in [(Motion::Walk, [0.2, 0.5, 1.0]), (Motion::Run, [1.2, 2.5, 3.5])] {
            for speed in speeds {
                let mut knobs = Knobs::default();
                knobs.set(Knob::Speed, speed);
                let clip = generate(&figure, motion, &knobs, 24.0, false).unwrap();
                assert_eq!(clip.overreach, 0.0, "{motion:?} at {speed}");
                assert!((clip.speed - speed * figure.stature).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn bodies_that_face_another_way_move_alike() {
    let turn = glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    let mut turned = human();
    turned.base = turn * turned.base;
    for bone in &mut turned.bones {
        bone.extent = turn * bone.extent;
        (bone.limits_deg, bone.preferred_deg) = Default::default();
    }
    let (human, figure) = (human(), Figure::new(&turned, &[]).unwrap());
    let walk = |figure: &Figure| generate(figure, Motion::Walk, &Knobs::default(), 24.0, true).unwrap();
    let (moved, usual) = (walk(&figure), walk(&Figure::new(&human, &[]).unwrap()));
    assert_eq!(moved.overreach, 0.0);
    let places = |skeleton: &Skeleton, clip: &Clip, frame: usize| {
        let posed = posed(skeleton, &clip.poses[frame]);
        tips(&posed, &current_pose(&posed))
    };
    for frame in 0..usual.poses.len() {
        let feet = figure.legs.iter().map(|leg| leg.end());
        for foot in feet {
            let expected = turn.as_dquat() * places(&human, &usual, frame)[foot];
            let found = places(&turned, &moved, frame)[foot];
            assert!(found.distance(expected) < 0.02 * figure.height, "{found} {expected} at {frame}");
        }
    }
}
