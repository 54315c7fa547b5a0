mod arm; mod body; mod bones; mod cage_arm; mod cage_leg; mod cage_trunk; mod check; mod crossing; mod fit; mod hand; mod head; mod landmarks; mod leg; mod quads; mod shape; mod torso;
use std::io::Write;
fn main() {
    let body = body::Body::new();
    let mut cage = quads::QuadMesh::default();
    let s = cage_trunk::build(&mut cage, &body);
    cage_arm::build(&mut cage, &body, &s.arm);
    cage_leg::build(&mut cage, &body, &s.leg);
    let mut mesh = cage.mirrored().oriented();
    fit::fit(&mut mesh, &body, 5, 0.4);
    mesh = mesh.subdivided();
    fit::fit(&mut mesh, &body, 8, 0.4);
    let skeleton = bones::skeleton(&body.hand);
    let f = check::check(&mesh, &skeleton, &ossature::rig::weights::VertexWeights::none(mesh.positions.len()));
    for l in f.figures { println!("{l}"); }
    for l in f.complaints { println!("BAD: {l}"); }
    let mut o = std::fs::File::create(std::env::args().nth(1).unwrap()).unwrap();
    for p in &mesh.positions { writeln!(o, "v {} {} {}", p.x, p.y, p.z).unwrap(); }
    for q in &mesh.quads { writeln!(o, "f {} {} {} {}", q[0]+1, q[1]+1, q[2]+1, q[3]+1).unwrap(); }
    writeln!(o, "base {} {} {}", skeleton.base.x, skeleton.base.y, skeleton.base.z).unwrap();
    for b in &skeleton.bones { writeln!(o, "bone {} {} {} {} {} {} {}", b.parent.map_or(-1, |p| p as i32), b.extent.x, b.extent.y, b.extent.z, b.roll_deg, b.radius, b.name.as_ref().unwrap()).unwrap(); }
}
