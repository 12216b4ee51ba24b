//! Agreement and judge-validation statistics on plain matrices.
//!
//! One family of statistics a module; [`Ratings`] goes in, a [`Statistic`] comes out: an [`Estimate`] with standard errors, an
//! interval with its method and the units that entered and were left out, or an [`Undefined`] with a [`Reason`]. Nothing is ever
//! NaN. Formulas and citations stand at the functions.
//!
//! ```
//! use stats::{Ratings, Weights, kappa};
//! let rows = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(3.0)], vec![Some(3.0), Some(3.0)]];
//! let ratings = Ratings::from_numbers(&[1.0, 2.0, 3.0, 4.0, 5.0], &rows)?;
//! let kappa = kappa::kappa(&ratings, [0, 1], &Weights::Linear).expect("the raters vary");
//! assert_eq!(kappa.n_units, 3);
//! # Ok::<(), stats::RatingsError>(())
//! ```

pub mod agreement;
pub mod alpha;
pub mod alt_test;
mod beta;
pub mod bootstrap;
pub mod brennan_prediger;
#[cfg(feature = "case")]
pub mod case;
mod categories;
mod coefficient;
pub mod confusion;
pub mod conger;
pub mod difference;
mod dist;
pub mod fleiss;
pub mod gwet;
pub mod icc;
pub mod kalpha;
pub mod kappa;
pub mod light;
mod linearised;
pub mod marginal;
mod pattern;
pub mod percent;
pub mod ppi;
pub mod rank;
mod ratings;
mod result;
pub mod rogan_gladen;
pub mod sample_size;
mod table;
mod weights;
pub mod wilson;

pub use bootstrap::{Bootstrap, resample_counts};
pub use categories::{Categories, Scale, Value};
pub use coefficient::Coefficient;
pub use ratings::{Coding, Ratings, RatingsBuilder, RatingsError};
pub use result::{DropReason, Dropped, Estimate, Interval, Method, Reason, Statistic, Undefined};
pub use weights::{CustomWeights, Weights, WeightsError};
