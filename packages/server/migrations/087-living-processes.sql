-- Processes that work on lanes and lead consumers. While one lives, a session of its own holds the advisory lock with its
-- number, and it says so every now and then; when neither is true any more, what it owned is free, see events/life.ts.
CREATE TABLE living_processes (
  owner text COLLATE "C" PRIMARY KEY,
  number integer NOT NULL,
  seen_at timestamptz NOT NULL
);
