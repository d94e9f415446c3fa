-- expand: a table that older processes do not know.
-- Cards that were held to a reader and that nobody had there, for some days, so that they can be given to somebody. `seen_at` is the
-- time of the event that tells of it.
CREATE TABLE unknown_cards (
  organization_id text COLLATE "C" NOT NULL,
  device_id text COLLATE "C" NOT NULL,
  seen_at timestamptz NOT NULL,
  uid text COLLATE "C" NOT NULL,
  gadget_id text COLLATE "C",
  PRIMARY KEY (organization_id, device_id, seen_at, uid)
);
CREATE INDEX unknown_cards_event ON unknown_cards (organization_id, seen_at);
CREATE INDEX unknown_cards_seen_at ON unknown_cards (seen_at);
