//! Rows for the same number of several things at once. Where they differ the field says "Mixed"; a typed
//! value sets them all, a drag moves each by as much.

use super::fields::{Fields, Meanings};
use super::number::{Number, number_ui};
use super::row::{Components, scalar_fields, slider_fields, vector_fields};
use crate::edit::command::Command;
use crate::edit::request::Request;
use egui::{Checkbox, Response, Ui};
use glam::Vec3;

/// The values of several things, in one order.
#[derive(Clone, Debug)]
pub struct MixedValue<T> {
    /// As they are seen.
    pub now: Vec<T>,
    /// As they were before the drag under way; the same where there is none.
    pub before: Vec<T>,
    /// Which of them the fields show where they differ.
    pub active: usize,
}

impl<T: Copy + PartialEq> MixedValue<T> {
    fn shown(&self) -> Option<T> {
        self.now.get(self.active).copied()
    }
}

/// Where a drag of the active value to `to` takes the value that was `before`.
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

/// One number of several things. `set`: the command that gives one of them a value.
pub fn scalar_row_of(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    values: &MixedValue<f32>,
    soft: Option<[f64; 2]>,
    out: &mut Vec<Request>,
    set: &dyn Fn(usize, f32) -> Command,
) {
    with_meanings(number, values, set, |number, value, meanings| {
        scalar_fields(ui, fields, number, value, soft, out, meanings);
    });
}

/// As [`scalar_row_of`], the field alone, `width` wide.
pub fn scalar_of(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    values: &MixedValue<f32>,
    width: f32,
    out: &mut Vec<Request>,
    set: &dyn Fn(usize, f32) -> Command,
) {
    with_meanings(number, values, set, |number, value, meanings| {
        number_ui(ui, fields, number, value, width, out, meanings);
    });
}

fn with_meanings(
    number: &Number,
    values: &MixedValue<f32>,
    set: &dyn Fn(usize, f32) -> Command,
    show: impl FnOnce(&Number, f64, Meanings<'_, Vec<Command>>),
) {
    let Some(value) = values.shown() else { return };
    let number = Number {
        mixed: differ(values.now.iter().copied()),
        ..number.clone()
    };
    let before = values.before.iter().copied().enumerate();
    let all = |v: f64| before.clone().map(|(i, _)| set(i, v as f32)).collect();
    let active = values.before.get(values.active).copied().unwrap_or(value);
    let each = |v: f64| {
        let moved = before
            .clone()
            .map(|(i, old)| set(i, moved(old, active, v, &number)));
        moved.collect()
    };
    let meanings = Meanings {
        set: &all,
        drag: &each,
    };
    show(&number, f64::from(value), meanings);
}

/// A tick for a switch of several things, half on where some are. What all are to be from now on, if it was clicked.
pub fn tick_of(on: &[bool], label: &str, show: impl FnOnce(Checkbox) -> Response) -> Option<bool> {
    let (all, any) = (on.iter().all(|on| *on), on.contains(&true));
    let mut now = all;
    let changed = show(Checkbox::new(&mut now, label).indeterminate(any && !all)).changed();
    changed.then_some(now)
}

/// Three numbers of several things, side by side; below each other with sliders where `soft` gives a range.
#[expect(clippy::too_many_arguments, reason = "as the rows for one thing")]
pub fn vector_rows_of(
    ui: &mut Ui,
    fields: &mut Fields,
    name: &str,
    like: &Number,
    values: &MixedValue<Vec3>,
    soft: Option<[f64; 2]>,
    out: &mut Vec<Request>,
    set: &dyn Fn(usize, Vec3) -> Command,
) {
    let Some(value) = values.shown() else { return };
    let before = values.before.iter().copied().enumerate();
    let with = |mut whole: Vec3, axis: usize, v: f32| {
        whole[axis] = v;
        whole
    };
    let active = values.before.get(values.active).copied().unwrap_or(value);
    let whole = |v: Vec3| before.clone().map(|(i, _)| set(i, v)).collect();
    let all = |axis: usize, v: f64| {
        let set_all = before.clone().map(|(i, old)| set(i, with(old, axis, v as f32)));
        set_all.collect()
    };
    let each = |axis: usize, v: f64| {
        let each = before.clone().map(|(i, old)| {
            let v = moved(old[axis], active[axis], v, like);
            set(i, with(old, axis, v))
        });
        each.collect()
    };
    let of = Components {
        value,
        mixed: [0, 1, 2].map(|axis| differ(values.now.iter().map(|v| v[axis]))),
        whole: &whole,
        set: &all,
        drag: &each,
    };
    match soft {
        Some(soft) => slider_fields(ui, fields, name, like, &of, soft, out),
        None => vector_fields(ui, fields, name, like, &of, out),
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
        // The active one, and what is like it, lands on the value itself.
        assert_eq!(moved(0.25, 0.25, 0.1, &radius), 0.1);
        assert!(!differ([1.0, 1.0]) && differ([1.0, 2.0]) && !differ(Vec::<f32>::new()));
    }
}
