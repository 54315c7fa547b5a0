//! Rows of lights. For their members, see docs/js3d.md, section 5.5.

use super::resources::resource;
use super::{Property, Resource};
use crate::extra::Extra;
use crate::rig::property::{member, variant_member};
use crate::scene::names::Kind;
use crate::scene::resource::{DeltaLight, DeltaLightKind, EnvLight, EnvLightKind};

type D = Property<DeltaLight>;
#[rustfmt::skip]
const DELTA: &[D] = &[
    D::kind("Point: shines from a point in all directions. Directional: along local y, from infinitely far away. Spot: from a point, in a cone around local y.", delta_type, set_delta_type, &["Point", "Directional", "Spot"]),
    D::color(["color", "Colour", "Colour of the light."], member!(color)).keyable(),
    D::float(["intensity", "Intensity", "Brightness of the light."], member!(intensity)).not_negative().keyable(),
    D::float(["inner_angle", "Inner angle", "Full angle of the cone that is fully lit."], variant_member!(DeltaLightKind::Spot { inner_angle, .. } => inner_angle)).within(0.0, 360.0).slider(0.0, 180.0).unit("°").keyable(),
    D::float(["outer_angle", "Outer angle", "Full angle of the cone outside which nothing is lit."], variant_member!(DeltaLightKind::Spot { outer_angle, .. } => outer_angle)).within(0.0, 360.0).slider(0.0, 180.0).unit("°").keyable(),
];

fn delta_type(light: &DeltaLight) -> &'static str {
    match light.kind {
        DeltaLightKind::Point => "Point",
        DeltaLightKind::Directional => "Directional",
        DeltaLightKind::Spot { .. } => "Spot",
    }
}

fn set_delta_type(light: &mut DeltaLight, name: &str) {
    light.kind = match name {
        "Directional" => DeltaLightKind::Directional,
        "Spot" => DeltaLightKind::SPOT,
        _ => DeltaLightKind::Point,
    };
}

type E = Property<EnvLight>;
#[rustfmt::skip]
const ENV: &[E] = &[
    E::kind("Hemisphere: light from the half towards local y. Sphere: from all directions.", env_type, set_env_type, &["Hemisphere", "Sphere"]),
    E::float(["intensity", "Intensity", "Brightness of the light."], member!(intensity)).not_negative(),
    E::reference(["radiance", "Radiance", "The texture of the light from each direction."], member!(radiance), Kind::Texture),
];

fn env_type(light: &EnvLight) -> &'static str {
    match light.kind {
        EnvLightKind::Hemisphere => "Hemisphere",
        EnvLightKind::Sphere => "Sphere",
    }
}

fn set_env_type(light: &mut EnvLight, name: &str) {
    light.kind = match name {
        "Sphere" => EnvLightKind::Sphere,
        _ => EnvLightKind::Hemisphere,
    };
}

resource!(DeltaLight, DELTA);
resource!(EnvLight, ENV);
