//! Values to insert into damaged files.

use crate::editing::Random;
use crate::tree::Node;

/// Numbers as written in a file: at the limits of the types that readers use, and beyond.
const NUMBERS: [&str; 40] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "-0.5",
    "3",
    "7",
    "1e-3",
    "1e3",
    "1000000",
    "16777217",
    "1e9",
    "-1e9",
    "1e18",
    "1e19",
    "1e20",
    "-1e20",
    "1e30",
    "1e37",
    "-1e37",
    "3e38",
    "3.4028235e38",
    "-3.4028235e38",
    "1e39",
    "1e300",
    "1e-20",
    "1e-37",
    "1e-45",
    "5e-324",
    "2147483647",
    "2147483648",
    "4294967294",
    "4294967295",
    "4294967296",
    "-2147483649",
    "18446744073709551615",
    "0.1000000000000000055511151231257827",
    "123456789012345678901234567890",
];

/// Words that are not JSON numbers, or not JSON.
const WORDS: [&str; 9] = ["null", "true", "false", "1e999", "NaN", "-Infinity", "01", "+1", "'a'"];

/// Texts with JSON's escapes.
const TEXTS: [&str; 26] = [
    "",
    " ",
    "Body",
    "Skinned",
    "Arm",
    "Place",
    "Root",
    "Child",
    "Triangle",
    "Point",
    "Sphere",
    "Image",
    "Vec3",
    "Quat",
    "bool",
    "float",
    "Mat4",
    "float:AAAAAA",
    "uint32:AAAAAA",
    "vec3:",
    "hdr64:cmF3ZgEAAAABAAAA",
    "bool:gA",
    "\\u001b[2J\\u001b]0;owned\\u0007\\r\\nerror: fake",
    "\\u202eevil\\u2066\\u009b",
    "\\ud800",
    "\u{9aa8} \u{1f9b4} /~1\\\\\\\"",
];

/// Names of members, resources and channels in files.
const NAMES: [&str; 64] = [
    "FORMAT",
    "scene",
    "animator",
    "splines",
    "transforms",
    "skinned_meshes",
    "meshes",
    "instances",
    "cameras",
    "particles",
    "skeleton",
    "mesh",
    "bones",
    "handles",
    "base",
    "base_offset",
    "extent",
    "roll",
    "radius",
    "parent",
    "pose",
    "channel_id",
    "name",
    "bone",
    "target",
    "enabled",
    "translation",
    "rotation",
    "scale",
    "transform",
    "material",
    "visible",
    "type",
    "knots",
    "muted",
    "frames",
    "frames_per_second",
    "play_range",
    "takes",
    "chosen_take",
    "first",
    "last",
    "dual_quaternions",
    "bones_moved_since_weights",
    "halfedge_nexts",
    "vertex_positions",
    "vertex_bone_weight_ends",
    "bone_weight_bones",
    "bone_weight_weights",
    "edge_sharps",
    "face_halfedges",
    "face_boundaries",
    "bone.0.pose",
    "bone.3.pose",
    "bone.99.pose",
    "bone.4294967295.pose",
    "bone.-1.pose",
    "bone..pose",
    "bone.0.radius",
    "handle.0.target",
    "handle.2.enabled",
    "handle.99999999999.target",
    "vertical_fov",
    "",
];

pub fn number(random: &mut Random) -> Node {
    Node::word(random.pick(&NUMBERS))
}

pub fn text(random: &mut Random) -> String {
    match random.below(40) {
        0 => "x".repeat(1 << random.below(15)),
        1 => "\\u202e\\n".repeat(1 + random.below(500)),
        _ => (*random.pick(&TEXTS)).to_owned(),
    }
}

pub fn name(random: &mut Random) -> String {
    match random.chance(70) {
        true => (*random.pick(&NAMES)).to_owned(),
        false => text(random),
    }
}

/// Returns any value at all.
pub fn any(random: &mut Random) -> Node {
    match random.below(14) {
        0..=3 => number(random),
        4 => Node::word(random.pick(&WORDS)),
        5 | 6 => Node::Text(text(random)),
        7 => vector(random),
        8 => Node::Array((0..random.below(6)).map(|_| any(random)).collect()),
        9 => Node::Object((0..random.below(4)).map(|_| (name(random), any(random))).collect()),
        10 => spline(random),
        11 => {
            Node::Nested(*random.pick(&[1, 3, 30, 100, 120, 126, 127, 128, 129, 1000]), number(random).into())
        }
        12 => Node::Blob((*random.pick(&["uint32:", "float:", "vec2:", "vec3:"])).to_owned(), bits(random)),
        _ => Node::Array(Vec::new()),
    }
}

fn vector(random: &mut Random) -> Node {
    let length = *random.pick(&[3, 3, 3, 0, 1, 2, 4, 16, 17]);
    Node::Array((0..length).map(|_| number(random)).collect())
}

fn bits(random: &mut Random) -> Vec<u32> {
    (0..random.below(12)).map(|_| odd_bits(random)).collect()
}

/// Returns an index at its limits, or a float: infinite, NaN, huge, tiny.
pub fn odd_bits(random: &mut Random) -> u32 {
    const BITS: [u32; 16] = [
        0,
        1,
        2,
        3,
        5,
        6,
        u32::MAX,
        0x7fff_ffff,
        0x8000_0000,
        0x1_0000,
        0x7fc0_0000,
        0xff80_0000,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x3f80_0000,
        1 << 31 | 1,
    ];
    match random.chance(15) {
        true => random.next() as u32,
        false => *random.pick(&BITS),
    }
}

/// Returns a channel of a random type, with times in a random order.
pub fn spline(random: &mut Random) -> Node {
    let types = ["bool", "float", "Vec2", "Vec3", "Vec4", "Quat", "Spectrum", "Mat4", "Odd"];
    let lengths = [0, 0, 2, 3, 4, 4, 3, 16, 5];
    let kind = random.below(types.len());
    let mut knots = Vec::new();
    for frame in 0..random.below(6) {
        knots.push(match random.chance(70) {
            true => Node::word(frame * 4),
            false => number(random),
        });
        knots.push(match (random.chance(90), kind) {
            (false, _) => any(random),
            (true, 0) => Node::word(random.chance(50)),
            (true, 1) => number(random),
            _ => Node::Array((0..lengths[kind]).map(|_| number(random)).collect()),
        });
    }
    Node::Object(vec![("type".to_owned(), Node::text(types[kind])), ("knots".to_owned(), Node::Array(knots))])
}
