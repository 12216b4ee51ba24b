-- People, sessions and tokens.
-- Portable columns only: TEXT, BIGINT, DOUBLE PRECISION. Flags are BIGINT 0/1, times are epoch milliseconds (UTC).

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    -- Empty for a rater known only from an imported file: nobody can sign in as them.
    password_hash TEXT NOT NULL,
    is_admin BIGINT NOT NULL CHECK (is_admin IN (0, 1)),
    active BIGINT NOT NULL CHECK (active IN (0, 1)),
    created_at BIGINT NOT NULL
);

-- The key is the SHA-256 of the session's secret, so that a copied table opens no session.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT REFERENCES users (id),
    data TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    user_agent TEXT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE sign_in_failures (
    subject TEXT PRIMARY KEY,
    failures BIGINT NOT NULL CHECK (failures >= 0),
    blocked_until BIGINT NOT NULL,
    last_at BIGINT NOT NULL
);

CREATE TABLE api_tokens (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX api_tokens_by_user ON api_tokens (user_id);
