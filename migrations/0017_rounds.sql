-- Calibration and cross-check, and when a rater was first shown another's judgement.

CREATE TABLE disclosures (
    study_id TEXT NOT NULL REFERENCES studies (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    viewer_id TEXT NOT NULL REFERENCES users (id),
    place TEXT NOT NULL CHECK (place IN ('calibration', 'cross_check')),
    at BIGINT NOT NULL,
    PRIMARY KEY (item_id, viewer_id, place)
);
CREATE INDEX disclosures_by_study ON disclosures (study_id);

-- What a calibration batch is measured against: the judgements of one of its raters, or the other raters'.
CREATE TABLE calibrations (
    batch_id TEXT PRIMARY KEY REFERENCES batches (id),
    reference_id TEXT NOT NULL,
    -- The share of tags that must not differ by the study's rule; none when nobody has to pass.
    pass_share DOUBLE PRECISION CHECK (pass_share >= 0 AND pass_share <= 1)
);

-- One rater reads one version of another's judgement of an item.
CREATE TABLE reviews (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    batch_id TEXT NOT NULL REFERENCES batches (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    reviewer_id TEXT NOT NULL REFERENCES users (id),
    annotation_id TEXT NOT NULL REFERENCES annotations (id),
    position BIGINT NOT NULL,
    done_at BIGINT,
    UNIQUE (batch_id, item_id, reviewer_id)
);
CREATE INDEX reviews_by_reviewer ON reviews (reviewer_id, batch_id, position);
CREATE INDEX reviews_by_study ON reviews (study_id);

CREATE TABLE verdicts (
    review_id TEXT NOT NULL REFERENCES reviews (id),
    -- A candidate, a missed tag, or q:ID for a question about the item.
    label TEXT NOT NULL,
    agrees BIGINT NOT NULL CHECK (agrees IN (0, 1)),
    note TEXT NOT NULL,
    PRIMARY KEY (review_id, label)
);
