-- Answers that models gave without any reasoning: nothing in them can be tagged, so they are no items.

CREATE TABLE plain_answers (
    study_id TEXT NOT NULL REFERENCES studies (id),
    -- Names the record: the same record of the same file again is known by it.
    record_key TEXT NOT NULL,
    model TEXT NOT NULL,
    condition TEXT NOT NULL,
    mode TEXT NOT NULL,
    question TEXT NOT NULL,
    -- JSON array of the options in order.
    options TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (study_id, record_key)
);
