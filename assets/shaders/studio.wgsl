// One colour, or those of the vertices, in studio light. What stands in `studio_light.wgsl` follows below.

#import bevy_pbr::forward_io::VertexOutput
#import bevy_pbr::mesh_view_bindings::view

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> studio: Studio;

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    var surface = studio.color.rgb;
#ifdef VERTEX_COLORS
    surface *= in.color.rgb;
#endif
    var lit = studio_light(studio, surface, in.world_position.xyz, in.world_normal, front);
#ifdef VERTEX_COLORS
    lit.a *= in.color.a;
#endif
    return lit;
}

