-- expand: columns that the version before neither reads nor writes.
-- Triggers whose source is an alarm of a door, and what a virtual device remembers of the alarms at its doors.
ALTER TABLE gadget_triggers ADD COLUMN source_alarm_type text COLLATE "C", ADD COLUMN source_alarm_event text COLLATE "C";
CREATE INDEX gadget_triggers_filter_source_alarm_type ON gadget_triggers (organization_id, is_deleted, source_alarm_type, created_at, id);
CREATE INDEX gadget_triggers_filter_source_alarm_event ON gadget_triggers (organization_id, is_deleted, source_alarm_event, created_at, id);
ALTER TABLE virtual_devices ADD COLUMN alarms jsonb;
