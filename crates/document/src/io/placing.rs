//! The unit and directions of a file, which OBJ does not state: a guess from the shape of its body, and the
//! conversion of its mesh to the scene, where y is up and a body faces +z.

use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::orientation::{Guess, Orientation, guess, guess_unit};
use crate::mesh::soup::Polygons;
use glam::Vec3;
use std::ops::RangeInclusive;

/// The conversion of an imported mesh; the default leaves it as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// Units of the scene per unit of the file, within [`Placing::SCALES`].
    pub scale: f32,
    /// The directions in the file.
    pub orientation: Orientation,
    /// Whether the lowest point is put on the floor, at height 0.
    pub on_floor: bool,
}

impl Default for Placing {
    fn default() -> Self {
        Self { scale: 1.0, orientation: Orientation::default(), on_floor: false }
    }
}

/// A body within this part of its height from the floor stands on it already.
pub const FLOOR_TOLERANCE: f32 = 0.01;

/// The size of a house in metres.
const HOUSE: f32 = 20.0;

impl Placing {
    pub const SCALES: RangeInclusive<f32> = 1e-6..=1e6;

    /// Returns what the shape of a mesh suggests, and what is known about it. What is no body may have any size: if
    /// the upright direction is not clear, a unit is guessed only for what would be larger than a house.
    pub fn guess(polygons: &Polygons) -> (Self, Guess) {
        let triangles: Vec<[u32; 3]> = polygons.triangles();
        let guess = guess(&polygons.positions, &triangles);
        let bounds = Bounds::from_points(polygons.positions.iter().copied());
        let size = (guess.orientation.rotation() * (bounds.max - bounds.min)).abs();
        let scale = match guess.up_sure {
            true => guess_unit(size.y, size.x.max(size.z)).1,
            false if size.max_element() > HOUSE => guess_unit(size.max_element(), size.max_element()).1,
            false => 1.0,
        };
        let placing = Self { scale, orientation: guess.orientation, on_floor: true };
        (placing, guess)
    }

    /// Returns the extents of a mesh of the given bounds after the conversion: width, height and depth.
    pub fn size(&self, bounds: &Bounds) -> Vec3 {
        let size = self.orientation.rotation() * ((bounds.max - bounds.min) * self.scale);
        size.abs()
    }

    /// Converts a mesh to the unit and axes of the scene; the default leaves it unchanged, bit for bit.
    pub fn place(&self, mut surface: HalfedgeMesh) -> HalfedgeMesh {
        if self.scale != 1.0 || self.orientation != Orientation::default() {
            surface.scale_and_rotate(self.scale, self.orientation.rotation());
        }
        let bounds = Bounds::from_points(surface.positions().iter().copied());
        let height = bounds.max.y - bounds.min.y;
        if self.on_floor && bounds.min.y.abs() > FLOOR_TOLERANCE * height {
            surface.translate(-Vec3::new(0.0, bounds.min.y, 0.0));
        }
        surface
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::orientation::{Axis, UNITS};
    use crate::mesh::primitives::cuboid;

    #[test]
    fn z_becomes_up_and_normals_turn_along() {
        let polygons = Polygons {
            positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
            faces: vec![vec![0, 1, 2]],
            normals: vec![Vec3::Z; 3],
            ..Polygons::default()
        };
        let surface = polygons.build().unwrap();
        assert_eq!(Placing::default().place(surface.clone()), surface);
        let placed =
            Placing { scale: 100.0, orientation: Orientation::default().with_up(Axis::Z), on_floor: false };
        let placed = placed.place(surface);
        for (found, expected) in placed.positions().iter().zip([Vec3::X, Vec3::NEG_Z, Vec3::Y]) {
            assert!(found.distance(100.0 * expected) < 1e-4, "{found}");
        }
        let normals = placed.face_corners(0).map(|corner| placed.corner_normals()[corner as usize]);
        assert!(normals.into_iter().all(|normal| normal.distance(Vec3::Y) < 1e-6));
    }

    /// A figure of boxes that faces +z: legs with toes, trunk, arms and a head; 1.8 units tall.
    fn figure() -> Polygons {
        let mut figure = Polygons::default();
        let mut add = |middle: [f32; 3], size: [f32; 3]| {
            let cuboid = Polygons::new(&cuboid(Vec3::from(size)).unwrap());
            let first = figure.positions.len() as u32;
            let lowest = Bounds::from_points(cuboid.positions.iter().copied()).center();
            figure.positions.extend(cuboid.positions.iter().map(|p| *p - lowest + Vec3::from(middle)));
            figure.faces.extend(cuboid.faces.iter().map(|face| face.iter().map(|v| v + first).collect()));
        };
        for side in [-1.0, 1.0] {
            add([0.12 * side, 0.45, 0.0], [0.14, 0.9, 0.14]);
            add([0.12 * side, 0.04, 0.1], [0.12, 0.08, 0.26]);
            add([0.5 * side, 1.4, 0.0], [0.6, 0.1, 0.1]);
        }
        add([0.0, 1.2, 0.0], [0.42, 0.6, 0.22]);
        add([0.0, 1.66, 0.02], [0.18, 0.28, 0.22]);
        figure
    }

    #[test]
    fn a_body_that_holds_something_stands_and_what_is_unclear_is_on_the_floor_in_metres() {
        let add = |figure: &mut Polygons, middle: Vec3, size: Vec3| {
            let cuboid = Polygons::new(&cuboid(size).unwrap());
            let first = figure.positions.len() as u32;
            let center = Bounds::from_points(cuboid.positions.iter().copied()).center();
            let moved = cuboid.positions.iter().map(|p| *p - center + middle);
            figure.positions.extend(moved);
            let faces = cuboid.faces.iter();
            let faces = faces.map(|face| face.iter().map(|v| v + first).collect());
            figure.faces.extend(faces);
        };
        let z_up = |polygons: &mut Polygons| {
            for p in &mut polygons.positions {
                *p = 100.0 * Vec3::new(p.x, -p.z, p.y);
            }
        };
        let mut swordsman = figure();
        add(&mut swordsman, Vec3::new(0.8, 1.4, 0.6), Vec3::new(0.03, 0.05, 1.3));
        z_up(&mut swordsman);
        let (placing, guess) = Placing::guess(&swordsman);
        assert!(guess.up_sure);
        assert_eq!((placing.orientation.up, placing.scale), (Axis::Z, 0.01));
        let mut cube = Polygons::default();
        add(&mut cube, Vec3::new(0.0, -3.0, 0.0), Vec3::ONE);
        z_up(&mut cube);
        let (placing, guess) = Placing::guess(&cube);
        assert!(!guess.up_sure && placing.on_floor);
        assert_eq!((placing.orientation, placing.scale), (Orientation::default(), 0.01));
        let surface = placing.place(cube.build().unwrap());
        let bounds = Bounds::from_points(surface.positions().iter().copied());
        assert!(bounds.min.y.abs() < 1e-4 && (bounds.max.y - 1.0).abs() < 1e-3, "{bounds:?}");
    }

    #[test]
    fn a_body_stands_and_faces_front_whatever_the_axes_and_units_of_its_file() {
        for (_, unit) in &UNITS[..4] {
            for up in Axis::ALL {
                for front in Axis::ALL.into_iter().filter(|front| front.index != up.index) {
                    let orientation = Orientation { up, front };
                    let mut stored = figure();
                    let file_from_scene = orientation.rotation().transpose();
                    for position in &mut stored.positions {
                        *position = file_from_scene * (*position + Vec3::new(0.3, 2.0, 0.1)) / *unit;
                    }
                    let (placing, guess) = Placing::guess(&stored);
                    assert!(guess.up_sure && guess.front_sure, "{up} {front} {unit}");
                    let expected = Placing { scale: *unit, orientation, on_floor: true };
                    assert_eq!(placing, expected, "{up} {front}");
                    let placed = placing.place(stored.build().unwrap());
                    let lowest = placed.positions().iter().map(|p| p.y).fold(f32::MAX, f32::min);
                    assert!(lowest.abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn what_stands_in_the_scene_already_is_not_changed() {
        let figure = figure();
        let (placing, _) = Placing::guess(&figure);
        let surface = figure.build().unwrap();
        assert_eq!(placing.place(surface.clone()), surface);
    }
}
