-- expand: columns that the version before neither reads nor writes.
-- The picture of a site, and where its gadgets are on it.
ALTER TABLE sites ADD COLUMN floor_plan bytea, ADD COLUMN floor_plan_type text COLLATE "C", ADD COLUMN floor_plan_hash text COLLATE "C";
ALTER TABLE gadgets ADD COLUMN plan_position jsonb;
