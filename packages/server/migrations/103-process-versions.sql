-- expand: processes say which version they are and up to which migration they know the schema. Older ones say neither.
ALTER TABLE living_processes ADD COLUMN version text COLLATE "C", ADD COLUMN knows text COLLATE "C";
