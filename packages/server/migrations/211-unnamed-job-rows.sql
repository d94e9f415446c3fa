-- expand: an index.
-- To find what jobs keep of rows that made nothing, when somebody is erased whom they may name.
CREATE INDEX job_rows_unnamed ON job_rows (organization_id, job_id) WHERE object_id IS NULL AND detail_ciphertext IS NOT NULL;
