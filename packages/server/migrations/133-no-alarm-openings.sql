-- contract: the version before writes these columns. Nothing reads them.
ALTER TABLE alarms DROP COLUMN opened_count, DROP COLUMN opened_count_since;
