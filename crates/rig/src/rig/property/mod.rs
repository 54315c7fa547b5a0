//! The table of properties: a row for each member of a bone, a handle, a skeleton, a resource or an instance. Reading
//! and writing of files, channels, the command that sets a value, its undo label, its row in panels, what the other
//! side of a skeleton gets and `info --json` are derived from the row.

mod access;
mod rows;

use super::body::mirror_plane::MirrorPlane;
use super::limits::Limits;
use super::skeleton::{Handle, LookAt, Orientation, Part, Pole};
pub use crate::{member, variant_member};
pub use access::{Access, PartTarget, Property, Slot};
use glam::{Quat, Vec3};
pub use rows::{
    BASE, BASE_OFFSET, BONE, ENABLED, GOAL, HANDLE, ORIENTATION, POLE_POINT, POSE, SCALE, SHAPE,
    SHAPE_WEIGHT, SKELETON, STRETCH, TARGET, TRANSLATION, WEIGHT,
};
use serde::{Deserialize, Serialize};

/// A row of the table, except for the access to the value.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The member of the file.
    pub id: &'static str,
    /// The label that users see, in sentence case.
    pub label: &'static str,
    /// The description, a full sentence.
    pub description: &'static str,
    /// The unit after the number, such as "°", or nothing.
    pub unit: &'static str,
    /// The minimum and maximum that can be set, for each component of a vector. Files may contain other
    /// numbers.
    pub range: [f64; 2],
    /// The range of a slider, if one helps.
    pub slider: Option<[f64; 2]>,
    /// The name of its channel, if it can be keyed; for a part of a skeleton without that of the part.
    pub channel: Option<&'static str>,
    /// Whether it is read-only: it is as in the file and cannot be set.
    pub fixed: bool,
    /// Whether it is rarely used, so that panels show it among the advanced ones.
    pub advanced: bool,
    /// The verbs of the undo label when a value is set, and when it is switched off or reset; otherwise "Change … of".
    pub verbs: Option<[&'static str; 2]>,
    /// The names of numbers that are offered as a choice instead of a field.
    pub names: &'static [(u32, &'static str)],
    /// The labels of some words of the file: (word, label).
    pub labels: &'static [(&'static str, &'static str)],
    /// How the other side of a skeleton gets the value.
    pub mirror: Mirror,
    /// For an extra member, which Scotty3D ignores and which is written only if it is not the default: the finding
    /// about a value of another kind, which is kept as it is.
    pub ours: Option<&'static str>,
}

/// How the other side of a skeleton gets the value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// As it is.
    Copy,
    /// As a point, or an orientation, reflected in the plane of symmetry.
    Point,
    /// As a direction, reflected in the plane of symmetry.
    Direction,
    /// As angles about the bone's own axes, which are mirror images of each other.
    Angles,
    /// By a rule of its own, see [`crate::rig::edits::mirror`].
    Special,
    /// Not at all.
    Never,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyValue {
    Bool(bool),
    Float(f32),
    Unsigned(u32),
    Vec3(Vec3),
    Rotation(Quat),
    /// Linear r, g, b.
    Color(Vec3),
    /// One of the words of the row.
    Choice(String),
    /// The name of a resource of the row's kind.
    Reference(Option<String>),
    Limits(Limits),
    OptionalUnsigned(Option<u32>),
    OptionalVec3(Option<Vec3>),
    Orientation(Option<Orientation>),
    Pole(Option<Pole>),
    LookAt(Option<LookAt>),
}

/// The reason why a property rejects a value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropertyError {
    #[error("“{name}” has no property “{property}”; it has {}", available.join(", "))]
    Unknown { name: String, property: String, available: Vec<&'static str> },
    #[error("the {label} cannot be changed here; change it in the program that made the file")]
    Fixed { label: String },
    #[error("the {label} must be {expected}")]
    Type { label: String, expected: &'static str },
    #[error("the {label} must be {rule}")]
    Range { label: String, rule: String },
    #[error("the {label} must be one of {}", choices.join(", "))]
    Choice { label: String, choices: &'static [&'static str] },
    #[error("there is no {kind} called “{name}”; check the name, including capitals and spaces")]
    NoSuch { kind: &'static str, name: String },
}

/// Returns the row of a part of a skeleton, without the access to the value; the base stands for the skeleton.
pub fn info(part: Part, id: &str) -> Option<&'static Info> {
    match part {
        Part::Bone(_) => BONE.iter().map(|row| &row.info).find(|info| info.id == id),
        Part::Handle(_) | Part::Pole(_) => handle_rows().map(|row| &row.info).find(|info| info.id == id),
        Part::Shape(_) => SHAPE.iter().map(|row| &row.info).find(|info| info.id == id),
        Part::Base => SKELETON.iter().map(|row| &row.info).find(|info| info.id == id),
    }
}

/// Returns the rows of a handle, and those of its goals.
pub fn handle_rows() -> impl Iterator<Item = &'static Property<Handle>> + Clone {
    HANDLE.iter().chain(GOAL)
}

macro_rules! from_values {
    ($($kind:ident($type:ty)),*) => {
        $(impl From<$type> for PropertyValue {
            fn from(value: $type) -> Self {
                Self::$kind(value)
            }
        })*
    };
}
from_values!(
    Bool(bool),
    Float(f32),
    Vec3(Vec3),
    Rotation(Quat),
    Limits(Limits),
    Reference(Option<String>),
    OptionalUnsigned(Option<u32>),
    OptionalVec3(Option<Vec3>),
    Orientation(Option<Orientation>),
    Pole(Option<Pole>),
    LookAt(Option<LookAt>)
);

impl PropertyValue {
    /// Whether it is a switch that is off, or the value that resets a pose or limits.
    fn is_reset(&self) -> bool {
        match self {
            Self::Bool(on) => !on,
            Self::Vec3(v) => *v == Vec3::ZERO,
            Self::Limits(limits) => limits.is_free(),
            _ => false,
        }
    }

    /// Returns the value for the other side of a skeleton across `plane`, where `angles` gives the angles for the other
    /// bone.
    pub fn mirrored(self, mirror: Mirror, plane: &MirrorPlane, angles: impl Fn(Vec3) -> Vec3) -> Self {
        let point = |v: Vec3| plane.reflect(v.as_dvec3()).as_vec3();
        let direction = |v: Vec3| plane.reflect_direction(v.as_dvec3()).as_vec3();
        match (mirror, self) {
            (Mirror::Direction, Self::Vec3(v)) => Self::Vec3(direction(v)),
            (Mirror::Point, Self::Vec3(v)) => Self::Vec3(point(v)),
            (Mirror::Point, Self::Rotation(v)) => Self::Rotation(mirrored_rotation(v, direction)),
            (Mirror::Point, Self::Orientation(Some(Orientation { rotation, weight }))) => {
                let rotation = mirrored_rotation(rotation, direction);
                Self::Orientation(Some(Orientation { rotation, weight }))
            }
            (Mirror::Point, Self::Pole(Some(pole))) => {
                Self::Pole(Some(Pole { point: point(pole.point), ..pole }))
            }
            (Mirror::Point, Self::LookAt(Some(look_at))) => {
                Self::LookAt(Some(LookAt { axis: direction(look_at.axis), ..look_at }))
            }
            (Mirror::Angles, Self::Vec3(v)) => Self::Vec3(angles(v)),
            (Mirror::Angles, Self::OptionalVec3(Some(v))) => Self::OptionalVec3(Some(angles(v))),
            (Mirror::Angles, Self::Limits(limits)) => Self::Limits(limits.mirrored()),
            (_, value) => value,
        }
    }
}

/// Returns S R S for a rotation R and a reflection S: it rotates about -S of the axis of R.
fn mirrored_rotation(rotation: Quat, reflect: impl Fn(Vec3) -> Vec3) -> Quat {
    let Vec3 { x, y, z } = -reflect(rotation.xyz());
    Quat::from_xyzw(x, y, z, rotation.w)
}

impl Info {
    /// Returns the label for the middle of a sentence.
    pub fn lower(&self) -> String {
        if self.label.chars().nth(1).is_some_and(char::is_lowercase) {
            self.label.to_lowercase()
        } else {
            self.label.to_owned()
        }
    }

    /// Returns the undo label of setting it, for the Edit menu; without a name for what there is only one of.
    pub fn undo_label(&self, name: &str, value: &PropertyValue) -> String {
        let label = match self.verbs {
            Some([on, off]) => format!("{} {name}", if value.is_reset() { off } else { on }),
            None if name.is_empty() => format!("Change {}", self.lower()),
            None => format!("Change {} of {name}", self.lower()),
        };
        label.trim_end().to_owned()
    }

    /// Returns the label of a word of the file.
    pub fn label_of<'a>(&self, word: &'a str) -> &'a str {
        let found = self.labels.iter().find(|(file_word, _)| *file_word == word);
        found.map_or(word, |(_, label)| label)
    }

    /// Whether a number can be set.
    pub fn allows(&self, number: f32) -> bool {
        let [least, largest] = self.range.map(|limit| limit as f32);
        (least..=largest).contains(&number)
    }

    /// Returns the nearest number that can be set; without a limit, any other stays.
    pub fn clamped(&self, number: f32) -> f32 {
        let [least, largest] = self.range.map(|limit| limit as f32);
        if number < least && least > f32::MIN {
            least
        } else if number > largest && largest < f32::MAX {
            largest
        } else {
            number
        }
    }

    /// Returns a description of the numbers that can be set.
    pub fn rule(&self) -> String {
        let ([least, largest], unit) = (self.range, self.unit);
        if largest < f64::from(f32::MAX) {
            format!("between {least} and {largest}{unit}")
        } else {
            format!("{least}{unit} or more")
        }
    }
}
