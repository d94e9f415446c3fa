-- expand: only an index goes away, which no statement of the version before needs to be right.
-- A lockdown changes thousands of rows at once: without other indexes and with room in their pages, in place.
DROP INDEX door_modes_emergency_ids;
ALTER TABLE door_modes SET (fillfactor = 50);
