//! What repairs found, as plain data: an importer says it in its own words.

use glam::Vec3;

/// So many items are named; the rest is counted.
const NAMED: usize = 8;

/// What was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A face names a vertex that is not there; left out.
    MissingVertex,
    /// Left out.
    FewCorners,
    /// A corner's texture coordinate is not there or no number; none is taken.
    BadUv,
    /// A corner's normal is not there or no number; computed.
    BadNormal,
    /// A face touches a vertex twice; cut there, and parts without area are left out.
    RepeatedCorner,
    /// Kept: a surface may be closed by it.
    NoArea,
    /// Only the first is kept.
    DuplicateFace,
    /// Ran the other way around than its neighbours.
    TurnedFace,
    /// An edge with more than two faces; its vertices are doubled.
    CrowdedEdge,
    /// An edge that joins faces which cannot face the same way; cut.
    OneSided,
    /// A vertex of separate fans of faces; doubled, one for every fan.
    BowTie,
    /// A vertex in no face; left out.
    LoosePoint,
}

/// Where. Faces are numbered as the importer does, vertices by their index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    Face(u32),
    FaceVertex(u32, u32),
    /// How many corners.
    FaceCorners(u32, usize),
    /// Ends, and how many faces.
    Edge([u32; 2], u32),
    Vertex(u32, Vec3),
}

/// All that is wrong in one way.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub kind: Kind,
    pub count: usize,
    /// The first ones, at least one.
    pub items: Vec<Item>,
    /// Where the importer read the first one.
    pub place: u32,
}

impl Finding {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            count: 0,
            items: Vec::new(),
            place: 0,
        }
    }

    pub(super) fn add(&mut self, place: u32, item: Item) {
        if self.count == 0 {
            self.place = place;
        }
        self.count += 1;
        if self.items.len() < NAMED {
            self.items.push(item);
        }
    }

    /// Unless there is none.
    pub(super) fn push_to(self, findings: &mut Vec<Self>) {
        if self.count > 0 {
            findings.push(self);
        }
    }
}
