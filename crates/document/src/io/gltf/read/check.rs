//! Checks the consistency of a document: every index refers to an existing item, views are within buffers and
//! accessors within views. Later code relies on these checks.

use super::super::schema::{Accessor, ComponentType, Document, Index, Kind, TextureInfo};
use super::refuse;
use super::source::Source;
use crate::io::file::ReadError;
use std::collections::HashSet;

type Result<T = ()> = std::result::Result<T, ReadError>;

/// Checks the whole document once.
pub fn check(source: &Source) -> Result {
    let document = &source.document;
    buffers(document)?;
    for (i, accessor) in document.accessors.iter().enumerate() {
        let pointer = format!("/accessors/{i}");
        check_accessor(document, accessor, &pointer).map_err(|problem| refuse(&pointer, problem))?;
    }
    nodes(document)?;
    meshes(document)?;
    skins(document)?;
    animations(document)?;
    materials(document)
}

fn index(pointer: impl Fn() -> String, kind: &str, index: Index, count: usize) -> Result {
    if index < count {
        Ok(())
    } else {
        Err(refuse(pointer(), format!("it names {kind} {index}, but there are {count}")))
    }
}

fn buffers(document: &Document) -> Result {
    for (i, view) in document.buffer_views.iter().enumerate() {
        let pointer = || format!("/bufferViews/{i}");
        index(pointer, "buffer", view.buffer, document.buffers.len())?;
        let end = view.byte_offset.unwrap_or(0).checked_add(view.byte_length);
        let length = document.buffers[view.buffer].byte_length;
        if end.is_none_or(|end| end > length) {
            let problem = format!("the view does not lie within its buffer of {length} bytes");
            return Err(refuse(pointer(), problem));
        }
        if view.byte_length == 0 {
            return Err(refuse(pointer(), "the view holds no bytes"));
        }
        if view.byte_stride.is_some_and(|stride| !(4..=252).contains(&stride) || stride % 4 != 0) {
            return Err(refuse(pointer(), "the stride is not a multiple of 4 from 4 to 252"));
        }
    }
    for (i, image) in document.images.iter().enumerate() {
        let pointer = || format!("/images/{i}");
        if let Some(view) = image.buffer_view {
            index(pointer, "buffer view", view, document.buffer_views.len())?;
        }
        if image.buffer_view.is_some() == image.uri.is_some() {
            return Err(refuse(pointer(), "an image has either a uri or a buffer view"));
        }
    }
    Ok(())
}

/// Returns the number of bytes from one element to the next in a view.
pub fn stride(document: &Document, accessor: &Accessor) -> usize {
    let size = accessor.component_type.size() * accessor.kind.components();
    let view = accessor.buffer_view.and_then(|view| document.buffer_views.get(view));
    view.and_then(|view| view.byte_stride).unwrap_or(size)
}

/// Checks that an accessor is within its views.
fn check_accessor(
    document: &Document,
    accessor: &Accessor,
    pointer: &str,
) -> std::result::Result<(), String> {
    if accessor.count == 0 {
        return Err("it has no elements".into());
    }
    let component = accessor.component_type.size();
    let size = component * accessor.kind.components();
    let check_range =
        |view: Index, offset: usize, stride: usize, count: usize, size: usize, component: usize| {
            let Some(view) = document.buffer_views.get(view) else {
                return Err(format!("it names buffer view {view}, which is not there"));
            };
            let last = (count - 1).checked_mul(stride).and_then(|last| last.checked_add(size));
            let end = last.and_then(|last| last.checked_add(offset));
            if end.is_none_or(|end| end > view.byte_length) {
                return Err(format!(
                    "its {count} elements do not lie within its view of {} bytes",
                    view.byte_length
                ));
            }
            match (offset + view.byte_offset.unwrap_or(0)) % component {
                0 => Ok(()),
                _ => Err(format!("it does not begin at a multiple of {component} bytes")),
            }
        };
    if let Some(view) = accessor.buffer_view {
        let stride = stride(document, accessor);
        if stride < size {
            return Err(format!("its elements of {size} bytes do not fit the stride of {stride}"));
        }
        check_range(view, accessor.byte_offset.unwrap_or(0), stride, accessor.count, size, component)?;
    }
    if let Some(sparse) = &accessor.sparse {
        if sparse.count == 0 || sparse.count > accessor.count {
            return Err(format!("{} of {} elements cannot differ", sparse.count, accessor.count));
        }
        let (indices, values) = (&sparse.indices, &sparse.values);
        let width = indices.component_type.size();
        if !is_unsigned(indices.component_type) {
            return Err("sparse indices are unsigned integers".into());
        }
        check_range(indices.buffer_view, indices.byte_offset.unwrap_or(0), width, sparse.count, width, width)
            .map_err(|problem| format!("{problem} ({pointer}/sparse/indices)"))?;
        check_range(values.buffer_view, values.byte_offset.unwrap_or(0), size, sparse.count, size, component)
            .map_err(|problem| format!("{problem} ({pointer}/sparse/values)"))?;
    }
    if accessor.normalized == Some(true)
        && matches!(accessor.component_type, ComponentType::Float | ComponentType::UnsignedInt)
    {
        return Err("only bytes and shorts are normalized".into());
    }
    let components = accessor.kind.components();
    for bounds in [&accessor.min, &accessor.max] {
        if !bounds.is_empty() && bounds.len() != components {
            return Err(format!("its bounds have {} numbers instead of {components}", bounds.len()));
        }
    }
    Ok(())
}

pub fn is_unsigned(component: ComponentType) -> bool {
    use ComponentType::{UnsignedByte, UnsignedInt, UnsignedShort};
    matches!(component, UnsignedByte | UnsignedShort | UnsignedInt)
}

fn nodes(document: &Document) -> Result {
    let count = document.nodes.len();
    for (i, node) in document.nodes.iter().enumerate() {
        let pointer = || format!("/nodes/{i}");
        let named = [
            ("mesh", node.mesh, document.meshes.len()),
            ("skin", node.skin, document.skins.len()),
            ("camera", node.camera, document.cameras.len()),
        ];
        for (kind, named, count) in named {
            named.map_or(Ok(()), |named| index(pointer, kind, named, count))?;
        }
        node.children.iter().try_for_each(|child| index(pointer, "node", *child, count))?;
        let lights = document.extensions.as_ref().and_then(|extensions| extensions.lights_punctual.as_ref());
        if let Some(light) =
            node.extensions.as_ref().and_then(|extensions| extensions.lights_punctual.as_ref())
        {
            index(pointer, "light", light.light, lights.map_or(0, |lights| lights.lights.len()))?;
        }
        if node.skin.is_some() && node.mesh.is_none() {
            return Err(refuse(pointer(), "a node with a skin has no mesh"));
        }
        if node.matrix.is_some()
            && (node.translation.is_some() || node.rotation.is_some() || node.scale.is_some())
        {
            return Err(refuse(
                pointer(),
                "a node has a matrix in addition to translation, rotation or scale",
            ));
        }
        if node.rotation.is_some_and(|rotation| (rotation.length() - 1.0).abs() > 0.1) {
            return Err(refuse(pointer(), "the rotation of a node is not of unit length"));
        }
        if node.matrix.is_some_and(|m| (m.row(3) - glam::DVec4::W).abs().max_element() > 1e-6) {
            return Err(refuse(pointer(), "the last row of a matrix is not 0, 0, 0, 1"));
        }
    }
    for (i, scene) in document.scenes.iter().enumerate() {
        let pointer = || format!("/scenes/{i}");
        scene.nodes.iter().try_for_each(|node| index(pointer, "node", *node, count))?;
    }
    document.scene.map_or(Ok(()), |scene| index(|| "/scene".into(), "scene", scene, document.scenes.len()))
}

/// Whether an attribute has an allowed kind and component type.
fn is_valid_attribute(name: &str, accessor: &Accessor) -> bool {
    use ComponentType::{Byte, Float, Short, UnsignedByte, UnsignedShort};
    let normalized = accessor.normalized == Some(true);
    let unsigned = matches!(accessor.component_type, UnsignedByte | UnsignedShort);
    let quantized = matches!(accessor.component_type, Byte | UnsignedByte | Short | UnsignedShort);
    let set = |prefix: &str| name.strip_prefix(prefix).is_some_and(|n| n.parse::<u8>().is_ok());
    match name {
        "POSITION" => accessor.kind == Kind::Vec3 && (accessor.component_type == Float || quantized),
        "NORMAL" => {
            accessor.kind == Kind::Vec3 && (accessor.component_type == Float || quantized && normalized)
        }
        _ if set("TEXCOORD_") => {
            accessor.kind == Kind::Vec2 && (accessor.component_type == Float || quantized)
        }
        _ if set("JOINTS_") => accessor.kind == Kind::Vec4 && unsigned && !normalized,
        _ if set("WEIGHTS_") => {
            accessor.kind == Kind::Vec4 && (accessor.component_type == Float || unsigned && normalized)
        }
        _ => true,
    }
}

fn meshes(document: &Document) -> Result {
    let count = document.accessors.len();
    for (i, mesh) in document.meshes.iter().enumerate() {
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            let pointer = || format!("/meshes/{i}/primitives/{j}");
            let mut vertices = None;
            for (name, accessor) in &primitive.attributes {
                index(pointer, "accessor", *accessor, count)?;
                let accessor = &document.accessors[*accessor];
                if !is_valid_attribute(name, accessor) {
                    let name = super::shorten(name);
                    return Err(refuse(
                        pointer(),
                        format!("{name} has a component type that is not allowed"),
                    ));
                }
                if *vertices.get_or_insert(accessor.count) != accessor.count {
                    return Err(refuse(pointer(), "the attributes have different numbers of elements"));
                }
            }
            for target in &primitive.targets {
                for (name, accessor) in target {
                    index(pointer, "accessor", *accessor, count)?;
                    let accessor = &document.accessors[*accessor];
                    if vertices != Some(accessor.count) || name == "POSITION" && accessor.kind != Kind::Vec3 {
                        return Err(refuse(pointer(), "a morph target does not fit its primitive"));
                    }
                }
            }
            if let Some(indices) = primitive.indices {
                index(pointer, "accessor", indices, count)?;
                let accessor = &document.accessors[indices];
                if accessor.kind != Kind::Scalar || !is_unsigned(accessor.component_type) {
                    return Err(refuse(pointer(), "indices are unsigned integers"));
                }
            }
            let materials = document.materials.len();
            primitive.material.map_or(Ok(()), |material| index(pointer, "material", material, materials))?;
            if primitive.mode.is_some_and(|mode| mode > 6) {
                return Err(refuse(pointer(), "there is no such mode"));
            }
        }
        if mesh.primitives.is_empty() {
            return Err(refuse(format!("/meshes/{i}"), "a mesh has no primitives"));
        }
    }
    Ok(())
}

fn skins(document: &Document) -> Result {
    let count = document.nodes.len();
    for (i, skin) in document.skins.iter().enumerate() {
        let pointer = || format!("/skins/{i}");
        let nodes = skin.joints.iter().chain(&skin.skeleton);
        nodes.into_iter().try_for_each(|node| index(pointer, "node", *node, count))?;
        let mut joints = HashSet::new();
        if !skin.joints.iter().all(|joint| joints.insert(joint)) {
            return Err(refuse(pointer(), "a joint is named twice"));
        }
        if skin.joints.is_empty() || skin.joints.len() > usize::from(u16::MAX) {
            return Err(refuse(pointer(), format!("a skin cannot have {} joints", skin.joints.len())));
        }
        if let Some(matrices) = skin.inverse_bind_matrices {
            index(pointer, "accessor", matrices, document.accessors.len())?;
            let accessor = &document.accessors[matrices];
            if accessor.kind != Kind::Mat4 || accessor.component_type != ComponentType::Float {
                return Err(refuse(pointer(), "inverse bind matrices are matrices of floats"));
            }
            if accessor.count < skin.joints.len() {
                let problem =
                    format!("{} joints have {} inverse bind matrices", skin.joints.len(), accessor.count);
                return Err(refuse(pointer(), problem));
            }
        }
    }
    Ok(())
}

fn animations(document: &Document) -> Result {
    let count = document.accessors.len();
    for (i, animation) in document.animations.iter().enumerate() {
        for (j, sampler) in animation.samplers.iter().enumerate() {
            let pointer = || format!("/animations/{i}/samplers/{j}");
            index(pointer, "accessor", sampler.input, count)?;
            index(pointer, "accessor", sampler.output, count)?;
            let input = &document.accessors[sampler.input];
            if input.kind != Kind::Scalar || input.component_type != ComponentType::Float {
                return Err(refuse(pointer(), "times are single floats"));
            }
        }
        for (j, channel) in animation.channels.iter().enumerate() {
            let pointer = || format!("/animations/{i}/channels/{j}");
            index(pointer, "sampler", channel.sampler, animation.samplers.len())?;
            channel.target.node.map_or(Ok(()), |node| index(pointer, "node", node, document.nodes.len()))?;
        }
    }
    Ok(())
}

fn materials(document: &Document) -> Result {
    for (i, texture) in document.textures.iter().enumerate() {
        let pointer = || format!("/textures/{i}");
        let named = [
            ("image", texture.source, document.images.len()),
            ("sampler", texture.sampler, document.samplers.len()),
        ];
        for (kind, named, count) in named {
            named.map_or(Ok(()), |named| index(pointer, kind, named, count))?;
        }
    }
    for (i, material) in document.materials.iter().enumerate() {
        let pointer = || format!("/materials/{i}");
        let pbr = material.pbr_metallic_roughness.as_ref();
        let infos: [Option<&TextureInfo>; 5] = [
            material.normal_texture.as_ref(),
            material.occlusion_texture.as_ref(),
            material.emissive_texture.as_ref(),
            pbr.and_then(|pbr| pbr.base_color_texture.as_ref()),
            pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref()),
        ];
        let mut infos = infos.into_iter().flatten();
        infos.try_for_each(|info| index(pointer, "texture", info.index, document.textures.len()))?;
    }
    Ok(())
}
