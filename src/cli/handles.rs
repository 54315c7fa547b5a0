//! Handles as `pose` and `ik` print them.

use super::CliError;
use super::output::{Output, number, numbers};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;
use serde::Serialize;

#[derive(Serialize)]
pub struct HandleOut {
    pub index: usize,
    pub name: String,
    pub bone: u32,
    pub enabled: bool,
    pub target: [f32; 3],
    pub tip: [f64; 3],
    /// From tip to target.
    pub distance: f64,
}

/// All handles of a skeleton whose bones have the given tips.
pub fn all(skeleton: &Skeleton, tips: &[DVec3]) -> Vec<HandleOut> {
    let handles = skeleton.handles.iter().enumerate();
    let out = handles.filter_map(|(index, handle)| {
        let tip = *tips.get(handle.bone as usize)?;
        Some(HandleOut {
            index,
            name: skeleton.handle_name(index),
            bone: handle.bone,
            enabled: handle.enabled,
            target: handle.target.to_array(),
            tip: tip.to_array(),
            distance: tip.distance(handle.target.as_dvec3()),
        })
    });
    out.collect()
}

pub fn print(handles: &[HandleOut], output: &mut Output) -> Result<(), CliError> {
    for handle in handles {
        let state = if handle.enabled { "enabled" } else { "not enabled" };
        output.line(format_args!("handle {} {} ({state})", handle.index, handle.name))?;
        output.line(format_args!("  target   {}", numbers(handle.target)))?;
        output.line(format_args!("  tip      {}", numbers(handle.tip)))?;
        output.line(format_args!("  distance {}", number(handle.distance)))?;
    }
    Ok(())
}
