-- The service keys that this database knows, each by a word that only the key itself opens. A key that was used may have
-- sealed secrets, so every process must hold it; one that was only announced may become the first of a process.
CREATE TABLE service_keys (
  id text COLLATE "C" PRIMARY KEY,
  word bytea NOT NULL,
  is_used boolean NOT NULL,
  known_since timestamptz NOT NULL
);
