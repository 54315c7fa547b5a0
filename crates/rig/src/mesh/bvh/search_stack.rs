//! The stack of nodes still to visit during a search.

/// A stack whose first entries are stored inline, so that a search does not allocate.
pub(super) struct SearchStack<T> {
    inline: [T; 64],
    count: usize,
    /// The entries beyond the inline ones, for very deep trees.
    overflow: Vec<T>,
}

impl<T: Copy> SearchStack<T> {
    pub fn new(first: T) -> Self {
        Self { inline: [first; 64], count: 1, overflow: Vec::new() }
    }

    pub fn push(&mut self, item: T) {
        match self.inline.get_mut(self.count) {
            Some(slot) => {
                *slot = item;
                self.count += 1;
            }
            None => self.overflow.push(item),
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        self.overflow.pop().or_else(|| {
            self.count = self.count.checked_sub(1)?;
            self.inline.get(self.count).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::SearchStack;

    #[test]
    fn items_are_popped_in_reverse_order() {
        let mut stack = SearchStack::new(0);
        (1..200).for_each(|item| stack.push(item));
        for item in (0..200).rev() {
            assert_eq!(stack.pop(), Some(item));
        }
        assert_eq!(stack.pop(), None);
        stack.push(7);
        assert_eq!((stack.pop(), stack.pop()), (Some(7), None));
    }
}
