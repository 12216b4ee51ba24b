-- Items on which raters first say what they find themselves, and then judge what the judge found.

-- In percent of the batch's items; which of them follows from the batch's seed.
ALTER TABLE batches ADD COLUMN hidden_percent BIGINT NOT NULL DEFAULT 0
    CHECK (hidden_percent BETWEEN 0 AND 99);

-- What a rater gave before they saw the judge's tags. A row is written once and never changed; what they say of the
-- judge's tags afterwards is an annotation like any other.
CREATE TABLE own_annotations (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    assignment_id TEXT NOT NULL UNIQUE REFERENCES assignments (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    rater_id TEXT NOT NULL REFERENCES users (id),
    scheme_version BIGINT NOT NULL,
    -- The document that the desk sent.
    body TEXT NOT NULL,
    -- The idempotency key of the submission.
    save_id TEXT NOT NULL,
    submitted_at BIGINT NOT NULL,
    content_hash TEXT NOT NULL
);
CREATE INDEX own_annotations_by_study ON own_annotations (study_id);
