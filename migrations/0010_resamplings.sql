-- Intervals that were resampled already, by the hash of all that they follow from: the ratings, what is resampled
-- together, the coefficients, the number of resamples and the seed. A changed rating has another hash.

CREATE TABLE resamplings (
    hash TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    -- JSON: for each coefficient its bounds, as texts that read back to the same number.
    outcome TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX resamplings_by_study ON resamplings (study_id, created_at);
