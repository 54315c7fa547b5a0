// The floor and the lines of the grid on it. A plane of its own, not the whole screen: most of a picture is not
// ground, and what stands on it hides its part before it is shaded.

#import bevy_pbr::forward_io::VertexOutput
#import bevy_pbr::mesh_functions::get_world_from_local
#import bevy_pbr::mesh_view_bindings::view

// Linear rgb and opacity.
struct Ground {
    floor: vec4<f32>,
    lines: vec4<f32>,
    x_axis: vec4<f32>,
    z_axis: vec4<f32>,
    // x: lines per unit; y: one over the distance at which everything has faded.
    size: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> ground: Ground;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    // Of what is interpolated, before anything is read: where the plane's two triangles meet, what a driver reads for
    // the pixels outside of a triangle is not defined, and the lines had gaps.
    let across = dpdx(in.world_position.xyz);
    let down = dpdy(in.world_position.xyz);
    let world_from_local = get_world_from_local(in.instance_index);
    let normal = normalize(world_from_local[1].xyz);
    let u = normalize(world_from_local[0].xyz) * ground.size.x;
    let v = normalize(world_from_local[2].xyz) * ground.size.x;
    // Counted from the origin of the world, wherever the plane's own middle is.
    let place = vec2<f32>(dot(u, in.world_position.xyz), dot(v, in.world_position.xyz));
    let pixel = vec2<f32>(abs(dot(u, across)) + abs(dot(u, down)), abs(dot(v, across)) + abs(dot(v, down)));
    let nearest = abs(fract(place - 0.5) - 0.5) / pixel;
    // Every tenth line.
    let nearest_tenth = abs(fract(place * 0.1 - 0.5) - 0.5) / (0.1 * pixel);
    let axes = abs(place) / pixel;
    let axis = 1.0 - min(min(axes.x, axes.y), 1.0);
    let line = 1.0 - min(min(min(nearest.x, nearest.y), min(nearest_tenth.x, nearest_tenth.y)), 1.0);
    let axis_color = select(ground.x_axis, ground.z_axis, axes.x < axes.y);
    let line_alpha = max(axis * axis_color.a, line * ground.lines.a);
    let line_color = mix(ground.lines.rgb, axis_color.rgb, axis);

    let depth = -(view.view_from_world * in.world_position).z;
    let near = clamp(1.0 - depth * ground.size.y, 0.0, 1.0);
    let facing = abs(dot(normal, normalize(view.world_position - in.world_position.xyz)));
    let fade = mix(near, 1.0, facing) * min(4.0 * facing, 1.0);

    let over = line_alpha * fade;
    let under = ground.floor.a * near * near * min(4.0 * facing, 1.0) * (1.0 - over);
    let alpha = over + under;
    return vec4<f32>((line_color * over + ground.floor.rgb * under) / max(alpha, 1e-6), alpha);
}
