//! What a drag of keys says, at the pointer and in the status bar.

use super::drag::{Change, KeysDrag};
use super::time::frame_text;
use crate::anim::blends::Blend;
use crate::anim::clip::Clip;
use crate::editor::ui::digits::display_number;

impl KeysDrag {
    /// The mouse and keyboard controls during the drag; `in_curves`: where values change too.
    pub fn hint(&self, in_curves: bool) -> &'static str {
        match (self.change, self.by_key) {
            (Change::Scale { .. }, true) if in_curves => {
                "Type a factor or move the pointer; click or Enter confirms. V scales values about the value cursor instead. Esc or right click cancels"
            }
            (Change::Scale { .. }, true) => {
                "Type a factor or move the pointer; click or Enter confirms. Shift turns snapping off. Esc or right click cancels"
            }
            (Change::ScaleValue { .. }, _) => {
                "Type a factor or move the pointer; click or Enter confirms. T scales times instead. Esc or right click cancels"
            }
            (Change::Value { .. }, _) => {
                "Type an exact number. Ctrl snaps the value, T changes the time instead. Esc or right click cancels"
            }
            (Change::Blend { .. }, _) => {
                "Move the pointer to the left or right, or type a percentage; click or Enter confirms. Esc or right click cancels"
            }
            (_, true) if in_curves => {
                "Type a number of frames or move the pointer; click or Enter confirms. V changes values instead. Esc or right click cancels"
            }
            (_, true) => {
                "Type a number of frames or move the pointer; click or Enter confirms. Shift turns snapping off. Esc or right click cancels"
            }
            (Change::Scale { .. }, false) => {
                "Type an exact factor. Shift turns snapping off. Esc or right click cancels"
            }
            (_, false) => "Type an exact number. Shift turns snapping off. Esc or right click cancels",
        }
    }

    /// The text shown at the pointer: what it comes to, if keys stop before they are where they were sent.
    pub fn text(&self, clip: &Clip, seconds: bool) -> String {
        let offset_text = |amount: f32| match seconds {
            true => format!("{:+.2} s", clip.seconds(amount)),
            false if amount.abs() == 1.0 => format!("{amount:+} frame"),
            false => format!("{amount:+} frames"),
        };
        let stop = self.stop.map(|frame| match seconds {
            true => format!(", stops at {}", frame_text(frame, clip, seconds)),
            false => format!(", stops at frame {frame}"),
        });
        let typed = (!self.typed.is_empty() && self.limited(self.typed.value(0)) == self.typed.value(0))
            .then(|| self.typed.text(0));
        let offset = || match &typed {
            Some(typed) => format!("{typed} frames"),
            None => offset_text(self.amount),
        };
        let factor = || typed.clone().unwrap_or_else(|| self.amount.to_string());
        let text = match self.change {
            Change::Move { .. } => offset(),
            Change::Duplicate { .. } => format!("Copies {}", offset()),
            Change::Scale { pivot, .. } => {
                format!("× {} about {}", factor(), frame_text(pivot, clip, seconds))
            }
            Change::Blend { blend, .. } => {
                let [back, on] = blend_texts(blend);
                let goal = if self.amount < 0.0 { back } else { on };
                format!("{:.0} % {goal}", self.amount.abs() * 100.0)
            }
            Change::ScaleValue { pivot, unit, .. } => {
                format!("× {} about {}{unit}", factor(), display_number(f64::from(pivot), 2))
            }
            Change::Value { unit, .. } => match &typed {
                Some(typed) => format!("{typed}{unit}"),
                None => {
                    let sign = if self.amount < 0.0 { "" } else { "+" };
                    format!("{sign}{}{unit}", display_number(f64::from(self.amount), 3))
                }
            },
        };
        text + &stop.unwrap_or_default()
    }
}

/// What a blend goes towards at a negative amount and at a positive one.
fn blend_texts(blend: Blend) -> [&'static str; 2] {
    match blend {
        Blend::Neighbors => ["to the key before", "to the key behind"],
        Blend::Line => ["to the straight line", "away from the straight line"],
        Blend::Mean => ["to the mean", "away from the mean"],
        Blend::Before => ["to the key before", "away from the key before"],
        Blend::Behind => ["to the key behind", "away from the key behind"],
        Blend::Ease => ["to a slow start", "to a slow end"],
        Blend::Time => ["of the way to what was before", "of the way to what comes later"],
    }
}
