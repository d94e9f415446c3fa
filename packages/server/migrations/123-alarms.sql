-- expand: tables of their own, and columns that the version before neither reads nor writes.
-- What went wrong, who is told of it, and what they were told.
CREATE TABLE alarms (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  severity text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  is_over boolean NOT NULL,
  ended_at timestamptz,
  site_id text COLLATE "C",
  device_id text COLLATE "C",
  gadget_id text COLLATE "C",
  member_id text COLLATE "C",
  emergency_id text COLLATE "C",
  webhook_id text COLLATE "C",
  calendar_id text COLLATE "C",
  started_at timestamptz NOT NULL,
  occurrence_count integer NOT NULL,
  last_occurred_at timestamptz NOT NULL,
  is_flapping boolean NOT NULL,
  acknowledged_at timestamptz,
  acknowledged_by_user_id text COLLATE "C",
  snoozed_until timestamptz,
  note text COLLATE "C",
  alarm_rule_ids text[] COLLATE "C" NOT NULL,
  cause_alarm_id text COLLATE "C",
  is_late boolean NOT NULL,
  is_drill boolean NOT NULL,
  in_maintenance boolean NOT NULL,
  -- The type and what it is about. One of each is not closed.
  condition_key text COLLATE "C" NOT NULL,
  -- How often it has begun since then: what comes and goes is flapping.
  opened_count integer NOT NULL,
  opened_count_since timestamptz,
  -- Set while it is acknowledged and over: when it closes by itself.
  closes_at timestamptz,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX alarms_condition_key ON alarms (organization_id, condition_key) WHERE state <> 'closed';
-- The last one of a condition: what occurs again soon reopens it.
CREATE INDEX alarms_last_of_condition ON alarms (organization_id, condition_key, last_occurred_at);
-- Those that are due to close, over all organizations.
CREATE INDEX alarms_closes_at ON alarms (closes_at) WHERE closes_at IS NOT NULL;
-- Those that were put off, over all organizations: they are open again when the time is up.
CREATE INDEX alarms_sort_started_at ON alarms (organization_id, is_deleted, started_at, id);
CREATE INDEX alarms_sort_created_at ON alarms (organization_id, is_deleted, created_at, id);
CREATE INDEX alarms_filter_last_occurred_at ON alarms (organization_id, is_deleted, last_occurred_at, id);
CREATE INDEX alarms_filter_ended_at ON alarms (organization_id, is_deleted, (coalesce(ended_at, '-infinity')), id);
CREATE INDEX alarms_filter_acknowledged_at ON alarms (organization_id, is_deleted, (coalesce(acknowledged_at, '-infinity')), id);
CREATE INDEX alarms_filter_snoozed_until ON alarms (organization_id, is_deleted, (coalesce(snoozed_until, '-infinity')), id);
CREATE INDEX alarms_filter_type ON alarms (organization_id, is_deleted, type, started_at, id);
CREATE INDEX alarms_filter_severity ON alarms (organization_id, is_deleted, severity, started_at, id);
CREATE INDEX alarms_filter_state ON alarms (organization_id, is_deleted, state, started_at, id);
CREATE INDEX alarms_filter_is_over ON alarms (organization_id, is_deleted, is_over, started_at, id);
-- Most alarms have few of these.
CREATE INDEX alarms_filter_site_id ON alarms (organization_id, is_deleted, site_id, started_at, id) WHERE site_id IS NOT NULL;
CREATE INDEX alarms_filter_device_id ON alarms (organization_id, is_deleted, device_id, started_at, id) WHERE device_id IS NOT NULL;
CREATE INDEX alarms_filter_gadget_id ON alarms (organization_id, is_deleted, gadget_id, started_at, id) WHERE gadget_id IS NOT NULL;
CREATE INDEX alarms_filter_member_id ON alarms (organization_id, is_deleted, member_id, started_at, id) WHERE member_id IS NOT NULL;
CREATE INDEX alarms_filter_emergency_id ON alarms (organization_id, is_deleted, emergency_id, started_at, id) WHERE emergency_id IS NOT NULL;
CREATE INDEX alarms_filter_webhook_id ON alarms (organization_id, is_deleted, webhook_id, started_at, id) WHERE webhook_id IS NOT NULL;
CREATE INDEX alarms_filter_calendar_id ON alarms (organization_id, is_deleted, calendar_id, started_at, id) WHERE calendar_id IS NOT NULL;
CREATE INDEX alarms_filter_acknowledged_by_user_id ON alarms (organization_id, is_deleted, acknowledged_by_user_id, started_at, id) WHERE acknowledged_by_user_id IS NOT NULL;
CREATE INDEX alarms_filter_cause_alarm_id ON alarms (organization_id, is_deleted, cause_alarm_id, started_at, id) WHERE cause_alarm_id IS NOT NULL;
CREATE INDEX alarms_filter_is_flapping ON alarms (organization_id, is_deleted, is_flapping, started_at, id) WHERE is_flapping;
CREATE INDEX alarms_filter_is_late ON alarms (organization_id, is_deleted, is_late, started_at, id) WHERE is_late;
CREATE INDEX alarms_filter_is_drill ON alarms (organization_id, is_deleted, is_drill, started_at, id) WHERE is_drill;
CREATE INDEX alarms_filter_in_maintenance ON alarms (organization_id, is_deleted, in_maintenance, started_at, id) WHERE in_maintenance;
CREATE INDEX alarms_filter_alarm_rule_ids ON alarms USING gin (organization_id, alarm_rule_ids);
CREATE INDEX alarms_filter_metadata ON alarms USING gin (organization_id, metadata jsonb_path_ops);

CREATE TABLE alarm_rules (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  types text[] COLLATE "C" NOT NULL,
  targets jsonb NOT NULL,
  schedule_id text COLLATE "C",
  severity text COLLATE "C",
  delay_seconds integer,
  notify jsonb NOT NULL,
  repeat_seconds integer,
  escalate jsonb NOT NULL,
  auto_close_seconds integer NOT NULL,
  thresholds jsonb NOT NULL,
  is_enabled boolean NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, schedule_id) REFERENCES schedules (organization_id, id)
);
CREATE INDEX alarm_rules_sort_name ON alarm_rules (organization_id, is_deleted, name, id);
CREATE INDEX alarm_rules_sort_created_at ON alarm_rules (organization_id, is_deleted, created_at, id);
CREATE INDEX alarm_rules_filter_schedule_id ON alarm_rules (organization_id, is_deleted, schedule_id, created_at, id);
CREATE INDEX alarm_rules_filter_severity ON alarm_rules (organization_id, is_deleted, severity, created_at, id);
CREATE INDEX alarm_rules_filter_metadata ON alarm_rules USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX alarm_rules_search ON alarm_rules USING gin (organization_id, search_text gin_trgm_ops);

CREATE TABLE notification_targets (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  address text COLLATE "C",
  url text COLLATE "C",
  topic text COLLATE "C",
  is_verified boolean NOT NULL,
  -- The key of the signatures, or the access token.
  secret_ciphertext bytea,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX notification_targets_sort_name ON notification_targets (organization_id, is_deleted, name, id);
CREATE INDEX notification_targets_sort_created_at ON notification_targets (organization_id, is_deleted, created_at, id);
CREATE INDEX notification_targets_filter_kind ON notification_targets (organization_id, is_deleted, kind, created_at, id);
CREATE INDEX notification_targets_filter_is_verified ON notification_targets (organization_id, is_deleted, is_verified, created_at, id);
CREATE INDEX notification_targets_filter_metadata ON notification_targets USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX notification_targets_search ON notification_targets USING gin (organization_id, search_text gin_trgm_ops);

-- The queue and the log of what people are told, in one.
CREATE TABLE notifications (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  notification_target_id text COLLATE "C",
  user_id text COLLATE "C",
  channel text COLLATE "C" NOT NULL,
  alarm_id text COLLATE "C",
  alarm_rule_id text COLLATE "C",
  reason text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempts jsonb NOT NULL,
  next_attempt_at timestamptz,
  finished_at timestamptz,
  message_id text COLLATE "C",
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX notifications_sort_created_at ON notifications (organization_id, created_at, id);
CREATE INDEX notifications_filter_channel ON notifications (organization_id, channel, created_at, id);
CREATE INDEX notifications_filter_reason ON notifications (organization_id, reason, created_at, id);
CREATE INDEX notifications_filter_status ON notifications (organization_id, status, created_at, id);
CREATE INDEX notifications_filter_notification_target_id ON notifications (organization_id, notification_target_id, created_at, id) WHERE notification_target_id IS NOT NULL;
CREATE INDEX notifications_filter_user_id ON notifications (organization_id, user_id, created_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX notifications_filter_alarm_id ON notifications (organization_id, alarm_id, created_at, id) WHERE alarm_id IS NOT NULL;
CREATE INDEX notifications_filter_alarm_rule_id ON notifications (organization_id, alarm_rule_id, created_at, id) WHERE alarm_rule_id IS NOT NULL;
CREATE INDEX notifications_due ON notifications (next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX notifications_retention ON notifications USING brin (created_at);

-- Codes that prove the address of a target.
ALTER TABLE mail_codes
  DROP CONSTRAINT mail_codes_purpose_check,
  ADD CONSTRAINT mail_codes_purpose_check CHECK (purpose IN ('sign_up', 'reset', 'email', 'guest', 'target'));

ALTER TABLE devices ADD COLUMN maintenance_until timestamptz;
ALTER TABLE sites ADD COLUMN maintenance_until timestamptz;

CREATE INDEX events_filter_object_alarm_id ON ONLY events (organization_id, (object->>'alarm_id'), created_at, id) WHERE (object->>'alarm_id') IS NOT NULL;
CREATE INDEX events_filter_object_alarm_rule_id ON ONLY events (organization_id, (object->>'alarm_rule_id'), created_at, id) WHERE (object->>'alarm_rule_id') IS NOT NULL;
CREATE INDEX events_filter_object_notification_target_id ON ONLY events (organization_id, (object->>'notification_target_id'), created_at, id) WHERE (object->>'notification_target_id') IS NOT NULL;
