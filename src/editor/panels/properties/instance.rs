//! Properties of an instance: name, what it places, where and how, and facts about what it places.

use super::buttons;
use super::place::{Euler, place_rows};
use super::resource::name_row;
use crate::anim::channel::ChannelRef;
use crate::edit::action::Action;
use crate::edit::command::{Command, Style, transform_name};
use crate::edit::keyed;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::panels::outliner::kind_name;
use crate::editor::panels::status::counted;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::digits::shown;
use crate::editor::ui::fields::Fields;
use crate::editor::ui::keyed::tick_ui;
use crate::editor::ui::row::fact_row;
use crate::editor::ui::theme;
use crate::scene::Scene;
use crate::scene::instance::{DRAW_STYLES, InstanceKind, InstanceRef};
use crate::scene::names::{Kind, Thing};
use crate::scene::references;
use crate::scene::resource::{DeltaLightKind, EnvLightKind, Transform};
use egui::{Checkbox, RichText, Ui};
use glam::Vec3;

pub fn instance_ui(
    ui: &mut Ui,
    view: &View,
    instance: &InstanceRef,
    fields: &mut Fields,
    euler: &Euler,
    out: &mut Vec<Request>,
) {
    let scene = view.session.seen();
    let Some(placed) = scene.instances.get(instance) else {
        return;
    };
    name_row(ui, fields, &Thing::from(instance), out);
    transform_row(ui, scene, instance, placed.transform, out);
    match placed
        .transform
        .and_then(|name| scene.transforms.get_key_value(name))
    {
        Some((name, transform)) => {
            place_rows(ui, view.session, (name, transform), &[], fields, euler, out);
        }
        None => {
            let name = transform_name(scene, &instance.name);
            let first = [Command::AddTransform {
                instance: instance.clone(),
            }];
            place_rows(
                ui,
                view.session,
                (&name, &Transform::default()),
                &first,
                fields,
                euler,
                out,
            );
        }
    }
    ui.add_space(theme::SMALL_GAP);
    let kind = Kind::placed_by(instance.kind);
    reference_row(ui, scene, instance, kind, placed_name(instance.kind), out);
    if instance.kind == InstanceKind::Particles {
        reference_row(ui, scene, instance, Kind::Mesh, "Mesh", out);
    }
    let drawn = match instance.kind {
        InstanceKind::Mesh => scene.instances.meshes.get(&instance.name),
        InstanceKind::SkinnedMesh => scene.instances.skinned_meshes.get(&instance.name),
        InstanceKind::Shape => scene.instances.shapes.get(&instance.name),
        _ => None,
    };
    if drawn.is_some() || instance.kind == InstanceKind::Particles {
        reference_row(ui, scene, instance, Kind::Material, "Material", out);
    }
    if let Some(drawn) = drawn {
        style_row(ui, instance, &drawn.settings.draw_style, out);
    }
    if let Some(mut visible) = placed.visible {
        let state = keyed::state(view.session, &[ChannelRef::new(&instance.name, "visible")]);
        let tick = Checkbox::new(&mut visible, "Visible");
        if tick_ui(ui, state, tick, "Draw it; hidden, it stays in the scene.").changed() {
            let instance = instance.clone();
            out.push(Request::Apply(vec![Command::SetVisible { instance, visible }]));
        }
    }
    for (name, value) in facts(scene, instance.kind, placed.of) {
        fact_row(ui, name, theme::FACT_WIDTH, value);
    }
    ui.add_space(theme::SMALL_GAP);
    buttons(ui, view, &[Action::Duplicate, Action::DuplicateLinked], out);
}

/// Which transform: that of others is shared with them.
fn transform_row(
    ui: &mut Ui,
    scene: &Scene,
    instance: &InstanceRef,
    transform: Option<&str>,
    out: &mut Vec<Request>,
) {
    let row = "Place";
    let tooltip = "The transform that says where it stands. Instances that share one move together.";
    choice_row(ui, instance, row, tooltip, transform.unwrap_or("None"), |ui| {
        reference_lines(ui, scene, instance, (Kind::Transform, row), transform, out);
        ui.separator();
        let new = format!("New, {}", transform_name(scene, &instance.name));
        if line_ui(ui, row, &new, false) {
            let instance = instance.clone();
            out.push(Request::Apply(vec![Command::AddTransform { instance }]));
        }
    });
    let Some(transform) = transform else { return };
    let users = references::users(scene, &Thing::new(Kind::Transform, transform));
    let others = users.iter().filter(|user| user.instance().is_some()).count();
    if others > 1 {
        let text = format!(
            "{} stand on this transform.",
            counted(others, "instance", "instances")
        );
        ui.label(RichText::new(text).color(theme::TEXT_QUIET).small());
    }
}

fn placed_name(kind: InstanceKind) -> &'static str {
    match kind {
        InstanceKind::SkinnedMesh | InstanceKind::Mesh => "Mesh",
        InstanceKind::DeltaLight | InstanceKind::EnvLight => "Light",
        other => kind_name(other),
    }
}

fn reference_row(
    ui: &mut Ui,
    scene: &Scene,
    instance: &InstanceRef,
    kind: Kind,
    row: &'static str,
    out: &mut Vec<Request>,
) {
    let named = references::all_of(scene, &Thing::from(instance));
    let chosen = named
        .into_iter()
        .find(|named| named.kind == kind)
        .map(|named| named.name);
    let tooltip = format!("Which {} it shows.", kind.text());
    let text = chosen.as_deref().unwrap_or("None");
    choice_row(ui, (instance, row), row, &tooltip, text, |ui| {
        reference_lines(ui, scene, instance, (kind, row), chosen.as_deref(), out);
    });
}

fn reference_lines(
    ui: &mut Ui,
    scene: &Scene,
    instance: &InstanceRef,
    (kind, row): (Kind, &str),
    chosen: Option<&str>,
    out: &mut Vec<Request>,
) {
    let mut choose = |to: Option<&str>| {
        out.push(Request::Apply(vec![Command::SetReference {
            instance: instance.clone(),
            kind,
            to: to.map(str::to_owned),
        }]));
    };
    if line_ui(ui, row, "None", chosen.is_none()) && chosen.is_some() {
        choose(None);
    }
    for name in scene.names_of(kind) {
        if line_ui(ui, row, name, chosen == Some(name)) && chosen != Some(name) {
            choose(Some(name));
        }
    }
}

fn style_row(ui: &mut Ui, instance: &InstanceRef, style: &str, out: &mut Vec<Request>) {
    let row = "Draw as";
    let tooltip = "Its edges alone, or its surface with the normals of faces, of vertices, or of the file.";
    choice_row(ui, instance, row, tooltip, style, |ui| {
        for known in DRAW_STYLES {
            if line_ui(ui, row, known, style == known) && style != known {
                out.push(Request::Apply(vec![Command::SetStyle {
                    instance: instance.clone(),
                    style: Style::Draw(known.into()),
                }]));
            }
        }
    });
}

/// What there is to say of what it places.
fn facts(scene: &Scene, kind: InstanceKind, of: Option<&str>) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let Some(of) = of else { return facts };
    match kind {
        InstanceKind::Camera => {
            if let Some(camera) = scene.cameras.get(of) {
                facts.push(("Field of view", format!("{}° high", short(camera.vertical_fov))));
                facts.push(("Aspect", short(camera.aspect_ratio)));
                facts.push(("Film", format!("{} x {}", camera.film.width, camera.film.height)));
            }
        }
        InstanceKind::Particles => {
            if let Some(particles) = scene.particles.get(of) {
                let alive = counted(particles.particles.len(), "particle", "particles");
                facts.push(("Rate", format!("{} per second", short(particles.rate))));
                facts.push(("Saved state", format!("{alive} alive; not simulated here")));
            }
        }
        InstanceKind::DeltaLight => {
            if let Some(light) = scene.delta_lights.get(of) {
                let kind = match light.kind {
                    DeltaLightKind::Point => "Point".into(),
                    DeltaLightKind::Directional => "Directional".into(),
                    DeltaLightKind::Spot { outer_angle, .. } => format!("Spot, {}°", short(outer_angle)),
                };
                facts.push(("Type", kind));
                facts.push(("Colour", vector(light.color)));
                facts.push(("Intensity", short(light.intensity)));
            }
        }
        InstanceKind::EnvLight => {
            if let Some(light) = scene.env_lights.get(of) {
                let kind = match light.kind {
                    EnvLightKind::Hemisphere => "Hemisphere",
                    EnvLightKind::Sphere => "Sphere",
                };
                facts.push(("Type", kind.into()));
                facts.push(("Intensity", short(light.intensity)));
                facts.push((
                    "Radiance",
                    light.radiance.clone().unwrap_or_else(|| "None".into()),
                ));
            }
        }
        InstanceKind::Mesh | InstanceKind::SkinnedMesh | InstanceKind::Shape => {}
    }
    facts
}

fn short(value: f32) -> String {
    shown(f64::from(value), 3)
}

fn vector(v: Vec3) -> String {
    v.to_array().map(short).join(", ")
}
