//! The actions on keys in both views: one table for the menu, the shortcuts and the list of shortcuts.

use crate::anim::blends::Blend;
use crate::anim::ease::{Curve, Ease, Side};
use crate::anim::mode::{Mode, SideMode};
use crate::edit::action::Shortcut;
use crate::edit::time::key_values::SlopeChange;
use egui::{Event, Key, Modifiers, Ui};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetAction {
    Move,
    Scale,
    Snap,
    Cut,
    Copy,
    Paste,
    PasteMirrored,
    Duplicate,
    Delete,
    DeleteKeeping,
    Make(Mode),
    NextMode,
    Slopes(SlopeChange),
    EulerFilter,
    Smooth,
    BlendNeighbors,
    BlendLine,
    BlendMean,
    BlendBefore,
    BlendBehind,
    BlendEase,
    BlendTime,
    Simplify,
    PlaceEvenly,
    MirrorInTime,
    SelectAll,
    SelectNone,
    SelectColumns,
    SelectAtFrame,
    Fit,
    FitSelected,
    SwitchView,
    Normalize,
    Stack,
    Speeds,
    Search,
}

/// How an action is shown.
pub struct SheetRow {
    pub action: SheetAction,
    pub text: &'static str,
    /// They apply while the pointer is over the keys.
    pub shortcuts: &'static [Shortcut],
    pub tooltip: &'static str,
    /// Alternative names under which the palette finds it, separated by commas.
    pub keywords: &'static str,
    /// Whether it requires selected keys.
    pub needs_selection: bool,
    /// The submenu that it is in. Those of a submenu follow each other.
    pub submenu: Option<&'static str>,
}

const fn row(
    action: SheetAction,
    text: &'static str,
    shortcuts: &'static [Shortcut],
    tooltip: &'static str,
) -> SheetRow {
    SheetRow { action, text, shortcuts, tooltip, keywords: "", needs_selection: true, submenu: None }
}

/// The row of an ease.
const fn ease(curve: Curve, side: Side, text: &'static str) -> SheetRow {
    let action = SheetAction::Make(Mode::Ease(Ease { curve, side }));
    let tooltip = "Go from the selected keys to the next ones by this curve, whatever is around them.";
    row(action, text, &[], tooltip).within(EASE).keywords("easing, interpolation")
}

impl SheetRow {
    const fn without_selection(mut self) -> Self {
        self.needs_selection = false;
        self
    }

    const fn keywords(mut self, keywords: &'static str) -> Self {
        self.keywords = keywords;
        self
    }

    const fn within(mut self, submenu: &'static str) -> Self {
        self.submenu = Some(submenu);
        self
    }
}

/// The reason why what needs selected keys cannot be done.
pub const NO_KEYS: &str = "Select keys first.";

const INTERPOLATION: &str = "Interpolation";
pub const EASE: &str = "Ease";
const SLOPES: &str = "Slopes";
const SELECT: &str = "Select";
const BLEND: &str = "Blend keys";
pub const FEWER: &str = "Fewer keys";
const CURVES: &str = "Curves";

/// All actions, in the order of the menu.
#[rustfmt::skip]
pub static ROWS: [SheetRow; 79] = [
    row(SheetAction::Move, "Move", &[Shortcut::plain("G")], "Move the selected keys with the pointer, or by a typed number of frames, until a click or Enter. Dragging keys does the same; Shift turns snapping off."),
    row(SheetAction::Scale, "Scale about playhead", &[Shortcut::plain("S")], "Scale the selected keys about the current frame with the pointer, or by a typed factor, until a click or Enter. The brackets around them in the summary scale about the other end."),
    row(SheetAction::Snap, "Snap to frames", &[Shortcut::shift("S")], "Move selected keys to the nearest whole frames."),
    row(SheetAction::Cut, "Cut", &[Shortcut::ctrl("X")], "Copy the selected keys and delete them."),
    row(SheetAction::Copy, "Copy", &[Shortcut::ctrl("C")], "Copy the selected keys."),
    row(SheetAction::Paste, "Paste at playhead", &[Shortcut::ctrl("V")], "Paste the copied keys into their channels, the first of them at the current frame.").without_selection(),
    row(SheetAction::PasteMirrored, "Paste mirrored", &[Shortcut::ctrl_shift("V")], "Paste the copied keys mirrored, into the channels of the bones and handles of the other side.").without_selection(),
    row(SheetAction::Duplicate, "Duplicate", &[Shortcut::shift("D")], "Duplicate the selected keys; the copies follow the pointer until a click."),
    row(SheetAction::Delete, "Delete", &[Shortcut::plain("Delete"), Shortcut::plain("X"), Shortcut::ctrl("Backspace")], "Delete the selected keys."),
    row(SheetAction::DeleteKeeping, "Delete, keep shape", &[Shortcut::shift("X")], "Delete the selected keys, and give those beside them the slopes with which the curve stays as it is, as far as it can.").keywords("dissolve"),
    row(SheetAction::Make(Mode::Clamped), "Make clamped", &[], "Interpolate smoothly from the selected keys to the next ones, without passing beyond them.").within(INTERPOLATION),
    row(SheetAction::Make(Mode::Linear), "Make linear", &[], "Interpolate linearly from the selected keys to the next ones.").within(INTERPOLATION),
    row(SheetAction::Make(Mode::Hold), "Make hold", &[], "Hold the value of the selected keys up to the next key.").within(INTERPOLATION),
    row(SheetAction::Make(Mode::Smooth), "Make smooth", &[], "Interpolate smoothly from the selected keys to the next ones, flat between equal keys, passing beyond the others.").within(INTERPOLATION),
    // As in Blender.
    row(SheetAction::NextMode, "Next interpolation", &[Shortcut::plain("T")], "Make the selected keys linear, then hold, smooth, and clamped again.").within(INTERPOLATION),
    ease(Curve::Sine, Side::In, "Ease sine in"),
    ease(Curve::Sine, Side::Out, "Ease sine out"),
    ease(Curve::Sine, Side::InOut, "Ease sine in out"),
    ease(Curve::Quad, Side::In, "Ease quad in"),
    ease(Curve::Quad, Side::Out, "Ease quad out"),
    ease(Curve::Quad, Side::InOut, "Ease quad in out"),
    ease(Curve::Cubic, Side::In, "Ease cubic in"),
    ease(Curve::Cubic, Side::Out, "Ease cubic out"),
    ease(Curve::Cubic, Side::InOut, "Ease cubic in out"),
    ease(Curve::Quart, Side::In, "Ease quart in"),
    ease(Curve::Quart, Side::Out, "Ease quart out"),
    ease(Curve::Quart, Side::InOut, "Ease quart in out"),
    ease(Curve::Quint, Side::In, "Ease quint in"),
    ease(Curve::Quint, Side::Out, "Ease quint out"),
    ease(Curve::Quint, Side::InOut, "Ease quint in out"),
    ease(Curve::Expo, Side::In, "Ease expo in"),
    ease(Curve::Expo, Side::Out, "Ease expo out"),
    ease(Curve::Expo, Side::InOut, "Ease expo in out"),
    ease(Curve::Circ, Side::In, "Ease circ in"),
    ease(Curve::Circ, Side::Out, "Ease circ out"),
    ease(Curve::Circ, Side::InOut, "Ease circ in out"),
    ease(Curve::Back, Side::In, "Ease back in"),
    ease(Curve::Back, Side::Out, "Ease back out"),
    ease(Curve::Back, Side::InOut, "Ease back in out"),
    ease(Curve::Bounce, Side::In, "Ease bounce in"),
    ease(Curve::Bounce, Side::Out, "Ease bounce out"),
    ease(Curve::Bounce, Side::InOut, "Ease bounce in out"),
    ease(Curve::Elastic, Side::In, "Ease elastic in"),
    ease(Curve::Elastic, Side::Out, "Ease elastic out"),
    ease(Curve::Elastic, Side::InOut, "Ease elastic in out"),
    row(SheetAction::Slopes(SlopeChange::Free), "Free slopes", &[], "Keep the slopes of the selected keys as they are now, whatever their neighbours do. Dragging a handle of the curves does it too, with Alt on one side alone.").within(SLOPES),
    row(SheetAction::Slopes(SlopeChange::Automatic), "Automatic slopes", &[], "Leave the slopes of the selected keys to their interpolation.").within(SLOPES).keywords("auto tangents"),
    row(SheetAction::Slopes(SlopeChange::Join), "Join slopes", &[Shortcut::plain("J")], "Give both sides of the selected keys the same slope, so that their handles turn together again. Alt-dragging a handle parts them.").within(SLOPES).keywords("unify tangents, align handles"),
    row(SheetAction::Slopes(SlopeChange::Side(0, None)), "Flat before", &[], "Level the curve where it comes to the selected keys.").within(SLOPES).keywords("in tangent, left handle, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(0, Some(SideMode::Linear))), "Linear before", &[], "Come to the selected keys straight from the ones before.").within(SLOPES).keywords("in tangent, vector handle, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(0, Some(SideMode::Smooth))), "Smooth before", &[], "Come to the selected keys as smooth curves do, whatever the interpolation is there.").within(SLOPES).keywords("in tangent, spline, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(0, Some(SideMode::Clamped))), "Clamped before", &[], "Come to the selected keys as clamped curves do, whatever the interpolation is there.").within(SLOPES).keywords("in tangent, auto clamped, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(1, None)), "Flat behind", &[], "Level the curve where it leaves the selected keys.").within(SLOPES).keywords("out tangent, right handle, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(1, Some(SideMode::Linear))), "Linear behind", &[], "Leave the selected keys straight towards the next ones.").within(SLOPES).keywords("out tangent, vector handle, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(1, Some(SideMode::Smooth))), "Smooth behind", &[], "Leave the selected keys as smooth curves do, whatever the interpolation is there.").within(SLOPES).keywords("out tangent, spline, slope"),
    row(SheetAction::Slopes(SlopeChange::Side(1, Some(SideMode::Clamped))), "Clamped behind", &[], "Leave the selected keys as clamped curves do, whatever the interpolation is there.").within(SLOPES).keywords("out tangent, auto clamped, slope"),
    row(SheetAction::EulerFilter, "Euler filter", &[], "Set the angles of these channels to those of the same rotations that turn least from key to key.").keywords("discontinuity filter, flips"),
    row(SheetAction::Smooth, "Smooth keys", &[], "Move each selected key half the way to the straight line between its neighbours."),
    row(SheetAction::BlendNeighbors, "Blend to neighbours", &[], "Move the selected keys towards the key before them or that behind them, as far as the pointer goes to the left or right, or by a typed percentage. In the curves, of the component that was clicked last.").within(BLEND).keywords("tween keys, breakdown keys"),
    row(SheetAction::BlendLine, "Relax or push", &[], "Move the selected keys towards the straight line between the keys before and behind them, or away from it, as far as the pointer goes.").within(BLEND).keywords("blend keys"),
    row(SheetAction::BlendMean, "Flatten or exaggerate", &[], "Move the selected keys towards their mean, or away from it, as far as the pointer goes.").within(BLEND).keywords("blend keys, scale from average"),
    row(SheetAction::BlendBefore, "Scale from key before", &[], "Move the selected keys towards the value of the key before them, or away from it, as far as the pointer goes.").within(BLEND).keywords("blend keys, scale from left"),
    row(SheetAction::BlendBehind, "Scale from key behind", &[], "Move the selected keys towards the value of the key behind them, or away from it, as far as the pointer goes.").within(BLEND).keywords("blend keys, scale from right"),
    row(SheetAction::BlendEase, "Ease keys", &[], "Move the selected keys towards a curve between the keys before and behind them: to the left one that starts slowly, to the right one that ends slowly.").within(BLEND).keywords("blend keys, blend to ease, ease in, ease out"),
    row(SheetAction::BlendTime, "Shift values in time", &[], "Give the selected keys the values that their curve has earlier or later, as far as the pointer goes. The keys stay at their frames.").within(BLEND).keywords("blend keys, time offset, lag, lead"),
    row(SheetAction::Simplify, "Simplify keys", &[], "Leave as few of the selected keys as possible for the same curves, to within the tolerance in the context menu.").within(FEWER).keywords("reduce keys, decimate, fewer keys"),
    row(SheetAction::PlaceEvenly, "Place keys evenly", &[], "Replace the selected keys by one at every so many frames, as set in the context menu.").within(FEWER).keywords("bake, sample, resample"),
    row(SheetAction::MirrorInTime, "Mirror in time", &[], "Reverse the selected keys, so that the motion between them runs backwards."),
    row(SheetAction::SelectAll, "Select all", &[Shortcut::plain("A"), Shortcut::ctrl("A")], "Select all keys of the visible rows.").without_selection().within(SELECT),
    row(SheetAction::SelectNone, "Select none", &[Shortcut::alt("A"), Shortcut::plain("Escape")], "Deselect all keys.").without_selection().within(SELECT),
    row(SheetAction::SelectColumns, "Select columns", &[], "Select all keys at the frames of the selected ones.").within(SELECT),
    row(SheetAction::SelectAtFrame, "Select at playhead", &[], "Select all keys at the current frame.").without_selection().within(SELECT),
    row(SheetAction::Fit, "Show whole clip", &[Shortcut::plain("Home")], "Zoom and pan so that all frames are visible.").without_selection(),
    row(SheetAction::FitSelected, "Show selected keys", &[Shortcut::plain("F")], "Zoom and pan to the selected keys; if none is selected, to all of the curves, or in the sheet to the whole clip.").without_selection(),
    row(SheetAction::SwitchView, "Switch sheet and curves", &[Shortcut::shift("E")], "Show the keys as rows, or as the curves of their values. The visible frames stay, and so do the selected keys that are shown.").without_selection().keywords("curves, show curves, graph editor, f-curves, dope sheet"),
    row(SheetAction::Normalize, "Normalise", &[], "Show each curve in a range of its own, from -1 to 1.").without_selection().within(CURVES),
    row(SheetAction::Stack, "Stack", &[], "Show each curve in a band of its own, one above the other.").without_selection().within(CURVES),
    row(SheetAction::Speeds, "Speeds", &[], "Show how fast values change instead of the values. A key dragged up or down gets another speed.").without_selection().within(CURVES).keywords("speed graph, velocity"),
    row(SheetAction::Search, "Search rows", &[Shortcut::ctrl("F")], "Show only rows with a text in their names, selected or not.").without_selection(),
];

impl SheetAction {
    pub fn row(self) -> &'static SheetRow {
        ROWS.iter().find(|row| row.action == self).unwrap_or(&ROWS[0])
    }

    /// Whether the keys follow the pointer until a click.
    pub fn follows_pointer(self) -> bool {
        matches!(self, Self::Move | Self::Scale | Self::Duplicate) || self.blend().is_some()
    }

    /// The blend that it starts, if it blends keys.
    pub fn blend(self) -> Option<Blend> {
        Some(match self {
            Self::BlendNeighbors => Blend::Neighbors,
            Self::BlendLine => Blend::Line,
            Self::BlendMean => Blend::Mean,
            Self::BlendBefore => Blend::Before,
            Self::BlendBehind => Blend::Behind,
            Self::BlendEase => Blend::Ease,
            Self::BlendTime => Blend::Time,
            _ => return None,
        })
    }
}

fn from_key(pressed: Key, modifiers: Modifiers) -> Option<SheetAction> {
    let name = format!("{pressed:?}");
    let pressed_modifiers = (modifiers.command, modifiers.shift, modifiers.alt);
    let matches = |s: &Shortcut| s.key == name && (s.ctrl, s.shift, s.alt) == pressed_modifiers;
    ROWS.iter().find(|row| row.shortcuts.iter().any(matches)).map(|row| row.action)
}

/// Removes the shortcuts that set modes from the input: they do nothing over the ruler, neither to keys nor in the view.
pub fn remove_mode_keys(ui: &Ui) {
    let sets_mode = |action: SheetAction| matches!(action, SheetAction::Make(_) | SheetAction::NextMode);
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => {
                !from_key(*key, *modifiers).is_some_and(sets_mode)
            }
            _ => true,
        });
    });
}

/// Removes the shortcuts of the sheet from the input, so that nothing else handles them, and returns their
/// actions. `esc` tells whether Esc is one of them.
pub fn pressed(ui: &Ui, esc: bool) -> Vec<SheetAction> {
    let mut actions = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, modifiers, repeat, .. } if esc || *key != Key::Escape => {
                let action = from_key(*key, *modifiers);
                actions.extend(action.filter(|_| !repeat));
                action.is_none()
            }
            _ => true,
        });
    });
    actions
}

/// The mouse controls and shortcuts of the sheet, for the window of keyboard shortcuts.
pub fn key_list() -> impl Iterator<Item = (&'static str, String)> {
    let mouse = [
        ("Select keys", "Click, or drag a box; Shift adds"),
        ("Move keys", "Drag them, Shift turns snapping off"),
        ("Move or scale by a number", "Type it while they move"),
        ("Scale keys", "Drag the brackets in the summary"),
        ("Show another frame", "Drag in the ruler"),
        ("Go to a key", "Double-click it"),
        ("Choose an ease", "Click the line between two keys"),
        ("Curves: change values", "Drag a key up or down, Ctrl snaps; Up, Down, with Shift a tenth"),
        ("Curves: change time or value instead", "T, V while keys move or are scaled"),
        ("Curves: draw a lasso around keys", "Ctrl+right drag; with Shift, in addition"),
        ("Curves: set the value that scaling is about", "Click the numbers at the left"),
        ("Curves: add a key", "Double-click a curve; with Shift, select its keys"),
        ("Curves: scroll and zoom values", "Wheel, middle drag; Alt+wheel"),
        ("Mute a row", "Click its speaker icon, or x, y, z next to it"),
        ("Zoom in time", "Ctrl+wheel; wheel over the ruler"),
        ("Pan in time", "Middle drag, Shift+wheel"),
    ];
    let keys = ROWS.iter().filter_map(|row| {
        let keys: Vec<_> = row.shortcuts.iter().map(ToString::to_string).collect();
        (!keys.is_empty()).then(|| (row.text, keys.join(", ")))
    });
    mouse.map(|(action, gesture)| (action, gesture.to_owned())).into_iter().chain(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortcut_means_one_thing() {
        let mut shortcuts = std::collections::BTreeSet::new();
        for row in &ROWS {
            assert!(std::ptr::eq(row.action.row(), row));
            for shortcut in row.shortcuts {
                assert!(shortcuts.insert(shortcut.to_string()), "{shortcut}");
            }
        }
        for mode in Mode::all().filter(|mode| *mode != Mode::Auto) {
            let row = SheetAction::Make(mode).row();
            assert_eq!(row.action, SheetAction::Make(mode));
            assert!(row.text.to_lowercase().ends_with(&mode.text()), "{}", row.text);
        }
        assert_eq!(from_key(Key::D, Modifiers::SHIFT), Some(SheetAction::Duplicate));
        assert_eq!(from_key(Key::D, Modifiers::NONE), None);
        assert_eq!(from_key(Key::A, Modifiers::SHIFT), None);
    }
}
