-- expand: a service of the version before knows nothing of restores and goes on.
-- What must not come back with a restore, see recovery/. A block says in keyed hashes what was revoked or erased since the
-- one before; it is signed, and copied to a file in each folder of checkpoints. Foreign blocks are known from such a file
-- alone: this database was set back to before them, and what they revoked may be in force again.
CREATE TABLE ledger_blocks (
  number bigint PRIMARY KEY,
  hash text COLLATE "C" NOT NULL UNIQUE,
  document text NOT NULL,
  is_foreign boolean NOT NULL DEFAULT false
);

-- How far the ledger has read the feed; one row.
CREATE TABLE ledger_progress (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  position text COLLATE "C" NOT NULL,
  written_at timestamptz NOT NULL
);

-- Erasures that the next block will tell. Not named organization_id: they outlive the purge of their organization.
CREATE TABLE ledger_erasures (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  erased_in text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL
);

-- Restores of this database. While one is not confirmed, the service is recovered: it reads, and changes nothing.
CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  target timestamptz NOT NULL,
  backup_id text COLLATE "C" NOT NULL,
  restored_by text COLLATE "C" NOT NULL,
  began_at timestamptz NOT NULL,
  -- What the ledger covers; null without a ledger.
  ledger_from timestamptz,
  ledger_until timestamptz,
  -- Null: interrupted. Nothing may be served yet.
  marked_at timestamptz,
  confirmed_at timestamptz,
  confirmed_by text COLLATE "C"
);
CREATE UNIQUE INDEX restores_open ON restores ((true)) WHERE confirmed_at IS NULL;

-- What was revoked after the backup. While suspended, an object counts as deleted; `held` is what a kind without
-- is_deleted had. Not suspended: only noted, for somebody to look at.
CREATE TABLE restore_suspensions (
  organization_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  how text COLLATE "C" NOT NULL,
  revoked_at timestamptz NOT NULL,
  is_suspended boolean NOT NULL,
  held jsonb,
  -- What the confirmation made of it: kept, deleted.
  settled text COLLATE "C",
  PRIMARY KEY (organization_id, kind, id)
);

-- The policy that devices said they have, while the service was recovered.
CREATE TABLE restore_devices (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, device_id)
);

-- Members that devices told of and the database does not know.
CREATE TABLE restore_strangers (
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, member_id, device_id)
);
