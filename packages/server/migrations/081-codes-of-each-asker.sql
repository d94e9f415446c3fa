-- Whoever asks for a code does not end one that somebody else asked for: each is a row of its own.
ALTER TABLE mail_codes DROP CONSTRAINT mail_codes_pkey, ADD PRIMARY KEY (email_key, purpose, code_hash);
