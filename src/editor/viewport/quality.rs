//! How smoothly the view is drawn. A graphics card smooths edges at no cost; a processor that has to do its
//! work would draw half as many frames.

use super::cameras::DrawTarget;
use crate::edit::settings::options::Drawing;
use crate::editor::state::{Panels, Settings};
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use wgpu::DeviceType;

/// Sets the smoothing of all cameras, which share one picture.
pub fn follow(
    settings: Res<Settings>,
    adapter: Option<Res<RenderAdapterInfo>>,
    target: Res<DrawTarget>,
    mut panels: ResMut<Panels>,
    mut cameras: Query<&mut Msaa>,
) {
    let fast = match settings.options.drawing {
        Drawing::Smooth => false,
        Drawing::Fast => true,
        // Pictures are not in a hurry.
        Drawing::Automatic => {
            let is_software = adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu);
            is_software && target.0.is_none()
        }
    };
    let wanted = if fast { Msaa::Off } else { Msaa::Sample4 };
    for mut msaa in &mut cameras {
        msaa.set_if_neq(wanted);
    }
    if panels.fast_drawing != fast {
        panels.fast_drawing = fast;
    }
}
