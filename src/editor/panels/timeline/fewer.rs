//! The menu that makes the selected keys fewer: within a tolerance, or one at every so many frames. It tells how many would be
//! left.

use super::KeysState;
use super::action::{FEWER, NO_KEYS};
use super::submenu::submenu;
use crate::anim::clip::Clip;
use crate::anim::filters::Filter;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand};
use crate::editor::panels::status::counted;
use crate::editor::ui::tooltip::Tip;
use crate::scene::Scene;
use egui::{DragValue, Slider, Ui, WidgetInfo, WidgetType};

/// The tolerances of the slider, in degrees.
const TOLERANCES: [f32; 2] = [0.01, 20.0];

/// The chosen filters, and how many keys they leave.
pub struct Fewer {
    tolerance: f32,
    step: u32,
    counts: Vec<(Filter, usize)>,
}

impl Default for Fewer {
    fn default() -> Self {
        Self { tolerance: 0.5, step: 4, counts: Vec::new() }
    }
}

/// Draws the entry of the menu, and what it opens. Returns the filter that was chosen.
pub fn menu(ui: &mut Ui, state: &mut KeysState, scene: &Scene) -> Option<Filter> {
    let disabled_reason = state.keys.is_empty().then_some(NO_KEYS);
    let chosen = submenu(ui, FEWER, disabled_reason, |ui| filters_ui(ui, state, scene));
    if chosen.is_none() {
        state.fewer.counts.clear();
    }
    chosen.flatten()
}

fn filters_ui(ui: &mut Ui, state: &mut KeysState, scene: &Scene) -> Option<Filter> {
    ui.set_min_width(260.0);
    ui.label(format!("{} selected", counted(state.keys.count(), "key", "keys")));
    let [low, high] = TOLERANCES;
    let slider = Slider::new(&mut state.fewer.tolerance, low..=high).logarithmic(true).suffix("°");
    let slider = ui.add(slider.max_decimals(2));
    slider.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, "Tolerance"));
    slider.tip("How far the curves may move at whole frames. For positions, 1° stands for a ninetieth of their range.");
    let simplify = filter_button(ui, state, scene, state.fewer.simplify(), "Simplify");
    ui.separator();
    ui.horizontal(|ui| {
        ui.label("Every");
        let step = DragValue::new(&mut state.fewer.step).range(1..=Clip::MAX_AT_ONCE).speed(0.1);
        let field = ui.add(step);
        field.widget_info(|| WidgetInfo::labeled(WidgetType::DragValue, true, "Frames between keys"));
        ui.label(if state.fewer.step == 1 { "frame" } else { "frames" });
    });
    let every = filter_button(ui, state, scene, state.fewer.every(), "Place keys");
    let chosen = simplify.or(every);
    if chosen.is_some() {
        ui.close();
    }
    chosen
}

fn filter_button(
    ui: &mut Ui,
    state: &mut KeysState,
    scene: &Scene,
    filter: Filter,
    text: &str,
) -> Option<Filter> {
    let left = state.fewer.left(scene, filter, || state.keys.keys());
    let clicked = ui
        .horizontal(|ui| {
            let button = ui.button(text);
            button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Keys > {text}")));
            ui.weak(format!("{} left", counted(left, "key", "keys")));
            button.clicked()
        })
        .inner;
    clicked.then_some(filter)
}

impl Fewer {
    pub fn simplify(&self) -> Filter {
        Filter::Simplify(self.tolerance)
    }

    pub fn every(&self) -> Filter {
        Filter::Every(self.step)
    }

    /// Returns how many of the keys a filter leaves.
    pub fn left(&mut self, scene: &Scene, filter: Filter, keys: impl FnOnce() -> Vec<ChannelKeys>) -> usize {
        let kind = |one: &Filter| std::mem::discriminant(one);
        if let Some((_, left)) = self.counts.iter().find(|(counted, _)| *counted == filter) {
            return *left;
        }
        let keys = keys();
        let count = |scene: &Scene| -> usize {
            let channels = keys.iter().filter_map(|of| scene.animation.get(&of.channel));
            channels.map(|channel| channel.key_count()).sum()
        };
        let others = count(scene) - keys.iter().map(|of| of.frames.len()).sum::<usize>();
        let mut filtered = scene.clone();
        let command = KeyCommand::Filter { keys: keys.clone(), filter };
        let left = match Command::Keys(command).apply(&mut filtered) {
            Ok(_) => count(&filtered) - others,
            Err(_) => count(scene) - others,
        };
        self.counts.retain(|(counted, _)| kind(counted) != kind(&filter));
        self.counts.push((filter, left));
        left
    }
}
