-- Who judges what, and what they said. Submitted annotations are append-only.

CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    ordinal BIGINT NOT NULL CHECK (ordinal >= 1),
    name TEXT NOT NULL,
    round TEXT NOT NULL CHECK (round IN ('calibration', 'main', 'cross_check', 'imported')),
    seed BIGINT NOT NULL,
    -- '', model, condition or category.
    stratify TEXT NOT NULL,
    requested BIGINT NOT NULL,
    raters_per_item BIGINT NOT NULL CHECK (raters_per_item >= 1),
    created_at BIGINT NOT NULL,
    created_by TEXT,
    UNIQUE (study_id, ordinal)
);

CREATE TABLE batch_items (
    batch_id TEXT NOT NULL REFERENCES batches (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    ordinal BIGINT NOT NULL,
    PRIMARY KEY (batch_id, item_id)
);
CREATE INDEX batch_items_by_item ON batch_items (item_id);

CREATE TABLE assignments (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    batch_id TEXT NOT NULL REFERENCES batches (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    rater_id TEXT NOT NULL REFERENCES users (id),
    position BIGINT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('not_started', 'in_progress', 'submitted', 'reopened', 'not_ratable', 'withdrawn')),
    -- Counts every save, submit and reopening; a writer names the version it saw.
    version BIGINT NOT NULL CHECK (version >= 0),
    judge_hidden BIGINT NOT NULL CHECK (judge_hidden IN (0, 1)),
    -- Who withdrew it, or that another rater has it now: the rater may resume only what they handed back.
    withdrawn_by TEXT NOT NULL CHECK (withdrawn_by IN ('', 'rater', 'staff', 'replaced')),
    opened_at BIGINT,
    saved_at BIGINT,
    submitted_at BIGINT,
    UNIQUE (batch_id, item_id, rater_id)
);
CREATE INDEX assignments_by_rater ON assignments (rater_id, batch_id, position);
CREATE INDEX assignments_by_study ON assignments (study_id, state);
CREATE INDEX assignments_by_item ON assignments (item_id);
CREATE INDEX assignments_by_batch ON assignments (batch_id, rater_id, state);
-- The next piece of work is found without walking past what is done.
CREATE INDEX assignments_open ON assignments (rater_id, batch_id, position)
    WHERE state IN ('not_started', 'in_progress', 'reopened');

-- How far each rater of a batch is, counted as it happens: neither a desk nor a progress table may cost
-- more as a batch grows. One row a state; the integrity check compares them with the assignments.
CREATE TABLE batch_progress (
    batch_id TEXT NOT NULL REFERENCES batches (id),
    rater_id TEXT NOT NULL REFERENCES users (id),
    state TEXT NOT NULL
        CHECK (state IN ('not_started', 'in_progress', 'submitted', 'reopened', 'not_ratable', 'withdrawn')),
    assignments BIGINT NOT NULL CHECK (assignments >= 0),
    PRIMARY KEY (batch_id, rater_id, state)
);
CREATE INDEX batch_progress_by_rater ON batch_progress (rater_id, batch_id);

-- The one draft of an assignment, as the document that the desk edits; last_save is the idempotency key.
CREATE TABLE drafts (
    assignment_id TEXT PRIMARY KEY REFERENCES assignments (id),
    body TEXT NOT NULL,
    last_save TEXT NOT NULL,
    saved_at BIGINT NOT NULL
);

CREATE TABLE annotations (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    assignment_id TEXT NOT NULL REFERENCES assignments (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    rater_id TEXT NOT NULL REFERENCES users (id),
    version BIGINT NOT NULL CHECK (version >= 1),
    -- 1 for the one that counts, 0 for those it replaced; the only column that ever changes.
    latest BIGINT NOT NULL CHECK (latest IN (0, 1)),
    scheme_version BIGINT NOT NULL,
    ratable BIGINT NOT NULL CHECK (ratable IN (0, 1)),
    not_ratable_reason TEXT NOT NULL,
    nothing_missed BIGINT NOT NULL CHECK (nothing_missed IN (0, 1)),
    missed_count BIGINT,
    comment TEXT NOT NULL,
    submitted_at BIGINT NOT NULL,
    content_hash TEXT NOT NULL,
    UNIQUE (assignment_id, version)
);
CREATE UNIQUE INDEX annotations_latest ON annotations (assignment_id) WHERE latest = 1;
CREATE INDEX annotations_by_item ON annotations (item_id, latest);
CREATE INDEX annotations_by_study ON annotations (study_id, latest);

CREATE TABLE judgements (
    annotation_id TEXT NOT NULL REFERENCES annotations (id),
    candidate_id TEXT NOT NULL REFERENCES candidates (id),
    validity TEXT NOT NULL CHECK (validity IN ('', 'valid', 'valid_other_subcategory', 'invalid')),
    severity DOUBLE PRECISION,
    -- JSON array of codes that fit better.
    better TEXT NOT NULL,
    comment TEXT NOT NULL,
    discuss BIGINT NOT NULL CHECK (discuss IN (0, 1)),
    PRIMARY KEY (annotation_id, candidate_id)
);
CREATE INDEX judgements_by_candidate ON judgements (candidate_id);

CREATE TABLE missed_tags (
    annotation_id TEXT NOT NULL REFERENCES annotations (id),
    tag_id TEXT NOT NULL,
    ordinal BIGINT NOT NULL,
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    severity DOUBLE PRECISION,
    span_start BIGINT CHECK (span_start >= 0),
    span_end BIGINT,
    quote TEXT NOT NULL,
    comment TEXT NOT NULL,
    PRIMARY KEY (annotation_id, tag_id),
    CHECK (span_end > span_start)
);
CREATE INDEX missed_tags_by_tag ON missed_tags (tag_id);

CREATE TABLE item_answers (
    annotation_id TEXT NOT NULL REFERENCES annotations (id),
    question TEXT NOT NULL,
    -- JSON array of the chosen values.
    answer TEXT NOT NULL,
    rationale TEXT NOT NULL,
    PRIMARY KEY (annotation_id, question)
);
