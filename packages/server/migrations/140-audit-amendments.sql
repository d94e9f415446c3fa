-- expand: the version before amends nothing, and verifies what it has sealed.
-- Whoever was erased is gone from their events, and so is the salt of each link: what is left of the event has a digest of its
-- own, see audit/amendments/. `act` is what amended it: an erasure, or a run of retention.
ALTER TABLE events ADD COLUMN is_unlinked boolean NOT NULL DEFAULT false;

CREATE TABLE audit_amendments (
  organization_id text COLLATE "C" NOT NULL,
  act text COLLATE "C" NOT NULL,
  -- Of the link.
  number bigint NOT NULL,
  -- unlinked, deleted
  kind text COLLATE "C" NOT NULL,
  -- The event did not match its digest any more: it stays reported as altered.
  was_altered boolean NOT NULL,
  -- Null of a deleted event, and once a later act has amended the same event again.
  salt bytea,
  -- Null of a deleted event.
  digest bytea,
  seal bytea NOT NULL,
  PRIMARY KEY (organization_id, act, number)
);
CREATE INDEX audit_amendments_number ON audit_amendments (organization_id, number);

-- Which event carries the receipt of an act. There is none while it goes on.
CREATE TABLE audit_acts (
  organization_id text COLLATE "C" NOT NULL,
  act text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, act)
);

-- Behind which link a chain begins whose older events retention has deleted; signed.
CREATE TABLE audit_starts (
  organization_id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  document text NOT NULL
);

-- The link of an event. While it is built only the job that links events waits.
CREATE INDEX audit_links_event_id ON audit_links (organization_id, event_id);
