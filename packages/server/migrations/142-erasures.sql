-- expand: the version before knows no erasures, and carries none out.
-- Members who are taken out of everything, see services/erasures/. Of the member, a row without content stays.
ALTER TABLE members ADD COLUMN erased_at timestamptz;

CREATE TABLE erasures (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  scheduled_at timestamptz NOT NULL,
  events text COLLATE "C" NOT NULL,
  includes_cards boolean NOT NULL,
  reason text COLLATE "C" NOT NULL,
  reference text COLLATE "C",
  counts jsonb NOT NULL,
  receipt_hash text COLLATE "C",
  backups_clear_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  -- What is to be done next; the devices that held the member; the cards that were emptied; when it was last worked on: who
  -- waited longest comes first.
  stage text COLLATE "C" NOT NULL,
  device_ids text[] COLLATE "C" NOT NULL,
  card_ids text[] COLLATE "C" NOT NULL,
  worked_at timestamptz,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
);
-- A member has one erasure at a time.
CREATE UNIQUE INDEX erasures_open ON erasures (organization_id, member_id) WHERE state NOT IN ('done', 'canceled');
-- What there is to do, over all organizations.
CREATE INDEX erasures_due ON erasures (worked_at, scheduled_at) WHERE state NOT IN ('done', 'canceled');
CREATE INDEX erasures_sort_scheduled_at ON erasures (organization_id, is_deleted, scheduled_at, id);
CREATE INDEX erasures_sort_created_at ON erasures (organization_id, is_deleted, created_at, id);
CREATE INDEX erasures_filter_member_id ON erasures (organization_id, is_deleted, member_id, created_at, id);
CREATE INDEX erasures_filter_state ON erasures (organization_id, is_deleted, state, created_at, id);
CREATE INDEX erasures_filter_events ON erasures (organization_id, is_deleted, events, created_at, id);
CREATE INDEX erasures_filter_reason ON erasures (organization_id, is_deleted, reason, created_at, id);
CREATE INDEX erasures_filter_reference ON erasures (organization_id, is_deleted, reference, created_at, id);

CREATE TABLE legal_holds (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  reference text COLLATE "C",
  member_ids text[] COLLATE "C",
  gadget_ids text[] COLLATE "C",
  starts_at timestamptz,
  ends_at timestamptz,
  expires_at timestamptz NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX legal_holds_sort_name ON legal_holds (organization_id, is_deleted, name, id);
CREATE INDEX legal_holds_sort_created_at ON legal_holds (organization_id, is_deleted, created_at, id);
CREATE INDEX legal_holds_sort_expires_at ON legal_holds (organization_id, is_deleted, expires_at, id);
CREATE INDEX legal_holds_filter_member_ids ON legal_holds USING gin (organization_id, member_ids);
CREATE INDEX legal_holds_filter_gadget_ids ON legal_holds USING gin (organization_id, gadget_ids);
CREATE INDEX legal_holds_filter_metadata ON legal_holds USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX legal_holds_search ON legal_holds USING gin (organization_id, search_text gin_trgm_ops);

CREATE INDEX events_filter_object_erasure_id ON ONLY events (organization_id, (object->>'erasure_id'), created_at, id) WHERE (object->>'erasure_id') IS NOT NULL;
CREATE INDEX events_filter_object_legal_hold_id ON ONLY events (organization_id, (object->>'legal_hold_id'), created_at, id) WHERE (object->>'legal_hold_id') IS NOT NULL;
