-- A proposal may offer the answer to a question about the item: a JSON array of values, '' where it offers none.
ALTER TABLE messages ADD COLUMN answer TEXT NOT NULL DEFAULT '';
