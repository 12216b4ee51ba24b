-- Units and what settles them. A unit's state is derived from its annotations and its ruling;
-- this table keeps it so that a queue costs a page and not a study.

CREATE TABLE units (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    -- The item's place in the study, so that the order of a queue is an index.
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('candidate', 'missed')),
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'agreed', 'disputed', 'in_discussion', 'ruled', 'stale')),
    ratings BIGINT NOT NULL CHECK (ratings >= 0),
    distance DOUBLE PRECISION NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    -- Which parts differ, joined by a comma: severity, validity, category, asked.
    kinds TEXT NOT NULL,
    -- Hash of all that a ruling would rest on: the counting annotations, the trace, the scheme version.
    basis TEXT NOT NULL,
    -- What each rater said of the unit, as JSON in the raters' order. It stays '[]' until every annotation
    -- of the item is in, so that no reader of this table can see one rater's answer early.
    said TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX units_queue ON units (study_id, state, weight DESC, seq, id);
CREATE INDEX units_by_item ON units (item_id);

CREATE TABLE rulings (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    unit_id TEXT NOT NULL REFERENCES units (id),
    version BIGINT NOT NULL CHECK (version >= 1),
    latest BIGINT NOT NULL CHECK (latest IN (0, 1)),
    outcome TEXT NOT NULL CHECK (outcome IN ('consensus', 'averaged', 'adjudicator', 'unresolved')),
    validity TEXT NOT NULL CHECK (validity IN ('', 'valid', 'valid_other_subcategory', 'invalid')),
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    severity DOUBLE PRECISION,
    cause TEXT NOT NULL
        CHECK (cause IN ('', 'guideline_gap', 'framework', 'missed_evidence', 'span_boundary', 'slip')),
    confidence TEXT NOT NULL CHECK (confidence IN ('', 'low', 'medium', 'high')),
    note TEXT NOT NULL,
    guideline_needs_work BIGINT NOT NULL CHECK (guideline_needs_work IN (0, 1)),
    agreed_by_raters BIGINT NOT NULL CHECK (agreed_by_raters IN (0, 1)),
    -- The rater whose value was adopted, if one was.
    adopted_from TEXT NOT NULL,
    ruled_by TEXT NOT NULL,
    ruled_at BIGINT NOT NULL,
    basis TEXT NOT NULL,
    UNIQUE (unit_id, version)
);
CREATE UNIQUE INDEX rulings_latest ON rulings (unit_id) WHERE latest = 1;
CREATE INDEX rulings_by_study ON rulings (study_id, latest);
