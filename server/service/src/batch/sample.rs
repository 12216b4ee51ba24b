//! The arithmetic of a sample. Everything follows from the seed and the order of import.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The stream of the generator for each purpose; a rater's order has [`ORDER`] plus the rater's place.
const DRAW: u64 = 0;
const HIDE: u64 = 1;
const ORDER: u64 = 1 << 32;

fn generator(seed: i64, stream: u64) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed.cast_unsigned());
    generator.set_stream(stream);
    generator
}

/// A number below `bound`, every one equally likely.
fn below(generator: &mut ChaCha8Rng, bound: usize) -> usize {
    let bound = bound as u64;
    // Numbers past the last whole multiple of the bound would favour the small ones.
    let limit = u64::MAX - u64::MAX % bound;
    loop {
        let number = generator.next_u64();
        if number < limit {
            return (number % bound) as usize;
        }
    }
}

fn shuffled(mut list: Vec<usize>, generator: &mut ChaCha8Rng) -> Vec<usize> {
    for last in (1..list.len()).rev() {
        list.swap(last, below(generator, last + 1));
    }
    list
}

/// How many each stratum gives: its share, at least one where the size allows, the rest by the largest remainder;
/// of equal remainders the earlier stratum is served first. Never more than a stratum has.
pub(super) fn allocate(available: &[usize], size: usize) -> Vec<usize> {
    let all: usize = available.iter().sum();
    if all == 0 {
        return vec![0; available.len()];
    }
    let size = size.min(all);
    let floor = usize::from(size >= available.iter().filter(|count| **count > 0).count());
    let mut given: Vec<usize> = available
        .iter()
        .map(|count| (count * size / all).max(floor).min(*count))
        .collect();
    // A floor of one may have given out too much: the strata furthest above their share give back.
    while given.iter().sum::<usize>() > size {
        let over = |at: &usize| (given[*at] * all).saturating_sub(available[*at] * size);
        let Some(at) = (0..given.len())
            .filter(|at| given[*at] > floor)
            .rev()
            .max_by_key(over)
        else {
            break;
        };
        given[at] -= 1;
    }
    while given.iter().sum::<usize>() < size {
        let under = |at: &usize| (available[*at] * size).saturating_sub(given[*at] * all);
        let Some(at) = (0..given.len())
            .filter(|at| given[*at] < available[*at])
            .rev()
            .max_by_key(under)
        else {
            break;
        };
        given[at] += 1;
    }
    given
}

/// Draws `counts[s]` of the places listed in `strata[s]` without replacement; the result is in random order.
pub(crate) fn draw(seed: i64, strata: &[Vec<usize>], counts: &[usize]) -> Vec<usize> {
    let mut generator = generator(seed, DRAW);
    let mut drawn = Vec::new();
    for (stratum, count) in strata.iter().zip(counts) {
        let mut list = stratum.clone();
        for at in 0..*count {
            let with = at + below(&mut generator, list.len() - at);
            list.swap(at, with);
        }
        drawn.extend_from_slice(&list[..*count]);
    }
    shuffled(drawn, &mut generator)
}

/// How many of so many items this share is, rounded half up.
pub(super) fn share(items: usize, percent: u32) -> usize {
    (items * percent as usize + 50) / 100
}

/// For each item of a sample whether the judge's tags are hidden at first: a simple random share of them.
pub(super) fn hide(seed: i64, items: usize, percent: u32) -> Vec<bool> {
    let mut hidden = vec![false; items];
    let order = shuffled((0..items).collect(), &mut generator(seed, HIDE));
    for at in &order[..share(items, percent)] {
        hidden[*at] = true;
    }
    hidden
}

/// For each item the places of its raters: always those with the least work, and of these the ones who have
/// shared the fewest items, so that loads differ by one at most and every combination comes up.
pub(super) fn pair(items: usize, raters: usize, per_item: usize) -> Vec<Vec<usize>> {
    let mut load = vec![0_usize; raters];
    let mut shared = vec![vec![0_usize; raters]; raters];
    (0..items)
        .map(|_| {
            let mut chosen: Vec<usize> = Vec::with_capacity(per_item);
            for _ in 0..per_item {
                let together = |rater: usize| {
                    chosen
                        .iter()
                        .map(|other| shared[rater][*other])
                        .sum::<usize>()
                };
                let free = (0..raters).filter(|rater| !chosen.contains(rater));
                let Some(next) = free.min_by_key(|rater| (load[*rater], together(*rater), *rater))
                else {
                    break;
                };
                chosen.push(next);
            }
            for (at, rater) in chosen.iter().enumerate() {
                load[*rater] += 1;
                for other in &chosen[..at] {
                    shared[*rater][*other] += 1;
                    shared[*other][*rater] += 1;
                }
            }
            chosen
        })
        .collect()
}

/// The order in which the rater at this place of the study sees `count` items.
pub(crate) fn order(seed: i64, rater_position: i64, count: usize) -> Vec<usize> {
    let stream = ORDER.wrapping_add(rater_position.cast_unsigned());
    shuffled((0..count).collect(), &mut generator(seed, stream))
}

#[cfg(test)]
mod tests {
    use super::{allocate, draw, hide, order, pair, share};
    use std::collections::BTreeSet;

    #[test]
    fn a_share_is_hidden_by_the_seed_and_every_item_alike() {
        assert_eq!(
            [share(20, 25), share(10, 25), share(1, 49), share(3, 99)],
            [5, 3, 0, 3]
        );
        assert_eq!(hide(3, 40, 30), hide(3, 40, 30));
        assert_ne!(hide(3, 40, 30), hide(4, 40, 30));
        // 2,000 draws of 3 from 10: each place is hidden 600 times, with a standard deviation of 20.5; five are 102.
        let mut times = [0_u32; 10];
        for seed in 0..2_000 {
            let hidden = hide(seed, 10, 30);
            assert_eq!(hidden.iter().filter(|hidden| **hidden).count(), 3);
            for (count, hidden) in times.iter_mut().zip(hidden) {
                *count += u32::from(hidden);
            }
        }
        assert!(
            times.iter().all(|count| (498..=702).contains(count)),
            "{times:?}"
        );
    }

    #[test]
    fn strata_give_their_share_by_the_largest_remainder() {
        // Shares of 10 from 50, 30, 21 (101): 4.95, 2.97, 2.08; floors 4, 2, 2; the two left go to .97 and .95.
        assert_eq!(allocate(&[50, 30, 21], 10), [5, 3, 2]);
        assert_eq!(
            allocate(&[4, 4], 3),
            [2, 1],
            "equal remainders: the earlier stratum first"
        );
        assert_eq!(allocate(&[7], 3), [3]);
        assert_eq!(allocate(&[], 3), Vec::<usize>::new());
        assert_eq!(allocate(&[3, 2], 9), [3, 2], "never more than there is");
    }

    #[test]
    fn a_small_stratum_is_heard_where_the_size_allows() {
        // 1 of 1000 has a share of 0.01 of 10, and still gives one.
        assert_eq!(allocate(&[999, 1], 10), [9, 1]);
        assert_eq!(allocate(&[500, 1, 0, 1], 3), [1, 1, 0, 1]);
        assert_eq!(
            allocate(&[500, 1, 1], 2),
            [2, 0, 0],
            "two cannot hear three"
        );
    }

    #[test]
    fn one_seed_gives_one_sample_without_replacement() {
        let strata = vec![(0..50).collect::<Vec<_>>(), (50..80).collect()];
        let once = draw(7, &strata, &[5, 3]);
        assert_eq!(once, draw(7, &strata, &[5, 3]));
        assert_ne!(once, draw(8, &strata, &[5, 3]));
        let distinct: BTreeSet<_> = once.iter().collect();
        assert_eq!(
            (
                distinct.len(),
                once.iter().filter(|place| **place >= 50).count()
            ),
            (8, 3)
        );
    }

    #[test]
    fn every_item_is_as_likely_as_any_other() {
        // 2,000 samples of 2 from 10: each item is expected 400 times, with a standard deviation of
        // sqrt(2000 * 0.2 * 0.8) = 17.9; five of these leave room for one false alarm in 170,000 items.
        let mut counts = [0_i64; 10];
        for seed in 0..2_000 {
            for place in draw(seed, &[(0..10).collect()], &[2]) {
                counts[place] += 1;
            }
        }
        assert!(
            counts.iter().all(|count| (count - 400).abs() < 90),
            "{counts:?}"
        );
    }

    #[test]
    fn loads_differ_by_one_at_most_and_all_pairs_come_up() {
        for (raters, per_item) in [(2, 2), (3, 2), (4, 2), (5, 2), (5, 3), (4, 1), (3, 3)] {
            for items in 0..40 {
                let pairs = pair(items, raters, per_item);
                let mut load = vec![0; raters];
                for chosen in &pairs {
                    assert_eq!(chosen.iter().collect::<BTreeSet<_>>().len(), per_item);
                    for rater in chosen {
                        load[*rater] += 1;
                    }
                }
                let spread = load.iter().max().unwrap() - load.iter().min().unwrap();
                assert!(
                    spread <= 1,
                    "{raters} raters, {per_item} each, {items} items: {load:?}"
                );
            }
        }
        let mut met: BTreeSet<Vec<usize>> = BTreeSet::new();
        for mut chosen in pair(6, 4, 2) {
            chosen.sort_unstable();
            met.insert(chosen);
        }
        assert_eq!(
            met.len(),
            6,
            "six items show all six pairs of four raters: {met:?}"
        );
    }

    #[test]
    fn each_rater_has_an_order_of_their_own_that_comes_back() {
        let one = order(7, 1, 30);
        assert_eq!(one, order(7, 1, 30));
        assert_ne!(one, order(7, 2, 30));
        assert_ne!(one, order(8, 1, 30));
        let mut sorted = one;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..30).collect::<Vec<_>>());
    }
}
