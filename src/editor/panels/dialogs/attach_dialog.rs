//! The Attach to bone dialog: the character and its bone, and the first and the last frame.

use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::attach::{Attachment, attach, characters, nearest_bone};
use crate::editor::panels::dialogs::bone_dialogs::{focus_and_select, number_row};
use crate::editor::ui::choice::long_choice_row;
use crate::editor::ui::dialog::{dialog_button, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use egui::{Context, DragValue, Key, Layout, Popup, RichText};
use std::borrow::Cow;

/// The state of the dialog.
#[derive(Default)]
pub struct AttachDialog {
    open: bool,
    /// What is chosen; `None` until it is shown.
    chosen: Option<Attachment>,
    /// The reason why the last attempt failed.
    error: Option<Cow<'static, str>>,
}

impl AttachDialog {
    pub fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    pub fn is_open(&self) -> bool {
        self.open
    }
}

pub fn attach_dialog_ui(ctx: &Context, view: &View, state: &mut AttachDialog, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    let scene = view.session.scene();
    let instance = view.session.selection().instance.as_ref();
    let names = instance.map_or(Vec::new(), |instance| characters(scene, instance));
    let (Some(instance), Some(first_name)) = (instance, names.first()) else {
        state.open = false;
        return;
    };
    let opened = state.chosen.is_none();
    let (clip, frame) = (scene.animation.clip, view.session.frame());
    let first_choice = |character: &String| {
        let current = frame.round() as u32;
        let ik = view.ik();
        let frames = [current, clip.play_range()[1].max(current)];
        let attachment = Attachment { character: character.clone(), bone: 0, frames, ik };
        Attachment { bone: nearest_bone(scene, instance, &attachment, frame), ..attachment }
    };
    let mut chosen = state.chosen.take().unwrap_or_else(|| first_choice(first_name));
    // In the filter of a list, Enter chooses a line.
    let mut accepted = ctx.input(|i| i.key_pressed(Key::Enter)) && !Popup::is_any_open(ctx);
    let mut cancelled = false;
    let shown = modal("attach dialog").show(ctx, |ui| {
        ui.set_width(340.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        ui.heading(format!("Attach {} to a bone", shorten(&instance.name)));
        ui.add_space(theme::GAP);
        if names.len() > 1 {
            let tip = "The instance with the bones.";
            let character = chosen.character.clone();
            long_choice_row(ui, "attach", "Character", tip, &character, names.len(), |ui, lines| {
                for name in &names {
                    if lines.line_ui(ui, name, *name == character) && *name != character {
                        chosen = first_choice(name);
                    }
                }
            });
        }
        let mesh = scene.instances.skinned_meshes.get(&chosen.character);
        let mesh = mesh.and_then(|instance| scene.skinned_meshes.get(instance.resource.as_ref()?));
        if let Some(skeleton) = mesh.map(|mesh| &mesh.skeleton) {
            let tip = "The bone that carries it; the nearest one to begin with.";
            let (name, count) = (skeleton.bone_name(chosen.bone), skeleton.bones.len());
            long_choice_row(ui, "attach", "To bone", tip, &name, count, |ui, lines| {
                for bone in skeleton.shown_bones() {
                    if lines.line_ui(ui, &skeleton.bone_name(bone), bone == chosen.bone) {
                        chosen.bone = bone;
                    }
                }
            });
        }
        let last = clip.last_frame();
        let [from, until] = &mut chosen.frames;
        let from = number_row(
            ui,
            "From frame",
            DragValue::new(from).range(0..=last).speed(0.2),
            "The first frame at which it moves with the bone, from where it is then.",
        );
        focus_and_select(!opened, &from);
        let until = DragValue::new(until).range(0..=last).speed(0.2);
        number_row(ui, "Until frame", until, "The last frame at which it moves with the bone.");
        let text = match &state.error {
            Some(error) => RichText::new(&**error).color(theme::WARNING),
            None => RichText::new(
                "It gets a key at each of these frames. Attach it again after changing the motion of the character.",
            )
            .color(theme::TEXT_QUIET),
        };
        ui.add_space(theme::SMALL_GAP);
        ui.label(text);
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            accepted |= ui.add(main_dialog_button("Attach")).clicked();
            cancelled = ui.add(dialog_button("Cancel")).clicked();
        });
    });
    if accepted && !cancelled {
        match attach(scene, instance, &chosen) {
            Ok(commands) => {
                out.push(Request::Apply(commands));
                state.open = false;
            }
            Err(error) => state.error = Some(error),
        }
    }
    if cancelled || is_dismissed(&shown) {
        state.open = false;
    }
    state.chosen = Some(chosen);
}
