//! Messages about findings, results and errors, with details that can be copied.
//!
//! New ones appear for a while over the viewport; a separate window lists all of them.

mod toasts;

use crate::edit::request::Request;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::io::report::Severity;
use egui::{Align2, Button, Color32, Context, Rect, RichText, ScrollArea, Ui};
use egui::{WidgetInfo, WidgetType, Window, vec2};
use std::collections::VecDeque;
pub use toasts::visible_areas;
use toasts::{TOASTS, Toast};

/// The number of messages kept; older ones are dropped.
const MAX_MESSAGES: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    /// The icon and its colour.
    pub fn icon_and_color(self) -> (&'static str, Color32) {
        match self {
            Level::Info => (icons::INFO, *theme::INFO),
            Level::Warning => (icons::WARNING, *theme::WARNING),
            Level::Error => (icons::ERROR, *theme::ERROR),
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

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub level: Level,
    /// One sentence.
    pub summary: String,
    /// Further lines; may be empty.
    pub details: String,
    /// The action that the message offers, until the next step of the history.
    pub offer: Option<Offer>,
    serial: u64,
}

/// An action that a message offers with a button.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The text of the button.
    pub text: String,
    pub request: Request,
    /// The step of the history to which it applies: see [`crate::edit::session::history::History::step`].
    pub step: u64,
}

impl Message {
    /// The full text, for the clipboard.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}", self.level.word(), self.summary);
        if !self.details.is_empty() {
            text.push('\n');
            text.push_str(&self.details);
        }
        text
    }
}

/// All messages of this session.
#[derive(Default)]
pub struct Messages {
    /// Whether the window that lists all messages is open.
    pub open: bool,
    list: VecDeque<Message>,
    toasts: Vec<Toast>,
    pushed: u64,
    /// The value of `pushed` when the window was last open.
    last_seen: u64,
}

impl Messages {
    pub fn push(&mut self, level: Level, summary: impl Into<String>, details: impl Into<String>) {
        self.push_with_offer(level, summary, details, None);
    }

    pub fn push_with_offer(
        &mut self,
        level: Level,
        summary: impl Into<String>,
        details: impl Into<String>,
        offer: Option<Offer>,
    ) {
        self.pushed += 1;
        let message =
            Message { level, summary: summary.into(), details: details.into(), offer, serial: self.pushed };
        self.list.push_back(message);
        if self.list.len() > MAX_MESSAGES {
            self.list.pop_front();
        }
        self.toasts.push(Toast::new(self.pushed));
        let surplus = self.toasts.len().saturating_sub(TOASTS);
        self.toasts.drain(..surplus);
    }

    /// The height of the toasts in points.
    pub fn height(&self) -> f32 {
        toasts::height(&self.toasts)
    }

    /// All messages, oldest first.
    pub fn all(&self) -> impl Iterator<Item = &Message> {
        self.list.iter()
    }

    /// The number of warnings and errors since the window was last open.
    pub fn unseen_problems(&self) -> usize {
        let unseen = self.list.iter().filter(|message| message.serial > self.last_seen);
        unseen.filter(|message| message.level > Level::Info).count()
    }

    pub fn worst_unseen(&self) -> Option<Level> {
        self.list.iter().filter(|m| m.serial > self.last_seen).map(|m| m.level).max()
    }
}

/// Draws new messages over the viewport, and the window of all messages while it is open. `occupied` lists
/// the areas that messages must not cover; `step` is the current step of the history, and offers for other
/// steps are removed.
pub fn messages_ui(
    ctx: &Context,
    messages: &mut Messages,
    viewport: Rect,
    occupied: &[Rect],
    step: u64,
    out: &mut Vec<Request>,
) {
    if messages.open {
        messages.last_seen = messages.pushed;
        messages.toasts.clear();
        window_ui(ctx, messages);
    }
    for message in &mut messages.list {
        message.offer.take_if(|offer| offer.step != step);
    }
    toasts::toasts_ui(ctx, messages, viewport, occupied, out);
}

/// Returns the first `max_chars` characters, with an ellipsis if there are more.
fn clip(text: &str, max_chars: usize) -> String {
    let mut clipped: String = text.chars().take(max_chars).collect();
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
                if copy.disabled_tip("There are no messages").clicked() {
                    let texts: Vec<_> = messages.all().map(Message::text).collect();
                    ui.copy_text(texts.join("\n\n"));
                }
                let clear = ui.add_enabled(any, Button::new("Clear"));
                if clear.disabled_tip("There are no messages").clicked() {
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
    let (icon, color) = message.level.icon_and_color();
    ui.push_id(message.serial, |ui| {
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(icon).color(color).size(theme::HEADING));
            let copy = ui.add(Button::new("Copy").small());
            let label = format!("Copy message {}", message.serial);
            copy.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
            if copy.tip("Copy this message with its details").clicked() {
                ui.copy_text(message.text());
            }
            ui.vertical(|ui| {
                ui.add(egui::Label::new(clip(&message.summary, 2000)).wrap().selectable(true));
                if !message.details.is_empty() {
                    let details =
                        RichText::new(clip(&message.details, 4000)).monospace().color(theme::TEXT_QUIET);
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
        assert_eq!((messages.unseen_problems(), messages.worst_unseen()), (1, Some(Level::Warning)));
        assert_eq!(messages.all().last().map(Message::text).as_deref(), Some("Warning: Repaired\na\nb"));
        for _ in 0..2 * MAX_MESSAGES {
            messages.push(Level::Info, "More", "");
        }
        assert_eq!(messages.all().count(), MAX_MESSAGES);
        assert!(messages.toasts.len() <= TOASTS);
    }
}
