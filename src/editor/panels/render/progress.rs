//! The small window over the viewport while a render is under way: the last picture, how many there are,
//! and a way to stop.

use super::super::dialogs::tall;
use crate::edit::request::Request;
use crate::editor::ui::theme;
use egui::{
    Align2, ColorImage, Context, Image, ProgressBar, Rect, TextureHandle, TextureOptions, Window, vec2,
};

/// Of the render under way.
#[derive(Default)]
pub struct RenderProgress {
    pub done: usize,
    pub of: usize,
    /// It was asked to stop.
    pub stopping: bool,
    picture: Option<ColorImage>,
    texture: Option<TextureHandle>,
}

impl RenderProgress {
    pub fn of(of: usize) -> Self {
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

pub fn progress_ui(
    ctx: &Context,
    state: &mut Option<RenderProgress>,
    viewport: Rect,
    out: &mut Vec<Request>,
) {
    let Some(progress) = state else { return };
    if let Some(picture) = progress.picture.take() {
        match &mut progress.texture {
            Some(texture) => texture.set(picture, TextureOptions::LINEAR),
            None => progress.texture = Some(ctx.load_texture("rendered", picture, TextureOptions::LINEAR)),
        }
    }
    Window::new("Rendering")
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(viewport.right_top() + vec2(-12.0, 12.0))
        .constrain_to(viewport)
        .show(ctx, |ui| {
            ui.set_width(WIDTH);
            if let Some(texture) = &progress.texture {
                ui.vertical_centered(|ui| {
                    ui.add(Image::new(texture).max_size(vec2(WIDTH, WIDTH)));
                });
            }
            ui.add_space(theme::SMALL_GAP);
            let (done, of) = (progress.done, progress.of);
            ui.add(ProgressBar::new(done as f32 / of.max(1) as f32).desired_height(6.0));
            ui.horizontal(|ui| {
                ui.label(match (done, progress.stopping) {
                    (_, true) => "Stopping".to_owned(),
                    (0, _) => "Starting".to_owned(),
                    _ => format!("{done} of {of} frames"),
                });
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let stop = ui.add_enabled(!progress.stopping, tall("Stop"));
                    if stop
                        .on_hover_text("Files that are there stay; a GIF or MP4 is given up")
                        .clicked()
                    {
                        progress.stopping = true;
                        out.push(Request::CancelRender);
                    }
                });
            });
        });
}
