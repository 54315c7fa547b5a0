//! Messages: what was found, done or went wrong, with details that can be copied.
//!
//! New ones show for a while over the viewport; all of them are kept in a window of their own.

mod toasts;

use crate::edit::request::Request;
use crate::editor::ui::{icons, theme};
use crate::io::report::Severity;
use egui::{Align2, Button, Color32, Context, Rect, RichText, ScrollArea, Ui};
use egui::{WidgetInfo, WidgetType, Window, vec2};
use std::collections::VecDeque;
pub use toasts::shown_areas;
use toasts::{TOASTS, Toast};

/// The oldest are forgotten beyond this many.
const KEPT: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Info,
    Warning,
    Error,
}

impl Level {
    /// Icon and colour.
    pub fn icon_and_color(self) -> (&'static str, Color32) {
        match self {
            Level::Info => (icons::INFO, theme::INFO),
            Level::Warning => (icons::WARNING, theme::WARNING),
            Level::Error => (icons::ERROR, theme::ERROR),
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
    /// What can be done about it, as long as nothing else was done.
    pub offer: Option<Offer>,
    serial: u64,
}

/// What a message proposes to do, by a button in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// On the button.
    pub text: String,
    pub request: Request,
    /// The step of the history that it is about: see [`crate::edit::history::History::step`].
    pub step: u64,
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
        self.push_with(level, summary, details, None);
    }

    pub fn push_with(
        &mut self,
        level: Level,
        summary: impl Into<String>,
        details: impl Into<String>,
        offer: Option<Offer>,
    ) {
        self.pushed += 1;
        let message = Message {
            level,
            summary: summary.into(),
            details: details.into(),
            offer,
            serial: self.pushed,
        };
        self.list.push_back(message);
        if self.list.len() > KEPT {
            self.list.pop_front();
        }
        self.toasts.push(Toast::new(self.pushed));
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
}

/// New messages over the viewport, and the window of all while it is open. `covered`: what they must not lie on.
/// `step`: the one that an undo would take back now; offers of messages from another time are gone.
pub fn messages_ui(
    ctx: &Context,
    messages: &mut Messages,
    viewport: Rect,
    covered: &[Rect],
    step: u64,
    out: &mut Vec<Request>,
) {
    if messages.open {
        messages.seen = messages.pushed;
        messages.toasts.clear();
        window_ui(ctx, messages);
    }
    for message in &mut messages.list {
        message.offer.take_if(|offer| offer.step != step);
    }
    toasts::toasts_ui(ctx, messages, viewport, covered, out);
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
    let (icon, color) = message.level.icon_and_color();
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
