//! All tests that need no window, linked once as one program: `cargo test --test core keys::` runs those of
//! `keys`.

#[path = "../bodies/mod.rs"]
mod bodies;
#[path = "../counting/mod.rs"]
mod counting;
#[path = "../editing/mod.rs"]
mod editing;
#[path = "../four_weights/mod.rs"]
mod four_weights;
#[path = "../../benches/report/measure/mod.rs"]
mod measure;
#[path = "../random/mod.rs"]
mod random;
#[path = "../rig_support/mod.rs"]
mod rig_support;
#[path = "../running/mod.rs"]
mod running;
#[path = "../support/mod.rs"]
mod support;

mod action_table;
mod actions;
mod animate_actions;
mod architecture;
mod attach;
mod autokey;
mod bake;
mod bake_moves;
mod bench;
mod capsule_weights;
mod cli;
mod cli_animation;
mod cli_deform;
mod cli_obj;
mod cli_pose;
mod cli_rig;
mod cli_skin;
mod cli_tasks;
mod command_refusals;
mod commands;
mod compare;
mod curve_filters;
mod cycle;
#[cfg(target_os = "linux")]
mod dev_script;
mod drive;
mod dual_quaternion_skinning;
mod effects;
mod evaluate;
mod fit_pins;
mod fitting;
mod foot_lock;
mod generated;
mod gltf_in;
mod gltf_out;
mod guide;
mod halfedge_mesh;
mod heat_figures;
mod heat_sides;
mod held_and_worn;
mod ik;
mod ik_counts;
mod journal;
mod js3d;
mod js3d_bad_input;
mod js3d_bad_resources;
mod js3d_clip;
mod js3d_mutations;
mod keying_set;
mod keymap;
mod keys;
mod layer_writes;
mod layers;
mod linear_skinning;
mod low_knees;
mod messages;
mod motion_paths;
mod muting;
mod obj;
mod obj_mutations;
mod old_commands;
mod onion;
mod paint;
mod paint_files;
mod paint_limits;
mod paint_spans;
mod playback;
mod pose_copy;
mod pose_library;
mod posing_actions;
mod primitives;
mod properties;
mod readme;
mod refused_fits;
mod replay;
mod scenes;
mod script_page;
mod select_actions;
mod session;
mod shapes;
mod shrinking;
mod skeleton_edits;
mod skeleton_walk;
mod skinning_methods;
mod skinning_paths;
mod sound;
mod stale_skinning;
mod stances;
mod standing;
mod stout_animals;
mod surfaces;
mod symmetry;
mod takes;
mod things;
mod timeline;
mod transfer;
mod turned_templates;
mod tween;
mod undo_walk;
mod walk;
mod weight_methods;
mod weights;
