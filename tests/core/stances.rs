//! When feet stand, as takes of generated motions tell.

use ossature::anim::take::Take;
use ossature::edit::generate::{CONTACTS, Wanted, commands};
use ossature::edit::time::stances::stances;
use ossature::extra::{Value, array};
use ossature::io::js3d;
use ossature::motion::{Knobs, MOTIONS};
use ossature::scene::Scene;
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
