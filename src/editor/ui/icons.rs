//! The icons: glyphs of the Phosphor font.

use crate::edit::select::selection::Part;
use crate::scene::instance::InstanceKind;
use crate::scene::names::Kind;
use egui_phosphor::regular as glyph;

pub const BONE: &str = glyph::BONE;
pub const LOCKED: &str = glyph::LOCK_SIMPLE;
pub const LINK: &str = glyph::LINK_SIMPLE;
pub const HANDLE: &str = glyph::TARGET;
pub const BASE: &str = glyph::ANCHOR;
pub const SKINNED_MESH: &str = glyph::PERSON;
pub const OPEN: &str = glyph::CARET_DOWN;
pub const CLOSED: &str = glyph::CARET_RIGHT;
pub const SHOWN: &str = glyph::EYE;
pub const HIDDEN: &str = glyph::EYE_CLOSED;
pub const CHECK: &str = glyph::CHECK;
pub const INFO: &str = glyph::INFO;
pub const WARNING: &str = glyph::WARNING;
pub const ERROR: &str = glyph::WARNING_CIRCLE;
pub const CLOSE: &str = glyph::X;
pub const FOLDER: &str = glyph::FOLDER;
pub const FILE: &str = glyph::FILE;
pub const SUMMARY: &str = glyph::STACK;
pub const SHEET: &str = glyph::ROWS;
pub const CURVES: &str = glyph::BEZIER_CURVE;
pub const NORMALIZE: &str = glyph::ARROWS_OUT_LINE_VERTICAL;
pub const PINNED: &str = glyph::PUSH_PIN;
pub const SEARCH: &str = glyph::MAGNIFYING_GLASS;
pub const STACKED: &str = glyph::LIST_DASHES;
pub const SPEEDS: &str = glyph::GAUGE;
pub const FILTER: &str = glyph::FUNNEL;
pub const SECONDS: &str = glyph::CLOCK;
pub const FIT: &str = glyph::ARROWS_OUT_LINE_HORIZONTAL;
pub const FIRST: &str = glyph::SKIP_BACK;
pub const LAST: &str = glyph::SKIP_FORWARD;
pub const PREVIOUS_KEY: &str = glyph::REWIND;
pub const NEXT_KEY: &str = glyph::FAST_FORWARD;
pub const PLAY: &str = glyph::PLAY;
pub const PAUSE: &str = glyph::PAUSE;
pub const ONCE: &str = glyph::ARROW_LINE_RIGHT;
pub const LOOP: &str = glyph::REPEAT;
pub const PING_PONG: &str = glyph::ARROWS_LEFT_RIGHT;
pub const AUTO_KEY: &str = glyph::RECORD;
pub const KEY: &str = glyph::KEY;
pub const CLEAR: &str = glyph::ERASER;
pub const MUTED: &str = glyph::SPEAKER_SLASH;
pub const UNMUTED: &str = glyph::SPEAKER_HIGH;
pub const SOLO: &str = glyph::HEADPHONES;
pub const ADD_LAYER: &str = glyph::STACK_PLUS;
pub const LAYER: &str = glyph::STACK_SIMPLE;
pub const ADD_OVERRIDE: &str = glyph::STACK_SIMPLE;
pub const MERGE: &str = glyph::ARROW_LINE_DOWN;
pub const DELETE: &str = glyph::TRASH;
pub const NOTHING: &str = glyph::CURSOR;
pub const UP: &str = glyph::ARROW_UP;
pub const GO_TO: &str = glyph::ARROW_SQUARE_OUT;

pub const SURFACE: &str = glyph::CUBE;
pub const WIREFRAME: &str = glyph::CUBE_TRANSPARENT;
pub const PATHS: &str = glyph::PATH;
pub const ONION: &str = glyph::GHOST;
pub const PULL: &str = glyph::HAND_GRABBING;
pub const BODY: &str = glyph::PERSON_ARMS_SPREAD;
pub const SYMMETRY: &str = glyph::FLIP_HORIZONTAL;

pub fn for_kind(kind: InstanceKind) -> &'static str {
    match kind {
        InstanceKind::Camera => glyph::VIDEO_CAMERA,
        InstanceKind::Mesh => glyph::CUBE,
        InstanceKind::SkinnedMesh => SKINNED_MESH,
        InstanceKind::Shape => glyph::SPHERE,
        InstanceKind::Particles => glyph::SPARKLE,
        InstanceKind::DeltaLight => glyph::LIGHTBULB,
        InstanceKind::EnvLight => glyph::SUN,
    }
}

pub fn for_object(kind: Kind) -> &'static str {
    match kind {
        Kind::Instance(kind) => for_kind(kind),
        Kind::Transform => glyph::ARROWS_OUT_CARDINAL,
        Kind::Texture => glyph::IMAGE,
        Kind::Material => glyph::PALETTE,
        placed => placed.instance().map_or(glyph::CUBE, for_kind),
    }
}

pub fn for_part(part: Part) -> &'static str {
    match part {
        Part::Bone(_) => BONE,
        Part::Handle(_) | Part::Pole(_) => HANDLE,
        Part::Base => BASE,
        Part::Shape(_) => SURFACE,
    }
}
