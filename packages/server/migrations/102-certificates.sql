-- expand: a table of its own.
-- Certificates that the service obtains by itself, shared by all processes. `owner` leads an attempt to obtain one.
CREATE TABLE certificates (
  directory text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  chain text,
  key_ciphertext bytea,
  failures integer NOT NULL DEFAULT 0,
  failure text,
  -- No attempt before this time.
  attempt_at timestamptz,
  owner text COLLATE "C",
  owned_until timestamptz,
  PRIMARY KEY (directory, name),
  CHECK ((chain IS NULL) = (key_ciphertext IS NULL))
);

-- The key of the installation's account with each authority.
CREATE TABLE acme_accounts (
  directory text COLLATE "C" PRIMARY KEY,
  key_ciphertext bytea NOT NULL
);

-- What every process must show while an authority checks a name. The authority may ask any of them.
CREATE TABLE acme_challenges (
  token text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  name text COLLATE "C" NOT NULL,
  key_authorization text NOT NULL,
  created_at timestamptz NOT NULL
);
