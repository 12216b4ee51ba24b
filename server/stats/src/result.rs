//! What a statistic is: an estimate with its errors and counts, or a named reason why there is none.

use std::fmt;

/// A statistic of this crate: an [`Estimate`], or an [`Undefined`] that says why. Never NaN.
///
/// ```
/// use stats::{Ratings, Reason, percent};
/// let none = Ratings::from_numbers(&[1.0, 2.0], &[])?;
/// let undefined = percent::agreement(&none).expect_err("no items");
/// assert_eq!(undefined.reason, Reason::NoPairs);
/// # Ok::<(), stats::RatingsError>(())
/// ```
pub type Statistic = Result<Estimate, Undefined>;

/// A defined statistic.
///
/// ```
/// use stats::{Ratings, percent};
/// let ratings = Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(1.0), Some(1.0)], vec![Some(2.0), None]])?;
/// let estimate = percent::agreement(&ratings).expect("one pair");
/// assert_eq!((estimate.value, estimate.n_units, estimate.n_dropped()), (1.0, 1, 1));
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The point estimate; always finite.
    pub value: f64,
    /// Standard error for intervals (non-null).
    pub se: Option<f64>,
    /// Standard error under the null hypothesis of chance agreement.
    pub se0: Option<f64>,
    /// Test statistic `value / se0` where a null standard error exists.
    pub z: Option<f64>,
    /// Two-sided p value of the test against zero.
    pub p: Option<f64>,
    /// The 95 % interval, or why there is none.
    pub ci: Result<Interval, Reason>,
    /// Units (items, pairs) that entered.
    pub n_units: u64,
    /// Units left out, by reason.
    pub dropped: Vec<Dropped>,
}

impl Estimate {
    /// An estimate with counts only; errors are added by the family that has them.
    pub(crate) fn plain(value: f64, n_units: u64, dropped: Vec<Dropped>) -> Self {
        Self {
            value,
            se: None,
            se0: None,
            z: None,
            p: None,
            ci: Err(Reason::BootstrapOnly),
            n_units,
            dropped,
        }
    }

    /// Units left out, whatever the reason.
    ///
    /// ```
    /// use stats::{Ratings, percent};
    /// let ratings = Ratings::from_numbers(&[1.0], &[vec![Some(1.0), Some(1.0)], vec![None, None]])?;
    /// assert_eq!(percent::agreement(&ratings).expect("one pair").n_dropped(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_dropped(&self) -> u64 {
        self.dropped.iter().map(|d| d.count).sum()
    }
}

/// Two bounds and how they were found.
///
/// ```
/// let interval = stats::wilson::interval(5, 10, 0.95).expect("ten trials");
/// assert!(interval.low < 0.5 && 0.5 < interval.high);
/// assert_eq!(interval.method, stats::Method::Wilson);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// How the bounds were found.
    pub method: Method,
}

/// How an interval was found.
///
/// ```
/// assert_eq!(stats::Method::Wilson.code(), "wilson");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Method {
    /// Estimate plus and minus a normal quantile times the standard error; not clipped.
    Wald,
    /// Student t with n - 1 degrees of freedom; upper bound clipped at 1.
    StudentT,
    /// Wilson (1927) score interval of a proportion.
    Wilson,
    /// Ratio of mean squares, F distribution.
    F,
    /// F distribution with Satterthwaite's degrees of freedom.
    Satterthwaite,
    /// Percentiles of a bootstrap over items.
    Percentile,
    /// Bias-corrected and accelerated bootstrap over items.
    Bca,
    /// Percentiles of a bootstrap over clusters of items.
    ClusterPercentile,
    /// Bias-corrected and accelerated bootstrap over clusters of items.
    ClusterBca,
    /// The pair bootstrap of Hayes' KALPHA macro, kept for comparison only.
    Kalpha,
    /// Bland-Altman limits: mean difference plus and minus 1.96 standard deviations.
    LimitsOfAgreement,
}

impl Method {
    /// The word used in files.
    ///
    /// ```
    /// assert_eq!(stats::Method::StudentT.code(), "student_t");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Self::Wald => "wald",
            Self::StudentT => "student_t",
            Self::Wilson => "wilson",
            Self::F => "f",
            Self::Satterthwaite => "f_satterthwaite",
            Self::Percentile => "bootstrap_percentile",
            Self::Bca => "bootstrap_bca",
            Self::ClusterPercentile => "cluster_bootstrap_percentile",
            Self::ClusterBca => "cluster_bootstrap_bca",
            Self::Kalpha => "kalpha_bootstrap",
            Self::LimitsOfAgreement => "limits_of_agreement",
        }
    }
}

/// Units left out for one reason.
///
/// ```
/// use stats::{DropReason, Ratings, percent};
/// let ratings = Ratings::from_numbers(&[1.0], &[vec![Some(1.0), None], vec![Some(1.0), Some(1.0)]])?;
/// let estimate = percent::agreement(&ratings).expect("one pair");
/// assert_eq!(estimate.dropped[0].reason, DropReason::SingleRating);
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Dropped {
    /// Why.
    pub reason: DropReason,
    /// How many.
    pub count: u64,
}

/// Why a unit did not enter a statistic.
///
/// ```
/// assert_eq!(stats::DropReason::NoRating.code(), "no_rating");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DropReason {
    /// Nobody rated it.
    NoRating,
    /// Only one of the raters concerned rated it.
    SingleRating,
    /// At least one of the raters did not rate it, where all are needed.
    Incomplete,
}

impl DropReason {
    /// The word used in files.
    ///
    /// ```
    /// assert_eq!(stats::DropReason::SingleRating.code(), "single_rating");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            Self::NoRating => "no_rating",
            Self::SingleRating => "single_rating",
            Self::Incomplete => "incomplete",
        }
    }
}

/// No estimate, and why.
///
/// ```
/// use stats::{Ratings, Reason, Weights, kappa};
/// let same = Ratings::from_numbers(&[1.0, 2.0], &[vec![Some(2.0), Some(2.0)]])?;
/// let undefined = kappa::kappa(&same, [0, 1], &Weights::Identity).expect_err("0/0");
/// assert_eq!((undefined.reason, undefined.n_units), (Reason::NoVariation, 1));
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Undefined {
    /// Why there is no value.
    pub reason: Reason,
    /// Units that would have entered.
    pub n_units: u64,
    /// Units left out, by reason.
    pub dropped: Vec<Dropped>,
}

impl Undefined {
    pub(crate) fn new(reason: Reason, n_units: u64, dropped: Vec<Dropped>) -> Self {
        Self {
            reason,
            n_units,
            dropped,
        }
    }

    /// Units left out, whatever the reason.
    ///
    /// ```
    /// use stats::{Ratings, percent};
    /// let ratings = Ratings::from_numbers(&[1.0], &[vec![Some(1.0), None]])?;
    /// assert_eq!(percent::agreement(&ratings).expect_err("no pair").n_dropped(), 1);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn n_dropped(&self) -> u64 {
        self.dropped.iter().map(|d| d.count).sum()
    }
}

impl From<Reason> for Undefined {
    fn from(reason: Reason) -> Self {
        Self::new(reason, 0, Vec::new())
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not defined: {}", self.reason.sentence())
    }
}

impl std::error::Error for Undefined {}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $sentence:literal;)*) => {
        /// The closed list of reasons for a missing value, error or interval.
        ///
        /// ```
        /// assert_eq!(stats::Reason::NoPairs.code(), "no_pairs");
        /// assert_eq!(stats::Reason::NoPairs.sentence(), "no item was rated by two raters");
        /// ```
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum Reason { $(#[doc = $sentence] $(#[$doc])* $name,)* }

        impl Reason {
            /// Every reason, in the order of the documentation.
            ///
            /// ```
            /// assert!(stats::Reason::ALL.contains(&stats::Reason::NoVariation));
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The word used in files.
            ///
            /// ```
            /// assert_eq!(stats::Reason::ConstantRater.code(), "constant_rater");
            /// ```
            pub fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The reason for a reader.
            ///
            /// ```
            /// assert_eq!(stats::Reason::NoVariation.sentence(), "every rating is the same");
            /// ```
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)* }
            }
        }
    };
}

reasons! {
    NoItems = "no_items", "there are no items";
    NoPairs = "no_pairs", "no item was rated by two raters";
    NoVariation = "no_variation", "every rating is the same";
    ZeroVariance = "zero_variance", "the values that would be compared do not vary";
    ConstantRater = "constant_rater", "one rater used a single category";
    PerfectAgreement = "perfect_agreement", "the raters agree on every item, so no error can be estimated";
    ZeroStandardError = "zero_standard_error", "the estimated standard error is zero";
    TooFewItems = "too_few_items", "more items are needed";
    NoCompleteItems = "no_complete_items", "no item was rated by every rater";
    EmptyRater = "empty_rater", "one rater rated nothing";
    TooFewRaters = "too_few_raters", "more raters are needed";
    NotTwoRaters = "not_two_raters", "the coefficient is for two raters";
    NotNumeric = "not_numeric", "the ratings are words, not numbers";
    NegativeValue = "negative_value", "a ratio scale has no negative values";
    SingleCategory = "single_category", "the scale has one category";
    NotBinary = "not_binary", "the coefficient is for two categories";
    TooManyCategories = "too_many_categories", "too many different values for a table of categories";
    WeightsMismatch = "weights_mismatch", "the weights do not fit the categories";
    NothingPredicted = "nothing_predicted", "the class was never predicted";
    NoGoldPositive = "no_gold_positive", "the class does not occur in the reference";
    ClassAbsent = "class_absent", "the class occurs neither in the reference nor in the prediction";
    NoDiscordantItem = "no_discordant_item", "no item is discordant";
    Singular = "singular", "the covariance matrix cannot be inverted";
    JudgeNotInformative = "judge_not_informative", "sensitivity and specificity add up to one or less";
    NoValidationPositive = "no_validation_positive", "the validation sample has no positive item";
    NoValidationNegative = "no_validation_negative", "the validation sample has no negative item";
    NoResample = "no_resample", "no resample gave a value";
    OutOfRange = "out_of_range", "an argument is outside its range";
    BootstrapOnly = "bootstrap_only", "no closed formula is offered; use the bootstrap over items";
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
