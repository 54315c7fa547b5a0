//! Selects the frames that become animations.

use super::error::ExportError;
use crate::anim::clip::Clip;
use crate::anim::contacts::{CONTACTS, FOOT};
use crate::extra::Extra;
use crate::io::export::ExportOptions;
use crate::io::limits::{EXPORTED_VALUES, TAKE_VALUES};
use crate::scene::Scene;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    pub name: String,
    /// The first and last frame, in order.
    pub range: [u32; 2],
    /// Whether the take represents the frames of a scene without takes.
    pub is_implied: bool,
    /// Members that are not known here, which become extras.
    pub extra: Extra,
}

impl Take {
    pub fn frames(&self) -> u64 {
        let [first, last] = self.range;
        u64::from(last.saturating_sub(first)) + 1
    }
}

/// Names the feet in the extras of an animation as the nodes of their joints, so that engines find them. `nodes`: by the names of
/// bones.
pub fn name_feet(extras: &mut Value, nodes: &BTreeMap<String, &str>) {
    let contacts = extras.get_mut(CONTACTS).and_then(Value::as_array_mut);
    for foot in contacts.into_iter().flatten().filter_map(|contact| contact.get_mut(FOOT)) {
        if let Some(node) = foot.as_str().and_then(|name| nodes.get(name)) {
            *foot = json!(node);
        }
    }
}

/// Checks the number of values of takes with so many tracks.
///
/// # Errors
/// If one has too many, or all together.
pub fn check_values(takes: &[Take], tracks: usize) -> Result<(), ExportError> {
    let values = |take: &Take| take.frames().saturating_mul(tracks as u64);
    if let Some(take) = takes.iter().find(|take| values(take) > TAKE_VALUES as u64) {
        let (name, values) = (take.name.clone(), values(take));
        return Err(ExportError::LongTake { name, values });
    }
    match takes.iter().map(values).fold(0, u64::saturating_add) {
        values if values > EXPORTED_VALUES as u64 => Err(ExportError::TooManyValues { values }),
        _ => Ok(()),
    }
}

/// Returns the takes in the options; a scene without takes has one with its play range.
///
/// # Errors
/// If a take does not exist or is too long.
pub fn takes(scene: &Scene, options: &ExportOptions) -> Result<Vec<Take>, ExportError> {
    let named = scene.animation.takes.list.iter().map(|take| Take {
        name: take.name.clone(),
        range: take.range,
        is_implied: false,
        extra: take.extra.clone(),
    });
    let mut all: Vec<Take> = named.collect();
    if all.is_empty() {
        all.push(Take {
            name: "Take".to_owned(),
            range: scene.animation.clip.play_range(),
            is_implied: true,
            extra: Extra::default(),
        });
    }
    let missing = |name: &&String| !all.iter().any(|take| take.name == **name);
    if let Some(name) = options.takes.iter().find(missing) {
        return Err(ExportError::NoTake(name.clone()));
    }
    let is_wanted = |take: &Take| options.takes.is_empty() || options.takes.contains(&take.name);
    let wanted: Vec<Take> = all.into_iter().filter(is_wanted).collect();
    for take in &wanted {
        let frames = take.frames();
        if frames > Clip::MAX_AT_ONCE.into() {
            let name = take.name.clone();
            return Err(ExportError::TooManyFrames { name, frames });
        }
    }
    Ok(wanted)
}
