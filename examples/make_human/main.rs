mod arm; mod body; mod cage_arm; mod cage_leg; mod cage_trunk; mod fit; mod hand; mod head; mod landmarks; mod leg; mod quads; mod shape; mod torso;
use std::io::Write;
fn main() {
    let body = body::Body::new();
    let mut cage = quads::QuadMesh::default();
    let s = cage_trunk::build(&mut cage, &body);
    cage_arm::build(&mut cage, &body, &s.arm);
    cage_leg::build(&mut cage, &body, &s.leg);
    let mut mesh = cage.mirrored().oriented();
    if std::env::args().nth(2).is_none() {
    fit::fit(&mut mesh, &body, 3, 0.3);
    mesh = mesh.subdivided();
    fit::fit(&mut mesh, &body, 8, 0.4);
    }
    println!("v {} f {} bad edges {}", mesh.positions.len(), mesh.quads.len(), mesh.edges().iter().filter(|e| e.1.len()!=2).count());
    let mut o = std::fs::File::create(std::env::args().nth(1).unwrap()).unwrap();
    for p in &mesh.positions { writeln!(o, "v {} {} {}", p.x, p.y, p.z).unwrap(); }
    for q in &mesh.quads { writeln!(o, "f {} {} {} {}", q[0]+1, q[1]+1, q[2]+1, q[3]+1).unwrap(); }
}
