-- A connection is found by the hash of its secret.
CREATE UNIQUE INDEX devices_secret_hash_key ON devices (secret_hash) WHERE secret_hash IS NOT NULL;

-- Processes that hold connections of devices. What a process holds counts until `alive_until` by the clock of the database.
CREATE TABLE device_processes (
  id text COLLATE "C" PRIMARY KEY,
  alive_until timestamptz NOT NULL
);

-- The one connection of each device, and the process that holds it.
CREATE TABLE device_connections (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  process_id text COLLATE "C" NOT NULL,
  connected_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, device_id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);
CREATE INDEX device_connections_process_id ON device_connections (process_id);

-- The slice of the policy each device should have and the one it has confirmed. A device that has a version has everything
-- that its `snapshot` can see. `places_hash` is over everything of the slice but its members.
CREATE TABLE device_policies (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  version bigint NOT NULL DEFAULT 0,
  hash text COLLATE "C",
  places_hash text COLLATE "C",
  epoch integer,
  snapshot pg_snapshot,
  changed_at timestamptz,
  applied_version bigint NOT NULL DEFAULT 0,
  applied_hash text COLLATE "C",
  applied_places_hash text COLLATE "C",
  applied_epoch integer,
  applied_snapshot pg_snapshot,
  applied_at timestamptz,
  PRIMARY KEY (organization_id, device_id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);

-- How much of each device's journals is stored. A device begins a new journal when its disk is replaced.
CREATE TABLE device_journals (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  journal_id text COLLATE "C" NOT NULL,
  acknowledged_sequence bigint NOT NULL,
  last_occurred_at timestamptz,
  PRIMARY KEY (organization_id, device_id, journal_id),
  FOREIGN KEY (organization_id, device_id) REFERENCES devices (organization_id, id)
);
