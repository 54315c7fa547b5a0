//! The outliner: every instance of the scene by kind, and the list of skinned meshes.

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::view::View;
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, row_ui};
use crate::scene::Scene;
use crate::scene::instance::{InstanceKind, InstanceRef};
use egui::{Id, Ui};
use std::collections::BTreeMap;

/// More rows than this, and those out of sight are not laid out (nor told to screen readers).
pub const MANY: usize = 500;

/// What people work on first, then what surrounds it.
pub const KINDS: [InstanceKind; 7] = [
    InstanceKind::SkinnedMesh,
    InstanceKind::Mesh,
    InstanceKind::Shape,
    InstanceKind::Particles,
    InstanceKind::Camera,
    InstanceKind::DeltaLight,
    InstanceKind::EnvLight,
];

pub fn kind_name(kind: InstanceKind) -> &'static str {
    match kind {
        InstanceKind::Camera => "Camera",
        InstanceKind::Mesh => "Mesh",
        InstanceKind::SkinnedMesh => "Skinned mesh",
        InstanceKind::Shape => "Shape",
        InstanceKind::Particles => "Particles",
        InstanceKind::DeltaLight => "Light",
        InstanceKind::EnvLight => "Environment light",
    }
}

/// Names of the instances of a kind, and whether each is shown (`None`: it cannot be hidden).
fn instances(scene: &Scene, kind: InstanceKind) -> Vec<(&str, Option<bool>)> {
    let i = &scene.instances;
    match kind {
        InstanceKind::Camera => i.cameras.keys().map(|n| (n.as_str(), None)).collect(),
        InstanceKind::Mesh => i
            .meshes
            .iter()
            .map(|(n, g)| (n.as_str(), Some(g.settings.visible)))
            .collect(),
        InstanceKind::SkinnedMesh => i
            .skinned_meshes
            .iter()
            .map(|(n, g)| (n.as_str(), Some(g.settings.visible)))
            .collect(),
        InstanceKind::Shape => i
            .shapes
            .iter()
            .map(|(n, g)| (n.as_str(), Some(g.settings.visible)))
            .collect(),
        InstanceKind::Particles => i
            .particles
            .iter()
            .map(|(n, p)| (n.as_str(), Some(p.visible)))
            .collect(),
        InstanceKind::DeltaLight => i
            .delta_lights
            .iter()
            .map(|(n, l)| (n.as_str(), Some(l.visible)))
            .collect(),
        InstanceKind::EnvLight => i
            .env_lights
            .iter()
            .map(|(n, l)| (n.as_str(), Some(l.visible)))
            .collect(),
    }
}

/// All instances. Rows are labelled "Instance <name>"; names that two kinds share, with the kind.
pub fn outliner_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let scene = view.session.seen();
    let selected = &view.session.selection().instance;
    let all: Vec<_> = KINDS
        .into_iter()
        .map(|kind| (kind, instances(scene, kind)))
        .collect();
    let count = all.iter().map(|(_, list)| list.len()).sum::<usize>();
    if count == 0 {
        ui.weak("Nothing is placed in this scene.");
    }
    let mut kinds_of_name = BTreeMap::<&str, usize>::new();
    for (name, _) in all.iter().flat_map(|(_, list)| list) {
        *kinds_of_name.entry(name).or_default() += 1;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    for (kind, list) in &all {
        for &(name, shown) in list {
            let label = match kinds_of_name[name] {
                1 => format!("Instance {name}"),
                _ => format!("Instance {name}, {}", kind_name(*kind)),
            };
            let instance = InstanceRef {
                kind: *kind,
                name: name.to_owned(),
            };
            let row = Row {
                id: Id::new(("instance", *kind, name)),
                label,
                text: name,
                icon: icons::of_kind(*kind),
                tooltip: kind_name(*kind),
                indent: 0,
                selected: selected.as_ref() == Some(&instance),
                quiet: shown == Some(false),
                open: None,
                shown,
            };
            let output = row_ui(ui, &row, count > MANY);
            if output.eye_clicked {
                let visible = shown == Some(false);
                out.push(Request::Apply(vec![Command::SetVisible { instance, visible }]));
            } else if output.clicked {
                out.push(Request::Select(Selection::of_instance(scene, &instance)));
            }
        }
    }
}

/// The skinned meshes themselves, placed or not. Rows are labelled "Skinned mesh <name>".
pub fn meshes_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let scene = view.session.seen();
    let selected = view.session.selection().mesh.as_deref();
    if scene.skinned_meshes.is_empty() {
        ui.weak("This scene has no skinned mesh.");
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    for name in scene.skinned_meshes.keys() {
        let row = Row {
            id: Id::new(("skinned mesh", name)),
            label: format!("Skinned mesh {name}"),
            text: name,
            icon: icons::SKINNED_MESH,
            tooltip: "Click to work on its skeleton",
            indent: 0,
            selected: selected == Some(name),
            quiet: false,
            open: None,
            shown: None,
        };
        if row_ui(ui, &row, scene.skinned_meshes.len() > MANY).clicked {
            out.push(Request::Select(Selection::of_mesh(scene, name)));
        }
    }
}
