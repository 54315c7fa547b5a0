//! The selected bones or handles, or the skeleton, and the rows of their table for one or many.

use super::rows::ValueRow;
use super::{Page, length};
use crate::anim::channel::{ChannelRef, SkeletonChannel};
use crate::edit::command::Command;
use crate::edit::select::selection::{Part, Selection};
use crate::editor::ui::digits::round_step;
use crate::editor::ui::mixed_value::{MixedValue, mixed_scalar_row};
use crate::editor::ui::number::{MIXED, Number};
use crate::rig::kinematics::parent_past_links;
use crate::rig::property::{Property, PropertyValue, SHAPE_WEIGHT};
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Shape, Skeleton};
use egui::Ui;
use glam::{Quat, Vec3};

/// What the rows of a table belong to.
pub(super) trait Owner: Clone + 'static {
    fn all(skeleton: &Skeleton) -> &[Self];
    /// Returns the selected ones, in ascending order.
    fn selected(selection: &Selection) -> Vec<usize>;
    fn part(index: usize) -> Part;
    fn channel(&self, row: &'static Property<Self>) -> SkeletonChannel;
    /// Returns one with the values that Reset sets, and with every goal.
    fn initial() -> Self;
}

impl Owner for Bone {
    fn all(skeleton: &Skeleton) -> &[Self] {
        &skeleton.bones
    }

    fn selected(selection: &Selection) -> Vec<usize> {
        selection.bones()
    }

    fn part(index: usize) -> Part {
        Part::Bone(index)
    }

    fn channel(&self, row: &'static Property<Self>) -> SkeletonChannel {
        SkeletonChannel::Bone(self.channel_id, row)
    }

    fn initial() -> Self {
        Self::default()
    }
}

impl Owner for Handle {
    fn all(skeleton: &Skeleton) -> &[Self] {
        &skeleton.handles
    }

    fn selected(selection: &Selection) -> Vec<usize> {
        selection.handles()
    }

    fn part(index: usize) -> Part {
        Part::Handle(index)
    }

    fn channel(&self, row: &'static Property<Self>) -> SkeletonChannel {
        SkeletonChannel::Handle(self.channel_id, row)
    }

    fn initial() -> Self {
        Self {
            orientation: Some(Orientation { rotation: Quat::IDENTITY, weight: 1.0 }),
            pole: Some(Pole { point: Vec3::ZERO, weight: 1.0 }),
            look_at: Some(LookAt { axis: Vec3::Y, weight: 1.0 }),
            ..Self::default()
        }
    }
}

impl Owner for Skeleton {
    fn all(skeleton: &Skeleton) -> &[Self] {
        std::slice::from_ref(skeleton)
    }

    fn selected(_: &Selection) -> Vec<usize> {
        vec![0]
    }

    fn part(_: usize) -> Part {
        Part::Base
    }

    fn channel(&self, row: &'static Property<Self>) -> SkeletonChannel {
        SkeletonChannel::Base(row)
    }

    fn initial() -> Self {
        Self::default()
    }
}

/// Shapes are not selected: each has a row of its own.
impl Owner for Shape {
    fn all(skeleton: &Skeleton) -> &[Self] {
        &skeleton.shapes
    }

    fn selected(_: &Selection) -> Vec<usize> {
        Vec::new()
    }

    fn part(index: usize) -> Part {
        Part::Shape(index)
    }

    fn channel(&self, row: &'static Property<Self>) -> SkeletonChannel {
        SkeletonChannel::Shape(self.channel_id, row)
    }

    fn initial() -> Self {
        Self::default()
    }
}

/// The selected parts of a kind.
pub(super) struct Selected<'a, T> {
    pub(super) mesh: &'a str,
    pub(super) skeleton: &'a Skeleton,
    /// All parts of the kind, and those before the current drag.
    pub(super) now: &'a [T],
    pub(super) before: &'a [T],
    /// The indices of the selected ones.
    pub(super) indices: Vec<usize>,
    /// The position of the active one in `indices`.
    pub(super) active: usize,
}

impl<'a, T: Owner> Selected<'a, T> {
    /// `active`: the index of the part that the fields show if values differ; it is among the selected ones.
    pub(super) fn new(page: &Page<'a, '_>, active: usize) -> Self {
        let (mesh, skeleton) = (page.mesh, &*page.skinned.skeleton);
        let session = page.view.session;
        let now = T::all(skeleton);
        let mut indices = T::selected(session.selection());
        indices.retain(|index| *index < now.len());
        if !indices.contains(&active) {
            indices = vec![active];
        }
        let before = session.animated_before().skinned_meshes.get(mesh);
        let before = before.map_or(now, |skinned| T::all(&skinned.skeleton));
        Self {
            mesh,
            skeleton,
            now,
            before: if before.len() == now.len() { before } else { now },
            active: indices.iter().position(|index| *index == active).unwrap_or(0),
            indices,
        }
    }

    /// The selected ones, in the order of `indices`.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'a T> + Clone {
        let now = self.now;
        self.indices.iter().map(move |index| &now[*index])
    }

    pub(super) fn values<V>(&self, value: impl Fn(&T) -> V) -> MixedValue<V> {
        let values = |all: &[T]| self.indices.iter().map(|index| value(&all[*index])).collect();
        MixedValue { current: values(self.now), before: values(self.before), active: self.active }
    }

    /// Returns the command that sets a property of the selected part at a position in `indices`.
    pub(super) fn set(&self, i: usize, id: &'static str, value: impl Into<PropertyValue>) -> Command {
        Command::set_part(self.mesh.to_owned(), T::part(self.indices[i]), id, value)
    }

    pub(super) fn channels(&self, row: &'static Property<T>) -> Vec<ChannelRef> {
        let keyed = self.parts().filter(|_| row.info.channel.is_some());
        keyed.map(|part| ChannelRef::new(self.mesh, part.channel(row))).collect()
    }

    /// Returns a row with its values: a number without limits is a length, one with both a fraction. A value that a
    /// part lacks counts as the initial one.
    pub(super) fn row(&self, page: &Page, row: &'static Property<T>) -> ValueRow {
        let info = &row.info;
        let initial = row.get(&T::initial()).unwrap_or(PropertyValue::Bool(false));
        let [is_above, is_below] = [info.range[0] > f64::from(f32::MIN), info.range[1] < f64::from(f32::MAX)];
        let base = if is_below { Number::new("", "") } else { length(&page.facts, "", "") };
        let values = self.values(|part| row.get(part).unwrap_or_else(|| initial.clone()));
        let mut row = ValueRow::new(page.view.session, info, values, &initial, &self.channels(row), base);
        if info.unit.is_empty() && is_above && !is_below {
            row.slider = Some([info.range[0], round_step(page.facts.size / 4.0)]);
        }
        row
    }

    pub(super) fn row_ui(&self, ui: &mut Ui, page: &mut Page, row: &'static Property<T>) {
        let set = |i, value| vec![self.set(i, row.info.id, value)];
        self.row(page, row).ui(ui, page.euler, page.fields, page.out, &set);
    }
}

impl Selected<'_, Shape> {
    /// Draws the weight of the shape, with its name.
    pub(super) fn shape_ui(&self, ui: &mut Ui, page: &mut Page) {
        let row = self.row(page, SHAPE_WEIGHT);
        let name = self.skeleton.shape_name(self.indices[self.active]);
        let number = Number { label: &name, ..row.number.clone() };
        let weights = self.values(|shape| shape.weight);
        let set = |i: usize, weight: f32| vec![self.set(i, SHAPE_WEIGHT.info.id, weight)];
        mixed_scalar_row(ui, page.fields, &number, &weights, row.slider, page.out, &set);
    }
}

impl Selected<'_, Bone> {
    pub(super) fn parent(&self) -> String {
        let parent = |bone: &usize| parent_past_links(self.skeleton, *bone);
        let first = parent(&self.indices[0]);
        match first {
            _ if self.indices.iter().any(|bone| parent(bone) != first) => MIXED.into(),
            Some(parent) => self.skeleton.bone_name(parent),
            None => "None, starts at the base".into(),
        }
    }
}
