//! Messages: what was found, done or went wrong, with details that can be copied.
//!
//! New ones show for a while above the status bar; all of them are kept in a window of their own.

use crate::editor::ui::{icons, theme};
use crate::io::report::Severity;
use egui::{Align2, Area, Button, Color32, Context, Frame, Id, Order, Rect, RichText, ScrollArea, Ui};
use egui::{WidgetInfo, WidgetType, Window, vec2};
use std::collections::VecDeque;
use std::time::Duration;

/// The oldest are forgotten beyond this many.
const KEPT: usize = 500;
/// Shown at once, at most; the newest.
const TOASTS: usize = 4;
const TOAST_WIDTH: f32 = 320.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    /// Icon and colour.
    pub fn look(self) -> (&'static str, Color32) {
        match self {
            Level::Info => (icons::INFO, theme::INFO),
            Level::Warning => (icons::WARNING, theme::WARNING),
            Level::Error => (icons::ERROR, theme::ERROR),
        }
    }

    /// Seconds that a new message shows; errors wait for an answer.
    fn seconds(self) -> Option<f64> {
        match self {
            Level::Info => Some(4.0),
            Level::Warning => Some(8.0),
            Level::Error => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Level::Info => "Note",
            Level::Warning => "Warning",
            Level::Error => "Error",
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Level::Info,
            Severity::Warning => Level::Warning,
            Severity::Error => Level::Error,
        }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub level: Level,
    /// One sentence.
    pub summary: String,
    /// Lines; may be empty.
    pub details: String,
    serial: u64,
}

impl Message {
    /// For the clipboard.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}", self.level.word(), self.summary);
        if !self.details.is_empty() {
            text.push('\n');
            text.push_str(&self.details);
        }
        text
    }
}

struct Toast {
    serial: u64,
    /// Time (of the context) at which it goes; set when it is first seen.
    until: Option<f64>,
}

/// All messages of this run.
#[derive(Default)]
pub struct Messages {
    /// Whether the window with all of them is open.
    pub open: bool,
    list: VecDeque<Message>,
    toasts: Vec<Toast>,
    pushed: u64,
    seen: u64,
}

impl Messages {
    pub fn push(&mut self, level: Level, summary: impl Into<String>, details: impl Into<String>) {
        self.pushed += 1;
        let message = Message {
            level,
            summary: summary.into(),
            details: details.into(),
            serial: self.pushed,
        };
        self.list.push_back(message);
        if self.list.len() > KEPT {
            self.list.pop_front();
        }
        self.toasts.push(Toast {
            serial: self.pushed,
            until: None,
        });
        let surplus = self.toasts.len().saturating_sub(TOASTS);
        self.toasts.drain(..surplus);
    }

    /// Oldest first.
    pub fn all(&self) -> impl Iterator<Item = &Message> {
        self.list.iter()
    }

    /// How many warnings and errors came since the window was last open.
    pub fn unseen_problems(&self) -> usize {
        let unseen = self.list.iter().filter(|message| message.serial > self.seen);
        unseen.filter(|message| message.level > Level::Info).count()
    }

    pub fn worst_unseen(&self) -> Option<Level> {
        self.list
            .iter()
            .filter(|m| m.serial > self.seen)
            .map(|m| m.level)
            .max()
    }

    /// Whether anything shows above the viewport that will go by itself.
    pub fn fading(&self) -> bool {
        self.toasts.iter().any(|t| t.until.is_some_and(f64::is_finite))
    }
}

/// New messages at the lower right of `area`, and the window of all while it is open.
pub fn messages_ui(ctx: &Context, messages: &mut Messages, area: Rect) {
    if messages.open {
        messages.seen = messages.pushed;
        messages.toasts.clear();
        window_ui(ctx, messages);
    }
    toasts_ui(ctx, messages, area);
}

fn toasts_ui(ctx: &Context, messages: &mut Messages, area: Rect) {
    let now = ctx.input(|i| i.time);
    let mut bottom = area.right_bottom() - vec2(12.0, 12.0);
    let width = TOAST_WIDTH.min(area.width() - 24.0).max(120.0);
    let mut gone = Vec::new();
    for toast in messages.toasts.iter_mut().rev() {
        let Some(message) = messages.list.iter().find(|m| m.serial == toast.serial) else {
            gone.push(toast.serial);
            continue;
        };
        let until = *toast
            .until
            .get_or_insert(message.level.seconds().map_or(f64::INFINITY, |s| now + s));
        if now >= until {
            gone.push(toast.serial);
            continue;
        }
        let shown = Area::new(Id::new(("toast", toast.serial)))
            .order(Order::Foreground)
            .pivot(Align2::RIGHT_BOTTOM)
            .fixed_pos(bottom)
            .show(ctx, |ui| toast_ui(ui, message, width));
        let (close, details) = shown.inner;
        if close {
            gone.push(toast.serial);
        }
        if details {
            messages.open = true;
        }
        if shown.response.contains_pointer() && until.is_finite() {
            // Being read: it stays a little longer.
            toast.until = Some(until.max(now + 2.0));
        }
        bottom.y -= shown.response.rect.height() + theme::GAP;
        if until.is_finite() {
            ctx.request_repaint_after(Duration::from_secs_f64((until - now).clamp(0.0, 60.0)));
        }
    }
    messages.toasts.retain(|t| !gone.contains(&t.serial));
}

/// Whether Close and Details were pressed.
fn toast_ui(ui: &mut Ui, message: &Message, width: f32) -> (bool, bool) {
    let (icon, color) = message.level.look();
    Frame::popup(ui.style())
        .inner_margin(egui::Margin::symmetric(10, 8))
        .show(ui, |ui| {
            ui.set_width(width - 20.0);
            let mut pressed = (false, false);
            ui.horizontal_top(|ui| {
                ui.label(RichText::new(icon).color(color).size(theme::HEADING));
                let room = (ui.available_width() - 30.0).max(40.0);
                ui.vertical(|ui| {
                    ui.set_width(room);
                    ui.add(egui::Label::new(clip(&message.summary, 300)).wrap());
                    if !message.details.is_empty() {
                        let label = format!("Details of {}", clip(&message.summary, 60));
                        pressed.1 = link_button(ui, "Details", &label);
                    }
                });
                let label = format!("Close {}", clip(&message.summary, 60));
                pressed.0 = link_button(ui, icons::CLOSE, &label);
            });
            pressed
        })
        .inner
}

fn link_button(ui: &mut Ui, text: &str, label: &str) -> bool {
    let response = ui.add(Button::new(RichText::new(text).color(theme::TEXT_QUIET)).frame(false));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label));
    response.clicked()
}

/// The first `most` characters.
fn clip(text: &str, most: usize) -> String {
    let mut clipped: String = text.chars().take(most).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

fn window_ui(ctx: &Context, messages: &mut Messages) {
    let mut open = true;
    let size = ctx.content_rect().size() - vec2(60.0, 120.0);
    Window::new("Messages")
        .open(&mut open)
        .collapsible(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(ctx.content_rect().center())
        .default_size(vec2(520.0, 360.0).min(size.max(vec2(200.0, 120.0))))
        .show(ctx, |ui| {
            ui.horizontal(|ui| {
                let any = !messages.list.is_empty();
                let copy = ui.add_enabled(any, Button::new("Copy all"));
                if copy.on_disabled_hover_text("There are no messages").clicked() {
                    let texts: Vec<_> = messages.all().map(Message::text).collect();
                    ui.copy_text(texts.join("\n\n"));
                }
                let clear = ui.add_enabled(any, Button::new("Clear"));
                if clear.on_disabled_hover_text("There are no messages").clicked() {
                    messages.list.clear();
                }
            });
            ui.separator();
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if messages.list.is_empty() {
                    ui.weak("Nothing to report.");
                }
                for message in messages.list.iter().rev() {
                    message_ui(ui, message);
                    ui.add_space(theme::GAP);
                }
            });
        });
    messages.open = open;
}

fn message_ui(ui: &mut Ui, message: &Message) {
    let (icon, color) = message.level.look();
    ui.push_id(message.serial, |ui| {
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(icon).color(color).size(theme::HEADING));
            let copy = ui.add(Button::new("Copy").small());
            let label = format!("Copy message {}", message.serial);
            copy.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
            if copy.on_hover_text("Copy this message with its details").clicked() {
                ui.copy_text(message.text());
            }
            ui.vertical(|ui| {
                ui.add(
                    egui::Label::new(clip(&message.summary, 2000))
                        .wrap()
                        .selectable(true),
                );
                if !message.details.is_empty() {
                    let details = RichText::new(clip(&message.details, 4000))
                        .monospace()
                        .color(theme::TEXT_QUIET);
                    ui.add(egui::Label::new(details).wrap().selectable(true));
                }
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_until_seen_and_bounded() {
        let mut messages = Messages::default();
        messages.push(Level::Info, "Saved", "");
        messages.push(Level::Warning, "Repaired", "a\nb");
        assert_eq!(
            (messages.unseen_problems(), messages.worst_unseen()),
            (1, Some(Level::Warning))
        );
        assert_eq!(
            messages.all().last().map(Message::text).as_deref(),
            Some("Warning: Repaired\na\nb")
        );
        for _ in 0..2 * KEPT {
            messages.push(Level::Info, "More", "");
        }
        assert_eq!(messages.all().count(), KEPT);
        assert!(messages.toasts.len() <= TOASTS);
    }
}
