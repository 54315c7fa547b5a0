//! Writes polygons as OBJ: numbers in the shortest form that reads back as the same number, equal texture
//! coordinates and normals only once. Refuses what could not be read again.

use super::super::format::Object;
use glam::Vec3;
use std::collections::HashMap;
use std::fmt::Write;

/// Why polygons cannot be written as OBJ.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WriteError {
    /// A position that is not finite. Vertices are counted from 0, as in a scene. `comment` states space and
    /// pose.
    #[error(
        "“{object}” ({comment}): vertex {vertex} is too far from the origin to be written; scale the mesh, its bones \
         or its transforms down"
    )]
    Position { object: String, comment: String, vertex: usize },
    #[error(
        "“{object}” ({comment}): the {attribute} of a corner of vertex {vertex} is not a number; undo the \
             change that made it so"
    )]
    Corner { object: String, comment: String, attribute: &'static str, vertex: u32 },
    #[error(
        "{objects} no faces, and an OBJ file without faces could not be read again; choose a mesh that has some"
    )]
    NoFaces { objects: String },
}

/// Returns the text of an OBJ file with the given objects. `comment` is its first line. Zero normals are
/// written too; an object without normals or texture coordinates is written without them. Indices out of
/// range are written unchanged.
///
/// # Errors
/// If a number is not finite, or there are no faces.
pub fn write(comment: &str, objects: &[Object]) -> Result<String, WriteError> {
    check(comment, objects)?;
    let mut text = format!("# {}\n", comment.replace(char::is_control, " "));
    // OBJ numbers everything from 1, continuously through all objects.
    let mut first = 1;
    let (mut uvs, mut normals) = (ValueNumbers::default(), ValueNumbers::default());
    for Object { name, polygons } in objects {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "o {}", sanitize_name(name));
        for position in &polygons.positions {
            line(&mut text, "v", position.to_array());
        }
        let uv_numbers: Vec<usize> =
            polygons.uvs.iter().map(|uv| uvs.number(&mut text, "vt", uv.to_array())).collect();
        let normal_numbers: Vec<usize> =
            polygons.normals.iter().map(|n: &Vec3| normals.number(&mut text, "vn", n.to_array())).collect();
        let mut corner = 0;
        for face in &polygons.faces {
            text.push('f');
            for &vertex in face {
                let _ = write!(text, " {}", first + vertex as usize);
                match (uv_numbers.get(corner), normal_numbers.get(corner)) {
                    (Some(uv), Some(normal)) => drop(write!(text, "/{uv}/{normal}")),
                    (Some(uv), None) => drop(write!(text, "/{uv}")),
                    (None, Some(normal)) => drop(write!(text, "//{normal}")),
                    (None, None) => {}
                }
                corner += 1;
            }
            text.push('\n');
        }
        first += polygons.positions.len();
    }
    Ok(text)
}

fn check(comment: &str, objects: &[Object]) -> Result<(), WriteError> {
    for Object { name, polygons } in objects {
        if let Some(vertex) = polygons.positions.iter().position(|p| !p.is_finite()) {
            return Err(WriteError::Position {
                object: (*name).to_owned(),
                comment: comment.to_owned(),
                vertex,
            });
        }
        let normal = polygons.normals.iter().position(|n| !n.is_finite());
        let uv = polygons.uvs.iter().position(|uv| !uv.is_finite());
        let corner = normal.map(|corner| ("normal", corner));
        if let Some((attribute, corner)) = corner.or(uv.map(|corner| ("texture coordinate", corner))) {
            return Err(WriteError::Corner {
                object: (*name).to_owned(),
                comment: comment.to_owned(),
                attribute,
                vertex: *polygons.faces.iter().flatten().nth(corner).unwrap_or(&0),
            });
        }
    }
    if objects.iter().all(|object| object.polygons.faces.is_empty()) {
        let objects = match objects {
            [one] => format!("“{}” has", one.name),
            _ => "the objects have".to_owned(),
        };
        return Err(WriteError::NoFaces { objects });
    }
    Ok(())
}

/// The numbers of written values, by their bits.
#[derive(Default)]
struct ValueNumbers(HashMap<Vec<u32>, usize>);

impl ValueNumbers {
    /// Returns the number of a value, and writes it if it is new.
    fn number<const N: usize>(&mut self, text: &mut String, key: &str, value: [f32; N]) -> usize {
        let new = self.0.len() + 1;
        *self.0.entry(value.map(f32::to_bits).to_vec()).or_insert_with(|| {
            line(text, key, value);
            new
        })
    }
}

fn line<const N: usize>(text: &mut String, key: &str, values: [f32; N]) {
    text.push_str(key);
    for value in values {
        let (plain, short) = (format!("{value}"), format!("{value:e}"));
        text.push(' ');
        text.push_str(if short.len() < plain.len() { &short } else { &plain });
    }
    text.push('\n');
}

/// Replaces special characters: names in OBJ end at a line break, many readers stop at a space, some at `#`.
fn sanitize_name(name: &str) -> String {
    let is_special = |c: char| c.is_whitespace() || c.is_control() || c == '#' || c == '\\';
    name.replace(is_special, "_")
}
