-- Wrong entries are kept in slots of five minutes, so that an hour is the last sixty minutes and not the one on the clock.
ALTER TABLE wrong_entries RENAME COLUMN hour TO slot;
ALTER INDEX wrong_entries_hour RENAME TO wrong_entries_slot;
