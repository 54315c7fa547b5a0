// Vertices as round dots of constant size on the screen. Each dot is four vertices at the same
// place; their corners (-1 to 1) spread them out after projection.

#import bevy_pbr::mesh_functions::{get_world_from_local, mesh_position_local_to_clip}
#import bevy_pbr::mesh_view_bindings::view

struct Dots {
    color: vec4<f32>,
    rim: vec4<f32>,
    // x: radius in pixels. y: how far towards the viewer, as part of the distance.
    size: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> dots: Dots;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) corner: vec2<f32>,
}

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) corner: vec2<f32>,
}

@vertex
fn vertex(in: Vertex) -> Corner {
    var out: Corner;
    let world_from_local = get_world_from_local(in.instance_index);
    let clip = mesh_position_local_to_clip(world_from_local, vec4<f32>(in.position, 1.0));
    let by = in.corner * 2.0 * dots.size.x / view.viewport.zw;
    // Towards the viewer, so that the skin they lie on does not hide them. Depth goes from 0 far away to 1.
    var depth = clip.z * (1.0 + dots.size.y);
    if view.clip_from_view[3][3] == 1.0 {
        let height = 2.0 / view.clip_from_view[1][1];
        depth = clip.z + abs(view.clip_from_view[2][2]) * height * dots.size.y;
    }
    out.position = vec4<f32>(clip.xy + by * clip.w, depth, clip.w);
    out.corner = in.corner;
    return out;
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let from_middle = length(in.corner);
    if from_middle > 1.0 {
        discard;
    }
    return select(dots.color, dots.rim, from_middle > 0.68);
}
