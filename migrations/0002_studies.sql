-- Studies, their scheme in versions, members, invitations and the audit log.

CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('draft', 'collecting', 'reconciling', 'signed_off')),
    scheme_version BIGINT NOT NULL CHECK (scheme_version >= 1),
    blind_model BIGINT NOT NULL CHECK (blind_model IN (0, 1)),
    blind_condition BIGINT NOT NULL CHECK (blind_condition IN (0, 1)),
    blind_judge_severity BIGINT NOT NULL CHECK (blind_judge_severity IN (0, 1)),
    created_at BIGINT NOT NULL,
    created_by TEXT,
    -- Counts every change that a statistic could see; caches of results are keyed by it.
    revision BIGINT NOT NULL
);

CREATE TABLE schemes (
    hash TEXT PRIMARY KEY,
    scheme_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE study_schemes (
    study_id TEXT NOT NULL REFERENCES studies (id),
    version BIGINT NOT NULL CHECK (version >= 1),
    scheme_hash TEXT NOT NULL REFERENCES schemes (hash),
    note TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by TEXT,
    PRIMARY KEY (study_id, version)
);

CREATE TABLE members (
    study_id TEXT NOT NULL REFERENCES studies (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    role TEXT NOT NULL CHECK (role IN ('coordinator', 'rater', 'adjudicator', 'reader')),
    -- The stable order in which raters appear as A, B, .. and as rater_1, rater_2, ..
    position BIGINT NOT NULL,
    active BIGINT NOT NULL CHECK (active IN (0, 1)),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (study_id, user_id, role)
);
CREATE INDEX members_by_user ON members (user_id, active);

CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    study_id TEXT REFERENCES studies (id),
    role TEXT NOT NULL CHECK (role IN ('admin', 'coordinator', 'rater', 'adjudicator', 'reader')),
    display_name TEXT NOT NULL,
    -- Nobody when it was made at the command line.
    created_by TEXT REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    used_by TEXT REFERENCES users (id),
    revoked_at BIGINT
);
CREATE INDEX invitations_by_study ON invitations (study_id);

-- Append-only, each row chained to the one before by hash. Deliberately without foreign keys: an entry
-- outlives what it speaks of. study_id is '' for entries of the server as a whole. details is JSON
-- without clinical text.
CREATE TABLE audit (
    study_id TEXT NOT NULL,
    seq BIGINT NOT NULL CHECK (seq >= 1),
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (study_id, seq)
);
CREATE INDEX audit_by_subject ON audit (study_id, subject);

-- The head of each chain. Updating it takes the row's lock, which orders the writers of a study.
CREATE TABLE audit_heads (
    study_id TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL
);
INSERT INTO audit_heads (study_id, seq, hash) VALUES ('', 0, '');
