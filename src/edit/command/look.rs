//! The command on how an instance's surface is drawn.

use super::CommandError;
use super::things::there;
use crate::scene::Scene;
use crate::scene::instance::{
    BLEND_STYLES, DEPTH_STYLES, DRAW_STYLES, GeometrySettings, InstanceKind, InstanceRef,
};
use crate::scene::names::Thing;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A member of [`GeometrySettings`] with one of the values that the format knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    Draw(String),
    Blend(String),
    Depth(String),
}

impl Style {
    /// The value, and the member that it belongs to.
    fn put<'s>(
        &'s self,
        settings: &'s mut GeometrySettings,
    ) -> (&'s String, &'s mut String, &'static [&'static str]) {
        match self {
            Style::Draw(style) => (style, &mut settings.draw_style, &DRAW_STYLES),
            Style::Blend(style) => (style, &mut settings.blend_style, &BLEND_STYLES),
            Style::Depth(style) => (style, &mut settings.depth_style, &DEPTH_STYLES),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Style::Draw(name) | Style::Blend(name) | Style::Depth(name) => name,
        }
    }
}

pub fn set_style(scene: &mut Scene, instance: &InstanceRef, style: &Style) -> Result<(), CommandError> {
    there(scene, &Thing::from(instance))?;
    let table = match instance.kind {
        InstanceKind::Mesh => &mut scene.instances.meshes,
        InstanceKind::SkinnedMesh => &mut scene.instances.skinned_meshes,
        InstanceKind::Shape => &mut scene.instances.shapes,
        _ => {
            return Err(CommandError::Value {
                what: "what is drawn in a style",
                rule: "a mesh, a skinned mesh or a shape",
            });
        }
    };
    let Some(slot) = table.get_mut(&instance.name) else {
        return Ok(());
    };
    let mut changed = (**slot).clone();
    let (wanted, member, known) = style.put(&mut changed.settings);
    if !known.contains(&wanted.as_str()) {
        return Err(CommandError::Value {
            what: "the style",
            rule: "one of those that the format knows",
        });
    }
    if member != wanted {
        member.clone_from(wanted);
        *slot = Arc::new(changed);
    }
    Ok(())
}
