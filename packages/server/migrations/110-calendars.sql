-- expand: tables of their own, and columns with defaults that the version before neither reads nor writes.
-- Special days of sites, and what schedules do on them.
CREATE TABLE calendars (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  source jsonb,
  url_ciphertext bytea,
  refreshed_at timestamptz,
  refresh_error text COLLATE "C",
  refresh_due_at timestamptz,
  refresh_owner text COLLATE "C",
  refresh_owned_until timestamptz,
  fresh_at timestamptz,
  held_back_hash text COLLATE "C",
  accepted_hash text COLLATE "C",
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX calendars_sort_name ON calendars (organization_id, is_deleted, name, id);
CREATE INDEX calendars_sort_created_at ON calendars (organization_id, is_deleted, created_at, id);
CREATE INDEX calendars_filter_metadata ON calendars USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX calendars_search ON calendars USING gin (organization_id, search_text gin_trgm_ops);
-- What is due, over all organizations.
CREATE INDEX calendars_refresh_due_at ON calendars (refresh_due_at) WHERE NOT is_deleted AND refresh_due_at IS NOT NULL;

-- Dates are local: they have no zone, and are compared as text.
CREATE TABLE calendar_days (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  calendar_id text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  starts_on text COLLATE "C" NOT NULL,
  ends_on text COLLATE "C",
  recurrence text COLLATE "C" NOT NULL,
  is_public boolean NOT NULL,
  is_managed boolean NOT NULL,
  uid text COLLATE "C",
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, calendar_id) REFERENCES calendars (organization_id, id)
);
CREATE INDEX calendar_days_sort_name ON calendar_days (organization_id, is_deleted, calendar_id, (coalesce(name, '')), id);
CREATE INDEX calendar_days_sort_starts_on ON calendar_days (organization_id, is_deleted, calendar_id, starts_on, id);
CREATE INDEX calendar_days_sort_created_at ON calendar_days (organization_id, is_deleted, calendar_id, created_at, id);
CREATE INDEX calendar_days_filter_ends_on ON calendar_days (organization_id, is_deleted, calendar_id, (coalesce(ends_on, '')), created_at, id);
CREATE INDEX calendar_days_filter_kind ON calendar_days (organization_id, is_deleted, calendar_id, kind, created_at, id);
CREATE INDEX calendar_days_filter_recurrence ON calendar_days (organization_id, is_deleted, calendar_id, recurrence, created_at, id);
CREATE INDEX calendar_days_filter_metadata ON calendar_days USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX calendar_days_search ON calendar_days USING gin (organization_id, search_text gin_trgm_ops);

ALTER TABLE sites ADD COLUMN calendar_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE schedules ADD COLUMN special_days jsonb NOT NULL DEFAULT '[]', ADD COLUMN exceptions jsonb NOT NULL DEFAULT '[]';

CREATE INDEX events_filter_object_calendar_id ON ONLY events (organization_id, (object->>'calendar_id'), created_at, id) WHERE (object->>'calendar_id') IS NOT NULL;
CREATE INDEX events_filter_object_calendar_day_id ON ONLY events (organization_id, (object->>'calendar_day_id'), created_at, id) WHERE (object->>'calendar_day_id') IS NOT NULL;
