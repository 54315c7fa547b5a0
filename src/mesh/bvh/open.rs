//! What a search through a tree has still to look into.

/// A stack whose first places lie in itself, so that a search asks for no memory.
pub(super) struct Open<T> {
    held: [T; 64],
    count: usize,
    /// Of trees that are deeper than that.
    more: Vec<T>,
}

impl<T: Copy> Open<T> {
    pub fn new(first: T) -> Self {
        Self {
            held: [first; 64],
            count: 1,
            more: Vec::new(),
        }
    }

    pub fn push(&mut self, item: T) {
        match self.held.get_mut(self.count) {
            Some(place) => {
                *place = item;
                self.count += 1;
            }
            None => self.more.push(item),
        }
    }

    pub fn pop(&mut self) -> Option<T> {
        self.more.pop().or_else(|| {
            self.count = self.count.checked_sub(1)?;
            self.held.get(self.count).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Open;

    #[test]
    fn the_last_in_is_the_first_out_however_many() {
        let mut open = Open::new(0);
        (1..200).for_each(|item| open.push(item));
        for item in (0..200).rev() {
            assert_eq!(open.pop(), Some(item));
        }
        assert_eq!(open.pop(), None);
        open.push(7);
        assert_eq!((open.pop(), open.pop()), (Some(7), None));
    }
}
