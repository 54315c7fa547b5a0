//! What is seen of the tools: shapes, the banner, the status bar, the pointer.

use super::{Hovered, ToolController};
use crate::edit::box_select::PixelBox;
use crate::edit::tool::gizmo::{GizmoPart, GizmoShape};
use crate::edit::tool::{Context, Cursor, ToolDisplay, ToolOptions, select};
use crate::edit::view::View;

impl ToolController {
    /// The rectangle that is drawn over the viewport.
    pub fn area(&self) -> Option<PixelBox> {
        let held = self.held.as_ref().filter(|held| held.moved)?;
        held.drag.area()
    }

    /// What the next click of the chosen tool does.
    pub fn prompt(&self) -> &str {
        self.chosen.as_ref().map_or("", |(_, tool)| tool.prompt())
    }

    /// How the chosen tool wants the scene shown.
    pub fn display(&self) -> ToolDisplay {
        let chosen = self.chosen.as_ref();
        chosen.map_or_else(ToolDisplay::default, |(_, tool)| tool.display())
    }

    /// The options of the chosen tool.
    pub fn options(&self, view: &View) -> Option<ToolOptions> {
        self.chosen.as_ref()?.1.options(view)
    }

    pub fn cursor(&self) -> Cursor {
        let chosen = self.chosen.as_ref();
        chosen.map_or(Cursor::Arrow, |(_, tool)| tool.cursor())
    }

    /// What the mouse does now, for the status bar.
    pub fn hint(&self) -> String {
        if let Some(held) = &self.held {
            let hint = match held.button {
                Some(_) => held.drag.hint(),
                // Digits began it: no button will come up.
                None => held.drag.hint().replacen("Release to", "Enter to", 1),
            };
            let readout = match held.moved {
                true => held.drag.readout(&held.numbers),
                false => String::new(),
            };
            match (hint.is_empty(), readout.is_empty()) {
                (true, _) => {}
                (false, true) => return hint,
                (false, false) => return format!("{readout}   {hint}"),
            }
        }
        match (&self.chosen, &self.hovered) {
            (Some((_, tool)), _) => tool.hint(None),
            (None, Some(Hovered::Part(tool, part))) => self.by_selection[*tool].hint(Some(*part)),
            (None, Some(Hovered::Target(target))) => select::target_hint(target).into(),
            (None, None) => select::IDLE_HINT.into(),
        }
    }

    /// What to draw: of what is held alone, or of all tools that are there, with the part to highlight.
    pub fn shapes(&self, context: &Context) -> Vec<(GizmoShape, Option<GizmoPart>)> {
        let mut shapes = Vec::new();
        self.shapes_into(context, &mut shapes);
        shapes
    }

    /// As [`Self::shapes`], in the memory of `shapes`.
    pub fn shapes_into(&self, context: &Context, shapes: &mut Vec<(GizmoShape, Option<GizmoPart>)>) {
        if let Some(held) = &self.held {
            shapes.resize_with(1, Default::default);
            let (shape, part) = &mut shapes[0];
            held.drag.shape_into(context.viewport, shape);
            *part = held.part;
            if !shape.is_empty() || held.part.is_some() {
                return;
            }
        }
        shapes.clear();
        if let Some((_, tool)) = &self.chosen {
            shapes.push((tool.shape(context), None));
            return;
        }
        let tools = self.by_selection.iter().enumerate();
        shapes.extend(tools.map(|(index, tool)| {
            let highlighted = match &self.hovered {
                Some(Hovered::Part(hovered, part)) if *hovered == index => Some(*part),
                _ => None,
            };
            (tool.shape(context), highlighted)
        }));
    }
}
