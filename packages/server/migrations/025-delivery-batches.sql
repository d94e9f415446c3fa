-- What deliveries send, once for all webhooks that see an event alike. It is kept as it was serialized: every attempt
-- sends the same bytes. Never older than the deliveries that send it, so that both run out together.
CREATE TABLE webhook_bodies (
  organization_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  reader text COLLATE "C" NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, event_id, reader)
);
CREATE INDEX webhook_bodies_retention ON webhook_bodies USING brin (created_at);

-- Deliveries that were there before keep a body of their own.
INSERT INTO webhook_bodies SELECT organization_id, event_id, id, body, created_at FROM webhook_deliveries;
ALTER TABLE webhook_deliveries ADD COLUMN reader text COLLATE "C";
UPDATE webhook_deliveries SET reader = id;
ALTER TABLE webhook_deliveries ALTER COLUMN reader SET NOT NULL, DROP COLUMN body;

-- What waits for its first attempt: a few events of one webhook in each row. `webhook_deliveries` is the log, which most
-- deliveries enter once and for all, with their first outcome; it is the queue of the others, which are tried again.
CREATE TABLE webhook_batches (
  organization_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  oauth_application_id text COLLATE "C" NOT NULL,
  reader text COLLATE "C" NOT NULL,
  event_ids text[] COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, webhook_id, id)
);
