//! The viewing camera as plain mathematics: orbit, pan, zoom, and the way between pixels and rays.
