//! A sentence on every coefficient: when it is the right one.

use super::Coefficient;
use crate::icc::Form;

impl Coefficient {
    /// When this coefficient is the right one, and what it does not see.
    ///
    /// ```
    /// assert!(stats::Coefficient::Spearman.advice().contains("bias"));
    /// ```
    #[expect(clippy::too_many_lines, reason = "one sentence a coefficient")]
    pub fn advice(self) -> &'static str {
        match self {
            Self::PercentAgreement => {
                "The share of pairs of raters who agree exactly; easy to read, but some of it is chance."
            }
            Self::Within1Agreement => {
                "The share of pairs at most one step apart; shows whether disagreements are small."
            }
            Self::Kappa => {
                "Two fixed raters and categories without order; agreement beyond what their own margins give by chance."
            }
            Self::KappaLinear => {
                "Two fixed raters on an ordered scale where every step counts the same."
            }
            Self::KappaQuadratic => {
                "Two fixed raters on an ordered scale where large differences count most; close to an intraclass correlation."
            }
            Self::ScottPi => "Two interchangeable raters; chance comes from their pooled margins.",
            Self::FleissKappa => {
                "Three or more interchangeable raters, also different ones for each item, and categories without order."
            }
            Self::CongerKappa => {
                "Three or more fixed raters and categories without order; Cohen's kappa for more than two."
            }
            Self::LightKappa => "Three or more fixed raters: the mean of the kappas of all pairs.",
            Self::LightKappaQuadratic => {
                "Three or more fixed raters on an ordered scale: the mean of the quadratic kappas of all pairs."
            }
            Self::AlphaNominal => {
                "Any number of raters with missing ratings, categories without order."
            }
            Self::AlphaOrdinal => {
                "Any number of raters with missing ratings on an ordered scale; distances are counted in ranks."
            }
            Self::AlphaInterval => {
                "Any number of raters with missing ratings, numbers whose differences mean the same everywhere."
            }
            Self::AlphaRatio => {
                "Any number of raters with missing ratings, non-negative numbers compared by their ratio."
            }
            Self::GwetAc1 => {
                "Less sensitive to a rare category than kappa; show the prevalence beside it, a high value is no proof of quality."
            }
            Self::GwetAc2Linear => "AC1 on an ordered scale where every step counts the same.",
            Self::GwetAc2Quadratic => "AC1 on an ordered scale where large differences count most.",
            Self::BrennanPrediger => {
                "Chance is one over the number of declared categories, whatever the raters used."
            }
            Self::BrennanPredigerLinear => {
                "Brennan-Prediger on an ordered scale where every step counts the same."
            }
            Self::BrennanPredigerQuadratic => {
                "Brennan-Prediger on an ordered scale where large differences count most."
            }
            Self::Pabak => {
                "Two categories: kappa as it would be with balanced categories and no bias between the raters."
            }
            Self::Icc(Form::OneSingle) => {
                "Numbers; different raters for each item; reliability of one rating."
            }
            Self::Icc(Form::TwoSingle) => {
                "Numbers; raters stand for others like them; absolute agreement of one rating."
            }
            Self::Icc(Form::ThreeSingle) => {
                "Numbers; only these raters; consistency of one rating, a constant bias does not count."
            }
            Self::Icc(Form::OneMean) => {
                "Numbers; different raters for each item; reliability of their mean."
            }
            Self::Icc(Form::TwoMean) => {
                "Numbers; raters stand for others like them; absolute agreement of their mean."
            }
            Self::Icc(Form::ThreeMean) => "Numbers; only these raters; consistency of their mean.",
            Self::KendallTauB => {
                "Whether two raters order items alike; it does not see bias, so never show it alone."
            }
            Self::Spearman => {
                "Whether two raters rank items alike; it does not see bias, so never show it alone."
            }
            Self::Mae => "By how many units two raters differ on average.",
            Self::Bias => {
                "By how many units the second rater is higher on average; negative when lower."
            }
        }
    }
}
