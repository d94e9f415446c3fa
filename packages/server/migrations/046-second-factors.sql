ALTER TABLE users ADD COLUMN deleted_at timestamptz;

ALTER TABLE user_sessions
  DROP CONSTRAINT user_sessions_method_check,
  ADD CONSTRAINT user_sessions_method_check CHECK (method IN ('password', 'passkey', 'totp', 'recovery_code'));

ALTER TABLE mail_codes
  DROP CONSTRAINT mail_codes_purpose_check,
  ADD CONSTRAINT mail_codes_purpose_check CHECK (purpose IN ('sign_up', 'reset', 'email', 'guest'));

-- Authenticator apps. `last_step` is the newest code that was taken: none is taken twice.
CREATE TABLE totp_keys (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id),
  secret bytea NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- Null: begun, but no code of the app was seen yet.
  confirmed_at timestamptz
);

-- 120 random bits each, so a plain digest is enough; a code that was used is gone.
CREATE TABLE recovery_codes (
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

-- Sign-ins whose password was right and whose code is still awaited.
CREATE TABLE sign_in_steps (
  token_hash bytea PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  tries integer NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_steps_expires_at ON sign_in_steps (expires_at);

-- What an organization demands of sessions that act for it.
CREATE TABLE organization_security (
  organization_id text COLLATE "C" PRIMARY KEY,
  requires_second_factor boolean NOT NULL
);
-- Sessions that began before do not count for the organization.
ALTER TABLE organization_users ADD COLUMN signed_out_at timestamptz;

ALTER TABLE oauth_applications ADD COLUMN requires_pkce boolean NOT NULL DEFAULT false;
