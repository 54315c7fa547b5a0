//! The visible state of the tools: shapes, banner, status bar and cursor.

use super::{Hovered, ToolController};
use crate::edit::select::box_select::PixelBox;
use crate::edit::select::pick::PickTarget;
use crate::edit::settings::view::{Tab, View};
use crate::edit::tool::gizmo::{GizmoPart, GizmoShape};
use crate::edit::tool::pull;
use crate::edit::tool::{Context, Cursor, Tool, ToolDisplay, ToolOptions, select};

impl ToolController {
    /// The rectangle to draw over the viewport.
    pub fn area(&self) -> Option<PixelBox> {
        let active = self.active.as_ref().filter(|active| active.moved)?;
        active.drag.area()
    }

    /// The effect of the next click of the chosen tool.
    pub fn prompt(&self) -> &str {
        self.chosen.as_ref().map_or("", |(_, tool)| tool.prompt())
    }

    /// How the chosen tool wants the scene displayed.
    pub fn display(&self) -> ToolDisplay {
        let chosen = self.chosen.as_ref();
        chosen.map_or_else(ToolDisplay::default, |(_, tool)| tool.display())
    }

    /// The options of the chosen tool.
    pub fn options(&self, view: &View) -> Option<ToolOptions> {
        self.chosen.as_ref()?.1.options(view)
    }

    pub fn cursor(&self) -> Cursor {
        let chosen = self.chosen.as_ref().map(|(_, tool)| tool.as_ref());
        chosen.or(self.hovered_tool()).map_or(Cursor::Arrow, |tool| tool.cursor())
    }

    /// The text beside the pointer.
    pub fn label(&self) -> Option<String> {
        self.hovered_tool()?.label()
    }

    /// The tool whose shape is under the pointer, of those that follow the selection.
    fn hovered_tool(&self) -> Option<&dyn Tool> {
        match self.hovered() {
            Some(Hovered::Part(tool, _)) => Some(self.selection_tools.get(*tool)?.as_ref()),
            _ => None,
        }
    }

    /// The current effect of the mouse, for the status bar.
    pub fn hint(&self) -> String {
        if let Some(active) = &self.active {
            let hint = match active.button {
                Some(_) => active.drag.hint(),
                // The drag was started by typing digits: there is no button to release.
                None => active.drag.hint().replacen("Release to", "Enter to", 1),
            };
            let readout = if active.moved { active.drag.readout(&active.numbers) } else { String::new() };
            match (hint.is_empty(), readout.is_empty()) {
                (true, _) => {}
                (false, true) => return hint,
                (false, false) => return format!("{readout}   {hint}"),
            }
        }
        match (&self.chosen, &self.hovered) {
            (Some((_, tool)), _) => tool.hint(None),
            (None, Some(Hovered::Part(tool, part))) => self.selection_tools[*tool].hint(Some(*part)),
            (None, Some(Hovered::Target(target))) => {
                select::target_hint(target, self.tab, self.has_hips).into()
            }
            (None, None) if self.is_fitting => {
                self.selection_tools.first().map_or_else(String::new, |tool| tool.hint(None))
            }
            (None, None) => select::IDLE_HINT.into(),
        }
    }

    /// The shapes to draw, each with the part to highlight: that of the active drag alone, or those of all
    /// available tools.
    pub fn shapes(&self, context: &Context) -> Vec<(GizmoShape, Option<GizmoPart>)> {
        if let Some(active) = &self.active {
            let shape = active.drag.shape(context.viewport);
            if !shape.is_empty() || active.part.is_some() {
                return vec![(shape, active.part)];
            }
        }
        if let Some((_, tool)) = &self.chosen {
            return vec![(tool.shape(context), None)];
        }
        let tools = self.selection_tools.iter().enumerate();
        let shapes = tools.map(|(index, tool)| {
            let highlighted = match &self.hovered {
                Some(Hovered::Part(hovered, part)) if *hovered == index => Some(*part),
                _ => None,
            };
            (tool.shape(context), highlighted)
        });
        let tail = match &self.hovered {
            Some(Hovered::Target(PickTarget::Tip(bone))) => pull::tail_shape(context, *bone),
            Some(Hovered::Target(PickTarget::Bone(bone))) if self.tab == Tab::Animate => {
                pull::tail_shape(context, *bone)
            }
            _ => None,
        };
        shapes.chain(tail).collect()
    }
}
