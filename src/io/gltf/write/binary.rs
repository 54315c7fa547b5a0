//! The bytes of a file, and the accessors and views that say what lies where. Every accessor has a view of its own;
//! views begin at multiples of four.

use super::super::schema::{Accessor, BufferView, ComponentType, Index, Kind};
use bytemuck::Pod;
use glam::{Mat4, Vec2, Vec3, Vec4};
use std::collections::HashMap;

// Buffers are little-endian, and numbers are copied as they lie in memory.
const _: () = assert!(cfg!(target_endian = "little"));

/// What a view is used for, as numbers of OpenGL.
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

#[derive(Default)]
pub struct Binary {
    pub bytes: Vec<u8>,
    pub views: Vec<BufferView>,
    pub accessors: Vec<Accessor>,
    /// Accessors of lists of times by their bits.
    times: HashMap<Vec<u32>, Index>,
}

/// What accessors hold.
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
    /// A view of its own for bytes.
    pub fn view(&mut self, bytes: &[u8], target: Option<u32>) -> Index {
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

    /// Values of an animation or a skin.
    pub fn values<T: Element>(&mut self, values: &[T]) -> Index {
        self.accessor(values, None)
    }

    /// An attribute of vertices.
    pub fn attribute<T: Element>(&mut self, values: &[T]) -> Index {
        self.accessor(values, Some(VERTICES))
    }

    /// Positions of vertices: with their bounds.
    pub fn positions(&mut self, positions: &[Vec3]) -> Index {
        let index = self.attribute(positions);
        let bound = |of: fn(Vec3, Vec3) -> Vec3| {
            let bound = positions.iter().copied().reduce(of).unwrap_or_default();
            bound.as_dvec3().to_array().to_vec()
        };
        let accessor = &mut self.accessors[index];
        (accessor.min, accessor.max) = (bound(Vec3::min), bound(Vec3::max));
        index
    }

    /// Indices of fewer than so many vertices, in the smallest type for them; 65,535 is no index of that type.
    pub fn indices(&mut self, indices: &[u32], vertices: usize) -> Index {
        match vertices <= usize::from(u16::MAX) {
            true => {
                let short: Vec<u16> = indices.iter().map(|&index| index as u16).collect();
                self.accessor(&short, Some(INDICES))
            }
            false => self.accessor(indices, Some(INDICES)),
        }
    }

    /// Times of keys in seconds, rising; equal lists are written once.
    pub fn times(&mut self, times: &[f32]) -> Index {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&index) = self.times.get(&bits) {
            return index;
        }
        let index = self.values(times);
        let bound = |time: Option<&f32>| time.map(|&time| f64::from(time)).into_iter().collect();
        let accessor = &mut self.accessors[index];
        (accessor.min, accessor.max) = (bound(times.first()), bound(times.last()));
        self.times.insert(bits, index);
        index
    }

    fn accessor<T: Element>(&mut self, values: &[T], target: Option<u32>) -> Index {
        let view = self.view(bytemuck::cast_slice(values), target);
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
