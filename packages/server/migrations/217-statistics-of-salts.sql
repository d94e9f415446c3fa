-- contract: statistics that older processes may still have taken. Setting the type, which stays the same and rewrites nothing, drops them.
ALTER TABLE audit_links ALTER COLUMN salt TYPE bytea;
ALTER TABLE audit_amendments ALTER COLUMN salt TYPE bytea;
