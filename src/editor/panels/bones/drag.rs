//! Rows dragged onto others: bones get another parent, or become roots on the base. Their tips stay.

use super::lines::Line;
use crate::edit::command::Command;
use crate::edit::count::counted;
use crate::edit::request::Request;
use crate::edit::selection::{Part, Selection};
use crate::editor::ui::list::drag_hint;
use crate::editor::ui::theme;
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use egui::{CursorIcon, Id, Key, PointerButton, Rect, Stroke, StrokeKind, Ui, vec2};

/// Bones on their way.
pub struct Drag {
    bones: Vec<usize>,
    /// Given up; nothing happens until the button is released.
    cancelled: bool,
}

/// Nearer than this to the end of what is seen, in points, the list scrolls.
const SCROLL_EDGE: f32 = 18.0;
const SCROLL_STEP: f32 = 6.0;

impl Drag {
    /// All selected bones if `bone` is one of them, else it alone.
    pub fn of(selection: &Selection, bone: usize) -> Self {
        let bones = match selection.is_selected(Part::Bone(bone)) {
            true => selection.bones(),
            false => vec![bone],
        };
        Self {
            bones,
            cancelled: false,
        }
    }

    /// Marks the row under the pointer and asks for the change once the button is up over it. True once the
    /// drag is over. `area`: where rows are seen.
    pub fn ui(
        &mut self,
        ui: &Ui,
        rows: &[(Line, Rect)],
        area: Rect,
        skeleton: &Skeleton,
        mesh: &str,
        out: &mut Vec<Request>,
    ) -> bool {
        let (down, give_up, at) = ui.input(|i| {
            let give_up = i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary);
            (i.pointer.primary_down(), give_up, i.pointer.latest_pos())
        });
        self.cancelled |= give_up || self.bones.iter().any(|bone| *bone >= skeleton.bones.len());
        let Some(at) = at.filter(|_| !self.cancelled) else {
            return !down;
        };
        let over = rows
            .iter()
            .find(|(_, rect)| rect.contains(at) && area.contains(at));
        let target = over.and_then(|(line, rect)| match line.part {
            Part::Bone(bone) => Some((Some(bone), *rect)),
            Part::Base => Some((None, *rect)),
            Part::Handle(_) => None,
        });
        let what = match self.bones[..] {
            [bone] => skeleton.bone_name(bone),
            _ => counted(self.bones.len(), "bone", "bones"),
        };
        let (text, cursor) = match target {
            Some((parent, rect)) => {
                let refusal = refusal(skeleton, &self.bones, parent);
                let color = if refusal.is_some() {
                    theme::ERROR
                } else {
                    theme::ACCENT
                };
                let painter = ui.painter().with_clip_rect(area);
                let stroke = Stroke::new(1.5, color);
                painter.rect_stroke(rect, theme::RADIUS, stroke, StrokeKind::Inside);
                let place = match parent {
                    Some(parent) => format!("Parent {what} to {}", skeleton.bone_name(parent)),
                    None => format!("Start {what} at the base"),
                };
                match refusal {
                    Some(why) => (why.to_owned(), CursorIcon::NotAllowed),
                    None => (place, CursorIcon::Grabbing),
                }
            }
            None => (
                format!("{what}: drop on a bone or on the base"),
                CursorIcon::Grabbing,
            ),
        };
        if !down {
            if let Some((parent, _)) = target
                && refusal(skeleton, &self.bones, parent).is_none()
            {
                out.push(Request::Apply(vec![Command::Reparent {
                    mesh: mesh.to_owned(),
                    bones: self.bones.clone(),
                    parent,
                }]));
            }
            return true;
        }
        ui.ctx().set_cursor_icon(cursor);
        drag_hint(ui, Id::new("bones dragged"), area, at, text);
        let beyond =
            (at.y - area.bottom() + SCROLL_EDGE).max(0.0) - (area.top() + SCROLL_EDGE - at.y).max(0.0);
        if beyond != 0.0 {
            ui.scroll_with_delta(vec2(0.0, -beyond.signum() * SCROLL_STEP));
            ui.ctx().request_repaint();
        }
        false
    }
}

/// Why bones cannot hang on `parent`; `None` if they can.
fn refusal(skeleton: &Skeleton, bones: &[usize], parent: Option<usize>) -> Option<&'static str> {
    let mut at = parent;
    while let Some(bone) = at {
        if bones.contains(&bone) {
            return Some(match Some(bone) == parent {
                true => "A bone cannot be its own parent",
                false => "A bone cannot be parented to its own descendant",
            });
        }
        at = parent_of(skeleton, bone);
    }
    let there = bones
        .iter()
        .all(|bone| parent_past_links(skeleton, *bone) == parent);
    there.then_some("It is there already")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    #[test]
    fn bones_go_anywhere_but_under_themselves() {
        let parents = [None, Some(0), Some(1), Some(0), None];
        let bone = |parent| Bone {
            parent,
            ..Bone::default()
        };
        let skeleton = Skeleton {
            bones: parents.map(bone).to_vec(),
            ..Skeleton::default()
        };
        let can = |bones: &[usize], parent| refusal(&skeleton, bones, parent).is_none();
        assert!(can(&[2], Some(3)) && can(&[1, 3], Some(4)) && can(&[1], None) && can(&[4], Some(2)));
        assert!(!can(&[0], Some(2)) && !can(&[4, 1], Some(2)) && !can(&[1], Some(1)));
        assert!(!can(&[1], Some(0)) && !can(&[0, 4], None), "there already");
        assert!(can(&[1, 2], Some(0)), "one of them moves");
    }
}
