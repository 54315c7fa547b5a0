//! Headless commands: the same code as the window, without it.
