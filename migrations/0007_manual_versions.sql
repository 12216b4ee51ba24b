-- The discussions that a version of the coding manual grew from. Without a foreign key to units, which are derived.
CREATE TABLE scheme_units (
    study_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    PRIMARY KEY (study_id, version, unit_id),
    FOREIGN KEY (study_id, version) REFERENCES study_schemes (study_id, version)
);
