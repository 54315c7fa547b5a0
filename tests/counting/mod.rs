//! An allocator that counts: how often memory is asked for, how much, and how much is held. A program that wants the
//! counts declares it as its `#[global_allocator]`; in others they stay zero.

#![allow(dead_code, reason = "each program uses its part of this")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub struct Counting;

/// How often memory was asked for, by all threads.
pub static CALLS: AtomicUsize = AtomicUsize::new(0);
/// Bytes.
pub static ASKED: AtomicUsize = AtomicUsize::new(0);
/// Bytes.
pub static HELD: AtomicUsize = AtomicUsize::new(0);
/// The most that was held at once, in bytes.
pub static MOST: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        ASKED.fetch_add(layout.size(), Relaxed);
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(held, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}
