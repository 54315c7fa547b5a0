//! The whole application without a window: synthetic pointer and keys, widgets found by their accessible
//! names, an image to draw to. Without a graphics adapter (a software one is enough) these tests report that
//! they were skipped.

#![cfg(feature = "editor")]

mod bad_luck;
mod bones;
mod compare;
mod creating;
mod drawing;
mod examples;
mod files;
mod first_rig;
mod first_sight;
mod framing;
mod gizmos;
mod gltf;
mod golden;
mod keys;
mod motions;
mod new_bone;
mod offers;
mod picture_paths;
mod placing;
mod playing;
mod pose;
mod preferences;
#[path = "../random/mod.rs"]
mod random;
mod reading;
mod recovery;
mod render;
mod rest;
mod select;
mod sound;
mod story;
mod support;
mod textures;
mod upload;
mod viewing;
mod weights;
