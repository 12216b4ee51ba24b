-- Decisions that were made elsewhere, and the tables by which codes of other taxonomies led to the scheme.

-- Rulings that a file brought.
CREATE TABLE imported_rulings (
    ruling_id TEXT PRIMARY KEY REFERENCES rulings (id),
    import_id TEXT NOT NULL REFERENCES imports (id)
);
ALTER TABLE imports ADD COLUMN rulings BIGINT NOT NULL DEFAULT 0;

-- Where an import took a code that is not the scheme's own: what is new, or other than in the imports before.
CREATE TABLE import_codes (
    import_id TEXT NOT NULL REFERENCES imports (id),
    code TEXT NOT NULL,
    -- The name beside the code; '' where the file has none.
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    subcategory TEXT NOT NULL,
    -- 1 where whoever imported said so, 0 where the scheme's table did.
    stated BIGINT NOT NULL CHECK (stated IN (0, 1)),
    PRIMARY KEY (import_id, code, name)
);
