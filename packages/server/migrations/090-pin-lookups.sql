-- Requests that learnt whether a PIN is taken and left nothing else behind, by the application or user that asked.
CREATE TABLE pin_lookups (
  organization_id text COLLATE "C" NOT NULL,
  caller_id text COLLATE "C" NOT NULL,
  looked_up_at timestamptz NOT NULL
);
CREATE INDEX pin_lookups_caller ON pin_lookups (organization_id, caller_id, looked_up_at);
CREATE INDEX pin_lookups_looked_up_at ON pin_lookups (looked_up_at);
