//! Finding the number of a rating pattern: a hash table over the cells it is stored in.

/// Open addressing; slots hold pattern numbers plus one, the codes live once in the cells of the ratings.
#[derive(Debug, Default)]
pub(crate) struct PatternIndex {
    slots: Vec<u32>,
    used: usize,
}

impl PatternIndex {
    /// The number of the pattern; a new one is appended to `cells` and numbered `next`.
    pub fn find_or_insert(&mut self, codes: &[u32], cells: &mut Vec<u32>, next: usize) -> usize {
        let width = codes.len();
        if self.used * 2 >= self.slots.len() {
            self.grow(width, cells);
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(codes) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.slots[slot] = next as u32 + 1;
                    self.used += 1;
                    cells.extend_from_slice(codes);
                    return next;
                }
                found => {
                    let pattern = found as usize - 1;
                    if cells[pattern * width..(pattern + 1) * width] == *codes {
                        return pattern;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self, width: usize, cells: &[u32]) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for found in old.into_iter().filter(|&found| found > 0) {
            let pattern = found as usize - 1;
            let mut slot =
                hash(&cells[pattern * width..(pattern + 1) * width]) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = found;
        }
    }
}

/// Multiply and rotate per code, then fold the high half down, which the mask would lose.
fn hash(codes: &[u32]) -> u64 {
    let mixed = codes.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |h, &code| {
        (h.rotate_left(23) ^ u64::from(code)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    });
    mixed ^ (mixed >> 32)
}
