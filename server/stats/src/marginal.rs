//! Tests of marginal change: `McNemar`, Bowker, Stuart-Maxwell.

use crate::dist::{chi2_sf, fair_binomial_cdf};
use crate::result::Reason;
use statrs::function::gamma::ln_gamma;

/// A chi-squared statistic with its degrees of freedom and p value.
///
/// ```
/// let test = stats::marginal::bowker(&[vec![10, 5], vec![1, 10]]).expect("six discordant");
/// assert_eq!(test.df, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquared {
    /// The statistic.
    pub chi2: f64,
    /// Degrees of freedom.
    pub df: u64,
    /// Upper tail probability.
    pub p: f64,
}

impl ChiSquared {
    fn new(chi2: f64, df: u64) -> Self {
        Self {
            chi2,
            df,
            p: chi2_sf(chi2, df as f64),
        }
    }
}

/// `McNemar`'s test of two judges on the same items.
///
/// ```
/// let test = stats::marginal::mcnemar(0, 0);
/// assert_eq!(test.exact_p, 1.0);
/// assert_eq!(test.plain, Err(stats::Reason::NoDiscordantItem));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// (b - c)^2 / (b + c).
    pub plain: Result<ChiSquared, Reason>,
    /// max(0, |b - c| - 1)^2 / (b + c).
    pub corrected: Result<ChiSquared, Reason>,
    /// min(1, 2 P(X <= min(b, c))), X binomial with b + c trials and probability one half.
    pub exact_p: f64,
    /// The exact p value minus P(X = min(b, c)).
    pub mid_p: f64,
}

/// `McNemar`'s test; `b` and `c` are the items that only the first or only the second judge got right.
///
/// `McNemar` (1947), Psychometrika 12:153-157; mid-p as in Fagerland, Lydersen & Laake (2013), BMC Med. Res. Methodol. 13:91.
///
/// ```
/// let test = stats::marginal::mcnemar(5, 5);
/// assert_eq!(test.corrected.expect("ten discordant").chi2, 0.0);
/// ```
pub fn mcnemar(b: u64, c: u64) -> McNemar {
    let n = b + c;
    if n == 0 {
        let none = Err(Reason::NoDiscordantItem);
        return McNemar {
            plain: none,
            corrected: none,
            exact_p: 1.0,
            mid_p: 1.0,
        };
    }
    let gap = b.abs_diff(c) as f64;
    let least = b.min(c);
    let (trials, k) = (n as f64, least as f64);
    let exact_p = if b == c {
        1.0
    } else {
        (2.0 * fair_binomial_cdf(least, n)).min(1.0)
    };
    let point = (ln_gamma(trials + 1.0)
        - ln_gamma(k + 1.0)
        - ln_gamma(trials - k + 1.0)
        - trials * std::f64::consts::LN_2)
        .exp();
    McNemar {
        plain: Ok(ChiSquared::new(gap * gap / trials, 1)),
        corrected: Ok(ChiSquared::new((gap - 1.0).max(0.0).powi(2) / trials, 1)),
        exact_p,
        mid_p: (exact_p - point).max(0.0),
    }
}

/// Bowker's test of symmetry: `sum (n_kl - n_lk)^2/(n_kl + n_lk)` over the pairs of classes with discordant items.
///
/// Bowker (1948), J. Am. Stat. Assoc. 43:572-574.
///
/// # Errors
/// [`Reason::NoDiscordantItem`] when no item is off the diagonal, [`Reason::OutOfRange`] when the table is not square.
///
/// ```
/// let test = stats::marginal::bowker(&[vec![1, 4, 0], vec![0, 1, 0], vec![0, 0, 1]]).expect("four discordant");
/// assert_eq!((test.chi2, test.df), (4.0, 1));
/// ```
pub fn bowker(table: &[Vec<u64>]) -> Result<ChiSquared, Reason> {
    check_square(table)?;
    let (mut chi2, mut df) = (0.0, 0);
    for (k, row) in table.iter().enumerate() {
        for (l, &up) in row.iter().enumerate().skip(k + 1) {
            let down = table[l][k];
            if up + down > 0 {
                chi2 += (up.abs_diff(down) as f64).powi(2) / (up + down) as f64;
                df += 1;
            }
        }
    }
    if df == 0 {
        Err(Reason::NoDiscordantItem)
    } else {
        Ok(ChiSquared::new(chi2, df))
    }
}

/// The Stuart-Maxwell test of equal margins, d' V^-1 d over the classes with discordant items.
///
/// Stuart (1955), Biometrika 42:412-416; Maxwell (1970), Br. J. Psychiatry 116:651-655.
///
/// # Errors
/// [`Reason::NoDiscordantItem`] when no item is off the diagonal, [`Reason::Singular`] when V has no inverse,
/// [`Reason::OutOfRange`] when the table is not square.
///
/// ```
/// // two classes: McNemar's statistic
/// let test = stats::marginal::stuart_maxwell(&[vec![10, 5], vec![1, 10]]).expect("six discordant");
/// assert!((test.chi2 - 16.0 / 6.0).abs() < 1e-12);
/// ```
pub fn stuart_maxwell(table: &[Vec<u64>]) -> Result<ChiSquared, Reason> {
    check_square(table)?;
    let q = table.len();
    let row = |k: usize| table[k].iter().sum::<u64>();
    let column = |k: usize| table.iter().map(|cells| cells[k]).sum::<u64>();
    let used: Vec<usize> = (0..q)
        .filter(|&k| row(k) + column(k) > 2 * table[k][k])
        .collect();
    let Some((_, kept)) = used.split_last() else {
        return Err(Reason::NoDiscordantItem);
    };
    let mut system: Vec<Vec<f64>> = kept
        .iter()
        .map(|&k| {
            let entry = |l: usize| {
                if k == l {
                    (row(k) + column(k) - 2 * table[k][k]) as f64
                } else {
                    -((table[k][l] + table[l][k]) as f64)
                }
            };
            kept.iter()
                .map(|&l| entry(l))
                .chain([row(k) as f64 - column(k) as f64])
                .collect()
        })
        .collect();
    let d: Vec<f64> = system.iter().map(|equation| equation[kept.len()]).collect();
    let solution = solve(&mut system)?;
    let chi2 = d.iter().zip(&solution).map(|(a, b)| a * b).sum();
    Ok(ChiSquared::new(chi2, kept.len() as u64))
}

fn check_square(table: &[Vec<u64>]) -> Result<(), Reason> {
    if table.iter().any(|row| row.len() != table.len()) {
        Err(Reason::OutOfRange)
    } else {
        Ok(())
    }
}

/// Gauss with partial pivoting on rows that end in the right-hand side.
fn solve(system: &mut [Vec<f64>]) -> Result<Vec<f64>, Reason> {
    let n = system.len();
    let scale = system
        .iter()
        .flatten()
        .fold(0.0_f64, |most, x| most.max(x.abs()));
    for i in 0..n {
        let pivot = (i..n)
            .max_by(|&a, &b| crate::categories::by_number(system[a][i].abs(), system[b][i].abs()))
            .unwrap_or(i);
        system.swap(i, pivot);
        if system[i][i].abs() <= 1e-12 * scale {
            return Err(Reason::Singular);
        }
        let (done, rest) = system.split_at_mut(i + 1);
        for equation in rest {
            let factor = equation[i] / done[i][i];
            equation
                .iter_mut()
                .zip(&done[i])
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| system[i][j] * x[j]).sum();
        x[i] = (system[i][n] - known) / system[i][i];
    }
    Ok(x)
}
