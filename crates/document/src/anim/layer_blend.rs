//! How a layer changes a value, and the inverse: which value a layer needs for a wanted result, and what would have to be
//! below it.
//!
//! Rotations: R = R_below * L^w for an additive layer, where L^w turns about the axis of L by the share w of its angle; R =
//! R_below * (R_below^-1 * L)^w for one that overrides. Other numbers: v = below + w * l, and v = below + w * (l - below). Switches
//! are those of the layer from a weight of a half on. Euler angles are the solution nearest to that of below.

use super::layer::LayerKind;
use super::value::Value;
use crate::math::angles::{degrees, next_euler};
use crate::math::rotation::from_euler;
use glam::{DMat3, DQuat, Quat, Vec3};

/// Returns the value `below` as a layer changes it; `below` itself, bit for bit, if it changes nothing or is of another type.
/// `is_angles`: whether three numbers are Euler angles in degrees.
pub fn blend(kind: LayerKind, is_angles: bool, below: Value, layer: Value, weight: f32) -> Value {
    if weight == 0.0 || below.type_name() != layer.type_name() || is_neutral(kind, &below, &layer) {
        return below;
    }
    if matches!(kind, LayerKind::Override) && weight >= 1.0 {
        return layer;
    }
    match rotations(is_angles, below, layer) {
        Some([below_rotation, layer]) => {
            let turn = match kind {
                LayerKind::Additive => layer,
                LayerKind::Override => below_rotation.inverse() * layer,
            };
            to_value(below_rotation * power(turn, f64::from(weight)), below)
        }
        None => match (below, layer, kind) {
            (Value::Bool(_), ..) => {
                if weight >= 0.5 {
                    layer
                } else {
                    below
                }
            }
            (.., LayerKind::Additive) => below.combined(layer, |below, layer| below + weight * layer),
            (.., LayerKind::Override) => {
                below.combined(layer, |below, layer| below + weight * (layer - below))
            }
        },
    }
}

/// Returns the value of a layer for which [`blend`] gives `wanted`; `None` if no value does, as at a weight of 0. Euler angles are
/// the solution nearest to `near`.
pub fn layer_value(
    kind: LayerKind,
    is_angles: bool,
    below: Value,
    wanted: Value,
    weight: f32,
    near: Option<Value>,
) -> Option<Value> {
    if weight == 0.0 || below.type_name() != wanted.type_name() {
        return None;
    }
    let Some([below_rotation, wanted_rotation]) = rotations(is_angles, below, wanted) else {
        return match (wanted, kind) {
            (Value::Bool(switch), _) => (weight >= 0.5 || below == wanted).then_some(Value::Bool(switch)),
            (_, LayerKind::Additive) => {
                Some(wanted.combined(below, |wanted, below| (wanted - below) / weight))
            }
            (_, LayerKind::Override) => {
                Some(wanted.combined(below, |wanted, below| below + (wanted - below) / weight))
            }
        };
    };
    if matches!(kind, LayerKind::Override) && weight >= 1.0 {
        return Some(wanted);
    }
    let turn = below_rotation.inverse() * wanted_rotation;
    // A rotation of more than half a turn would be another one.
    let angle = angle(below_rotation, wanted_rotation) / f64::from(weight);
    let turn = (angle <= std::f64::consts::PI).then(|| power(turn, 1.0 / f64::from(weight)))?;
    Some(match kind {
        LayerKind::Additive => to_value(turn, near.or_else(|| neutral(below)).unwrap_or(below)),
        LayerKind::Override => to_value(below_rotation * turn, near.unwrap_or(wanted)),
    })
}

/// Returns the value below a layer for which [`blend`] gives `result`; `None` if none does, or every one.
pub fn below_value(
    kind: LayerKind,
    is_angles: bool,
    result: Value,
    layer: Value,
    weight: f32,
) -> Option<Value> {
    if weight == 0.0 || result.type_name() != layer.type_name() {
        return Some(result);
    }
    let rest = 1.0 - weight;
    if matches!(kind, LayerKind::Override) && rest <= 0.0 {
        return None;
    }
    if is_neutral(kind, &result, &layer) {
        return Some(result);
    }
    let Some([result_rotation, layer_rotation]) = rotations(is_angles, result, layer) else {
        return match (result, kind) {
            (Value::Bool(_), _) => (weight < 0.5).then_some(result),
            (_, LayerKind::Additive) => Some(result.combined(layer, |result, layer| result - weight * layer)),
            (_, LayerKind::Override) => {
                Some(result.combined(layer, |result, layer| layer + (result - layer) / rest))
            }
        };
    };
    Some(match kind {
        LayerKind::Additive => to_value(result_rotation * power(layer_rotation, -f64::from(weight)), result),
        LayerKind::Override => {
            let turn = layer_rotation.inverse() * result_rotation;
            let angle = angle(layer_rotation, result_rotation) / f64::from(rest);
            let turn = (angle <= std::f64::consts::PI).then(|| power(turn, 1.0 / f64::from(rest)))?;
            to_value(layer_rotation * turn, result)
        }
    })
}

/// Returns the value with which an additive layer changes nothing, of the type of another one; `None` for switches.
pub fn neutral(value: Value) -> Option<Value> {
    match value {
        Value::Bool(_) => None,
        Value::Quat(_) => Some(Value::Quat(Quat::IDENTITY)),
        number => Some(number.combined(number, |_, _| 0.0)),
    }
}

/// Whether two values differ no more than rounding lets them: a thousandth of a degree, or of a thousand.
pub fn is_near(is_angles: bool, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    if let Some([a, b]) = rotations(is_angles, a, b) {
        return angle(a, b) < 0.001f64.to_radians();
    }
    let near = |a: f32, b: f32| if (a - b).abs() <= 1e-5 * (1.0 + a.abs().max(b.abs())) { 0.0 } else { 1.0 };
    let differs = a.combined(b, near);
    a.type_name() == b.type_name() && !matches!(a, Value::Bool(_)) && neutral(a) == Some(differs)
}

fn is_neutral(kind: LayerKind, below: &Value, layer: &Value) -> bool {
    match kind {
        LayerKind::Additive => neutral(*layer) == Some(*layer),
        LayerKind::Override => below == layer,
    }
}

/// Returns both values as rotations; `None` if they are none.
fn rotations(is_angles: bool, a: Value, b: Value) -> Option<[DQuat; 2]> {
    let rotation = |value| match value {
        Value::Vec3(angles) if is_angles => {
            Some(DQuat::from_mat3(&from_euler(angles.as_dvec3().map(f64::to_radians))))
        }
        Value::Quat(rotation) => {
            let rotation = rotation.as_dquat();
            (rotation.length() > 0.0).then(|| rotation.normalize())
        }
        _ => None,
    };
    Some([rotation(a)?, rotation(b)?])
}

/// Returns the angle between two rotations, at most half a turn.
fn angle(a: DQuat, b: DQuat) -> f64 {
    power(a.inverse() * b, 1.0).to_scaled_axis().length()
}

/// Returns a rotation about the same axis by a share of the angle, which is at most half a turn.
fn power(rotation: DQuat, share: f64) -> DQuat {
    let shorter = if rotation.w < 0.0 { -rotation } else { rotation };
    DQuat::from_scaled_axis(shorter.to_scaled_axis() * share)
}

/// Returns a rotation as a value of the type of `near`, and of its Euler angles the nearest ones.
fn to_value(rotation: DQuat, near: Value) -> Value {
    match near {
        Value::Vec3(angles) => Value::Vec3(nearest(angles, rotation)),
        Value::Quat(near) => {
            let rotation = rotation.normalize().as_quat();
            Value::Quat(if rotation.dot(near) < 0.0 { -rotation } else { rotation })
        }
        other => other,
    }
}

fn nearest(near: Vec3, rotation: DQuat) -> Vec3 {
    let near = near.as_dvec3().map(f64::to_radians);
    degrees(next_euler(near, DMat3::from_quat(rotation.normalize())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn angles(x: f32, y: f32, z: f32) -> Value {
        Value::Vec3(Vec3::new(x, y, z))
    }

    fn degrees_between(a: Value, b: Value) -> f64 {
        let [a, b] = rotations(true, a, b).unwrap();
        angle(a, b).to_degrees()
    }

    /// Half of an additive turn of 40 about y, on a turn of 30 about z: Rz(30) Ry(20), which are these angles.
    #[test]
    fn an_additive_layer_turns_on_and_an_override_takes_over() {
        let (below, layer) = (angles(0.0, 0.0, 30.0), angles(0.0, 40.0, 0.0));
        let blended = blend(LayerKind::Additive, true, below, layer, 0.5);
        assert!(degrees_between(blended, angles(0.0, 20.0, 30.0)) < 1e-5, "{blended:?}");
        let about_z = blend(LayerKind::Override, true, below, angles(0.0, 0.0, 90.0), 0.25);
        assert!(degrees_between(about_z, angles(0.0, 0.0, 45.0)) < 1e-5, "{about_z:?}");
        // Positions are three numbers, no angles.
        let moved = blend(LayerKind::Additive, false, angles(1.0, 2.0, 3.0), angles(2.0, 0.0, 0.0), 0.5);
        assert_eq!(moved, angles(2.0, 2.0, 3.0));
    }

    #[test]
    fn nothing_changes_without_weight_or_turn() {
        // Angles that a conversion to a rotation and back would not leave as they are.
        let below = angles(400.0, 123.456, -777.7);
        let far = angles(10.0, 20.0, 30.0);
        for kind in LayerKind::ALL {
            assert_eq!(blend(kind, true, below, far, 0.0), below);
        }
        assert_eq!(blend(LayerKind::Additive, true, below, angles(0.0, 0.0, 0.0), 0.7), below);
        assert_eq!(blend(LayerKind::Override, true, below, far, 1.0), far);
        let other_type = Value::Float(1.0);
        assert_eq!(blend(LayerKind::Override, true, below, other_type, 1.0), below);
    }

    #[test]
    fn what_is_asked_of_a_layer_comes_out() {
        let mut random = Random::new(11);
        let mut triple = || {
            let mut number = || random.below(3001) as f32 * 0.1 - 150.0;
            angles(number(), number(), number())
        };
        for round in 0..2000 {
            let (below, wanted) = (triple(), triple());
            let kind = LayerKind::ALL[round % 2];
            let weight = [1.0, 0.5, 0.25][round % 3];
            for is_angles in [true, false] {
                let Some(layer) = layer_value(kind, is_angles, below, wanted, weight, None) else {
                    // The rest of more than half a turn.
                    assert!(is_angles && degrees_between(below, wanted) > 180.0 * f64::from(weight) - 1e-6);
                    continue;
                };
                let found = blend(kind, is_angles, below, layer, weight);
                if is_angles {
                    assert!(degrees_between(found, wanted) < 1e-4, "{below:?} to {wanted:?}: {found:?}");
                }
                assert!(is_near(is_angles, found, wanted), "{found:?} is not {wanted:?}");
                let under = below_value(kind, is_angles, found, layer, weight);
                if weight < 1.0 || matches!(kind, LayerKind::Additive) {
                    let Some(under) = under else {
                        // What is left below an override may be more than half a turn away.
                        assert!(is_angles && matches!(kind, LayerKind::Override));
                        continue;
                    };
                    // Numbers up to 150, less a difference that counts up to four times.
                    let difference = under.combined(below, |a, b| (a - b).abs());
                    let is_close = Vec3::try_from(difference).is_ok_and(|d| d.max_element() < 1e-3);
                    let is_same = if is_angles { is_near(true, under, below) } else { is_close };
                    assert!(is_same, "{under:?} is not {below:?}");
                } else {
                    assert_eq!(under, None);
                }
            }
        }
        assert_eq!(layer_value(LayerKind::Additive, true, triple(), triple(), 0.0, None), None);
    }

    #[test]
    fn values_are_near_or_not() {
        assert!(is_near(true, angles(180.0, 0.0, 0.0), angles(-180.0, 0.0, 0.0)));
        assert!(!is_near(true, angles(0.0, 0.0, 0.0), angles(0.01, 0.0, 0.0)));
        assert!(!is_near(false, angles(0.0, 0.0, 0.0), angles(0.01, 0.0, 0.0)));
        assert!(!is_near(false, Value::Bool(true), Value::Bool(false)));
        assert!(!is_near(false, Value::Float(0.0), Value::Bool(false)));
    }
}
