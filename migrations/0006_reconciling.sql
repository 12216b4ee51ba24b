-- How a unit is talked over: triage of what raters wrote, discussions, proposals, exclusions. Everything here is
-- appended; the newest row of a subject counts.

-- What staff did about a comment or a report that an item cannot be rated. The comment itself stays in its annotation.
CREATE TABLE triage (
    annotation_id TEXT NOT NULL REFERENCES annotations (id),
    -- A candidate or missed tag of the annotation; '' for the item as a whole.
    subject TEXT NOT NULL,
    seq BIGINT NOT NULL CHECK (seq >= 1),
    latest BIGINT NOT NULL CHECK (latest IN (0, 1)),
    study_id TEXT NOT NULL REFERENCES studies (id),
    state TEXT NOT NULL
        CHECK (state IN ('unread', 'read', 'answered', 'resolved', 'forwarded', 'guideline')),
    -- What staff answered the rater; empty otherwise.
    answer TEXT NOT NULL,
    by_user TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (annotation_id, subject, seq)
);
CREATE UNIQUE INDEX triage_latest ON triage (annotation_id, subject) WHERE latest = 1;
CREATE INDEX triage_by_study ON triage (study_id, latest, state);

-- Units that staff took out, with a reason of the scheme's list. Versions: the newest counts, and may put it back.
CREATE TABLE exclusions (
    unit_id TEXT NOT NULL,
    version BIGINT NOT NULL CHECK (version >= 1),
    latest BIGINT NOT NULL CHECK (latest IN (0, 1)),
    study_id TEXT NOT NULL REFERENCES studies (id),
    -- 1 while the unit is out, 0 when it was put back.
    active BIGINT NOT NULL CHECK (active IN (0, 1)),
    reason TEXT NOT NULL,
    note TEXT NOT NULL,
    by_user TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (unit_id, version)
);
CREATE UNIQUE INDEX exclusions_latest ON exclusions (unit_id) WHERE latest = 1;
CREATE INDEX exclusions_by_study ON exclusions (study_id, latest, active);

-- One discussion a unit. Without a foreign key to units: a unit is derived and may go, what was said stays.
CREATE TABLE discussions (
    unit_id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    open BIGINT NOT NULL CHECK (open IN (0, 1)),
    -- The person asked to settle it; '' for nobody in particular.
    assigned_to TEXT NOT NULL,
    opened_by TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    -- How many messages it has; the writer that takes a number takes the row.
    messages BIGINT NOT NULL CHECK (messages >= 0)
);
CREATE INDEX discussions_by_item ON discussions (item_id, open);
CREATE INDEX discussions_by_study ON discussions (study_id, open, assigned_to);

CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    unit_id TEXT NOT NULL REFERENCES discussions (unit_id),
    seq BIGINT NOT NULL CHECK (seq >= 1),
    author TEXT NOT NULL REFERENCES users (id),
    at BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('remark', 'proposal', 'acceptance')),
    body TEXT NOT NULL,
    -- The words it quotes from the trace.
    span_start BIGINT CHECK (span_start >= 0),
    span_end BIGINT,
    quote TEXT NOT NULL,
    -- The value a proposal offers.
    validity TEXT NOT NULL CHECK (validity IN ('', 'valid', 'valid_other_subcategory', 'invalid')),
    severity DOUBLE PRECISION,
    code TEXT NOT NULL,
    -- What the proposal rests on: it lapses with it.
    basis TEXT NOT NULL,
    -- The proposal that an acceptance accepts.
    accepts TEXT NOT NULL,
    UNIQUE (unit_id, seq),
    CHECK (span_end > span_start)
);

-- How far somebody has read, and when they first saw it: that is when they first saw the other's judgement.
CREATE TABLE discussion_reads (
    unit_id TEXT NOT NULL REFERENCES discussions (unit_id),
    user_id TEXT NOT NULL REFERENCES users (id),
    first_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (unit_id, user_id)
);
CREATE INDEX discussion_reads_by_user ON discussion_reads (user_id);

-- A ruling may move the span, fold a missed tag into another unit, and keeps what it saw.
ALTER TABLE rulings ADD COLUMN span_start BIGINT;
ALTER TABLE rulings ADD COLUMN span_end BIGINT;
ALTER TABLE rulings ADD COLUMN quote TEXT NOT NULL DEFAULT '';
ALTER TABLE rulings ADD COLUMN merged_into TEXT NOT NULL DEFAULT '';
-- JSON: what each rater had said, the trace's hash and the scheme's version, so that a stale ruling says what changed.
ALTER TABLE rulings ADD COLUMN seen TEXT NOT NULL DEFAULT '';

-- When missed tags of different raters are one unit: exact, overlap, or iou:X with the share of tokens in common.
ALTER TABLE studies ADD COLUMN missed_match TEXT NOT NULL DEFAULT 'exact';
