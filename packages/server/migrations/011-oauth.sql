ALTER TABLE oauth_applications
  ADD COLUMN developer_id text COLLATE "C" REFERENCES users (id),
  -- A public client keeps no secret: PKCE protects it instead.
  ADD COLUMN is_public boolean NOT NULL DEFAULT false,
  ADD COLUMN logo bytea,
  ADD COLUMN logo_type text COLLATE "C";
CREATE INDEX oauth_applications_developer_id ON oauth_applications (developer_id);

ALTER TABLE installations ADD COLUMN last_used_at timestamptz;
CREATE INDEX installations_oauth_application_id ON installations (oauth_application_id);

-- The grant a token comes from: all tokens of one are revoked together.
ALTER TABLE access_tokens ADD COLUMN grant_id text COLLATE "C";
CREATE INDEX access_tokens_grant_id ON access_tokens (grant_id);
CREATE INDEX access_tokens_installation ON access_tokens (organization_id, oauth_application_id);

-- What the authorization server keeps between two requests: codes, refresh tokens, grants, interactions.
-- The id is the secret itself for codes and tokens, so only its SHA-256 is kept.
CREATE TABLE oauth_artifacts (
  kind text COLLATE "C" NOT NULL,
  id_hash bytea NOT NULL,
  grant_id text COLLATE "C",
  organization_id text COLLATE "C",
  oauth_application_id text COLLATE "C",
  user_id text COLLATE "C",
  payload jsonb NOT NULL,
  consumed_at timestamptz,
  expires_at timestamptz NOT NULL,
  -- Of a refresh token that was used: the answer it got, encrypted under a key derived from the token, and its successor.
  answer bytea,
  successor_hash bytea,
  PRIMARY KEY (kind, id_hash)
);
CREATE INDEX oauth_artifacts_grant_id ON oauth_artifacts (grant_id);
CREATE INDEX oauth_artifacts_installation ON oauth_artifacts (organization_id, oauth_application_id);
CREATE INDEX oauth_artifacts_expires_at ON oauth_artifacts (expires_at);
