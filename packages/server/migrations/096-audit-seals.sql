-- Links are sealed with a key that the database does not hold, see audit/keys.ts: four bytes name the key, sixteen are the
-- code. Links from before have none, and audit_origins says up to where.
ALTER TABLE audit_links ADD COLUMN seal bytea;

CREATE TABLE audit_origins (
  organization_id text COLLATE "C" PRIMARY KEY,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  seal bytea NOT NULL
);

-- A process of the release before, which knows no seals, must not add links any more.
CREATE FUNCTION refuse_unsealed_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'links of the audit chain are sealed since this release';
END $$;
CREATE TRIGGER audit_links_are_sealed BEFORE INSERT ON audit_links FOR EACH ROW WHEN (NEW.seal IS NULL)
  EXECUTE FUNCTION refuse_unsealed_link();

-- Who took the salt of a link away, when and why; signed.
CREATE TABLE audit_receipts (
  organization_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  document text NOT NULL,
  PRIMARY KEY (organization_id, number)
);

-- Where a chain ended whose organization was purged; signed. The id is the organization's: what carries the name
-- organization_id goes with the purge.
CREATE TABLE audit_closings (
  id text COLLATE "C" PRIMARY KEY,
  checkpoint_number bigint,
  document text NOT NULL
);

-- What retired service keys gave for the chain, under the present one.
CREATE TABLE audit_keys (
  id text COLLATE "C" PRIMARY KEY,
  ciphertext bytea NOT NULL
);
