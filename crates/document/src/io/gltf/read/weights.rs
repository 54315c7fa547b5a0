//! Reads the joints and weights of the vertices of a primitive.

use super::super::schema::Primitive;
use super::counts::Counts;
use super::refuse;
use super::source::Source;
use super::weld::Rows;
use crate::io::file::ReadError;

/// The maximum number of sets of four joints per vertex; the time to add them grows with the square.
const MAX_SETS: usize = 16;

/// The joints that move the vertices of a piece.
#[derive(Clone, Copy)]
pub enum Binding<'a> {
    Nothing,
    /// A single joint of the rig.
    Joint(u16),
    /// The joint of the rig for each joint of the skin; `None` for one that represents no joint.
    Skin(&'a [Option<u16>]),
}

/// Reads the weights of the `count` vertices of a primitive. Those of a joint that a vertex names several times are
/// added; they are divided by their sum where it is not 1.
///
/// # Errors
/// If a joint with a weight is not in the skin, a weight is negative, or there are too many.
pub fn read(
    source: &Source,
    binding: Binding,
    primitive: &Primitive,
    count: usize,
    pointer: &str,
    counts: &mut Counts,
) -> Result<Rows, ReadError> {
    let mut rows = Rows::default();
    let joints = match binding {
        Binding::Nothing => {
            (0..count).for_each(|_| rows.push(&[]));
            return Ok(rows);
        }
        Binding::Joint(joint) => {
            (0..count).for_each(|_| rows.push(&[(joint, 1.0)]));
            return Ok(rows);
        }
        Binding::Skin(joints) => joints,
    };
    let mut sets = Vec::new();
    for set in 0.. {
        let names = [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")];
        let [Some(&joint_ids), Some(&weights)] =
            [&names[0], &names[1]].map(|name| primitive.attributes.get(name))
        else {
            break;
        };
        if set == MAX_SETS {
            let problem = format!("its vertices have more than {} joints each", 4 * MAX_SETS);
            return Err(refuse(pointer, problem));
        }
        sets.push((source.integers(joint_ids)?, source.floats(weights)?));
    }
    let mut row: Vec<(u16, f32)> = Vec::new();
    for vertex in 0..count {
        row.clear();
        let (mut has_neutral, mut is_bad) = (false, false);
        for (joint_ids, weights) in &sets {
            for entry in 4 * vertex..4 * vertex + 4 {
                let (joint, weight) = (joint_ids[entry] as usize, weights[entry]);
                is_bad |= !weight.is_finite();
                let Some(joint) = joints.get(joint) else {
                    if weight == 0.0 {
                        counts.unused_joints += 1;
                        continue;
                    }
                    let problem =
                        format!("vertex {vertex} names joint {joint}, but its skin has {}", joints.len());
                    return Err(refuse(pointer, problem));
                };
                if weight < 0.0 {
                    return Err(refuse(pointer, format!("a weight of vertex {vertex} is negative")));
                }
                match joint {
                    _ if weight == 0.0 => {}
                    None => has_neutral = true,
                    Some(joint) => match row.iter_mut().find(|entry| entry.0 == *joint) {
                        Some(entry) => {
                            entry.1 += weight;
                            counts.doubled += 1;
                        }
                        None => row.push((*joint, weight)),
                    },
                }
            }
        }
        if is_bad {
            counts.bad_weights += 1;
            row.clear();
        }
        let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
        if !row.is_empty() && !has_neutral && (sum - 1.0).abs() > 1e-3 {
            counts.min_sum = match counts.unnormalised {
                0 => sum,
                _ => counts.min_sum.min(sum),
            };
            counts.unnormalised += 1;
            row.iter_mut().for_each(|(_, weight)| *weight = (f64::from(*weight) / sum) as f32);
        }
        rows.push(&row);
    }
    Ok(rows)
}
