-- Events that a consumer of the feed could not handle, each found by itself; the feed went on without it.
CREATE TABLE set_aside_events (
  consumer text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  position text COLLATE "C" NOT NULL,
  error text NOT NULL,
  set_aside_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, event_id)
);
