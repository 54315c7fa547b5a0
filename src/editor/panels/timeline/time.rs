//! The visible frames of the sheet and their positions: zoom, pan, and the marks of the ruler. Draws nothing.

use crate::anim::clip::Clip;
use crate::editor::ui::digits::round_step;

/// The margin on both sides of the clip when all of it is visible, in points: room for a bracket beside the last key, which
/// reaches 16 from it, clear of the divider of the panel at the right, which reaches 6 into the sheet.
const PADDING: f64 = 22.0;
/// The greatest width of a frame, in points.
const MAX_FRAME_WIDTH: f64 = 120.0;
/// The greatest visible range, as a multiple of the whole clip.
const MAX_ZOOM_OUT: f64 = 4.0;
/// The least part of the clip that stays visible, in points.
const MIN_VISIBLE: f64 = 40.0;
/// The least distance of numbers on the ruler, in points.
const MIN_NUMBER_DISTANCE: f64 = 58.0;
/// The least distance of marks on the ruler, in points.
const MIN_MARK_DISTANCE: f64 = 6.0;

/// The mapping between frames and x coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The x coordinate of the left edge.
    left: f32,
    /// The width of the sheet, in points.
    width: f64,
    /// The frame at the left edge.
    first: f64,
    /// Points per frame.
    per_frame: f64,
}

impl Scale {
    pub fn x(&self, frame: f32) -> f32 {
        self.left + ((f64::from(frame) - self.first) * self.per_frame) as f32
    }

    pub fn frame(&self, x: f32) -> f32 {
        (self.first + f64::from(x - self.left) / self.per_frame) as f32
    }

    /// Converts a distance in points to frames.
    pub fn frames(&self, points: f32) -> f32 {
        (f64::from(points) / self.per_frame) as f32
    }

    /// The x coordinates of the left and the right edge.
    pub fn edges(&self) -> [f32; 2] {
        [self.left, self.left + self.width as f32]
    }

    /// The visible range of frames, including fractions.
    pub fn visible_frames(&self) -> [f32; 2] {
        [self.first as f32, (self.first + self.width / self.per_frame) as f32]
    }
}

/// The visible part of the clip: all of it, until the user zooms or pans.
#[derive(Default)]
pub struct TimeView {
    /// The frame at the left edge, and points per frame; `None` while the whole clip is visible.
    window: Option<[f64; 2]>,
}

impl TimeView {
    /// Shows the whole clip, even when it becomes longer.
    pub fn fit(&mut self) {
        self.window = None;
    }

    pub fn is_fitted(&self) -> bool {
        self.window.is_none()
    }

    /// Returns the scale of a sheet that extends from `left` to `right`, in points.
    pub fn scale(&self, clip: &Clip, left: f32, right: f32) -> Scale {
        let width = f64::from((right - left).max(1.0));
        let fitted = fitted_scale(clip, width);
        let last = f64::from(clip.last_frame());
        let [first, per_frame] = match self.window {
            None => [-PADDING / fitted, fitted],
            Some([first, per_frame]) => {
                let per_frame = per_frame.clamp(fitted / MAX_ZOOM_OUT, MAX_FRAME_WIDTH.max(fitted));
                let min_visible = MIN_VISIBLE / per_frame;
                [first.clamp(min_visible - width / per_frame, (last - min_visible).max(0.0)), per_frame]
            }
        };
        Scale { left, width, first, per_frame }
    }

    /// Keeps the current range, even if the clip changes.
    pub fn freeze(&mut self, scale: &Scale) {
        self.window = Some([scale.first, scale.per_frame]);
    }

    /// Zooms by `factor`, keeping the frame at `x` in place.
    pub fn zoom(&mut self, scale: &Scale, x: f32, factor: f64, clip: &Clip) {
        let limits = [
            fitted_scale(clip, scale.width) / MAX_ZOOM_OUT,
            MAX_FRAME_WIDTH.max(fitted_scale(clip, scale.width)),
        ];
        let per_frame = (scale.per_frame * factor).clamp(limits[0], limits[1]);
        let offset = f64::from(x - scale.left);
        let frame = scale.first + offset / scale.per_frame;
        self.window = Some([frame - offset / per_frame, per_frame]);
    }

    /// Moves the content to the right by `points`.
    pub fn pan(&mut self, scale: &Scale, points: f32) {
        let first = scale.first - f64::from(points) / scale.per_frame;
        self.window = Some([first, scale.per_frame]);
    }

    /// Zooms to the frames with a small margin.
    pub fn zoom_to(&mut self, scale: &Scale, [from, to]: [f32; 2]) {
        let frames = f64::from((to - from).max(8.0)) * 1.2;
        let middle = f64::from(from + to) / 2.0;
        self.window = Some([middle - frames / 2.0, scale.width / frames]);
    }

    /// Scrolls by a page if `frame` is not visible.
    pub fn follow(&mut self, scale: &Scale, frame: f32) {
        let [first, last] = scale.visible_frames();
        if !self.is_fitted() && !(first..=last).contains(&frame) {
            let first = f64::from(frame) - 0.1 * scale.width / scale.per_frame;
            self.window = Some([first, scale.per_frame]);
        }
    }
}

/// The points per frame at which the whole clip is visible.
fn fitted_scale(clip: &Clip, width: f64) -> f64 {
    let frames = f64::from(clip.last_frame().max(1));
    ((width - 2.0 * PADDING).max(1.0) / frames).min(MAX_FRAME_WIDTH)
}

/// A mark on the ruler; marks with a number are longer.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub frame: f32,
    pub text: Option<String>,
}

/// Returns the visible marks from frame 0 on, numbered in frames or in seconds.
pub fn ticks(scale: &Scale, clip: &Clip, seconds: bool) -> Vec<Tick> {
    let unit = if seconds { f64::from(clip.rate) } else { 1.0 };
    let (step, parts) = steps(scale.per_frame * unit, !seconds);
    let decimals = (1e-9 - step.log10().floor()).max(0.0) as usize;
    let mark = step / parts as f64;
    let from = (scale.first / unit / mark).floor().max(0.0) as i64;
    let to = ((scale.first + scale.width / scale.per_frame) / unit / mark).ceil() as i64;
    let tick = |i: i64| {
        let value = i as f64 * mark;
        let text = || if seconds { format!("{value:.decimals$} s") } else { format!("{value:.0}") };
        Tick { frame: (value * unit) as f32, text: (i % parts == 0).then(text) }
    };
    (from..=to).map(tick).collect()
}

/// Returns the distance of numbers, which is 1, 2 or 5 times a power of ten, and the number of parts into
/// which marks divide it.
fn steps(points_per_unit: f64, whole: bool) -> (f64, i64) {
    let step = round_step(MIN_NUMBER_DISTANCE / points_per_unit);
    let step = if whole { step.max(1.0) } else { step };
    let fits = |parts: &i64| {
        let mark = step / *parts as f64;
        mark * points_per_unit >= MIN_MARK_DISTANCE && (!whole || mark.fract() == 0.0)
    };
    (step, [10, 5, 4, 2].into_iter().find(fits).unwrap_or(1))
}

/// The text for a frame in the sheet: "12", "12.25" or "0.50 s".
pub fn frame_text(frame: f32, clip: &Clip, seconds: bool) -> String {
    if seconds {
        format!("{:.2} s", clip.seconds(frame))
    } else {
        format!("{}", (frame * 100.0).round() / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(length: u32) -> Clip {
        Clip { length, ..Clip::default() }
    }

    #[test]
    fn the_whole_clip_is_visible_at_first() {
        for length in [1, 2, 96, 1_000_000] {
            let clip = clip(length);
            let scale = TimeView::default().scale(&clip, 100.0, 900.0);
            let [first, last] = scale.visible_frames();
            assert!(first <= 0.0 && last >= clip.last_frame() as f32, "{length}");
            assert!(scale.x(0.0) >= 110.0 && scale.x(clip.last_frame() as f32) <= 890.0);
        }
    }

    #[test]
    fn zooming_keeps_the_frame_under_the_pointer_and_panning_moves_it() {
        let clip = clip(96);
        let mut view = TimeView::default();
        let before = view.scale(&clip, 100.0, 900.0);
        let x = before.x(40.0);
        view.zoom(&before, x, 3.0, &clip);
        let near = view.scale(&clip, 100.0, 900.0);
        assert!((near.x(40.0) - x).abs() < 0.01);
        assert!((near.frames(1.0) * 3.0 - before.frames(1.0)).abs() < 1e-4);
        view.pan(&near, 30.0);
        let panned = view.scale(&clip, 100.0, 900.0);
        assert!((panned.x(40.0) - x - 30.0).abs() < 0.01);
        assert!((panned.frame(panned.x(40.0)) - 40.0).abs() < 1e-3);
        view.fit();
        assert_eq!(view.scale(&clip, 100.0, 900.0), before);
    }

    #[test]
    fn zoom_and_pan_are_limited() {
        let clip = clip(96);
        let mut view = TimeView::default();
        for factor in [1e9, 1e-9] {
            let scale = view.scale(&clip, 0.0, 800.0);
            view.zoom(&scale, 400.0, factor, &clip);
            let per_frame = 1.0 / f64::from(view.scale(&clip, 0.0, 800.0).frames(1.0));
            assert!((1.9..=120.1).contains(&per_frame), "{per_frame}");
        }
        for points in [1e9, -1e9] {
            let scale = view.scale(&clip, 0.0, 800.0);
            view.pan(&scale, points);
            let [first, last] = view.scale(&clip, 0.0, 800.0).visible_frames();
            assert!(first < 95.0 && last > 0.0, "{first} {last}");
        }
    }

    #[test]
    fn following_scrolls_to_an_invisible_frame() {
        let clip = clip(1000);
        let mut view = TimeView::default();
        let scale = view.scale(&clip, 0.0, 800.0);
        view.zoom_to(&scale, [100.0, 200.0]);
        let shown = view.scale(&clip, 0.0, 800.0);
        assert_eq!(shown.visible_frames().map(f32::round), [90.0, 210.0]);
        view.follow(&shown, 150.0);
        assert_eq!(view.scale(&clip, 0.0, 800.0), shown);
        view.follow(&shown, 300.0);
        assert_eq!(view.scale(&clip, 0.0, 800.0).visible_frames().map(f32::round), [288.0, 408.0]);
    }

    #[test]
    fn numbers_are_round_and_do_not_overlap() {
        for width in [200.0, 800.0, 3000.0] {
            for length in [2, 10, 96, 5000, 1_000_000] {
                for seconds in [false, true] {
                    let clip = clip(length);
                    let scale = TimeView::default().scale(&clip, 0.0, width);
                    let ticks = ticks(&scale, &clip, seconds);
                    assert!(ticks.len() < 600 && ticks[0].frame == 0.0);
                    let numbered: Vec<_> = ticks.iter().filter(|tick| tick.text.is_some()).collect();
                    for pair in numbered.windows(2) {
                        let distance = scale.x(pair[1].frame) - scale.x(pair[0].frame);
                        assert!((57.9..=241.0).contains(&distance), "{width} {length} {seconds}: {distance}");
                        assert_ne!(pair[0].text, pair[1].text);
                    }
                    if !seconds {
                        assert!(ticks.iter().all(|tick| tick.frame.fract() == 0.0));
                    }
                }
            }
        }
        let scale = TimeView::default().scale(&clip(97), 0.0, 960.0 + 32.0);
        let text = |seconds| {
            let ticks = ticks(&scale, &clip(97), seconds).into_iter();
            ticks.filter_map(|tick| tick.text).take(3).collect::<Vec<_>>()
        };
        assert_eq!(text(false), ["0", "10", "20"]);
        assert_eq!(text(true), ["0.0 s", "0.5 s", "1.0 s"]);
    }

    #[test]
    fn frames_are_written_short() {
        let clip = clip(96);
        let text = |frame| frame_text(frame, &clip, false);
        assert_eq!((text(12.0), text(12.345)), ("12".into(), "12.35".into()));
        assert_eq!(frame_text(12.0, &clip, true), "0.50 s");
    }
}
