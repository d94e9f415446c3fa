ALTER TABLE users ADD COLUMN email_verified_at timestamptz;

-- Where a user is signed in. Only the SHA-256 of the cookie is kept.
CREATE TABLE user_sessions (
  id text COLLATE "C" PRIMARY KEY,
  token_hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  method text COLLATE "C" NOT NULL CHECK (method IN ('password', 'passkey')),
  ip_address text COLLATE "C",
  user_agent text COLLATE "C",
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX user_sessions_token_hash_key ON user_sessions (token_hash);
CREATE INDEX user_sessions_user_id ON user_sessions (user_id);
CREATE INDEX user_sessions_expires_at ON user_sessions (expires_at);

-- One live code for each address and purpose. `payload` of a sign-up holds the name and the password's hash.
CREATE TABLE mail_codes (
  email_key text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('sign_up', 'reset')),
  code_hash bytea NOT NULL,
  tries integer NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (email_key, purpose)
);
CREATE INDEX mail_codes_expires_at ON mail_codes (expires_at);

CREATE TABLE mail_sends (
  email_key text COLLATE "C" NOT NULL,
  sent_at timestamptz NOT NULL
);
CREATE INDEX mail_sends_email_key ON mail_sends (email_key, sent_at);
CREATE INDEX mail_sends_sent_at ON mail_sends (sent_at);

-- Wrong passwords, by keyed hash of what they count for: account, address, or both together.
CREATE TABLE sign_in_failures (
  key text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  failed_at timestamptz NOT NULL,
  blocked_until timestamptz NOT NULL
);
CREATE INDEX sign_in_failures_failed_at ON sign_in_failures (failed_at);

CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  credential_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  name text COLLATE "C" NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (credential_id);
CREATE INDEX passkeys_user_id ON passkeys (user_id);

-- Each challenge is answered at most once.
CREATE TABLE passkey_challenges (
  challenge_hash bytea PRIMARY KEY,
  user_id text COLLATE "C",
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at);

CREATE TABLE invitations (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'administrator', 'viewer')),
  invited_by text COLLATE "C" REFERENCES users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX invitations_email_key_key ON invitations (organization_id, email_key);
CREATE INDEX invitations_email_key ON invitations (email_key);

-- A deleted organization can be restored until it is due.
CREATE TABLE organization_deletions (
  organization_id text COLLATE "C" PRIMARY KEY,
  requested_by text COLLATE "C" REFERENCES users (id),
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL
);
CREATE INDEX organization_deletions_due_at ON organization_deletions (due_at);

-- Made from a template to develop against; their makers get tokens for them without the dance.
CREATE TABLE test_organizations (
  organization_id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  template text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX test_organizations_user_id ON test_organizations (user_id);
