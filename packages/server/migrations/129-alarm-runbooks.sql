-- expand: a column that the version before neither reads nor writes.
-- What to do in an alarm at a site, for whoever is woken by it.
ALTER TABLE sites ADD COLUMN alarm_runbook text COLLATE "C";
