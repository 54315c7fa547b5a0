//! The rows of a transform: parent, position, rotation and scale.

use super::rows::{RowContext, property_rows};
use crate::edit::command::{Command, parent_name};
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::theme;
use crate::math::rotation::{from_euler, to_euler};
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::resource::Transform;
use crate::scene::world::is_below;
use egui::Ui;
use glam::{DMat3, DQuat, Quat, Vec3};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Angles as they were typed, by the rotation that was made of them. A rotation alone says (180, 0, 0) and
/// (0, 180, 180) alike, and reading angles from it again and again lets them drift.
#[derive(Default)]
pub struct Euler {
    typed_deg: Mutex<HashMap<[u32; 4], Vec3>>,
}

/// Then it starts anew.
const MOST_TYPED: usize = 10_000;

impl Euler {
    fn key(rotation: Quat) -> [u32; 4] {
        rotation.to_array().map(f32::to_bits)
    }

    /// The rotation of x, y, z angles in degrees, x first.
    pub fn rotation(&self, angles_deg: Vec3) -> Quat {
        let radians = angles_deg.as_dvec3() * (std::f64::consts::PI / 180.0);
        let rotation = DQuat::from_mat3(&from_euler(radians)).normalize().as_quat();
        let mut typed = self.typed_deg.lock().unwrap_or_else(PoisonError::into_inner);
        if typed.len() >= MOST_TYPED {
            typed.clear();
        }
        typed.insert(Self::key(rotation), angles_deg);
        rotation
    }

    /// The angles that it was made of, else those with the smallest sum.
    pub fn angles_deg(&self, rotation: Quat) -> Vec3 {
        let typed = self.typed_deg.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(typed) = typed.get(&Self::key(rotation)) {
            return *typed;
        }
        let unit = rotation.as_dquat();
        if !(unit.length() > 0.0 && unit.is_finite()) {
            return Vec3::ZERO;
        }
        let degrees = to_euler(DMat3::from_quat(unit.normalize())) * (180.0 / std::f64::consts::PI);
        // A rotation in single precision tells angles to about a hundred-thousandth of a degree.
        ((degrees * 1e4).round() / 1e4).as_vec3()
    }
}

/// Rows of `transform`, which is called `name`; `first`: the commands that make it, where it is not there yet.
pub fn place_rows(
    ui: &mut Ui,
    session: &Session,
    (name, transform): (&str, &Transform),
    first: &[Command],
    fields: &mut Fields,
    euler: &Euler,
    out: &mut Vec<Request>,
) {
    let thing = ObjectRef::new(Kind::Transform, name);
    let of = RowContext {
        first,
        name_width: theme::NAME_WIDTH,
        ..RowContext::new(session, &thing, euler)
    };
    property_rows(ui, &of, &["parent"], fields, out);
    parent_row(ui, session.animated(), (name, transform), first, out);
}

fn parent_row(
    ui: &mut Ui,
    scene: &Scene,
    (name, transform): (&str, &Transform),
    first: &[Command],
    out: &mut Vec<Request>,
) {
    let row = "Parent";
    let parent = transform.parent.as_deref();
    let tooltip = "Its parent transform. It stays where it is.";
    choice_row(ui, name, row, tooltip, parent.unwrap_or("None"), |ui| {
        let mut ask = |command| out.push(Request::Apply(first.iter().cloned().chain([command]).collect()));
        let mut choose = |parent: Option<String>| {
            ask(Command::SetParent {
                transform: name.to_owned(),
                parent,
                keep_place: true,
            });
        };
        if line_ui(ui, row, "None", parent.is_none()) && parent.is_some() {
            choose(None);
        }
        for other in scene
            .transforms
            .keys()
            .filter(|other| !is_below(scene, other, name))
        {
            if line_ui(ui, row, other, parent == Some(other)) && parent != Some(other) {
                choose(Some(other.clone()));
            }
        }
        ui.separator();
        let new = format!("New, {}", parent_name(scene, name));
        if line_ui(ui, row, &new, false) {
            ask(Command::AddParent {
                transform: name.to_owned(),
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_stays() {
        let euler = Euler::default();
        for angles in [
            Vec3::new(180.0, 0.0, 0.0),
            Vec3::new(0.0, 90.0, 33.0),
            Vec3::new(-270.0, 700.0, 0.1),
        ] {
            let rotation = euler.rotation(angles);
            assert_eq!(euler.angles_deg(rotation), angles);
            let expected = Quat::from_rotation_z(angles.z.to_radians())
                * Quat::from_rotation_y(angles.y.to_radians())
                * Quat::from_rotation_x(angles.x.to_radians());
            assert!(rotation.dot(expected).abs() > 1.0 - 1e-5);
            // In another session the angles are read from the rotation, and mean the same.
            let read = Euler::default().angles_deg(rotation);
            assert!(Euler::default().rotation(read).dot(rotation).abs() > 1.0 - 1e-6);
        }
        let half = Euler::default().rotation(Vec3::new(180.0, 0.0, 0.0));
        assert_eq!(Euler::default().angles_deg(half), Vec3::new(180.0, 0.0, 0.0));
        assert_eq!(
            Euler::default().angles_deg(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
            Vec3::ZERO
        );
    }
}
