//! Damaged OBJ files: reading never panics, and gives a surface that the format accepts or an error that
//! says what to do. `OSSATURE_MUTATIONS` sets the number, `OSSATURE_SEED` the first seed.

use crate::editing::Random;
use ossature::io::obj::{self, Object};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::mesh::soup::Polygons;
use std::fmt::Write;

fn from_env(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A file with everything that an OBJ file may contain.
fn whole() -> String {
    let mut text = String::new();
    let shapes = [primitives::cuboid(glam::Vec3::ONE).unwrap(), primitives::tube(0.5, 1.5, 5, 2).unwrap()];
    let polygons: Vec<_> = shapes.iter().map(Polygons::new).collect();
    let objects: Vec<_> = polygons.iter().map(|polygons| Object { name: "thing", polygons }).collect();
    text += &obj::write("whole", &objects).unwrap();
    text += "mtllib a.mtl\nusemtl b\ns off\nv 1 2 3 0.5 0.5 0.5\nf -1 \\\n -2 -3\nl 1 2\np 1\nvp 1 2\n";
    text
}

fn check(bytes: &[u8], tally: &mut [usize; 2]) {
    match obj::read(bytes) {
        Ok(import) => {
            tally[0] += 1;
            assert_eq!(HalfedgeMesh::new(import.surface.raw()).as_ref(), Ok(&import.surface));
            assert_eq!(import.polygons.build().as_ref(), Ok(&import.surface));
            for finding in &import.report.findings {
                assert!(!finding.at.is_empty() && finding.text.len() > 10 && finding.text.len() < 2000);
            }
            // Repairs are not repeated; plain findings are reported again.
            const TOLD: [&str; 3] = ["computed-normals", "inside-out", "no-area"];
            let object = Object { name: &import.name, polygons: &import.polygons };
            let again = obj::read(obj::write("again", &[object]).unwrap().as_bytes()).unwrap();
            let mut findings = again.report.findings.iter();
            assert!(findings.all(|f| TOLD.contains(&f.code)), "{:?}", again.report);
            assert_eq!(again.polygons.faces, import.polygons.faces);
        }
        Err(error) => {
            tally[1] += 1;
            assert!(error.to_string().len() > 20, "{error}");
        }
    }
}

#[test]
fn damaged_text_is_read_or_refused() {
    let whole = whole();
    let (count, first) = (from_env("OSSATURE_MUTATIONS", 1500), from_env("OSSATURE_SEED", 1));
    let mut tally = [0; 2];
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] = b"0123456789-/. e\n\\#vf"[random.below(20)],
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, b"0123456789-/. \n"[random.below(15)]),
                4 => bytes.truncate(at.max(1)),
                _ => {
                    let end = (at + random.below(200)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    let to = random.below(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
        }
        check(&bytes, &mut tally);
    }
    println!("read {}, refused {}", tally[0], tally[1]);
    assert!(count < 1000 || tally.iter().all(|&n| n > count as usize / 10), "{tally:?}");
}

/// Faces that join arbitrary vertices: dense, and nothing like a surface.
#[test]
fn any_soup_of_faces_becomes_a_surface() {
    let (count, first) = (from_env("OSSATURE_MUTATIONS", 1500), from_env("OSSATURE_SEED", 1));
    let mut tally = [0; 2];
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let vertices = 3 + random.below(9);
        let mut text = String::new();
        for _ in 0..vertices {
            let p = random.vec3(1.0);
            let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
        }
        for _ in 0..1 + random.below(40) {
            text.push('f');
            for _ in 0..1 + random.below(7) {
                let _ = write!(text, " {}", 1 + random.below(vertices));
            }
            text.push('\n');
        }
        check(text.as_bytes(), &mut tally);
    }
    assert!(count < 1000 || tally[0] > count as usize * 3 / 4, "{tally:?}");
}

/// The time grows with the file, whatever its contents.
#[test]
fn many_faces_at_one_edge_or_vertex_are_no_trouble() {
    let mut text = String::from("v 0 0 0\nv 0 1 0\n");
    for i in 0..20_000 {
        let (sin, cos) = (i as f32).sin_cos();
        let _ = write!(text, "v {cos} 0 {sin}\nf 1 2 -1\n");
    }
    let import = obj::read(text.as_bytes()).unwrap();
    assert_eq!(import.statistics.faces, 20_000);
    let mut text = String::from("v 0 0 0\nf");
    (0..200_000).for_each(|i| text.push_str(if i % 2 == 0 { " 1" } else { " -1" }));
    assert!(obj::read(text.as_bytes()).is_err());
}
