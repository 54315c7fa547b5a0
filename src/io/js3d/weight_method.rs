//! How the weights of a skinned mesh are calculated: a member of our own, which Scotty3D ignores. Written only
//! where it is not the capsule radius, which a file without it means.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::rig::weights::method::Method;
use serde_json::{Value, json};

/// An object: `name` as on the command line, `exponent` of the power kernel and of tube weights, `largest`
/// (most bones per vertex) of heat diffusion; without `largest` a vertex keeps all.
pub const NAME: &str = "weight_method";

/// Takes the member. What it cannot be is told, not ours, and kept.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>) -> Method {
    let Some(node) = m.get(NAME) else {
        return Method::default();
    };
    match method(node) {
        Some(method) => {
            m.take(NAME);
            method
        }
        None => {
            let text = "no method of calculating weights that is known here; it is kept, and weights are \
                        calculated by capsule radius";
            r.at(NAME, |r| r.warn("bad-weight-method", text));
            Method::default()
        }
    }
}

fn method(node: &Node<'_>) -> Option<Method> {
    let Node::Object(items) = node else {
        return None;
    };
    let get = |name: &str| items.iter().find(|(key, _)| key == name).map(|(_, node)| node);
    let Some(Node::Text(name)) = get("name") else {
        return None;
    };
    let exponent = || Some(get("exponent")?.number()? as f32);
    let (method, members) = match &**name {
        "capsule" => (Method::Capsule, 1),
        "inverse-distance" => (Method::InverseDistance, 1),
        "power" => (
            Method::Power {
                exponent: exponent()?,
            },
            2,
        ),
        "tube" => (
            Method::Tube {
                exponent: exponent()?,
            },
            2,
        ),
        "heat" => {
            let largest = match get("largest") {
                Some(node) => Some(node.number().filter(|n| n.fract() == 0.0 && *n <= 255.0)? as u8),
                None => None,
            };
            (Method::Heat { largest }, 1 + usize::from(largest.is_some()))
        }
        _ => return None,
    };
    (items.len() == members && method.check().is_ok()).then_some(method)
}

/// The member to write, if there is something to say.
pub fn member(method: &Method) -> Option<Value> {
    let name = method.name();
    // The shortest text of the f32, not of the f64 that it widens to.
    let shortest = |wide: f32| -> f64 { wide.to_string().parse().unwrap_or(f64::from(wide)) };
    Some(match *method {
        Method::Capsule => return None,
        Method::InverseDistance | Method::Heat { largest: None } => json!({ "name": name }),
        Method::Power { exponent } | Method::Tube { exponent } => {
            json!({ "name": name, "exponent": shortest(exponent) })
        }
        Method::Heat {
            largest: Some(largest),
        } => json!({ "name": name, "largest": largest }),
    })
}
