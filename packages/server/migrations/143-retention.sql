-- expand: the version before lets nothing expire.
-- How far retention has come in an organization, for each thing that expires of events, see services/privacy/retention/.
CREATE TABLE retention_progress (
  organization_id text COLLATE "C" NOT NULL,
  expiry text COLLATE "C" NOT NULL,
  -- The last event in the order of (created_at, id) that was looked at.
  created_at timestamptz NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  -- The last event in the order of (recorded_at, id) of which it is known that it did not come late.
  recorded_at timestamptz NOT NULL,
  late_event_id text COLLATE "C" NOT NULL,
  -- The holds that spared something on the way. When they change, it begins anew.
  spared_by text COLLATE "C",
  PRIMARY KEY (organization_id, expiry)
);

-- What retention has amended on a day (UTC), which has one receipt: an event of the organization, once the day is over.
CREATE TABLE retention_days (
  organization_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  amended integer NOT NULL,
  event_id text COLLATE "C",
  PRIMARY KEY (organization_id, day)
);
CREATE INDEX retention_days_open ON retention_days (day) WHERE event_id IS NULL;
