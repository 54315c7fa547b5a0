// Bones: for each an octahedron, a ribbon along its axis that is never thinner than some pixels, and a small octahedron at
// its tail. Sizes on the screen are determined here, so that the mesh does not change when the view does.

#import bevy_pbr::mesh_view_bindings::view

struct Vertex {
    // A point on the bone's axis, in the world.
    @location(0) position: vec3<f32>,
    // Octahedra: from there to the corner, in the world. Ribbons: from head to tail.
    @location(1) aside: vec3<f32>,
    // Octahedra: the distance of corners in pixels below which there is nothing to draw, and the greatest one.
    // Ribbons: the width in pixels, and 0.
    @location(2) size: vec2<f32>,
    // x: the kind of corner, as below. y: the part of the way from head to tail.
    @location(3) corner: vec2<f32>,
    // Linear rgb, and the bits of the state, as below.
    @location(4) color: vec4<f32>,
}

// Each face has one corner of each of the first three kinds; the fourth is one of the third kind with the mark.
const END: u32 = 0u;
const ACROSS_X: u32 = 1u;
const MARKED: u32 = 3u;
const RIBBON: u32 = 4u; // and 5: its other edge

const STRESSED: u32 = 1u; // selected or hovered
const LOCKED: u32 = 2u;
const LEFT: u32 = 4u;
const RIGHT: u32 = 8u;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
    // Barycentric coordinates: each is 0 on the edge opposite to its kind of corner.
    @location(1) inside: vec3<f32>,
    // x: the part of the way from head to tail; y: 1 at the marked corner; z: the size of an octahedron, or the length of
    // a ribbon, in pixels; w: 1 for octahedra.
    @location(2) place: vec4<f32>,
    @location(3) world: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> Corner {
    var out: Corner;
    let kind = u32(in.corner.x + 0.5);
    let axis = view.clip_from_world * vec4<f32>(in.position, 1.0);
    let pixels_per_unit = 0.5 * view.viewport.w * view.clip_from_view[1][1] / max(axis.w, 1e-6);
    let pixels = length(in.aside) * pixels_per_unit;
    out.color = in.color;
    if kind >= RIBBON {
        let along = view.clip_from_world * vec4<f32>(in.aside, 0.0);
        let on_screen = (along.xy * axis.w - axis.xy * along.w) * view.viewport.zw;
        let length = length(on_screen);
        let direction = select(vec2<f32>(1.0, 0.0), on_screen / max(length, 1e-20), length > 1e-20);
        let side = select(-1.0, 1.0, kind == RIBBON);
        let offset = vec2<f32>(-direction.y, direction.x) * side * in.size.x / view.viewport.zw;
        out.position = vec4<f32>(axis.xy + offset * axis.w, axis.zw);
        out.inside = vec3<f32>(1.0);
        out.place = vec4<f32>(in.corner.y, 0.0, pixels, 0.0);
        out.world = in.position;
    } else {
        let factor = select(min(pixels, in.size.y) / max(pixels, 1e-20), 0.0, pixels < in.size.x);
        out.world = in.position + in.aside * factor;
        out.position = view.clip_from_world * vec4<f32>(out.world, 1.0);
        out.inside = select(
            select(vec3<f32>(0.0, 0.0, 1.0), vec3<f32>(0.0, 1.0, 0.0), kind == ACROSS_X),
            vec3<f32>(1.0, 0.0, 0.0),
            kind == END,
        );
        out.place = vec4<f32>(in.corner.y, select(0.0, 1.0, kind == MARKED), min(pixels, in.size.y), 1.0);
    }
    return out;
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let state = u32(in.color.a + 0.5);
    let pixels_to_edges = in.inside / max(fwidth(in.inside), vec3<f32>(1e-6));
    let triangle_normal = normalize(cross(dpdx(in.world), dpdy(in.world)));
    var normal = (view.view_from_world * vec4<f32>(triangle_normal, 0.0)).xyz;
    normal *= select(-1.0, 1.0, normal.z >= 0.0);
    let is_solid = in.place.w > 0.5;
    let is_stressed = (state & STRESSED) != 0u;

    let light = 0.5 + 0.65 * max(dot(normal, vec3<f32>(-0.45, 0.56, 0.70)), 0.0);
    var color = in.color.rgb * select(1.0, light, is_solid);

    let edge = min(min(pixels_to_edges.x, pixels_to_edges.y), pixels_to_edges.z);
    let width = select(0.9, 1.5, is_stressed);
    let edge_color = select(in.color.rgb * 0.28, mix(in.color.rgb, vec3<f32>(1.0), 0.8), is_stressed);
    // Edges would fill small octahedra; light ones, which are wider, would hide that these are selected.
    let room = select(smoothstep(4.0, 9.0, in.place.z), smoothstep(8.0, 20.0, in.place.z), is_stressed);
    let strength = room * (1.0 - smoothstep(width - 0.5, width + 0.5, edge));
    color = mix(color, edge_color, select(0.0, strength, is_solid));

    // One band on the left, two on the right.
    let from_bands = vec2<f32>(abs(in.place.x - 0.34), min(abs(in.place.x - 0.29), abs(in.place.x - 0.42)));
    let is_banded = (state & LEFT) != 0u && from_bands.x < 0.03 || (state & RIGHT) != 0u && from_bands.y < 0.03;
    color = select(color, in.color.rgb * 0.3, is_banded && is_solid);

    let mark_width = select(1.1, mix(1.1, 2.6, room), is_stressed);
    let mark_room = select(smoothstep(2.5, 5.0, in.place.z), smoothstep(5.0, 10.0, in.place.z), is_stressed);
    let mark = (1.0 - smoothstep(mark_width - 0.5, mark_width + 0.5, pixels_to_edges.y))
        * smoothstep(0.3, 0.45, in.place.y) * mark_room;
    color = mix(color, vec3<f32>(1.0), select(0.0, 0.8 * mark, is_solid));

    if (state & LOCKED) != 0u {
        // Grey and hatched, or dashed.
        if !is_solid && fract(in.place.x * in.place.z / 7.0) > 0.55 {
            discard;
        }
        let grey = vec3<f32>(dot(color, vec3<f32>(0.3, 0.6, 0.1)));
        let hatch = select(1.0, 0.35, fract((in.position.x + in.position.y) / 6.0) < 0.4);
        color = select(color, mix(color, grey, 0.7) * hatch, is_solid);
    }
    return vec4<f32>(color, 1.0);
}
