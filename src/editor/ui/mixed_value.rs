//! Rows for the same number of several objects at once. If they differ, the field shows "Mixed"; a typed
//! value sets all of them, a drag changes each by the same amount.

use super::fields::{Converters, Fields};
use super::number::{Number, number_ui};
use super::row::{Components, scalar_fields, slider_fields, vector_fields};
use crate::edit::command::Command;
use crate::edit::request::Request;
use egui::{Checkbox, Response, Ui};
use glam::Vec3;

/// The values of several objects, in the same order.
#[derive(Clone, Debug)]
pub struct MixedValue<T> {
    /// The current values.
    pub current: Vec<T>,
    /// The values before the drag in progress; without a drag, the current values.
    pub before: Vec<T>,
    /// The index of the value that the fields show if they differ.
    pub active: usize,
}

impl<T> MixedValue<T> {
    /// The value of one object.
    pub fn single(value: T) -> Self
    where
        T: Clone,
    {
        Self { current: vec![value.clone()], before: vec![value], active: 0 }
    }

    pub fn map<U>(&self, convert: impl Fn(&T) -> U) -> MixedValue<U> {
        let [current, before] = [&self.current, &self.before].map(|all| all.iter().map(&convert).collect());
        MixedValue { current, before, active: self.active }
    }

    /// Returns the value that the fields show.
    pub fn shown(&self) -> Option<&T> {
        self.current.get(self.active)
    }
}

/// Returns the value, initially `before`, when the active value is dragged to `to`.
fn moved(before: f32, active_before: f32, to: f64, number: &Number) -> f32 {
    if before == active_before {
        return to as f32;
    }
    let value = f64::from(before) + to - f64::from(active_before);
    value.clamp(number.min, number.max) as f32
}

fn differ<T: PartialEq>(values: impl IntoIterator<Item = T>) -> bool {
    let mut values = values.into_iter();
    let first = values.next();
    values.any(|value| Some(value) != first)
}

/// A row for one number of several objects. `set`: returns the commands that set the value of one of them.
pub fn mixed_scalar_row(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    values: &MixedValue<f32>,
    soft: Option<[f64; 2]>,
    out: &mut Vec<Request>,
    set: &dyn Fn(usize, f32) -> Vec<Command>,
) {
    with_converters(number, values, set, |number, value, converters| {
        scalar_fields(ui, fields, number, value, soft, out, converters);
    });
}

/// The field of [`mixed_scalar_row`] without a name, `width` wide.
pub fn mixed_scalar_ui(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    values: &MixedValue<f32>,
    width: f32,
    out: &mut Vec<Request>,
    set: &dyn Fn(usize, f32) -> Vec<Command>,
) {
    with_converters(number, values, set, |number, value, converters| {
        number_ui(ui, fields, number, value, width, out, converters);
    });
}

fn with_converters(
    number: &Number,
    values: &MixedValue<f32>,
    set: &dyn Fn(usize, f32) -> Vec<Command>,
    show: impl FnOnce(&Number, f64, Converters<'_, Vec<Command>>),
) {
    let Some(&value) = values.shown() else { return };
    let number = Number { mixed: differ(values.current.iter().copied()), ..number.clone() };
    let before = values.before.iter().copied().enumerate();
    let all = |v: f64| before.clone().flat_map(|(i, _)| set(i, v as f32)).collect();
    let active = values.before.get(values.active).copied().unwrap_or(value);
    let each = |v: f64| {
        let moved = before.clone().flat_map(|(i, old)| set(i, moved(old, active, v, &number)));
        moved.collect()
    };
    let converters = Converters { set: &all, drag: &each };
    show(&number, f64::from(value), converters);
}

/// A checkbox for a switch of several objects, indeterminate if only some are on. Returns the new state of
/// all of them if it was clicked.
pub fn mixed_checkbox(states: &[bool], label: &str, show: impl FnOnce(Checkbox) -> Response) -> Option<bool> {
    let (all, any) = (states.iter().all(|state| *state), states.contains(&true));
    let mut checked = all;
    let changed = show(Checkbox::new(&mut checked, label).indeterminate(any && !all)).changed();
    changed.then_some(checked)
}

/// Rows for three numbers of several objects: side by side, or one below the other with sliders if `soft`
/// gives a range.
#[expect(clippy::too_many_arguments, reason = "as the rows for one object")]
pub fn mixed_vector_rows(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    template: &Number,
    values: &MixedValue<Vec3>,
    soft: Option<[f64; 2]>,
    out: &mut Vec<Request>,
    set: &dyn Fn(usize, Vec3) -> Vec<Command>,
) {
    let Some(&value) = values.shown() else { return };
    let before = values.before.iter().copied().enumerate();
    let with = |mut whole: Vec3, axis: usize, v: f32| {
        whole[axis] = v;
        whole
    };
    let active = values.before.get(values.active).copied().unwrap_or(value);
    let whole = |v: Vec3| before.clone().flat_map(|(i, _)| set(i, v)).collect();
    let all = |axis: usize, v: f64| {
        let set_all = before.clone().flat_map(|(i, old)| set(i, with(old, axis, v as f32)));
        set_all.collect()
    };
    let each = |axis: usize, v: f64| {
        let each = before.clone().flat_map(|(i, old)| {
            let v = moved(old[axis], active[axis], v, template);
            set(i, with(old, axis, v))
        });
        each.collect()
    };
    let components = Components {
        value,
        mixed: [0, 1, 2].map(|axis| differ(values.current.iter().map(|v| v[axis]))),
        whole: &whole,
        set: &all,
        drag: &each,
    };
    match soft {
        Some(soft) => slider_fields(ui, fields, name, template, &components, soft, out),
        None => vector_fields(ui, fields, name, template, &components, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_moves_each_by_as_much_within_limits() {
        let mut radius = Number::new("Radius", "");
        radius.min = 0.0;
        assert_eq!(moved(0.5, 0.25, 0.5, &radius), 0.75);
        assert_eq!(moved(0.125, 0.25, 0.0, &radius), 0.0);
        // The active value, and values equal to it, become exactly the new value.
        assert_eq!(moved(0.25, 0.25, 0.1, &radius), 0.1);
        assert!(!differ([1.0, 1.0]) && differ([1.0, 2.0]) && !differ(Vec::<f32>::new()));
    }
}
