-- The hash chain over each organization's events, see audit/chain.ts. Without its salt a digest proves nothing about an
-- event any more, so a person can be erased and the chain still holds.
CREATE TABLE audit_links (
  organization_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  salt bytea,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (organization_id, number)
);

-- Where each chain ends, and how much of it the last checkpoint covers.
CREATE TABLE audit_heads (
  organization_id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  checkpoint_number bigint NOT NULL DEFAULT 0
);

CREATE TABLE audit_checkpoints (
  number bigint PRIMARY KEY,
  created_at timestamptz NOT NULL,
  document text NOT NULL
);
