// A picture in studio light. What stands in `studio_light.wgsl` follows below.

#import bevy_pbr::mesh_bindings::mesh
#import bevy_pbr::mesh_functions
#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::view_transformations::position_world_to_clip

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> studio: Studio;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var picture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var picture_sampler: sampler;
// Of each vertex of the mesh, or of one copy of it.
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var<storage, read> uvs: array<vec2<f32>>;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
};

struct Surface {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec3<f32>,
    @location(1) world_normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
};

@vertex
fn vertex(in: Vertex) -> Surface {
    let world_from_local = mesh_functions::get_world_from_local(in.instance_index);
    let at = mesh_functions::mesh_position_local_to_world(world_from_local, vec4<f32>(in.position, 1.0));
    var out: Surface;
    out.position = position_world_to_clip(at.xyz);
    out.world_position = at.xyz;
    out.world_normal = mesh_functions::mesh_normal_local_to_world(in.normal, in.instance_index);
    // Meshes lie one after the other in one buffer.
    let index = in.index - mesh[in.instance_index].first_vertex_index;
    out.uv = uvs[index % arrayLength(&uvs)];
    return out;
}

@fragment
fn fragment(in: Surface, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = textureSample(picture, picture_sampler, in.uv).rgb * studio.color.rgb;
    return studio_light(studio, color, in.world_position, in.world_normal, front);
}

