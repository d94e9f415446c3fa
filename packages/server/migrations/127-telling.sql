-- expand: a table, columns and indexes that the version before neither reads nor writes. Who is told of alarms, and when.
-- How far people have been told of an alarm, by rule. See telling/plan.ts.
CREATE TABLE alarm_tellings (
  organization_id text COLLATE "C" NOT NULL,
  alarm_id text COLLATE "C" NOT NULL,
  alarm_rule_id text COLLATE "C" NOT NULL,
  -- When to look at it again. Null: when something happens to the alarm.
  due_at timestamptz,
  is_told boolean NOT NULL DEFAULT false,
  told_at timestamptz,
  -- Since when there is somebody who was told of the beginning, and not of the end.
  told_since timestamptz,
  repeated_at timestamptz,
  repeat_count integer NOT NULL DEFAULT 0,
  escalation_count integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, alarm_id, alarm_rule_id)
);
CREATE INDEX alarm_tellings_due_at ON alarm_tellings (due_at, organization_id) WHERE due_at IS NOT NULL;
CREATE INDEX alarm_tellings_of_organization ON alarm_tellings (organization_id, due_at) WHERE due_at IS NOT NULL;

-- What goes together, while there is no message yet, and when it became one.
ALTER TABLE notifications ADD COLUMN group_key text COLLATE "C", ADD COLUMN formed_at timestamptz;
CREATE INDEX notifications_pending ON notifications (organization_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX notifications_of_message ON notifications (organization_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX notifications_formed_at ON notifications (organization_id, formed_at) WHERE formed_at IS NOT NULL;
