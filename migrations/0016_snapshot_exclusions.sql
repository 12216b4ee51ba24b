-- A snapshot also holds for which reason a unit was taken out.
ALTER TABLE snapshot_units ADD COLUMN excluded TEXT NOT NULL DEFAULT '';
