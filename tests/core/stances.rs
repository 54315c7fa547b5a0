//! When feet stand, as takes of generated motions tell, or as is found without their members.

use ossature::anim::contacts::CONTACTS;
use ossature::anim::take::Take;
use ossature::edit::generate::{Wanted, commands};
use ossature::edit::time::stances::{Stance, stances};
use ossature::extra::{Value, array};
use ossature::io::js3d;
use ossature::motion::{Knobs, MOTIONS, MotionRow};
use ossature::rig::body::feet::feet;
use ossature::rig::skeleton::Handle;
use ossature::scene::Scene;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

#[test]
fn stances_of_generated_takes_are_those_of_the_motions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let mut scene = js3d::read_file(&path).unwrap().0;
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    scene.animation = Arc::default();
    let motions = MOTIONS.iter().filter(|row| ["walk", "run", "jump"].contains(&row.name));
    let wanted: Vec<Wanted> =
        motions.map(|motion| Wanted { motion, knobs: Knobs::default(), travels: false }).collect();
    let (commands, added) = commands(&scene, &mesh, &wanted).unwrap();
    commands.iter().for_each(|command| drop(command.apply(&mut scene).unwrap()));
    let stances = stances(&scene, [0.0, f64::INFINITY]);
    let skeleton = scene.skinned_meshes[&mesh].skeleton.clone();
    let mut most = 0;
    for (take, added) in scene.animation.takes.list.iter().zip(&added) {
        for contact in &added.clip.contacts {
            let name = skeleton.bone_name(contact.foot);
            for frame in 0..added.frames {
                let is_during = |frame: u32| {
                    let mut same = added.clip.contacts.iter().filter(|other| other.foot == contact.foot);
                    same.any(|other| (other.down..=other.up).contains(&frame))
                };
                let wanted = is_during(frame) || added.clip.loops && is_during(frame + added.frames);
                let at = f64::from(take.range[0] + frame);
                let found = stances.iter().any(|stance| {
                    let [from, to] = stance.frames;
                    stance.foot == name && (from - 1e-3..=to + 1e-3).contains(&at)
                });
                assert_eq!(found, wanted, "{name} of {} at {frame}", take.name);
                most += usize::from(wanted);
            }
        }
    }
    assert!(most > 50 && added.len() == 3, "{most}");
}

/// An imported clip does not tell when its feet stand: what is found in motions that do, without their members, is what they
/// tell, but for some frames at the ends of stances, over the ground and on the spot.
#[test]
fn stances_of_other_takes_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d");
    for (file, travels) in
        [("A4-human", true), ("A4-human", false), ("quadruped", true), ("quadruped", false)]
    {
        let mut scene = js3d::read_file(&folder.join(file).with_extension("js3d")).unwrap().0;
        let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
        let told = generated(&mut scene, travels);
        let animation = Arc::make_mut(&mut scene.animation);
        animation.takes.list.iter_mut().for_each(|take| take.extra = Default::default());
        let found = stances(&scene, [0.0, f64::INFINITY]);
        let stands = |stances: &[Stance], foot: &str, frame: u32| {
            let at = f64::from(frame);
            stances.iter().any(|stance| {
                let [from, to] = stance.frames;
                stance.foot == foot && (from - 1e-3..=to + 1e-3).contains(&at)
            })
        };
        let feet: BTreeSet<&str> = told.iter().map(|stance| &*stance.foot).collect();
        assert_eq!(feet, found.iter().map(|stance| &*stance.foot).collect());
        for (take, foot) in
            scene.animation.takes.list.iter().flat_map(|take| feet.iter().map(move |foot| (take, foot)))
        {
            let frames = || take.range[0]..=take.range[1];
            let missed = frames().filter(|&frame| stands(&told, foot, frame) && !stands(&found, foot, frame));
            let added = frames().filter(|&frame| !stands(&told, foot, frame) && stands(&found, foot, frame));
            let (missed, added) = (missed.count(), added.count());
            assert!(missed <= 1 && added <= 2, "{} {foot} {travels}: {missed}, {added}", take.name);
        }
        // A leg that handles move is left to them, and one without keys does not stand.
        let skeleton = &scene.skinned_meshes[&mesh].skeleton;
        let foot = (0..skeleton.bones.len()).find(|bone| skeleton.bone_name(*bone) == found[0].foot);
        let handle = Handle { bone: foot.unwrap() as u32, enabled: true, ..Handle::default() };
        let skinned = Arc::make_mut(scene.skinned_meshes.get_mut(&mesh).unwrap());
        Arc::make_mut(&mut skinned.skeleton).handles.push(handle);
        let others = stances(&scene, [0.0, f64::INFINITY]);
        assert!(!others.is_empty() && others.iter().all(|stance| stance.foot != found[0].foot));
        Arc::make_mut(&mut scene.animation).channels.retain(|resource, _| *resource != mesh);
        assert_eq!(stances(&scene, [0.0, f64::INFINITY]), []);
    }
}

/// Adds walk, run (or trot) and jump to the first character, without other animation, and returns what they tell.
fn generated(scene: &mut Scene, travels: bool) -> Vec<Stance> {
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    scene.animation = Arc::default();
    let legs = feet(&scene.skinned_meshes[&mesh].skeleton).len();
    let is_tried = |row: &&MotionRow| ["walk", "run", "jump", "trot"].contains(&row.name);
    let motions = MOTIONS.iter().filter(is_tried).filter(|row| row.legs.contains(&legs));
    let wanted: Vec<Wanted> =
        motions.map(|motion| Wanted { motion, knobs: Knobs::default(), travels }).collect();
    let (commands, _) = commands(scene, &mesh, &wanted).unwrap();
    commands.iter().for_each(|command| drop(command.apply(scene).unwrap()));
    stances(scene, [0.0, f64::INFINITY])
}

/// A file may say anything.
#[test]
fn members_of_other_kinds_are_no_stances() {
    let mut take = Take::new("Odd", [0, 30]);
    let mut contacts = array::Builder::default();
    let object = |members: &[(&str, Value)]| {
        Value::Object(members.iter().map(|(name, value)| ((*name).into(), value.clone())).collect())
    };
    let foot = || ("foot", Value::Text("Left".into()));
    for odd in [
        Value::Text("Left".into()),
        object(&[foot(), ("down", Value::Float(0.1))]),
        object(&[foot(), ("down", Value::Bool(true)), ("up", Value::Float(0.2))]),
        object(&[foot(), ("down", Value::Float(f64::MAX)), ("up", Value::Float(f64::MAX))]),
        object(&[foot(), ("down", Value::Float(0.5)), ("up", Value::Float(0.1))]),
        object(&[("foot", Value::Unsigned(3)), ("down", Value::Float(0.0)), ("up", Value::Float(0.1))]),
    ] {
        contacts.push(Err(odd));
    }
    contacts.push(Err(object(&[foot(), ("down", Value::Unsigned(0)), ("up", Value::Float(0.1))])));
    take.extra.set(CONTACTS, Value::Array(contacts.finish()));
    let mut scene = Scene::default();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.clip.rate = 20.0;
    animation.takes.list.push(take);
    let all = stances(&scene, [0.0, 100.0]);
    assert_eq!(all.iter().map(|stance| stance.frames).collect::<Vec<_>>(), [[0.0, 2.0]]);
    assert!(stances(&scene, [40.0, 100.0]).is_empty(), "out of sight");
}
