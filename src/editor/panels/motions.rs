//! The Motions panel: motions that are generated for the selected character. The one under the pointer, or the chosen one,
//! plays on the character with the numbers below it; Add makes a take of it.

use crate::edit::action::Action;
use crate::edit::motions::{self, Choice, KNOBS, Knob, KnobRow, Knobs, MotionRow, STYLES};
use crate::edit::request::Request;
use crate::edit::session::Proposal;
use crate::edit::settings::view::{Tab, View};
use crate::edit::skin_check::SkinCheck;
use crate::editor::ui::choice::{choice_row, line_ui, option_ui};
use crate::editor::ui::number::name_ui;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::scene::Scene;
use egui::{
    Align, Button, DragValue, Frame, Layout, Margin, RichText, ScrollArea, Slider, Ui, WidgetInfo,
    WidgetType, vec2,
};

/// The state of the panel.
#[derive(Default)]
pub struct MotionsState {
    open: bool,
    /// What plays unless the pointer is over another motion.
    chosen: Option<&'static str>,
    /// The motion under the pointer.
    hovered: Option<&'static str>,
    /// The style, the numbers and the way of moving, for every motion.
    choice: Choice,
    /// What is proposed.
    proposed: Option<Choice>,
    /// The numbers that the last motion was made with.
    used: Option<Knobs>,
    /// The greatest speed that the legs allow, and the motion with all other numbers for which it is that.
    fastest: Option<(Choice, Option<f64>)>,
    /// Why the last one cannot be generated.
    failed: Option<String>,
    /// What cannot be generated or was cancelled, and for which mesh: it is not tried again with every picture of the window.
    given_up: Option<(String, Choice)>,
    /// How the skin fares in the motion that plays.
    skin: SkinCheck,
}

impl MotionsState {
    pub fn open(&mut self) {
        *self = Self { open: true, choice: self.choice.clone(), ..Self::default() };
    }

    /// Opens the panel with the motion that checks a skin.
    pub fn open_check(&mut self) {
        self.open();
        self.chosen = Some(motions::CHECK);
    }

    /// Whether the panel is shown.
    pub fn is_open(&self, view: &View) -> bool {
        self.open && view.settings.tab == Tab::Animate
    }

    fn close(&mut self, out: &mut Vec<Request>) {
        self.open = false;
        if self.proposed.take().is_some() {
            out.push(Request::Cancel);
        }
    }

    /// Proposes the motion that is to play, if it is another one than before.
    fn follow(&mut self, view: &View, out: &mut Vec<Request>) {
        if self.proposed.is_some() && !view.session.in_proposal() {
            // Something else was done, or it was cancelled: under the pointer it does not begin again by itself.
            let mesh = view.session.selection().mesh.clone();
            self.given_up = mesh.zip(self.proposed.take());
            self.chosen = None;
        }
        let wanted = self.hovered.or(self.chosen).map(|motion| Choice { motion, ..self.choice.clone() });
        if wanted.is_none() {
            self.given_up = None;
        }
        if wanted == self.proposed {
            return;
        }
        let Some(wanted) = wanted else {
            self.proposed = None;
            return out.push(Request::Cancel);
        };
        let Some((scene, mesh)) = subject(view) else { return };
        let attempt = Some((mesh.to_owned(), wanted.clone()));
        if attempt == self.given_up {
            return;
        }
        match motions::add(scene, mesh, &wanted) {
            Ok((commands, added)) => {
                out.push(Request::Propose(Proposal::Trial, commands));
                let is_new = self.proposed.is_none();
                let others = Choice { knobs: wanted.knobs.without(Knob::Speed), ..wanted.clone() };
                if is_new || self.fastest.as_ref().is_none_or(|(before, _)| *before != others) {
                    let speed = motions::fastest(scene, mesh, &others);
                    self.fastest = Some((others, speed));
                }
                (self.proposed, self.used) = (Some(wanted), added.first().map(|added| added.clip.used));
                (self.failed, self.given_up) = (None, None);
                self.skin.restart();
            }
            Err(why) => {
                if self.proposed.take().is_some() {
                    out.push(Request::Cancel);
                }
                // The numbers stay, so that they can be set back.
                (self.failed, self.given_up) = (Some(why), attempt);
            }
        }
    }
}

/// The scene without what is proposed, and the selected character.
fn subject<'a>(view: &View<'a>) -> Option<(&'a Scene, &'a str)> {
    Some((view.session.scene_before(), view.session.selection().mesh.as_deref()?))
}

pub fn motions_ui(ui: &mut Ui, view: &View, state: &mut MotionsState, out: &mut Vec<Request>) {
    let scroll = ScrollArea::vertical().id_salt("motions").auto_shrink(false);
    scroll.show(ui, |ui| {
        Frame::new().inner_margin(Margin::symmetric(10, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            head_ui(ui, state, out);
            if !state.open {
                return;
            }
            let offered = subject(view).ok_or_else(|| "Select a character.".to_owned());
            match offered.and_then(|(scene, mesh)| motions::offered(scene, mesh)) {
                Ok(offered) => {
                    list_ui(ui, &offered, state);
                    buttons_ui(ui, view, &offered, state, out);
                    skin_ui(ui, view, state, out);
                    numbers_ui(ui, state);
                }
                Err(why) => {
                    ui.label(RichText::new(why).color(theme::TEXT_QUIET));
                }
            }
            if let Some(why) = &state.failed {
                ui.label(RichText::new(why).color(theme::WARNING));
            }
        });
    });
    if state.open {
        state.follow(view, out);
    }
}

fn head_ui(ui: &mut Ui, state: &mut MotionsState, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Motions").size(theme::HEADING).color(theme::TEXT_STRONG));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.add(Button::new(icons::CLOSE).frame(false));
            close.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Close Motions"));
            if close.tip("Close the panel; what was not added is gone.").clicked() {
                state.close(out);
            }
        });
    });
}

/// Draws the motions, three a row.
fn list_ui(ui: &mut Ui, offered: &[&'static MotionRow], state: &mut MotionsState) {
    state.hovered = None;
    let width = (ui.available_width() - 2.0 * theme::SMALL_GAP) / 3.0;
    for row in offered.chunks(3) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
            for motion in row {
                let chosen = state.chosen == Some(motion.name);
                let button = Button::selectable(chosen, motion.label).min_size(vec2(width, theme::ROW));
                let response = ui.add(button);
                let label = format!("Motion {}", motion.label);
                response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, chosen, &label));
                if response.hovered() {
                    state.hovered = Some(motion.name);
                }
                if response.clicked() {
                    state.chosen = (!chosen).then_some(motion.name);
                    state.given_up = None;
                }
            }
        });
    }
}

/// Draws the style and the numbers of the motion that plays.
fn numbers_ui(ui: &mut Ui, state: &mut MotionsState) {
    ui.add_space(theme::SMALL_GAP);
    let style = state.choice.style.unwrap_or("Usual");
    choice_row(ui, "style", "Style", "Numbers that belong together; those below change them.", style, |ui| {
        if line_ui(ui, "Style", "Usual", state.choice.style.is_none()) {
            (state.choice.style, state.choice.knobs) = (None, Knobs::default());
        }
        for style in STYLES {
            if line_ui(ui, "Style", style.name, state.choice.style == Some(style.name)) {
                (state.choice.style, state.choice.knobs) = (Some(style.name), Knobs::default());
            }
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let width = (ui.available_width() - theme::SMALL_GAP) / 2.0;
        let ways = [
            (false, "In place", "The character stays where it is, as games want it."),
            (true, "Travelling", "The character moves over the ground."),
        ];
        for (travels, text, tooltip) in ways {
            if option_ui(ui, state.choice.travels == travels, text, text, tooltip, width) {
                state.choice.travels = travels;
            }
        }
    });
    let is_shown = state.proposed.is_some() || state.chosen.is_some();
    let Some(used) = state.used.filter(|_| is_shown) else {
        ui.label(RichText::new("Point at a motion to see it.").color(theme::TEXT_QUIET));
        return;
    };
    for row in &KNOBS {
        if let Some(used) = used.get(row.knob) {
            knob_ui(ui, row, used, state);
        }
    }
}

/// The width of the number of a knob.
const FIELD: f32 = 66.0;

fn knob_ui(ui: &mut Ui, row: &KnobRow, used: f64, state: &mut MotionsState) {
    let [low, mut high] = row.range;
    if let Some(fastest) =
        state.fastest.as_ref().and_then(|fastest| fastest.1).filter(|_| row.knob == Knob::Speed)
    {
        // What is chosen may be a hair faster: the search begins elsewhere.
        high = fastest.max(used);
    }
    let wanted = state.choice.knobs.get(row.knob).unwrap_or(used);
    let is_made = state.proposed.is_some();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        name_ui(ui, ui.id().with(row.name), row.label);
        let mut value = if is_made { used } else { wanted };
        let before = value;
        ui.spacing_mut().slider_width = (ui.available_width() - FIELD - theme::SMALL_GAP).max(20.0);
        let slider = ui.add(Slider::new(&mut value, low..=high).show_value(false));
        ui.ctx().accesskit_node_builder(slider.id, |node| node.set_label(format!("{} slider", row.label)));
        let number = DragValue::new(&mut value).range(low..=high).speed((high - low) / 200.0);
        let decimals = if high - low > 10.0 { 1 } else { 3 };
        let number = number.suffix(row.unit).max_decimals(decimals);
        setting_ui(ui, row.label, row.tooltip, vec2(FIELD, theme::ROW), number);
        if value != before {
            state.choice.knobs.set(row.knob, value);
            // Otherwise it would stop when the pointer leaves the list.
            state.chosen = state.chosen.or(state.proposed.as_ref().map(|choice| choice.motion));
        }
    });
    if is_made && used < wanted {
        ui.label(RichText::new("These legs go no faster.").color(theme::TEXT_QUIET).small());
    }
}

/// Draws how the skin fares while a motion plays: the frame that is shown, and the worst so far.
fn skin_ui(ui: &mut Ui, view: &View, state: &mut MotionsState, out: &mut Vec<Request>) {
    let mesh = view.session.selection().mesh.as_deref().filter(|_| state.proposed.is_some());
    let scene = view.session.animated();
    let found = mesh.and_then(|mesh| scene.skinned_meshes.get(mesh).zip(view.evaluated.skinned.get(mesh)));
    let Some((skinned, posed)) = found else { return };
    state.skin.watch(skinned, posed, view.session.frame());
    let Some(shown) = state.skin.shown() else { return };
    ui.add_space(theme::GAP);
    let percent = |volume: f64| format!("{:.0} %", 100.0 * volume);
    let volume = shown.volume.map_or("not closed".to_owned(), percent);
    let text = format!("Longest edge {:.2} times, volume {volume}", shown.stretch);
    ui.label(RichText::new(text).color(theme::TEXT_QUIET).small());
    let Some(worst) = state.skin.worst() else { return };
    let volumes = state.skin.volumes();
    let volumes =
        volumes.map(|range| format!("; volume {} to {}", percent(*range.start()), percent(*range.end())));
    let text = format!(
        "Worst: {:.2} times at vertex {}, frame {}{}",
        worst.stretch,
        worst.vertex,
        worst.frame.round(),
        volumes.unwrap_or_default()
    );
    let text = RichText::new(text).color(theme::TEXT).small().underline();
    let link = ui.add(egui::Label::new(text).wrap().sense(egui::Sense::click()));
    let link = link.on_hover_cursor(egui::CursorIcon::PointingHand);
    if link.tip("Go to this frame, select the vertex and frame it.").clicked() {
        let selection = view.session.selection().with_vertices(vec![worst.vertex]);
        out.extend([
            Request::SetFrame(worst.frame.round()),
            Request::Select(selection),
            Request::Act(Action::FRAME_SELECTED),
        ]);
    }
}

fn buttons_ui(
    ui: &mut Ui,
    view: &View,
    offered: &[&'static MotionRow],
    state: &mut MotionsState,
    out: &mut Vec<Request>,
) {
    ui.add_space(theme::GAP);
    ui.horizontal(|ui| {
        let shown = state.proposed.is_some();
        let add = ui.add_enabled(shown, Button::new("Add"));
        add.widget_info(|| WidgetInfo::labeled(WidgetType::Button, shown, "Add the motion"));
        if add.tip("Make a take of the motion that plays.").clicked() {
            out.push(Request::Commit);
            (state.proposed, state.chosen) = (None, None);
        }
        let all = ui.add(Button::new("Basic set"));
        all.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Add the basic set"));
        let names: Vec<&str> =
            offered.iter().filter(|row| motions::is_basic(row)).map(|row| row.label).collect();
        if all.tip(format!("Make a take of each of these: {}.", names.join(", "))).clicked() {
            let Some((scene, mesh)) = subject(view) else { return };
            match motions::add_basic_set(scene, mesh, &state.choice) {
                // In place of what plays, so that it goes on playing.
                Ok((commands, _)) if shown => {
                    out.extend([Request::Propose(Proposal::Trial, commands), Request::Commit])
                }
                Ok((commands, _)) => out.push(Request::Apply(commands)),
                Err(why) => return state.failed = Some(why),
            }
            (state.proposed, state.chosen) = (None, None);
        }
    });
}
