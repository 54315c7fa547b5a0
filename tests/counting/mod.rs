//! A counting allocator: how often memory is requested, how much, and how much is allocated. A program that
//! needs the counts declares it as its `#[global_allocator]`; in others they stay zero.

#![allow(dead_code, reason = "each program uses its part of this")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub struct Counting;

/// The number of allocations, by all threads.
pub static CALLS: AtomicUsize = AtomicUsize::new(0);
/// The bytes requested in total.
pub static ASKED: AtomicUsize = AtomicUsize::new(0);
/// The bytes that are allocated.
pub static HELD: AtomicUsize = AtomicUsize::new(0);
/// The most bytes that were allocated at once.
pub static MOST: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: every call is forwarded to the system's allocator.
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
