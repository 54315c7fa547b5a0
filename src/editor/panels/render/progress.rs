//! The small window over the viewport while a render is under way: the last picture, how many there are,
//! and a way to stop.

use crate::edit::request::Request;
use crate::editor::ui::theme;
use egui::{Align, Align2, Area, Button, Context, Frame, Id, Layout, Order, Rect, Ui};
use egui::{ColorImage, Image, ProgressBar, TextureHandle, TextureOptions, WidgetInfo, WidgetType, vec2};

/// How far the render under way is.
#[derive(Default)]
pub struct RenderProgress {
    pub done: usize,
    pub of: usize,
    /// It was asked to stop.
    pub stopping: bool,
    picture: Option<ColorImage>,
    texture: Option<TextureHandle>,
    /// When that was set, by the clock of the context.
    set: f64,
}

impl RenderProgress {
    pub fn new(of: usize) -> Self {
        Self {
            of,
            ..Self::default()
        }
    }

    /// The last picture, made small.
    pub fn show(&mut self, picture: ColorImage) {
        self.picture = Some(picture);
    }
}

const WIDTH: f32 = 200.0;

/// Seconds that a picture is shown at least.
const SHOWN_S: f64 = 1.5;

pub fn progress_ui(
    ctx: &Context,
    state: &mut Option<RenderProgress>,
    viewport: Rect,
    out: &mut Vec<Request>,
) {
    let Some(progress) = state else { return };
    // A new texture takes some frames to the screen: too quick a change would never be seen.
    let now = ctx.input(|input| input.time);
    let due = progress.texture.is_none() || now - progress.set >= SHOWN_S;
    if due && let Some(picture) = progress.picture.take() {
        progress.set = now;
        match &mut progress.texture {
            Some(texture) => texture.set(picture, TextureOptions::LINEAR),
            None => progress.texture = Some(ctx.load_texture("rendered", picture, TextureOptions::LINEAR)),
        }
    }
    let frame = Frame::new()
        .fill(theme::POPUP)
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
    let (done, of) = (progress.done, progress.of);
    let bar = ProgressBar::new(done as f32 / of.max(1) as f32);
    ui.add(bar.desired_height(5.0).desired_width(WIDTH).fill(theme::ACCENT));
    ui.horizontal(|ui| {
        ui.label(match (done, progress.stopping) {
            (_, true) => "Stopping".to_owned(),
            (0, _) => "Rendering".to_owned(),
            _ => format!("{done} of {of} frames"),
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let stop = Button::new("Stop").min_size(vec2(56.0, theme::ROW));
            let stop = ui.add_enabled(!progress.stopping, stop);
            stop.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Stop rendering"));
            let tip = "Finished pictures are kept; an unfinished GIF or MP4 is discarded";
            if stop.on_hover_text(tip).clicked() {
                progress.stopping = true;
                out.push(Request::CancelRender);
            }
        });
    });
}
