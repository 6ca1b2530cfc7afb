//! The sequence numbers of a client's actions.

/// How many numbers back an action may arrive after newer ones.
const WINDOW: u32 = 64;

/// What a sequence number says about an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The newest so far.
    New,
    /// A newer one arrived before it.
    Overtaken,
    /// It has been used, or is too old to tell.
    Used,
}

/// The newest sequence number, and which of those before it were used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sequences {
    /// `None` before the first.
    newest: Option<u32>,
    /// Bit n is set if the number n before the newest was used.
    used: u64,
}

impl Sequences {
    /// Records a number. Numbers wrap around.
    pub(super) fn check(&mut self, sequence: u32) -> Order {
        let Some(newest) = self.newest else {
            *self = Self { newest: Some(sequence), used: 1 };
            return Order::New;
        };
        let ahead = sequence.wrapping_sub(newest);
        if ahead != 0 && ahead < u32::MAX / 2 {
            self.used = if ahead < WINDOW { self.used << ahead | 1 } else { 1 };
            self.newest = Some(sequence);
            return Order::New;
        }
        let behind = newest.wrapping_sub(sequence);
        if behind >= WINDOW || self.used & (1 << behind) != 0 {
            return Order::Used;
        }
        self.used |= 1 << behind;
        Order::Overtaken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_used_once() {
        let mut sequences = Sequences::default();
        let orders: Vec<Order> = [7, 9, 8, 8, 9, 10, 7].map(|sequence| sequences.check(sequence)).to_vec();
        use Order::{New, Overtaken, Used};
        assert_eq!(orders, [New, New, Overtaken, Used, Used, New, Used]);
    }

    #[test]
    fn numbers_wrap_around_and_old_ones_count_as_used() {
        let mut sequences = Sequences::default();
        for (sequence, expected) in [
            (u32::MAX - 1, Order::New),
            (2, Order::New),
            (u32::MAX, Order::Overtaken),
            (u32::MAX - 1, Order::Used),
            (500, Order::New),
            (436, Order::Used),
            (437, Order::Overtaken),
        ] {
            assert_eq!(sequences.check(sequence), expected, "{sequence}");
        }
    }
}
