-- expand: columns and tables that the version before neither reads nor writes. How people are told.
-- The language that a user last signed in with, for mails that nobody asked for.
ALTER TABLE users ADD COLUMN language text COLLATE "C";

-- Shown at the top of an organization's mails.
ALTER TABLE organizations ADD COLUMN logo bytea, ADD COLUMN logo_type text COLLATE "C";

-- The key pair by which push services recognize this installation. Made once: with another, every browser
-- would have to subscribe anew.
CREATE TABLE push_keys (
  id text COLLATE "C" PRIMARY KEY,
  public_key text COLLATE "C" NOT NULL,
  private_ciphertext bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- A browser of a user. Whoever knows its endpoint and keys could write to it, so they are encrypted.
CREATE TABLE push_subscriptions (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  name text COLLATE "C" NOT NULL,
  endpoint_hash bytea NOT NULL UNIQUE,
  subscription_ciphertext bytea NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  last_success_at timestamptz,
  rejection_count integer NOT NULL DEFAULT 0
);
CREATE INDEX push_subscriptions_user_id ON push_subscriptions (user_id, created_at);

-- By which channels a user wants to be told, and when not.
ALTER TABLE users ADD COLUMN notification_settings jsonb;

-- What a notification needs to acknowledge its alarm: for one user, once, until it expires.
CREATE TABLE alarm_tokens (
  token_hash bytea PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  alarm_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX alarm_tokens_expires_at ON alarm_tokens (expires_at);
CREATE INDEX alarm_tokens_alarm_id ON alarm_tokens (organization_id, alarm_id);
