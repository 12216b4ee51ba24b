-- What is judged: items, judges, candidates and their spans.

CREATE TABLE items (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    seq BIGINT NOT NULL CHECK (seq >= 1),
    source_key TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    condition TEXT NOT NULL,
    model TEXT NOT NULL,
    mode TEXT NOT NULL,
    -- JSON object of labels such as education and gender.
    demographics TEXT NOT NULL,
    vignette TEXT NOT NULL,
    question TEXT NOT NULL,
    -- JSON array of the options in order.
    options TEXT NOT NULL,
    answer TEXT NOT NULL,
    trace TEXT NOT NULL,
    trace_sha256 TEXT NOT NULL,
    trace_length BIGINT NOT NULL CHECK (trace_length > 0),
    -- JSON array of {label, start, end} in code points of the trace.
    segments TEXT NOT NULL,
    extra TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (study_id, source_key)
);
CREATE UNIQUE INDEX items_by_seq ON items (study_id, seq);

CREATE TABLE judges (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    name TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    params TEXT NOT NULL,
    UNIQUE (study_id, name, model, prompt_version, params)
);

-- A judge's run over an item. A failure is no judged negative.
CREATE TABLE judged (
    item_id TEXT NOT NULL REFERENCES items (id),
    judge_id TEXT NOT NULL REFERENCES judges (id),
    outcome TEXT NOT NULL CHECK (outcome IN ('judged', 'failed')),
    failure TEXT NOT NULL,
    summary TEXT NOT NULL,
    PRIMARY KEY (item_id, judge_id)
);

CREATE TABLE candidates (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    judge_id TEXT NOT NULL REFERENCES judges (id),
    ordinal BIGINT NOT NULL CHECK (ordinal >= 1),
    source_key TEXT NOT NULL,
    original_code TEXT NOT NULL,
    original_name TEXT NOT NULL,
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    severity DOUBLE PRECISION,
    explanation TEXT NOT NULL,
    -- JSON array of the evidence as the judge wrote it.
    evidence TEXT NOT NULL,
    anchor TEXT NOT NULL CHECK (anchor IN ('verbatim', 'normalised', 'elided', 'unanchored')),
    content_hash TEXT NOT NULL,
    UNIQUE (item_id, source_key),
    UNIQUE (item_id, ordinal)
);
CREATE INDEX candidates_by_study ON candidates (study_id);

CREATE TABLE candidate_spans (
    candidate_id TEXT NOT NULL REFERENCES candidates (id),
    ordinal BIGINT NOT NULL CHECK (ordinal >= 1),
    item_id TEXT NOT NULL REFERENCES items (id),
    span_start BIGINT NOT NULL CHECK (span_start >= 0),
    span_end BIGINT NOT NULL,
    quote TEXT NOT NULL,
    PRIMARY KEY (candidate_id, ordinal),
    CHECK (span_end > span_start)
);
CREATE INDEX candidate_spans_by_item ON candidate_spans (item_id);

CREATE TABLE imports (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    at BIGINT NOT NULL,
    by_user TEXT,
    format TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file_sha256 TEXT NOT NULL,
    items BIGINT NOT NULL,
    candidates BIGINT NOT NULL,
    ratings BIGINT NOT NULL,
    identical BIGINT NOT NULL
);
CREATE INDEX imports_by_study ON imports (study_id);
