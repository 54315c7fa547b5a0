//! Labels of undo steps, from the labels of their commands.

use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::rig::skeleton::Part;
use crate::scene::Scene;

/// Returns the label of a step: that of its first command, and the number of further commands if all are of
/// the same kind. Keys for the other changes are not mentioned.
pub(in crate::edit) fn step_label(first: &Command, commands: &[Command], scene: &Scene) -> String {
    let commands = match commands {
        [changes @ .., Command::Keys(KeyCommand::Set { .. })] if !changes.is_empty() => changes,
        _ => commands,
    };
    let label = first.label(scene);
    let kind = |c: &Command| (std::mem::discriminant(c), part_property(c).map(str::to_owned));
    let first_kind = kind(first);
    let of_kind = |c: &Command| kind(c) == first_kind;
    let of_handle = |c: &Command| match c {
        Command::AddHandle { .. } => true,
        _ => c.part_property().is_some_and(|(_, parts, ..)| matches!(parts, [Part::Handle(_), ..])),
    };
    let of_pose =
        |c: &Command| matches!(part_property(c), Some("pose" | "translation" | "scale" | "base_offset"));
    let poses = |c: &Command| of_pose(c) || of_handle(c);
    match commands.len() - 1 {
        1.. if commands.iter().all(|command| sets_same_property(command, first)) => match first {
            Command::SetProperty { object, .. } => format!("Change {}", object.name),
            _ => label,
        },
        1.. if of_pose(first) && commands.iter().all(poses) && !commands.iter().all(of_kind) => {
            let other = if commands.iter().any(of_handle) { "handles" } else { "base" };
            format!("Pose bones and {other}")
        }
        more @ 1.. if commands.iter().all(of_kind) => {
            format!("{label} and {more} more")
        }
        _ => label,
    }
}

/// Returns the property of parts that the command sets.
fn part_property(command: &Command) -> Option<&str> {
    command.part_property().map(|(_, _, property, _)| property)
}

/// Whether both set a property of the same object, not of its parts.
fn sets_same_property(a: &Command, b: &Command) -> bool {
    match (a, b) {
        (
            Command::SetProperty { object: a, parts: of_a, .. },
            Command::SetProperty { object: b, parts: of_b, .. },
        ) => a == b && of_a.is_empty() && of_b.is_empty(),
        _ => false,
    }
}
