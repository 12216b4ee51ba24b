-- Item questions: what judges answered, units of their answers, and the answer that a ruling settles on.

CREATE TABLE judge_answers (
    item_id TEXT NOT NULL REFERENCES items (id),
    judge_id TEXT NOT NULL REFERENCES judges (id),
    question TEXT NOT NULL,
    -- JSON array of the chosen values; empty where the judge chose none.
    answer TEXT NOT NULL,
    rationale TEXT NOT NULL,
    PRIMARY KEY (item_id, judge_id, question)
);

-- A unit may be the answer to an item question; its category is then the question.
ALTER TABLE units ADD COLUMN unit_kind TEXT NOT NULL DEFAULT 'candidate'
    CHECK (unit_kind IN ('candidate', 'missed', 'item'));
UPDATE units SET unit_kind = kind;
ALTER TABLE units DROP COLUMN kind;
ALTER TABLE units RENAME COLUMN unit_kind TO kind;

-- JSON array of the final values of an item question; '' where the unit is a tag, or the values are not settled.
ALTER TABLE rulings ADD COLUMN answer TEXT NOT NULL DEFAULT '';
