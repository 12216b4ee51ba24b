-- What validation needs to know of judges beside their tags.

-- What people say of a judge where the file did not. The judge's identity stays what the file said, so that
-- importing it again finds it.
CREATE TABLE judge_facts (
    judge_id TEXT PRIMARY KEY REFERENCES judges (id),
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    params TEXT NOT NULL,
    -- When it judged, as a date; '' where nobody knows.
    judged_on TEXT NOT NULL,
    note TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    updated_by TEXT NOT NULL
);

-- Items whose labels the judge saw in its prompt: they say nothing about how it does on others.
CREATE TABLE few_shot_items (
    judge_id TEXT NOT NULL REFERENCES judges (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    PRIMARY KEY (judge_id, item_id)
);

-- Runs of further judges over items that are there already. Their tags are compared with the labels and never
-- shown to raters, so they are no candidates and make no units.
CREATE TABLE compared_runs (
    judge_id TEXT NOT NULL REFERENCES judges (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    outcome TEXT NOT NULL CHECK (outcome IN ('judged', 'failed')),
    failure TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    PRIMARY KEY (judge_id, item_id)
);
CREATE INDEX compared_runs_by_item ON compared_runs (item_id);

CREATE TABLE compared_tags (
    judge_id TEXT NOT NULL REFERENCES judges (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    ordinal BIGINT NOT NULL CHECK (ordinal >= 1),
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    severity DOUBLE PRECISION,
    -- JSON array of [start, end] in code points of the trace.
    spans TEXT NOT NULL,
    PRIMARY KEY (judge_id, item_id, ordinal)
);
CREATE INDEX compared_tags_by_item ON compared_tags (item_id);

-- Which items prompts may be tuned on: an item belongs to the development part when its number, made from the seed
-- and its key, falls below the share. Appended; the newest version counts.
CREATE TABLE validation_splits (
    study_id TEXT NOT NULL REFERENCES studies (id),
    version BIGINT NOT NULL CHECK (version >= 1),
    seed BIGINT NOT NULL,
    -- In thousandths.
    dev_share BIGINT NOT NULL CHECK (dev_share BETWEEN 1 AND 999),
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    PRIMARY KEY (study_id, version)
);

CREATE INDEX judged_by_judge ON judged (judge_id, outcome, failure);
