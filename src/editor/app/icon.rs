//! Sets the icon of the window. Where the desktop takes icons from desktop entries (Wayland, macOS), this
//! does nothing; `assets/ossature.desktop` is for them.

use bevy::ecs::system::NonSendMarker;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy::winit::WINIT_WINDOWS;
use winit::window::Icon;

const PNG: &[u8] = include_bytes!("../../../assets/icon/ossature.png");

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_icon);
}

/// Sets the icon, on the main thread as window systems require.
fn set_icon(_main_thread: NonSendMarker, window: Option<Single<Entity, With<PrimaryWindow>>>) {
    let Some((window, icon)) = window.zip(decode_icon()) else {
        return;
    };
    WINIT_WINDOWS.with_borrow(|windows| {
        if let Some(window) = windows.get_window(*window) {
            window.set_window_icon(Some(icon));
        }
    });
}

fn decode_icon() -> Option<Icon> {
    let rgba = image::load_from_memory(PNG).ok()?.into_rgba8();
    let (width, height) = rgba.dimensions();
    Icon::from_rgba(rgba.into_raw(), width, height).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_picture_is_an_icon() {
        assert!(super::decode_icon().is_some());
    }
}
