//! The state of the curves between frames.

use super::curves::{Curves, Hidden, KeyDot, SampleCache};
use super::lasso::Lasso;
use super::nudge::Nudge;
use super::slopes::{Handle, SlopeDrag};
use super::value::{Heights, ValueView};
use crate::edit::request::Request;
use crate::edit::time::stances::StanceCache;
use crate::edit::time::timeline::{KeySelection, RowSubject};
use crate::editor::ui::fields::Fields;
use egui::Context;
use std::sync::Arc;

/// The values to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Those of all curves.
    All,
    /// Those of the selected keys, and of the curves between them; of all curves if none is selected.
    Selected,
}

/// How far the wheel was turned over the curves.
#[derive(Default)]
pub struct Wheel {
    /// The distance to scroll, in points.
    pub points: f32,
    /// The notches to zoom by.
    pub notches: f64,
}

/// What a drag of keys began with.
pub struct Grab {
    pub dot: KeyDot,
    /// The value of the grabbed key.
    pub value: f32,
    /// The keys selected at the start.
    pub base: Arc<KeySelection>,
}

pub struct GraphState {
    pub only_selected: bool,
    pub heights: Heights,
    /// The values that were visible when other heights were chosen.
    earlier: [Option<ValueView>; 4],
    pub hidden: Hidden,
    pub values: ValueView,
    /// The values to show next, once there are curves.
    pub fit: Option<Fit>,
    pub wheel: Wheel,
    /// The value under the pointer, in the range of the active curve.
    pub pointer_value: f32,
    pub curves: Curves,
    /// The curves before the drag.
    pub ghosts: SampleCache,
    /// The key that was clicked last.
    pub active: Option<KeyDot>,
    /// The active key before the open transaction, which its fields change.
    pub edited: Option<KeyDot>,
    pub grab: Option<Grab>,
    /// The handles of slopes in this frame.
    pub handles: Vec<Handle>,
    /// The drag of a slope.
    pub slope: Option<SlopeDrag>,
    pub lasso: Option<Lasso>,
    /// The last nudges, of which a further one is a part.
    pub nudge: Option<Nudge>,
    /// The value cursor, about which values are scaled, as it is shown; none is at 0.
    pub cursor: Option<f32>,
    /// When feet stand.
    pub stances: StanceCache,
    pub fields: Fields,
}

impl Default for GraphState {
    fn default() -> Self {
        Self {
            only_selected: true,
            heights: Heights::default(),
            earlier: [None; 4],
            hidden: Hidden::new(),
            values: ValueView::default(),
            fit: Some(Fit::All),
            wheel: Wheel::default(),
            pointer_value: 0.0,
            curves: Curves::default(),
            ghosts: SampleCache::default(),
            active: None,
            edited: None,
            grab: None,
            handles: Vec::new(),
            slope: None,
            lasso: None,
            nudge: None,
            cursor: None,
            stances: StanceCache::default(),
            fields: Fields::default(),
        }
    }
}

impl GraphState {
    /// Whether the curves handle the keyboard: a number is being dragged or typed.
    pub fn takes_keys(&self) -> bool {
        self.fields.dragging() || self.fields.typing()
    }

    /// Shows all values at the next drawing. They are never fitted otherwise, except when curves are opened.
    pub fn fit(&mut self, fit: Fit) {
        self.fit = Some(fit);
    }

    /// Fits the values, because the curves are shown from now on.
    pub fn opened(&mut self) {
        self.earlier = [None; 4];
        self.fit(Fit::All);
    }

    /// Chooses other heights, or values again. The values that are visible then are those of the last time.
    pub fn toggle_heights(&mut self, heights: Heights) {
        self.earlier[self.heights as usize] = Some(self.values);
        self.heights = if self.heights == heights { Heights::Values } else { heights };
        self.cursor = None;
        match self.earlier[self.heights as usize] {
            Some(values) => self.values = values,
            None => self.fit(Fit::All),
        }
    }

    /// Shows or hides a component of the curves of a row; of all curves for the summary.
    pub fn toggle(&mut self, subject: RowSubject, component: usize) {
        let hidden = self.hidden.entry(subject).or_default();
        hidden[component] = !hidden[component];
        self.hidden.retain(|_, hidden| *hidden != [false; 4]);
    }

    /// Whether a component of the curves of a row is hidden, by the switches of that row alone.
    pub fn is_hidden(&self, subject: &RowSubject, component: usize) -> bool {
        self.hidden.get(subject).is_some_and(|hidden| hidden[component])
    }

    /// Returns the active key: among the selected ones, the one nearest in time to the key that was clicked last, on its curve.
    pub fn active_key(&self, keys: &KeySelection) -> Option<KeyDot> {
        let dot = self.active.as_ref()?;
        let frames = keys.frames_of(&dot.channel).iter().copied();
        let distance = |frame: &f32| (frame - dot.frame).abs();
        let frame = frames.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(KeyDot { frame, ..dot.clone() })
    }

    /// Ends the frame of the fields. To be called once per frame, whether they are shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.fields.end_frame(ctx, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::channel::ChannelRef;
    use crate::edit::command::keys::ChannelKeys;

    #[test]
    fn the_active_key_is_a_selected_one() {
        let channel = ChannelRef::new("Body", "bone.0.pose");
        let keys =
            KeySelection::new([ChannelKeys { channel: channel.clone(), frames: vec![0.0, 10.0, 20.0] }]);
        let dot = KeyDot { channel, frame: 12.0, component: 1 };
        let state = GraphState { active: Some(dot.clone()), ..GraphState::default() };
        assert_eq!(state.active_key(&keys), Some(KeyDot { frame: 10.0, ..dot }));
        assert_eq!(state.active_key(&KeySelection::default()), None);
    }

    #[test]
    fn components_are_hidden_and_shown_again() {
        let mut state = GraphState::default();
        state.toggle(RowSubject::Summary, 2);
        assert!(state.is_hidden(&RowSubject::Summary, 2) && !state.is_hidden(&RowSubject::Summary, 1));
        state.toggle(RowSubject::Summary, 2);
        assert!(state.hidden.is_empty());
    }
}
