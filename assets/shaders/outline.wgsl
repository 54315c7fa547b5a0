// The outline of what is selected: its surface once more, wider by some pixels and behind itself, so that only the rim
// shows. Moved away along the line of sight, which changes no place on the screen.

#import bevy_pbr::mesh_functions::{get_world_from_local, mesh_normal_local_to_world, mesh_position_local_to_world}
#import bevy_pbr::mesh_view_bindings::view

struct Outline {
    color: vec4<f32>,
    // x: width in pixels; y: how far behind itself, in world units.
    size: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> outline: Outline;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@vertex
fn vertex(in: Vertex) -> @builtin(position) vec4<f32> {
    let world_from_local = get_world_from_local(in.instance_index);
    let world = mesh_position_local_to_world(world_from_local, vec4<f32>(in.position, 1.0)).xyz;
    let normal = mesh_normal_local_to_world(in.normal, in.instance_index);
    let away = select(
        normalize(world - view.world_position),
        -view.world_from_view[2].xyz,
        view.clip_from_view[3].w == 1.0, // orthographic
    );
    let here = view.clip_from_world * vec4<f32>(world, 1.0);
    let behind = view.clip_from_world * vec4<f32>(world + away * outline.size.y, 1.0);
    let by_normal = view.clip_from_world * vec4<f32>(normal, 0.0);
    // Which way the normal goes on the screen.
    let across = (by_normal.xy * here.w - here.xy * by_normal.w) * view.viewport.zw;
    let length = max(length(across), 1e-20);
    let offset = across / length * outline.size.x * 2.0 / view.viewport.zw;
    return vec4<f32>(behind.xy + offset * behind.w, behind.zw);
}

@fragment
fn fragment() -> @location(0) vec4<f32> {
    return outline.color;
}
