//! The small window over the viewport during a render: the last picture, the number of frames, and a button
//! to stop.

use crate::edit::request::Request;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Align, Align2, Area, Button, Context, Frame, Id, Layout, Order, Rect, Ui};
use egui::{ColorImage, Image, ProgressBar, TextureHandle, TextureOptions, WidgetInfo, WidgetType, vec2};

/// The progress of the current render.
#[derive(Default)]
pub struct RenderProgress {
    /// The number of frames rendered.
    pub done: usize,
    /// The number of frames in total.
    pub total: usize,
    /// Whether stopping was requested.
    pub stopping: bool,
    picture: Option<ColorImage>,
    texture: Option<TextureHandle>,
    /// The time of the context at which the texture was set, in seconds.
    set_at: f64,
}

impl RenderProgress {
    pub fn new(total: usize) -> Self {
        Self { total, ..Self::default() }
    }

    /// Shows the last picture, scaled down.
    pub fn show(&mut self, picture: ColorImage) {
        self.picture = Some(picture);
    }
}

const WIDTH: f32 = 200.0;

/// The least time that a picture is shown, in seconds.
const MIN_SHOWN_S: f64 = 1.5;

pub fn progress_ui(
    ctx: &Context,
    state: &mut Option<RenderProgress>,
    viewport: Rect,
    out: &mut Vec<Request>,
) {
    let Some(progress) = state else { return };
    // A new texture takes some frames to appear, so changing it faster would show none.
    let now = ctx.input(|input| input.time);
    let due = progress.texture.is_none() || now - progress.set_at >= MIN_SHOWN_S;
    if due && let Some(picture) = progress.picture.take() {
        progress.set_at = now;
        match &mut progress.texture {
            Some(texture) => texture.set(picture, TextureOptions::LINEAR),
            None => progress.texture = Some(ctx.load_texture("rendered", picture, TextureOptions::LINEAR)),
        }
    }
    let frame = Frame::new()
        .fill(*theme::POPUP)
        .stroke(egui::Stroke::new(1.0, theme::LINE))
        .corner_radius(theme::RADIUS + 2)
        .inner_margin(10);
    Area::new(Id::new("rendering"))
        .order(Order::Foreground)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(viewport.right_top() + vec2(-12.0, 12.0))
        .show(ctx, |ui| frame.show(ui, |ui| content_ui(ui, progress, out)));
}

fn content_ui(ui: &mut Ui, progress: &mut RenderProgress, out: &mut Vec<Request>) {
    ui.set_width(WIDTH);
    if let Some(texture) = &progress.texture {
        ui.add(Image::new(texture).max_size(vec2(WIDTH, WIDTH)));
        ui.add_space(theme::SMALL_GAP);
    }
    let (done, total) = (progress.done, progress.total);
    let bar = ProgressBar::new(done as f32 / total.max(1) as f32);
    ui.add(bar.desired_height(5.0).desired_width(WIDTH).fill(*theme::ACCENT));
    ui.horizontal(|ui| {
        ui.label(match (done, progress.stopping) {
            (_, true) => "Stopping".to_owned(),
            (0, _) => "Rendering".to_owned(),
            _ => format!("{done} of {total} frames"),
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let stop = Button::new("Stop").min_size(vec2(56.0, theme::ROW));
            let stop = ui.add_enabled(!progress.stopping, stop);
            stop.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Stop rendering"));
            let tip = "Finished pictures are kept; an unfinished GIF or MP4 is discarded";
            if stop.tip(tip).clicked() {
                progress.stopping = true;
                out.push(Request::CancelRender);
            }
        });
    });
}
