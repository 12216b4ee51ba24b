//! The closed list of coefficients that can be named, computed and bootstrapped.

mod advice;

use crate::alpha::{self, Metric};
use crate::icc::{self, Form};
use crate::ratings::{Ratings, Sample};
use crate::result::{Reason, Statistic};
use crate::table::{Table, only_pair};
use crate::weights::Weights;
use crate::{brennan_prediger, conger, difference, fleiss, gwet, kappa, light, percent, rank};

/// A coefficient by its name in files.
///
/// Those for two raters need a matrix with exactly two columns; build one for a pair of a larger matrix.
///
/// ```
/// use stats::{Coefficient, Ratings};
/// let rows = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(3.0)], vec![Some(3.0), Some(3.0)]];
/// let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0], &rows)?;
/// let coefficient: Coefficient = "kappa_quadratic".parse().expect("a known name");
/// assert!(coefficient.compute(&ratings).is_ok());
/// # Ok::<(), stats::RatingsError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Coefficient {
    /// Observed agreement of pairs.
    PercentAgreement,
    /// Share of pairs at most one apart.
    Within1Agreement,
    /// Cohen's kappa.
    Kappa,
    /// Linearly weighted kappa.
    KappaLinear,
    /// Quadratically weighted kappa.
    KappaQuadratic,
    /// Scott's pi.
    ScottPi,
    /// Fleiss' kappa.
    FleissKappa,
    /// Conger's kappa.
    CongerKappa,
    /// Light's kappa.
    LightKappa,
    /// Mean of the pairwise quadratic kappas.
    LightKappaQuadratic,
    /// Krippendorff's alpha, nominal.
    AlphaNominal,
    /// Krippendorff's alpha, ordinal.
    AlphaOrdinal,
    /// Krippendorff's alpha, interval.
    AlphaInterval,
    /// Krippendorff's alpha, ratio.
    AlphaRatio,
    /// Gwet's AC1.
    GwetAc1,
    /// Gwet's AC2, linear weights.
    GwetAc2Linear,
    /// Gwet's AC2, quadratic weights.
    GwetAc2Quadratic,
    /// Brennan-Prediger.
    BrennanPrediger,
    /// Brennan-Prediger, linear weights.
    BrennanPredigerLinear,
    /// Brennan-Prediger, quadratic weights.
    BrennanPredigerQuadratic,
    /// Prevalence- and bias-adjusted kappa.
    Pabak,
    /// Intraclass correlation.
    Icc(Form),
    /// Kendall's tau-b.
    KendallTauB,
    /// Spearman's rho.
    Spearman,
    /// Mean absolute difference.
    Mae,
    /// Mean signed difference.
    Bias,
}

impl Coefficient {
    /// Every coefficient, in the order in which they are reported.
    ///
    /// ```
    /// assert_eq!(stats::Coefficient::ALL.len(), 31);
    /// ```
    pub const ALL: [Self; 31] = [
        Self::PercentAgreement,
        Self::Within1Agreement,
        Self::Kappa,
        Self::KappaLinear,
        Self::KappaQuadratic,
        Self::ScottPi,
        Self::FleissKappa,
        Self::CongerKappa,
        Self::LightKappa,
        Self::LightKappaQuadratic,
        Self::AlphaNominal,
        Self::AlphaOrdinal,
        Self::AlphaInterval,
        Self::AlphaRatio,
        Self::GwetAc1,
        Self::GwetAc2Linear,
        Self::GwetAc2Quadratic,
        Self::BrennanPrediger,
        Self::BrennanPredigerLinear,
        Self::BrennanPredigerQuadratic,
        Self::Pabak,
        Self::Icc(Form::OneSingle),
        Self::Icc(Form::TwoSingle),
        Self::Icc(Form::ThreeSingle),
        Self::Icc(Form::OneMean),
        Self::Icc(Form::TwoMean),
        Self::Icc(Form::ThreeMean),
        Self::KendallTauB,
        Self::Spearman,
        Self::Mae,
        Self::Bias,
    ];

    /// The name in files.
    ///
    /// ```
    /// assert_eq!(stats::Coefficient::AlphaOrdinal.name(), "alpha_ordinal");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::PercentAgreement => "percent_agreement",
            Self::Within1Agreement => "within1_agreement",
            Self::Kappa => "kappa",
            Self::KappaLinear => "kappa_linear",
            Self::KappaQuadratic => "kappa_quadratic",
            Self::ScottPi => "scott_pi",
            Self::FleissKappa => "fleiss_kappa",
            Self::CongerKappa => "conger_kappa",
            Self::LightKappa => "light_kappa",
            Self::LightKappaQuadratic => "light_kappa_quadratic",
            Self::AlphaNominal => "alpha_nominal",
            Self::AlphaOrdinal => "alpha_ordinal",
            Self::AlphaInterval => "alpha_interval",
            Self::AlphaRatio => "alpha_ratio",
            Self::GwetAc1 => "gwet_ac1",
            Self::GwetAc2Linear => "gwet_ac2_linear",
            Self::GwetAc2Quadratic => "gwet_ac2_quadratic",
            Self::BrennanPrediger => "brennan_prediger",
            Self::BrennanPredigerLinear => "brennan_prediger_linear",
            Self::BrennanPredigerQuadratic => "brennan_prediger_quadratic",
            Self::Pabak => "pabak",
            Self::Icc(form) => form.code(),
            Self::KendallTauB => "kendall_tau_b",
            Self::Spearman => "spearman",
            Self::Mae => "mae",
            Self::Bias => "bias",
        }
    }

    /// The statistic with everything its family offers.
    ///
    /// # Errors
    /// The reasons of the family; [`Reason::NotTwoRaters`] for a two-rater coefficient on another matrix.
    ///
    /// ```
    /// use stats::{Coefficient, Ratings, Reason};
    /// let one = Ratings::from_numbers(&[1.0], &[vec![Some(1.0)]])?;
    /// assert_eq!(Coefficient::Kappa.compute(&one).expect_err("one rater").reason, Reason::NotTwoRaters);
    /// # Ok::<(), stats::RatingsError>(())
    /// ```
    pub fn compute(self, ratings: &Ratings) -> Statistic {
        match self {
            Self::PercentAgreement => percent::agreement(ratings),
            Self::Within1Agreement => percent::within_one(ratings, only_pair(ratings)?),
            Self::Kappa => kappa::kappa(ratings, only_pair(ratings)?, &Weights::Identity),
            Self::KappaLinear => kappa::kappa(ratings, only_pair(ratings)?, &Weights::Linear),
            Self::KappaQuadratic => kappa::kappa(ratings, only_pair(ratings)?, &Weights::Quadratic),
            Self::ScottPi => fleiss::scott_pi(ratings, only_pair(ratings)?),
            Self::FleissKappa => fleiss::kappa(ratings),
            Self::CongerKappa => conger::kappa(ratings),
            Self::LightKappa => light::kappa(ratings, &Weights::Identity),
            Self::LightKappaQuadratic => light::kappa(ratings, &Weights::Quadratic),
            Self::AlphaNominal => alpha::alpha(ratings, Metric::Nominal),
            Self::AlphaOrdinal => alpha::alpha(ratings, Metric::Ordinal),
            Self::AlphaInterval => alpha::alpha(ratings, Metric::Interval),
            Self::AlphaRatio => alpha::alpha(ratings, Metric::Ratio),
            Self::GwetAc1 => gwet::ac(ratings, &Weights::Identity),
            Self::GwetAc2Linear => gwet::ac(ratings, &Weights::Linear),
            Self::GwetAc2Quadratic => gwet::ac(ratings, &Weights::Quadratic),
            Self::BrennanPrediger => brennan_prediger::coefficient(ratings, &Weights::Identity),
            Self::BrennanPredigerLinear => brennan_prediger::coefficient(ratings, &Weights::Linear),
            Self::BrennanPredigerQuadratic => {
                brennan_prediger::coefficient(ratings, &Weights::Quadratic)
            }
            Self::Pabak => brennan_prediger::pabak(ratings),
            Self::Icc(form) => icc::icc(ratings, form),
            Self::KendallTauB => rank::kendall_tau_b(ratings, only_pair(ratings)?),
            Self::Spearman => rank::spearman(ratings, only_pair(ratings)?),
            Self::Mae => difference::mean_absolute(ratings, only_pair(ratings)?),
            Self::Bias => difference::bias(ratings, only_pair(ratings)?),
        }
    }

    /// The value alone, for a resample.
    pub(crate) fn value(self, sample: Sample<'_>) -> Result<f64, Reason> {
        let pair = || only_pair(sample.ratings);
        match self {
            Self::PercentAgreement => percent::agreement_value(sample),
            Self::Within1Agreement => {
                percent::within_one_value(sample.ratings, &Table::new(sample, pair()?))
            }
            Self::Kappa => kappa::value(sample, pair()?, &Weights::Identity),
            Self::KappaLinear => kappa::value(sample, pair()?, &Weights::Linear),
            Self::KappaQuadratic => kappa::value(sample, pair()?, &Weights::Quadratic),
            Self::ScottPi => fleiss::scott_value(&Table::new(sample, pair()?)),
            Self::FleissKappa => fleiss::value(sample),
            Self::CongerKappa => conger::value(sample),
            Self::LightKappa => light::value(sample, &Weights::Identity),
            Self::LightKappaQuadratic => light::value(sample, &Weights::Quadratic),
            Self::AlphaNominal => alpha::value(sample, Metric::Nominal),
            Self::AlphaOrdinal => alpha::value(sample, Metric::Ordinal),
            Self::AlphaInterval => alpha::value(sample, Metric::Interval),
            Self::AlphaRatio => alpha::value(sample, Metric::Ratio),
            Self::GwetAc1 => gwet::value(sample, &Weights::Identity),
            Self::GwetAc2Linear => gwet::value(sample, &Weights::Linear),
            Self::GwetAc2Quadratic => gwet::value(sample, &Weights::Quadratic),
            Self::Pabak if sample.ratings.categories().len() != 2 => Err(Reason::NotBinary),
            Self::BrennanPrediger | Self::Pabak => {
                brennan_prediger::value(sample, &Weights::Identity)
            }
            Self::BrennanPredigerLinear => brennan_prediger::value(sample, &Weights::Linear),
            Self::BrennanPredigerQuadratic => brennan_prediger::value(sample, &Weights::Quadratic),
            Self::Icc(form) => icc::value(sample, form),
            Self::KendallTauB => rank::tau_value(sample, pair()?),
            Self::Spearman => rank::rho_value(sample, pair()?),
            Self::Mae => difference::value(sample, pair()?, |a, b| (b - a).abs()),
            Self::Bias => difference::value(sample, pair()?, |a, b| b - a),
        }
    }
}

impl std::str::FromStr for Coefficient {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|coefficient| coefficient.name() == name)
            .ok_or_else(|| format!("`{name}` is not a coefficient"))
    }
}
