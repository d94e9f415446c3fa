-- Several processes share a consumer: one of them leads it at a time, see events/consumer.ts.
ALTER TABLE feed_cursors ADD COLUMN owner text COLLATE "C", ADD COLUMN owned_until timestamptz;

ALTER TABLE webhooks ADD COLUMN disabled_reason text COLLATE "C";

-- One lane for each webhook: its place in the queue of deliveries, see delivery/webhooks/lane.ts.
-- Events before (epoch, transaction_id), the transaction that created the webhook, are not sent to it.
-- A process owns a lane until `owned_until` by the clock of the database; then any other may take it over.
CREATE TABLE webhook_lanes (
  organization_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  epoch integer NOT NULL DEFAULT feed_epoch(),
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  due_at timestamptz,
  owner text COLLATE "C",
  owned_until timestamptz,
  failing_since timestamptz,
  PRIMARY KEY (organization_id, webhook_id),
  FOREIGN KEY (organization_id, webhook_id) REFERENCES webhooks (organization_id, id)
);
CREATE INDEX webhook_lanes_due_at ON webhook_lanes (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_lanes_owner ON webhook_lanes (owner) WHERE owner IS NOT NULL;
INSERT INTO webhook_lanes (organization_id, webhook_id) SELECT organization_id, id FROM webhooks;

-- The queue and the log of deliveries in one. The body is kept as it was serialized: every attempt sends the same bytes.
CREATE TABLE webhook_deliveries (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  oauth_application_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempts jsonb NOT NULL,
  next_attempt_at timestamptz,
  finished_at timestamptz,
  round_started_at timestamptz,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX webhook_deliveries_event_id_key ON webhook_deliveries (organization_id, webhook_id, event_id);
CREATE INDEX webhook_deliveries_sort_created_at ON webhook_deliveries (organization_id, webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (organization_id, webhook_id, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (organization_id, webhook_id, created_at, id) WHERE status = 'failed';
CREATE INDEX webhook_deliveries_retention ON webhook_deliveries USING brin (created_at);

-- Webhooks that were there before are sent what happens from now on.
INSERT INTO feed_cursors (consumer, position, updated_at)
  SELECT 'webhooks', feed_epoch() || '.' || pg_current_xact_id() || '.0', now();

-- Single use and short: opens a stream where a browser cannot send a header.
CREATE TABLE stream_tickets (
  ticket_hash bytea PRIMARY KEY,
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX stream_tickets_expires_at ON stream_tickets (expires_at);
