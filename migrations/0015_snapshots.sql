-- Signed-off states of a study. The rows that a label rests on are never changed, so a snapshot holds their names; what
-- is derived anew (units) it holds as a copy, and each label as it was read then. Nothing of it changes, except that a
-- later reopening is noted.

CREATE TABLE snapshots (
    id TEXT PRIMARY KEY,
    study_id TEXT NOT NULL REFERENCES studies (id),
    number BIGINT NOT NULL CHECK (number >= 1),
    -- SHA-256 of the canonical JSON of manifest and labels.
    content_hash TEXT NOT NULL,
    -- Canonical JSON: scheme, rules, what was left out, software.
    manifest TEXT NOT NULL,
    labels BIGINT NOT NULL CHECK (labels >= 0),
    -- The place of the last item there was.
    last_seq BIGINT NOT NULL,
    scheme_hash TEXT NOT NULL REFERENCES schemes (hash),
    scheme_version BIGINT NOT NULL,
    signed_by TEXT NOT NULL,
    -- The name typed by whoever answers for it, and what they state.
    attested_as TEXT NOT NULL,
    statement TEXT NOT NULL,
    signed_at BIGINT NOT NULL,
    reopened_at BIGINT,
    reopened_by TEXT NOT NULL,
    reopened_reason TEXT NOT NULL,
    UNIQUE (study_id, number)
);

-- Each label as canonical JSON, in the order of the content.
CREATE TABLE snapshot_labels (
    snapshot_id TEXT NOT NULL REFERENCES snapshots (id),
    place BIGINT NOT NULL CHECK (place >= 1),
    unit_id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (snapshot_id, place)
);

-- The units as they were kept, with the ruling that was in force.
CREATE TABLE snapshot_units (
    snapshot_id TEXT NOT NULL REFERENCES snapshots (id),
    unit_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    state TEXT NOT NULL,
    ratings BIGINT NOT NULL,
    distance DOUBLE PRECISION NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    kinds TEXT NOT NULL,
    basis TEXT NOT NULL,
    said TEXT NOT NULL,
    ruling_id TEXT NOT NULL,
    PRIMARY KEY (snapshot_id, unit_id)
);
CREATE INDEX snapshot_units_by_item ON snapshot_units (snapshot_id, seq);

-- The annotations that counted, of items of which all were in.
CREATE TABLE snapshot_annotations (
    snapshot_id TEXT NOT NULL REFERENCES snapshots (id),
    annotation_id TEXT NOT NULL REFERENCES annotations (id),
    PRIMARY KEY (snapshot_id, annotation_id)
);
CREATE INDEX snapshot_annotations_of ON snapshot_annotations (annotation_id);
