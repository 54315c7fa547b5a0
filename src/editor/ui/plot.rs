//! A small plot of curves over frames, with axes, a line at the frame that is shown, and the numbers under
//! the pointer. Pressed, it asks for the frame there.

use super::theme;
use egui::{
    Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// One curve.
pub struct Curve {
    pub name: &'static str,
    pub color: Color32,
    /// Per frame; `None` leaves a gap.
    pub values: Vec<Option<f64>>,
}

pub struct Plot<'a> {
    /// Accessible name.
    pub label: &'a str,
    /// Frame of the first value.
    pub first: u32,
    pub curves: &'a [Curve],
    /// The frame that is shown.
    pub frame: f32,
    /// A value that has a line of its own and is always in sight.
    pub reference: f64,
    /// The vertical axis spans no less.
    pub least_span: f64,
    /// Shown numbers are values times this, with so many digits after the point and the unit behind.
    pub scale: f64,
    pub decimals: usize,
    pub unit: &'static str,
}

/// A round step (1, 2 or 5 times a power of ten) that divides `span` into `most` parts or fewer.
pub fn round_step(span: f64, most: usize) -> f64 {
    let raw = span / most.max(1) as f64;
    if !(raw > 0.0 && raw.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(raw.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0].into_iter();
    let fitting = factors
        .map(|factor| factor * power)
        .find(|step| *step >= raw * (1.0 - 1e-9));
    fitting.unwrap_or(10.0 * power)
}

impl Plot<'_> {
    fn text(&self, value: f64, decimals: usize) -> String {
        format!("{:.*}{}", decimals, self.scale * value, self.unit)
    }

    fn count(&self) -> usize {
        self.curves
            .iter()
            .map(|curve| curve.values.len())
            .max()
            .unwrap_or(0)
    }

    fn last(&self) -> u32 {
        self.first + self.count().saturating_sub(1) as u32
    }

    /// The vertical range, which begins and ends at ticks, and the step between them.
    fn range(&self, most_ticks: usize) -> ([f64; 2], f64) {
        let values = self.curves.iter().flat_map(|curve| curve.values.iter().flatten());
        let finite = values.copied().filter(|value| value.is_finite());
        let (mut low, mut high) = finite.fold((self.reference, self.reference), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let missing = self.least_span - (high - low);
        if missing > 0.0 {
            (low, high) = (low - missing / 2.0, high + missing / 2.0);
        }
        let step = round_step(high - low, most_ticks);
        ([(low / step).floor() * step, (high / step).ceil() * step], step)
    }

    fn values_at(&self, frame: u32) -> Option<Vec<(&Curve, f64)>> {
        let place = frame.checked_sub(self.first)? as usize;
        let value = |curve| Some((curve, (*Curve::values(curve).get(place)?)?));
        Some(self.curves.iter().filter_map(value).collect())
    }

    /// "left 64.2 %, right 99.7 %".
    fn said(&self, frame: u32) -> String {
        let values = self.values_at(frame).unwrap_or_default();
        let said = values
            .iter()
            .map(|(curve, value)| format!("{} {}", curve.name, self.text(*value, self.decimals)));
        said.collect::<Vec<_>>().join(", ")
    }
}

impl Curve {
    fn values(&self) -> &[Option<f64>] {
        &self.values
    }
}

const TICK: f32 = 10.5;
const TITLE_ROOM: f32 = 14.0;

fn most_ticks(height: f32) -> usize {
    ((height - 40.0) / 22.0).clamp(2.0, 6.0) as usize
}

impl Plot<'_> {
    /// Values that have a line, and the digits behind the point that tell them apart.
    fn ticks(&self, height: f32) -> ([f64; 2], Vec<f64>, usize) {
        let ([low, high], step) = self.range(most_ticks(height));
        let ticks = (0..=((high - low) / step).round() as usize).map(|i| low + i as f64 * step);
        let decimals = (-(step * self.scale).log10()).ceil().clamp(0.0, 6.0) as usize;
        ([low, high], ticks.collect(), decimals)
    }
}

fn width_of(ui: &Ui, text: String) -> f32 {
    let font = FontId::proportional(TICK);
    ui.painter()
        .layout_no_wrap(text, font, theme::TEXT_QUIET)
        .size()
        .x
}

/// What the numbers of the vertical axis need at the left of a plot of `height`.
pub fn label_room(ui: &Ui, plot: &Plot, height: f32) -> f32 {
    let (_, ticks, decimals) = plot.ticks(height);
    let widths = ticks.iter().map(|tick| width_of(ui, plot.text(*tick, decimals)));
    widths.fold(0.0, f32::max) + 6.0
}

/// Paints the plot at full width and `height`, with `left` points for the numbers of the vertical axis; gives
/// the frame that was asked for.
pub fn plot_ui(ui: &mut Ui, plot: &Plot, height: f32, left: f32) -> Option<u32> {
    let (whole, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    let font = FontId::proportional(TICK);
    let ink = theme::TEXT_QUIET;
    let ([low, high], ticks, decimals) = plot.ticks(height);
    let right = (width_of(ui, plot.last().to_string()) / 2.0).max(4.0);
    let area = Rect::from_min_max(
        whole.min + vec2(left, TICK / 2.0),
        whole.max - vec2(right, TICK + 5.0 + TITLE_ROOM),
    );
    let span = f64::from((plot.last() - plot.first).max(1));
    let x = |frame: f64| area.left() + ((frame - f64::from(plot.first)) / span) as f32 * area.width();
    let y = |value: f64| area.bottom() - ((value - low) / (high - low)) as f32 * area.height();

    let painter = ui.painter();
    painter.rect_filled(area, 2.0, theme::FIELD);
    let across = |value: f64, stroke: Stroke| painter.hline(area.x_range(), y(value), stroke);
    for tick in &ticks {
        across(*tick, Stroke::new(1.0, theme::LINE));
        let at = pos2(area.left() - 5.0, y(*tick));
        painter.text(
            at,
            Align2::RIGHT_CENTER,
            plot.text(*tick, decimals),
            font.clone(),
            ink,
        );
    }
    across(plot.reference, Stroke::new(1.0, theme::TEXT_QUIET));
    let most = (area.width() / 44.0).max(1.0) as usize;
    let frame_step = round_step(span, most).max(1.0);
    let mut frame = (f64::from(plot.first) / frame_step).ceil() * frame_step;
    while frame <= f64::from(plot.last()) {
        let at = pos2(x(frame), area.bottom());
        painter.vline(at.x, area.y_range(), Stroke::new(1.0, theme::LINE));
        painter.text(
            at + vec2(0.0, 3.0),
            Align2::CENTER_TOP,
            format!("{frame:.0}"),
            font.clone(),
            ink,
        );
        frame += frame_step;
    }
    let title = pos2(area.center().x, whole.bottom());
    painter.text(title, Align2::CENTER_BOTTOM, "Frame", font, ink);
    curves(ui, plot, &x, &y, area);

    let now = plot.frame.round().max(0.0) as u32;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, plot.label));
    let said = format!("frame {now}: {}", plot.said(now));
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_value(said));
    let under = |at: Pos2| {
        let frame = f64::from(plot.first) + f64::from((at.x - area.left()) / area.width().max(1.0)) * span;
        (frame.round().max(0.0) as u32).clamp(plot.first, plot.last())
    };
    let pressed = response.is_pointer_button_down_on() || response.clicked();
    let asked = response.interact_pointer_pos().filter(|_| pressed).map(under);
    if let Some(at) = response.hover_pos().filter(|at| area.contains(*at)) {
        let frame = under(at);
        let said = plot.said(frame);
        let x = x(f64::from(frame));
        ui.painter()
            .vline(x, area.y_range(), Stroke::new(1.0, theme::EDGE));
        response.on_hover_ui_at_pointer(|ui| {
            ui.strong(format!("Frame {frame}"));
            ui.label(if said.is_empty() {
                "Not measured yet"
            } else {
                &said
            });
            ui.weak("Click or drag to go there.");
        });
    }
    asked.filter(|frame| *frame as f32 != plot.frame)
}

fn curves(ui: &Ui, plot: &Plot, x: &dyn Fn(f64) -> f32, y: &dyn Fn(f64) -> f32, area: Rect) {
    let painter = ui.painter().with_clip_rect(area.expand(2.0));
    for (i, curve) in plot.curves.iter().enumerate() {
        // Where curves coincide, the first is seen on both sides of the second.
        let stroke = Stroke::new(if i == 0 { 3.6 } else { 1.6 }, curve.color);
        let mut run: Vec<Pos2> = Vec::new();
        for (place, value) in curve.values.iter().map(Some).chain([None]).enumerate() {
            if let Some(Some(value)) = value {
                run.push(pos2(x(f64::from(plot.first) + place as f64), y(*value)));
                continue;
            }
            match run[..] {
                [] => {}
                [at] => drop(painter.circle_filled(at, 2.5, curve.color)),
                _ => drop(painter.add(Shape::line(run.clone(), stroke))),
            }
            run.clear();
        }
    }
    let shown = x(f64::from(plot.frame));
    painter.vline(shown, area.y_range(), Stroke::new(1.5, theme::TEXT_STRONG));
    if plot.frame.fract() == 0.0 && plot.frame >= 0.0 {
        for (curve, value) in plot.values_at(plot.frame as u32).unwrap_or_default() {
            painter.circle(
                pos2(shown, y(value)),
                3.5,
                curve.color,
                Stroke::new(1.0, theme::FIELD),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_few() {
        let cases = [
            (100.0, 5, 20.0),
            (96.0, 5, 20.0),
            (0.9, 3, 0.5),
            (7.0, 4, 2.0),
            (1.0, 1, 1.0),
            (48.0, 6, 10.0),
        ];
        for (span, most, step) in cases {
            let found = round_step(span, most);
            assert!((found / step - 1.0).abs() < 1e-9, "{span} in {most}: {found}");
        }
        assert_eq!((round_step(0.0, 5), round_step(f64::NAN, 5)), (1.0, 1.0));
    }

    #[test]
    fn the_range_holds_every_value_and_the_reference() {
        let curves = [Curve {
            name: "left",
            color: Color32::RED,
            values: vec![Some(0.642), None, Some(0.97)],
        }];
        let plot = Plot {
            label: "",
            first: 3,
            curves: &curves,
            frame: 5.0,
            reference: 1.0,
            least_span: 0.1,
            scale: 100.0,
            decimals: 1,
            unit: " %",
        };
        let ([low, high], step) = plot.range(4);
        assert!(
            low <= 0.642 && high >= 1.0 && (high - low) / step < 6.0,
            "{low} {high}"
        );
        assert_eq!((plot.last(), plot.said(5)), (5, "left 97.0 %".to_owned()));
        assert_eq!((plot.said(4), plot.said(77)), (String::new(), String::new()));
        // All the same: not a line of no height.
        let ([low, high], _) = Plot { curves: &[], ..plot }.range(4);
        assert!(high - low >= 0.1, "{low} {high}");
    }
}
