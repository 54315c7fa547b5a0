//! The list of all IK handles below the tree, regardless of folding. A click selects.

use crate::edit::request::Request;
use crate::edit::select::selection::{Part, Selection};
use crate::editor::ui::list::{Row, row_ui};
use crate::editor::ui::tree::LAZY_THRESHOLD;
use crate::editor::ui::{icons, theme};
use crate::rig::skeleton::Skeleton;
use egui::{Id, RichText, Ui};

/// Draws the list. Rows are labelled "Listed <name>".
pub fn handles_ui(ui: &mut Ui, skeleton: &Skeleton, selection: &Selection, out: &mut Vec<Request>) {
    let count = skeleton.handles.len();
    if count == 0 {
        return;
    }
    ui.add_space(theme::SMALL_GAP);
    ui.label(RichText::new("IK handles").color(theme::TEXT_QUIET));
    for (index, (handle, name)) in skeleton.handles.iter().zip(skeleton.handle_names()).enumerate() {
        let part = Part::Handle(index);
        let row = Row {
            tooltip: "IK handle",
            selected: selection.is_selected(part) || selection.is_selected(Part::Pole(index)),
            quiet: !handle.enabled,
            ..Row::new(Id::new(("handle list", index)), format!("Listed {name}"), &name, icons::HANDLE)
        };
        if row_ui(ui, &row, count > LAZY_THRESHOLD).clicked {
            let add = ui.input(|i| i.modifiers.command || i.modifiers.shift);
            out.push(Request::Select(if add {
                selection.with_parts([part].into_iter().chain(selection.parts()))
            } else {
                selection.with_part(Some(part))
            }));
        }
    }
}
