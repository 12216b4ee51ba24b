//! The files of an export.

/// A file of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFile {
    /// One row an item.
    Items,
    /// One row a candidate and a missed tag, with both raters' originals and the final value.
    Labels,
    /// One row an answer.
    RatingsLong,
    /// One row a label that somebody read in a cross-check.
    CrossCheck,
    /// One row a coefficient.
    Agreement,
    /// One row a figure of a judge.
    Judge,
    /// One row a rate of the corpus.
    Corpus,
    /// One row a figure of the scheme's measures.
    Results,
    /// The final answers to questions about items, as MindEval writes verdicts.
    Verdicts,
    /// What raters answered, as a data set of JUDGE-BENCH.
    JudgeBench,
    /// Traces, tags and raters' own judgements, to be imported again.
    Traces,
    /// The data dictionary.
    DataPackage,
}

impl ExportFile {
    /// Every file, the dictionary last.
    pub const ALL: [Self; 12] = [
        Self::Items,
        Self::Labels,
        Self::RatingsLong,
        Self::CrossCheck,
        Self::Agreement,
        Self::Judge,
        Self::Corpus,
        Self::Results,
        Self::Verdicts,
        Self::JudgeBench,
        Self::Traces,
        Self::DataPackage,
    ];

    /// The tables.
    pub(super) const TABLES: [Self; 8] = [
        Self::Items,
        Self::Labels,
        Self::RatingsLong,
        Self::CrossCheck,
        Self::Agreement,
        Self::Judge,
        Self::Corpus,
        Self::Results,
    ];

    /// The tables that are computed from the whole study.
    pub(super) const COMPUTED: [Self; 4] =
        [Self::Agreement, Self::Judge, Self::Corpus, Self::Results];

    /// The files in shapes that other programs read, for schemes with questions about items.
    pub(super) const SHAPED: [Self; 2] = [Self::Verdicts, Self::JudgeBench];

    /// Whether it is written item by item.
    pub(super) fn is_walked(self) -> bool {
        matches!(
            self,
            Self::Items | Self::Labels | Self::RatingsLong | Self::CrossCheck | Self::Traces
        )
    }

    /// The file's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Items => "items.csv",
            Self::Labels => "labels.csv",
            Self::RatingsLong => "ratings_long.csv",
            Self::CrossCheck => "cross_check.csv",
            Self::Agreement => "agreement.csv",
            Self::Judge => "judge.csv",
            Self::Corpus => "corpus.csv",
            Self::Results => "results.csv",
            Self::Verdicts => "verdicts.jsonl",
            Self::JudgeBench => "judge_bench.json",
            Self::Traces => "traces.jsonl",
            Self::DataPackage => "datapackage.json",
        }
    }

    /// What one row is, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Items => "One row an item: what was judged.",
            Self::Labels => {
                "One row a candidate and a missed tag: the judge's tag, each rater's own judgement, the final value and how it was reached."
            }
            Self::RatingsLong => "One row an answer of a rater.",
            Self::CrossCheck => {
                "One row a label that a reviewer read in a cross-check, and whether they agree."
            }
            Self::Agreement => "One row a coefficient, before and after reconciliation.",
            Self::Judge => {
                "One row a figure of a judge, against the final labels and against each rater alone."
            }
            Self::Corpus => {
                "One row a rate: as judged, corrected in two ways, and from the validated items alone."
            }
            Self::Results => {
                "One row a figure that the scheme asks for, for each judge, each rater and the final labels."
            }
            Self::Verdicts => {
                "Final answers to questions about items, as MindEval writes a judge's verdicts."
            }
            Self::JudgeBench => {
                "Every rater's answers to questions about items that take one level, as a data set of JUDGE-BENCH; `left_out` names the other questions."
            }
            Self::Traces => {
                "Traces, judges' tags and each rater's own judgements, one line a judge's verdict: another study can import it."
            }
            Self::DataPackage => "What every file and column means.",
        }
    }

    /// The file of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|file| file.name() == name)
    }
}
