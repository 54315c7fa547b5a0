//! The findings of repairs as plain data; the wording is up to the importers.

use glam::Vec3;

/// The number of items listed individually; the rest are counted.
const MAX_ITEMS: usize = 8;

/// The kind of defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A face with a vertex index out of range; dropped.
    MissingVertex,
    /// A face with fewer than three corners; dropped.
    FewCorners,
    /// A corner with a texture coordinate that is missing or not finite; ignored.
    BadUv,
    /// A corner with a normal that is missing or not finite; computed.
    BadNormal,
    /// A face that touches a vertex twice; split there, and parts with fewer than three corners are dropped.
    RepeatedCorner,
    /// A face without area; kept, because it may close the surface.
    NoArea,
    /// A duplicate of another face; only the first is kept.
    DuplicateFace,
    /// A face that was wound the other way than its neighbours; flipped.
    FlippedFace,
    /// An edge with more than two faces; its vertices are duplicated.
    NonManifoldEdge,
    /// An edge between faces that cannot be oriented consistently; cut.
    NonOrientable,
    /// A vertex where separate fans of faces meet; duplicated once per additional fan.
    BowTie,
    /// A vertex without faces; dropped.
    LoosePoint,
}

/// The element concerned. Faces are numbered as the importer numbers them, vertices by index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    Face(u32),
    FaceVertex(u32, u32),
    /// The face and its number of corners.
    FaceCorners(u32, usize),
    /// The ends of the edge and its number of faces.
    Edge([u32; 2], u32),
    Vertex(u32, Vec3),
}

/// All defects of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub kind: Kind,
    pub count: usize,
    /// The first few items; at least one.
    pub items: Vec<Item>,
    /// The location of the first item in the file.
    pub location: u32,
}

impl Finding {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, count: 0, items: Vec::new(), location: 0 }
    }

    pub(super) fn add(&mut self, location: u32, item: Item) {
        if self.count == 0 {
            self.location = location;
        }
        self.count += 1;
        if self.items.len() < MAX_ITEMS {
            self.items.push(item);
        }
    }

    /// Appends the finding unless it is empty.
    pub(super) fn push_to(self, findings: &mut Vec<Self>) {
        if self.count > 0 {
            findings.push(self);
        }
    }
}
