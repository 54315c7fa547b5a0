//! Rows dragged onto others: things hang on another transform, or on none, and stay where they are.

use super::tree::Line;
use crate::edit::command::{Command, transform_name};
use crate::edit::request::Request;
use crate::editor::ui::list::drag_hint;
use crate::editor::ui::theme;
use crate::scene::Scene;
use crate::scene::names::Thing;
use crate::scene::world::is_below;
use egui::{CursorIcon, Id, Key, PointerButton, Rect, Stroke, StrokeKind, Ui};

/// A thing on its way.
pub struct Drag {
    thing: Thing,
    /// Given up; nothing happens until the button is released.
    cancelled: bool,
}

/// Where a thing is let go.
#[derive(Clone, Copy, Debug)]
pub enum Onto<'l> {
    Line(&'l Line),
    /// Beside all others, under no parent.
    Top,
}

impl Drag {
    pub fn of(thing: Thing) -> Self {
        Self {
            thing,
            cancelled: false,
        }
    }

    /// Marks what is under the pointer and asks for the change once the button is up over it. True once the
    /// drag is over. `area`: where rows are seen; `top`: where the place beside all others is.
    pub fn ui(
        &mut self,
        ui: &Ui,
        rows: &[(Line, Rect)],
        top: Rect,
        area: Rect,
        scene: &Scene,
        out: &mut Vec<Request>,
    ) -> bool {
        let (down, give_up, at) = ui.input(|i| {
            let give_up = i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary);
            (i.pointer.primary_down(), give_up, i.pointer.latest_pos())
        });
        let line = rows.iter().find(|(line, _)| line.thing == self.thing);
        self.cancelled |= give_up;
        let (Some(at), Some((line, _))) = (at.filter(|_| !self.cancelled), line) else {
            return !down;
        };
        let over = rows
            .iter()
            .find(|(_, rect)| rect.contains(at) && area.contains(at));
        let over = match over {
            Some((onto, rect)) => Some((Onto::Line(onto), *rect)),
            None => top.contains(at).then_some((Onto::Top, top)),
        };
        let name = &line.thing.name;
        let (text, cursor) = match over {
            Some((onto, rect)) => {
                let refusal = refusal(scene, line, onto);
                let color = if refusal.is_some() {
                    theme::ERROR
                } else {
                    theme::ACCENT
                };
                let painter = ui.painter().with_clip_rect(area);
                painter.rect_stroke(rect, theme::RADIUS, Stroke::new(1.5, color), StrokeKind::Inside);
                match (refusal, onto) {
                    (Some(why), _) => (why.to_owned(), CursorIcon::NotAllowed),
                    (None, Onto::Line(onto)) => (
                        format!("Parent {name} to {}", onto.thing.name),
                        CursorIcon::Grabbing,
                    ),
                    (None, Onto::Top) => (format!("Unparent {name}"), CursorIcon::Grabbing),
                }
            }
            None => (format!("{name}: drop it on its new parent"), CursorIcon::Grabbing),
        };
        if !down {
            if let Some((onto, _)) = over
                && refusal(scene, line, onto).is_none()
            {
                out.push(Request::Apply(commands(scene, line, onto)));
            }
            return true;
        }
        ui.ctx().set_cursor_icon(cursor);
        drag_hint(ui, Id::new("thing dragged"), area, at, text);
        false
    }
}

/// Why a thing cannot hang there; `None` if it can.
fn refusal(scene: &Scene, line: &Line, onto: Onto) -> Option<&'static str> {
    let own = line.transform.as_deref();
    let parent = own.and_then(|own| scene.transforms.get(own)?.parent.as_deref());
    let parent = parent.filter(|parent| scene.transforms.contains_key(*parent));
    match onto {
        Onto::Line(onto) if onto.thing == line.thing => Some("Nothing can be its own parent"),
        Onto::Line(onto) => match (onto.transform.as_deref(), own) {
            (Some(onto), Some(own)) if onto == own => Some("Both stand on one transform"),
            (Some(onto), Some(own)) if is_below(scene, onto, own) => {
                Some("Nothing can be parented to its own descendant")
            }
            (Some(onto), _) if parent == Some(onto) => Some("That is its parent already"),
            _ => None,
        },
        Onto::Top => parent.is_none().then_some("It has no parent"),
    }
}

/// Transforms for those that have none, then the new parent.
fn commands(scene: &Scene, line: &Line, onto: Onto) -> Vec<Command> {
    let mut ahead = scene.clone();
    let mut commands = Vec::new();
    let mut transform_of = |line: &Line| match (&line.transform, line.thing.instance()) {
        (Some(transform), _) if scene.transforms.contains_key(transform) => transform.clone(),
        (_, Some(instance)) => {
            let name = transform_name(&ahead, &instance.name);
            let add = Command::AddTransform { instance };
            // What it is for is in the scene, so it can be done.
            add.apply(&mut ahead).ok();
            commands.push(add);
            name
        }
        (_, None) => line.thing.name.clone(),
    };
    let transform = transform_of(line);
    let parent = match onto {
        Onto::Line(onto) => Some(transform_of(onto)),
        Onto::Top => None,
    };
    commands.push(Command::SetParent {
        transform,
        parent,
        keep_place: true,
    });
    commands
}
