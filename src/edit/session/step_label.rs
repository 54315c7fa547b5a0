//! Labels of undo steps, from the labels of their commands.

use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::scene::Scene;

/// Returns the label of a step: that of its first command, and the number of further commands if all are of
/// the same kind. Keys for the other changes are not mentioned.
pub(in crate::edit) fn step_label(first: &Command, commands: &[Command], scene: &Scene) -> String {
    let commands = match commands {
        [changes @ .., Command::Keys(KeyCommand::Set { .. })] if !changes.is_empty() => changes,
        _ => commands,
    };
    let label = first.label(scene);
    let kind = std::mem::discriminant(first);
    let of_kind = |c: &Command| std::mem::discriminant(c) == kind;
    let poses = |c: &Command| matches!(c, Command::SetPose { .. } | Command::SetBaseOffset { .. });
    match commands.len() - 1 {
        1.. if commands.iter().all(|command| sets_same_property(command, first)) => match first {
            Command::SetProperty { object, .. } => format!("Change {}", object.name),
            _ => label,
        },
        1.. if commands.iter().all(poses) && !commands.iter().all(of_kind) => "Pose bones and base".into(),
        more @ 1.. if commands.iter().all(of_kind) => {
            format!("{label} and {more} more")
        }
        _ => label,
    }
}

/// Whether both set a property of the same object.
fn sets_same_property(a: &Command, b: &Command) -> bool {
    match (a, b) {
        (Command::SetProperty { object: a, .. }, Command::SetProperty { object: b, .. }) => a == b,
        _ => false,
    }
}
