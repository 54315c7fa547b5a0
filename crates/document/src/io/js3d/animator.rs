//! Reads the animation: splines of knots, by resource and channel.

use super::ReadError;
use super::json::Node;
use super::reader::Reader;
use super::spline::read_channel;
use super::{clip, layers, sound, takes, values};
use crate::anim::channel::{Animation, Value};
use crate::scene::{Scene, channels};

/// Reads the animator. `scene` contains the values that channels drive.
pub fn read(r: &mut Reader<'_>, node: Node<'_>, scene: &Scene) -> Result<Animation, ReadError> {
    let Node::Object(items) = node else {
        let problem = format!("expected an animator, found {}", node.kind());
        return Err(
            r.refuse(problem, "Put {\"FORMAT\":\"js3d-v1\",\"splines\":{}} there for a scene at rest.")
        );
    };
    let mut m = r.members(items);
    m.format(r, values::FORMAT);
    let mut animation = Animation::default();
    if let Some(node) = m.expect(r, "splines", "no animation") {
        r.within("splines", |r| {
            for (resource, node) in r.object(node).into_items() {
                r.within(&resource, |r| read_resource(r, &resource, node, scene, &mut animation))?;
            }
            Ok(())
        })?;
    }
    layers::read(r, &mut m, scene, &mut animation)?;
    animation.takes = takes::read(r, &mut m);
    animation.clip = clip::read(r, &mut m, &animation);
    takes::read_chosen(r, &mut m, &mut animation);
    animation.sound = sound::read(r, &mut m);
    animation.extra = r.rest(m);
    Ok(animation)
}

fn read_resource(
    r: &mut Reader<'_>,
    resource: &str,
    node: Node<'_>,
    scene: &Scene,
    animation: &mut Animation,
) -> Result<(), ReadError> {
    let targets = channels::values(scene, resource);
    animation.channels.entry(resource.to_owned()).or_default();
    for (name, node) in r.object(node).into_items() {
        let target = targets.get(&*name).map(Value::type_name);
        r.within(&name, |r| read_channel(r, [resource, &name], node, target, animation))?;
    }
    Ok(())
}
