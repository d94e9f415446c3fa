-- expand: what alarms wait for, and the cursor of a new consumer.
-- What is due for an alarm, or for a condition that is none yet. See alarms/timers.ts.
CREATE TABLE alarm_timers (
  organization_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  due_at timestamptz NOT NULL,
  about jsonb NOT NULL,
  PRIMARY KEY (organization_id, kind, key)
);
CREATE INDEX alarm_timers_due_at ON alarm_timers (due_at, organization_id);
CREATE INDEX alarm_timers_of_organization ON alarm_timers (organization_id, due_at, kind, key);

-- Since when devices that are not connected count as offline: the service watches them without a gap since shortly before.
CREATE TABLE presence_watch (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  watched_at timestamptz NOT NULL,
  counts_from timestamptz NOT NULL
);

-- Since when the clock of a controller is not to be trusted, by what it last reported.
ALTER TABLE device_journals ADD COLUMN clock_unsure boolean NOT NULL DEFAULT false;

-- Alarms are raised from now on, not for the whole history of an installation.
INSERT INTO feed_cursors (consumer, position, updated_at)
  SELECT 'alarms', coalesce((SELECT epoch || '.' || transaction_id || '.' || sequence FROM events
    ORDER BY epoch DESC, transaction_id DESC, sequence DESC LIMIT 1), '0.0.0'), now();
