//! A small dense simplex method for linear programmes in equality form.

const TINY: f64 = 1e-11;

/// The largest value of gain' x over x >= 0 with every constraint a' x = b (b >= 0); none when there is no such x.
///
/// Two phases on one tableau, Bland's rule against cycling.
pub(super) fn maximise(gain: &[f64], constraints: &[(Vec<f64>, f64)]) -> Option<f64> {
    let (n, m) = (gain.len(), constraints.len());
    let mut rows: Vec<Vec<f64>> = constraints
        .iter()
        .enumerate()
        .map(|(i, (coefficients, bound))| {
            let artificial = (0..m).map(|j| f64::from(u8::from(i == j)));
            coefficients
                .iter()
                .copied()
                .chain(artificial)
                .chain([*bound])
                .collect()
        })
        .collect();
    let mut basis: Vec<usize> = (n..n + m).collect();
    let mut first = vec![0.0; n + m];
    first[n..].fill(-1.0);
    let missing = climb(&mut rows, &mut basis, &first, n + m)?;
    if missing < -1e-9 {
        return None;
    }
    let mut second = gain.to_vec();
    second.resize(n + m, 0.0);
    // artificial variables that stayed in the basis are zero and may not grow again
    climb(&mut rows, &mut basis, &second, n)
}

/// Pivots until no column below `limit` improves the goal; the value reached, none when the goal has no bound.
fn climb(rows: &mut [Vec<f64>], basis: &mut [usize], goal: &[f64], limit: usize) -> Option<f64> {
    let last = rows.first()?.len() - 1;
    for _ in 0..10_000 {
        let worth = |j: usize| {
            goal[j]
                - rows
                    .iter()
                    .zip(basis.iter())
                    .map(|(row, &b)| goal[b] * row[j])
                    .sum::<f64>()
        };
        let Some(entering) = (0..limit).find(|&j| worth(j) > TINY) else {
            break;
        };
        let ratio = |i: usize| rows[i][last] / rows[i][entering];
        let candidates = (0..rows.len()).filter(|&i| {
            rows[i][entering] > TINY || (basis[i] >= limit && rows[i][entering] < -TINY)
        });
        let leaving = candidates.min_by(|&a, &b| {
            let (x, y) = (ratio(a).abs(), ratio(b).abs());
            if (x - y).abs() <= TINY {
                basis[a].cmp(&basis[b])
            } else {
                crate::categories::by_number(x, y)
            }
        })?;
        pivot(rows, leaving, entering);
        basis[leaving] = entering;
    }
    Some(
        rows.iter()
            .zip(basis.iter())
            .map(|(row, &b)| goal[b] * row[last])
            .sum(),
    )
}

fn pivot(rows: &mut [Vec<f64>], leaving: usize, entering: usize) {
    let scale = rows[leaving][entering];
    rows[leaving].iter_mut().for_each(|x| *x /= scale);
    let chosen = rows[leaving].clone();
    for (i, row) in rows.iter_mut().enumerate() {
        let factor = row[entering];
        if i != leaving && factor.abs() > 0.0 {
            row.iter_mut()
                .zip(&chosen)
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Transport from two equal stores to two equal shops: all over the dearer diagonal.
    #[test]
    fn transport() {
        let gain = [3.0, 1.0, 1.0, 2.0];
        let constraints = [
            (vec![1.0, 1.0, 0.0, 0.0], 0.5),
            (vec![0.0, 0.0, 1.0, 1.0], 0.5),
            (vec![1.0, 0.0, 1.0, 0.0], 0.5),
        ];
        assert_eq!(maximise(&gain, &constraints), Some(2.5));
    }

    #[test]
    fn nothing_fits() {
        assert_eq!(
            maximise(&[1.0], &[(vec![1.0], 1.0), (vec![1.0], 2.0)]),
            None
        );
    }
}
