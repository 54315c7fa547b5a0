// Studio light that stands with the camera: a warm key from the upper left, a cool fill from the right,
// light from the sky, a rim at the outline. No shadows: what counts is to read the form, at any frame rate, on any
// machine. Follows the text of the shaders that use it, which import `view`.

struct Studio {
    // Linear rgb and opacity where the surface faces the camera.
    color: vec4<f32>,
    // x: opacity added towards the outline; y: strength of the highlight; z: how much light matters (0: none);
    // w: one for the normals of triangles.
    look: vec4<f32>,
}

// `surface`: linear.
fn studio_light(
    studio: Studio,
    surface: vec3<f32>,
    world_position: vec3<f32>,
    world_normal: vec3<f32>,
    front: bool,
) -> vec4<f32> {
    let to_camera = select(
        normalize(view.world_position - world_position),
        view.world_from_view[2].xyz,
        view.clip_from_view[3].w == 1.0, // orthographic
    );
    let of_triangle = normalize(cross(dpdx(world_position), dpdy(world_position)));
    let towards = select(-1.0, 1.0, dot(of_triangle, to_camera) > 0.0);
    let of_vertices = normalize(world_normal) * select(-1.0, 1.0, front);
    let n_world = select(of_vertices, of_triangle * towards, studio.look.w > 0.5);
    let n = (view.view_from_world * vec4<f32>(n_world, 0.0)).xyz;
    let v = (view.view_from_world * vec4<f32>(to_camera, 0.0)).xyz;
    let facing = clamp(dot(n, v), 0.0, 1.0);

#ifdef MATCAP
    return vec4<f32>(matcap(n, v), studio.color.a);
#else
    let key_from = vec3<f32>(-0.45, 0.56, 0.70);
    let fill_from = vec3<f32>(0.80, 0.10, 0.59);
    // Wrapped, so that the terminator is soft as under a large lamp.
    let key = max(0.0, dot(n, key_from) * 0.85 + 0.15);
    let fill = max(0.0, dot(n, fill_from) * 0.7 + 0.3);
    let sky = 0.5 + 0.5 * n_world.y;
    let light = vec3<f32>(1.00, 0.96, 0.90) * (0.68 * key * key)
        + vec3<f32>(0.62, 0.74, 0.95) * (0.16 * fill)
        + mix(vec3<f32>(0.050, 0.045, 0.045), vec3<f32>(0.155, 0.170, 0.195), sky);
    let half_way = normalize(key_from + v);
    let shine = studio.look.y * pow(max(dot(n, half_way), 0.0), 24.0);
    let outline = pow(1.0 - facing, 3.0);
    let rim = 0.18 * outline * (0.35 + 0.65 * sky);

    let lit = surface * (light + vec3<f32>(rim)) + vec3<f32>(shine);
    let rgb = mix(surface, lit, studio.look.z);
    let alpha = clamp(studio.color.a + studio.look.x * pow(1.0 - facing, 2.0), 0.0, 1.0);
    // Lines have no normals. Not by a branch: for each value of a uniform that is branched on, the software
    // driver compiles the shader anew, and keeps it.
    return select(vec4<f32>(rgb, alpha), vec4<f32>(surface, studio.color.a), studio.look.z == 0.0);
#endif
}

// What a polished ball shows at the place with the normal `n`, seen from `v`, both in the camera's space: a studio
// with a dark floor, light walls, a long lamp above on the left and a small one on the right. Its edges show on a
// surface how that is bent.
fn matcap(n: vec3<f32>, v: vec3<f32>) -> vec3<f32> {
    let r = reflect(-v, n);
    let wall = mix(vec3<f32>(0.05, 0.048, 0.05), vec3<f32>(0.25, 0.27, 0.31), smoothstep(-0.25, 0.55, r.y));
    let floor_edge = 0.10 * smoothstep(-0.45, -0.35, r.y) * (1.0 - smoothstep(-0.2, 0.1, r.y));
    let lamp = smoothstep(0.30, 0.40, r.y) * (1.0 - smoothstep(0.72, 0.80, r.y)) * smoothstep(0.15, -0.05, r.x);
    let window = smoothstep(0.55, 0.65, r.x) * (1.0 - smoothstep(0.85, 0.92, r.x)) * smoothstep(-0.2, 0.0, r.y);
    let facing = clamp(dot(n, v), 0.0, 1.0);
    let body = vec3<f32>(0.10, 0.115, 0.14) * facing;
    return body + wall * (0.55 + 0.45 * (1.0 - facing)) + vec3<f32>(0.50, 0.48, 0.45) * lamp
        + vec3<f32>(0.20, 0.23, 0.28) * window + vec3<f32>(floor_edge);
}
