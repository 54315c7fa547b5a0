//! The heading of the panel: the name of the selection, and the button that deletes it. No other button
//! ever appears in that place, so that a click meant for another button cannot delete anything.

use super::Subject;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::editor::panels::outliner::kind_name;
use crate::editor::panels::status::counted;
use crate::editor::ui::action::icon_button;
use crate::editor::ui::list::shorten;
use crate::editor::ui::text::{capitalize, fitting};
use crate::editor::ui::theme::Quiet;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::rig::skeleton::Skeleton;
use crate::scene::names::ObjectRef;
use egui::{Align, Button, Frame, Layout, Margin, Panel, RichText, Ui, WidgetInfo, WidgetType, vec2};

/// The contents of the heading.
struct Heading<'a> {
    icon: &'static str,
    text: String,
    tooltip: String,
    delete: Option<Delete<'a>>,
}

enum Delete<'a> {
    Selected,
    Resource(&'a ObjectRef),
}

/// `paints`: the panel shows the brush, which paints the selected bone: nothing is to be deleted.
pub(super) fn heading_ui(ui: &mut Ui, view: &View, subject: &Subject, paints: bool, out: &mut Vec<Request>) {
    let mut heading = heading(view, subject);
    if paints {
        heading.delete = None;
    }
    Panel::top("properties heading")
        .frame(Frame::new().inner_margin(Margin::symmetric(10, 5)))
        .exact_size(theme::TALL + 10.0)
        .resizable(false)
        .show(ui, |ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                match &heading.delete {
                    Some(Delete::Selected) => drop(icon_button(ui, view, Action::DELETE, icons::DELETE, out)),
                    Some(Delete::Resource(object)) => delete_resource_ui(ui, object, out),
                    None => {}
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let size = theme::HEADING;
                    ui.label(RichText::new(heading.icon).color(theme::ACCENT).size(size));
                    let text = fitting(ui, &shorten(&heading.text), size, ui.available_width());
                    ui.label(RichText::new(text).strong().size(size)).tip(heading.tooltip);
                });
            });
        });
}

fn delete_resource_ui(ui: &mut Ui, object: &ObjectRef, out: &mut Vec<Request>) {
    let button = Button::new(RichText::new(icons::DELETE).size(theme::HEADING));
    let button = button.min_size(vec2(26.0, theme::ROW)).quiet(false);
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Delete resource"));
    let tooltip = "Delete it. References to it become empty.";
    if response.tip(tooltip).clicked() {
        let (object, with_data) = (object.clone(), false);
        out.push(Request::Apply(vec![Command::Delete { object, with_data }]));
    }
}

fn heading<'a>(view: &View<'a>, subject: &Subject<'a>) -> Heading<'a> {
    let selection = view.session.selection();
    match *subject {
        Subject::Resource(object) => Heading {
            icon: icons::for_object(object.kind),
            text: object.name.clone(),
            tooltip: capitalize(object.kind.text()),
            delete: Some(Delete::Resource(object)),
        },
        Subject::Mesh(name, skinned) => match selection.part {
            Some(part) => part_heading(view, &skinned.skeleton, part),
            None => match selection.instance.as_ref() {
                Some(instance) if view.settings.tab == Tab::Animate => {
                    heading(view, &Subject::Instance(instance))
                }
                _ => Heading {
                    icon: icons::SKINNED_MESH,
                    text: name.to_owned(),
                    tooltip: "Skinned mesh".into(),
                    delete: None,
                },
            },
        },
        Subject::Instance(instance) => Heading {
            icon: icons::for_kind(instance.kind),
            text: instance.name.clone(),
            tooltip: kind_name(instance.kind).into(),
            delete: Some(Delete::Selected),
        },
        Subject::Nothing => Heading {
            icon: icons::NOTHING,
            text: "Nothing selected".into(),
            tooltip: "Shows the properties of the selection".into(),
            delete: None,
        },
    }
}

fn part_heading<'a>(view: &View, skeleton: &Skeleton, part: Part) -> Heading<'a> {
    let selection = view.session.selection();
    let summary = |one: &str, many: &str, count: usize, name: String, all: Vec<String>| match count {
        0 | 1 => (name, capitalize(one)),
        _ => {
            let more = if all.len() > 20 { ", …" } else { "" };
            let names = all.iter().take(20).map(String::as_str).collect::<Vec<_>>();
            (counted(count, one, many), format!("{}{more}", names.join(", ")))
        }
    };
    let ((text, tooltip), can_delete) = match part {
        Part::Bone(bone) => {
            let bones = selection.bones();
            let names = bones.iter().map(|bone| skeleton.bone_name(*bone)).collect();
            let name = skeleton.bone_name(bone);
            (summary("bone", "bones", bones.len(), name, names), view.settings.tab == Tab::Rig)
        }
        Part::Handle(handle) => {
            let selected = |other: &usize| *other == handle || selection.is_selected(Part::Handle(*other));
            let handles = (0..skeleton.handles.len()).filter(selected);
            let names: Vec<_> = handles.map(|handle| skeleton.handle_name(handle)).collect();
            let name = skeleton.handle_name(handle);
            (summary("IK handle", "IK handles", names.len(), name, names), true)
        }
        Part::Pole(handle) => {
            let tooltip = "Where the elbow or knee between the bones of the handle points";
            ((skeleton.pole_name(handle), tooltip.into()), true)
        }
        Part::Shape(shape) => ((skeleton.shape_name(shape), "A shape of the surface".into()), false),
        Part::Base => (("Base".into(), "Where the root bones start".into()), false),
    };
    Heading { icon: icons::for_part(part), text, tooltip, delete: can_delete.then_some(Delete::Selected) }
}
