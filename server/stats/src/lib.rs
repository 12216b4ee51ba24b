//! Agreement and judge-validation statistics.
