//! What lies over, above and below the view: bars, banners, legends, captions and names.

pub mod axis_gizmo;
pub mod banner;
pub mod bone_names;
pub mod camera_frame;
pub mod compare_view;
pub mod empty_view;
pub mod fitting;
pub mod gizmo_bar;
pub mod hover;
pub(super) mod next_step;
pub mod onion;
pub(super) mod pose_hover;
pub(super) mod strip;
pub mod unkeyed_banner;
pub mod view_bar;
pub mod weights_view;
