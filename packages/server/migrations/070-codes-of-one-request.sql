-- A key that is shown counts for the session it was shown to alone: nobody else may have seen what is confirmed.
ALTER TABLE totp_keys ADD COLUMN session_id text COLLATE "C";

-- The browser or session that asked for the code: only there it can be used, and only there tries are counted. Null: anywhere.
ALTER TABLE mail_codes ADD COLUMN asker_hash bytea;
