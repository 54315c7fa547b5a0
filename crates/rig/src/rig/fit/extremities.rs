//! The extremities of a body: hands, feet, head, tail, fingers. They are the maxima of the distance from its middle through
//! the inside; how far one protrudes is its persistence: the depth below it of the saddle over which a higher one is
//! reached (the join tree of Carr, Snoeyink and Axen 2003, "Computing contour trees in all dimensions").

use super::voxels::{FAR, Partition, STEP, Voxels};

/// An extremity.
#[derive(Clone, Debug, PartialEq)]
pub struct Extremity {
    /// The voxel farthest out.
    pub tip: usize,
    /// How far it protrudes, in voxels.
    pub length: f32,
    /// The voxel where it joins a longer one; for the longest, the nearest to the middle.
    pub saddle: usize,
    /// The index of the extremity that it joins; `None` for the longest.
    pub joins: Option<usize>,
}

/// Finds the extremities that protrude by at least `least` voxels, the longest first. `distances`: from the middle, of each
/// voxel, see [`Voxels::distances`].
pub fn find(voxels: &Voxels, distances: &[u32], least: f32) -> Vec<Extremity> {
    let mut order: Vec<u32> = voxels.filled().filter(|&i| distances[i] != FAR).map(|i| i as u32).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(distances[index as usize]));
    let neighbours = voxels.neighbours();
    let mut parts = Partition::new(distances.len());
    // The highest voxel of the part of each representative, and whether a voxel has been reached.
    let top: Vec<u32> = (0..distances.len() as u32).collect();
    let mut reached = vec![false; distances.len()];
    let mut found = Vec::new();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for &index in &order {
        reached[index as usize] = true;
        for (offset, _) in neighbours {
            let next = (index as usize).wrapping_add_signed(offset);
            if !reached[next] {
                continue;
            }
            let (a, b) = (parts.find(index), parts.find(next as u32));
            if a == b {
                continue;
            }
            let height =
                |part: u32| (distances[top[part as usize] as usize], std::cmp::Reverse(top[part as usize]));
            let (high, low) = if height(a) >= height(b) { (a, b) } else { (b, a) };
            let tip = top[low as usize] as usize;
            let length = (distances[tip] - distances[index as usize]) as f32 / STEP as f32;
            if length >= least {
                joined.push((tip, top[high as usize] as usize));
                found.push(Extremity { tip, length, saddle: index as usize, joins: None });
            }
            parts.join(high, low);
        }
    }
    if let (Some(&first), Some(&last)) = (order.first(), order.last()) {
        let length = distances[first as usize] as f32 / STEP as f32;
        found.push(Extremity { tip: first as usize, length, saddle: last as usize, joins: None });
    }
    found.sort_by(|a, b| b.length.total_cmp(&a.length).then(a.tip.cmp(&b.tip)));
    let index = |tip: usize| found.iter().position(|extremity| extremity.tip == tip);
    let joins: Vec<(usize, Option<usize>)> =
        joined.iter().filter_map(|&(tip, other)| Some((index(tip)?, index(other)))).collect();
    for (extremity, other) in joins {
        found[extremity].joins = other;
    }
    found
}
