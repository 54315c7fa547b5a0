//! Rows of bones, handles and skeletons. What has consequences for other parts has no row but a command of its own:
//! names, parents, channel ids and links. For the members of files, see docs/js3d.md, section 5.4.

use super::Mirror;
use super::access::{PartTarget, Property, Slot};
use crate::member;
use crate::rig::skeleton::{Bone, Handle, Shape, Skeleton};

/// A member of a goal that a handle may have.
macro_rules! goal {
    ($goal:ident.$member:ident) => {
        Slot {
            get: |handle| handle.$goal.as_ref().map(|goal| &goal.$member),
            get_mut: |handle| handle.$goal.as_mut().map(|goal| &mut goal.$member),
        }
    };
}

type B = Property<Bone>;
#[rustfmt::skip]
pub const BONE: &[B] = &[
    B::vec3(["extent", "Extent", "From the head to the tail, in the axes of the mesh."], member!(extent)).mirrored(Mirror::Special),
    B::float(["roll", "Roll", "Turns the bone's own x and z axes about the bone."], member!(roll_deg)).unit("°").slider(-180.0, 180.0).mirrored(Mirror::Special),
    B::float(["radius", "Radius", "How far the bone reaches when weights are calculated."], member!(radius)).not_negative(),
    B::vec3(["pose", "Pose", "The bone's rotation about its own axes: first x, then y, then z."], member!(pose_deg)).unit("°").slider(-180.0, 180.0).verbs("Rotate", "Reset pose of").keyable().mirrored(Mirror::Angles),
    B::vec3(["translation", "Move", "How far the bone is moved against its parent, along the axes of the parent."], member!(translation)).verbs("Move", "Move back").keyable().mirrored(Mirror::Direction)
        .ours("the translation is not three numbers; the bone stays at its parent"),
    B::vec3(["scale", "Scale", "How large the bone and those below it are along its own axes."], member!(scale)).within(-1000.0, 1000.0).verbs("Scale", "Scale").keyable()
        .ours("the scale is not three numbers; the bone keeps its size"),
    B::bool(["lock_transform", "Lock move and scale", "Tools turn the bone, but neither move it against its parent nor scale it."], member!(lock_transform)).verbs("Lock move and scale of", "Unlock move and scale of")
        .ours("lock_transform is not true or false; the bone is locked"),
    B::bool(["hidden", "Hidden", "The view and the tree leave the bone out, unless View > Show > Hidden bones is on. It moves like any other."], member!(hidden)).verbs("Hide", "Show")
        .ours("hidden is not true or false; the bone is shown"),
    B::limits(["limits", "Limits", "How far each angle may go."], member!(limits_deg)).unit("°").verbs("Change limits of", "Clear limits of").mirrored(Mirror::Angles)
        .ours("the limits are not three ranges of degrees, each [least, greatest] or null; nothing is limited"),
    B::vec3(["stiffness", "Stiffness", "How strongly the bone resists IK about each axis. 0: it turns freely. 1: not at all."], member!(stiffness)).fraction()
        .ours("the stiffness is not three numbers from 0 to 1; the bone turns freely"),
    B::optional_vec3(["preferred", "Preferred pose", "A pose in which the joint bends the right way."], member!(preferred_deg)).unit("°").mirrored(Mirror::Angles)
        .ours("the preferred pose is not three angles in degrees; there is none"),
    B::optional_unsigned(["mirror_of", "Other side", "The channel id of the bone that was chosen as its mirror image."], member!(mirror_of)).fixed().mirrored(Mirror::Never)
        .ours("mirror_of is not the channel id of a bone; its other side is found by name and position"),
    B::bool(["lock_weights", "Lock weights", "Brushes leave the weights of the bone as they are."], member!(lock_weights)).verbs("Lock weights of", "Unlock weights of")
        .ours("lock_weights is not true or false; the weights of the bone can be painted"),
];

type H = Property<Handle>;
#[rustfmt::skip]
pub const HANDLE: &[H] = &[
    H::vec3(["target", "Target", "Where the tail of the bone is pulled to, in the mesh's space."], member!(target)).verbs("Move", "Move").keyable().mirrored(Mirror::Point),
    H::bool(["enabled", "Enable", "Pull the bone and the bones of its chain to the target, in the Animate tab."], member!(enabled)).verbs("Enable", "Disable").keyable(),
    H::optional_unsigned(["chain", "Chain", "How many bones it turns, its own and those above it; without a number all up to the root."], member!(chain)).within(1.0, u32::MAX as f64)
        .ours("the chain is not a number of bones, 1 or more; the handle turns all bones up to the root"),
    H::float(["weight", "Weight", "0: no pull. 1: full pull. In between, part of the way from the pose without it, so that keys can blend it in and out."], member!(weight)).fraction().slider(0.0, 1.0).keyable()
        .ours("the weight is not a number from 0 to 1; it counts as 1"),
    H::float(["stretch", "Stretch", "How far the limb stretches, and becomes thinner, when the target is out of reach. 0: not at all. 1: up to the target."], member!(stretch)).fraction().slider(0.0, 1.0).keyable()
        .ours("the stretch is not a number from 0 to 1; the limb does not stretch"),
    H::orientation(["orientation", "Keep orientation", "Keep the bone oriented as it is now, such as a foot that stays flat. The rings around the handle rotate it."], member!(orientation)).verbs("Change orientation of", "Change orientation of").mirrored(Mirror::Point)
        .ours("the orientation is not a quaternion other than zero; the handle does not turn its bone"),
    H::pole(["pole", "Pole", "A point that the elbow or knee between the two long bones of the chain points at. Drag its ball in the view."], member!(pole)).mirrored(Mirror::Point)
        .ours("the pole is not an object with a point and a weight from 0 to 1; there is none"),
    H::look_at(["look_at", "Look-at", "The bone turns towards the target instead of reaching it, like a head or an eye."], member!(look_at)).mirrored(Mirror::Point)
        .ours("look_at is not an object with an axis other than zero and a weight from 0 to 1; the handle pulls to its target instead"),
    H::bool(["pinned", "Pinned", "The handle holds its bone where it was when it was pinned."], member!(pinned)).verbs("Pin", "Unpin")
        .ours("pinned is not true or false; it counts as false"),
    H::optional_unsigned(["space", "Space", "The bone with which target, orientation and pole move, by its channel id: a hand stays on the hip or on the other hand."], member!(space)).mirrored(Mirror::Special)
        .ours("the space is not the channel id of a bone; the handle is in the space of the mesh"),
    H::reference(["space_instance", "Instance of the space", "The instance with which target, orientation and pole move: a hand stays on a prop or, with a bone as the space, on another character."], member!(space_instance), PartTarget::Instance).verbs("Change space of", "Change space of")
        .ours("space_instance is not the name of an instance; the handle is in the space of its mesh or of one of its bones"),
];

/// Rows of the goals that a handle may have: the members within its orientation, pole and look-at.
#[rustfmt::skip]
pub const GOAL: &[H] = &[
    H::vec3(["pole_point", "Point", "Where the joint points, in the mesh's space."], goal!(pole.point)).verbs("Change pole of", "Change pole of").keyable_as("pole").mirrored(Mirror::Point),
    H::float(["pole_weight", "Pole weight", "How much the pole counts, multiplied by the weight of the handle."], goal!(pole.weight)).fraction().slider(0.0, 1.0).verbs("Change pole of", "Change pole of").keyable(),
    H::rotation(["orientation_rotation", "Rotation", "How the bone is turned, in the mesh's space."], goal!(orientation.rotation)).verbs("Change orientation of", "Change orientation of").keyable_as("orientation").mirrored(Mirror::Point),
    H::float(["orientation_weight", "Orientation weight", "How much the orientation counts, multiplied by the weight of the handle."], goal!(orientation.weight)).fraction().slider(0.0, 1.0).verbs("Change orientation of", "Change orientation of").keyable(),
    H::float(["look_at_weight", "Look-at weight", "How much look-at counts, multiplied by the weight of the handle."], goal!(look_at.weight)).fraction().slider(0.0, 1.0).verbs("Change look-at of", "Change look-at of").keyable(),
];

type S = Property<Skeleton>;
#[rustfmt::skip]
pub const SKELETON: &[S] = &[
    S::vec3(["base", "Base", "Where the root bones start. The whole skeleton moves along."], member!(base)).verbs("Move base", "Move base").mirrored(Mirror::Point),
    S::vec3(["base_offset", "Offset", "Moves the whole skeleton in the current pose."], member!(base_offset)).verbs("Move base offset", "Move base offset").keyable().mirrored(Mirror::Direction),
    S::bool(["root_free", "Free root", "IK may move the base offset, so that the body follows hands and feet: then pull the pelvis by a handle, not by the base. When off, the base stays where you put it."], member!(root_free)).verbs("Free root", "Fix root")
        .ours("root_free is not true or false; the root stays"),
    S::bool(["balance", "Balance", "IK keeps the centre of mass over the pinned feet, or as near to it as in the animated pose, and the trunk as upright as the hands allow: a character that reaches for the floor bends its knees and does not fall over."], member!(balance)).verbs("Turn on balance", "Turn off balance")
        .ours("balance is not true or false; it is kept"),
    S::float(["ik_prior", "Pose prior", "How strongly IK keeps to the pose without handles."], member!(ik_prior)).within(0.0, 1e-5).advanced()
        .ours("the prior is not a number from 0 to 0.00001; there is none"),
];

#[rustfmt::skip]
pub const SHAPE: &[Property<Shape>] = &[
    Property::<Shape>::float(["weight", "Weight", "How much of the shape is blended into the surface. 0: none; 1: all of it. Less and more invert and exaggerate it."], member!(weight)).within(-1000.0, 1000.0).slider(0.0, 1.0).verbs("Change", "Change").keyable(),
];

pub const SHAPE_WEIGHT: &Property<Shape> = row(SHAPE, "weight");
pub const POSE: &B = row(BONE, "pose");
pub const TRANSLATION: &B = row(BONE, "translation");
pub const SCALE: &B = row(BONE, "scale");
pub const TARGET: &H = row(HANDLE, "target");
pub const ENABLED: &H = row(HANDLE, "enabled");
pub const WEIGHT: &H = row(HANDLE, "weight");
pub const STRETCH: &H = row(HANDLE, "stretch");
pub const POLE_POINT: &H = row(GOAL, "pole_point");
pub const ORIENTATION: &H = row(GOAL, "orientation_rotation");
pub const BASE: &S = row(SKELETON, "base");
pub const BASE_OFFSET: &S = row(SKELETON, "base_offset");

/// Returns the row with an id; without one, it does not compile.
const fn row<T>(rows: &'static [Property<T>], id: &str) -> &'static Property<T> {
    let mut index = 0;
    while !is_same(rows[index].info.id, id) {
        index += 1;
    }
    &rows[index]
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}
