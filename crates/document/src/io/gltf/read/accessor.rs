//! Reads numbers of accessors into plain arrays, and resolves strides, sparse elements and normalised
//! integers.

use super::super::schema::{Accessor, ComponentType, Index};
use super::source::Source;
use super::{check, refuse};
use crate::io::count::grouped;
use crate::io::file::ReadError;
use crate::io::limits::GLTF_NUMBERS;
use glam::{DAffine3, DMat4, Vec2, Vec3};

impl Source<'_> {
    /// Returns all numbers of an accessor, element by element. Integers are converted, or normalised.
    ///
    /// # Errors
    /// If there are too many numbers in all.
    pub fn floats(&self, accessor: Index) -> Result<Vec<f32>, ReadError> {
        let normalized = self.document.accessors[accessor].normalized == Some(true);
        self.numbers(accessor, |bytes, component| float(bytes, component, normalized))
    }

    /// Returns all numbers like [`Source::floats`], and refuses infinity and NaN.
    pub fn finite(&self, accessor: Index) -> Result<Vec<f32>, ReadError> {
        let floats = self.floats(accessor)?;
        match floats.iter().position(|number| !number.is_finite()) {
            None => Ok(floats),
            Some(index) => {
                let element = index / self.document.accessors[accessor].kind.components();
                let problem = format!("element {element} of the accessor is not finite");
                Err(refuse(format!("/accessors/{accessor}"), problem))
            }
        }
    }

    /// Returns unsigned integers.
    pub fn integers(&self, accessor: Index) -> Result<Vec<u32>, ReadError> {
        self.numbers(accessor, |bytes, component| match component {
            ComponentType::UnsignedByte => u32::from(bytes[0]),
            ComponentType::UnsignedShort => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        })
    }

    pub fn vec2s(&self, accessor: Index) -> Result<Vec<Vec2>, ReadError> {
        let floats = self.floats(accessor)?;
        Ok(floats.chunks_exact(2).map(Vec2::from_slice).collect())
    }

    pub fn vec3s(&self, accessor: Index, finite: bool) -> Result<Vec<Vec3>, ReadError> {
        let floats = match finite {
            true => self.finite(accessor),
            false => self.floats(accessor),
        }?;
        Ok(floats.chunks_exact(3).map(Vec3::from_slice).collect())
    }

    /// Returns affine matrices.
    pub fn matrices(&self, accessor: Index) -> Result<Vec<DAffine3>, ReadError> {
        let floats = self.finite(accessor)?;
        let matrices = floats.chunks_exact(16).map(|numbers| {
            let numbers: [f64; 16] = std::array::from_fn(|i| f64::from(numbers[i]));
            DAffine3::from_mat4(DMat4::from_cols_array(&numbers))
        });
        Ok(matrices.collect())
    }

    fn numbers<T: Copy + Default>(
        &self,
        index: Index,
        convert: impl Fn(&[u8], ComponentType) -> T,
    ) -> Result<Vec<T>, ReadError> {
        let accessor = &self.document.accessors[index];
        let (component, width) = (accessor.component_type, accessor.kind.components());
        let total = accessor.count.checked_mul(width);
        let remaining = total.and_then(|total| self.numbers_left.get().checked_sub(total));
        let (Some(total), Some(remaining)) = (total, remaining) else {
            let problem = format!(
                "the accessors hold more than {} numbers, the most for a file of {} bytes",
                grouped(GLTF_NUMBERS.limit(self.size)),
                grouped(self.size)
            );
            return Err(refuse(format!("/accessors/{index}"), problem));
        };
        self.numbers_left.set(remaining);
        let mut out = vec![T::default(); total];
        let size = component.size() * width;
        let mut write_element = |element: usize, bytes: &[u8]| {
            let slots = out[element * width..][..width].iter_mut();
            for (slot, bytes) in slots.zip(bytes.chunks_exact(component.size())) {
                *slot = convert(bytes, component);
            }
        };
        if let Some(view) = accessor.buffer_view {
            let bytes = self.view(view, accessor.byte_offset);
            let stride = check::stride(&self.document, accessor);
            (0..accessor.count)
                .for_each(|element| write_element(element, &bytes[element * stride..][..size]));
        }
        if let Some(sparse) = &accessor.sparse {
            let elements = self.sparse_indices(accessor, index)?;
            let bytes = self.view(sparse.values.buffer_view, sparse.values.byte_offset);
            elements
                .iter()
                .zip(bytes.chunks_exact(size))
                .for_each(|(element, bytes)| write_element(*element, bytes));
        }
        Ok(out)
    }

    /// Returns the indices of the sparse elements, ascending.
    fn sparse_indices(&self, accessor: &Accessor, index: Index) -> Result<Vec<usize>, ReadError> {
        let Some(sparse) = &accessor.sparse else {
            return Ok(Vec::new());
        };
        let indices = &sparse.indices;
        let bytes = self.view(indices.buffer_view, indices.byte_offset);
        let width = indices.component_type.size();
        let number =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
        let elements: Vec<usize> = bytes.chunks_exact(width).take(sparse.count).map(number).collect();
        let is_ascending = elements.windows(2).all(|pair| pair[0] < pair[1]);
        if is_ascending && elements.last().is_none_or(|last| *last < accessor.count) {
            Ok(elements)
        } else {
            let problem = "the sparse indices do not ascend within the accessor";
            Err(refuse(format!("/accessors/{index}/sparse"), problem))
        }
    }

    /// Returns the bytes of a view from an offset.
    pub fn view(&self, view: Index, offset: Option<usize>) -> &[u8] {
        let view = &self.document.buffer_views[view];
        let start = view.byte_offset.unwrap_or(0);
        &self.buffers[view.buffer][start..start + view.byte_length][offset.unwrap_or(0)..]
    }
}

fn float(bytes: &[u8], component: ComponentType, normalized: bool) -> f32 {
    let (value, max) = match component {
        ComponentType::Byte => (f32::from(bytes[0] as i8), 127.0),
        ComponentType::UnsignedByte => (f32::from(bytes[0]), 255.0),
        ComponentType::Short => (f32::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
        ComponentType::UnsignedShort => (f32::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
        ComponentType::UnsignedInt => {
            (u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as f32, 1.0)
        }
        ComponentType::Float => (f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]), 1.0),
    };
    if normalized { (value / max).max(-1.0) } else { value }
}
