//! Queries about the screen.

use super::Desk;
use egui::accesskit::Toggled;
use egui::{Pos2, Rect, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::collections::BTreeMap;

impl Desk {
    pub fn count(&self, label: &str) -> usize {
        self.harness.query_all_by_label(label).count()
    }

    pub fn has(&self, label: &str) -> bool {
        self.count(label) > 0
    }

    pub fn has_containing(&self, text: &str) -> bool {
        self.harness.query_all_by_label_contains(text).count() > 0
    }

    pub fn is_disabled(&self, label: &str) -> bool {
        self.harness.get_by_label(label).accesskit_node().is_disabled()
    }

    pub fn description(&self, label: &str) -> Option<String> {
        self.harness.get_by_label(label).accesskit_node().description()
    }

    /// Returns the accessible value of a field or switch.
    pub fn value(&self, label: &str) -> Option<String> {
        self.harness.get_by_label(label).accesskit_node().value()
    }

    /// Returns whether a switch is on; `None` for other controls.
    pub fn toggled(&self, label: &str) -> Option<bool> {
        match self.harness.get_by_label(label).accesskit_node().toggled()? {
            Toggled::True => Some(true),
            Toggled::False => Some(false),
            Toggled::Mixed => None,
        }
    }

    pub fn rect(&self, label: &str) -> Rect {
        self.harness.get_by_label(label).rect()
    }

    /// Returns the rectangle of an area or a window by its id.
    pub fn area(&self, id: &str) -> Option<Rect> {
        self.harness.ctx.memory(|memory| memory.area_rect(egui::Id::new(id)))
    }

    pub fn center(&self, label: &str) -> Pos2 {
        self.rect(label).center()
    }

    /// Returns the position of a slider's knob at `value`.
    pub fn knob(&self, label: &str, value: f64) -> Pos2 {
        let node = self.harness.get_by_label(label);
        let (low, high) = {
            let data = node.accesskit_node();
            (data.min_numeric_value().unwrap(), data.max_numeric_value().unwrap())
        };
        let rect = node.rect();
        let rail = rect.shrink2(vec2(7.0, 0.0));
        Pos2::new(rail.left() + ((value - low) / (high - low)) as f32 * rail.width(), rect.center().y)
    }

    /// Returns the colour of the rectangle behind a control, if it has the same size.
    pub fn fill(&self, label: &str) -> Option<egui::Color32> {
        let rect = self.rect(label);
        let is_behind = |shape: &egui::epaint::RectShape| {
            let off = (shape.rect.min - rect.min).abs() + (shape.rect.max - rect.max).abs();
            off.max_elem() < 2.0 && shape.fill != egui::Color32::TRANSPARENT
        };
        let mut shapes = self.harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Rect(shape) if is_behind(shape) => Some(shape.fill),
            _ => None,
        });
        shapes.next_back()
    }

    /// Returns the lines of text that are painted.
    pub fn texts(&self) -> Vec<String> {
        self.painted().into_iter().map(|(text, _)| text).collect()
    }

    /// Returns the lines of text that are painted, with their places.
    pub fn painted(&self) -> Vec<(String, Rect)> {
        let shapes = self.harness.output().shapes.iter();
        let texts = shapes.filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(shape) => Some((shape.galley.text().to_owned(), shape.visual_bounding_rect())),
            _ => None,
        });
        texts.collect()
    }

    /// Returns the places of all tooltips.
    pub fn tooltips(&self) -> Vec<Rect> {
        self.harness.ctx.memory(|memory| {
            let layers = memory.areas().visible_layer_ids().into_iter();
            let tooltips = layers.filter(|layer| layer.order == egui::Order::Tooltip);
            tooltips.filter_map(|layer| memory.area_rect(layer.id)).collect()
        })
    }

    /// Returns every labelled control with its rectangle.
    pub fn controls(&self) -> Vec<(String, Rect)> {
        let nodes = self.harness.root().children_recursive();
        let labelled = nodes.filter_map(|node| Some((node.accesskit_node().label()?, node.rect())));
        labelled.filter(|(label, _)| !label.is_empty()).collect()
    }

    pub fn doubled_labels(&self) -> Vec<String> {
        let mut times = BTreeMap::<String, usize>::new();
        for (label, _) in self.controls() {
            *times.entry(label).or_default() += 1;
        }
        times.into_iter().filter(|(_, times)| *times > 1).map(|(label, _)| label).collect()
    }

    /// Returns controls that are cut off at the left or right, by the window or by their side panel.
    pub fn outside(&self) -> Vec<String> {
        let viewport = self.rect("Viewport");
        let window = self.harness.ctx.content_rect();
        let cut = |rect: &Rect| {
            let beside = rect.top() >= viewport.top() && rect.bottom() <= viewport.bottom();
            let (start, end) = match beside {
                true if rect.center().x < viewport.left() => (window.left(), viewport.left()),
                true if rect.center().x > viewport.right() => (viewport.right(), window.right()),
                _ => (window.left(), window.right()),
            };
            rect.left() < start - 0.5 || rect.right() > end + 0.5
        };
        self.controls()
            .into_iter()
            .filter(|(label, rect)| !label.ends_with("divider") && cut(rect))
            .map(|(label, _)| label)
            .collect()
    }
}
