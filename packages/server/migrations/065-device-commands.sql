-- Commands whose outcome is yet to come. Whoever hears it takes the row and writes the event in one transaction: once, and also
-- when the process that asked has died, or the outcome comes after its answer. `object` is null where the event is the device's.
CREATE TABLE device_commands (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The process that waits for the outcome.
  reply_to text COLLATE "C" NOT NULL,
  subject jsonb,
  object jsonb,
  deadline timestamptz NOT NULL,
  PRIMARY KEY (organization_id, device_id, id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);
CREATE INDEX device_commands_deadline ON device_commands (deadline);

-- The time that the last acknowledged event of a journal carried, as the device told it: a device that holds another event
-- under that number runs on an old copy of its disk.
ALTER TABLE device_journals ADD COLUMN acknowledged_occurred_at timestamptz;
