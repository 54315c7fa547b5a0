//! The constants of the fit, each with the measurement that fixed it: on the human, the giraffe and the variants of
//! `ossature`'s fitting bench unless another body is named.

/// Voxels along the longest side of a body. 160 fitted 57 of the 60 common variants, 200 all.
pub const RESOLUTION: usize = 200;
/// The most voxels inside a body, which decide about the time; stout bodies get a coarser grid. Their number is estimated on a
/// coarse one.
pub const MOST_VOXELS: usize = 150_000;
pub const COARSE: usize = 48;
/// The depths in voxels of the layers without which limbs that touch come apart, tried in this order. Of 30 variants whose arms hang, 24
/// are fitted without or with the first, 3 more with the second, which grows back. If the first did, too, legs of two chibi that are as
/// long as thick would grow together again.
pub const ERODED: f32 = 1.5;
pub const REGROWN: f32 = 2.5;
/// How much longer the way through the inside to one part is than to another, per longest side of the body, if they do not grow
/// together again.
pub const FAR_APART: f32 = 0.05;
/// The places whose distances tell how far apart parts are: the middle, and the ends of limbs.
pub const LANDMARKS: usize = 8;
/// The least length of an extremity, in voxels. The ears of the giraffe are 6 long.
pub const LEAST_EXTREMITY: f32 = 5.0;
/// The most extremities that are considered, the longest first.
pub const MOST_EXTREMITIES: usize = 16;
/// The length of extremities that tell where the middle of a body is, as a fraction of that of the second longest.
pub const LONG_EXTREMITY: f32 = 0.35;
/// The length of an extremity that is another end of a longer one, as a fraction of it.
pub const SHORT_BRANCH: f32 = 0.4;
/// The part of that longer one, from its tip, where it leaves it.
pub const OUTER_PART: f32 = 0.3;
/// The least length of a limb, as a fraction of how far its tip protrudes: beyond the hand or the foot.
pub const LEAST_LIMB: f32 = 0.5;
/// The penalty of an unusual axis that points up or to the front.
pub const UNUSUAL: f32 = 0.02;
/// The most nodes of the search for one orientation.
pub const MOST_NODES: usize = 50_000;
/// The penalty of a chain that a body may lack, and of one that it must not, per length of the body.
pub const MISSING: f32 = 0.5;
pub const INCOMPLETE: f32 = 4.0;
/// The greatest penalty of a fit. The human has 0.06, the giraffe 0.41, Spot at any turn 1.12 as a
/// four-legged animal and from 1.2 on as a human that lies on its side.
pub const MOST_PENALTY: f32 = 1.2;
/// The penalty below which nothing is looked for that fits better.
pub const CLEAR_PENALTY: f32 = 0.12;
/// The least size of the largest shell, as a fraction of that of the body, with which it is tried alone, and by how much its
/// penalty must be lower. Without skirt, robe, base, staff, hat and horns, a body had 0.06 to 0.1.
pub const MAIN_SHELL: f32 = 0.8;
pub const MAIN_SHELL_GAIN: f32 = 0.05;
/// The penalty of an end that points in the opposite direction: of an arm, head or tail, and of one leg of two, where feet
/// tell the front from the back. With 0.6 for each leg of four, Spot turned by 250° became a human.
pub const DIRECTION_OF_END: [f32; 2] = [0.15, 0.6];
/// The height of a pinned ankle above the ground, per length of the body.
pub const ANKLE: f32 = 0.08;
/// The penalty of a leg that ends above the lowest point, per length of the body.
pub const OFF_GROUND: f32 = 4.0;
/// The penalty of opposite directions between the roots and the tips of two limbs, per distance.
pub const BETWEEN_ROOTS: f32 = 2.0;
pub const BETWEEN_TIPS: f32 = 0.5;
/// The penalty of twins with different lengths and heights, per length of the body.
pub const TWINS: f32 = 1.0;
/// The length of the shorter of twins as a fraction of the other, below which it is not a limb but a part of one that grew
/// into the trunk.
pub const HALF_LIMB: f32 = 0.6;
/// The penalty of a limb that is no chain of the template, per length.
pub const LEFT_OVER: f32 = 1.0;
/// The slices at the root of a limb that the trunk already distorts.
pub const ROOT_MARGIN: usize = 2;
/// The slices that tell the direction of a limb at its root.
pub const DIRECTION_SLICES: usize = 8;
/// The area of the thin part behind a hand, foot or head, as a fraction of its thickest slice, and that of what follows as
/// a multiple of the thinnest.
pub const NECK: f32 = 0.75;
/// The greatest rise from the tip of a foot to its ankle, per length along the floor. The human has 0.25, an armoured body,
/// whose greaves are thicker than its heels, 0.8.
pub const STEEPEST_FOOT: f32 = 0.6;
/// The first slices of a limb, which are single fingers or corners of voxels, and the least area of a hand or foot as a
/// fraction of that of the last slice of the limb.
pub const FIRST_SLICES: usize = 4;
pub const LEAST_BULGE: f32 = 0.2;
pub const BEHIND_NECK: f32 = 1.3;
/// The wrist between the thickest slice of the hand and the thinnest of the forearm.
pub const WRIST: f32 = 0.6;
/// The joint of the head above the thinnest slice of the neck, in radii of that.
pub const HEAD: f32 = 1.15;
/// How far the first joint of a limb is behind the place where it leaves the trunk, in radii of the limb, for templates that
/// do not say.
pub const INSET: f32 = 1.5;
/// The difference between the sides of a body that counts as symmetric, per height.
pub const SYMMETRIC: f32 = 0.02;
/// The asymmetry of a surface below which its sides are the same, so that its joints are, too, up to a larger difference: Spot has
/// 0.01, the human 0.003. Joints of Spot, whose hooves end anywhere on their soles, differ by 4 %.
pub const SAME_SIDES: f32 = 0.03;
pub const MIRRORED: f32 = 0.1;
/// The least bend of elbows and knees: their distance from the line between the neighbouring joints, per height.
pub const BENT: f32 = 0.01;
/// The bend of elbows and knees, as the distance of the joint from the line between its neighbours per their distance, below
/// which only its part towards the bend of the template counts. A knee that is bent by 12° has 0.05.
pub const NEARLY_STRAIGHT: f32 = 0.05;
/// The bend of a joint of a template, per distance of its neighbours, that tells where it bends.
pub const TEMPLATE_BENT: f32 = 0.01;
/// The distance of the first joint of a head from its place in the trunk, per length of the trunk, from which on the trunk
/// tells where it is. Spot, whose head and neck are half of it: 0.5.
pub const FAR_ROOT: f32 = 0.3;
/// The distance of the tip of a limb from the plane of symmetry, per length of the limb, of a horn or an ear, and of its image
/// from the tip on the other side. Spot has 0.15.
pub const HORNS: f32 = 0.05;
/// The samples of each bone that must be inside, their least depth and the distance over which an inside is looked for, in
/// voxels; and how often joints are moved.
pub const INSIDE_SAMPLES: usize = 10;
pub const INSIDE_DEPTH: f32 = 1.0;
pub const INSIDE_REACH: usize = 6;
pub const INSIDE_ROUNDS: usize = 8;
/// The distance of a pin from the middle of a limb that it belongs to, in radii of the limb.
pub const PIN_REACH: f32 = 1.3;
/// The greatest radius of a limb that counts for that, as a multiple of the greatest near its tip.
pub const PIN_THICKEST: f32 = 2.0;
/// The distance of a pin from the limb that its chain has without pins, per length of that limb, within which the pin corrects a
/// joint of it. Ankles, feet, toes and wrists of six bodies that are moved by 4 % of the height: up to 0.12.
pub const PIN_BESIDE: f32 = 0.25;
/// The penalty of a limb of which only a pinned joint is known.
pub const ONLY_PIN: f32 = 0.5;
/// The greatest distance of a pin from the body, as a fraction of its longest side.
pub const FAR_PIN: f32 = 0.5;
/// The contrast of a limb that clearly leaves the trunk.
pub const CLEAR_CONTRAST: f32 = 2.0;
/// The part of the way to the plane of symmetry by which the first joint of a limb is at most behind that place: in bodies with
/// thick arms or narrow shoulders (A4-human, CesiumMan of Khronos).
pub const ACROSS: f32 = 0.3;
/// The depth of the body between the legs as a fraction of that at each, above the crotch, and how far in front of and behind them
/// it is measured, in radii. Below it is 0.4 to 0.65 where the thick thighs of five variants touch.
pub const CROTCH: f32 = 0.75;
pub const CROTCH_REACH: f32 = 2.0;
/// The least height of hips above the crotch, per length of the leg. Of twelve MakeHuman bodies 0.035 to 0.11. Legs that are thicker
/// at the knee than above it ended at the knee where hips were put by the length of shins instead: a thin woman's were 7 % too high.
pub const ABOVE_CROTCH: f32 = 0.06;
/// The cosine of the angle between a direction that is told and the axis that it means, if the body is turned between axes.
pub const NEAREST: f32 = 0.7;
/// The least turn of a body against coordinate axes that counts, and its asymmetry as a fraction of that across a coordinate
/// axis below which it is seen.
pub const LEAST_TURN_DEG: f32 = 6.0;
pub const TURNED: f32 = 0.6;
