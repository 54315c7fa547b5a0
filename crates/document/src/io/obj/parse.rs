//! Parses the statements of an OBJ file, line by line, and resolves indices. Checks each line by itself;
//! references of faces are checked in `mesh::repair`.

use super::super::file::ReadError;
use super::super::report::{Report, Severity};
use crate::io::count::counted;
use crate::math::reserve::reserve_frugally;
use crate::mesh::repair::InputMesh;
use crate::mesh::repair::faces::{Corner, NONE};
use glam::{Vec2, Vec3};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The index for 0 and for relative indices before the first item. No item has it, nor [`FAR`], which
/// represents itself and everything above: files of an accepted size have fewer items.
const OUTSIDE: u32 = NONE - 1;
const FAR: u32 = OUTSIDE - 1;

/// Describes how the index of a missing vertex was given.
pub fn index(vertex: u32) -> String {
    match vertex {
        OUTSIDE => "before the first".into(),
        FAR => format!("vertex {} or above", u64::from(FAR) + 1),
        vertex => format!("vertex {}", u64::from(vertex) + 1),
    }
}

/// The hint for lines that are not valid statements.
const HINT: &str = "Export the mesh again, or correct the line in a text editor";

/// The maximum number of unknown kinds of statements that are named; the others are counted together.
const MAX_LEFT_OUT: usize = 20;
const OTHERS: &str = "and others";

/// Omitted kinds of statements: their counts, and the line of the first.
type LeftOut = BTreeMap<String, (usize, u32)>;

fn push<T>(items: &mut Vec<T>, item: T) {
    reserve_frugally(items, 1);
    items.push(item);
}

/// Parses a file into its mesh, with line numbers as places, and the name of its first object or group.
/// Indices are from 0 and resolved, but may refer to missing items, see [`OUTSIDE`].
pub fn parse(bytes: &[u8], report: &mut Report) -> Result<(String, InputMesh), ReadError> {
    if let Some(index) = bytes.iter().take(1 << 16).position(|&b| b == 0) {
        return Err(ReadError::Content {
            problem: format!("the file is not text: byte {index} is zero"),
            hint: "Check that it is an OBJ file".into(),
        });
    }
    let text = String::from_utf8_lossy(bytes);
    // Some programs write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // Very old files end lines with a carriage return alone, and may have got a line feed somewhere since.
    let lines = text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'));
    let mut lines = lines.zip(1u32..);
    let mut statements = Statements::default();
    while let Some((line, number)) = lines.next() {
        let line = join_continuations(line, lines.by_ref().map(|(line, _)| line));
        statements.add(&line, number)?;
    }
    statements.report(report);
    let Statements { mesh, names, .. } = statements;
    if mesh.faces.is_empty() {
        let problem = match mesh.positions.len() {
            0 => "there are no vertices and no faces in the file".to_owned(),
            count => format!("there are {count} vertices but no faces in the file"),
        };
        let hint = "Check that it is an OBJ file, and export the mesh with its faces".into();
        return Err(ReadError::Content { problem, hint });
    }
    Ok((names.into_iter().next().unwrap_or_default(), mesh))
}

/// Statements with names, which end with their line: a backslash may be part of a folder.
const NAMES: &[&str] =
    &["o", "g", "s", "mg", "mtllib", "usemtl", "maplib", "usemap", "shadow_obj", "trace_obj", "call"];

/// Returns a line without its comment, joined with the following lines if what is left ends with a backslash.
fn join_continuations<'a>(line: &'a str, mut following: impl Iterator<Item = &'a str>) -> Cow<'a, str> {
    let without_comment = |line: &'a str| line.split('#').next().unwrap_or_default().trim_end();
    let mut line = without_comment(line);
    let is_name = line.split_whitespace().next().is_some_and(|keyword| NAMES.contains(&keyword));
    if is_name || !line.ends_with('\\') {
        return line.into();
    }
    let mut result = String::new();
    while let Some(part) = line.strip_suffix('\\') {
        result.push_str(part);
        result.push(' ');
        line = following.next().map_or("", without_comment);
    }
    result.push_str(line);
    result.into()
}

/// The statements of all lines.
#[derive(Default)]
struct Statements {
    mesh: InputMesh,
    left_out: LeftOut,
    /// The names of objects and groups.
    names: Vec<String>,
    /// The number of vertices with colours.
    colours: usize,
}

impl Statements {
    fn add(&mut self, line: &str, number: u32) -> Result<(), ReadError> {
        let mesh = &mut self.mesh;
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "" => {}
            "v" => {
                let (position, rest_count) = numbers::<3>(words, line, number)?;
                if !position.iter().all(|n| n.is_finite()) {
                    let vertex = mesh.positions.len() + 1;
                    let problem = format!("vertex {vertex} is at “{}”, which is not a position", line.trim());
                    return Err(refuse(number, problem));
                }
                self.colours += usize::from(rest_count >= 3);
                push(&mut mesh.positions, Vec3::from(position));
                push(&mut mesh.position_locations, number);
            }
            "vt" => {
                // One number is enough: the other defaults to 0.
                let u = words.next().map(|word| (word, words.next().unwrap_or("0")));
                let (uv, _) = numbers::<2>(u.into_iter().flat_map(|(u, v)| [u, v]), line, number)?;
                push(&mut mesh.uvs, Vec2::from(uv));
            }
            "vn" => {
                let (normal, _) = numbers::<3>(words, line, number)?;
                push(&mut mesh.normals, Vec3::from(normal));
            }
            "f" | "fo" => {
                for word in words {
                    let corner = corner(word, mesh, number)?;
                    mesh.faces.push(corner);
                }
                let face = mesh.faces.len() as u32 + 1;
                mesh.faces.end(face, number);
            }
            "o" | "g" => {
                let name = line.trim_start()[1..].trim();
                let names = &mut self.names;
                if !name.is_empty() && !names.iter().any(|known| known == name) && names.len() < 1000 {
                    names.push(name.to_owned());
                }
            }
            // Statements that do not affect the shape.
            "s" | "mg" | "lod" | "bevel" | "c_interp" | "d_interp" | "shadow_obj" | "trace_obj"
            | "maplib" | "usemap" | "call" => {}
            keyword => self.leave_out(keyword, number),
        }
        Ok(())
    }

    fn leave_out(&mut self, keyword: &str, number: u32) {
        let kind = match keyword {
            "usemtl" | "mtllib" => "materials",
            "l" => "lines",
            "p" => "points",
            "vp" | "cstype" | "deg" | "bmat" | "step" | "curv" | "curv2" | "surf" | "parm" | "trim"
            | "hole" | "scrv" | "sp" | "end" | "con" => "free-form curves and surfaces",
            _ => keyword,
        };
        let kind: String = kind.chars().take(40).collect();
        let kind = if self.left_out.len() < MAX_LEFT_OUT || self.left_out.contains_key(&kind) {
            kind
        } else {
            OTHERS.to_owned()
        };
        self.left_out.entry(kind).or_insert((0, number)).0 += 1;
    }

    fn report(&self, report: &mut Report) {
        if self.colours > 0 {
            let text = format!(
                "{} colours, which are left out",
                counted(self.colours, "vertex has", "vertices have")
            );
            report.add(Severity::Note, "left-out", "whole mesh", text);
        }
        report_left_out(&self.left_out, report);
        let names = &self.names;
        if names.len() > 1 {
            let list = names.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
            let dots = if names.len() > 8 { ", …" } else { "" };
            let text = format!("{} objects or groups ({list}{dots}) become one mesh", names.len());
            report.add(Severity::Note, "joined-groups", "whole mesh", text);
        }
    }
}

fn report_left_out(left_out: &LeftOut, report: &mut Report) {
    for (kind, (count, line)) in left_out {
        let (severity, text) = match kind.as_str() {
            "materials" => {
                (Severity::Note, "materials are left out, and no library of them is opened".to_owned())
            }
            "lines" | "points" | "free-form curves and surfaces" => (
                Severity::Warning,
                format!("{kind} are left out ({count} statements): only polygons can be used"),
            ),
            OTHERS => {
                (Severity::Note, format!("other statements are not known; they are left out ({count} times)"))
            }
            _ => (
                Severity::Note,
                format!("the statement “{kind}” is not known; it is left out ({count} times)"),
            ),
        };
        report.add(severity, "left-out", format!("line {line}"), text);
    }
}

fn refuse(line: u32, problem: String) -> ReadError {
    ReadError::Line { problem, line: line as usize, hint: HINT.into() }
}

/// Returns the first N numbers of a line, and the number of words that follow.
fn numbers<'a, const N: usize>(
    words: impl IntoIterator<Item = &'a str>,
    line: &str,
    number: u32,
) -> Result<([f32; N], usize), ReadError> {
    let mut found = [0.0; N];
    let mut words = words.into_iter();
    for slot in &mut found {
        let value = words.next().and_then(|word| word.parse().ok());
        *slot = value.ok_or_else(|| {
            let shown: String = line.trim().chars().take(60).collect();
            refuse(number, format!("“{shown}” does not hold {N} numbers"))
        })?;
    }
    Ok((found, words.count()))
}

/// Parses a corner: `7`, `7/2`, `7//3` or `7/2/3`; negative indices count back from the last item.
fn corner(word: &str, mesh: &InputMesh, line: u32) -> Result<Corner, ReadError> {
    let error = || {
        let shown: String = word.chars().take(40).collect();
        refuse(
            line,
            format!("“{shown}” is not a corner of a face, which is written as 7, 7/2, 7//3 or 7/2/3"),
        )
    };
    let mut parts = word.split('/');
    let mut index = |count: usize| -> Result<u32, ReadError> {
        let Some(text) = parts.next().filter(|text| !text.is_empty()) else {
            return Ok(NONE);
        };
        let number: i64 = text.parse().map_err(|_| error())?;
        let index = match number {
            // Indices begin at 1.
            0 => return Ok(OUTSIDE),
            1.. => number - 1,
            offset => (count as i64).saturating_add(offset),
        };
        Ok(match u32::try_from(index) {
            Ok(index) => index.min(FAR),
            Err(_) if index < 0 => OUTSIDE,
            Err(_) => FAR,
        })
    };
    let vertex = index(mesh.positions.len())?;
    if vertex == NONE {
        return Err(error());
    }
    let uv = index(mesh.uvs.len())?;
    let normal = index(mesh.normals.len())?;
    if parts.next().is_some() {
        return Err(error());
    }
    Ok(Corner { vertex, uv, normal })
}
