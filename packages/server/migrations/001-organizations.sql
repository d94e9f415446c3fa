-- Conventions: organization_id leads every key and index, so that tenants never mix and the schema can be sharded.
-- Text compares by code point (COLLATE "C"), so that order and uniqueness do not depend on the machine's locale.
-- There is no foreign key to organizations: rows of it are never removed, and every insert would lock its one row.
-- sort_ and filter_ indexes serve the sorts and filters of lists; a test holds them against the declarations.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE organizations (
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  features jsonb NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C",
  email text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  password_hash text COLLATE "C",
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email_key_key ON users (email_key);

CREATE TABLE organization_users (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  role text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'administrator', 'viewer')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_users_user_id ON organization_users (user_id);

CREATE TABLE oauth_applications (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  secret_hash bytea,
  redirect_uris text[] COLLATE "C" NOT NULL DEFAULT '{}',
  is_deleted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);

-- An application that an organization authorized, with the scopes it was given and by whom.
CREATE TABLE installations (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  oauth_application_id text COLLATE "C" NOT NULL REFERENCES oauth_applications (id),
  scopes text[] COLLATE "C" NOT NULL,
  granted_by text COLLATE "C" REFERENCES users (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, oauth_application_id)
);

-- Only the SHA-256 of a token is kept: it has 256 random bits, so a plain digest cannot be reversed.
CREATE TABLE access_tokens (
  token_hash bytea PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  oauth_application_id text COLLATE "C" NOT NULL REFERENCES oauth_applications (id),
  user_id text COLLATE "C" REFERENCES users (id),
  scopes text[] COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at);

CREATE TABLE products (
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  capabilities jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE tags (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  color text COLLATE "C" NOT NULL,
  applies_to text[] COLLATE "C" NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX tags_sort_name ON tags (organization_id, is_deleted, name, id);
CREATE INDEX tags_sort_created_at ON tags (organization_id, is_deleted, created_at, id);
CREATE INDEX tags_filter_metadata ON tags USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX tags_search ON tags USING gin (organization_id, search_text gin_trgm_ops);

CREATE TABLE schedules (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  weekdays jsonb NOT NULL,
  is_deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  metadata jsonb NOT NULL,
  search_text text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX schedules_sort_name ON schedules (organization_id, is_deleted, name, id);
CREATE INDEX schedules_sort_created_at ON schedules (organization_id, is_deleted, created_at, id);
CREATE INDEX schedules_filter_metadata ON schedules USING gin (organization_id, metadata jsonb_path_ops);
CREATE INDEX schedules_search ON schedules USING gin (organization_id, search_text gin_trgm_ops);
