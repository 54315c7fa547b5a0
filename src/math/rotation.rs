//! Rotations: Euler angles about given axes.
