/**
 * One file per device. WAL with synchronous FULL: a committed transaction survives a power loss. Policy rows
 * are stored per generation, so that a snapshot can be written next to the policy in force.
 */
export const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (
  generation INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (generation, kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS members (
  generation INTEGER NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (generation, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS credentials (
  generation INTEGER NOT NULL, hash TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, member_id TEXT NOT NULL,
  PRIMARY KEY (generation, hash, kind, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS journal (sequence INTEGER PRIMARY KEY, type TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS commands (
  id TEXT PRIMARY KEY, deadline INTEGER NOT NULL, outcome TEXT, reason TEXT
) WITHOUT ROWID;
`

/** The `user_version` of files in which everything that was deleted is overwritten. Older ones are rewritten once. */
export const overwrites = 1
