//! "Recover unsaved work?": sessions that ended unexpectedly, with a preview of what can be recovered of
//! each.

use crate::edit::request::Request;
use crate::editor::panels::status::counted;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Align, Button, ColorImage, Context, Frame, Image, Key, Layout, Modifiers, RichText};
use egui::{ScrollArea, Sense, TextureHandle, TextureOptions, Ui, WidgetInfo, WidgetType, vec2};
use std::path::PathBuf;

/// The state of the dialog.
pub struct RecoveryState {
    sessions: Vec<LostSession>,
    chosen: usize,
}

/// A session that can be recovered.
pub struct LostSession {
    /// The name of its folder.
    pub id: String,
    /// The file of its document; `None` if it was never saved.
    pub document: Option<PathBuf>,
    /// The time since it ended: "5 minutes ago".
    pub ago: String,
    /// The number of steps that are in no file.
    pub unsaved: usize,
    /// The labels of the last steps, the latest first.
    pub labels: Vec<String>,
    pub discarded: bool,
    pub state: LostState,
}

/// The expected result of recovering a session.
pub enum LostState {
    /// The session is still being read.
    Reading,
    Ready {
        picture: Picture,
        /// A note on what would be missing, or where the journal ends.
        note: Option<String>,
        /// Whether the file of the document has changed since the session.
        file_changed: bool,
    },
    /// The reason why nothing can be recovered.
    Failed(String),
}

/// A picture, before and after it is uploaded to the GPU.
pub enum Picture {
    Image(ColorImage),
    Texture(TextureHandle),
}

impl LostState {
    pub fn ready(picture: ColorImage, note: Option<String>, file_changed: bool) -> Self {
        Self::Ready { picture: Picture::Image(picture), note, file_changed }
    }
}

impl RecoveryState {
    pub fn new(sessions: Vec<LostSession>) -> Self {
        Self { sessions, chosen: 0 }
    }

    /// Sets the state of the session with that id.
    pub fn set(&mut self, id: &str, state: LostState) {
        if let Some(session) = self.sessions.iter_mut().find(|session| session.id == id) {
            session.state = state;
        }
    }
}

impl LostSession {
    fn name(&self) -> String {
        let name = self.document.as_deref().and_then(|path| path.file_name());
        name.map_or_else(|| "Untitled".into(), |name| shorten(&name.to_string_lossy()))
    }

    fn is_ready(&self) -> bool {
        matches!(self.state, LostState::Ready { .. })
    }
}

/// The size of a picture, in points.
const PICTURE: [f32; 2] = [128.0, 96.0];

/// Draws the dialog: Enter recovers the chosen session, arrow keys choose, Esc postpones. Returns whether it
/// is finished.
pub fn recovery_ui(ctx: &Context, state: &mut RecoveryState, out: &mut Vec<Request>) -> bool {
    let key = |key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let last = state.sessions.len().saturating_sub(1);
    if key(Key::ArrowDown) {
        state.chosen += 1;
    }
    if key(Key::ArrowUp) {
        state.chosen = state.chosen.saturating_sub(1);
    }
    state.chosen = state.chosen.min(last);
    // A focused button handles Enter itself.
    let unfocused = ctx.memory(|memory| memory.focused().is_none());
    let mut recover = is_confirmed(ctx);
    let mut discard = unfocused && key(Key::Delete);
    let mut later = false;
    let shown = modal("recovery").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size() - vec2(60.0, 200.0);
        ui.set_width(540.0_f32.min(room.x));
        ui.heading("Recover unsaved work?");
        ui.add_space(theme::GAP);
        ui.label("The program ended before these were saved. Recovering restores all steps and the undo history; files stay as they are.");
        ui.add_space(theme::GAP);
        ScrollArea::vertical().max_height(room.y.max(120.0)).show(ui, |ui| {
            for (index, session) in state.sessions.iter_mut().enumerate() {
                if session_ui(ui, session, index == state.chosen) {
                    state.chosen = index;
                }
            }
        });
        let chosen = state.sessions.get(state.chosen);
        let (ready, discarded) = chosen.map_or((false, true), |chosen| (chosen.is_ready(), chosen.discarded));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            recover |= ui.add_enabled(ready, main_dialog_button("Recover")).clicked();
            later = ui.add(dialog_button("Later")).tip("File > Recover lists them again.").clicked();
            let response = ui.add_enabled(!discarded, dialog_button("Discard"));
            let text = "It is kept for 14 days, but no longer offered at startup.";
            discard |= response.tip(text).clicked();
        });
        recover &= ready;
        discard &= !discarded;
    });
    if recover && let Some(chosen) = state.sessions.get(state.chosen) {
        out.push(Request::Recover(chosen.id.clone()));
        return true;
    }
    if discard && state.chosen < state.sessions.len() {
        let session = state.sessions.remove(state.chosen);
        out.push(Request::DiscardLost(session.id));
        return state.sessions.is_empty();
    }
    later || is_dismissed(&shown)
}

/// Draws a session with its picture. Returns whether it was clicked.
fn session_ui(ui: &mut Ui, session: &mut LostSession, chosen: bool) -> bool {
    let name = session.name();
    let fill = if chosen { *theme::ACCENT_FILL } else { *theme::CONTROL };
    let frame = Frame::new().fill(fill).corner_radius(theme::RADIUS).inner_margin(8);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            picture_ui(ui, session);
            ui.vertical(|ui| {
                ui.set_width(ui.available_width());
                ui.strong(&name);
                let ending = if session.discarded { "closed without saving" } else { "lost" };
                let steps = unsaved_text(session.unsaved);
                ui.label(format!("{steps}, {ending} {}", session.ago));
                if !session.labels.is_empty() {
                    ui.weak(format!("Last: {}", session.labels.join(", ")));
                }
                let folder = session.document.as_deref().and_then(|path| path.parent());
                if let Some(folder) = folder {
                    ui.weak(folder.display().to_string());
                }
                let warn = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).color(theme::WARNING));
                match &session.state {
                    LostState::Reading => drop(ui.weak("Reading…")),
                    LostState::Failed(reason) => drop(warn(ui, reason)),
                    LostState::Ready { note, file_changed, .. } => {
                        if let Some(note) = note {
                            warn(ui, note);
                        }
                        if *file_changed {
                            warn(ui, "The file has been changed since by another program; saving asks before it is replaced.");
                        }
                    }
                }
            });
        });
    });
    let response = ui.interact(shown.response.rect, ui.id().with(&session.id), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, format!("Session {name}"))
    });
    ui.add_space(theme::SMALL_GAP);
    response.clicked()
}

fn picture_ui(ui: &mut Ui, session: &mut LostSession) {
    let size = vec2(PICTURE[0], PICTURE[1]);
    let LostState::Ready { picture, .. } = &mut session.state else {
        ui.add_sized(size, Button::new("").sense(Sense::hover()).frame(false));
        return;
    };
    if let Picture::Image(image) = picture {
        let texture = ui.ctx().load_texture(&session.id, std::mem::take(image), TextureOptions::LINEAR);
        *picture = Picture::Texture(texture);
    }
    if let Picture::Texture(texture) = picture {
        ui.add(Image::new(&*texture).fit_to_exact_size(size));
    }
}

/// Describes the number of unsaved steps: "3 unsaved steps".
pub fn unsaved_text(steps: usize) -> String {
    match steps {
        0 => "only undone steps".into(),
        _ => counted(steps, "unsaved step", "unsaved steps"),
    }
}
