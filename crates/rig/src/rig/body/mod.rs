//! What the body of a skeleton is, determined without solving: which bones are limbs, elbows and knees, feet, body parts and
//! the other side of each other, where the plane of symmetry is, and what names tell of roles and sides.

pub mod axes;
pub mod clavicle;
pub mod feet;
pub mod joint;
pub mod limb;
pub mod middle;
pub mod mirror_plane;
pub mod parts;
pub mod roles;
pub mod side_names;
pub mod sides;
