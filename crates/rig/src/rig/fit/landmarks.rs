//! Places along a limb that its cross-sections show, as slices from its tip: hands, feet and heads are thicker than what
//! carries them. `None` for limbs that do not show them: mittens without wrists, stumps.

use super::limb::Limb;
use super::tuning::*;

/// The areas of the slices up to `last`, each the mean of those up to `reach` slices away.
fn areas(limb: &Limb, last: usize, reach: usize) -> Vec<f32> {
    let mean = |slice: usize| {
        let near = &limb.areas[slice.saturating_sub(reach)..=(slice + reach).min(last)];
        near.iter().sum::<f32>() / near.len() as f32
    };
    (0..=last).map(mean).collect()
}

/// The thickest slice at the end of a limb, and the thinnest one behind it.
fn bulge_and_neck(areas: &[f32]) -> Option<(usize, usize)> {
    let least = LEAST_BULGE * areas.last()?;
    let (mut bulge, mut neck) = (0, None);
    for (slice, area) in areas.iter().enumerate() {
        match neck {
            None if *area > areas[bulge] || slice < FIRST_SLICES => bulge = slice,
            None if *area < NECK * areas[bulge] && areas[bulge] > least => neck = Some(slice),
            Some(thinnest) if *area < areas[thinnest] => neck = Some(slice),
            Some(thinnest) if *area > BEHIND_NECK * areas[thinnest] => break,
            _ => {}
        }
    }
    neck.map(|neck| (bulge, neck))
}

/// The wrist.
pub fn wrist(limb: &Limb, last: usize) -> Option<f32> {
    let (bulge, neck) = bulge_and_neck(&areas(limb, last, 1))?;
    Some(bulge as f32 + WRIST * (neck - bulge) as f32)
}

/// The ankle: where the heel makes the foot thickest.
pub fn ankle(limb: &Limb, last: usize) -> Option<f32> {
    bulge_and_neck(&areas(limb, last, 0)).map(|(bulge, _)| bulge as f32)
}

/// Where the head turns on the neck.
pub fn head(limb: &Limb, last: usize) -> Option<f32> {
    let (bulge, neck) = bulge_and_neck(&areas(limb, last, 0))?;
    let step = limb.middles[neck].distance(limb.middles[neck.saturating_sub(1)]);
    let slices = HEAD * limb.radius(neck) / step.max(f32::MIN_POSITIVE);
    Some((neck as f32 - slices).max(bulge as f32))
}
