//! The binary data of a file, with the accessors and views that describe it. Every accessor has its own view;
//! views begin at multiples of four.

use super::super::schema::{Accessor, BufferView, ComponentType, Index, Kind};
use super::error::{ExportError, all_finite};
use bytemuck::Pod;
use glam::{Mat4, Vec2, Vec3, Vec4};
use std::collections::HashMap;

// Buffers are little-endian, and numbers are copied from memory.
const _: () = assert!(cfg!(target_endian = "little"));

/// The targets of views, as OpenGL constants.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

#[derive(Default)]
pub struct Binary {
    pub bytes: Vec<u8>,
    pub views: Vec<BufferView>,
    pub accessors: Vec<Accessor>,
    /// Accessors of lists of times, by their bits.
    times: HashMap<Vec<u32>, Index>,
    /// The absolute value of the largest number; infinite if one is not finite.
    pub largest: f32,
}

/// An element of an accessor.
pub trait Element: Pod {
    const COMPONENT: ComponentType;
    const KIND: Kind;
}

macro_rules! elements {
    ($($type:ty: $component:ident, $kind:ident;)*) => {$(
        impl Element for $type {
            const COMPONENT: ComponentType = ComponentType::$component;
            const KIND: Kind = Kind::$kind;
        }
    )*};
}
elements! {
    f32: Float, Scalar;
    Vec2: Float, Vec2;
    Vec3: Float, Vec3;
    Vec4: Float, Vec4;
    Mat4: Float, Mat4;
    u16: UnsignedShort, Scalar;
    u32: UnsignedInt, Scalar;
    [u8; 4]: UnsignedByte, Vec4;
    [u16; 4]: UnsignedShort, Vec4;
}

impl Binary {
    /// Adds bytes with a new view.
    pub fn add_view(&mut self, bytes: &[u8], target: Option<u32>) -> Index {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(BufferView {
            byte_offset: Some(self.bytes.len()),
            byte_length: bytes.len(),
            target,
            ..BufferView::default()
        });
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    /// Adds values of an animation or a skin.
    pub fn add_values<T: Element>(&mut self, values: &[T]) -> Index {
        self.add_accessor(values, None)
    }

    /// Adds a vertex attribute.
    pub fn add_attribute<T: Element>(&mut self, values: &[T]) -> Index {
        self.add_accessor(values, Some(VERTICES))
    }

    /// Adds positions of vertices, with their bounds.
    pub fn add_positions(&mut self, positions: &[Vec3]) -> Index {
        let index = self.add_attribute(positions);
        let bound = |combine: fn(Vec3, Vec3) -> Vec3| {
            let bound = positions.iter().copied().reduce(combine).unwrap_or_default();
            bound.as_dvec3().to_array().to_vec()
        };
        let accessor = &mut self.accessors[index];
        (accessor.min, accessor.max) = (bound(Vec3::min), bound(Vec3::max));
        index
    }

    /// Adds indices into `vertices` vertices, in the smallest possible type, in which 65,535 is not allowed
    /// as an index.
    pub fn add_indices(&mut self, indices: &[u32], vertices: usize) -> Index {
        if vertices <= usize::from(u16::MAX) {
            let short: Vec<u16> = indices.iter().map(|&index| index as u16).collect();
            self.add_accessor(&short, Some(INDICES))
        } else {
            self.add_accessor(indices, Some(INDICES))
        }
    }

    /// Adds ascending key times in seconds; equal lists are written once.
    pub fn add_times(&mut self, times: &[f32]) -> Index {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&index) = self.times.get(&bits) {
            return index;
        }
        let index = self.add_values(times);
        let bound = |time: Option<&f32>| time.map(|&time| f64::from(time)).into_iter().collect();
        let accessor = &mut self.accessors[index];
        (accessor.min, accessor.max) = (bound(times.first()), bound(times.last()));
        self.times.insert(bits, index);
        index
    }

    /// Checks that all numbers so far are finite; `place` describes those since the last check, for the error.
    ///
    /// # Errors
    /// [`ExportError::NotFinite`].
    pub fn check_finite(&self, place: impl FnOnce() -> String) -> Result<(), ExportError> {
        all_finite(self.largest.is_finite(), place)
    }

    fn add_accessor<T: Element>(&mut self, values: &[T], target: Option<u32>) -> Index {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        if T::COMPONENT == ComponentType::Float {
            let numbers = bytes.chunks_exact(4).map(|n| f32::from_le_bytes([n[0], n[1], n[2], n[3]]));
            let sizes = numbers.map(|n| if n.is_nan() { f32::INFINITY } else { n.abs() });
            self.largest = sizes.fold(self.largest, f32::max);
        }
        let view = self.add_view(bytes, target);
        self.accessors.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            component_type: T::COMPONENT,
            normalized: None,
            count: values.len(),
            kind: T::KIND,
            max: Vec::new(),
            min: Vec::new(),
            sparse: None,
        });
        self.accessors.len() - 1
    }
}
