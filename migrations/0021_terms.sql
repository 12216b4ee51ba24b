-- Under which terms validated traces may leave the study for training or prompting. Appended; the newest counts.
CREATE TABLE release_terms (
    study_id TEXT NOT NULL REFERENCES studies (id),
    version BIGINT NOT NULL CHECK (version >= 1),
    licence TEXT NOT NULL,
    -- What the people concerned agreed to.
    training BIGINT NOT NULL CHECK (training IN (0, 1)),
    few_shot BIGINT NOT NULL CHECK (few_shot IN (0, 1)),
    comments BIGINT NOT NULL CHECK (comments IN (0, 1)),
    created_at BIGINT NOT NULL,
    created_by TEXT NOT NULL,
    PRIMARY KEY (study_id, version)
);
