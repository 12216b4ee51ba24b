-- How far each rater of a batch is, counted as it happens: neither a desk nor a progress table may cost
-- more as a batch grows. One row a state; the integrity check compares them with the assignments.
CREATE TABLE batch_progress (
    batch_id TEXT NOT NULL REFERENCES batches (id),
    rater_id TEXT NOT NULL REFERENCES users (id),
    state TEXT NOT NULL
        CHECK (state IN ('not_started', 'in_progress', 'submitted', 'reopened', 'not_ratable', 'withdrawn')),
    assignments BIGINT NOT NULL CHECK (assignments >= 0),
    PRIMARY KEY (batch_id, rater_id, state)
);

-- The next piece of work is found without walking past what is done.
CREATE INDEX assignments_open ON assignments (rater_id, batch_id, position)
    WHERE state IN ('not_started', 'in_progress', 'reopened');

CREATE INDEX judged_by_judge ON judged (judge_id);
CREATE INDEX candidates_by_judge ON candidates (judge_id);
