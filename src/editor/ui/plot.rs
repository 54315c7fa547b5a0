//! A small plot of curves over frames, with a line at the frame that is shown and the numbers under the
//! pointer. A press requests the frame under the pointer. It cannot be panned or zoomed.

use super::digits::round_step;
use super::theme;
use egui::{Color32, FontId, Rangef, RichText, Sense, Stroke, Ui, WidgetInfo, WidgetType};
use egui_plot::{AxisHints, GridInput, GridMark, HLine, Line, PlotPoint, PlotUi, Points, VLine};

/// One curve.
pub struct Curve {
    pub name: &'static str,
    pub color: Color32,
    /// The value of each frame; `None` leaves a gap.
    pub values: Vec<Option<f64>>,
}

pub struct Plot<'a> {
    /// The accessible name.
    pub label: &'a str,
    /// The frame of the first value.
    pub first: u32,
    pub curves: &'a [Curve],
    /// The frame that is shown.
    pub frame: f32,
    /// A value that is marked by a line and always visible.
    pub reference: f64,
    /// The least span of the vertical axis.
    pub least_span: f64,
    /// The factor from values to the numbers that are shown, which have `decimals` digits after the point,
    /// and `unit`.
    pub scale: f64,
    pub decimals: usize,
    pub unit: &'static str,
}

const TEXT_SIZE: f32 = 10.5;
/// The width of the numbers on the left, in points.
const NUMBERS_WIDTH: f32 = 50.0;

impl Plot<'_> {
    fn text(&self, value: f64, decimals: usize) -> String {
        format!("{:.*}{}", decimals, self.scale * value, self.unit)
    }

    fn last(&self) -> u32 {
        let count = self.curves.iter().map(|curve| curve.values.len()).max();
        self.first + count.unwrap_or(0).saturating_sub(1) as u32
    }

    fn values_at(&self, frame: u32) -> impl Iterator<Item = (&Curve, f64)> {
        let index = frame.checked_sub(self.first).map(|index| index as usize);
        let value = move |curve: &Curve| *curve.values.get(index?)?;
        self.curves.iter().filter_map(move |curve| Some((curve, value(curve)?)))
    }

    /// Returns the values at a frame, such as "left 64.2 %, right 99.7 %".
    fn values_text(&self, frame: u32) -> String {
        let text =
            |(curve, value): (&Curve, f64)| format!("{} {}", curve.name, self.text(value, self.decimals));
        self.values_at(frame).map(text).collect::<Vec<_>>().join(", ")
    }

    fn paint(&self, ui: &mut PlotUi) {
        ui.hline(HLine::new("reference", self.reference).stroke(Stroke::new(1.0, theme::TEXT_QUIET)));
        for (i, curve) in self.curves.iter().enumerate() {
            // Where curves coincide, the first is visible on both sides of the second.
            let width = if i == 0 { 3.6 } else { 1.6 };
            let points = curve.values.iter().enumerate();
            let points = points.map(|(i, value)| Some([f64::from(self.first) + i as f64, (*value)?]));
            let points: Vec<_> = points.collect();
            for run in points.split(Option::is_none) {
                let run: Vec<[f64; 2]> = run.iter().copied().flatten().collect();
                match run[..] {
                    [] => {}
                    [_] => ui.points(Points::new(curve.name, run).radius(2.5).color(curve.color)),
                    _ => ui.line(Line::new(curve.name, run).width(width).color(curve.color)),
                }
            }
        }
        ui.vline(VLine::new("frame", self.frame).stroke(Stroke::new(1.5, theme::TEXT_STRONG)));
        if self.frame.fract() == 0.0 && self.frame >= 0.0 {
            for (curve, value) in self.values_at(self.frame as u32) {
                let point = vec![[f64::from(self.frame), value]];
                ui.points(Points::new(curve.name, point).radius(3.5).color(curve.color));
            }
        }
    }
}

/// Returns round values for lines and numbers, at least `spacing` points and `least` values apart.
fn marks(spacing: f64, least: f64) -> impl Fn(GridInput) -> Vec<GridMark> {
    move |input| {
        let step_size = round_step(input.base_step_size * spacing).max(least);
        let [from, to] = [input.bounds.0, input.bounds.1].map(|end| end / step_size);
        let mark = |i: i64| GridMark { value: i as f64 * step_size, step_size };
        (from.ceil() as i64..=to.floor() as i64).map(mark).collect()
    }
}

fn styled(axis: AxisHints<'_>) -> AxisHints<'_> {
    axis.tick_label_font(FontId::proportional(TEXT_SIZE))
        .tick_label_color(theme::TEXT_QUIET)
        .label_spacing(Rangef::point(1.0))
}

/// Shows the plot at full width and `height`. Returns the frame that was requested.
pub fn plot_ui(ui: &mut Ui, plot: &Plot, height: f32) -> Option<u32> {
    let (first, last) = (plot.first, plot.last());
    let frames = styled(AxisHints::new_x())
        .label(RichText::new("Frame").size(TEXT_SIZE).color(theme::TEXT_QUIET))
        .formatter(|mark, _| format!("{:.0}", mark.value));
    let numbers = styled(AxisHints::new_y()).min_thickness(NUMBERS_WIDTH).formatter(|mark, _| {
        let decimals = -(mark.step_size * plot.scale).log10();
        plot.text(mark.value, decimals.ceil().clamp(0.0, 6.0) as usize)
    });
    let shown = egui_plot::Plot::new(plot.label)
        .height(height)
        .sense(Sense::click_and_drag())
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .show_x(false)
        .show_y(false)
        .custom_x_axes(vec![frames])
        .custom_y_axes(vec![numbers])
        .grid_spacing(Rangef::new(1.0, 2.0))
        .x_grid_spacer(marks(44.0, 1.0))
        .y_grid_spacer(marks(22.0, 0.0))
        .grid_color(*theme::LINE)
        .include_y(plot.reference - plot.least_span / 2.0)
        .include_y(plot.reference + plot.least_span / 2.0)
        .show(ui, |ui| {
            let margin = 0.01 * f64::from((last - first).max(1));
            ui.set_plot_bounds_x(f64::from(first) - margin..=f64::from(last.max(first + 1)) + margin);
            plot.paint(ui);
            if let Some(pointer) = ui.response().hover_pos() {
                let frame = frame_at(ui.plot_from_screen(pointer), plot);
                ui.vline(VLine::new("pointer", frame).stroke(Stroke::new(1.0, theme::EDGE)));
            }
        });
    let (response, transform) = (shown.response, shown.transform);
    let current = plot.frame.round().max(0.0) as u32;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, plot.label));
    let values = format!("frame {current}: {}", plot.values_text(current));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(values));
    let frame_under = |pointer| frame_at(transform.value_from_position(pointer), plot);
    let pressed = response.is_pointer_button_down_on() || response.clicked();
    let requested = response.interact_pointer_pos().filter(|_| pressed).map(frame_under);
    if let Some(frame) = response.hover_pos().map(frame_under) {
        let values = plot.values_text(frame);
        response.on_hover_ui_at_pointer(|ui| {
            ui.strong(format!("Frame {frame}"));
            ui.label(if values.is_empty() { "Not measured yet" } else { &values });
            ui.weak("Click or drag to go there.");
        });
    }
    requested.filter(|frame| *frame as f32 != plot.frame)
}

fn frame_at(point: PlotPoint, plot: &Plot) -> u32 {
    (point.x.round().max(0.0) as u32).clamp(plot.first, plot.last())
}
