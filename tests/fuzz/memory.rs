//! A counting allocator with a limit for each case.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The limit in bytes, 1 GiB. Larger requests fail, as on a machine without memory, which aborts the process.
pub const LIMIT: usize = 1 << 30;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Returns the most bytes that were allocated at once since the last call.
pub fn take_most() -> usize {
    MOST.swap(HELD.load(Relaxed), Relaxed)
}

struct Counting;

impl Counting {
    fn take(size: usize) -> bool {
        let held = HELD.fetch_add(size, Relaxed) + size;
        if held > LIMIT {
            HELD.fetch_sub(size, Relaxed);
            return false;
        }
        MOST.fetch_max(held, Relaxed);
        true
    }
}

#[allow(unsafe_code)]
// SAFETY: every call is forwarded to the system's allocator, or refused with a null pointer.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Self::take(layout.size()) {
            true => unsafe { System.alloc(layout) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match Self::take(layout.size()) {
            true => unsafe { System.alloc_zeroed(layout) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !Self::take(size) {
            return std::ptr::null_mut();
        }
        let moved = unsafe { System.realloc(memory, layout, size) };
        HELD.fetch_sub(if moved.is_null() { size } else { layout.size() }, Relaxed);
        moved
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
