//! The walk: the pose at a phase of the cycle. Phase 0: the left heel strikes; 0.5: the right.
//!
//! Units of the human: 5.6 high, hips at 2.9, feet on y = 0, facing +z. Angles in degrees; a turn about +x
//! tips things forwards (toes down), about +y to the left, about +z to the right side up.

use super::body::Body;
use glam::{DMat3, DVec3};
use std::error::Error;
use std::f64::consts::{PI, TAU};

/// The distance that the ground moves backwards in a cycle.
pub const STRIDE: f64 = 3.5;
/// Phases of a foot: heel strike at 0, flat, heel off, toe off; then it swings.
const FLAT: f64 = 0.10;
const HEEL_OFF: f64 = 0.38;
const TOE_OFF: f64 = 0.62;
/// The phase at which the standing leg is upright.
const UPRIGHT: f64 = 0.27;
/// Pitch of the foot at heel strike (toes up) and at toe off.
const STRIKE_DEG: f64 = -20.0;
const PUSH_DEG: f64 = 56.0;
/// The distance of the ankles from the middle.
const TRACK: f64 = 0.25;

/// The height of the lowest point of a foot at a phase from its own heel strike: on the ground, or above it
/// by this much at least.
pub fn ground(phase: f64) -> (bool, f64) {
    match phase <= TOE_OFF {
        true => (true, 0.0),
        false => (false, 0.16 * (PI * (phase - TOE_OFF) / (1.0 - TOE_OFF)).sin().powi(2)),
    }
}

/// Poses the whole body, with the feet lifted by `lifts` (left, right).
///
/// # Errors
/// If a leg cannot reach.
pub fn pose(body: &mut Body, phase: f64, lifts: [f64; 2]) -> Result<(), Box<dyn Error>> {
    let wave = |cycles: f64, at: f64| (TAU * cycles * (phase - at)).cos();
    // The pelvis is over the standing foot; highest when it is upright, lowest when both feet carry.
    body.set_base_offset(DVec3::new(
        0.085 * wave(1.0, UPRIGHT + 0.02),
        -0.07 + 0.045 * wave(2.0, UPRIGHT + 0.03),
        0.02 * wave(2.0, 0.15),
    ));
    // The hip of the front foot goes forwards, that of the swinging leg drops.
    let pelvis = turn(2.5, -6.0 * wave(1.0, 0.0), 3.0 * wave(1.0, 0.2));
    body.turn("pelvis", pelvis)?;
    let chest = turn(3.5, 6.5 * wave(1.0, 0.02), -1.5 * wave(1.0, 0.2));
    for (bone, part) in [("spine", 0.3), ("spine2", 0.7), ("chest", 1.0)] {
        body.turn(bone, between(pelvis, chest, part))?;
    }
    let gaze = turn(0.5 + 1.2 * wave(2.0, 0.1), 1.0 * wave(1.0, 0.0), 0.0);
    body.turn("neck", between(chest, gaze, 0.5))?;
    body.turn("head", gaze)?;
    for (side, sign, shift, lift) in [(".L", 1.0, 0.0, lifts[0]), (".R", -1.0, 0.5, lifts[1])] {
        let phase = (phase + shift).fract();
        leg(body, side, sign, phase, lift)?;
        arm(body, side, sign, phase)?;
    }
    Ok(())
}

/// A rotation about x, then y, then z.
fn turn(x_deg: f64, y_deg: f64, z_deg: f64) -> DMat3 {
    DMat3::from_rotation_z(z_deg.to_radians())
        * DMat3::from_rotation_y(y_deg.to_radians())
        * DMat3::from_rotation_x(x_deg.to_radians())
}

fn between(a: DMat3, b: DMat3, part: f64) -> DMat3 {
    let [a, b] = [a, b].map(|m| glam::DQuat::from_mat3(&m));
    DMat3::from_quat(a.slerp(b, part))
}

/// Poses a leg; `phase` counts from this foot's heel strike.
fn leg(body: &mut Body, side: &str, sign: f64, phase: f64, lift: f64) -> Result<(), Box<dyn Error>> {
    let name = |bone: &str| format!("{bone}{side}");
    let bind = body.bind_tip(&name("shin"))?;
    let ball = body.bind_tip(&name("foot"))?;
    let (ankle, pitch_deg, toes_deg) = foot(bind, ball, phase);
    let ankle = DVec3::new(sign * TRACK, ankle.y + lift, ankle.z);
    body.place_ankle(&name("thigh"), &name("shin"), ankle)?;
    body.turn(&name("foot"), turn(pitch_deg, 0.0, 0.0))?;
    body.turn(&name("toes"), turn(toes_deg, 0.0, 0.0))
}

/// The ankle (its x is unused), pitch of foot and of toes. `bind`, `ball`: ankle and ball in the bind pose,
/// where the foot is flat.
fn foot(bind: DVec3, ball: DVec3, phase: f64) -> (DVec3, f64, f64) {
    if phase < TOE_OFF {
        let (ankle, pitch) = planted(bind, ball, phase);
        return (ankle, pitch, pitch.min(0.0));
    }
    let (off, on) = (planted(bind, ball, TOE_OFF), planted(bind, ball, 0.0));
    let u = (phase - TOE_OFF) / (1.0 - TOE_OFF);
    // Carried forwards, faster in the middle; slightly too far, and back to the ground.
    let z = hermite(u, off.0.z, on.0.z, 0.35, -0.30);
    let y = through(u, &[off.0.y, 0.60, 0.50, 0.36, on.0.y], [0.35, -0.25]);
    let pitch = through(u, &[off.1, 44.0, 12.0, -12.0, on.1], [40.0, 0.0]);
    // The toes, bent back by the ground, straighten at once.
    let toes = pitch - off.1 * (1.0 - (u / 0.3).min(1.0)).powi(2);
    (DVec3::new(0.0, y, z), pitch, toes)
}

/// A foot on the ground, which moves backwards: rolls over the heel, is flat, rolls over the ball.
fn planted(bind: DVec3, ball: DVec3, phase: f64) -> (DVec3, f64) {
    let along = DVec3::Z * STRIDE * (UPRIGHT - phase);
    let heel = DVec3::new(bind.x, 0.03, bind.z - 0.15);
    let (pivot, pitch) = if phase < FLAT {
        (heel, STRIKE_DEG * (1.0 - phase / FLAT).powf(1.5))
    } else if phase < HEEL_OFF {
        (heel, 0.0)
    } else {
        let u = (phase - HEEL_OFF) / (TOE_OFF - HEEL_OFF);
        (ball, PUSH_DEG * u.powf(1.7))
    };
    let ankle = pivot + DMat3::from_rotation_x(pitch.to_radians()) * (bind - pivot);
    (ankle + along, pitch)
}

/// Poses an arm; `phase` counts from the heel strike of the foot on the same side, when the arm is behind.
fn arm(body: &mut Body, side: &str, sign: f64, phase: f64) -> Result<(), Box<dyn Error>> {
    let name = |bone: &str| format!("{bone}{side}");
    let back = (TAU * (phase - 0.03)).cos();
    let chest = body.turned("chest")?;
    body.turn(&name("clavicle"), chest * turn(0.0, -2.0 * sign * back, -5.0 * sign))?;
    // The arm points down, then swings about the shoulders' axis; more forwards than back.
    let hanging = DVec3::new(0.20 * sign, -1.0, 0.03).normalize();
    let down = rotation_arc(body.direction(&name("upper_arm"))?, hanging);
    let swing = turn(-1.0 + 19.0 * back, 0.0, 0.0);
    body.turn(&name("upper_arm"), chest * swing * down)?;
    body.set_angles(&name("forearm"), DVec3::new(4.0 - 8.0 * (TAU * (phase - 0.08)).cos(), 0.0, 0.0))?;
    body.set_angles(&name("hand"), DVec3::new(2.0, 0.0, 0.0))?;
    for (bone, curl) in
        [("palm", 6.0), ("fingers", 22.0), ("fingers2", 26.0), ("thumb", 8.0), ("thumb2", 10.0)]
    {
        body.set_angles(&name(bone), DVec3::new(curl, 0.0, 0.0))?;
    }
    Ok(())
}

fn rotation_arc(from: DVec3, to: DVec3) -> DMat3 {
    DMat3::from_quat(glam::DQuat::from_rotation_arc(from, to))
}

/// Interpolates from `a` to `b` with the given slopes at the ends, u in 0..1.
fn hermite(u: f64, a: f64, b: f64, leave: f64, arrive: f64) -> f64 {
    let (u2, u3) = (u * u, u * u * u);
    a * (2.0 * u3 - 3.0 * u2 + 1.0)
        + b * (3.0 * u2 - 2.0 * u3)
        + leave * (u3 - 2.0 * u2 + u)
        + arrive * (u3 - u2)
}

/// Interpolates values at even steps of u, with the given slopes (per u) at the ends.
fn through(u: f64, values: &[f64], ends: [f64; 2]) -> f64 {
    let pieces = values.len() - 1;
    let at = (u * pieces as f64).clamp(0.0, pieces as f64 - 1e-9);
    let piece = at as usize;
    let slope = |i: usize| match i {
        0 => ends[0] / pieces as f64,
        _ if i == pieces => ends[1] / pieces as f64,
        _ => 0.5 * (values[i + 1] - values[i - 1]),
    };
    hermite(at.fract(), values[piece], values[piece + 1], slope(piece), slope(piece + 1))
}
