-- expand: what the planner knows of columns that no statement searches.
-- A salt that an erasure has destroyed must not live on in statistics, by which guesses about the event could be tested. Setting the
-- type, which stays the same and rewrites nothing, drops those that there are.
ALTER TABLE audit_links ALTER COLUMN salt TYPE bytea, ALTER COLUMN salt SET STATISTICS 0;
ALTER TABLE audit_amendments ALTER COLUMN salt TYPE bytea, ALTER COLUMN salt SET STATISTICS 0;
