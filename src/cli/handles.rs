//! Handles as printed by `pose` and `ik`.

use super::CliError;
use super::output::{Output, count, number, numbers};
use crate::rig::ik::{TaskKind, TaskResult};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use serde::Serialize;

/// A handle as printed.
#[derive(Serialize)]
pub struct HandleOut {
    pub index: usize,
    pub name: String,
    pub bone: u32,
    pub enabled: bool,
    /// The number of bones that it rotates, from its own upwards; all up to the root if null.
    pub chain: Option<u32>,
    pub weight: f32,
    pub target: [f32; 3],
    pub tip: [f64; 3],
    /// The distance from tip to target; null for a look-at, which only points at its target.
    pub distance: Option<f64>,
}

/// Returns all handles of a skeleton whose bones have the given tips.
pub fn all(skeleton: &Skeleton, tips: &[DVec3]) -> Vec<HandleOut> {
    let handles = skeleton.handles.iter().zip(skeleton.handle_names()).enumerate();
    let out = handles.filter_map(|(index, (handle, name))| {
        let tip = *tips.get(handle.bone as usize)?;
        Some(HandleOut {
            index,
            name,
            bone: handle.bone,
            enabled: handle.enabled,
            chain: handle.chain,
            weight: handle.weight,
            target: handle.target.to_array(),
            tip: tip.to_array(),
            distance: handle.look_at.is_none().then(|| tip.distance(handle.target.as_dvec3())),
        })
    });
    out.collect()
}

/// Prints handles. `tasks`: the tasks of the handles with their errors; empty if nothing was solved.
pub fn print(handles: &[HandleOut], tasks: &[TaskResult], output: &mut Output) -> Result<(), CliError> {
    for handle in handles {
        let state = if handle.enabled { "enabled" } else { "not enabled" };
        output.line(format_args!("handle {} {} ({state})", handle.index, handle.name))?;
        match handle.chain {
            Some(bones) => {
                output.line(format_args!("  chain    {}", count(bones as usize, "bone", "bones")))?
            }
            None => output.line(format_args!("  chain    all bones up to the root"))?,
        }
        if handle.weight != 1.0 {
            output.line(format_args!("  weight   {}", handle.weight))?;
        }
        output.line(format_args!("  target   {}", numbers(handle.target)))?;
        output.line(format_args!("  tail     {}", numbers(handle.tip)))?;
        if let Some(distance) = handle.distance {
            output.line(format_args!("  distance {}", number(distance)))?;
        }
        for task in tasks.iter().filter(|task| task.handle == handle.index) {
            let error = number(task.error);
            let words = task.task.words();
            // The distance is there already.
            if task.task != TaskKind::Position {
                let does = words.does.trim_start_matches("is ");
                output.line(format_args!("  {does:<8} {error}{}", words.after))?;
            }
        }
    }
    Ok(())
}
