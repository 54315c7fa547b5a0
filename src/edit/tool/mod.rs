//! Tools: what pointer gestures in the viewport mean.
