-- expand: what the planner knows of columns that no statement searches.
-- A salt that an erasure has destroyed must not live on in statistics, by which guesses about the event could be tested.
ALTER TABLE audit_links ALTER COLUMN salt SET STATISTICS 0;
ALTER TABLE audit_amendments ALTER COLUMN salt SET STATISTICS 0;
