//! Commands on takes for the editing tests: an example of every kind, and random ones.

use super::Random;
use ossature::anim::take::{Take, Takes};
use ossature::edit::command::takes::TakeCommand;
use ossature::scene::Scene;
use std::collections::BTreeSet;

/// Returns the takes of [`super::scene`].
pub fn takes() -> Takes {
    Takes { list: vec![Take::new("Walk", [0, 10]), Take::new("Run", [5, 10])], chosen: None }
}

/// Returns one command of every kind that changes [`super::scene`], with its label.
pub fn take_examples() -> Vec<(TakeCommand, &'static str)> {
    let (walk, range) = (|| "Walk".to_owned(), [3, 20]);
    vec![
        (TakeCommand::Add { name: walk(), range }, "Add take Walk 2"),
        (TakeCommand::Rename { take: walk(), name: "Run".into() }, "Rename take Walk to Run 2"),
        (TakeCommand::Delete { take: walk() }, "Delete take Walk"),
        (TakeCommand::SetRange { take: walk(), range }, "Make take Walk 3 to 20"),
        (TakeCommand::SetCycle { take: walk(), cycle: true }, "Make take Walk a cycle"),
        (TakeCommand::Choose { take: Some(walk()) }, "Play take Walk"),
    ]
}

/// Returns a random command on takes; with `wrong`, one that must fail.
pub fn any_take_command(random: &mut Random, scene: &Scene, wrong: bool) -> TakeCommand {
    let animation = &scene.animation;
    let names: Vec<_> = animation.takes.list.iter().map(|take| take.name.clone()).collect();
    let missing = wrong || names.is_empty();
    let take = match missing {
        true => "Nobody".to_owned(),
        false => names[random.below(names.len())].clone(),
    };
    let last = animation.clip.last_frame();
    let first = random.below(last as usize + 1) as u32;
    let end = first + random.below((last - first) as usize + 1) as u32;
    let range = if wrong { [first, last + 1] } else { [first, end] };
    let name = ["Idle", "Walk", "Run"][random.below(3)].to_owned();
    match random.below(8) {
        0 | 1 => TakeCommand::Add { name, range },
        2 => TakeCommand::Rename { take, name },
        3 => TakeCommand::Delete { take },
        4 => TakeCommand::SetRange { take, range },
        5 => TakeCommand::SetCycle { take, cycle: random.chance(80) },
        6 if wrong
            || animation.takes.get(&take).is_some_and(|take| take.cycle && animation.has_room(take, 2)) =>
        {
            TakeCommand::Repeat { take, times: 2 }
        }
        _ => TakeCommand::Choose { take: (missing || random.chance(80)).then_some(take) },
    }
}

/// Returns what is wrong with the takes of a scene.
pub fn faults(scene: &Scene) -> Vec<String> {
    let (takes, clip) = (&scene.animation.takes, scene.animation.clip);
    let mut faults = Vec::new();
    let names: BTreeSet<_> = takes.list.iter().map(|take| &take.name).collect();
    if names.len() < takes.list.len() || names.iter().any(|name| name.trim().is_empty()) {
        faults.push(format!("takes are called {names:?}"));
    }
    for Take { name, range, .. } in &takes.list {
        if range[0] > range[1] || range[1] > clip.last_frame() {
            faults.push(format!("take {name} has the frames {range:?}"));
        }
    }
    let chosen = takes.chosen.map(|at| takes.list.get(at).map(|take| take.range));
    if chosen.is_some_and(|range| range.is_none() || range != clip.range) {
        faults.push("the chosen take is not what is played".to_owned());
    }
    faults
}
