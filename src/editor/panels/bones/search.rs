//! The filter field above the tree. It hides rows but does not change the selection.

use crate::editor::ui::row::line_edit;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use egui::{Button, Context, Id, Key, Ui, WidgetInfo, WidgetType, vec2};

const FIELD: &str = "search bones";

#[derive(Default)]
pub struct Search {
    text: String,
    /// Whether the field is to receive the keyboard focus.
    focus_requested: bool,
    /// The text at the last call of [`Self::has_changed`].
    last: String,
}

/// The result of a search, per bone.
pub struct SearchResult {
    /// Whether the name of the bone contains the text.
    pub matches: Vec<bool>,
    /// Whether the bone or one of its descendants matches.
    pub shown: Vec<bool>,
}

impl Search {
    pub fn request_focus(&mut self) {
        self.focus_requested = true;
    }

    pub fn is_focus_requested(&self) -> bool {
        self.focus_requested
    }

    pub fn is_typed_in(&self, ctx: &Context) -> bool {
        ctx.memory(|memory| memory.has_focus(Id::new(FIELD)))
    }

    /// Whether the text has changed since the last call.
    pub fn has_changed(&mut self) -> bool {
        let changed = self.last != self.text;
        if changed {
            self.last.clone_from(&self.text);
        }
        changed
    }

    pub fn clear(&mut self) {
        self.text.clear();
    }

    /// Searches the skeleton; `None` if the field is empty.
    pub fn find(&self, skeleton: &Skeleton) -> Option<SearchResult> {
        let text = self.text.trim().to_lowercase();
        (!text.is_empty()).then(|| search(skeleton, &text))
    }

    /// Draws the field. Returns whether Enter was pressed, to select the bones found.
    pub fn ui(&mut self, ui: &mut Ui) -> bool {
        let mut entered = false;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
            ui.spacing_mut().button_padding.x = 0.0;
            let id = Id::new(FIELD);
            let room = ui.available_width() - if self.text.is_empty() { 0.0 } else { 26.0 };
            let edit = line_edit(&mut self.text, room).id(id).hint_text("Filter bones");
            let response = ui.add(edit.char_limit(200));
            if std::mem::take(&mut self.focus_requested) {
                response.request_focus();
                response.scroll_to_me(None);
            }
            if response.lost_focus() {
                entered = ui.input(|i| i.key_pressed(Key::Enter)) && !self.text.trim().is_empty();
                if ui.input(|i| i.key_pressed(Key::Escape)) {
                    self.text.clear();
                }
            }
            ui.ctx().accesskit_node_builder(id, |node| node.set_label("Filter bones"));
            response.tip("Show only bones whose names contain this. Enter selects them, Esc clears.");
            if !self.text.is_empty() {
                let button = ui.add(Button::new(icons::CLOSE).frame(false).min_size(vec2(22.0, theme::ROW)));
                button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Clear filter"));
                if button.tip("Show all bones again").clicked() {
                    self.text.clear();
                }
            }
        });
        entered
    }
}

/// Searches bone names for `text`, which must be in lower case.
fn search(skeleton: &Skeleton, text: &str) -> SearchResult {
    let count = skeleton.bones.len();
    let matches: Vec<bool> =
        (0..count).map(|bone| skeleton.bone_name(bone).to_lowercase().contains(text)).collect();
    let mut shown = matches.clone();
    // Parents come before their children.
    for bone in (0..count).rev() {
        if let (true, Some(parent)) = (shown[bone], parent_of(skeleton, bone)) {
            shown[parent] = true;
        }
    }
    SearchResult { matches, shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    #[test]
    fn ancestors_of_matches_stay_visible() {
        let bone =
            |(name, parent): (&str, Option<u32>)| Bone { name: Some(name.into()), parent, ..Bone::default() };
        let bones =
            [("Spine", None), ("Arm.L", Some(0)), ("HAND.L", Some(1)), ("Arm.R", Some(0)), ("Tail", None)];
        let skeleton = Skeleton { bones: bones.map(bone).to_vec(), ..Skeleton::default() };
        let mut search = Search::default();
        assert!(search.find(&skeleton).is_none());
        search.text = " hand ".into();
        let found = search.find(&skeleton).unwrap();
        assert_eq!(found.matches, [false, false, true, false, false]);
        assert_eq!(found.shown, [true, true, true, false, false]);
        search.text = "ü".into();
        assert_eq!(search.find(&skeleton).unwrap().shown, [false; 5]);
    }
}
